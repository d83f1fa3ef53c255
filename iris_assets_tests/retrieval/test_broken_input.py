"""Half characters in a question or filter, and question vectors that are none: mended or told, never silent."""

from collections.abc import Iterator

import numpy as np
import pytest

from iris_assets.answers.service import AnswerService
from iris_assets.errors import NotFoundError, StoreError, UsageError
from iris_assets.retrieval.types import Turn
from iris_assets.store import open_store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World

DIMENSION = 4


class Encoder:
    """Always the same vector."""

    def __init__(self, vector: list[float]) -> None:
        self.vector = np.array(vector, dtype=np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return self.vector


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('broken') / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "LIA")
    world.plan("plano", ["1"], ["Creches e educação infantil em tempo integral.", "Hospitais regionais de cação."])
    world.embed({"": [1, 0, 0, 0]}, "m", DIMENSION)
    yield world
    store.close()


@pytest.mark.parametrize("question", ["edu\ud800cação", "edu\udfffcação", "e\u200bducação", "educação\x00"])
def test_half_and_invisible_characters_leave_the_word_whole(world: World, question: str) -> None:
    service = world.service()
    whole = [evidence.key for evidence in service.search("educação").results]
    assert len(whole) == 1
    assert [evidence.key for evidence in service.search(question).results] == whole
    assert [evidence.key for evidence in service.retrieve(question).evidences] == whole
    follow_up = service.retrieve("e no plano?", history=[Turn(question)])
    assert [evidence.key for evidence in follow_up.evidences] == whole


def test_an_answer_to_a_mended_question_is_stored_and_read(world: World) -> None:
    retrieval = world.service()
    service = AnswerService(world.store, retrieval.settings, retrieval)
    answer = service.ask("edu\ud800cação \ud83d\ude00")
    assert answer.question == "educação 😀" and answer.sources
    assert service.get(answer.answer_id).question == "educação 😀"


def test_a_question_or_value_of_nothing_but_half_a_character_is_told(world: World) -> None:
    service = world.service()
    with pytest.raises(UsageError, match="QUESTION_EMPTY"):
        service.retrieve("\ud800")
    with pytest.raises(NotFoundError, match="CANDIDATE_NOT_FOUND"):
        service.retrieve("creches", candidate="\ud800")
    assert service.retrieve("creches", filters=SearchFilter(states=("\ud800",))).evidences == ()


@pytest.mark.parametrize("vector", [[np.nan, 0, 0, 1], [np.inf, 0, 0, 1], [0, 0, 0, 0]])
def test_a_question_vector_that_is_none_is_said_and_words_answer(world: World, vector: list[float]) -> None:
    service = world.service(Encoder(vector), embedding_model="m", embedding_dimension=DIMENSION)
    found = service.search("creches")
    assert len(found.results) == 1
    assert any("só as palavras" in notice for notice in found.notices)
    assert service.search("creches", mode="vector").results == ()
    assert not service.retrieve("creches").vectors_used


def test_the_store_refuses_to_compare_what_is_no_number(world: World) -> None:
    with pytest.raises(StoreError, match="VECTOR_NOT_FINITE"):
        world.store.vectors.search(np.array([np.nan, 0, 0, 1]), "m", DIMENSION, SearchFilter(), 5)

"""Two rankings become one: reciprocal ranks or mixed scores, weights, separate scores, quoted phrases, notices."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iris_assets.errors import ConfigurationError
from iris_assets.retrieval.fusion import convex, fused_scores, reciprocal_ranks
from iris_assets.settings import load_settings
from iris_assets.words.messages import notice
from iris_assets_tests.retrieval.world import World

RIGHT, NEAR, FAR = (np.array(v, dtype=np.float32) for v in ([1, 0], [0.8, 0.6], [0, 1]))


class Fixed:
    """Every question points the same way."""

    def embed_query(self, text: str) -> Any:
        return RIGHT


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.candidate("1", "ANA")
    world.plan("words", ["1"], ["Construir creches, reformar creches."])
    world.plan("both", ["1"], ["Ampliar creches para crianças."])
    world.plan("meaning", ["1"], ["Educação infantil para todos."])
    world.embed({"crianças": NEAR, "infantil": RIGHT, "": FAR}, "m", 2)
    return world


def service(world: World, weights: str = "1:1") -> Any:
    return world.service(Fixed(), embedding_model="m", embedding_dimension=2, fusion_weights=weights)


def test_reciprocal_ranks_by_hand_and_scores_kept_apart(full: World) -> None:
    results = {one.source_id: one for one in service(full).search("creches").results}
    both, words, meaning = results["both"], results["words"], results["meaning"]
    assert (words.lexical_rank, both.lexical_rank, meaning.lexical_rank) == (1, 2, None)
    assert (meaning.vector_rank, both.vector_rank, words.vector_rank) == (1, 2, 3)
    assert both.rrf == pytest.approx(1 / 62 + 1 / 62)
    assert words.rrf == pytest.approx(1 / 61 + 1 / 63)
    assert meaning.rrf == pytest.approx(1 / 61)
    assert both.vector_similarity == pytest.approx(0.8)
    assert meaning.lexical_score is None and meaning.matched_terms == ()


def test_a_hit_by_words_alone_says_that_it_has_no_similarity(full: World) -> None:
    results = full.service().search("creches").results
    assert [(one.vector_similarity, one.vector_rank) for one in results] == [(None, None)] * 2


@pytest.mark.parametrize(
    ("weights", "first"), [("1:0", "words"), ("0:1", "meaning"), ("convex 1:0", "words"), ("convex 0:1", "meaning")]
)
def test_weights_favour_a_search(full: World, weights: str, first: str) -> None:
    assert service(full, weights).search("creches").results[0].source_id == first


def test_mixed_scores_by_hand() -> None:
    assert convex({1: 4.0, 2: 2.0, 3: 0.0}, {3: 0.9, 2: 0.5}, (1.0, 1.0)) == {1: 0.5, 2: 0.25, 3: 0.5}
    assert fused_scores({1: 4.0, 2: 2.0}, {2: 0.5}, (1.0, 1.0), by_scores=False) == {1: 1 / 61, 2: 1 / 62 + 1 / 61}


@given(st.lists(st.integers(0, 40), unique=True, max_size=20), st.lists(st.integers(0, 40), unique=True, max_size=20))
def test_reciprocal_ranks_hold_every_hit_and_a_better_rank_scores_more(left: list[int], right: list[int]) -> None:
    scores = reciprocal_ranks(left, right)
    assert set(scores) == set(left) | set(right)
    only_left = [id_ for id_ in left if id_ not in right]
    assert [scores[id_] for id_ in only_left] == sorted((scores[id_] for id_ in only_left), reverse=True)
    assert all(0 < score <= 2 / 61 for score in scores.values())


@pytest.mark.parametrize("wrong", ["1", "a:b", "rank 1:1", "-1:1"])
def test_wrong_weights_are_refused_at_start(wrong: str) -> None:
    with pytest.raises(ConfigurationError):
        load_settings({"FUSION_WEIGHTS": wrong})


def test_without_key_or_vectors_words_answer_and_the_reader_is_told(
    full: World, caplog: pytest.LogCaptureFixture
) -> None:
    without_key = full.service().retrieve("creches")
    assert without_key.evidences and not without_key.vectors_used
    assert notice("WORDS_ONLY") in without_key.notices
    other_model = full.service(Fixed(), embedding_model="other", embedding_dimension=2).retrieve("creches")
    assert other_model.evidences and not other_model.vectors_used
    assert notice("WORDS_ONLY") in other_model.notices and "no vectors of other with 2 dimensions" in caplog.text


def test_a_quoted_phrase_comes_before_its_scattered_words(world: World) -> None:
    world.candidate("1", "ANA")
    world.plan(
        "scattered", ["1"], ["Emprego: o primeiro passo. Primeiro emprego não; o emprego vem primeiro, primeiro."]
    )
    world.plan(
        "phrase", ["1"], ["Um programa grande de renda mínima, com muitas frentes, e um de renda básica cidadã."]
    )
    world.plan("turned", ["1"], ["Básica é a renda básica: renda, básica, renda cidadã; básica cidadã e renda."])
    service = world.service()
    assert service.search('"renda básica cidadã"').results[0].source_id == "phrase"
    found = service.retrieve('O que Ana propõe sobre "renda básica cidadã"?')
    assert found.evidences[0].source_id == "phrase"

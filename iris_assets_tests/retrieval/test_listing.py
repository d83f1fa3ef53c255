"""Lists of candidatures from the registry: who runs, who was elected, within filters, whole and page by page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.answers.service import AnswerService
from iris_assets.llm.chat import ChatClient
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.session import ONLY_PAGE
from iris_assets.retrieval.types import Retrieval, Turn
from iris_assets.settings import Settings
from iris_assets.store import open_store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.answers.fake_llm import fake_model, says
from iris_assets_tests.retrieval.world import World

ELECTED = {"round_result": "ELEITO", "round": 1}
DEPUTY = {"office": "DEPUTADO FEDERAL", "round": 1}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('listing') / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "LIA", party="PT", state="DF", **ELECTED)
    world.candidate("2", "ZECA", party="PL", state="DF", round_result="NÃO ELEITO", round=1)
    world.candidate("3", "BETO", party="PT", state="DF", **DEPUTY, round_result="ELEITO POR QP")
    world.candidate("4", "ANA", party="PL", state="DF", **DEPUTY, round_result="ELEITO POR MÉDIA")
    world.candidate("5", "CAIO", party="PT", state="PI", **DEPUTY, round_result="ELEITO POR QP")
    world.candidate("6", "TITO", party="PL", state="PI", **DEPUTY, round_result="SUPLENTE")
    world.candidate("7", "EVA", party="PT", office="PRESIDENTE", state="BR", round_result="ELEITO", round=2)
    world.candidate("8", "JOEL", party="PL", office="PRESIDENTE", state="BR", round_result="NÃO ELEITO", round=2)
    for number in range(100, 145):
        world.candidate(str(number), f"NOME {number}", party="PSB", state="PI", **DEPUTY, round_result="SUPLENTE")
    world.candidate("200", "VELHO", party="PT", state="DF", election_year=2022, **ELECTED)
    world.plan("plano", ["1"], ["Quem foi eleito deve governar para todos, com creches no DF."])
    yield world
    store.close()


@pytest.fixture
def service(world: World) -> RetrievalService:
    return world.service()


def records(service: RetrievalService, question: str, **more: object) -> list[str]:
    found = service.retrieve(question, **more)  # type: ignore[arg-type]
    assert {evidence.source_type for evidence in found.evidences} <= {"CANDIDATE"}, question
    return [evidence.source_id for evidence in found.evidences]


def counted(found: Retrieval) -> int:
    """The number that an answer which names nobody cites: of the candidatures that were looked at."""
    [evidence] = found.evidences
    return int(evidence.structured["count"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quem foi eleito no DF?", ["4", "3", "1"]),
        ("QUEM FOI ELEITO NO DF", ["4", "3", "1"]),
        ("quem se elegeu no df?", ["4", "3", "1"]),
        ("Quem ganhou a eleição no DF?", ["4", "3", "1"]),
        ("Quem são os eleitos do Distrito Federal?", ["4", "3", "1"]),
        ("eleitos no DF", ["4", "3", "1"]),
        ("Quais candidatos foram eleitos no PI?", ["5"]),
        ("Diga quem foi eleito no Piauí", ["5"]),
        ("Quais os deputados federais eleitos no DF?", ["4", "3"]),
        ("Qual o governador eleito do DF?", ["1"]),
        ("Quem o PT elegeu no DF?", ["3", "1"]),
        ("Que candidatos do PL foram eleitos?", ["4"]),
        ("Quem venceu a eleição para presidente?", ["7"]),
        ("Quem foi ao segundo turno?", ["7", "8"]),
        ("Quem são os deputados federais do DF?", ["4", "3"]),  # whom the registry knows as elected
        ("Quais candidatos foram ao segundo turno?", ["7", "8"]),
        ("Liste os candidatos eleitos por média no DF", ["4"]),
        ("Quem foi eleito no DF em 2022?", ["200"]),
        ("Quem disputa o governo do DF?", ["1", "2"]),
        ("Quem concorre à presidência?", ["7", "8"]),
        ("Relação dos candidatos do PT no DF", ["3", "1"]),
        ("candidatos a presidente", ["7", "8"]),
        ("Bom dia, poderiam informar a relação completa dos deputados federais eleitos pelo DF?", ["4", "3"]),
        ("Quais deputados federais o DF mandou pra Brasília?", ["4", "3"]),
        ("quem o DF elegeu pra câmara", ["4", "3"]),
        ("quem levou o governo do DF", ["1"]),
        ("DF: quem concorreu ao governo", ["1", "2"]),
        ("Quem não se elegeu governador no DF?", ["2"]),
        ("Liste os candidatos do DF, exceto os do PT", ["4", "2"]),
        ("Que candidatos do DF não são do PT?", ["4", "2"]),
        ("Fora a Eva, quem disputou a presidência?", ["8"]),
        ("quem do PL saiu pra governador no DF", ["2"]),
    ],
)
def test_the_list_is_whole_and_by_ballot_name(service: RetrievalService, question: str, expected: list[str]) -> None:
    if expected:
        assert records(service, question) == expected
    else:
        assert all(e.source_type != "CANDIDATE" for e in service.retrieve(question).evidences)


def test_a_list_after_a_list_keeps_what_it_does_not_name(service: RetrievalService) -> None:
    assert records(service, "e no Piauí?", history=[Turn("Quem foi eleito no DF?")]) == ["5"]


def test_who_of_those_that_run_was_elected_is_told_apart_from_no_record(service: RetrievalService) -> None:
    found = service.retrieve("Algum candidato do PSB foi eleito no PI?")
    told = "Nenhuma das 45 candidaturas do registro (partido: PSB; UF: PI; eleição: 2026) consta assim"
    assert found.said.startswith(told) and counted(found) == 45


def test_who_filed_no_plan_is_told_apart_from_who_has_one(service: RetrievalService) -> None:
    assert records(service, "Quais candidatos a governador do DF apresentaram plano?") == ["1"]
    assert records(service, "quais candidatos a governador do DF não apresentaram plano de governo") == ["2"]
    unread = service.retrieve("Quais candidatos a presidente não apresentaram plano?")
    assert counted(unread) == 2 and "De 2 candidaturas deste recorte os planos não foram coletados" in unread.said


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Qual a idade dos eleitos do DF?", "Os registros guardados não trazem idade"),
        ("Quais mulheres foram eleitas no DF?", "Os registros guardados não trazem gênero"),
        ("Quem são os candidatos canhotos do DF?", "Nenhuma coluna dos registros diz “canhotos”"),
    ],
)
def test_what_no_column_tells_is_said_first(service: RetrievalService, question: str, told: str) -> None:
    found = service.retrieve(question)
    assert found.said.startswith(told) and found.evidences == ()


def test_each_entry_shows_the_result_and_the_notice_what_was_listed(service: RetrievalService) -> None:
    found = service.retrieve("Quem foi eleito no DF?")
    assert "Resultado: ELEITO POR MÉDIA" in found.evidences[0].content
    assert found.strategy == "reference_lookup"
    assert found.said == "São 3 candidaturas no registro (UF: DF; eleição: 2026; resultado: eleito)."


def test_a_long_list_is_paged_and_says_so(service: RetrievalService) -> None:
    question = "Quem são os suplentes do PI?"
    pages = [records(service, question, page=page) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [20, 20, 6]
    assert sorted(id_ for page in pages for id_ in page) == sorted(["6", *map(str, range(100, 145))])
    assert pages[2][-1] == "6"  # TITO comes after every NOME
    beyond = service.retrieve(question, page=99)
    assert records(service, question, page=99) == pages[2]
    assert "Só há 3 páginas: aparece a última." in beyond.notices
    assert not any("Só há" in notice for page in (1, 3) for notice in service.retrieve(question, page=page).notices)
    assert ONLY_PAGE in service.retrieve("Quem foi eleito no DF?", page=2).notices
    first = service.retrieve(question).said
    assert first == (
        "São 46 candidaturas no registro (UF: PI; eleição: 2026; resultado: SUPLENTE); por nome de urna, aparecem da "
        "1ª à 20ª (página 1 de 3)."
    )


def test_the_callers_filters_hold(service: RetrievalService) -> None:
    assert records(service, "Quem foi eleito?", filters=SearchFilter(states=("PI",))) == ["5"]
    assert records(service, "Quem foi eleito?", filters=SearchFilter(parties=("PL",))) == ["4"]
    assert records(service, "Quem foi eleito?", filters=SearchFilter(years=(2022,))) == ["200"]
    assert records(service, "Quem foi eleito no DF?", filters=SearchFilter(offices=("GOVERNADOR",))) == ["1"]


@pytest.mark.parametrize("question", ["Quem foi eleito no Acre?", "Quem foi eleito no DF em 2018?"])
def test_an_empty_list_is_no_search_and_no_claim_that_there_was_nobody(
    service: RetrievalService, question: str
) -> None:
    found = service.retrieve(question)
    assert counted(found) == 0
    assert found.said.startswith("Nenhuma candidatura no registro guardado (")
    assert found.said.endswith(": isso não diz que não houve, só que nenhuma foi coletada.")


def test_an_election_without_results_yet_is_told(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "LIA", state="DF")
    found = world.service().retrieve("Quem foi eleito no DF?")
    assert counted(found) == 1
    assert found.said == "O registro guardado ainda não traz resultados (UF: DF; eleição: 2026)."
    assert records(world.service(), "Quem são os candidatos do DF?") == ["1"]
    store.close()


@pytest.mark.parametrize(
    "question",
    [
        "Quais candidatos eleitos no DF propõem creches?",
        "Quem ganhou o auxílio?", "Quais mulheres foram eleitas no DF?",
        "Quem foi reeleito no DF?", "O que diz quem foi eleito no DF?",
    ],
)  # fmt: skip
def test_a_question_for_more_than_a_list_is_none(service: RetrievalService, question: str) -> None:
    assert all(evidence.source_type != "CANDIDATE" for evidence in service.retrieve(question).evidences)


def test_no_model_may_shorten_a_list(world: World) -> None:
    """A server that would answer is configured and is not asked."""
    retrieval = world.service()
    with fake_model(says("LIA foi eleita [E3].")) as server:
        chosen = Settings(llm_api_key="k", llm_base_url=server.url, llm_api="chat")
        service = AnswerService(world.store, retrieval.settings, retrieval, ChatClient.from_settings(chosen))
        answer = service.ask("Quem foi eleito no DF?")
    assert server.requests == []
    assert not answer.generated
    assert [source.title.rsplit(": ")[-1] for source in answer.sources if source.cited] == ["ANA", "BETO", "LIA"]

"""The trained reader: its file comes from the phrases, it reads what nobody listed, and rewordings keep the evidence."""

from pathlib import Path

import pytest

from iris_assets.evaluation.reading import evaluate_reading, kept_evidence
from iris_assets.question.clauses import Words
from iris_assets.question.countables import types_named
from iris_assets.question.model import FILE, shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.reader import Reader
from iris_assets.retrieval.types import Turn
from iris_assets.training.phrases import PHRASES, read_phrases
from iris_assets.training.reader import train
from iris_assets_tests.retrieval.world import World

KEPT = 0.97  # pinned: the share of the evidence that rewordings keep
SUBJECTS = [{"who": who, "topic": topic} for who in ("Ana Lima", "Bruno Costa") for topic in ("creches", "saneamento")]


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    for number, name in enumerate(("ANA LIMA", "BRUNO COSTA"), 1):
        world.candidate(str(number), name, party=f"P{number}")
        world.plan(f"creches{number}", [str(number)], ["Construir creches em tempo integral."])
        world.plan(f"agua{number}", [str(number)], ["Levar saneamento a todos os bairros."])
    return world


@pytest.mark.slow
def test_the_shipped_file_is_what_the_phrases_teach() -> None:
    phrases = read_phrases(sorted(PHRASES.glob("*.jsonl")))
    assert len(phrases) >= 3000
    assert train(phrases).dump() == (Path(PHRASES).parent / FILE).read_bytes()


def test_rewordings_keep_the_evidence(full: World) -> None:
    found = kept_evidence(full.service(), SUBJECTS)
    assert found["cases"] >= 70
    assert found["kept"] >= KEPT, found["lost"]


def test_a_broken_phrase_is_told_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text('{"text": "creches", "intent": "plan", "spans": {"topic": ["escolas"]}}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.jsonl:1"):
        read_phrases([file])


def test_reading_is_measured_over_labelled_phrases(tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    file.write_text(
        '{"text": "Em quem devo votar?", "intent": "refuse", "kind": "vote", "spans": {}}\n'
        '{"text": "Quantos projetos há?", "intent": "count", "spans": {}}\n',
        encoding="utf-8",
    )
    found = evaluate_reading(file)
    assert (found["phrases"], found["refusal_recall"], found["false_refusals"]) == (2, 1.0, 0.0)


def test_a_misspelt_name_is_taken_and_said(full: World) -> None:
    found = full.service().retrieve("o que o brunno costta fala de creches")
    assert [one["label"].split(" — ")[0] for one in found.understood["people"]] == ["BRUNO COSTA"]
    assert any("BRUNO COSTA" in notice for notice in found.notices)


def test_nobody_elses_evidence_stands_in_for_a_name_of_no_record(full: World) -> None:
    found = full.service().retrieve("O que Zulmira Xanxerê propõe sobre creches?")
    assert found.evidences == ()
    assert any("ZULMIRA XANXERE" in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("e sobre saneamento?", ["ANA LIMA"]),
        ("e o Bruno Costa?", ["BRUNO COSTA"]),
        ("Quantos candidatos a governador há em SP?", []),
        ("Quais candidatos defendem saneamento?", []),
    ],
)
def test_only_a_real_follow_up_keeps_the_candidate(full: World, question: str, people: list[str]) -> None:
    found = full.service().retrieve(question, history=[Turn("O que Ana Lima propõe sobre creches?", "1")])
    assert [one["label"].split(" — ")[0] for one in found.understood["people"]] == people


def test_a_choice_settles_that_name_and_keeps_the_other_and_the_topic(world: World) -> None:
    world.candidate("1", "ANA LIMA", name="ANA LIMA")
    world.candidate("2", "CARLA DIAS", name="CARLA DIAS", party="P2")
    world.candidate("3", "CARLA DIAS", name="CARLA DIAS REIS", party="P3")
    for number in ("1", "2", "3"):
        world.plan(f"plano{number}", [number], [f"Construir {number}0 creches em tempo integral."])
    service, question = world.service(), "Compare Ana Lima e Carla Dias sobre creches"
    assert [one.tse_id for one in service.retrieve(question).clarification] == ["2", "3"]
    chosen = service.retrieve(question, candidate="3")
    assert {one.tse_id for evidence in chosen.evidences for one in evidence.candidates} == {"1", "3"}


def test_a_sentence_is_found_word_by_word_or_said_to_be_nowhere(full: World) -> None:
    service = full.service()
    found = service.retrieve('Quem escreveu "creches em tempo integral"?')
    assert len(found.evidences) == 2
    nowhere = service.retrieve('É verdade que o plano da Ana Lima diz "vamos fechar as creches"?')
    assert nowhere.evidences == () and any("não aparece" in notice for notice in nowhere.notices)


def test_reading_needs_no_store() -> None:
    parsed = Reader(NameIndex(()), model=shipped()).read("quantos candidatos a governador o PSOL lançou no DF?")
    assert (parsed.intent, parsed.scope.states, parsed.scope.parties) == ("count", ("DF",), ("PSOL",))


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Ana Lima e o petróleo", "petróleo"),
        ("vacina no plano da Ana Lima", "vacina"),
        ("Fundo Amazônia", "Fundo Amazônia"),
        ("Dia Nacional do Cristão Ortodoxo", "Dia Nacional do Cristão Ortodoxo"),
        ("O que os planos propõem para o esporte de base?", "esporte de base"),
    ],
)
def test_the_subject_is_kept_whole(full: World, question: str, topic: str) -> None:
    assert full.service().retrieve(question).understood["topic"] == topic


def test_one_whole_name_of_several_people_is_asked_for_whatever_their_offices(world: World) -> None:
    world.candidate("1", "DINA FLORES", name="DINA SÁ FLORES", office="GOVERNADOR")
    world.candidate("2", "DINA FLORES", name="DINA REIS FLORES", office="DEPUTADO FEDERAL", party="P2")
    found = world.service().retrieve("O que Dina Flores propõe?")
    assert [one.tse_id for one in found.clarification] == ["2", "1"]


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("Quantos PLs estão na base?", True),
        ("Quantos PLs constam no banco de dados?", True),
        ("Quantos PLs estão parados?", False),
        ("Quantos PLs são da base do governo?", False),
    ],
)
def test_where_the_records_are_stored_restricts_no_count(full: World, question: str, exact: bool) -> None:
    assert (full.service().retrieve(question).strategy == "structured_count") is exact


def test_a_word_of_grammar_is_no_acronym_of_a_kind() -> None:
    """`pra` is how people write `para`: "conta pra mim …" asks for no Projeto de Resolução da Assembleia Constituinte."""
    assert types_named(Words([("CONTA", "FRAME"), ("PRA", "FRAME"), ("MIM", "FRAME")])) == ()
    assert types_named(Words([("QUANTAS", "FRAME"), ("PECS", "FRAME")])) == ("PEC",)

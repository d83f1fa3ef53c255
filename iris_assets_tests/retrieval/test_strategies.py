"""Every row of the table of intents, on one invented store, and what each strategy hands over."""

import pytest

from iris_assets.errors import UsageError
from iris_assets.words.source_kinds import NEWS_ARTICLE, OFFICIAL_TYPES
from iris_assets_tests.retrieval.world import World

PLAN, BILL, HISTORY = ("GOVERNMENT_PROPOSAL",), ("PROPOSITION",), ("POLITICAL_HISTORY",)


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.candidate("1", "ANA LIMA", state="SP")
    world.candidate("2", "BRUNO COSTA", state="SP", party="P2")
    world.plan("plan1", ["1"], ["Construir creches em tempo integral.", "Levar saneamento a todos os bairros."])
    world.bill(77, "PL 5/2023", "Cria o cadastro de creches.", ["1"], ["Educação", "Saúde"])
    world.bill(78, "PL 6/2023", "Institui o dia da merenda escolar.", ["1", "2"], ["Educação"])
    world.bill(79, "PLP 5/2023", "Altera o imposto sobre serviços.", ["2"], ["Tributos"])
    world.mandate("H1", "Vereador", "1")
    world.news("n1", "Creches foram tema de debate na cidade.", "1")
    return world


@pytest.mark.parametrize(
    ("question", "strategy", "types"),
    [
        ("Resuma o plano de governo de Ana Lima", "document_coverage", PLAN),
        ("Síntese das diretrizes de Ana Lima", "document_coverage", PLAN),
        ("Resumo do histórico de Ana Lima", "document_coverage", HISTORY),
        ("Panorama dos projetos de Ana Lima", "document_coverage", BILL),
        ("Faça um resumo sobre Ana Lima", "document_coverage", OFFICIAL_TYPES),
        ("Resumo das propostas de saneamento", "hybrid", PLAN),
        ("Principais temas dos projetos de Ana Lima", "structured_count", BILL),
        ("Quais os assuntos recorrentes das proposições?", "structured_count", BILL),
        ("Quantos projetos Ana Lima apresentou?", "structured_count", BILL),
        ("Número de candidatos em SP", "structured_count", OFFICIAL_TYPES),
        ("O que o programa de Ana Lima diz sobre creches?", "hybrid", PLAN),
        ("mandatos de Ana Lima como vereador", "hybrid", HISTORY),
        ("ementas sobre merenda", "hybrid", BILL),
        ("creches", "hybrid", OFFICIAL_TYPES),
        ("notícias sobre creches", "hybrid", (NEWS_ARTICLE,)),
        ("O que cada candidato propõe sobre creches?", "candidate_lookup", PLAN),
    ],
)
def test_the_table_of_intents(full: World, question: str, strategy: str, types: tuple[str, ...]) -> None:
    plan = full.service().retrieve(question).plan
    assert (plan.strategy, plan.source_types) == (strategy, types)


def test_a_type_asked_for_in_the_call_comes_before_every_intent(full: World) -> None:
    found = full.service().retrieve("Resuma o plano de governo de Ana Lima sobre creches", source_type="PROPOSICAO")
    assert (found.plan.strategy, found.plan.source_types) == ("hybrid", BILL)
    assert {evidence.source_type for evidence in found.evidences} == {"PROPOSITION"}
    with pytest.raises(UsageError) as raised:
        full.service().retrieve("creches", source_type="BLOG")
    assert raised.value.code == "SOURCE_TYPE_UNKNOWN"


def test_references_count_all_in_order_once_each_before_any_ranking(full: World) -> None:
    class Refusing:
        def embed_query(self, text: str) -> None:
            raise AssertionError("a look-up needs no vector")

    found = full.service(Refusing()).retrieve("Compare o PLP 5/2023, o PL 5/2023, PL 6/2023 e o pl nº 5 de 2023")
    assert found.strategy == "reference_lookup"
    assert [evidence.title for evidence in found.evidences] == ["PLP 5/2023", "PL 5/2023", "PL 6/2023"]
    assert all(evidence.rrf is None for evidence in found.evidences)


def test_an_unknown_reference_is_said_and_ordinary_search_goes_on(full: World) -> None:
    found = full.service().retrieve("O que o PL 999/2023 diz sobre merenda?")
    assert found.plan.unknown_references == ("PL 999/2023",)
    assert any("PL 999/2023" in notice and "não encontrado" in notice for notice in found.notices)
    assert [evidence.source_id for evidence in found.evidences] == ["78"]


def test_a_ballot_number_with_its_office_is_the_candidate(full: World) -> None:
    found = full.service().retrieve("O que o candidato 11 a governador propõe sobre creches?")
    assert found.candidate is not None and found.candidate.ballot_name == "ANA LIMA"
    assert "plan1" in {evidence.source_id for evidence in found.evidences}


def test_topics_are_counted_exactly_by_count_then_name(full: World) -> None:
    found = full.service().retrieve("Quais são os principais temas dos projetos de Ana Lima?")
    assert [(row.name, row.count) for row in found.counts] == [("Educação", 2), ("Saúde", 1)]
    evidence = found.evidences[0]
    assert evidence.source_type == "PROPOSITION_TOPIC_AGGREGATE"
    assert "Contagem exata" in evidence.content and "Educação: 2; Saúde: 1" in evidence.content


def test_topics_without_a_candidate_are_grouped_by_candidate_in_neutral_order(full: World) -> None:
    found = full.service().retrieve("Quais os assuntos recorrentes das proposições?")
    rows = [(row.candidate.ballot_name, row.name, row.count) for row in found.counts if row.candidate]
    assert rows == [("ANA LIMA", "Educação", 2), ("ANA LIMA", "Saúde", 1),
                    ("BRUNO COSTA", "Educação", 1), ("BRUNO COSTA", "Tributos", 1)]  # fmt: skip
    assert any("ordem alfabética" in notice for notice in found.notices)


def test_counts_obey_the_filters(full: World) -> None:
    from iris_assets.store.search import SearchFilter

    counted = [
        [row.count for row in full.service().retrieve("Quantos projetos há?", filters=filters).counts]
        for filters in (SearchFilter(), SearchFilter(parties=("P2",)), SearchFilter(states=("AC",)))
    ]
    assert counted == [[3], [2], [0]]


def test_news_is_excluded_unless_asked_for(full: World) -> None:
    service = full.service()
    assert "NEWS_ARTICLE" not in {evidence.source_type for evidence in service.retrieve("creches").evidences}
    assert "NEWS_ARTICLE" not in {evidence.source_type for evidence in service.search("creches").results}
    asked = service.search("creches", source_type="NOTICIA").results
    assert [evidence.source_id for evidence in asked] == ["n1"]
    assert any("não são fontes oficiais" in notice for notice in service.retrieve("notícias sobre creches").notices)


def test_what_the_question_names_must_occur_in_the_evidence(full: World) -> None:
    """`Recife` is no candidate: without it in the text, the right topic is no evidence."""
    service = full.service()
    assert service.retrieve("creches").evidences
    assert service.retrieve("creches em Recife").evidences == ()


def test_asking_again_gives_the_same(full: World) -> None:
    service = full.service()
    first = service.retrieve("creches e merenda")
    assert [one.key for one in service.retrieve("creches e merenda").evidences] == [one.key for one in first.evidences]

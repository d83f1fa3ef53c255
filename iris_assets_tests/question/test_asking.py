"""However somebody asks, the topic is the same: requests, polite forms, questions and colloquial ones."""

import pytest

from iris_assets.question import asking
from iris_assets_tests.retrieval.world import World

CANDIDATE_PHRASINGS = (
    "O que o plano de Ana Lima diz sobre {}?",
    "Me fale de {} no plano da Ana Lima",
    "Gostaria de saber o que a Ana Lima pretende fazer com {}",
    "Você pode me explicar as propostas da Ana Lima para {}?",
    "Quero saber sobre {} no plano da Ana Lima",
    "Tem alguma coisa sobre {} no plano da Ana Lima?",
    "Comente as propostas de Ana Lima para {}",
    "Procure no plano da Ana Lima trechos que falem de {}",
    "Quais trechos do plano de Ana Lima tratam de {}?",
    "Me mostra o que a Ana Lima escreveu sobre {}",
    "Existe menção a {} no plano da Ana Lima?",
    "Detalhe o que Ana Lima propõe em {}",
    "Olá, bom dia! Preciso de informações sobre {} no plano da Ana Lima, por favor.",
    "Poderia listar as propostas da Ana Lima sobre {}?",
    "Ana Lima prometeu {}?",
    "O que Ana Lima prevê quanto a {}?",
    "Qual o posicionamento de Ana Lima a respeito de {}?",
)
PLAIN_PHRASINGS = (
    "{}",
    "Encontre projetos que tratem de {}",
    "Poderia listar projetos sobre {}?",
    "Gostaria que me mostrasse os projetos referentes a {}",
    "Há projetos que mencionem {}?",
    "Liste as proposições que abordam {}",
    "Você sabe se existem projetos de lei sobre {}?",
)


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.candidate("1", "ANA LIMA", state="SP")
    world.candidate("2", "BRUNO COSTA", state="SP", party="P2")
    world.plan("creches", ["1"], ["Construir creches em tempo integral."])
    world.plan("saneamento", ["1"], ["Levar saneamento a todos os bairros."])
    world.plan("transporte", ["1"], ["Ampliar a frota de ônibus."])
    world.plan("plan2", ["2"], ["Abrir creches em todos os bairros."])
    world.bill(77, "PL 5/2023", "Cria o cadastro de creches.", ["1"], ["Educação"])
    world.bill(78, "PL 6/2023", "Institui o dia da merenda escolar.", ["2"], ["Educação"])
    return world


@pytest.mark.parametrize("phrasing", CANDIDATE_PHRASINGS)
@pytest.mark.parametrize(
    ("topic", "plans"),
    [
        ("creches", {"creches"}),
        ("saneamento", {"saneamento"}),
        ("a frota de ônibus", {"transporte"}),
        ("dinossauros", set()),
    ],
)
def test_a_candidates_plan_answers_every_phrasing(full: World, phrasing: str, topic: str, plans: set[str]) -> None:
    found = full.service().retrieve(phrasing.format(topic))
    assert {e.source_id for e in found.evidences if e.source_type == "GOVERNMENT_PROPOSAL"} == plans


@pytest.mark.parametrize("phrasing", PLAIN_PHRASINGS)
def test_bills_answer_every_phrasing(full: World, phrasing: str) -> None:
    for topic, expected in (("cadastro de creches", {"77"}), ("merenda escolar", {"78"}), ("dinossauros", set())):
        found = full.service().retrieve(phrasing.format(topic))
        assert {e.source_id for e in found.evidences if e.source_type == "PROPOSITION"} == expected


def test_words_of_topics_are_no_words_of_asking() -> None:
    topics = "BUSCA LISTA TRATADA TRATADO TRATAMENTO CONSULTA PESQUISA INFORMACAO DADOS REFERENCIA PODER PASSAGENS AJUDA CONTAS"
    assert not set(topics.split()) & asking.WORDS

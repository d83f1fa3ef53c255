"""Over the real plans: however a question about every candidate is put, its topic and so its answers stay the same."""

import pytest

from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Turn

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

TOPICS = (
    "educação", "aborto", "saúde", "segurança pública", "meio ambiente", "creches", "reforma tributária", "saneamento",
    "Amazônia", "salário mínimo", "privatizações", "banco central", "SUS", "transporte coletivo",
    "agricultura familiar", "povos indígenas", "combate à corrupção", "habitação", "cultura", "ferrovias",
)  # fmt: skip
PLAIN = "O que cada candidato a presidente propõe sobre {}?"
PHRASINGS = (
    "O que cada um dos candidatos à presidência do Brasil propõe sobre {}?",
    "O que cada candidato a presidente da República nas eleições de 2022 propõe sobre {}?",
    "O que todos os candidatos ao cargo de presidente da República Federativa do Brasil em 2022 propõem quanto a {}?",
    "Sobre {}, o que propõe cada um dos presidenciáveis?",
    "quais são as propostas de cada candidata ou candidato à presidencia do pais para {}",
    "O que as candidatas e os candidatos ao Palácio do Planalto, na corrida presidencial de 2022, defendem sobre {}?",
    "Nas eleições presidenciais de 2022, o que prometem todos os presidenciáveis em relação a {} no Brasil?",
)
# Read in the plans themselves: who writes of it, and who does not.
KNOWN = {
    "educação": ({"LULA", "JAIR BOLSONARO", "ROBERTO JEFFERSON", "VERA"}, set()),
    "aborto": ({"VERA", "LÉO PÉRICLES"}, {"SIMONE TEBET", "CONSTITUINTE EYMAEL", "LULA"}),
}


def _told(service: RetrievalService, question: str) -> dict[str, str]:
    lookup = service.retrieve(question).lookup
    assert lookup is not None, question
    return {entry.candidate.ballot_name or "": entry.status for entry in lookup.entries}


@pytest.mark.parametrize("topic", TOPICS)
def test_each_candidate_is_told_the_same_in_every_phrasing(service: RetrievalService, topic: str) -> None:
    plain = _told(service, PLAIN.format(topic))
    assert len(plain) == 13
    for phrasing in PHRASINGS:
        assert _told(service, phrasing.format(topic)) == plain, phrasing


@pytest.mark.parametrize("topic", KNOWN)
def test_who_writes_of_a_topic(service: RetrievalService, topic: str) -> None:
    told = _told(service, PHRASINGS[1].format(topic))
    found, absent = KNOWN[topic]
    assert found <= {name for name, status in told.items() if status == "found"}
    assert absent <= {name for name, status in told.items() if status == "not_addressed"}


def test_without_a_topic_no_plan_is_said_to_leave_one_out(service: RetrievalService) -> None:
    told = _told(service, "O que todos os candidatos a presidente propõem?")
    assert told["LULA"] == told["VERA"] == "found"
    assert "not_addressed" not in told.values()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("O que dizem Tebet e Eymael sobre família?", {"SIMONE TEBET": 4, "CONSTITUINTE EYMAEL": 3}),
        ("O que Felipe D'Avila e Lula propõem para a educação?", {"FELIPE D AVILA": 4, "LULA": 4}),
        ("lula x vera: educação", {"LULA": 4, "VERA": 4}),
        ("Compare Lula, Ciro e Tebet sobre saúde", {"LULA": 2, "SIMONE TEBET": 2}),
    ],
)
def test_who_is_compared_has_evidence_of_its_own(
    service: RetrievalService, question: str, expected: dict[str, int]
) -> None:
    found = service.retrieve(question)
    owners = [evidence.candidates[0].ballot_name for evidence in found.evidences]
    assert {name: owners.count(name) for name in owners} == expected
    without = [(entry.candidate.ballot_name, entry.status) for entry in found.absent]
    assert without == ([("CIRO GOMES", "not_readable")] if "Ciro" in question else [])


@pytest.mark.parametrize("question", ["a pedra fundamental da ponte"])
def test_a_common_word_is_nobody(service: RetrievalService, question: str) -> None:
    """PEDRA is a ballot name of 2022."""
    found = service.retrieve(question)
    assert (found.candidate, found.plan.candidate_ids) == (None, ())


def test_a_country_is_not_its_namesake_among_the_authors(service: RetrievalService) -> None:
    """A deputy called Sargento Portugal signs bills on health."""
    assert service.retrieve("saúde em Portugal").evidences == ()
    assert service.retrieve("projetos do deputado Sargento Portugal").evidences


def test_an_acronym_with_dots_is_found(service: RetrievalService) -> None:
    assert {e.key for e in service.retrieve("S.U.S.").evidences} == {e.key for e in service.retrieve("SUS").evidences}


@pytest.mark.parametrize("question", ["O que Lula propõe?", "o que lula propoe", "O que a candidata Vera diz?"])
def test_what_somebody_proposes_is_read_in_the_plan(service: RetrievalService, question: str) -> None:
    found = service.retrieve(question)
    assert {evidence.source_type for evidence in found.evidences} == {"GOVERNMENT_PROPOSAL"}
    assert (found.strategy, len(found.evidences)) == ("hybrid", 8)


FIRST = "O que o Lula propõe para a saúde?"
OF_ITS_OWN = {
    "O que os planos dizem sobre educação?": None,
    "Quantas proposições de 2023 há?": None,
    "O que Bolsonaro propõe para a segurança?": "JAIR BOLSONARO",
    "Quem foi eleito governador no DF?": None,
    "Quais candidatos a presidente falam de creches?": None,
    "O que diz o REQ 155/2023?": None,
    "Quantos candidatos a governador há no DF?": None,
    "O que Simone Tebet diz sobre reforma tributária?": "SIMONE TEBET",
    "Quem são os candidatos a governador do Piauí?": None,
    "Compare Ciro Gomes e Simone Tebet sobre educação": None,
    "O que cada candidato a presidente propõe para a cultura?": None,
}
GOES_ON = (
    "E para a educação?",
    "E sobre o SUS?",
    "O que mais ele propõe?",
    "Em que página ele fala disso?",
    "E as creches?",
)


@pytest.mark.parametrize(("question", "about"), [*OF_ITS_OWN.items(), *((one, "LULA") for one in GOES_ON)])
def test_only_a_question_that_goes_on_keeps_whom_the_one_before_was_about(
    service: RetrievalService, question: str, about: str | None
) -> None:
    before = service.retrieve(FIRST).candidate
    assert before is not None and before.ballot_name == "LULA"
    found = service.retrieve(question, history=[Turn(FIRST, before.tse_id)])
    assert (found.candidate.ballot_name if found.candidate else None) == about
    if about:
        assert {one.ballot_name for evidence in found.evidences for one in evidence.candidates} == {about}

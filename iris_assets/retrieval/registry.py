"""Questions that the registry itself answers of a named candidate: party, number, office, result."""

import re

from iris_assets.question.planner import Reading
from iris_assets.words.offices import offices
from iris_assets.words.text import fold, word_set, words

FACTS = word_set(
    """PARTIDO LEGENDA SIGLA NUMERO URNA NOME CIVIL COMPLETO CARGO UF SITUACAO REGISTRO CANDIDATURA RESULTADO ELEITO
    ELEITA ELEICAO CONCORRE CONCORREU CONCORREM CONCORRERAM DISPUTA DISPUTOU DISPUTAM APTO CANDIDATOU VENCEU
    GANHOU PERDEU ELEGEU"""
)
AROUND_FACTS = word_set(
    """FOI FORAM OU ANO REGISTRADO EH E QUE QUAL QUAIS QUEM SAO COM EM A O OS AS DE DO DA DOS DAS PELO PELA SEU SUA SE
    NO NA CANDIDATO CANDIDATA CANDIDATOS ESTADO TSE PERTENCE PERTENCEM"""
) | {word for office in offices() for form in office.persons for word in words(form)}
WHO = re.compile(r"^(?:E )?QUEM (?:E|EH|SAO|FOI|FORAM)\b")


def asks_registry_facts(reading: Reading) -> bool:
    """Whether a question about named candidates only asks for what the registry holds of them: a fact, or who they are.

    The words of asking alone ("o que Ana propõe?") ask for no fact.
    """
    names = set(reading.named.used)
    left = [word for word in words(reading.references.rest) if word not in names and not word.isdigit()]
    asks = bool(FACTS & set(left)) or WHO.match(fold(reading.question)) is not None
    return asks and set(left) <= FACTS | AROUND_FACTS

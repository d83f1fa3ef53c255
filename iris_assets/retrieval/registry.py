"""Questions that the registry itself answers: a candidate's party, number, result; who runs for an office in a UF."""

import re
from collections.abc import Sequence
from dataclasses import replace

from iris_assets.retrieval.evidence import candidate_ref, neutral_order
from iris_assets.retrieval.planner import Reading
from iris_assets.retrieval.scope import narrowed
from iris_assets.retrieval.text import normalised, word_set, words
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.ufs import UF_NAMES

LISTED = 20  # entries of one answer; the notice says how many there are
FACTS = word_set(
    """PARTIDO LEGENDA SIGLA NUMERO URNA NOME CIVIL COMPLETO CARGO UF SITUACAO REGISTRO CANDIDATURA RESULTADO ELEITO
    ELEITA ELEICAO CONCORRE CONCORREU CONCORREM CONCORRERAM DISPUTA DISPUTOU DISPUTAM APTO CANDIDATOU"""
)
AROUND_FACTS = word_set(
    """FOI FORAM ANO REGISTRADO EH E QUE QUAL QUAIS QUEM SAO COM EM A O OS AS DE DO DA DOS DAS PELO PELA SEU SUA SE NO NA
    CANDIDATO CANDIDATA CANDIDATOS DEPUTADO DEPUTADA FEDERAL ESTADUAL DISTRITAL GOVERNADOR GOVERNADORA PRESIDENTE
    SENADOR SENADORA ESTADO TSE PERTENCE PERTENCEM"""
)
WHO = re.compile(r"^(?:E )?QUEM (?:E|EH|SAO|FOI|FORAM)\b")
LISTS = re.compile(
    r"^(?:QUEM (?:SAO|FORAM)|QUAIS (?:SAO|FORAM)?|LISTE|LISTAR|LISTA D[OA]S?|MOSTRE|CITE)"
    r" ?(?:TODOS |TODAS )?(?:OS |AS |DE )*(?:CANDIDAT[OA]S|CANDIDATURAS)\b(?P<rest>.*)$"
)
OFFICE_OR_PLACE = word_set(
    """A AO AOS AS O OS DE DO DA DOS DAS EM NO NA PELO PELA PARA E SAO FORAM QUE CONCORREM CONCORRERAM DISPUTAM
    REGISTRADOS REGISTRADAS CARGO ESTADO PARTIDO ELEICAO ELEICOES PRESIDENTE PRESIDENCIA REPUBLICA GOVERNADOR GOVERNO
    DEPUTADO DEPUTADA DEPUTADOS FEDERAL FEDERAIS SENADOR SENADO CAMARA"""
)
LIST_NOTICE = "São {count} candidaturas; aparecem as {shown} primeiras por nome de urna."


def asks_registry_facts(reading: Reading) -> bool:
    """Whether a question about named candidates only asks for what the registry holds of them: a fact, or who they are.

    The words of asking alone ("o que Ana propõe?") ask for no fact.
    """
    names = set(reading.named.used)
    left = [word for word in words(reading.references.rest) if word not in names and not word.isdigit()]
    asks = bool(FACTS & set(left)) or WHO.match(normalised(reading.question)) is not None
    return asks and set(left) <= FACTS | AROUND_FACTS


def list_of_candidates(
    reading: Reading, scope: SearchFilter, parties: Sequence[str], store: Store
) -> tuple[list[CandidateRef], int]:
    """Who runs, by ballot name: the first LISTED and how many there are; none when the question asks for more."""
    match = LISTS.match(normalised(reading.question))
    if match is None:
        return [], 0
    narrow = narrowed(reading.question, scope, parties)
    named = {word for state in narrow.states for word in (state, *words(UF_NAMES[state]))}
    named |= {word for party in narrow.parties for word in words(party)}
    left = [word for word in match["rest"].split() if word not in OFFICE_OR_PLACE | named and not word.isdigit()]
    years = tuple(int(word) for word in match["rest"].split() if re.fullmatch(r"20\d\d", word))
    if left or not (narrow.offices or narrow.states or narrow.parties):
        return [], 0
    narrow = replace(narrow, years=narrow.years or years)
    rows = store.candidates.list(states=narrow.states, offices=narrow.offices)
    people = [candidate_ref(row) for row in rows if not narrow.parties or row["party"] in narrow.parties]
    newest = max((one.year for one in people), default=0)
    people = [one for one in people if one.year in (narrow.years or (newest,))]
    return sorted(people, key=neutral_order)[:LISTED], len(people)

"""Party, UF and office that a question lays on the records it asks for; where they may be its topic they are no filter."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from iris_assets.question.parties import take_parties
from iris_assets.question.places import STATE_NAMES, take_states
from iris_assets.question.scope import take_offices
from iris_assets.question.unread import TAKEN, Unread
from iris_assets.retrieval.text import normalised
from iris_assets.store.search import SearchFilter
from iris_assets.ufs import UF_NAMES

RECORDS = (
    r"PROJETOS?(?: DE (?:LEI(?: COMPLEMENTAR)?|RESOLUCAO))?|PROPOSIC(?:AO|OES)|EMENTAS?|LEIS|REQUERIMENTOS?|INDICACOES"
    r"|(?:PLANOS?|PROGRAMAS?|PROPOSTAS?)(?: DE GOVERNO)?|MANDATOS?"
)
PEOPLE = (
    r"CANDIDAT[OA]S?|CANDIDATURAS?|PRESIDENCIAVE(?:L|IS)|DEPUTAD[OA]S?(?: (?:FEDERA|ESTADUA|DISTRITA)(?:L|IS))?"
    r"|GOVERNADOR(?:A|ES|AS)?|SENADOR(?:A|ES|AS)?|PARLAMENTARES|BANCADAS?"
)
# What joins a record to whose it is; "projetos em São Paulo" and "projetos para a Bahia" may be about the place.
OF = r"D[OAE]S?|PEL[OA]S?|(?:DE )?AUTORIA D[OAE]S?|(?:APRESENTAD|ASSINAD|PROPOST|DEFENDID)[OA]S? (?:D[OAE]|PEL[OA])S?"
LINK = rf"{OF}|N[OA]S?|EM|AOS?|AS?|E|OU|PARTIDOS?|ESTADOS?|UF|PRESIDENTE|GOVERNO"
PLACES = "|".join(sorted((*STATE_NAMES, *UF_NAMES), key=lambda name: (-len(name), name)))
SAID = (
    r"(?:PROPOE|PROPOS|DEFENDE|PROMETE|PRETENDE|PLANEJA|APRESENTA|DIZ|PREVE|QUER|ASSINA|ASSINOU|APRESENTOU|PROPUSERAM)"
)


@dataclass(frozen=True, slots=True)
class Attached:
    """Restrictions that are surely no topic, and the normalised words that say them."""

    filter: SearchFilter
    words: frozenset[str]


def attached_scope(question: str, parties: Collection[str]) -> Attached:
    """What restricts the records of a question ("projetos do PT no Piauí", "candidatos a governador do DF").

    A place or party that stands elsewhere ("saúde no Piauí", "críticas ao PT") may be the topic: it is left alone.
    """
    segments = _segments(question, parties)
    read = [Unread(segment) for segment in segments]
    named = {party for unread in read for party in take_parties(unread, parties)}
    states = {state for unread in read for state in take_states(unread)}
    offices = {office for unread in read if "CANDIDAT" in unread.text for office in take_offices(unread)}
    words = {normalised(raw) for unread in read for raw in unread.raw}
    filters = SearchFilter(parties=tuple(sorted(named)), states=tuple(sorted(states)), offices=tuple(sorted(offices)))
    return Attached(filters, frozenset() if filters.is_empty else frozenset(words))


def places_named(question: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The UFs that a question names anywhere, and the normalised words that name them."""
    unread = Unread(question)
    states = take_states(unread)
    told = (normalised(raw) for position, raw in enumerate(unread.raw) if unread.form(position) == TAKEN)
    return states, frozenset(told)


def _segments(question: str, parties: Collection[str]) -> list[str]:
    """The runs of words from a noun of records or people on that only link it to parties and places."""
    unread = Unread(question)
    marked = Unread(question)
    take_parties(marked, parties)
    party = re.escape(TAKEN)
    patterns = (
        rf"(?<!\S)(?:(?:{RECORDS}) (?:{OF})|{PEOPLE})(?: (?:{LINK}|{PEOPLE}|{PLACES}|{party}))+(?!\S)(?! \d{{3}}(?!\S))",
        rf"(?<!\S)(?:O )?(?:PARTIDO )?{party}(?= {SAID}\b)",
    )
    found = []
    for pattern in patterns:
        for match in re.finditer(pattern, marked.text):
            start = marked.position(match)
            if not _is_object(marked, start):
                found.append(" ".join(unread.raw[start : start + match[0].count(" ") + 1]))
    return found


def _is_object(marked: Unread, start: int) -> bool:
    """Whether the run is what something is said about ("sobre os candidatos do PT"), hence the topic."""
    before = [marked.form(start - 1), marked.form(start - 2)]
    return before[0] in ABOUT or (before[0] in ("O", "A", "OS", "AS") and before[1] in ABOUT)


ABOUT = frozenset({"SOBRE", "CONTRA", "AO", "AOS", "ACERCA", "RESPEITO"})

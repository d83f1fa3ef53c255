"""Questions for a list of candidatures that the registry gives whole: who runs, who was elected, substitutes, by filters."""

import re
from dataclasses import dataclass, field, replace

from iris_assets.question.count_reading import Asked, CountWish, read_count
from iris_assets.question.count_words import CANDIDACY
from iris_assets.question.name_index import NameIndex
from iris_assets.question.planner import Reading
from iris_assets.question.years import Years
from iris_assets.retrieval.count_evidence import limits
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.text import fold

REGISTRY_LIST = "registry_list"  # the plan's reason: the list is shown whole, no model may shorten it
LISTED = 20  # entries of one page
ALL_LISTED = "São {count} candidaturas no registro{limits}."
PAGE_LISTED = "São {count} candidaturas no registro{limits}; por nome de urna, aparecem da {first}ª à {last}ª (página {page} de {pages})."
NONE_LISTED = (
    "Nenhuma candidatura no registro indexado{limits}: isso não diz que não houve, só que nenhuma foi coletada."
)
NO_RESULTS = "O registro indexado ainda não traz resultados{limits}."
COLUMNS = ("id", "tse_id", "name", "ballot_name", "party", "office", "state", "election_year", "candidate_number")

# What asks for a list: "quem", "quais (são) os", "liste todos os", "nomes dos".
LEAD = re.compile(
    r"^\W*(?:e )?(?:por favor,? )?(?:(?:(?:os |as )?(?=(?:candidat|eleit[oa]s|suplentes)))"
    r"|(?:me )?(?:diga|mostre|informe|liste|listar|cite|enumere)(?: para mim)?\b"
    r"|(?:(?:a |uma )?lista|rela[cç][aã]o|(?:os )?nomes) (?=d[aeo]s?\b)|qua(?:l|is)\b|que\b|quem\b)"
    r"(?: (?:quem|quais|são|sao|foram|foi|é|todos|todas|tod[oa]s [oa]s)\b)*",
    re.IGNORECASE,
)
WON = re.compile(r"\b(?:ganhou|ganharam|venceu|venceram|se elegeu|se elegeram)\b", re.IGNORECASE)

RUNS = re.compile(r"\bdisputa\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the candidatures asked for, by ballot name; `notices` say how many there are and of what."""

    people: tuple[CandidateRef, ...] = ()
    notices: tuple[str, ...] = field(default_factory=tuple)


def listing(reading: Reading, scope: SearchFilter, index: NameIndex, store: Store, page: int) -> Listing | None:
    """The list that a question asks for within `scope`; None when it asks for anything else, or for more than a list."""
    question = reading.question
    asked = _as_candidates(question)
    if asked is None or reading.references.references:
        return None
    wish = read_count(Asked(asked, "candidates", reading.named.names), scope, index.parties, lambda _: None)
    if wish is None:
        return None
    wish = _of_newest_election(wish, index)
    candidates, standing = store.candidates, wish.standing
    asks_result = bool(standing.results) or standing.last_round is not None
    if (
        asks_result
        and candidates.count(wish.scope, Standing())
        and not candidates.count(wish.scope, Standing(decided=True))
    ):
        return Listing(notices=(NO_RESULTS.format(limits=limits(replace(wish, standing=Standing()))),))
    people = [candidate_ref(row) for row in candidates.within(wish.scope, standing, COLUMNS)]
    return _page(people, wish, page)


def _as_candidates(question: str) -> str | None:
    """The question as one about candidates ("Quem ganhou no DF?" → "Quais candidatos eleito no DF?"), None for others."""
    lead = LEAD.match(question)
    if lead is None:
        return None
    rest = RUNS.sub("disputam", WON.sub("eleito", question[lead.end() :]))
    if not CANDIDACY.search(fold(rest)):
        return None  # "quem são os deputados": those in office, whom the registry of an election does not tell
    return f"Quais candidatos {rest}"


def _of_newest_election(wish: CountWish, index: NameIndex) -> CountWish:
    years = {one.year for one in index.candidates.values()}
    if wish.scope.years or len(years) < 2:
        return wish
    newest = (max(years),)
    return replace(wish, scope=replace(wish.scope, years=newest), elections=Years(newest))


def _page(people: list[CandidateRef], wish: CountWish, page: int) -> Listing:
    if not people:
        return Listing(notices=(NONE_LISTED.format(limits=limits(wish)),))
    pages = -(-len(people) // LISTED)
    page = min(max(page, 1), pages)
    first = (page - 1) * LISTED
    shown = tuple(by_ballot_name(people)[first : first + LISTED])
    if len(people) == 1:
        return Listing(shown)
    said = ALL_LISTED if pages == 1 else PAGE_LISTED
    values = {"count": len(people), "limits": limits(wish), "page": page, "pages": pages}
    return Listing(shown, (said.format(first=first + 1, last=first + len(shown), **values),))

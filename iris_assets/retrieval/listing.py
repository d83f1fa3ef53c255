"""Questions for a list of candidatures that the registry gives whole: who runs, who was elected, substitutes, by filters."""

from dataclasses import dataclass, field, replace

from iris_assets.question.model import shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.standing import ELECTED
from iris_assets.question.wishes import CANDIDACY, Wish, listed
from iris_assets.retrieval.count_evidence import limits
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing

LISTED = 20  # entries of one page
ALL_LISTED = "São {count} candidaturas no registro{limits}."
PAGE_LISTED = "São {count} candidaturas no registro{limits}; por nome de urna, aparecem da {first}ª à {last}ª (página {page} de {pages})."
NONE_LISTED = (
    "Nenhuma candidatura no registro indexado{limits}: isso não diz que não houve, só que nenhuma foi coletada."
)
NO_RESULTS = "O registro indexado ainda não traz resultados{limits}."
COLUMNS = ("id", "tse_id", "name", "ballot_name", "party", "office", "state", "election_year", "candidate_number")


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the candidatures asked for, by ballot name; `notices` say how many there are and of what."""

    people: tuple[CandidateRef, ...] = ()
    notices: tuple[str, ...] = field(default_factory=tuple)
    pages: int = 1


def listing(parsed: ParsedQuery, scope: SearchFilter, index: NameIndex, store: Store, page: int) -> Listing | None:
    """The list that a question asks for within `scope`; None when it asks for anything else, or for more than a list."""
    if parsed.intent != "registry" or parsed.folded.startswith("O QUE ") or parsed.topic or not parsed.people.is_empty:
        return None
    wish = listed(parsed, scope, shipped().asking)
    if wish is None or not (wish.numbers or wish.standing != Standing() or not parsed.scope.is_empty):
        return None
    if not (wish.numbers or wish.standing != Standing() or CANDIDACY.search(parsed.folded)):
        wish = replace(
            wish, standing=Standing(results=ELECTED)
        )  # "quem são os deputados": the registry tells who was elected
    if not wish.scope.years and len(index.years) > 1:
        wish = replace(wish, scope=replace(wish.scope, years=(index.newest_year(wish.scope),)))
    candidates, standing = store.candidates, wish.standing
    asks_result = bool(standing.results) or standing.last_round is not None
    if (
        asks_result
        and candidates.count(wish.scope, Standing())
        and not candidates.count(wish.scope, Standing(decided=True))
    ):
        return Listing(notices=(NO_RESULTS.format(limits=limits(replace(wish, standing=Standing()))),))
    people = [candidate_ref(row) for row in candidates.within(wish.scope, standing, COLUMNS)]
    return _page([one for one in people if not wish.numbers or one.number in wish.numbers], wish, page)


def _page(people: list[CandidateRef], wish: Wish, page: int) -> Listing:
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
    return Listing(shown, (said.format(first=first + 1, last=first + len(shown), **values),), pages)

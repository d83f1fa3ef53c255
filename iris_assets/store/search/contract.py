"""What both engines' searches take and return: prepared text, filters, queries, hits. No engine is known here."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from iris_assets.errors import UsageError
from iris_assets.words.text import fold_to_token

MOST_VALUES: Final = 10_000  # of a filter; an engine may bear fewer


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A chunk's terms as the analyzer made them, blank-separated, one string per search field.

    `title`, `header` and `body` are stemmed; `exact` holds the folded, unstemmed terms of all three.
    """

    title: str
    header: str
    body: str
    exact: str

    @property
    def joined(self) -> str:
        """One text for an engine with a single search column (PoliticalChunk.SearchText)."""
        return "\n".join((self.title, self.header, self.body, self.exact))

    @classmethod
    def split(cls, joined: str | None) -> "PreparedText":
        """The inverse of `joined` (a chunk without terms has none in any field)."""
        title, header, body, exact = ((joined or "") + "\n\n\n").split("\n")[:4]
        return cls(title, header, body, exact)

    @property
    def terms(self) -> frozenset[str]:
        """The different stemmed terms."""
        return frozenset(f"{self.title} {self.header} {self.body}".split())

    @property
    def term_count(self) -> int:
        """How many terms the ranked fields hold: the length that BM25 normalises by."""
        return sum(len(text.split()) for text in (self.title, self.header, self.body))


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Restrictions that hold before scoring; an empty tuple does not restrict. Values within a field are alternatives.

    `years` are election years of the chunk's candidates (and of the document). More than MOST_VALUES are
    refused (UsageError FILTER_TOO_LARGE), and what an engine cannot bear is when it searches: to leave some of them out
    would answer another question.
    """

    candidate_ids: tuple[int, ...] = ()
    states: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    offices: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    years: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        require_bearable(sum(len(getattr(self, name)) for name in self.__slots__), MOST_VALUES)

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in self.__slots__)

    def tokens(self) -> tuple[tuple[str, ...], ...]:
        """One tuple of alternative filter tokens per restricted field."""
        return tuple(
            tuple(filter_token(kind, value) for value in sorted(set(values), key=str))
            for kind, values in (
                ("cand", self.candidate_ids),
                ("uf", self.states),
                ("party", self.parties),
                ("office", self.offices),
                ("type", self.source_types),
                ("year", self.years),
            )
            if values
        )


def require_bearable(values: int, most: int) -> None:
    """Raise UsageError FILTER_TOO_LARGE for more values than are borne at once."""
    if values > most:
        raise UsageError("FILTER_TOO_LARGE", f"the filter names {values} values", hint=f"name at most {most}, or none")


def filter_token(kind: str, value: object) -> str:
    """`("office", "DEPUTADO FEDERAL")` → `officedeputadofederal`: one word of a-z and digits for any engine.

    Kinds: cand (Candidate.Id), uf, party, office, type (source type), year (election year).
    """
    return fold_to_token(f"{kind}{value}")


def filter_tokens(
    *,
    candidate_ids: Iterable[int] = (),
    states: Iterable[str | None] = (),
    parties: Iterable[str | None] = (),
    offices: Iterable[str | None] = (),
    source_type: str,
    years: Iterable[int | None] = (),
) -> tuple[str, ...]:
    """The filter tokens of one chunk, sorted, from its own source type and from the candidates it is linked to."""
    fields: tuple[tuple[str, Iterable[object]], ...] = (
        ("cand", candidate_ids),
        ("uf", states),
        ("party", parties),
        ("office", offices),
        ("type", (source_type,)),
        ("year", years),
    )
    return tuple(sorted({filter_token(kind, value) for kind, values in fields for value in values if value}))


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk found by its words; `score` is BM25-like, higher is better, comparable within one query only.

    `matched` holds the positions of the query's terms that occur in the chunk; `weight` is their share of the
    query's whole weight (idf) in [0, 1].
    """

    chunk_id: int
    score: float
    matched: tuple[int, ...] = ()
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk found by its vector; `similarity` is the cosine in [-1, 1]."""

    chunk_id: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the full-text index is in step with the chunks; `detail` says what does not hold."""

    ok: bool
    chunks: int
    indexed: int
    detail: str = ""

    @property
    def text(self) -> str:
        """One line for people."""
        return self.detail or f"{self.indexed} of {self.chunks} chunks indexed"


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A question after the analyzer: alternatives per term are OR-ed (stemmed term, acronym, expansion).

    An alternative with blanks is a phrase. `exact_terms` runs beside `terms`: the folded, unstemmed form of each
    (empty text when a term has none). `phrases` are stemmed word runs that the question put in quotes. `weights` are
    how much each term counts, by its position (without them all count alike).
    """

    terms: tuple[tuple[str, ...], ...]
    exact_terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    filter: SearchFilter = field(default_factory=SearchFilter)
    limit: int = 20
    weights: tuple[float, ...] = ()

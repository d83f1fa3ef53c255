"""What both engines' searches take and return: prepared text, filters, queries, hits. No engine is known here."""

from dataclasses import dataclass, field


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


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Restrictions that hold before scoring; an empty tuple does not restrict. Values within a field are alternatives."""

    candidate_ids: tuple[int, ...] = ()
    states: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    offices: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    years: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk found by its words; `score` is BM25-like, higher is better, comparable within one query only."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk found by its vector; `similarity` is the cosine in [-1, 1]."""

    chunk_id: int
    similarity: float


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A question after the analyzer: alternatives per term are OR-ed (stemmed term, exact term, acronym expansion)."""

    terms: tuple[tuple[str, ...], ...]
    exact_terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    filter: SearchFilter = field(default_factory=SearchFilter)
    limit: int = 20

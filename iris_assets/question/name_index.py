"""The names of the candidates in scope by their words, and how often they are read again from the store."""

import re
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from iris_assets.indexing.analyzer import analyze, analyze_query
from iris_assets.question.slots import Phrases, phrases
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.records import CandidateRow
from iris_assets.store.search import SearchFilter
from iris_assets.words.parties import party_of
from iris_assets.words.text import fold

PART_LENGTH = 4
CHECKED = 1.0  # seconds for which the store's change mark is believed: it costs 11 ms for 29,000 candidates
LONGEST_NAME = 12  # words without particles
SCOPES = 16
COLUMNS = (
    "id", "tse_id", "name", "ballot_name", "party", "office", "state", "election_year", "candidate_number",
    "camara_deputy_id", "search_name",
)  # fmt: skip
LOOKED_AT = 8  # passages
ORDINARY_SHARE = 0.25  # of the occurrences that are in small letters
ACCENTED = {"A": "AÁÀÂÃ", "C": "CÇ", "E": "EÉÊ", "I": "IÍ", "O": "OÓÔÕ", "U": "UÚÜ"}
PARTICLES = frozenset({"DE", "DA", "DO", "DAS", "DOS", "E", "D"})
NEVER_ORDINARY: Callable[[str], bool] = frozenset[str]().__contains__
NEVER_HELD: Callable[[str], bool] = frozenset[str]().__contains__
LONGEST_RUN = 6  # words of a name that are looked for at once
TWO_EDITS, ONE_EDIT = 7, 4  # letters from which a name may be off by as many


def edits(word: str) -> int:
    """How many letters of a word of this length may be wrong."""
    return 2 if len(word) >= TWO_EDITS else int(len(word) >= ONE_EDIT)


@dataclass(frozen=True, slots=True)
class Named:
    """A candidate with the folded words of the ballot and the civil name."""

    candidate: CandidateRef
    names: tuple[tuple[str, ...], ...]
    is_deputy: bool


def named(row: CandidateRow) -> Named:
    """A stored candidate by the names that the store has folded."""
    folded = {tuple(name.split()) for name in (row["search_name"] or fold(row["name"])).split("|")}
    return Named(candidate_ref(row), tuple(sorted(folded)), bool(row["camara_deputy_id"]))


class NameIndex:
    """Names of the candidates in scope, by their first word and by every longer word.

    `ordinary` says of a word (normalised) whether the indexed texts also use it as a common word.
    """

    def __init__(
        self,
        people: Iterable[Named],
        ordinary: Callable[[str], bool] = NEVER_ORDINARY,
        held: Callable[[str], bool] = NEVER_HELD,
    ) -> None:
        self.candidates: dict[int, CandidateRef] = {}
        self.deputies: set[int] = set()
        self._ordinary, self._held = ordinary, held
        self._known_words: dict[str, bool] = {}
        self._held_words: dict[str, bool] = {}
        self._near: dict[str, list[str]] = {}
        self._by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self._by_word: dict[str, list[int]] = {}  # a list takes a third of a set's room
        self._tokens: dict[int, tuple[tuple[str, ...], ...]] = {}
        for person in people:
            self._add(person)

    def _add(self, person: Named) -> None:
        id_ = person.candidate.id
        self.candidates[id_], self._tokens[id_] = person.candidate, person.names
        if person.is_deputy:
            self.deputies.add(id_)
        for name in person.names:
            if name:
                self._by_first.setdefault(name[0], []).append((name, id_))
            for word in name:
                if len(word) >= PART_LENGTH:
                    bearers = self._by_word.setdefault(word, [])
                    if not bearers or bearers[-1] != id_:
                        bearers.append(id_)

    @cached_property
    def parties(self) -> list[str]:
        """The parties of the candidates in scope."""
        return sorted({one.party for one in self.candidates.values() if one.party})

    @property
    def states(self) -> list[str]:
        """The UFs of the candidates in scope."""
        return sorted({one.state for one in self.candidates.values()})

    @property
    def offices(self) -> list[str]:
        """The offices of the candidates in scope."""
        return sorted({one.office for one in self.candidates.values()})

    @cached_property
    def own_parties(self) -> Phrases[str]:
        """Spellings of the records' parties that no list has, as phrases."""
        return phrases({fold(party): party for party in self.parties if party_of(party) is None})

    @cached_property
    def years(self) -> list[int]:
        """The elections of the candidates in scope."""
        return sorted({one.year for one in self.candidates.values()})

    @cached_property
    def year_forms(self) -> frozenset[str]:
        """The elections as questions write them."""
        return frozenset(map(str, self.years))

    def within(self, scope: SearchFilter) -> list[CandidateRef]:
        """The candidates that a filter leaves (no source types, no ids)."""
        pairs = (("state", scope.states), ("party", scope.parties), ("office", scope.offices), ("year", scope.years))
        wanted = [(name, values) for name, values in pairs if values]
        return [one for one in self.candidates.values() if all(getattr(one, name) in values for name, values in wanted)]

    @cached_property
    def _ballot_words(self) -> frozenset[str]:
        names = (one.ballot_name or one.name for one in self.candidates.values())
        return frozenset(word for name in names for word in fold(name).split())

    def ballot_word(self, form: str) -> str | None:
        """The word of ballot names that a folded word is, or is the plural of."""
        forms = (form, form.removesuffix("ES"), form.removesuffix("S"))
        return next((one for one in forms if one in self._ballot_words), None)

    def bearing(self, word: str) -> list[CandidateRef]:
        """The candidates in whose ballot name a word (folded, PART_LENGTH letters or more) stands."""
        bearers = (self.candidates[id_] for id_ in sorted(self._by_word.get(word, ())))
        return [one for one in bearers if word in fold(one.ballot_name or one.name).split()]

    def newest_year(self, scope: SearchFilter) -> int:
        """The newest election that holds a scope, else the newest of all."""
        if len(self.years) == 1:
            return self.years[0]
        return max((one.year for one in self.within(scope)), default=self.years[-1])

    def names_at(self, texts: Sequence[str], start: int) -> dict[int, set[int]]:
        """Whole names that begin at a word: end → candidates."""
        found: dict[int, set[int]] = {}
        for name, id_ in self._by_first.get(texts[start], ()):
            end = start + len(name)
            if tuple(texts[start:end]) == name:
                found.setdefault(end, set()).add(id_)
        return found

    def bearers(self, run: Sequence[str]) -> set[int]:
        """Candidates of whom these words are the whole ballot or civil name, else those whose name holds them."""
        return self.names_at(tuple(run), 0).get(len(run), set()) or self.part_of_name(run)

    def part_of_name(self, run: Sequence[str]) -> set[int]:
        """Candidates whose ballot or civil name holds all words of a run, in order."""
        content = [word for word in run if word not in PARTICLES]
        if not content or len(content) > LONGEST_NAME or any(word not in self._by_word for word in content):
            return set()
        ids = set.intersection(*(set(self._by_word[word]) for word in content))
        fitting = {id_ for id_ in ids if any(_in_order(content, name) for name in self._tokens[id_])}
        exact = {id_ for id_ in fitting if any(_holds_run(tuple(run), name) for name in self._tokens[id_])}
        return exact or fitting  # who bears "D AVILA" before who bears "AVILA"

    def near(self, word: str, *, held_too: bool = False) -> list[str]:
        """The names' words that a misspelt word may mean, nearest first; for a word that some text holds only if asked."""
        if word not in self._near:
            self._near[word] = self._spelled_like(word)
        return self._near[word] if held_too or not self.is_held(word) else []

    def is_held(self, word: str) -> bool:
        """Whether some indexed text holds the word."""
        if word not in self._held_words:
            self._held_words[word] = self._held(word)
        return self._held_words[word]

    def _spelled_like(self, word: str) -> list[str]:
        limit = edits(word)
        found = extract(word, list(self._by_word), scorer=OSA.distance, score_cutoff=limit, limit=None) if limit else []
        return [name for name, distance, _ in sorted(found, key=lambda item: (item[1], item[0])) if name != word]

    def signs(self, forms: Sequence[str]) -> str:
        """One sign a word: 2 in a run of a name, W a whole name, 1 part of one, 0 of one and a common word, F misspelt."""
        signs = [self._sign(form) for form in forms]
        for start in range(len(forms)):
            for end in range(min(start + LONGEST_RUN, len(forms)), start + 1, -1):
                run = forms[start:end]
                if not {run[0], run[-1]} & PARTICLES and self._holding_run(run):
                    signs[start:end] = "2" * len(run)
                    break
        return "".join(signs)

    def _sign(self, form: str) -> str:
        if form.isdigit() or len(form) < 3:
            return "."
        if not self.is_name_word(form):
            return "." if self.is_held(form) or not self.near(form) else "F"
        if self.is_ordinary(form):
            return "0"
        return "W" if self.names_at((form,), 0) else "1"

    def _holding_run(self, run: Sequence[str]) -> bool:
        return bool(self.names_at(run, 0).get(len(run)) or self.part_of_name(run))

    def is_name_word(self, word: str) -> bool:
        """Whether somebody in scope bears this word."""
        return word in self._by_word or any(name == (word,) for name, _ in self._by_first.get(word, ()))

    def is_ordinary(self, word: str) -> bool:
        """Whether the word, in small letters, may be a common word as well."""
        if word not in self._known_words:
            self._known_words[word] = self._ordinary(word)
        return self._known_words[word]

    def newest(self, ids: Iterable[int], years: Collection[int] = ()) -> list[CandidateRef]:
        """Of `years` (without them: any) one candidature per civil name and UF: that of the newest election."""
        newest: dict[tuple[str, str], list[CandidateRef]] = {}
        for id_ in sorted(ids):
            candidate = self.candidates[id_]
            if years and candidate.year not in years:
                continue
            group = newest.setdefault((fold(candidate.name), candidate.state), [])
            if group and group[0].year < candidate.year:
                group.clear()
            if not group or group[0].year == candidate.year:
                group.append(candidate)
        return [candidate for group in newest.values() for candidate in group]


def _in_order(content: Sequence[str], name: Sequence[str]) -> bool:
    remaining = iter(name)
    return all(word in remaining for word in content)


def _holds_run(run: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return any(name[start : start + len(run)] == run for start in range(len(name) - len(run) + 1))


class CandidateNames:
    """The name index of a store, valid until a candidate changes, which is seen within CHECKED seconds.

    Threads share it: one reads the candidates while the others wait. All scopes are cut from that one reading.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._lock = threading.Lock()
        self._checked: float | None = None  # when the mark was read
        self._mark: object = None
        self._whole = NameIndex(())
        self._people: list[Named] = []
        self._scopes: OrderedDict[SearchFilter, NameIndex] = OrderedDict()

    def index(self, scope: SearchFilter) -> NameIndex:
        """The names in scope (candidate part of a filter)."""
        scope = SearchFilter(states=scope.states, parties=scope.parties, offices=scope.offices, years=scope.years)
        with self._lock:
            self._follow_store()
            return self._whole if scope == SearchFilter() else self._cut(scope)

    def _follow_store(self) -> None:
        now = self._clock()
        if self._checked is not None and now - self._checked < CHECKED:
            return
        mark = self._store.candidates.change_mark()
        if mark != self._mark or self._checked is None:
            # The mark is read before the rows: what is written in between is read again, never missed.
            self._people = [named(row) for row in self._store.candidates.present(COLUMNS)]
            self._whole, self._mark = self._made(self._people), mark
            self._scopes.clear()
        self._checked = now

    def _cut(self, scope: SearchFilter) -> NameIndex:
        found = self._scopes.pop(scope, None)
        if found is None:
            within = {one.id for one in self._whole.within(scope)}
            found = self._made([person for person in self._people if person.candidate.id in within])
        self._scopes[scope] = found
        if len(self._scopes) > SCOPES:
            self._scopes.popitem(last=False)
        return found

    def _made(self, people: Iterable[Named]) -> NameIndex:
        return NameIndex(people, self._used_as_word, self._held_by_text)

    def _held_by_text(self, word: str) -> bool:
        terms = analyze(word)
        return not terms or any(self._store.lexical.document_frequency(terms).values())

    def _used_as_word(self, word: str) -> bool:
        """Whether a fair share of the word's occurrences in the passages that hold it are in small letters."""
        if not analyze(word):
            return True  # a stop word
        hits = self._store.lexical.search(analyze_query(word.lower()).query(limit=LOOKED_AT))
        rows = self._store.chunks.get([hit.chunk_id for hit in hits]).values()
        pattern = re.compile(rf"\b[{ACCENTED.get(word[0], word[0])}][^\W\d_]*", re.IGNORECASE)
        forms = Counter(form for row in rows for form in pattern.findall(row["content"]))
        alike = [form for form in forms if fold(form[:3]) == word[:3] and analyze(form) == analyze(word)]
        small = sum(forms[form] for form in alike if form.islower())
        capital = sum(forms[form] for form in alike if form.istitle())
        return small > 0 and small >= ORDINARY_SHARE * (small + capital)

"""Which candidates a question names: ballot or civil names as whole words, the longest first, homonyms told apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from iris_assets.question.name_index import NameIndex
from iris_assets.question.question_words import (
    ARTICLES,
    COMPARING,
    JOINING,
    NOT_NAMES,
    OPENERS,
    OWNED,
    PARTICLES,
    TITLE_PARTS,
    VERBS,
    question_words,
)
from iris_assets.question.sentence import LEADING, Sentence
from iris_assets.retrieval.evidence import neutral_order
from iris_assets.retrieval.text import words
from iris_assets.retrieval.types import CandidateRef

MAX_OPTIONS = 20
LONGEST_SMALL = 8  # words of a name typed in small letters
LEADING_PARTICLES = PARTICLES - {"D"}  # the D of "D'Avila" is a part of the name
NO_NAME = NOT_NAMES | LEADING_PARTICLES | TITLE_PARTS | OWNED

UNKNOWN_NAME = "{name}: nome não reconhecido entre as candidaturas consultadas."

Run = list[int]


@dataclass(frozen=True, slots=True)
class Named:
    """What a question says of candidates.

    `candidates`: recognised ones, one per name; `ambiguous`: those that one name fits; `names`: these names as the
    question spells them, joining words between them included; `entities`: other capitalised runs, which must occur in
    the evidence, and of them `places`, which an author's name does not hold; `unknown`: what stands beside a recognised
    name as if it were another candidate's, and is nobody's in scope.
    """

    candidates: tuple[CandidateRef, ...] = ()
    ambiguous: tuple[CandidateRef, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    entities: tuple[tuple[str, ...], ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[str, ...]:
        """The words of the names, normalised."""
        return tuple(word for name in self.names for word in name)


def recognise(question: str, index: NameIndex) -> Named:
    """The candidates that a question names."""
    return _Recogniser(Sentence(question_words(question)), index).named()


class _Recogniser:
    def __init__(self, sentence: Sentence, index: NameIndex) -> None:
        self.sentence, self.index = sentence, index
        self.found: list[Run] = []
        self._known: dict[tuple[str, ...], list[CandidateRef]] = {}

    def named(self) -> Named:
        self._whole_names()
        runs = self._capital_runs() if self.sentence.telling else []
        left = [rest for run in runs for rest in self._people_in(run)]
        self._small_names()
        left = [rest for run in left if not self._is_taken(run) for rest in self._people_in(run)]
        unknown = [run for run in left if self._is_unknown_name(run)]
        entities = [run for run in left if run not in unknown]
        return self._result(entities, unknown + self._small_unknown())

    def _people(self, texts: tuple[str, ...]) -> list[CandidateRef]:
        """Whom these words may name; looked up once, however often a question repeats them."""
        if texts not in self._known:
            self._known[texts] = self.index.newest(self.index.bearers(texts))
        return self._known[texts]

    def _whole_names(self) -> None:
        """Names of several words, the longest first."""
        texts = self.sentence.texts
        spans = [
            (start, end)
            for start in range(len(texts))
            for end in self.index.names_at(texts, start)
            if end - start > 1 and self._is_written_as_name(range(start, end))
        ]
        for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            if not self._is_taken(range(start, end)):
                self._take(range(start, end))

    def _is_written_as_name(self, run: Sequence[int]) -> bool:
        """Several words: a capital among them, a title before, or one that is no common word."""
        if any(self.sentence.is_told(at) for at in run) or self.sentence.is_titled(run[0]):
            return True
        return self._is_unusual(run)

    def _is_unusual(self, run: Sequence[int]) -> bool:
        """Whether a word of these is none that questions use otherwise."""
        content = [text for text in self.sentence.of(run) if text not in NO_NAME]
        return not all(self.index.is_ordinary(text) for text in content)

    def _capital_runs(self) -> list[Run]:
        """Runs of capitalised words with particles inside, outside the names already taken."""
        runs: list[Run] = [[]]
        for at, word in enumerate(self.sentence.words):
            free = at not in self.sentence.taken
            if free and not word.breaks and runs[-1] and (word.capital or word.text in PARTICLES):
                runs[-1].append(at)
            else:
                runs.append([at] if free and word.capital else [])
        return [run for run in runs if run]

    def _people_in(self, run: Run) -> list[Run]:
        """Take the people that a capitalised run names; what is left of it."""
        run = self._trimmed(run)
        nobody = all(text in NOT_NAMES for text in self.sentence.of(run))
        if not nobody and self._is_person(run):
            self._take(run)
            return []
        for place, at in enumerate(run):
            left, right = run[:place], run[place + 1 :]
            if left and right and self.sentence.texts[at] == "E" and self._are_people(left, right):
                return [*self._people_in(left), *self._people_in(right)]
        return [] if nobody else [run]

    def _are_people(self, left: Run, right: Run) -> bool:
        borne = [bool(self._people(self.sentence.of(self._trimmed(side)))) for side in (left, right)]
        return all(borne) or (any(borne) and self.sentence.lists_people())

    def _is_person(self, run: Run) -> bool:
        """Whether a capitalised run is somebody's name: one person's, or standing where a name stands."""
        texts = self.sentence.of(run)
        people = self._people(texts)
        whole = len(texts) in self.index.names_at(texts, 0)
        if not people:
            return False
        if self.sentence.is_place(run, whole_name=whole and len(run) > 1):
            return self.sentence.stands_as_name(run)
        if len(run) > 1:
            return True
        if self.sentence.words[run[0]].opens or (not whole and self.index.is_ordinary(texts[0])):
            return self._is_small_name(run[0])
        return whole or len(people) == 1 or self.sentence.stands_as_name(run) or self.sentence.is_first(run[0])

    def _small_names(self) -> None:
        """Names typed without capitals (or where these tell nothing), again while one name tells of the next."""
        before = -1
        while before != len(self.found):
            before = len(self.found)
            for start in range(len(self.sentence.texts)):
                if not self.sentence.is_told(start):
                    self._small_name(start)

    def _small_name(self, start: int) -> None:
        texts = self.sentence.texts
        for end in range(min(start + LONGEST_SMALL, len(texts)), start, -1):
            run = list(range(start, end))
            if self._is_taken(run) or texts[start] in LEADING_PARTICLES or texts[end - 1] in PARTICLES:
                continue
            people = self._people(texts[start:end])
            if people and (self._is_small_name(start) if len(run) == 1 else self._are_small_names(run)):
                self._take(run)
                return

    def _are_small_names(self, run: Run) -> bool:
        if not (self._is_unusual(run) or self.sentence.is_titled(run[0])):
            return False
        return self.sentence.stands_as_name(run) or not self.sentence.is_place(run, whole_name=True)

    def _is_small_name(self, at: int) -> bool:
        """A single word whose capital tells nothing: no common word, and standing where a name stands."""
        text = self.sentence.texts[at]
        if text in NO_NAME or not self._people((text,)):
            return False
        if self.sentence.is_titled(at):
            return True
        if self.index.is_ordinary(text):
            return False
        if self.sentence.stands_as_name([at]) or (self.sentence.is_first(at) and not self.sentence.is_place([at])):
            return True
        whole = bool(self.index.names_at((text,), 0))
        heads = at == 0 and self.sentence.at(1) not in PARTICLES - {"E"} and len(self._people((text,))) == 1
        return self.sentence.is_free(at) and not self.sentence.is_place([at]) and (whole or heads)

    def _is_unknown_name(self, run: Run) -> bool:
        """Whether a capitalised run is one of several names that the question asks about."""
        party = list(self.sentence.of(run)) in [words(party) for party in self.index.parties]
        return not party and self.sentence.lists_people() and self._is_listed(run)

    def _is_listed(self, run: Run) -> bool:
        return self.sentence.is_beside_name(run) and not self.sentence.follows_list(run)

    def _small_unknown(self) -> list[Run]:
        """Words in small letters beside a recognised name that no text uses as common words."""
        if not COMPARING & set(self.sentence.texts):
            return []
        starts = [at for at in range(len(self.sentence.texts)) if self._may_be_unknown(at)]
        return [self._as_long_as_unknown(at) for at in starts if self._is_listed([at])]

    def _as_long_as_unknown(self, at: int) -> Run:
        end = at + 1
        while end < len(self.sentence.texts) and self._may_be_unknown(end):
            end += 1
        return list(range(at, end))

    def _may_be_unknown(self, at: int) -> bool:
        text = self.sentence.texts[at]
        if (
            at in self.sentence.taken
            or self.sentence.is_told(at)
            or text in NO_NAME | JOINING | LEADING | OPENERS | VERBS
        ):
            return False
        return not self.index.is_ordinary(text)

    def _trimmed(self, run: Run) -> Run:
        """Without particles at its ends, and without the titles around a name."""
        while run and self.sentence.texts[run[-1]] in PARTICLES:
            run = run[:-1]
        while run and self.sentence.texts[run[0]] in LEADING_PARTICLES | COMPARING | ARTICLES:
            run = run[1:]
        inner = run
        while inner and self.sentence.texts[inner[0]] in NO_NAME:
            inner = inner[1:]
        while inner and self.sentence.texts[inner[-1]] in NO_NAME:
            inner = inner[:-1]
        return inner if inner and self._people(self.sentence.of(inner)) else run

    def _is_taken(self, run: Iterable[int]) -> bool:
        return not self.sentence.taken.isdisjoint(run)

    def _take(self, run: Iterable[int]) -> None:
        self.found.append(list(run))
        self.sentence.taken |= set(run)

    def _result(self, entities: list[Run], unknown: list[Run]) -> Named:
        chosen: dict[int, CandidateRef] = {}
        ambiguous: dict[int, CandidateRef] = {}
        for texts in {self.sentence.of(run) for run in self.found}:
            people = self._people(texts)
            target = chosen if len(people) == 1 else ambiguous
            target.update({candidate.id: candidate for candidate in people})
        spans = sorted((run[0], run[-1] + 1) for run in [*unknown, *self.found])
        return Named(
            tuple(sorted(chosen.values(), key=neutral_order)),
            tuple(sorted(ambiguous.values(), key=neutral_order)[:MAX_OPTIONS]),
            tuple(self.sentence.texts[start:end] for start, end in self._with_joins(spans)),
            tuple(self.sentence.of(run) for run in entities),
            tuple(self.sentence.of(run) for run in entities if self.sentence.is_place(run)),
            tuple(dict.fromkeys(" ".join(self.sentence.of(run)) for run in unknown)),
        )

    def _with_joins(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Names that one small word joins are one run: "x" and "contra" between two names say nothing else."""
        joined: list[tuple[int, int]] = []
        for start, end in spans:
            if joined and start == joined[-1][1] + 1 and self.sentence.texts[start - 1] in JOINING:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined

"""Which candidates a question names: ballot or civil names as whole words, the longest first, homonyms told apart."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from iris_assets.retrieval.evidence import candidate_ref, neutral_order
from iris_assets.retrieval.text import normalised, word_set
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter

PARTICLES = word_set("DE DA DO DAS DOS E D")
CUES = word_set("CANDIDATO CANDIDATA DEPUTADO DEPUTADA GOVERNADOR GOVERNADORA PRESIDENTE SENADOR SENADORA")
VERBS = word_set(
    """PROMETE PROMETEU PROPOE PROPOS DEFENDE DEFENDEU PRETENDE PLANEJA QUER DIZ DISSE FALA APRESENTA APRESENTOU ASSINOU
    VOTOU FOI VAI"""
)
JOINING = word_set("E OU X VERSUS CONTRA")
CAPITALS_TELL_NOTHING = 0.7  # share of capitalised words from which a question is all capitals or a title
MAX_OPTIONS = 20
PART_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Named:
    """What a question says of candidates: recognised ones (one per name), names that fit several, the used words."""

    candidates: tuple[CandidateRef, ...] = ()
    ambiguous: tuple[CandidateRef, ...] = ()
    used: tuple[str, ...] = ()  # normalised words that belong to recognised names
    entities: tuple[tuple[str, ...], ...] = ()  # other capitalised runs: they must occur in the evidence


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # normalised
    capital: bool
    breaks: bool  # punctuation stands between the word before and this one


class NameIndex:
    """Names of the candidates in scope, by their first word."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.candidates: dict[int, CandidateRef] = {}
        self._by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._tokens: dict[int, tuple[tuple[str, ...], ...]] = {}
        for row in rows:
            self._add(candidate_ref(row))

    def _add(self, candidate: CandidateRef) -> None:
        self.candidates[candidate.id] = candidate
        names = {tuple(normalised(name).split()) for name in (candidate.ballot_name, candidate.name) if name}
        self._tokens[candidate.id] = tuple(sorted(names))
        for name in names:
            if name:
                self._by_first.setdefault(name[0], []).append((name, candidate.id))
            for word in name:
                if len(word) >= PART_LENGTH:
                    self._by_word.setdefault(word, set()).add(candidate.id)

    @property
    def parties(self) -> list[str]:
        """The parties of the candidates in scope."""
        return sorted({one.party for one in self.candidates.values() if one.party})

    def whole_names(self, words: Sequence[Word]) -> list[tuple[int, int, set[int]]]:
        """(start, end, candidates) of whole names in a question, longest first, without overlaps."""
        spans: dict[tuple[int, int], set[int]] = {}
        texts = tuple(word.text for word in words)
        lower = not any(word.capital for word in words)  # typed without any capital: they tell nothing
        for start, word in enumerate(words):
            for name, id_ in self._by_first.get(word.text, ()):
                end = start + len(name)
                if texts[start:end] == name and (len(name) > 1 or word.capital or lower or _cued(texts, start)):
                    spans.setdefault((start, end), set()).add(id_)
        kept: list[tuple[int, int, set[int]]] = []
        for (start, end), ids in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0][0])):
            if all(end <= first or start >= last for first, last, _ in kept):
                kept.append((start, end, ids))
        return sorted(kept)

    def part_of_name(self, run: Sequence[str]) -> set[int]:
        """Candidates whose ballot or civil name holds all words of a capitalised run, in order."""
        content = [word for word in run if word not in PARTICLES]
        if not content or any(word not in self._by_word for word in content):
            return set()
        ids = set.intersection(*(self._by_word[word] for word in content))
        return {id_ for id_ in ids if any(_in_order(content, name) for name in self._tokens[id_])}


def recognise(question: str, index: NameIndex) -> Named:
    """The candidates that a question names."""
    words = question_words(question)
    groups: list[set[int]] = []
    taken: set[int] = set()
    for start, end, ids in index.whole_names(words):
        groups.append(ids)
        taken |= set(range(start, end))
    entities = []
    for run in _capital_runs(words, taken):
        texts = tuple(words[i].text for i in run)
        ids = index.part_of_name(texts)
        known = _one_person(index, ids)
        if known and (len(known) == 1 or len(texts) > 1 or _stands_as_name(words, run, taken)):
            groups.append(ids)
            taken |= set(run)
        else:
            entities.append(texts)
    return _named(index, groups, tuple(words[i].text for i in sorted(taken)), tuple(entities))


def _named(
    index: NameIndex, groups: list[set[int]], used: tuple[str, ...], entities: tuple[tuple[str, ...], ...]
) -> Named:
    chosen: dict[int, CandidateRef] = {}
    ambiguous: dict[int, CandidateRef] = {}
    for ids in groups:
        people = _one_person(index, ids)
        target = chosen if len(people) == 1 else ambiguous
        target.update({candidate.id: candidate for candidate in people})
    options = sorted(ambiguous.values(), key=neutral_order)[:MAX_OPTIONS]
    return Named(tuple(sorted(chosen.values(), key=neutral_order)), tuple(options), used, entities)


def _one_person(index: NameIndex, ids: Iterable[int]) -> list[CandidateRef]:
    """One candidature per civil name and UF: that of the newest election; homonyms of one election stay apart."""
    newest: dict[tuple[str, str], list[CandidateRef]] = {}
    for id_ in sorted(ids):
        candidate = index.candidates[id_]
        group = newest.setdefault((normalised(candidate.name), candidate.state), [])
        if group and group[0].year < candidate.year:
            group.clear()
        if not group or group[0].year == candidate.year:
            group.append(candidate)
    return [candidate for group in newest.values() for candidate in group]


def question_words(question: str) -> list[Word]:
    """Words of a question with what the eye sees of them: capital letters and the punctuation before."""
    found: list[Word] = []
    text = unicodedata.normalize("NFC", question)
    last = 0
    for match in re.finditer(r"[^\W_]+", text):
        gap = text[last : match.start()]
        form = normalised(match.group())
        if form:
            sentence = not found or bool(re.search(r"[.!?:;]", gap))
            capital = match.group()[0].isupper() and not (sentence and form in OPENERS)
            found.append(Word(form, capital, bool(re.search(r"[,.;:!?()\"“”/–—]", gap))))
        last = match.end()
    return found


OPENERS = word_set(
    """O A OS AS QUAL QUAIS QUE QUEM QUANTOS QUANTAS COMO ONDE QUANDO PORQUE POR EM NO NA NOS NAS DE DO DA SOBRE PARA
    RESUMA RESUMO LISTE MOSTRE DIGA EXISTE EXISTEM HA COMPARE CITE E ME DESCREVA EXPLIQUE FALE SEGUNDO SINTESE PANORAMA
    VISAO HISTORICO PROJETOS PROJETO PROPOSTAS PROPOSTA PLANO PLANOS NUMERO PAGINA PRINCIPAIS TEMAS LEI LEIS MANDATOS
    MANDATO CANDIDATO CANDIDATA TRAJETORIA CARREIRA IGNORE AGORA UM UMA SE COM"""
)


def _capital_runs(words: Sequence[Word], taken: set[int]) -> list[list[int]]:
    """Runs of capitalised words (with particles inside) outside the recognised names; none where all is capitals."""
    if sum(word.capital for word in words) > CAPITALS_TELL_NOTHING * len(words) and len(words) > 3:
        return []
    runs: list[list[int]] = []
    current: list[int] = []
    for position, word in enumerate(words):
        inside = position not in taken and not (word.breaks and current)
        if inside and (word.capital or (current and word.text in PARTICLES)):
            current.append(position)
            continue
        runs.append(current)
        current = [position] if position not in taken and word.capital else []
    runs.append(current)
    trimmed = (_trimmed(run, words) for run in runs)
    return [run for run in trimmed if run and not all(words[i].text in NOT_NAMES for i in run)]


NOT_NAMES = word_set(
    """PL PLP PEC PDL PDC PRC MPV MP REQ INC RIC MSC PLN PFC TSE TCU STF STJ BRASIL BRASILEIRO BRASILEIRA GOVERNO
    CAMARA SENADO PRESIDENTE PRESIDENCIA REPUBLICA DEPUTADO DEPUTADA DEPUTADOS GOVERNADOR FEDERAL ESTADUAL PLANO
    CONGRESSO NACIONAL ESTADO UNIAO ID SQ CANDIDATO DF SP BR AC RR PI"""
)


def _trimmed(run: list[int], words: Sequence[Word]) -> list[int]:
    while run and words[run[-1]].text in PARTICLES:
        run = run[:-1]
    return run


def _cued(texts: Sequence[str], start: int) -> bool:
    return start > 0 and texts[start - 1] in CUES


def _stands_as_name(words: Sequence[Word], run: Sequence[int], taken: Collection[int]) -> bool:
    """A single word that several candidates bear is a name after a cue, before a verb, beside a recognised name."""
    texts = [word.text for word in words]
    before, after = run[0] - 1, run[-1] + 1
    if _cued(texts, run[0]) or (after < len(texts) and texts[after] in VERBS):
        return True
    joined_before = before > 0 and texts[before] in JOINING and before - 1 in taken
    return joined_before or (after + 1 < len(texts) and texts[after] in JOINING and after + 1 in taken)


def _in_order(content: Sequence[str], name: Sequence[str]) -> bool:
    remaining = iter(name)
    return all(word in remaining for word in content)


class CandidateNames:
    """The name index of a store, read again when the number of candidates changes or after a while."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache: dict[SearchFilter, tuple[int, NameIndex]] = {}

    def index(self, scope: SearchFilter) -> NameIndex:
        """The names in scope (candidate part of a filter)."""
        scope = SearchFilter(states=scope.states, parties=scope.parties, offices=scope.offices, years=scope.years)
        count = self._store.candidates.count(scope)
        cached = self._cache.get(scope)
        if cached is None or cached[0] != count:
            if len(self._cache) > 16:
                self._cache.clear()
            cached = self._cache[scope] = (count, NameIndex(self._rows(scope)))
        return cached[1]

    def _rows(self, scope: SearchFilter) -> list[dict[str, Any]]:
        rows = self._store.candidates.list(states=scope.states, offices=scope.offices)
        return [
            row
            for row in rows
            if (not scope.parties or row["party"] in scope.parties)
            and (not scope.years or row["election_year"] in scope.years)
        ]

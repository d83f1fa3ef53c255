"""What a count or a list restricts its records to: every word of the question is understood, or there is no number."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.clarity import OF_BILLS, RESTRICTING, is_clear
from iris_assets.question.clauses import OPERATORS, Words
from iris_assets.question.countables import BILLS, HOW_MANY, NOUNS, STORED, By, Noun, grouped_by, types_named
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.periods import Years, periods
from iris_assets.question.standing import take_standing
from iris_assets.question.untold import untold
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.text import word_set

TopicNamed = Callable[[Sequence[str]], str | None]

HEADS: Final = re.compile(r"PARTIDOS?|LEGENDA|SIGLA|ESTADOS?|UF|CARGOS?|VAGAS?")

_QUANTOS: Final = r"QUANT[OA]S|QN?T[OA]S"

DEPUTY: Final = {"DEPUTADO FEDERAL", "DEPUTADO ESTADUAL", "DEPUTADO DISTRITAL"}

COUNTS_SURELY: Final = re.compile(
    rf"\b(?:{_QUANTOS}|QTD\w*(?: DE)?|(?:QUANTIDADE|TOTAL|CONTAGEM|NUMERO TOTAL)(?: GERAL)? D[EOA]S?)"
    rf" (?:[A-Z]+ )?(?:{'|'.join(pattern for _, pattern in NOUNS)}|DEPUTADOS|SENADORES|GOVERNADORES|ELEITOS|SUPLENTES"
    rf"|{'|'.join(sorted(acronyms()))})S?\b"
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Records of `noun` that `scope` and `standing` leave; bills of `types`, `years` and `topic`; grouped `by` a column.

    `numbers` are ballot numbers. Empty values do not restrict.
    """

    noun: Noun
    scope: SearchFilter
    types: tuple[str, ...] = ()
    years: Years = field(default_factory=Years)
    topic: str | None = None
    standing: Standing = field(default_factory=Standing)
    numbers: tuple[int, ...] = ()
    by: By | None = None
    indexed_elections: tuple[int, ...] = ()


def counts(
    parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str], topic_named: TopicNamed
) -> list[Wish] | None:
    """The counts that a question asks for, in order; None when a word of it restricts by what is not understood.

    `scope` is the caller's filter, which holds too.
    """
    if untold(parsed.folded):
        return None
    found: list[Wish] = []
    for clause in _clauses(parsed):
        wish = _wish(clause, parsed, scope, frame, topic_named, found[-1] if found else None)
        if wish is None:
            return None
        found.append(wish)
    return found


def listed(parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str]) -> Wish | None:
    """The candidatures that a question asks to be listed; None when it restricts them by more than the registry tells."""
    if untold(parsed.folded):
        return None
    words = Words(parsed.words)
    words.take(STORED)
    words.take(NOUNS[-1][1])
    words.take("PARTIDOS?(?! D)")
    wish = _restricted(Wish("candidates", scope), words, parsed, scope)
    return wish if wish is not None and not words.left(frame) else None


def asks_how_many(folded: str) -> bool:
    """Whether a question certainly asks for a number of records: "quantos projetos", "total de candidatos"."""
    return COUNTS_SURELY.search(folded) is not None


def _clauses(parsed: ParsedQuery) -> Iterator[Sequence[tuple[str, str]]]:
    """What is counted, cut before each further "quantos": other sentences lend their names and places only."""
    words = parsed.words
    starts = [at for at, (form, _) in enumerate(words) if re.fullmatch(_QUANTOS, form)]
    counting = {_sentence(parsed, at) for at in starts} or {_sentence(parsed, at) for at in range(len(words))}
    kept = [
        at for at, (form, tag) in enumerate(words)
        if _sentence(parsed, at) in counting or (tag in RESTRICTING or form in OPERATORS)
    ]  # fmt: skip
    cuts = [-1, *starts[1:], len(words)]
    for start, end in pairwise(cuts):
        clause = [words[at] for at in kept if start <= at < end]
        if clause:
            yield clause


def _sentence(parsed: ParsedQuery, at: int) -> int:
    return sum(start <= at for start in parsed.sentences)


def _wish(
    clause: Sequence[tuple[str, str]], parsed: ParsedQuery, scope: SearchFilter, frame: frozenset[str],
    topic_named: TopicNamed, before: Wish | None,
) -> Wish | None:  # fmt: skip
    words = Words(clause)
    words.take(HOW_MANY)
    words.take(HOW_MANY)
    words.take(STORED)
    by, text = grouped_by(words), " ".join(words.forms)
    types = types_named(words)
    noun = _noun(words, types, before, parsed)
    if noun is None or not is_clear(words, noun, bool(parsed.people.candidates)) or _is_beside(text, types):
        return None
    if noun == "candidates" and before is None and not CANDIDACY.search(text):
        return None  # "quantos deputados": those in office, whom the registry of an election does not tell
    wish = _restricted(Wish(noun, scope, types, by=by), words, parsed, scope)
    if wish is None:
        return None
    left = [word for word in words.left(frame) if word not in OF_TOPIC]
    if left and noun in ("bills", "authors") and not OPERATORS & set(left):
        topic = topic_named(left) if all(analyze(word) for word in left) else None
        return replace(wish, topic=topic) if topic else None
    if left:
        return None
    return _inherited(wish, before) if before is not None else wish


def _is_beside(text: str, types: tuple[str, ...]) -> bool:
    """Whether a kind of bills stands beside all of them: "requerimentos e projetos"."""
    generic = r"(?:PROJETOS?(?! DE)|PROPOSIC(?:AO|OES))"
    return (
        bool(types)
        and re.search(rf"{generic} (?:E|OU) |(?:E|OU|SOBRE) (?:OS )?{generic}|SOBRE (?:PECS?|PLS?)\b", text) is not None
    )


OF_TOPIC: Final = word_set("TEMA AREA ASSUNTO SOBRE TRATAM COMO TODO TIPO")


def _noun(words: Words, types: tuple[str, ...], before: Wish | None, parsed: ParsedQuery) -> Noun | None:
    places = []
    text = " ".join(words.forms)
    for noun, pattern in NOUNS:
        match = re.search(rf"(?<!\S)(?:{pattern})(?!\S)", text)
        if match is not None:
            places.append((match.start(), noun, pattern))
    if types and not any(noun in ("authors", "topics") for _, noun, _ in places):
        words.take(BILLS)
        return "bills"
    if places:
        _, noun, pattern = min(places)
        while words.take(pattern):
            pass
        if noun in ("authors", "topics"):
            words.take(BILLS)
        if noun != "candidates" and not words.take(r"CANDIDATOS") and noun == "plans":
            words.take("CANDIDATOS?")
        return noun
    if before is not None:
        return before.noun
    return "candidates" if parsed.scope.offices or parsed.scope.parties or parsed.scope.states else None


CANDIDACY: Final = re.compile(
    r"\b(?:CANDIDAT|CONCORR|DISPUT|LANC(?:OU|ARAM|AD)|REGISTR(?:OU|ARAM)|(?:NAO )?ELEIT|ELEG|SUPLENT|TENT|PERDE|INAPT|TURNO)"
)


def _restricted(wish: Wish, words: Words, parsed: ParsedQuery, scope: SearchFilter) -> Wish | None:
    """The wish with the UFs, parties, offices, years and standing that the words name; None where they clash."""
    of_bills = wish.noun in OF_BILLS
    standing = take_standing(words.take_free, parsed.scope.offices) if wish.noun == "candidates" else Standing()
    years = periods(words.take)
    if standing is None or years is None or (parsed.people.unknown and "PERSON" in words.tags):
        return None
    own = _of_clause(words, parsed)
    if of_bills and own.offices and "CANDIDAT" not in " ".join(words.forms):
        if set(own.offices) not in (DEPUTY, {"DEPUTADO FEDERAL"}):
            return None
        own = replace(own, offices=())  # whoever signs a bill of the Câmara is a federal deputy
    if wish.noun == "mandates" and not own.is_empty:
        return None
    elections = () if of_bills else years.listed
    merged = united(scope, replace(own, years=elections))
    if merged is None or (of_bills and years.of_elections):
        return None
    for at, form in enumerate(words.forms):
        if HEADS.fullmatch(form) and set(words.tags[at + 1 : at + 4]) & {"PARTY", "PLACE", "OFFICE"}:
            words.taken[at] = True
    if of_bills or wish.noun == "plans":
        words.take("CANDIDATOS?|DEPUTADOS?|PARLAMENTARES|BANCADAS?")
    words.take("(?:PRESIDENCIA DA )?REPUBLICA DO BRASIL|PRESIDENTE DO BRASIL")
    words.take("(?:[OA]S )?CANDIDATAS")
    words.take_tags("PERSON", "PLACE", "PARTY", "OFFICE", "NUMBER")
    for at, form in enumerate(words.forms):  # a town or a country: no column tells it
        if words.tags[at] == "PLACE" and any(form in place for place in parsed.must_hold):
            words.taken[at] = False
    numbers = parsed.numbers if wish.noun == "candidates" else ()
    return replace(wish, scope=merged, standing=standing, years=years if of_bills else Years(), numbers=numbers)


def _of_clause(words: Words, parsed: ParsedQuery) -> SearchFilter:
    """The part of the question's scope that this clause names."""
    tags = set(words.tags)
    named = parsed.scope
    return SearchFilter(
        states=named.states if "PLACE" in tags else (),
        parties=named.parties if "PARTY" in tags else (),
        offices=named.offices if "OFFICE" in tags else (),
    )


def _inherited(wish: Wish, before: Wish) -> Wish:
    """A second count about the same records as the first, where it names none of its own."""
    own, first = wish.scope, before.scope
    scope = replace(
        own,
        states=own.states or first.states,
        parties=own.parties or first.parties,
        offices=own.offices or first.offices,
        years=own.years or first.years,
    )
    return replace(wish, scope=scope)


def united(callers: SearchFilter, own: SearchFilter) -> SearchFilter | None:
    """The filter that satisfies both; None where nothing can."""
    merged = {}
    for name in ("states", "parties", "offices", "years"):
        outer, inner = getattr(callers, name), getattr(own, name)
        merged[name] = tuple(value for value in outer if value in inner) if outer and inner else outer or inner
        if outer and inner and not merged[name]:
            return None
    return replace(callers, **merged)

"""What a count or a list restricts its records to: every word of the question is understood, or there is no number."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.clarity import OF_BILLS, is_clear
from iris_assets.question.clauses import Asking, Words, clauses, table
from iris_assets.question.countables import By, Noun, grouped_by, nouns, types_named, untold
from iris_assets.question.parsed import Named, ParsedQuery
from iris_assets.question.periods import Years, periods
from iris_assets.question.restrictions import (
    ballot_words,
    filter_of,
    is_of_people,
    left_out,
    people_left_out,
    plan_filed,
    take_beside,
    take_slots,
    united,
)
from iris_assets.question.standing import ELECTED, LOST, take_standing
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.text import word_set

TopicNamed = Callable[[Sequence[str]], str | None]
DEPUTY: Final = {"DEPUTADO FEDERAL", "DEPUTADO ESTADUAL", "DEPUTADO DISTRITAL"}
OF_TOPIC: Final = word_set("TEMA AREA ASSUNTO SOBRE TRATAM COMO TODO TIPO")
OF_FIRST: Final = re.compile(r"\b(?:D?ES[ST][EA]S|DELES|DELAS|DOS QUAIS|DAS QUAIS)\b")
MISREAD: Final = "?"  # stands for a reading that is not clear, where no single word is to blame


@dataclass(frozen=True, slots=True)
class Wish:
    """Records of `noun` that `scope` and `standing` leave; bills of `types`, `years` and `topic`; grouped `by` a column.

    `numbers` are ballot numbers, `has_plan` says that a plan was filed or none; `but` and `but_types` are left out. Empty
    values do not restrict.
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
    but: SearchFilter = field(default_factory=SearchFilter)
    but_types: tuple[str, ...] = ()
    has_plan: bool | None = None
    ballot_words: tuple[str, ...] = ()  # one of which stands in the ballot name


@dataclass(frozen=True, slots=True)
class Asked:
    """The counts or the list that a question asks for, in order; `unread` are the words that no column tells."""

    wishes: tuple[Wish, ...] = ()
    unread: tuple[str, ...] = ()


def counts(parsed: ParsedQuery, scope: SearchFilter, asking: Asking, topic_named: TopicNamed) -> Asked:
    """The counts that a question asks for; none when a word of it restricts by what is not understood.

    `scope` is the caller's filter, which holds too.
    """
    found: list[Wish] = []
    followed = 0
    for start, words in clauses(parsed, asking):
        wish = _wish(words, parsed, scope, asking, topic_named, found[-1] if found else None)
        if not isinstance(wish, Wish):
            return Asked(unread=wish)
        found.append(wish)
        followed += max(start, 0) < parsed.follows
    return Asked(_shared(found) if not followed else tuple(found[followed:]))


def listed(parsed: ParsedQuery, scope: SearchFilter, asking: Asking) -> Asked:
    """The candidatures that a question asks to be listed."""
    words = Words(parsed.words, _kept(parsed), parsed.pauses)
    words.take_places([at for one in parsed.named if one not in words.named for at in range(one.at, one.end)])
    first = words.find(table()["lists"])
    plan, people = plan_filed(words), people_left_out(words, parsed)
    words.take_all(table()["stored"])
    words.take_all(f"{nouns()['candidates']}|PARTIDOS?(?! D)")
    wish = _restricted(Wish("candidates", scope, has_plan=plan), words, parsed)
    if wish is not None:
        runs = re.search(table()["candidacy"], words.text) is not None
        elected = wish.scope.offices and not runs and words.take_all(table()["takes_seats"])
        wish = _of_elected(wish, words) if elected else wish
        wish = replace(wish, but=replace(wish.but, candidate_ids=people))
    start = first.start if first else 0
    left = [*words.left(asking, start), *(form for form, tag in words.untaken if tag == "TOPIC")]
    if left and wish is not None:
        words.take_all(table()["ballot_name"])
        wish = replace(wish, ballot_words=ballot_words(words, words.left(asking, start), asking))
        left = [] if wish.ballot_words else left
    return Asked((wish,)) if wish is not None and not left else Asked(unread=tuple(dict.fromkeys(left)) or (MISREAD,))


def _kept(parsed: ParsedQuery) -> list[Named]:
    """The slots of a list: of a question that follows another one its own in place of those of their kind."""
    own = {one.tag for one in parsed.named if one.at >= parsed.follows}
    return [one for one in parsed.named if one.at >= parsed.follows or one.tag not in own]


def asks_how_many(folded: str) -> bool:
    """Whether a question certainly asks for a number of records: "quantos projetos", "total de candidatos"."""
    things = "|".join([*nouns().values(), "DEPUTADOS|SENADORES|GOVERNADORES|ELEITOS|SUPLENTES", *sorted(acronyms())])
    quantity = r"QUANT[OA]S|Q[NT]*T[OA]S|QTD\w*(?: DE)?"
    quantity += r"|(?:QUANTIDADE|TOTAL|CONTAGEM|NUMERO TOTAL)(?: GERAL)? D[EOA]S?|NUMERO DE(?= \w+S\b)"
    return re.search(rf"\b(?:{quantity}) (?:[A-Z]+ )?(?:{things})S?\b", folded) is not None


def _wish(
    words: Words, parsed: ParsedQuery, scope: SearchFilter, asking: Asking, topic_named: TopicNamed,
    before: Wish | None,
) -> Wish | tuple[str, ...]:  # fmt: skip
    """The count of one clause, or the words that keep it from being one."""
    first = words.find(table()["how_many"])
    start, text = first.start if first else 0, words.text
    begun = _begun(words, parsed, scope, before, goes_on=first is None and before is not None)
    if begun is None:
        return (MISREAD,)
    wish = _restricted(begun, words, parsed)
    if wish is not None and wish.noun == "candidates" and before is None:
        wish = _candidacies(wish, words, text, start)
    left = [word for word in words.left(asking, start) if word not in OF_TOPIC]
    if wish is None or (wish.noun == "parties" and wish.standing.results == LOST):
        # A party of which nobody was elected is not one of which somebody was not.
        return tuple(left) or (MISREAD,)
    if left:
        wish = _of_words(wish, words, left, start, asking, topic_named)
    if wish is None:
        return tuple(left)
    return _inherited(wish, before, text, goes_on=first is None) if before is not None else wish


def _begun(
    words: Words, parsed: ParsedQuery, scope: SearchFilter, before: Wish | None, *, goes_on: bool
) -> Wish | None:
    """What a clause counts, of which kinds and by which column; None where that can be read in several ways."""
    known, text = bool(parsed.people.candidates), words.text
    words.take_all(table()["how_many"])
    words.take_all(table()["stored"])
    by = grouped_by(words)
    plan = plan_filed(words) if is_of_people(words) else None
    kinds = types_named(words, somebody=known)
    types = before.types if before is not None and goes_on else kinds
    noun = _noun(words, types, before)
    if noun is None or not is_clear(words, noun, known) or _is_beside(text, types):
        return None
    told = noun not in ("candidates", "parties") or not untold(text)
    return Wish(noun, scope, types, by=by, has_plan=plan) if told and (plan is None or noun == "candidates") else None


def _of_words(
    wish: Wish, words: Words, left: Sequence[str], start: int, asking: Asking, topic_named: TopicNamed
) -> Wish | None:
    """The wish with the topic, or the words of ballot names, that the words which are left name; None where none."""
    if wish.noun == "candidates":
        words.take_all(table()["ballot_name"])
        named = ballot_words(words, words.left(asking, start), asking)
        return replace(wish, ballot_words=named) if named else None
    if wish.noun not in ("bills", "authors") or any(re.match(table()["restricting"], word) for word in left):
        return None
    topic = topic_named(left) if all(analyze(word) for word in left) else None
    return replace(wish, topic=topic) if topic else None


def _is_beside(text: str, types: tuple[str, ...]) -> bool:
    """Whether a kind of bills stands beside all of them: "requerimentos e projetos"."""
    generic = r"\b(?:PROJETOS?\b(?! DE)|PROPOSIC(?:AO|OES))"
    beside = rf"{generic} (?:E|OU) |\b(?:E|OU|SOBRE) (?:OS )?{generic}|SOBRE (?:PECS?|PLS?)\b"
    return bool(types) and re.search(beside, text) is not None


def _noun(words: Words, types: tuple[str, ...], before: Wish | None) -> Noun | None:
    """What is counted: the first thing that the clause names, else what the one before counted, else candidatures."""
    found = [(place.start, noun) for noun, pattern in nouns().items() if (place := words.find(pattern)) is not None]
    if types and not any(noun in ("authors", "topics") for _, noun in found):
        words.take_all(nouns()["bills"])
        return "bills"
    if found:
        _, noun = min(found)
        words.take_all(nouns()[noun])
        if noun in ("authors", "topics"):
            words.take_all(nouns()["bills"])
        if noun in ("plans", "parties"):
            words.take_all(nouns()["candidates"])
        return noun
    if before is not None:
        return before.noun
    return "candidates" if words.named or re.search(table()["candidacy"], words.text) else None


def _candidacies(wish: Wish, words: Words, text: str, start: int) -> Wish | None:
    """The wish where candidatures are meant: "quantos deputados" alone are those in office, whom no record tells."""
    if re.search(table()["candidacy"], text) or wish.standing != Standing() or wish.has_plan is not None:
        return wish
    offices = bool(wish.scope.offices or wish.but.offices)
    seats = words.find("VAGAS?|CADEIRAS?") is not None and wish.scope.parties
    if (offices or seats) and words.take_all(table()["takes_seats"]):
        return _of_elected(wish, words)
    if re.search(rf"\b(?:{table()['weak']})\b", text):
        return wish if offices or (wish.scope.parties and re.search(r"\bNOMES?\b", text)) else None
    office_first = words.tags[start + 1 : start + 2] == ["OFFICE"]
    if office_first and (wish.scope.states or wish.scope.parties):
        return _of_elected(wish, words)  # "o Acre tem quantos deputados": the registry tells who was elected
    return None if office_first or any(re.fullmatch(table()["running"], form) for form in words.forms) else wish


def _of_elected(wish: Wish, words: Words) -> Wish:
    words.take_all("VAGAS?|CADEIRAS?")
    return replace(wish, standing=Standing(ELECTED))


def _restricted(wish: Wish, words: Words, parsed: ParsedQuery) -> Wish | None:
    """The wish with what the words restrict it to, within its scope; None where that clashes or no record tells it."""
    of_bills, of_people = wish.noun in OF_BILLS, wish.noun in ("candidates", "parties")
    standing = take_standing(words, parsed.scope.offices) if of_people else Standing()
    words.take_all("(?:PRESIDENCIA DA )?REPUBLICA DO BRASIL|PRESIDENTE DO BRASIL")
    if not of_bills:
        words.take_all(table()["newest"])
    years = periods(words.take)
    take_slots(words)
    out = left_out(words)
    own, but = filter_of(words.named), filter_of(out)
    if of_bills and own.offices and "CANDIDAT" not in words.text:
        if set(own.offices) not in (DEPUTY, {"DEPUTADO FEDERAL"}):
            return None
        own = replace(own, offices=())  # whoever signs a bill of the Câmara is a federal deputy
    take_beside(words, wish.noun)
    numbers = parsed.numbers if of_people else ()
    words.take_places([at for at, form in enumerate(words.forms) if form.isdigit() and int(form) in numbers])
    merged = united(wish.scope, replace(own, years=years.listed if years and not of_bills else ()))
    if standing is None or years is None or merged is None or (parsed.people.unknown and "PERSON" in words.tags):
        return None
    if (of_bills and (years.of_elections or not but.is_empty)) or (wish.noun == "mandates" and not own.is_empty):
        return None
    but_types = tuple(sorted({value for one in out if one.tag == "KIND" for value in one.values}))
    return replace(
        wish, scope=merged, standing=standing, years=years if of_bills else Years(), numbers=numbers, but=but,
        types=tuple(kind for kind in wish.types if kind not in but_types), but_types=but_types,
    )  # fmt: skip


def _inherited(wish: Wish, before: Wish, text: str, *, goes_on: bool) -> Wish:
    """A second count in the scope of the first where it names none of its own; of the same records with their result."""
    says_more = re.search(rf"{table()['candidacy']}|\bTOTAL\b|\bTODO\b", text) is not None
    bare = wish.standing == Standing() and not says_more  # "e quantos pelo MDB?"
    same = (goes_on or bare or OF_FIRST.search(text) is not None) and wish.noun == before.noun == "candidates"
    results = wish.standing.results or (before.standing.results if same else ())
    parties = wish.scope.parties or before.scope.parties
    scope = replace(_filled(wish.scope, before.scope), parties=parties)
    return replace(wish, scope=scope, standing=replace(wish.standing, results=results))


def _filled(own: SearchFilter, other: SearchFilter) -> SearchFilter:
    """The scope with the UFs, offices and years of another one where it names none."""
    return replace(
        own,
        states=own.states or other.states,
        offices=own.offices or other.offices,
        years=own.years or other.years,
    )


def _shared(found: Sequence[Wish]) -> tuple[Wish, ...]:
    """Counts of which the last one names the UF, office or year of all: "quantos eleitos e quantos suplentes no Acre"."""
    if len(found) < 2:
        return tuple(found)
    last = found[-1]
    told_apart = len({(one.noun, one.types, one.standing, one.scope.parties) for one in found}) == len(found)
    if not told_apart:
        return tuple(found)
    alike = [one.noun == last.noun for one in found]
    return tuple(
        replace(
            one,
            years=last.years if same and one.years.is_empty else one.years,
            topic=one.topic or (last.topic if same else None),
            scope=_filled(one.scope, last.scope),
        )
        for one, same in zip(found, alike, strict=True)
    )

"""What a count or a list restricts its records to: every word of the question is understood, or there is no number."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.clarity import OF_BILLS, RESTRICTING, is_clear
from iris_assets.question.clauses import Asking, Words, table
from iris_assets.question.countables import By, Noun, grouped_by, nouns, types_named, untold
from iris_assets.question.parsed import Named, ParsedQuery
from iris_assets.question.periods import Years, periods
from iris_assets.question.standing import ELECTED, LOST, take_standing
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.text import word_set

TopicNamed = Callable[[Sequence[str]], str | None]
SLOTS: Final = {"PLACE": "states", "PARTY": "parties", "OFFICE": "offices"}
HEADS: Final = re.compile(r"PARTIDOS?|LEGENDA|SIGLA|ESTADOS?|UF|CARGOS?")
HOLDING: Final = re.compile(r"BASE|BANCO|ACERVO|LISTA|DADOS|REGISTROS?")
DEPUTY: Final = {"DEPUTADO FEDERAL", "DEPUTADO ESTADUAL", "DEPUTADO DISTRITAL"}
BEFORE_SLOT: Final = re.compile(r"D?[OAE]S?|E|NEM|NAO|OU|EM|N[OA]|PEL[OA]|SAO|SEJAM|FOR|PARTIDO|SER")
OF_SLOT: Final = re.compile(r"D[OAE]S?|PEL[OA]|EM|N[OA]")
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
    for start, words in _clauses(parsed, asking):
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
    plan, people = _plan_filed(words), _people_left_out(words, parsed)
    words.take_all(table()["stored"])
    words.take_all(f"{nouns()['candidates']}|PARTIDOS?(?! D)")
    wish = _restricted(Wish("candidates", scope, has_plan=plan), words, parsed, scope)
    runs = re.search(table()["candidacy"], words.text) is not None
    if wish is not None and wish.scope.offices and not runs and words.take_all(table()["takes_seats"]):
        wish = _of_elected(wish, words)
    if wish is not None and people:
        wish = replace(wish, but=replace(wish.but, candidate_ids=people))
    left = [*words.left(asking, first.start if first else 0), *(form for form, tag in words.untaken if tag == "TOPIC")]
    return Asked((wish,)) if wish is not None and not left else Asked(unread=tuple(dict.fromkeys(left)) or (MISREAD,))


def _kept(parsed: ParsedQuery) -> list[Named]:
    """The slots of a list: of a question that follows another one its own in place of those of their kind."""
    own = {one.tag for one in parsed.named if one.at >= parsed.follows}
    return [one for one in parsed.named if one.at >= parsed.follows or one.tag not in own]


def _people_left_out(words: Words, parsed: ParsedQuery) -> tuple[int, ...]:
    """The candidates whom "fora o Lula" leaves out; nobody where the question also names others."""
    places = [at for at, tag in enumerate(words.tags) if tag == "PERSON"]
    before = " ".join(words.forms[max(places[0] - 2, 0) : places[0]]) if places else ""
    out = re.search(rf"(?<!\S)(?:{table()['excluding']})(?: [OA])?$", before)
    if out is None or out[0][:3] in ("NAO", "NEM"):
        return ()
    words.take_places([*places, *range(places[0] - out[0].count(" ") - 1, places[0])])
    return tuple(one.id for one in parsed.people.candidates)


def _plan_filed(words: Words) -> bool | None:
    """Whether those with a plan are meant, or those without; None where a plan is no restriction."""
    if words.take_all(table()["without_plan"]):
        return False
    return True if words.take_all(table()["with_plan"]) else None


def asks_how_many(folded: str) -> bool:
    """Whether a question certainly asks for a number of records: "quantos projetos", "total de candidatos"."""
    things = "|".join([*nouns().values(), "DEPUTADOS|SENADORES|GOVERNADORES|ELEITOS|SUPLENTES", *sorted(acronyms())])
    quantity = r"QUANT[OA]S|Q[NT]*T[OA]S|QTD\w*(?: DE)?|(?:QUANTIDADE|TOTAL|CONTAGEM|NUMERO TOTAL)(?: GERAL)? D[EOA]S?"
    return re.search(rf"\b(?:{quantity}) (?:[A-Z]+ )?(?:{things})S?\b", folded) is not None


def _clauses(parsed: ParsedQuery, asking: Asking) -> Iterator[tuple[int, Words]]:
    """What is counted, cut before each further "quantos": other sentences lend their names and places only."""
    words = parsed.words
    starts = [at for at, (form, _) in enumerate(words) if re.fullmatch(table()["how_many"], form) and form[0] in "QC"]
    counting = {_sentence(parsed, at) for at in starts} or {_sentence(parsed, at) for at in range(len(words))}
    kept = [at for at in range(len(words)) if _sentence(parsed, at) in counting or _restricts(*words[at], asking)]
    more = [at for at in parsed.sentences[1:] if _goes_on(parsed, at) and starts and at > starts[0]]
    for start, end in pairwise([-1, *sorted({*starts[1:], *more}), len(words)]):
        inside = [at for at in kept if start <= at < end] if start not in more else [*range(start, end)]
        if inside:
            place = {at: own for own, at in enumerate(inside)}
            named = [
                replace(one, at=place[one.at], end=place[one.end - 1] + 1)
                for one in parsed.named
                if one.at in place and one.end - 1 in place
            ]
            pauses = {place[at] for at in parsed.pauses if at in place}
            yield start, Words([words[at] for at in inside], named, pauses)


def _restricts(form: str, tag: str, asking: Asking) -> bool:
    """Whether a word of another sentence may restrict what this one counts."""
    slot = tag in RESTRICTING and not (tag == "TOPIC" and form in asking.around)
    return slot or re.match(table()["restricting"], form) is not None


def _goes_on(parsed: ParsedQuery, start: int) -> bool:
    """Whether a sentence asks the same of another party, UF or office: "E o MDB?"."""
    end = next((at for at in parsed.sentences if at > start), len(parsed.words))
    inside = {at for one in parsed.named for at in range(one.at, one.end)}
    inside |= {at for at, (_, tag) in enumerate(parsed.words) if tag == "PERSON"}
    rest = [parsed.words[at][0] for at in range(start, end) if at not in inside]
    return rest[:1] == ["E"] and len(rest) < end - start and all(len(form) <= 3 for form in rest)


def _sentence(parsed: ParsedQuery, at: int) -> int:
    return sum(start <= at for start in parsed.sentences)


def _wish(
    words: Words, parsed: ParsedQuery, scope: SearchFilter, asking: Asking, topic_named: TopicNamed,
    before: Wish | None,
) -> Wish | tuple[str, ...]:  # fmt: skip
    """The count of one clause, or the words that keep it from being one."""
    first = words.find(table()["how_many"])
    start = first.start if first else 0
    words.take_all(table()["how_many"])
    words.take_all(table()["stored"])
    by, text = grouped_by(words), words.text
    plan = _plan_filed(words) if _is_of_people(words) else None
    but_types = _kinds_left_out(words)
    goes_on = first is None and before is not None
    types = (
        before.types if before is not None and goes_on else types_named(words, somebody=bool(parsed.people.candidates))
    )
    noun = _noun(words, types, before)
    if (noun in ("candidates", "parties") and untold(text)) or (plan is not None and noun != "candidates"):
        return (MISREAD,)
    if noun is None or not is_clear(words, noun, bool(parsed.people.candidates)) or _is_beside(text, types):
        return (MISREAD,)
    wish = _restricted(Wish(noun, scope, types, by=by, but_types=but_types, has_plan=plan), words, parsed, scope)
    if wish is not None and noun == "candidates" and before is None:
        wish = _candidacies(wish, words, text, start, asking)
    left = [word for word in words.left(asking, start) if word not in OF_TOPIC]
    if noun == "parties" and wish is not None and wish.standing.results == LOST:
        wish = None  # a party of which nobody was elected is not one of which somebody was not
    if wish is None:
        return tuple(left) or (MISREAD,)
    if left and noun in ("bills", "authors") and not any(re.match(table()["restricting"], word) for word in left):
        topic = topic_named(left) if all(analyze(word) for word in left) else None
        return replace(wish, topic=topic) if topic else tuple(left)
    if left:
        return tuple(left)
    says_more = re.search(rf"{table()['candidacy']}|\bTOTAL\b|\bTODO\b", text) is not None
    bare = wish.standing == Standing() and not says_more  # "e quantos pelo MDB?"
    same = goes_on or bare or OF_FIRST.search(text) is not None
    return _inherited(wish, before, same) if before is not None else wish


def _is_of_people(words: Words) -> bool:
    """Whether candidates or an office are named before any plan."""
    plan, people = words.find(nouns()["plans"]), words.find(nouns()["candidates"])
    office = words.tags.index("OFFICE") if "OFFICE" in words.tags else len(words.tags)
    return plan is not None and min(office, people.start if people else office) < plan.start


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


def _candidacies(wish: Wish, words: Words, text: str, start: int, asking: Asking) -> Wish | None:
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


def _restricted(wish: Wish, words: Words, parsed: ParsedQuery, scope: SearchFilter) -> Wish | None:
    """The wish with the UFs, parties, offices, years and standing that the words name; None where they clash."""
    of_bills, of_people = wish.noun in OF_BILLS, wish.noun in ("candidates", "parties")
    standing = take_standing(words, parsed.scope.offices) if of_people else Standing()
    words.take_all("(?:PRESIDENCIA DA )?REPUBLICA DO BRASIL|PRESIDENTE DO BRASIL")
    but = _left_out(words) if of_people or wish.noun == "plans" else SearchFilter()
    if not of_bills:
        words.take_all(table()["newest"])
    years = periods(words.take)
    if standing is None or years is None or (parsed.people.unknown and "PERSON" in words.tags):
        return None
    own = _slots(words, words.named, wish.noun)
    if of_bills and own.offices and "CANDIDAT" not in words.text:
        if set(own.offices) not in (DEPUTY, {"DEPUTADO FEDERAL"}):
            return None
        own = replace(own, offices=())  # whoever signs a bill of the Câmara is a federal deputy
    if wish.noun == "mandates" and not own.is_empty:
        return None
    merged = united(scope, replace(own, years=() if of_bills else years.listed))
    if merged is None or (of_bills and years.of_elections):
        return None
    _take_beside(words, wish.noun)
    numbers = parsed.numbers if of_people else ()
    words.take_places([at for at, form in enumerate(words.forms) if form.isdigit() and int(form) in numbers])
    return replace(
        wish, scope=merged, standing=standing, years=years if of_bills else Years(), numbers=numbers, but=but
    )


def _slots(words: Words, named: Sequence[Named], noun: str) -> SearchFilter:
    """The UFs, parties and offices that some places name, taken."""
    values: dict[str, set[str]] = {name: set() for name in SLOTS.values()}
    for one in named:
        values[SLOTS[one.tag]].update(one.values)
        words.take_places(range(one.at, one.end))
    for state, pattern in table()["places"].items():
        if words.take_all(pattern):
            values["states"].add(state)
    for office, pattern in table()["seats"].items():
        if words.take_all(pattern) and noun not in OF_BILLS:
            values["offices"].add(office)
    return _filter(values)


def _left_out(words: Words) -> SearchFilter:
    """What "exceto", "sem" and the like leave out: the slots of one kind right behind them."""
    out: list[Named] = []
    for at, form in enumerate(words.forms):
        if words.taken[at] or not re.fullmatch(table()["excluding"], form):
            continue
        behind = [one for one in words.named if one.at > at]
        end = at + 1
        for one in behind:
            between = words.forms[end : one.at]
            joined = all(BEFORE_SLOT.fullmatch(form) for form in between)
            if form in ("NAO", "NEM") and not any(OF_SLOT.fullmatch(word) for word in between):
                break
            if not joined or (out and out[-1].tag != one.tag):
                break
            out.append(one)
            end = one.end
        if end > at + 1:
            words.take_places(range(at, end))
    words.named = [one for one in words.named if one not in out]
    return _filter({name: [v for one in out if SLOTS[one.tag] == name for v in one.values] for name in SLOTS.values()})


def _filter(values: Mapping[str, Collection[str]]) -> SearchFilter:
    states, parties, offices = (tuple(sorted(values[name])) for name in ("states", "parties", "offices"))
    return SearchFilter(states=states, parties=parties, offices=offices)


def _kinds_left_out(words: Words) -> tuple[str, ...]:
    """The kinds of bills right behind "exceto", "não" and the like."""
    found: list[str] = []
    for at, form in enumerate(words.forms):
        if re.fullmatch(table()["excluding"], form):
            behind = Words(words.pairs[at + 1 : at + 5])
            kinds = types_named(behind)
            first = behind.taken.index(True) if kinds else 0
            if kinds and all(re.fullmatch("[OA]S?|DE|D[OA]S?|SAO", form) for form in behind.forms[:first]):
                found += kinds
                words.take_places([at, *(at + 1 + place for place, taken in enumerate(behind.taken) if taken)])
    return tuple(found)


def _take_beside(words: Words, noun: str) -> None:
    """Take what stands beside slots and says nothing more: "o partido PT", "a deputada Ana"."""
    for at, form in enumerate(words.forms):
        if HOLDING.fullmatch(form) and "PLACE" in words.tags[at + 1 : at + 3]:
            words.taken[at] = True
        if HEADS.fullmatch(form) and set(words.tags[at + 1 : at + 4]) & {"PARTY", "PLACE", "OFFICE"}:
            words.taken[at] = True
    if noun in OF_BILLS or noun == "plans":
        words.take_all("CANDIDATOS?|DEPUTADOS?|PARLAMENTARES|BANCADAS?")
    words.take("(?:[OA]S )?CANDIDATAS")
    words.take_tags("PERSON")


def _inherited(wish: Wish, before: Wish, same: bool) -> Wish:
    """A second count in the scope of the first, where it names none of its own; of the `same` records, with their result."""
    own, first = wish.scope, before.scope
    scope = replace(
        own,
        states=own.states or first.states,
        parties=own.parties or first.parties,
        offices=own.offices or first.offices,
        years=own.years or first.years,
    )
    same = same and wish.noun == before.noun == "candidates"
    results = wish.standing.results or (before.standing.results if same else ())
    return replace(wish, scope=scope, standing=replace(wish.standing, results=results))


def _shared(found: Sequence[Wish]) -> tuple[Wish, ...]:
    """Counts of which the last one names the UF, office or year of all: "quantos eleitos e quantos suplentes no Acre"."""
    if len(found) < 2:
        return tuple(found)
    last = found[-1]
    told_apart = len({(one.noun, one.types, one.standing, one.scope.parties) for one in found}) == len(found)
    if not told_apart:
        return tuple(found)
    return tuple(
        replace(
            one,
            years=last.years if one.years.is_empty and one.noun == last.noun else one.years,
            topic=one.topic or (last.topic if one.noun == last.noun else None),
            scope=replace(
                one.scope,
                states=one.scope.states or last.scope.states,
                offices=one.scope.offices or last.scope.offices,
                years=one.scope.years or last.scope.years,
            ),
        )
        for one in found
    )


def united(callers: SearchFilter, own: SearchFilter) -> SearchFilter | None:
    """The filter that satisfies both; None where nothing can."""
    merged = {}
    for name in ("states", "parties", "offices", "years"):
        outer, inner = getattr(callers, name), getattr(own, name)
        merged[name] = tuple(value for value in outer if value in inner) if outer and inner else outer or inner
        if outer and inner and not merged[name]:
            return None
    return replace(callers, **merged)

"""What a clause restricts its records to: UFs, parties, offices, years, results, plans, and what it leaves out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from iris_assets.question.clarity import OF_BILLS
from iris_assets.question.clauses import Asking, Words, table
from iris_assets.question.countables import nouns
from iris_assets.question.parsed import Named, ParsedQuery
from iris_assets.store.search import SearchFilter
from iris_assets.words.text import fold

SLOTS: Final = {"PLACE": "states", "PARTY": "parties", "OFFICE": "offices"}
HEADS: Final = re.compile(r"PARTIDOS?|LEGENDA|SIGLA|ESTADOS?|UF|CARGOS?")
HOLDING: Final = re.compile(r"BASE|BANCO|ACERVO|LISTA|DADOS|REGISTROS?")
BEFORE_SLOT: Final = re.compile(
    r"D?[OAE]S?|E|NEM|NAO|OU|EM|N[OA]|PEL[OA]|SAO|SEJAM|FOR|PARTIDO|SER|CONTAR|INCLUIR|CONSIDERAR"
)
LISTED: Final = re.compile(r"E|OU|NEM|O|A|D[OAE]")
OF_SLOT: Final = re.compile(r"D[OAE]S?|PEL[OA]|EM|N[OA]")


def take_slots(words: Words) -> None:
    """Take the slots, and make slots of what names a UF or an office in no list: "piauienses", "a Câmara"."""
    words.take_places([at for one in words.named for at in range(one.at, one.end)])
    for tag, patterns in (("PLACE", table()["places"]), ("OFFICE", table()["seats"])):
        for value, pattern in patterns.items():
            while (places := words.find(pattern)) is not None:
                words.name(places, tag, value)


def left_out(words: Words) -> list[Named]:
    """What "exceto", "sem" and the like leave out, taken: the slots of one kind right behind them."""
    out: list[Named] = []
    for at, form in enumerate(words.forms):
        if not words.taken[at] and re.fullmatch(table()["excluding"], form):
            group = _behind(words, at, needs_of=form in ("NAO", "NEM"))
            words.take_places(range(at, group[-1].end) if group else ())
            out += group
    words.named = [one for one in words.named if one not in out]
    return out


def _behind(words: Words, at: int, *, needs_of: bool) -> list[Named]:
    """The slots of one kind that stand in one list behind a word; `needs_of`: "não são do PT", not "não, PT"."""
    group: list[Named] = []
    end = at + 1
    for one in (one for one in words.named if one.at > at):
        between = words.forms[end : one.at]
        joined = all(BEFORE_SLOT.fullmatch(form) for form in between) and (not group or group[-1].tag == one.tag)
        of = not needs_of or one.tag == "KIND" or any(OF_SLOT.fullmatch(form) for form in between)
        if not (joined and of):
            break
        group.append(one)
        end = one.end
    return group


def filter_of(named: Iterable[Named]) -> SearchFilter:
    """The UFs, parties and offices of some slots."""
    values: dict[str, set[str]] = {name: set() for name in SLOTS.values()}
    for one in named:
        if one.tag in SLOTS:
            values[SLOTS[one.tag]].update(one.values)
    states, parties, offices = (tuple(sorted(values[name])) for name in ("states", "parties", "offices"))
    return SearchFilter(states=states, parties=parties, offices=offices)


def people_left_out(words: Words, parsed: ParsedQuery) -> tuple[int, ...]:
    """The candidates whom "fora o Lula" leaves out, their names taken."""
    out: list[int] = []
    runs = _people_runs(words.tags, words.forms)
    for start, end in runs:
        before = " ".join(words.forms[max(start - 2, 0) : start])
        match = re.search(rf"(?<!\S)(?:{table()['excluding']})(?: [OA])?$", before)
        if match is None or match[0][:3] in ("NAO", "NEM"):
            continue
        words.take_places(range(start - 1 - match[0].count(" "), end))
        names = set(words.forms[start:end])
        every = parsed.people.candidates
        meant = [one.id for one in every if names & set(fold(f"{one.name} {one.ballot_name or ''}").split())]
        out += [one.id for one in every] if len(runs) == 1 else meant  # a misspelt name holds no word of the record
    return tuple(dict.fromkeys(out))


def _people_runs(tags: Sequence[str], forms: Sequence[str]) -> list[tuple[int, int]]:
    """Where people are named in one list: "Lula e Bolsonaro", "a Vera ou o Ciro"."""
    found: list[tuple[int, int]] = []
    for at in (at for at, tag in enumerate(tags) if tag == "PERSON"):
        joined = bool(found) and all(LISTED.fullmatch(form) for form in forms[found[-1][1] : at])
        start = found.pop()[0] if joined else at
        found.append((start, at + 1))
    return found


def plan_filed(words: Words) -> bool | None:
    """Whether those with a plan are meant, or those without; None where a plan is no restriction."""
    if words.take_all(table()["without_plan"]):
        return False
    return True if words.take_all(table()["with_plan"]) else None


def ballot_words(words: Words, left: Sequence[str], asking: Asking) -> tuple[str, ...]:
    """The words that "no nome de urna" asks for: those that are left, where each stands in ballot names."""
    if not re.search(r"\bN[OA]S? NOMES?\b|\bNOMES? DE URNA\b", words.text):
        return ()
    found = [asking.ballot_word(form) for form in left]
    return tuple(sorted({word for word in found if word})) if all(found) else ()


def is_of_people(words: Words) -> bool:
    """Whether candidates or an office are named before any plan."""
    plan, people = words.find(nouns()["plans"]), words.find(nouns()["candidates"])
    office = words.tags.index("OFFICE") if "OFFICE" in words.tags else len(words.tags)
    return plan is not None and min(office, people.start if people else office) < plan.start


def take_beside(words: Words, noun: str) -> None:
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


def united(callers: SearchFilter, own: SearchFilter) -> SearchFilter | None:
    """The filter that satisfies both; None where nothing can."""
    merged = {}
    for name in ("states", "parties", "offices", "years"):
        outer, inner = getattr(callers, name), getattr(own, name)
        merged[name] = tuple(value for value in outer if value in inner) if outer and inner else outer or inner
        if outer and inner and not merged[name]:
            return None
    return replace(callers, **merged)

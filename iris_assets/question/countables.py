"""What can be counted or grouped by, how a question names it, and what no column of the records tells."""

import re
from functools import cache, lru_cache
from typing import Final, Literal

from iris_assets.question.clauses import Words, table
from iris_assets.question.parsed import ParsedQuery
from iris_assets.words.bill_kinds import acronyms, by_acronym, spelled_out
from iris_assets.words.messages import notice
from iris_assets.words.text import word_set

Noun = Literal["bills", "authors", "candidates", "plans", "mandates", "topics", "parties"]
By = Literal[
    "party", "state", "office", "round_result", "registration_status", "election_year", "type", "year", "topic"
]
NAMED_KINDS: Final = word_set("PL PLP PLV PDL PRC PEC MPV RIC REQ INC")
OF_PARTY: Final = word_set("DO DA DOS DAS PELO PELA NO NA AO O PARTIDO E OU")
UNTOLD_TEXT: Final = notice("UNTOLD")


@cache
def nouns() -> dict[Noun, str]:
    """What can be counted → the pattern of its names, in the order in which it is looked for."""
    return {noun: entry["words"] for noun, entry in table()["nouns"].items()}


def noun_named(parsed: ParsedQuery) -> str:
    """What a count seems to be of; empty where nothing says it."""
    of_people = not parsed.scope.is_empty or re.search(table()["candidacy"], parsed.folded)
    other = "bills" if kinds_named(parsed) else "candidates" if of_people else ""
    found = (noun for noun, words in nouns().items() if re.search(rf"(?<!\S)(?:{words})(?!\S)", parsed.folded))
    named = next(found, other)
    return other if other == "bills" and named not in ("authors", "topics") else named


def counted(noun: str, count: int) -> str:
    """What is counted, as an answer says it: `proposição` for one, `proposições` otherwise."""
    return str(table()["nouns"][noun]["shown"][count != 1])


def grouped_by(words: Words) -> By | None:
    """The column by which a count is asked for; None for one number."""
    return next((by for by, one in table()["groups"].items() if words.take(rf"{table()['grouped']} (?:{one})")), None)


def names_records(folded: str) -> bool:
    """Whether a question names something that the records count."""
    words = Words([(form, "FRAME") for form in folded.split()])
    return any(words.take(pattern) for pattern in nouns().values()) or bool(types_named(words))


def kinds_named(parsed: ParsedQuery) -> tuple[str, ...]:
    """The kinds of bills that a question names; none: all of them."""
    return types_named(Words(parsed.words))


def types_named(words: Words, *, somebody: bool = False) -> tuple[str, ...]:
    """The kinds of bills that the words name, taken and made slots of them; "projetos" alone are all of them.

    Where `somebody` is named, "quantos PL" are bills.
    """
    for pattern, acronym in _spelled_kinds():
        while (places := words.find(pattern)) is not None:
            words.name(places, "KIND", acronym)
    for at, (form, tag) in enumerate(words.pairs):
        # The plural of PL is spelled as the Senate's PLS; the records are the Câmara's.
        one = next((name for name in (form.removesuffix("S"), form) if name in acronyms()), None)
        if one is None or by_acronym()[one].is_word or words.taken[at] or (tag == "PARTY" and one == form and not _is_kind(
            words, at, somebody
        )):  # fmt: skip
            continue
        words.tags[at], words.named = "FRAME", [named for named in words.named if named.at != at]
        words.name(range(at, at + 1), "KIND", by_acronym()[one].acronym)
    return words.values("KIND")


def _is_kind(words: Words, at: int, somebody: bool) -> bool:
    """Whether PL is the kind of bills, though it is a party too: "número de PL", "projetos de lei (só PL)"."""
    before = words.forms[max(at - 2, 0) : at]
    asked = somebody and bool(before) and re.fullmatch(table()["how_many"], before[-1]) is not None
    apposed = words.forms[at] in words.values("KIND") and not OF_PARTY & set(before[-1:])
    return before == ["NUMERO", "DE"] or asked or apposed


@lru_cache(maxsize=1)
def _spelled_kinds() -> tuple[tuple[str, str], ...]:
    """(pattern in folded text, acronym) of the kinds that a name of their own tells apart."""
    return tuple(
        (pattern.upper().replace(r"[\S-]", r"[\s-]"), acronym)
        for pattern, acronym in spelled_out()
        if acronym in NAMED_KINDS
    )


def untold(folded: str) -> str:
    """The sentence for a question about candidates that no column tells; empty for others."""
    folded = re.sub(r"\b(\w+)(?:OS (?:E|OU) \1AS|AS (?:E|OU) \1OS)\b", r"\1OS", folded)  # both sexes are everybody
    what = [name for name, words in table()["untold"].items() if re.search(rf"(?<!\S)(?:{words})(?!\S)", folded)]
    return UNTOLD_TEXT.format(what=" nem ".join(what)) if what else ""

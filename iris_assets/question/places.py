"""Which UFs a question names: by name with any preposition, or by sigla where it is clearly no word."""

import re

from iris_assets.question.unread import TAKEN, Unread
from iris_assets.retrieval.text import normalised, word_set
from iris_assets.ufs import NATIONAL, UF_NAMES

STATE_NAMES = {normalised(name): uf for uf, name in UF_NAMES.items() if uf != NATIONAL}
PLACE = r"(?:(?:ESTADO|UF) (?:D[EOA] )?)?"
# The name of Pará without its accent is a preposition: only after these words is it a place.
BEFORE_PARA = r"(?:D[EO]|NO|PELO)"
# What stands before a sigla that is not set off by its capitals ("no pi", "de SE" in a question in capitals).
BEFORE_SIGLA = word_set("DE DO DA EM NO NA PELO PELA UF ESTADO")


def take_states(unread: Unread) -> tuple[str, ...]:
    """The UFs that the question names, sorted; their words are taken."""
    found = set()
    for name in sorted(STATE_NAMES, key=lambda name: -len(name)):
        if name != "PARA" and unread.take(PLACE + name):
            found.add(STATE_NAMES[name])
    if unread.take(r"ESTADO DO PARA") or unread.take(rf"{BEFORE_PARA} (?P<it>PARA)") or _taken_accented(unread):
        found.add("PA")
    for position in range(len(unread)):
        if unread.form(position) in UF_NAMES and _is_sigla(unread, position):
            found.add(unread.form(position))
            unread.take_at(position)
            _take_before(unread, position)
    return tuple(sorted(found))


def _take_before(unread: Unread, position: int) -> None:
    """`estado do PI`, `UF: PI`: the words that say that a sigla is one."""
    before = position - 2 if unread.form(position - 1) in ("DE", "DO", "DA") else position - 1
    if unread.form(before) in ("ESTADO", "ESTADOS", "UF"):
        unread.take_at(before)


def _taken_accented(unread: Unread) -> bool:
    places = [i for i in range(len(unread)) if unread.form(i) == "PARA" and unread.raw[i].casefold() == "pará"]
    for place in places:
        unread.take_at(place)
    return bool(places)


def _is_sigla(unread: Unread, position: int) -> bool:
    raw = unread.raw[position]
    if not raw.isascii() or _is_road(unread, position):
        return False
    if unread.capitals_tell and raw.isupper():
        return True
    beside = "/" in unread.gaps[position] or "(" in unread.gaps[position]
    return beside or unread.form(position - 1) in BEFORE_SIGLA or _after_place(unread, position)


def _is_road(unread: Unread, position: int) -> bool:
    """`BR-050`, `PI 140`: the sigla belongs to the number behind it."""
    return re.fullmatch(r"\d{3}", unread.form(position + 1)) is not None


def _after_place(unread: Unread, position: int) -> bool:
    """`df e pi`, `DF, PI`: a sigla right after another one."""
    back = position - 2 if unread.form(position - 1) in ("E", "OU") else position - 1
    return back >= 0 and normalised(unread.raw[back]) in UF_NAMES and unread.form(back) == TAKEN

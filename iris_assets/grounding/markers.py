"""Every form in which a model writes a citation, turned into `[E1]`; what points to nothing is taken out and listed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MARKER = re.compile(r"\[E(\d+)\]")
UNKNOWN = "\ue000"  # stands where a citation of nothing stood

_PREFIX = r"(?:(?:EV|EVID[EÊ]NCIAS?|FONTES?|SOURCES?)\.?:?\s*#?\s*E?|E)\s*"
_NUMBER = r"-?\d{1,6}"
_PAGE = r"\s*[,:]?\s*p(?:[áa]g(?:ina)?s?|p)?\.?\s*\d+(?:\s*[-–]\s*\d+)?"
_TAIL = rf"(?:†[^\]】］]*|{_PAGE})?"
_RANGE = r"\s*(?:[-–—‑‒]|\.\.|\ba\b|\bat[eé]\b|\bto\b)\s*"
_JOIN = r"\s*(?:[,;/&+|]|\be\b|\band\b)?\s*"
_ITEM = rf"(?:{_PREFIX})?{_NUMBER}"
_ITEMS = rf"\^?{_ITEM}(?:(?:{_RANGE}|{_JOIN}){_ITEM}(?!\w))*{_TAIL}"
_PREFIXED_ITEMS = rf"{_PREFIX}{_NUMBER}(?:(?:{_RANGE}|{_JOIN}){_ITEM}(?!\w))*"

# Square brackets of any width accept bare numbers; round ones only with the letter, `(1)` numbers a list.
_GROUP = re.compile(
    rf"`*(?:[\[【［〔]\s*(?P<square>{_ITEMS})\s*[\]】］〕]|[(（{{<]\s*(?P<round>{_PREFIXED_ITEMS}{_TAIL})\s*[)）}}>])`*(?:\((?:https?:|#)[^)\s]*\))?",
    re.IGNORECASE,
)
_CUT = re.compile(
    rf"[\[【［]\s*{_PREFIX}(?P<number>-?\d{{0,6}})(?![\d\w]*[\]】］])(?:\s*[,;–—-]\s*(?:E)?\s*$)?", re.IGNORECASE
)
_PARTS = re.compile(rf"(?P<first>{_ITEM})(?:{_RANGE}(?P<last>{_ITEM}))?", re.IGNORECASE)
_BETWEEN = re.compile(r"\[E(\d+)\](?: ?[-–—] ?| (?:a|até) )\[E(\d+)\]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), 0xFF25, 0xFF45)}  # ０–９, Ｅ, ｅ
_NESTED = re.compile(r"[\[(]\s*\[(E\d+)\]\s*[\])]")
_BARE = re.compile(r"(?<![\w\[/.-])E(\d{1,3})(?![\w\]/-])")
# A bracketed plain number above this is a year or an amount, not a citation.
_LARGEST_BARE = 999
_LONGEST_RANGE = 200


@dataclass(frozen=True, slots=True)
class Normalised:
    """Text whose only citations are `[En]` of known evidences; `unknown` lists what gave way to UNKNOWN, as written."""

    text: str
    unknown: tuple[str, ...]


def normalise_citations(text: str, known: Sequence[str]) -> Normalised:
    """Rewrite all citation forms in `text`; `known` are the evidence ids ("E1", …)."""
    ids = frozenset(known)
    unknown: list[str] = []

    def rewrite(match: re.Match[str]) -> str:
        inside = match["square"] or match["round"]
        if _is_plain_number(inside):
            return match[0]
        return "".join(_markers(part, ids, unknown) for part in _expand(inside))

    def rewrite_cut(match: re.Match[str]) -> str:
        return _markers([_completed(match["number"], ids)], ids, unknown)

    text = _NESTED.sub(r"[\1]", _GROUP.sub(rewrite, text.translate(_FULL_WIDTH)))
    text = _BETWEEN.sub(lambda match: "".join(_markers(_range(match), ids, unknown)), text)
    text = _CUT.sub(rewrite_cut, text)
    text = _BARE.sub(lambda match: f"[E{match[1]}]" if f"E{match[1]}" in ids else match[0], text)
    text = re.sub(rf"\s*{UNKNOWN}(?=\s*\[E\d)|(?<=\])\s*{UNKNOWN}", "", text)
    return Normalised(_without_repeats(text), tuple(unknown))


def cited_ids(text: str) -> list[str]:
    """Evidence ids cited in normalised text, in order of first appearance."""
    return list(dict.fromkeys(f"E{number}" for number in MARKER.findall(text)))


def without_markers(text: str) -> str:
    """Normalised text with each marker blanked by spaces of equal length (positions stay)."""
    return MARKER.sub(lambda match: " " * len(match[0]), text.replace(UNKNOWN, " "))


def _is_plain_number(inside: str) -> bool:
    return inside.strip().isdigit() and int(inside) > _LARGEST_BARE


def _expand(inside: str) -> list[list[str]]:
    """`E1–E3, 5` → [E1 E2 E3], [E5]; a backward or absurd range keeps its two ends."""
    found: list[list[str]] = []
    for part in _PARTS.finditer(re.split(rf"†|{_PAGE}", inside, flags=re.IGNORECASE)[0]):
        first = _number(part["first"])
        last = _number(part["last"]) if part["last"] else first
        ascending = first <= last <= first + _LONGEST_RANGE
        found.append([f"E{n}" for n in (range(first, last + 1) if ascending else (first, last))])
    return found


def _range(match: re.Match[str]) -> list[str]:
    """`[E1]–[E3]` → E1 E2 E3."""
    return _expand(f"E{match[1]}-E{match[2]}")[0]


def _number(item: str) -> int:
    digits = re.search(r"-?\d+$", item)
    return int(digits[0]) if digits else -1


def _completed(number: str, ids: frozenset[str]) -> str:
    """A marker cut before its bracket counts only when no other evidence could have been meant."""
    matching = [known for known in ids if known.startswith(f"E{number}")]
    return f"E{number}" if number and matching == [f"E{number}"] else f"E{number}…"


def _markers(wanted: list[str], ids: frozenset[str], unknown: list[str]) -> str:
    """Markers of the known ids; the unknown ones of a range are listed as one."""
    missing = [item for item in dict.fromkeys(wanted) if item not in ids]
    if missing:
        unknown.append(f"[{missing[0]}]" if len(missing) == 1 else f"[{missing[0]}–{missing[-1]}]")
    return "".join(f"[{item}]" for item in dict.fromkeys(wanted) if item in ids) or UNKNOWN


def _without_repeats(text: str) -> str:
    return re.sub(r"(\[E\d+\])(?:\s*\1)+", r"\1", text)

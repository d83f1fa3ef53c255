"""Repairs that a model proposes, each judged alone: white space and doublings only, and only what the page attests."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from rapidfuzz import fuzz

from iris_assets.articles.blocks import BlockMap
from iris_assets.articles.configuration import Thresholds
from iris_assets.articles.contracts import Repair
from iris_assets.articles.text import undamaged, words

QUOTES: Final = frozenset("\"'“”‘’«»")


class Attested:
    """Which words stand on the page besides the place that a repair is about."""

    def __init__(self, blocks: BlockMap) -> None:
        every = (*blocks.selected, *blocks.others)
        self._of = {block.id: Counter(words(block.text.casefold())) for block in every}
        self._twins = {block.id: (block.id, *block.equivalences) for block in every}
        self._all: Counter[str] = Counter()
        for found in self._of.values():
            self._all.update(found)

    def elsewhere(self, word: str, block: str, *, twins: bool) -> bool:
        """Whether a word stands in another block than this one; its equivalents count only with `twins`."""
        own = (block,) if twins else self._twins[block]
        key = word.casefold()
        return self._all[key] > sum(self._of[name][key] for name in own)


def repaired(
    repairs: Sequence[Repair], texts: Mapping[str, str], attested: Attested, limits: Thresholds
) -> tuple[dict[str, str], tuple[Repair, ...], tuple[str, ...]]:
    """(texts after the valid repairs, those applied, codes of those dropped); an invalid one costs itself only."""
    result, applied, dropped = dict(texts), [], []
    for repair in repairs:
        problem = repair_problem(repair, result.get(repair.id), attested, limits)
        if problem:
            dropped.append(problem)
            continue
        result[repair.id] = result[repair.id].replace(repair.fragment, repair.replacement)
        applied.append(repair)
    return result, tuple(applied), tuple(dropped)


def repair_problem(repair: Repair, text: str | None, attested: Attested, limits: Thresholds) -> str | None:
    """Why a repair must not be applied, as a code; None for a valid one."""
    old, new = repair.fragment, repair.replacement
    if text is None:
        return "REPAIR_UNKNOWN_BLOCK"
    if text.count(old) != 1:
        return "REPAIR_FRAGMENT_AMBIGUOUS"
    if repair.category == "encoding":
        return None if new != old and new == undamaged(old) else "REPAIR_NOT_ENCODING"
    lost, made = _changed(text, text.replace(old, new))
    if _is_untouchable(old + new, [*lost, *made]) or _is_quoted(text, text.index(old)):
        return "REPAIR_UNTOUCHABLE"
    if repair.category == "duplicated_fragment":
        whole = bool(words(new)) and words(old) == words(new) * 2 and new in old
        return None if whole else "REPAIR_CHANGES_TEXT"
    if "".join(old.split()) != "".join(new.split()) or any(c.isspace() and c != " " for c in new):
        return "REPAIR_CHANGES_TEXT"
    if not all(attested.elsewhere(word, repair.id, twins=True) for word in made):
        return "REPAIR_UNATTESTED"
    if lost and all(attested.elsewhere(word, repair.id, twins=False) for word in lost):
        return "REPAIR_UNATTESTED"  # both readings are words of the page: not provably a defect
    return None if fuzz.ratio(old, new) >= limits.repair_similarity else "REPAIR_TOO_DIFFERENT"


def _changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """(words that went, words that came), by whole words: a fragment may begin or end inside one."""
    left, right = Counter(words(before)), Counter(words(after))
    return [*(left - right)], [*(right - left)]


def _is_untouchable(fragments: str, changed: Sequence[str]) -> bool:
    """Numbers, quotation marks, and what is part of a name or cannot be told from one."""
    if QUOTES & set(fragments) or any(character.isnumeric() for character in fragments + "".join(changed)):
        return True
    return any(word[0].isupper() for word in changed)


def _is_quoted(text: str, position: int) -> bool:
    before = text[:position]
    pairs = any(before.count(opening) > before.count(closing) for opening, closing in ("“”", "«»"))
    return pairs or before.count('"') % 2 == 1

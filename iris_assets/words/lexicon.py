"""What the verifier knows about Portuguese words: their roots, synonyms, weights and the senses that they turn."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from iris_assets.words.comparable import fold

_SHORTEST: Final = 3
_LONG: Final = 5  # letters from which a word of a phrase stands for its inflexions
_HEAVY: Final = frozenset({"anca", "ancas", "ao", "aos", "ia", "ida", "ido", "idas", "idos", "era", "ira", "ura", "or"})
_PREFIXED: Final = 8  # letters of the shortest word that is taken for a denied one
GENERAL, VERB = 0.3, 0.6
_VERB: Final = re.compile(
    r"(?:[aei]r(?:a|ao|ia|iam|em|am|emos)?|[aei](?:sse|ssem)|[aei]ndo|[^aeo]ou|[aei]ram|[bcdfgjlmnprstvz][ei]u)$"
)


@dataclass(frozen=True, slots=True)
class Sense:
    """A class of words that turn a sentence's sense; `before`, `after`: how many content words it governs.

    `both`: it governs both sides; else what follows, or what precedes a participle.
    """

    name: str
    before: int
    after: int
    added: bool
    dropped: bool
    both: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word form: `keys` are its root and synonym groups, `weight` 0 says nothing, `kinds` see opposites.txt."""

    form: str
    keys: frozenset[str]
    weight: float
    kinds: frozenset[int]  # 100 × line + column of the table of opposites


@cache
def root(form: str) -> str:
    """The part of a folded word that its derivations and inflexions share: construção, construir → constru."""
    if form.endswith("mente") and len(form) > 8:
        form = form[:-5]
    for ending in _endings():
        shortest = _SHORTEST + (ending in _HEAVY)
        if form.endswith(ending) and len(form) - len(ending) >= shortest:
            form = form[: -len(ending)] + ("u" if ending in ("ucao", "ucoes") else "")
            break
    while len(form) > 4 and form[-1] in "aeio":
        form = form[:-1]
    if form.endswith("duz"):
        return form[:-1]
    return re.sub(r"(?:qu|ç)$", "c", re.sub(r"(?:gu|j)$", "g", form))


@cache
def _endings() -> tuple[str, ...]:
    return tuple(sorted(word_list("endings.txt"), key=lambda ending: (-len(ending), ending)))


@cache
def word(form: str) -> Word:
    """What is known of a folded word form."""
    table = _tables()
    stem = root(form)
    groups = table.groups.get(form) or table.groups.get(stem) or frozenset()
    silent = form in table.empty or stem in table.telling or len(form) < 3
    weight = 0.0 if silent else GENERAL if stem in table.general else VERB if is_verb(form) else 1.0
    kinds = table.kinds.get(form) or table.kinds.get(stem) or frozenset()
    inner = unprefixed(form)
    return Word(form, groups | {stem} | ({root(inner)} if inner else set()), weight, kinds)


def unprefixed(form: str) -> str:
    """`valorizar` of `desvalorizar`; nothing of a word without a denying prefix."""
    return form[3:] if form.startswith("des") and len(form) > _PREFIXED else ""


def is_verb(form: str) -> bool:
    """Whether a word looks like a verb: of those a paraphrase changes more than of nouns."""
    return _VERB.search(form) is not None and form not in word_list("plain.txt", "nouns")


@cache
def senses() -> Mapping[str, Sense]:
    """Every sense class by name."""
    return {sense.name: sense for line in data_lines("senses.txt") if (sense := _sense(line))}


def _sense(line: str) -> Sense:
    name, before, after, added, dropped = line.partition(":")[0].split()
    return Sense(name.rstrip("*+"), int(before), int(after), added == "doubt", dropped == "doubt", "+" in name)


@cache
def phrases(file: str) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """First word → (words or their roots, class) of the phrases of a data file of classes, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, _, entry in _entries(file):
        if " " in entry:
            parts = tuple(part if len(part) < _LONG else root(part) for part in entry.split())
            found.setdefault(parts[0], []).append((parts, name))
    return {first: tuple(sorted(rest, key=lambda item: -len(item[0]))) for first, rest in found.items()}


@cache
def single_words(file: str, form: str) -> tuple[str, ...]:
    """The classes of a data file that a folded word form belongs to."""
    by_form, by_root = _single_words(file)
    return by_form.get(form) or by_root.get(root(form)) or ()


@cache
def _single_words(file: str) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    by_form: dict[str, tuple[str, ...]] = {}
    by_root: dict[str, tuple[str, ...]] = {}
    for name, inflected, entry in _entries(file):
        if " " not in entry:
            by_form[entry] = (*by_form.get(entry, ()), name)
            if inflected and len(root(entry)) > _SHORTEST:
                by_root[root(entry)] = tuple(dict.fromkeys((*by_root.get(root(entry), ()), name)))
    return by_form, by_root


@cache
def _entries(file: str) -> tuple[tuple[str, bool, str], ...]:
    """(class, whether inflected forms belong to it, word or phrase) of a data file of classes."""
    found = []
    for line in data_lines(file):
        head, _, entries = line.partition(":")
        name = head.split()[0]
        for quoted, single in re.findall(r'"([^"]+)"|(\S+)', fold(entries)):
            found.append((name.rstrip("*+"), "*" in name, quoted or single))
    return tuple(found)


@cache
def word_list(file: str, name: str = "") -> frozenset[str]:
    """The folded words of a data file, or of its line `name: …`."""
    lines = [line.partition(":")[2] for line in data_lines(file) if line.startswith(f"{name}:")]
    return frozenset(word for line in (lines if name else data_lines(file)) for word in fold(line).split())


def named_words(name: str) -> frozenset[str]:
    """A list of names.txt."""
    return word_list("names.txt", name)


@cache
def said_by_sources() -> frozenset[str]:
    """Roots of the words by which a sentence tells whose words it gives."""
    return frozenset(map(root, word_list("plain.txt", "says")))


@cache
def pairs(file: str) -> Mapping[str, str]:
    """Key → text of the lines `key: text` of a data file."""
    return {key.strip(): text.strip() for key, _, text in (line.partition(":") for line in data_lines(file))}


def data_lines(file: str) -> Iterator[str]:
    """The lines of a data file without comments."""
    text = (files("iris_assets.words") / "data" / file).read_text(encoding="utf-8")
    return (line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class _Tables:
    groups: Mapping[str, frozenset[str]]
    empty: frozenset[str]
    telling: frozenset[str]
    general: frozenset[str]
    kinds: Mapping[str, frozenset[int]]


@cache
def _tables() -> _Tables:
    return _Tables(
        _groups(),
        word_list("plain.txt", "empty"),
        frozenset(map(root, word_list("plain.txt", "telling"))),
        frozenset(map(root, word_list("plain.txt", "general"))),
        _kinds(),
    )


def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for number, line in enumerate(data_lines("synonyms.txt")):
        for form in fold(line).split():
            for key in (form, root(form)):
                groups.setdefault(key, set()).add(f"#{number}")
    return {key: frozenset(names) for key, names in groups.items()}


def _kinds() -> dict[str, frozenset[int]]:
    kinds: dict[str, set[int]] = {}
    for number, line in enumerate(data_lines("opposites.txt")):
        for column, side in enumerate(line.split("/")):
            for form in fold(side).split():
                for key in (form, root(form)):
                    kinds.setdefault(key, set()).add(100 * number + column)
    return {key: frozenset(places) for key, places in kinds.items()}

"""The candidates of a set of evidences and the names by which a sentence may mean them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.words.comparable import fold
from iris_assets.words.lexicon import named_words

_CAPITAL_RUN = re.compile(r"\b[A-ZÀ-Ý][\wÀ-ÿ'’-]+(?:\s+(?:(?:de|da|do|das|dos|e)\s+)?[A-ZÀ-Ý][\wÀ-ÿ'’-]+)+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A candidate named at a place of a sentence."""

    owner: Owner
    alias: str
    start: int
    end: int


class Register:
    """All candidates of an evidence set and the names by which an answer may mean them."""

    def __init__(self, evidences: Sequence[Evidence]) -> None:
        owners = {owner.key: owner for evidence in evidences for owner in evidence.owners}
        full = {alias: owner for owner in owners.values() for alias in aliases(owner)}
        self._known = _distinctive_words(list(owners.values())) | full
        longest_first = sorted(self._known, key=lambda alias: -len(alias))
        either = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)") if longest_first else None

    def mentions(self, text: str) -> list[Mention]:
        """Candidates named in `text`, in order, the longest name at each place; single words only when capitalised."""
        if self._pattern is None:
            return []
        return [
            Mention(self._known[match[0]], match[0], match.start(), match.end())
            for match in self._pattern.finditer(fold(text))
            if " " in match[0] or text[match.start()].isupper()
        ]

    def masked(self, text: str) -> str:
        """`text` with each named candidate replaced by one word, so that a rule need not know any name."""
        for mention in reversed(self.mentions(text)):
            text = f"{text[: mention.start]}Candidatura{text[mention.end :]}"
        return text


def owners_from_text(title: str, text: str) -> tuple[Owner, ...]:
    """Candidates of an evidence that carries no candidate data: the person of its title."""
    names = _person_names(title.title() if title.isupper() else title)
    return tuple(Owner(fold(name), (name,)) for name in dict.fromkeys(names))


def one_owner_for_each_person(owners: Iterable[Owner]) -> dict[str, Owner]:
    """Key → owner, with owners that are known by name only laid together when one's name shortens the other's.

    `JOÃO ROCHA` and `JOÃO BATISTA ROCHA` are one person when nobody else of the set could be meant.
    """
    by_key = {owner.key: owner for owner in owners}
    merged = dict(by_key)
    for owner in sorted(by_key.values(), key=lambda owner: len(owner.key.split())):
        longer = [other for other in by_key.values() if other.key != owner.key and _shortens(owner, other)]
        if owner.key == fold(owner.names[0]) and len(longer) == 1:
            merged[owner.key] = longer[0]
    bearers: dict[str, list[Owner]] = {}
    for key, owner in merged.items():
        bearers.setdefault(owner.key, []).append(by_key[key])
    names = {key: tuple(dict.fromkeys(name for o in found for name in o.names)) for key, found in bearers.items()}
    return {key: Owner(owner.key, names[owner.key]) for key, owner in merged.items()}


def aliases(owner: Owner) -> list[str]:
    """Full names, and of longer ones first + last and first + second word."""
    found: list[str] = []
    for name in owner.names:
        words = _words(name)
        found.append(" ".join(fold(name).split()))
        if len(words) >= 3:
            found += [f"{words[0]} {words[-1]}", f"{words[0]} {words[1]}"]
    return [alias for alias in dict.fromkeys(found) if alias]


def _words(name: str) -> list[str]:
    return [word for word in fold(name).split() if word not in named_words("particles")]


def _person_names(text: str) -> list[str]:
    """Runs of capitalised words that may name a person (institutions and places with their words left out)."""
    leading = named_words("titles") | named_words("institutional") | named_words("particles")
    names = []
    for match in _CAPITAL_RUN.finditer(text):
        words = match[0].split()
        while words and fold(words[0]) in leading:
            words = words[1:]
        if len(words) >= 2 and not any(fold(word) in named_words("institutional") for word in words):
            names.append(" ".join(words))
    return names


def _shortens(short: Owner, long: Owner) -> bool:
    """Whether every word of a name of two words or more is in the other's, both beginning alike."""
    words, others = _words(short.names[0]), [_words(name) for name in long.names]
    return len(words) >= 2 and any(set(words) <= set(other) and words[0] == other[0] for other in others)


def _distinctive_words(owners: list[Owner]) -> dict[str, Owner]:
    """Single name words that only one of the candidates bears."""
    no_names = named_words("titles") | named_words("institutional")
    bearers: dict[str, dict[str, Owner]] = {}
    for owner in owners:
        for word in {word for name in owner.names for word in _words(name)} - no_names:
            if len(word) >= 3:
                bearers.setdefault(word, {})[owner.key] = owner
    return {word: next(iter(found.values())) for word, found in bearers.items() if len(found) == 1}

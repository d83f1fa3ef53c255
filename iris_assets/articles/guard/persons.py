"""The forms in which a text may name a person of the records."""

from dataclasses import dataclass
from functools import lru_cache

from iris_assets.words.press import press_words
from iris_assets.words.text import fold_any_script

PARTICLES = frozenset(("de", "da", "do", "das", "dos", "d", "e"))
SHORTEST_CIVIL = 3  # words from which a civil name alone tells somebody apart


@dataclass(frozen=True, slots=True)
class Form:
    """How a text names a person: `alone` when the name may stand without support, `whole` for a whole civil name."""

    alone: bool
    whole: bool = False


@dataclass(frozen=True, slots=True)
class NameForms:
    """The folded names of a person, without particles, and the words that they hold."""

    civil: tuple[str, ...]
    called: frozenset[tuple[str, ...]]
    pool: frozenset[str]
    odd: tuple[tuple[str, ...], ...] = ()  # names with signs or numbers in them, which no run of words holds

    def form_of(self, words: tuple[str, ...]) -> Form | None:
        """How these words name the person, None when they name somebody else or nobody."""
        if not words or not set(words) <= self.pool or self._drops_generation(words):
            return None
        if words == self.civil:
            return Form(len(words) > 1, len(words) >= SHORTEST_CIVIL)
        if words in self.called:
            return Form(len(words) > 1)
        if (
            len(words) == 1
            or len(set(words)) < len(words)
            or words[0] not in {name[0] for name in (self.civil, *self.called)}
        ):
            return None
        last = {name[-1] for name in (self.civil, *self.called)}
        return Form(words[-1] in last, len(words) > SHORTEST_CIVIL)

    def _drops_generation(self, words: tuple[str, ...]) -> bool:
        """`João Leite` is the father where everybody calls the candidate `João Leite Filho`."""
        told = [name for name in self.called if name[-1] in _GENERATIONS]
        return bool(told) and words not in self.called and not set(words) & _GENERATIONS

    def begins_with(self, words: tuple[str, ...]) -> bool:
        """Whether the words hold a whole name of the person beside others: `Ana Lima Pereira`, `Rua Ana Lima`."""
        names = (self.civil, *self.called)
        return any(words[i : i + len(name)] == name for name in names for i in range(len(words)))


_GENERATIONS = frozenset(fold_any_script(word) for word in press_words().generation)


@lru_cache(maxsize=256)
def name_forms(names: tuple[str, ...], ballot: str) -> NameForms:
    """The forms of a person; a ballot name counts without its titles too (`PROFESSOR NILSON`)."""
    civil = _split(names[0])
    spelled = [_split(name) for name in (*names[1:], ballot) if name]
    titles = {fold_any_script(word) for word in press_words().titles}
    bare = [tuple(word for word in name if word not in titles) for name in spelled]
    called = frozenset(name for name in (*spelled, *bare, *map(_shortened, bare)) if name)
    odd = tuple(_split(name) for name in (*names, ballot) if any(not (c.isalpha() or c in " '’.-") for c in name))
    return NameForms(civil, called, frozenset(civil).union(*called), tuple(name for name in odd if len(name) > 1))


def _shortened(name: tuple[str, ...]) -> tuple[str, ...]:
    """The first two words of a long ballot name; of one that ends in `Filho` nothing less than all."""
    return name[:2] if len(name) > 2 and name[-1] not in _GENERATIONS else ()


def _split(name: str) -> tuple[str, ...]:
    return tuple(word for word in fold_any_script(name).split() if word not in PARTICLES)

"""Where a text names a person: runs of capitalised words compared with the person's names."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from iris_assets.articles.guard.persons import PARTICLES, Form, NameForms
from iris_assets.articles.guard.tokens import Token, tokens
from iris_assets.articles.text import sentences
from iris_assets.ufs import UF_NAMES
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties
from iris_assets.words.press import press_words
from iris_assets.words.text import fold_any_script

_LEADING = frozenset(fold_any_script(word) for word in press_words().titles | press_words().political)
_PLAIN = frozenset(fold_any_script(word) for word in press_words().plain | press_words().preposition)
_GAPS = frozenset((" ", "'", "’", "-", ". ", "\u00a0"))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a sentence; `form` is None where the name is part of a longer one, another person's or a thing's."""

    sentence: str
    start: int
    end: int
    words: tuple[str, ...]
    form: Form | None


def mentions(text: str, forms: NameForms) -> Iterator[Mention]:
    """Every place where the text names the person or a longer name that holds a whole one of theirs."""
    for sentence in sentences(text):
        found = tokens(sentence)
        if not forms.pool & {token.key for token in found}:
            continue
        whole = (forms.civil, *forms.called) if sentence.isupper() else forms.odd
        runs = list(_spelled_out(found, whole))
        if not runs and not sentence.isupper():
            runs = list(_runs(sentence, found, forms))
        for run in runs:
            yield from _read(sentence, found, run, forms)


def _read(sentence: str, found: Sequence[Token], run: Sequence[Token], forms: NameForms) -> Iterator[Mention]:
    words = _name_words(run)
    form = forms.form_of(words)
    if form is None and forms.begins_with(words):
        rest = _behind_a_phrase(sentence, found, run, forms)
        form, run = (forms.form_of(_name_words(rest)), rest) if rest else (None, run)
        words = _name_words(run)
    if form is not None or forms.begins_with(words):
        yield Mention(sentence, run[0].start, run[-1].end, words, form)


def _name_words(run: Sequence[Token]) -> tuple[str, ...]:
    return tuple(part for token in run for part in token.key.split() if part not in PARTICLES)


def _runs(sentence: str, found: Sequence[Token], forms: NameForms) -> Iterator[Sequence[Token]]:
    """Capitalised words in a row, particles between; parties, UFs, offices and titles are no part of a name."""
    foreign = _no_names(sentence, found, forms)
    run: list[Token] = []
    for place, token in enumerate(found):
        joined = bool(run) and sentence[run[-1].end : token.start] in _GAPS
        following = found[place + 1] if place + 1 < len(found) else None
        if run and joined and _is_particle(run[-1], token, following, forms):
            run.append(token)
            continue
        if run and not (joined and token.capital and token.start not in foreign):
            yield _trimmed(run)
            run = []
        if token.capital and token.start not in foreign and (run or _may_begin(token, place, forms)):
            run.append(token)
    if run:
        yield _trimmed(run)


def _is_particle(before: Token, token: Token, following: Token | None, forms: NameForms) -> bool:
    if token.text not in PARTICLES or following is None or not following.capital:
        return False
    return token.text != "e" or {before.key, following.key} <= forms.pool


def _may_begin(token: Token, place: int, forms: NameForms) -> bool:
    """Titles begin a name only as words of the ballot name; the capital of a sentence makes no name of `Segundo`."""
    if token.key in _LEADING:
        return token.key in forms.pool
    return place > 0 or token.key not in _PLAIN


def _trimmed(run: list[Token]) -> list[Token]:
    while len(run) > 1 and run[-1].text in PARTICLES:
        run.pop()
    return run


def _no_names(sentence: str, found: Sequence[Token], forms: NameForms) -> set[int]:
    """Starts of the words that spell a party, an office or a UF and are no word of the person's names."""
    spans = [(item.start, item.end) for item in find_parties(sentence)]
    spans += [(item.start, item.end) for item in find_offices(sentence)]
    spans += [(token.start, token.end) for token in found if token.text in UF_NAMES or _is_sign(token)]
    keys = [token.key for token in found]
    for name in UF_NAMES.values():
        parts = fold_any_script(name).split()
        spans += [
            (found[i].start, found[i + len(parts) - 1].end)
            for i in range(len(keys))
            if keys[i : i + len(parts)] == parts and found[i].capital
        ]
    return {
        token.start
        for token in found
        if token.key not in forms.pool and any(start <= token.start < end for start, end in spans)
    }


def _is_sign(token: Token) -> bool:
    return len(token.text) > 1 and token.text.isupper()


def _spelled_out(found: Sequence[Token], names: Iterable[tuple[str, ...]]) -> Iterator[Sequence[Token]]:
    """Whole names word by word: in a line of capitals nothing else stands out."""
    keys = [token.key for token in found]
    for name in sorted(names, key=len, reverse=True):
        for i in range(len(keys)):
            if len(name) > 1 and tuple(keys[i : i + len(name)]) == name:
                yield found[i : i + len(name)]


def _behind_a_phrase(
    sentence: str, found: Sequence[Token], run: Sequence[Token], forms: NameForms
) -> Sequence[Token] | None:
    """The name at the end of a run that goes on a phrase: `a ministra do Planejamento | Ana Lima`."""
    first = found.index(run[0])
    before = [token.text for token in found[max(first - 2, 0) : first]]
    contracted = before[-1:] and before[-1] in press_words().contraction | press_words().preposition
    if not contracted or len(before) < 2 or not before[0][0].islower():
        return None
    for place in range(1, len(run)):
        if forms.form_of(_name_words(run[place:])):
            return run[place:]
    return None

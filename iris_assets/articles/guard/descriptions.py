"""What a sentence says about the bearer of a name: the phrase before it, the label, the appositions and the predicate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from iris_assets.articles.guard.mentions import Mention
from iris_assets.articles.guard.persons import NameForms
from iris_assets.articles.guard.tokens import Token, tokens
from iris_assets.words.offices import find_offices
from iris_assets.words.press import press_words
from iris_assets.words.text import fold_any_script

BORDERS: Final = frozenset(',;:()[]{}–—“”"«»!?/')
REACH: Final = 14  # words before a name that a phrase may take
APPOSITIONS: Final = 3
# Endings of verbs, adverbs and participles: such a word opens no description of a person.
FINITE: Final = ("ou", "eu", "iu", "ará", "erá", "irá", "ava", "aram", "eram", "iram")
PARTICIPLES: Final = ("ado", "ada", "ido", "ida")
VERBAL: Final = (*FINITE, *PARTICIPLES, "ndo", "mente")


@dataclass(frozen=True, slots=True)
class Description:
    """Words about a person; `label`: a parenthesis; `noun`: the noun of a phrase that names neither power nor the name."""

    text: str
    label: bool = False
    noun: str | None = None


def descriptions(mention: Mention, forms: NameForms) -> Iterator[Description]:
    """Everything that the sentence says of who bears the name, nearest first."""
    if mention.sentence.isupper():  # capitals tell no signs from words: the label alone counts
        yield from (found for found in _behind(mention.sentence[mention.end :], forms, told=True) if found.label)
        return
    before = _before(mention, forms)
    if before:
        yield before
    # Behind an apposition in front of the name the sentence goes on (`a líder do partido, Ana Lima, disse`).
    closed = before is not None and _is_apposed(mention)
    yield from _behind(mention.sentence[mention.end :], forms, told=closed)


def is_power(text: str) -> bool:
    """Whether words name an office or another political role."""
    return bool(find_offices(text)) or any(
        token.text.lower() in press_words().political or token.key in _POLITICAL for token in tokens(text)
    )


_POLITICAL: Final = frozenset(fold_any_script(word) for word in press_words().political)
_PLAIN: Final = frozenset(fold_any_script(word) for word in press_words().plain)
_TITLES: Final = frozenset(fold_any_script(word) for word in press_words().courtesy)


def _before(mention: Mention, forms: NameForms) -> Description | None:
    """The phrase that ends at the name: `a deputada`, `O candidato do Novo à Presidência,`, `Dep.`, `da juíza`."""
    left = mention.sentence[: mention.start].rstrip(" \"'“‘(")
    region = _last_part(left.rstrip(","))
    closed = mention.sentence[mention.end :].lstrip()[:1] in (",", "(")
    if _is_apposed(mention) and not closed and not (region == left.rstrip(",") and is_power(region)):
        return None
    return _phrase(region, tokens(region)[-REACH:], forms)


def _is_apposed(mention: Mention) -> bool:
    return mention.sentence[: mention.start].rstrip(" \"'“‘").endswith(",")


def _last_part(text: str) -> str:
    place = max((text.rfind(border) for border in BORDERS), default=-1)
    return text[place + 1 :]


def _phrase(region: str, found: Sequence[Token], forms: NameForms) -> Description | None:
    """Walk back over `noun (adjective) preposition noun …` to the noun that begins the phrase."""
    words = press_words()
    group, noun = 0, ""
    for place in range(len(found) - 1, -2, -1):
        token = found[place] if place >= 0 else None
        joint = token is None or token.text.lower() in words.determiner | words.preposition | words.contraction
        if not joint:
            group += 1
            continue
        head = found[place + 1 : place + 1 + group]
        if group and not _is_group(head):
            return _noun(region, found, noun, forms) if noun else None
        if (group and head[0].text[0].islower()) or (token is None and group):
            text = region[head[0].start :]
            if is_power(region[head[0].start : head[-1].end]) or head[0].key in _TITLES:
                return Description(_widened(region, found, place, text))
            noun = noun or head[0].text
        if token is None or not _goes_on(found, place, group):
            break
        group = 0
    return _noun(region, found, noun, forms) if noun and token is not None else None


def _is_group(head: Sequence[Token]) -> bool:
    """A noun with adjectives; a small letter behind a capital is a verb (`do Rio recebeu`)."""
    if any(token.text.endswith(FINITE) for token in head[1:]):
        return False
    return not any(left.capital and not right.capital for left, right in pairwise(head))


def _goes_on(found: Sequence[Token], place: int, group: int) -> bool:
    """Whether the joint may belong to a longer phrase: `do`, `de`, `à`; an article but `a`, which may be one, begins it."""
    return bool(group) and place > 0 and found[place].text.lower() not in press_words().determiner - {"a"}


def _widened(region: str, found: Sequence[Token], place: int, text: str) -> str:
    """With what says that the office is sought or past: `ex-deputada`, `candidata do PSX a deputada`."""
    words = press_words()
    if place >= 0 and found[place].key in words.former:
        return region[found[place].start :]
    joints = words.determiner | words.preposition | words.contraction | {"reeleição"}
    for start in range(place, -1, -1):
        if found[start].key.startswith(_SEEKERS):
            return region[found[start].start :]
        if not found[start].capital and found[start].text not in joints:
            break
    return text


_SEEKERS: Final = ("candidat", "pre candidat", "postulante")


def _noun(region: str, found: Sequence[Token], noun: str, forms: NameForms) -> Description | None:
    key = fold_any_script(noun)
    if key in _PLAIN or key in forms.pool:
        return None
    return Description(region, noun=noun)


def _behind(rest: str, forms: NameForms, *, told: bool) -> Iterator[Description]:
    """Parenthesis, appositions and predicate behind the name; `told`: an apposition came already."""
    for _ in range(APPOSITIONS):
        rest = rest.lstrip(" )\"'”’")
        if rest.startswith("("):
            inside, _, rest = rest[1:].partition(")")
            yield Description(inside, label=True)
            told = True
            continue
        if rest[:1] and rest[:1] in ",–—-|":
            part, rest = _cut(rest[1:])
            found = _apposition(part.strip(), forms)
            # Behind a first apposition a bare word is the verb of the sentence (`Ana Lima, do PT, promete`).
            if found and not (told and found.noun):
                yield found
            if not found and not _is_aside(part):
                return
            told = told or found is not None
            continue
        yield from _predicate(rest, forms)
        return


def _cut(text: str) -> tuple[str, str]:
    """Up to the next border of an apposition, and the rest from it on."""
    places = [
        place for border in (",", " – ", " — ", " - ", "(", ";", ".", ":", "|") if (place := text.find(border)) > 0
    ]
    place = min(places, default=len(text))
    return text[:place], text[place:]


def _is_aside(part: str) -> bool:
    """An age or another number, behind which the apposition goes on."""
    return any(token.text.isdigit() for token in tokens(part)[:2])


def _apposition(part: str, forms: NameForms) -> Description | None:
    found = tokens(part)
    if not found:
        return None
    first = found[0].text.lower()
    if first in press_words().determiner and len(found) > 1:
        return _described(part, found[1], forms, sure=True)
    if first in press_words().contraction | {"de"}:
        return Description(_clause(part))
    return _described(part, found[0], forms, sure=False)


def _described(part: str, head: Token, forms: NameForms, *, sure: bool) -> Description | None:
    clause = _clause(part)
    if _is_role(clause, head) or (head.text.isupper() and len(head.text) > 1) or head.key in _TITLES:
        return Description(clause)
    if head.capital or not head.text.isalpha() or head.key in _PLAIN or head.key in forms.pool:
        return None
    if not sure and (head.text.endswith(VERBAL) or head.text in press_words().preposition):
        return Description(clause) if head.text.endswith(PARTICIPLES) else None
    return Description(clause, noun=head.text)


def _is_role(clause: str, head: Token) -> bool:
    """Whether the phrase's own noun is one of power (`vereadora em Campinas`, not `ao lado do senador`)."""
    return head.key in _POLITICAL or any(item.start <= head.end for item in find_offices(clause))


def _clause(part: str) -> str:
    """A part up to what begins another clause."""
    found = tokens(part)
    for token, following in pairwise((*found, *found[-1:])):
        verb = token.text == "e" and following.text.endswith(FINITE)
        if verb or token.text in ("que", "mas", "quando", "onde", "em"):
            return part[: token.start]
    return part


def _predicate(rest: str, forms: NameForms) -> Iterator[Description]:
    """`é candidata do PSTU`, `do PSTU`, `PT-DF`."""
    found = tokens(rest[:120])
    if not found:
        return
    first = found[0].text
    if first in press_words().copula and len(found) > 1:
        part = _cut(rest[found[0].end :])[0]
        head = found[2] if found[1].text in press_words().determiner and len(found) > 2 else found[1]
        described = _described(part.strip(), head, forms, sure=True)
        joint = head.text in press_words().contraction | press_words().preposition
        if described and not (described.noun and (joint or head.text.endswith(VERBAL))):
            yield described
    elif first in press_words().contraction or (len(first) > 1 and first.isupper()):
        size = 2 if first.isupper() else 3
        yield Description(rest[: found[min(size, len(found)) - 1].end])

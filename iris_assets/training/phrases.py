"""Labelled phrases as the models see them, how they use each word, and the same phrase in another case."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.features import Slots
from iris_assets.question.model import INTENTS
from iris_assets.question.slots import slots_of
from iris_assets.question.tokens import Token, tokenise, within

PHRASES: Final = Path(str(files("iris_assets.question") / "phrases"))
# Who must use a word to ask, for how many different things, and how much more often than for a subject, before it
# restricts no count: in phrases for records, since elsewhere people ask of debates and of what somebody says.
UNMARKED: Final = frozenset(
    {"bill_reference", "quotation", "page", "out_of_scope"}
)  # kinds whose subject is not marked
EVERY: Final = 3  # phrase lends its subject as a question of its own
FRAME_WRITERS, FRAME_INTENTS, FRAME_SHARE = 2, 4, 10
OF_RECORDS, RECORD_INTENTS = frozenset({"count", "registry", "bills", "topics"}), 2


@dataclass(frozen=True)
class Phrase:
    """One labelled phrase as the models see it; `writer` is the file it comes from, `tags` are empty where unknown."""

    writer: str
    text: str
    tokens: list[Token]
    tags: list[str]
    slots: Slots
    intent: str


def read_phrases(files: Iterable[Path]) -> list[Phrase]:
    """The phrases of some files in order; ValueError names the line that is none."""
    found = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                found.append(_phrase(file.stem, json.loads(line)))
            except (KeyError, ValueError) as error:
                raise ValueError(f"{file.name}:{number}: {error}") from error
    return found


def _phrase(writer: str, row: dict[str, Any]) -> Phrase:
    text, tokens = row["text"], tokenise(row["text"])
    tags = tagged(text, tokens, row["spans"]) if "spans" in row else []
    names = row.get("names") or "".join("2" if tag == "PERSON" else "." for tag in tags)
    intent = f"refuse:{row['kind']}" if row["intent"] == "refuse" else row["intent"]
    if intent not in INTENTS:
        raise ValueError(f"unknown intent {intent}")
    slots = slots_of(text, tokens, names)
    tags = [  # what is quoted without quotation marks is a subject like any other
        "TOPIC" if tag == "QUOTE" and "Q" not in slot else tag for tag, slot in zip(tags, slots, strict=False)
    ]
    return Phrase(writer, text, tokens, tags, slots, intent)


def tagged(text: str, tokens: Sequence[Token], spans: dict[str, list[str]]) -> list[str]:
    """One tag a word; a span that the text does not hold is a ValueError."""
    tags = ["FRAME"] * len(tokens)
    for kind, values in spans.items():
        after = 0
        for value in values:
            start = text.find(value, after)
            start = text.find(value) if start < 0 else start
            if start < 0:
                raise ValueError(f"no {value!r} in the text")
            after = start + len(value)
            for at in within(tokens, (start, after)) or _touching(tokens, start, after):
                tags[at] = kind.upper()
    return tags


def _touching(tokens: Sequence[Token], start: int, end: int) -> range:
    """The words that a span cuts into ("22" of "em22")."""
    inside = [at for at, token in enumerate(tokens) if token.start < end and start < token.end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def untold(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases with no tag ("") at words whose tag their labels do not tell.

    Beside a bill's number, of a vote or a film the subject was not marked: there a word that no other phrase uses to
    ask about a marked subject may be one.
    """
    asking = {
        token.form
        for phrase in phrases
        if "TOPIC" in phrase.tags
        for token, tag in zip(phrase.tokens, phrase.tags, strict=True)
        if tag == "FRAME"
    }
    return [
        replace(phrase, tags=_told(phrase, asking))
        if phrase.intent in UNMARKED and "TOPIC" not in phrase.tags
        else phrase
        for phrase in phrases
    ]


def _told(phrase: Phrase, asking: Collection[str]) -> list[str]:
    return [
        "" if tag == "FRAME" and token.form not in asking and analyze(token.raw) else tag
        for token, tag in zip(phrase.tokens, phrase.tags, strict=False)
    ]


def without_names(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases that name people once more, as a store reads them that does not hold these people."""
    return [
        replace(
            phrase, slots=[frozenset(mark for mark in slot if not mark.startswith("NAME")) for slot in phrase.slots]
        )
        for phrase in phrases
        if "PERSON" in phrase.tags
    ]


def subjects_alone(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The subjects of phrases as the whole question: what people type who search by words."""
    found: dict[str, Phrase] = {}
    for phrase in phrases[::EVERY]:
        for tag, run in groupby(zip(phrase.tags, phrase.tokens, strict=False), key=itemgetter(0)):
            tokens = [token for _, token in run]
            text = phrase.text[tokens[0].start : tokens[-1].end]
            if tag == "TOPIC" and text not in found:
                words = tokenise(text)
                found[text] = Phrase(phrase.writer, text, words, ["TOPIC"] * len(words), slots_of(text, words), "plan")
    return list(found.values())


def in_case(phrase: Phrase, *, upper: bool) -> Phrase:
    """The phrase in capitals or in small letters, as others type it."""
    tokens = [replace(token, raw=token.raw.upper() if upper else token.raw.lower()) for token in phrase.tokens]
    sigla = "SIGLA" if upper else "sigla"
    slots = [frozenset(sigla if mark.upper() == "SIGLA" else mark for mark in slot) for slot in phrase.slots]
    return replace(phrase, tokens=tokens, slots=slots)


class Uses:
    """How phrases use each word: always, never or sometimes to ask; a writer's own phrases can be left out of it."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._counts: defaultdict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
        for phrase in phrases:
            for token, tag in zip(phrase.tokens, phrase.tags, strict=False):
                if tag:
                    self._counts[phrase.writer][token.form, tag == "FRAME"] += 1
        self._known: dict[str | None, dict[str, str]] = {}

    def without(self, writer: str | None) -> dict[str, str]:
        """Word → use, seen without the writer's phrases."""
        if writer not in self._known:
            total: Counter[tuple[str, bool]] = Counter()
            for other, counts in self._counts.items():
                if other != writer:
                    total.update(counts)
            words = {form for form, _ in total}
            self._known[writer] = {form: _use(total[form, True], total[form, False]) for form in sorted(words)}
        return self._known[writer]


def _use(asking: int, other: int) -> str:
    share = asking / (asking + other)
    return f"{'one' if asking + other == 1 else 'more'}{0 if share < 0.1 else 2 if share > 0.9 else 1}"


def frame_words(phrases: Sequence[Phrase]) -> frozenset[str]:
    """Words of any question for records: several writers use them to ask, for different things, hardly ever for a subject."""
    uses: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    writers: defaultdict[str, set[str]] = defaultdict(set)
    intents: defaultdict[str, set[str]] = defaultdict(set)
    for phrase in phrases:
        for token, tag in zip(phrase.tokens, phrase.tags, strict=False):
            uses[token.form][tag == "FRAME"] += 1
            if tag == "FRAME":
                intents[token.form].add(phrase.intent)
                if phrase.intent in OF_RECORDS:
                    writers[token.form].add(phrase.writer)
    return frozenset(
        word
        for word, seen in uses.items()
        if seen[True] >= FRAME_SHARE * seen[False]
        and len(writers[word]) >= FRAME_WRITERS
        and len(intents[word]) >= FRAME_INTENTS
        and len(intents[word] & OF_RECORDS) >= RECORD_INTENTS
    )

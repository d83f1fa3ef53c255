"""What a question is about: every word by its chance to belong to the subject, as one text and as its parts."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.parsed import SubjectWord
from iris_assets.question.people import JOINING
from iris_assets.question.tagged import IN_PLACE, LIKELY, NATION, OF, SENTENCE_END, SEPARATORS, UNLIKELY, Tagged
from iris_assets.words.text import word_set

# Chances of a word to belong to the subject: as good as told, worth looking for alone, and as a share of the surest.
EVEN: Final = 0.5
FAIR: Final = 0.03
BESIDE_SURE: Final = 0.2
WITHIN: Final = OF | IN_PLACE | word_set("COM SEM PARA PRA PRO A AO AOS O OS AS UM UMA")  # go on with one subject
INFINITIVE: Final = re.compile(r"[AEI]R$")
LITERAL: Final = 4  # words of a stretch that a text is taken to quote


class WithSubject(Tagged):
    """A tagged question whose subject is told: each word by its chance to belong to it."""

    def _proper_names(self) -> list[tuple[str, ...]]:
        """The capitalised word of the only subject, or the name that is all of it: texts about it spell it out."""
        spans = self._spans("TOPIC")
        if len(spans) != 1 or self.shouts:
            return []
        words = [at for at in range(*spans[0]) if self.tokens[at].form not in OF]
        names = [at for at in words if at and self.tokens[at].raw.istitle()]
        return [tuple(self.tokens[at].form for at in names)] if names and len(names) in (1, len(words)) else []

    def _topic(self, only_tagged: bool) -> str:
        """The words of the subject as the question spells them; a place that is no UF belongs to it."""
        chances = self._subject()
        kept = [tag != "FRAME" and chance > 0 for tag, chance in zip(self.tags, chances, strict=True)]
        if not only_tagged:
            least = LIKELY if any(kept) else UNLIKELY
            kept = [own or chance >= least for own, chance in zip(kept, chances, strict=True)]
            kept = kept if any(kept) else self._of_content(self.known)
        return self._text(kept)

    def _subject(self) -> list[float]:
        """Each word's chance of belonging to the subject, as the tagger and the rules see it."""
        chances = []
        for tag, told, chance, token in zip(self.tags, self.tagged, self.subject, self.tokens, strict=True):
            if tag in ("TOPIC", "QUOTE"):
                chances.append(max(chance, EVEN) if tag == told else 1.0)
            else:
                asks = tag != "FRAME" or token.form in NATION or not analyze(token.raw)
                chances.append(0.0 if asks else chance)
        for span in self._spans("PLACE"):
            if not self._states(span):
                chances[slice(*span)] = [1.0] * (span[1] - span[0])
        likely = [chance >= LIKELY for chance in chances]
        whole = self._whole(likely)
        chances = [
            EVEN if belongs and not own else chance for chance, own, belongs in zip(chances, likely, whole, strict=True)
        ]
        surest = max(chances, default=0.0)
        if surest < UNLIKELY:  # nothing stands out: what no phrase uses to ask counts as much as what comes nearest
            content = self._of_content(self.known)
            chances = [
                max(own, surest or EVEN) if is_content else own
                for own, is_content in zip(chances, content, strict=True)
            ]
            surest = max(chances, default=0.0)
        least = max(FAIR, BESIDE_SURE * surest)
        return [chance if chance >= least else 0.0 for chance in chances]

    def _stretch(self, subject: Sequence[float]) -> str:
        """From the first word of the subject to its last, as a text may hold it word by word; "" for a short one."""
        places = [at for at, chance in enumerate(subject) if chance > 0]
        if not places or places[-1] - places[0] + 1 < LITERAL:
            return ""
        return self.question[self.tokens[places[0]].start : self.tokens[places[-1]].end]

    def _words_of(self, subject: Sequence[float]) -> Iterator[SubjectWord]:
        """The words of the subject by its parts: what verbs alone say belongs to the part beside them."""
        parts: list[list[tuple[str, float]]] = []
        for apart, form, chance in self._told_words(subject):
            if not parts or (apart and not all(INFINITIVE.search(word) for word, _ in parts[-1])):
                parts.append([])
            parts[-1].append((form, chance))
        if len(parts) > 1 and all(INFINITIVE.search(word) for word, _ in parts[-1]):
            parts[-2:] = [parts[-2] + parts[-1]]
        return (SubjectWord(form, chance, at) for at, part in enumerate(parts) for form, chance in part)

    def _told_words(self, subject: Sequence[float]) -> Iterator[tuple[bool, str, float]]:
        """The words of the subject, each with whether a mark, a joining or any other word parts it from the one before."""
        last = -1
        for at, (token, chance) in enumerate(zip(self.tokens, subject, strict=True)):
            if chance <= 0 or token.form in JOINING - WITHIN:
                continue
            between = {self.tokens[place].form for place in range(last + 1, at)} - WITHIN
            gaps = [self._gap(place) for place in range(max(last, 0) + 1, at + 1)]
            marked = any(SEPARATORS.search(gap) or SENTENCE_END.search(gap) for gap in gaps)
            yield last >= 0 and (bool(between) or marked), token.form, chance
            last = at

    def _text(self, kept: Sequence[bool]) -> str:
        """The kept words as the question spells them."""
        parts = [list(group) for own, group in groupby(range(len(kept)), key=kept.__getitem__) if own]
        return " ".join(self.question[self.tokens[part[0]].start : self.tokens[part[-1]].end] for part in parts)

    def _of_content(self, asking: Sequence[bool]) -> list[bool]:
        """For each word whether it is no name and nobody uses it to ask: without another subject it is the subject."""
        return [
            tag == "FRAME" and not asks and not token.form.isdigit() and bool(analyze(token.raw))
            for token, tag, asks in zip(self.tokens, self.tags, asking, strict=True)
        ]

    def _whole(self, kept: list[bool]) -> list[bool]:
        """The subject with what belongs to it: "de base" after "esporte", and the capitals before it, "Fundo Amazônia"."""
        content, whole = self._of_content(self.asking), list(kept)
        for at in range(2, len(whole)):
            if content[at] and whole[at - 2] and self.tokens[at - 1].form == "DE":
                whole[at - 1 : at + 1] = [True, True]
        for at in range(len(whole) - 2, -1, -1):
            end = at + 2 if self.tokens[at + 1].form in OF and at + 2 < len(whole) else at + 1
            named = self.tokens[at].raw.istitle() and self.tokens[end].raw.istitle()
            if content[at] and whole[end] and named and not self._is_kind(at):
                whole[at:end] = [True] * (end - at)
        return whole

"""A question's words with their tags, and the rules that are certain of some: parties, offices, UFs, numbers, names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from iris_assets.question.model import ReaderModel
from iris_assets.question.name_index import NameIndex
from iris_assets.question.people import BESIDE_NAMES, JOINING, is_somebody
from iris_assets.question.references import FoundReferences
from iris_assets.question.slots import SIGLAS, STATES, runs
from iris_assets.question.tokens import Token, within
from iris_assets.store.search import SearchFilter
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties
from iris_assets.words.text import fold, word_set

IN_PLACE: Final = word_set("NO NA EM DO DA DE PELO PELA POR")
OF: Final = word_set("DE DO DA DOS DAS")
NUMBER_WORDS: Final = word_set("NUMERO N NUM URNA")
SENTENCE_END: Final = re.compile(r"[.!?;]|\n|--")
SEPARATORS: Final = re.compile(r"[,;:/|()+&]|\s-\s")
CHANGEABLE: Final = ("FRAME", "REFERENCE", "QUOTE", "NUMBER", "PAGE", "YEAR")
USED_TO_ASK: Final = frozenset({"more1", "more2"})  # uses of words that phrases use to ask, seen more than once
HOUSES: Final = word_set("CAMARA SENADO CONGRESSO")
BEFORE_HOUSES: Final = word_set("A NA DA PRA O NO DO PRO")
ONE_OF: Final = word_set(
    "UM UNS ALGUM ALGUNS NENHUM ESSE ESTE AQUELE DESSE DESTE DAQUELE NESSE NESTE QUAL QUAIS TEM HA EXISTE"
)
YEAR_WORDS: Final = word_set("EM DE DO DA E A ENTRE PARA NO NA")
NATION: Final = word_set("BRASIL PAIS NACAO")
LIKELY: Final = 0.3  # chance from which a word is told to belong to the subject beside others, and alone
UNLIKELY: Final = 0.1
Span = tuple[int, int]  # positions of words


class Tagged:
    """The words of a question with their tags; rules that need no model change these."""

    def __init__(
        self, question: str, tokens: Sequence[Token], tags: Sequence[str], chances: Mapping[str, Sequence[float]], signs: str,
        model: ReaderModel, names: NameIndex, prefer: SearchFilter,
    ) -> None:  # fmt: skip
        self.tagged, self.borne = tags, chances["PERSON"]
        self.subject = [sum(pair) for pair in zip(chances["TOPIC"], chances["QUOTE"], strict=True)]
        self.question, self.tokens, self.tags, self.signs = question, tokens, list(tags), signs
        self.names, self.prefer = names, prefer
        self.uses = [model.uses.get(token.form, "") for token in tokens]
        self.asking = [use.endswith("2") for use in self.uses]
        self.known = [use in USED_TO_ASK for use in self.uses]
        states = [place for place in runs(tokens, STATES) if place[1] - place[0] > 1 or self._is_placed(place[0])]
        self.fixed = {at for start, end, _ in states for at in range(start, end)}
        self._certain()

    def sentences(self) -> tuple[int, ...]:
        """Where each sentence begins."""
        ends = (at for at in range(1, len(self.tokens)) if SENTENCE_END.search(self._gap(at)))
        return (0, *ends)

    def _digits(self, at: int) -> bool:
        return self.tokens[at].form.isdigit() and len(self.tokens[at].form) <= 6

    def _spans(self, tag: str) -> list[Span]:
        """Runs of words with one tag; a comma or the like between two words ends a run."""
        found: list[list[int]] = []
        for at, own in enumerate(self.tags):
            if own != tag:
                continue
            if found and found[-1][-1] == at - 1 and not SEPARATORS.search(self._gap(at)):
                found[-1].append(at)
            else:
                found.append([at])
        return [(run[0], run[-1] + 1) for run in found]

    def _gap(self, at: int) -> str:
        return self.question[self.tokens[at - 1].end : self.tokens[at].start]

    def _words(self, span: Span) -> tuple[str, ...]:
        return tuple(token.form for token in self.tokens[slice(*span)])

    def _retag(self, places: Iterable[int], tag: str, instead_of: Sequence[str] = CHANGEABLE) -> None:
        for place in places:
            if self.tags[place] in instead_of and place not in self.fixed:
                self.tags[place] = tag

    @property
    def folded(self) -> str:
        """The question as folded words, one blank between them."""
        return " ".join(token.form for token in self.tokens)

    @property
    def shouts(self) -> bool:
        """Whether the whole question is in capitals, which then tell nothing."""
        return all(token.raw.isupper() or token.form.isdigit() for token in self.tokens)

    def _is_placed(self, at: int) -> bool:
        return at > 0 and self.tokens[at - 1].form in IN_PLACE and self.tokens[at].form != "PARA"

    def _is_kind(self, at: int) -> bool:
        form = self.tokens[at].form
        return form in acronyms() or form.removesuffix("S") in acronyms()

    def _states(self, span: Span) -> list[str]:
        found = [state for _, _, state in runs(self.tokens[slice(*span)], STATES)]
        return found or [word for word in self._words(span) if word in SIGLAS]

    def refers(self, references: FoundReferences) -> None:
        """What a reference takes is no subject."""
        if references.references:
            rest = set(fold(references.rest).split())
            self._retag([at for at, token in enumerate(self.tokens) if token.form not in rest], "REFERENCE", ("TOPIC",))

    def _certain(self) -> None:
        """Tags that need no model: parties, offices and UFs as texts write them, ballot numbers, candidates' names."""
        for party in find_parties(self.question):
            self._retag(within(self.tokens, (party.start, party.end)), "PARTY")
        for office in find_offices(self.question):
            places = within(self.tokens, (office.start, office.end))
            if [self.tokens[at].form for at in places] not in (["SUPLENTE"], ["SUPLENTES"]):  # of any office: a result
                self._retag(places, "OFFICE")
        for start, end, _ in runs(self.tokens, self.names.own_parties):
            self._retag(range(start, end), "PARTY")
        for start, end, _ in runs(self.tokens, STATES):
            if start in self.fixed:
                self.tags[start:end] = ["PLACE"] * (end - start)
            elif self.tokens[start].form != "PARA":
                self._retag((start,), "PLACE")
        for at, token in enumerate(self.tokens):
            before = self.tokens[at - 1].form if at else ""
            joined = before in JOINING and self.tags[at - 2 : at - 1] == ["PLACE"]  # "no df e pi"
            if token.form in SIGLAS and ((token.raw.isupper() and not self.shouts) or before in IN_PLACE or joined):
                self._retag((at,), "PLACE")
            if token.form.isdigit() and before in NUMBER_WORDS:
                self._retag((at,), "NUMBER")
            if self._names_election(at):
                self._retag((at,), "YEAR", instead_of=("FRAME", "TOPIC", "NUMBER"))
            if token.form == "PLANALTO" or (token.form == "GOVERNO" and self.tags[at + 2 : at + 3] == ["PLACE"]):
                self._retag((at,), "OFFICE")
            capital = self.signs[at] in "12W" and token.raw[0].isupper() and at > 0 and not self.shouts
            misspelt = self.signs[at] == "F" and self.borne[at] >= UNLIKELY
            if capital or misspelt or self.signs[at] == "2" or (self.signs[at] == "W" and not self.asking[at]):
                likely = ("TOPIC",) if capital and self.borne[at] >= UNLIKELY else ()
                self._retag((at,), "PERSON", instead_of=("FRAME", "PLACE", *likely))
            goes_on = at > 0 and self.tags[at - 1] == "PERSON" and token.raw.istitle() and self._gap(at) == " "
            if goes_on and self.tokens[at - 1].raw.istitle() and not self.asking[at]:
                self._retag((at,), "PERSON", instead_of=("FRAME", "TOPIC", "PLACE"))
            titled = self.tags[at - 1 : at] in (["OFFICE"], ["PERSON"]) and self.signs[at] == "2"
            if titled:
                self._retag((at,), "PERSON", instead_of=("TOPIC", "PLACE", "FRAME"))
            beside = at > 1 and self.tags[at - 2] == "PERSON" and before in JOINING
            if beside and self.signs[at] in "1W":
                self._retag((at,), "PERSON", instead_of=("FRAME",))
            joins = [own.form for own in self.tokens[at + 1 : at + 2]] in (["OU"], ["E"], ["X"])
            if joins and self.tags[at + 2 : at + 3] == ["PERSON"] and capital:
                self._retag((at,), "PERSON", instead_of=("FRAME", "TOPIC"))
            if token.form in NATION and self.tags[at] in ("PERSON", "PLACE", "TOPIC"):
                self.tags[at] = "FRAME"
            if token.form in HOUSES and before in BEFORE_HOUSES:
                self._retag((at,), "FRAME", instead_of=("PERSON",))
        for start, end in self._spans("QUOTE"):  # "Keka Bagno"
            if set(self.signs[start:end]) <= set("2") and self.names.names_at(self._words((start, end)), 0):
                self.tags[start:end] = ["PERSON"] * (end - start)
        for start, end in self._spans("TOPIC"):  # a name that is the whole subject: "um resumo sobre Ana Lima"
            of_law = self.tokens[start].form == "LEI" and self.tokens[min(start + 1, end - 1)].form in OF
            start += 2 * of_law  # "lei de Ana Lima", not "Lei Ana Lima"
            whole = set(self.signs[start:end]) <= set("12W" if of_law else "2") and all(
                token.raw[0].isupper() for token in self.tokens[start:end]
            )
            if whole and of_law:
                self.tags[start - 2 : start], self.known[start - 2], self.subject[start - 2] = (
                    ["FRAME", "FRAME"],
                    True,
                    0.0,
                )
            if whole and start and self.tokens[start - 1].form != "LEI":
                self.tags[start:end] = ["PERSON"] * (end - start)
        for start, end in self._spans("PERSON"):
            beside = "TOPIC" in (*self.tags[max(start - 1, 0) : start], *self.tags[end : end + 1])
            common = self.signs[start] == "0" or self.subject[start] >= UNLIKELY
            if end - start == 1 and common and beside and not self.tokens[start].raw[0].isupper():
                self.tags[start] = "TOPIC"  # a common word in small letters, though somebody bears it
            self._cut_name(start, end)
        self._topics_of_scope()
        self._name_things()
        for at, tag in enumerate(self.tags):
            if tag == "PARTY" and self._is_kind(at) and self._is_one_bill(at):
                self.tags[at] = "FRAME"

    def _names_election(self, at: int) -> bool:
        """Whether a number is the year of a stored election that no subject holds: "em 2018", not "a Copa de 2018"."""
        beside = at - 2 if at > 1 and self.tokens[at - 1].form in YEAR_WORDS else at - 1
        of_subject = beside >= 0 and self.tags[beside] in ("TOPIC", "REFERENCE", "QUOTE")
        return self.tokens[at].form in self.names.year_forms and not of_subject

    def _is_one_bill(self, at: int) -> bool:
        """Whether what may be a party or a kind of bills is one: "um PL sobre armas", "o PL das fake news", not "o PL do Acre"."""
        before = [token.form for token in self.tokens[max(at - 2, 0) : at] if token.form not in ("O", "OS")]
        after = self.tokens[at + 1].form if at + 1 < len(self.tokens) else ""
        of_topic = after in OF and self.tags[at + 2 : at + 3] == ["TOPIC"]
        is_told_of = after == "QUE" and at > 0 and self.tokens[at - 1].form == "O"  # "o PL que cria", not "do PL que"
        return bool(before and before[-1] in ONE_OF) or of_topic or is_told_of

    def _cut_name(self, start: int, end: int) -> None:
        """Of a run that is nobody's name the longest beginning that is one; what is no name is the subject."""
        run = self._words((start, end))
        if is_somebody(run, self.names):
            return
        named = not all(token.raw.istitle() for token in self.tokens[start:end])  # else the whole name of a stranger
        size = next((size for size in range(len(run) - 1, 0, -1) if named and is_somebody(run[:size], self.names)), 0)
        rest = run[size:]
        beside = "PERSON" in (*self.tags[:start], *self.tags[end:]) or size > 0
        common = any(self.names.is_ordinary(word) for word in rest if word not in BESIDE_NAMES)
        if (size and set(rest) - BESIDE_NAMES) or common or (beside and len(rest) == 1 and self.names.is_held(rest[0])):
            self.tags[start + size : end] = ["TOPIC"] * (end - start - size)

    def _name_things(self) -> None:
        """A capital inside a sentence names something, and what has a name is a subject."""
        for start, end in pairwise((*self.sentences(), len(self.tokens))):
            inside = range(start + 1, end)
            capitals = [at for at in inside if self.tokens[at].raw[0].isupper()]
            for at in capitals if 2 * len(capitals) <= len(inside) else ():
                self._name_thing(at)

    def _name_thing(self, at: int) -> None:
        if self.asking[at] or self.tokens[at].form in NATION or self._is_kind(at):
            return
        if self.tags[at] == "TOPIC":
            self.subject[at] = 1.0
        self._retag((at,), "PERSON" if self.borne[at] > self.subject[at] else "TOPIC", instead_of=("FRAME",))

    def _topics_of_scope(self) -> None:
        """What follows "sobre" is the subject, whatever else it could be."""
        for at in range(1, len(self.tokens)):
            before = [token.form for token in self.tokens[max(at - 2, 0) : at]]
            starts = self.tags[at] in ("OFFICE", "PARTY", "PLACE") and self.tags[at - 1] != self.tags[at]
            if starts and (before[-1] == "SOBRE" or (before[0] == "SOBRE" and before[-1] in ("O", "A", "OS", "AS"))):
                end = next((to for to in range(at, len(self.tags)) if self.tags[to] != self.tags[at]), len(self.tags))
                self.tags[at:end] = ["TOPIC"] * (end - at)

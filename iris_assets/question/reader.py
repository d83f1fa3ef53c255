"""Reads a question: tags its words, judges its intent, looks its names, places, parties, offices and years up."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from iris_assets.question.countables import names_records
from iris_assets.question.model import TAGS, ReaderModel, shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import CLEAR, SURE, Named, ParsedQuery
from iris_assets.question.people import People, Wanted, find_people
from iris_assets.question.references import FoundReferences, HoldsType, find_references
from iris_assets.question.refusal import refused
from iris_assets.question.second_reading import Model, read_again
from iris_assets.question.slots import STATES, YEAR, office_phrases, party_phrases, runs, slots_of
from iris_assets.question.subject import WithSubject
from iris_assets.question.tagged import SEPARATORS, Span
from iris_assets.question.tokens import MOST_WORDS, Token, quotations, spoken, tokenise
from iris_assets.question.wishes import asks_how_many
from iris_assets.store.search import SearchFilter
from iris_assets.words.parties import party_of, stored_spellings
from iris_assets.words.text import fold, word_set

LAST_ELECTION: Final = re.compile(
    r"\b(?:ULTIMA|PASSADA) ELEICAO\b|\bELEICAO PASSADA\b|\bULTIMAS ELEICOES\b|\bULTIMO PLEITO\b"
)
WITH_PLAN: Final = frozenset({"plan", "every_candidate", "comparison", "summary", "page", "quotation"})
OF_ELECTION: Final = WITH_PLAN | {"registry"}
WITH_BILLS: Final = frozenset({"bills", "history", "topics"})
PARTY_CUES: Final = word_set("O A DO DA PELO PELA NO NA AO PARTIDO E OU")
STANDING: Final = re.compile(r"(?:RE)?ELEIT|(?:IN)?APT[OA]|SUPLENTE|TURNO$|DERROTAD|VENCEDOR")
BALLOT_NAME: Final = re.compile(r"\bNOMES? DE URNA\b")
BARE_PROJECT: Final = re.compile(r"\bprojeto\s+(?:n\S{0,6}\s+)?(\d{1,5}\s*(?:/|de)\s*(?:20)?\d\d\b)", re.IGNORECASE)
NO_FILTER: Final = SearchFilter()


class Reader:
    """Reads questions with one model; `names` are all candidates, of homonyms those come first whom `prefer` leaves."""

    def __init__(
        self,
        names: NameIndex,
        holds_type: HoldsType | None = None,
        prefer: SearchFilter = NO_FILTER,
        model: ReaderModel | None = None,
        is_held: Callable[[int], bool] = lambda year: True,
        second: Model | None = None,
    ) -> None:
        """`is_held` says whether an election has results: "a última eleição" is the newest of those.

        `second` is the language model that reads what the trained one is unsure of.
        """
        self._names, self._holds_type, self._prefer, self._model = names, holds_type, prefer, model or shipped()
        self._is_held, self._second = is_held, second

    def read(self, question: str, intent: str | None = None) -> ParsedQuery:
        """The question read alone, without the ones before it; with the `intent` that its asker chose, unless it is refused."""
        asked, question = question, spoken(question)
        tokens = tokenise(question)[:MOST_WORDS]
        signs = self._names.signs([token.form for token in tokens])
        slots = slots_of(question, tokens, signs)
        references = self._references(question)
        reading = self._reading(question, tokens, signs, references, *self._model.tag(tokens, slots))
        intents = self._model.chances(tokens, reading.tags)
        again = None
        if self._second and not (intent or references.references) and next(iter(intents.values())) < CLEAR:
            again = read_again(question, tokens, self._second)
        if again is not None:
            reading = self._reading(question, tokens, signs, references, again[1], _certain_of(again[1]))
            intents = {again[0]: SURE, **{name: chance for name, chance in intents.items() if name != again[0]}}
        kind = refused(intents, () if again else self._by_sentence(reading))
        chosen = [(intent, 1.0)] if intent else _intents(intents)
        return replace(reading.parsed(chosen, kind, references), question=asked)

    def _references(self, question: str) -> FoundReferences:
        found = find_references(question, self._holds_type)
        if found.references:
            return found  # "o projeto 325 de 2023" is most likely a bill of law
        return find_references(BARE_PROJECT.sub(r"projeto de lei \1", question), self._holds_type)

    def _reading(
        self, question: str, tokens: Sequence[Token], signs: str, references: FoundReferences,
        tags: Sequence[str], chances: Mapping[str, Sequence[float]],
    ) -> "_Reading":  # fmt: skip
        reading = _Reading(question, tokens, tags, chances, signs, self._model, self._names, self._prefer)
        reading.refers(references)
        if LAST_ELECTION.search(reading.folded):
            reading.last_election = next(filter(self._is_held, reversed(self._names.years)), None)
        return reading

    def _by_sentence(self, reading: "_Reading") -> Iterator[dict[str, float]]:
        """The chances of each sentence of a question that has several."""
        starts = reading.sentences()
        for start, end in pairwise((*starts, len(reading.tokens))) if len(starts) > 1 else ():
            if end - start > 1:
                yield self._model.chances(reading.tokens[start:end], reading.tags[start:end])


def _certain_of(tags: Sequence[str]) -> dict[str, list[float]]:
    """The chances of each tag at each word where the tags are certain."""
    return {tag: [float(own == tag) for own in tags] for tag in TAGS}


def _intents(chances: dict[str, float]) -> list[tuple[str, float]]:
    """Chances with the kinds of refusal as one, the most likely first."""
    summed: dict[str, float] = {}
    for name, chance in chances.items():
        kind = name.partition(":")[0]
        summed[kind] = summed.get(kind, 0.0) + chance
    return sorted(summed.items(), key=lambda item: -item[1])


class _Reading(WithSubject):
    """One tagged question being turned into values; `last_election` is the one that it calls the last."""

    last_election: int | None = None

    def parsed(self, intents: list[tuple[str, float]], refused: str | None, references: FoundReferences) -> ParsedQuery:
        (intent, chance), *others = intents
        if refused:
            intent = "refuse"
        elif others and asks_how_many(self.folded):
            intent, chance, others = "count", max(chance, SURE), intents
        elif intent == "refuse":
            (intent, chance), *others = others
        if intent == "count" and self._counts_text():
            intent = "plan"
        if intent in ("count", "registry"):  # what came of a candidature is no subject
            self._retag([at for at, token in enumerate(self.tokens) if STANDING.match(token.form)], "FRAME", ("TOPIC",))
        if intent == "count" and BALLOT_NAME.search(self.folded):  # words that stand in names mean nobody
            self._retag(range(len(self.tags)), "TOPIC", ("PERSON",))
        if intent in ("registry", "history") and "PERSON" not in self.tags:  # it is somebody whom they are about
            borne = [at for at, sign in enumerate(self.signs) if sign in "012W" and not self.asking[at]]
            self._retag(borne, "PERSON", instead_of=("TOPIC", "FRAME"))
        if intent in ("count", "registry"):  # nothing there is about a UF: it restricts
            for start, end, _ in runs(self.tokens, STATES):
                alone = "PERSON" not in (*self.tags[max(start - 1, 0) : start], *self.tags[end : end + 1])
                if alone and self.tokens[start].form != "PARA":
                    self._retag(range(start, end), "PLACE", instead_of=("TOPIC", "PERSON", "FRAME"))
            # "solidariedade e união": one word tells the other
            for start, end, _ in runs(self.tokens, party_phrases()):
                if self._before_party(end):
                    self._retag(range(start, end), "PARTY", instead_of=("FRAME", "TOPIC"))
        if intent == "registry" and chance < SURE and [token.form for token in self.tokens[:2]] == ["O", "QUE"]:
            intent = "plan"  # "o que … diz?" asks for no fact of the registry
        slots = self._named()
        scope, years = self._scope(slots)
        numbers = tuple(
            int(self.tokens[at].form) for at, tag in enumerate(self.tags) if tag == "NUMBER" and self._digits(at)
        )
        unsure = chance < SURE and not names_records(self.folded) and set(years) <= set(self.names.years)
        people = self._people(scope, numbers, years if intent in OF_ELECTION or unsure else (), intent)
        if scope.offices == ("PRESIDENTE",) and scope.states and intent in WITH_PLAN:
            scope = replace(scope, states=())  # a candidate for president belongs to no UF: the place is a subject
            self.tags = ["TOPIC" if tag == "PLACE" else tag for tag in self.tags]
            slots = tuple(one for one in slots if one.tag != "PLACE")
        places = [self._words(span) for span in self._spans("PLACE") if not self._states(span)]
        places += self._proper_names()
        only_tagged = bool(references.references) or intent in ("count", "registry")
        topic = self._topic(only_tagged)
        subject = self._subject()
        searched = topic if only_tagged else self._text([chance > 0 for chance in subject])
        return ParsedQuery(
            self.question, intent, chance, tuple(others[:3]), refused, people, scope, topic, searched,
            tuple(self._words_of(subject)), self._stretch(subject),
            tuple(places), references, tuple(self.question[a:b] for a, b in quotations(self.question)), numbers, years,
            tuple((token.form, tag) for token, tag in zip(self.tokens, self.tags, strict=True)), slots,
            self.sentences(),
            tuple(at for at in range(1, len(self.tokens)) if SEPARATORS.search(self._gap(at))),
        )  # fmt: skip

    def _counts_text(self) -> bool:
        """Whether a count about somebody names nothing that is counted here: "em quantos municípios?" is what a text tells."""
        named = {"OFFICE", "REFERENCE", "NUMBER"} & set(self.tags)
        return "PERSON" in self.tags and not named and not names_records(self.folded)

    def _scope(self, slots: Sequence[Named]) -> tuple[SearchFilter, tuple[int, ...]]:
        states, offices, named = (
            {value for one in slots if one.tag == tag for value in one.values} for tag in ("PLACE", "OFFICE", "PARTY")
        )
        tagged = [self.tokens[at].form for at, tag in enumerate(self.tags) if tag == "YEAR"]
        years = {int(form) for form in tagged if YEAR.fullmatch(form)}
        years |= {self.last_election} if self.last_election else set()
        scope = SearchFilter(states=tuple(sorted(states)), parties=tuple(sorted(named)), offices=tuple(sorted(offices)))
        return scope, tuple(sorted(years))

    def _named(self) -> tuple[Named, ...]:
        """The UFs, parties and offices in the records' words, with their places."""
        found = [Named(*span, "PLACE", tuple(self._states(span))) for span in self._spans("PLACE")]
        found += [Named(*span, "OFFICE", tuple(self._offices(span))) for span in self._spans("OFFICE")]
        found += [
            Named(*span, "PARTY", tuple(self._parties(span, self.names.parties))) for span in self._spans("PARTY")
        ]
        return tuple(sorted((one for one in found if one.values), key=lambda one: one.at))

    def _offices(self, span: Span) -> list[str]:
        return [office for _, _, several in runs(self.tokens[slice(*span)], office_phrases()) for office in several]

    def _parties(self, span: Span, stored: Sequence[str]) -> list[str]:
        tokens = self.tokens[slice(*span)]
        before = self.tokens[span[0] - 1].form if span[0] else ""
        party = party_of(tokens[0].form)
        is_word = party is not None and len(tokens) == 1 and tokens[0].form in map(fold, party.words)
        cued = before in PARTY_CUES or self._before_party(span[1])
        if is_word and tokens[0].raw.islower() and not cued:
            return []  # "pros jovens"
        named = [
            acronym for index in (party_phrases(), self.names.own_parties) for _, _, acronym in runs(tokens, index)
        ]
        return [spelling for acronym in named for spelling in stored_spellings(acronym, stored)]

    def _before_party(self, at: int) -> bool:
        return self.tags[at + 1 : at + 2] == ["PARTY"] and self.tokens[at].form in ("E", "OU")

    def _people(self, scope: SearchFilter, numbers: tuple[int, ...], years: tuple[int, ...], intent: str) -> People:
        own, first = scope, self.prefer
        wanted = Wanted(
            own.states or first.states, own.parties or first.parties, own.offices or first.offices,
            years or first.years, numbers, intent in WITH_PLAN, intent in WITH_BILLS,
        )  # fmt: skip
        return find_people([self._words(span) for span in self._spans("PERSON")], self.names, wanted)

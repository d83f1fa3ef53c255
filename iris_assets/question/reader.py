"""Reads a question: tags its words, judges its intent, looks its names, places, parties, offices and years up."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.countables import names_records
from iris_assets.question.model import ReaderModel, shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import SURE, Named, ParsedQuery, SubjectWord
from iris_assets.question.people import BESIDE_NAMES, JOINING, People, Wanted, find_people, is_somebody
from iris_assets.question.references import FoundReferences, HoldsType, find_references
from iris_assets.question.refusal import refused
from iris_assets.question.slots import SIGLAS, STATES, YEAR, office_phrases, party_phrases, runs, slots_of
from iris_assets.question.tokens import MOST_WORDS, Token, quotations, spoken, tokenise, within
from iris_assets.question.wishes import asks_how_many
from iris_assets.store.search import SearchFilter
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties, party_of, stored_spellings
from iris_assets.words.text import fold, word_set

FOLLOWS_FROM: Final = 0.3  # chance of a follow-up from which the question before it counts
BARE: Final = 3  # words of a question that names nothing ("quantos projetos?")
SHORT: Final = 8  # words of a question that begins with "e"
OWN_KINDS: Final = frozenset({"count", "bills", "history", "registry"})
LAST_ELECTION: Final = re.compile(r"\b(?:ULTIMA|PASSADA) ELEICAO\b|\bELEICAO PASSADA\b|\bULTIMAS ELEICOES\b")
WITH_PLAN: Final = frozenset({"plan", "every_candidate", "comparison", "summary", "page", "quotation"})
OF_ELECTION: Final = WITH_PLAN | {"registry"}
WITH_BILLS: Final = frozenset({"bills", "history", "topics"})
IN_PLACE: Final = word_set("NO NA EM DO DA DE PELO PELA POR")
OF: Final = word_set("DE DO DA DOS DAS")
PARTY_CUES: Final = word_set("O A DO DA PELO PELA NO NA AO PARTIDO E OU")
NUMBER_WORDS: Final = word_set("NUMERO N NUM URNA")
SENTENCE_END: Final = re.compile(r"[.!?;]|\n|--")
SEPARATORS: Final = re.compile(r"[,;:/|()+&]|\s-\s")

CHANGEABLE: Final = ("FRAME", "REFERENCE", "QUOTE", "NUMBER", "PAGE", "YEAR")
STANDING: Final = re.compile(r"(?:RE)?ELEIT|(?:IN)?APT[OA]|SUPLENTE|TURNO$|DERROTAD|VENCEDOR")
BARE_PROJECT: Final = re.compile(r"\bprojeto\s+(?:n\S{0,6}\s+)?(\d{1,5}\s*(?:/|de)\s*(?:20)?\d\d\b)", re.IGNORECASE)
NO_FILTER: Final = SearchFilter()
USED_TO_ASK: Final = frozenset({"more1", "more2"})  # uses of words that phrases use to ask, seen more than once
HOUSES: Final = word_set("CAMARA SENADO CONGRESSO")
BEFORE_HOUSES: Final = word_set("A NA DA PRA O NO DO PRO")
NATION: Final = word_set("BRASIL PAIS NACAO")
# Chances of a word to belong to the subject: as good as told, told beside other words or alone, worth looking for
# alone, and as a share of the surest word's.
EVEN: Final = 0.5
LIKELY: Final = 0.3
UNLIKELY: Final = 0.1
FAIR: Final = 0.03
BESIDE_SURE: Final = 0.2
LITERAL: Final = 4  # words of a stretch that a text is taken to quote
Span = tuple[int, int]  # positions of words


class Reader:
    """Reads questions with one model; `names` are all candidates, of homonyms those come first whom `prefer` leaves."""

    def __init__(
        self,
        names: NameIndex,
        holds_type: HoldsType | None = None,
        prefer: SearchFilter = NO_FILTER,
        model: ReaderModel | None = None,
    ) -> None:
        self._names, self._holds_type, self._prefer, self._model = names, holds_type, prefer, model or shipped()

    def read(self, question: str) -> ParsedQuery:
        """The question read alone, without the ones before it."""
        asked, question = question, spoken(question)
        tokens = tokenise(question)[:MOST_WORDS]
        signs = self._names.signs([token.form for token in tokens])
        slots = slots_of(question, tokens, signs)
        tags, chances = self._model.tag(tokens, slots)
        reading = _Reading(question, tokens, tags, chances, signs, self._model, self._names, self._prefer)
        references = find_references(question, self._holds_type)
        if not references.references:  # "o projeto 325 de 2023" is most likely a bill of law
            references = find_references(BARE_PROJECT.sub(r"projeto de lei \1", question), self._holds_type)
        reading.refers(references)
        intents = self._model.chances(tokens, reading.tags)
        kind = refused(intents, self._by_sentence(reading))
        return replace(reading.parsed(_intents(intents), kind, references), question=asked)

    def _by_sentence(self, reading: "_Reading") -> Iterator[dict[str, float]]:
        """The chances of each sentence of a question that has several."""
        starts = reading.sentences()
        for start, end in pairwise((*starts, len(reading.tokens))) if len(starts) > 1 else ():
            if end - start > 1:
                yield self._model.chances(reading.tokens[start:end], reading.tags[start:end])


def _intents(chances: dict[str, float]) -> list[tuple[str, float]]:
    """Chances with the kinds of refusal as one, the most likely first."""
    summed: dict[str, float] = {}
    for name, chance in chances.items():
        kind = name.partition(":")[0]
        summed[kind] = summed.get(kind, 0.0) + chance
    return sorted(summed.items(), key=lambda item: -item[1])


class _Reading:
    """One tagged question being turned into values."""

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

    def parsed(self, intents: list[tuple[str, float]], refused: str | None, references: FoundReferences) -> ParsedQuery:
        (intent, chance), *others = intents
        if refused:
            intent = "refuse"
        elif asks_how_many(" ".join(token.form for token in self.tokens)):
            intent, chance, others = "count", max(chance, SURE), intents
        elif intent == "refuse":
            (intent, chance), *others = others
        if intent == "count" and self._counts_text():
            intent = "plan"
        if intent in ("count", "registry"):  # what came of a candidature is no subject
            self._retag([at for at, token in enumerate(self.tokens) if STANDING.match(token.form)], "FRAME", ("TOPIC",))
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
        if intent == "registry" and chance < SURE and self.tokens[0].form == "O" and self.tokens[1].form == "QUE":
            intent = "plan"  # "o que … diz?" asks for no fact of the registry
        slots = self._named()
        scope, years = self._scope(slots)
        numbers = tuple(
            int(self.tokens[at].form) for at, tag in enumerate(self.tags) if tag == "NUMBER" and self._digits(at)
        )
        people = self._people(scope, numbers, years if intent in OF_ELECTION else (), intent)
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

    def refers(self, references: FoundReferences) -> None:
        """What a reference takes is no subject."""
        if references.references:
            rest = set(fold(references.rest).split())
            self._retag([at for at, token in enumerate(self.tokens) if token.form not in rest], "REFERENCE", ("TOPIC",))

    def _counts_text(self) -> bool:
        """Whether a count about somebody names nothing that is counted here: "em quantos municípios?" is what a text tells."""
        folded = " ".join(token.form for token in self.tokens)
        named = {"OFFICE", "PARTY", "REFERENCE", "NUMBER"} & set(self.tags)
        return "PERSON" in self.tags and not named and not names_records(folded)

    def _proper_names(self) -> list[tuple[str, ...]]:
        """The capitalised word of the only subject, or the name that is all of it: texts about it spell it out."""
        spans = self._spans("TOPIC")
        if len(spans) != 1 or self.shouts:
            return []
        words = [at for at in range(*spans[0]) if self.tokens[at].form not in OF]
        names = [at for at in words if at and self.tokens[at].raw.istitle()]
        return [tuple(self.tokens[at].form for at in names)] if names and len(names) in (1, len(words)) else []

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

    def _scope(self, slots: Sequence[Named]) -> tuple[SearchFilter, tuple[int, ...]]:
        states, offices, named = (
            {value for one in slots if one.tag == tag for value in one.values} for tag in ("PLACE", "OFFICE", "PARTY")
        )
        tagged = [self.tokens[at].form for at, tag in enumerate(self.tags) if tag == "YEAR"]
        years = {int(form) for form in tagged if YEAR.fullmatch(form)}
        known = self.names.years
        if LAST_ELECTION.search(" ".join(token.form for token in self.tokens)) and known:
            years.add(known[-1])
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
            if token.form in NATION and self.tags[at] in ("PERSON", "PLACE", "TOPIC"):
                self.tags[at] = "FRAME"
            if token.form in HOUSES and before in BEFORE_HOUSES:
                self._retag((at,), "FRAME", instead_of=("PERSON",))
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
            common = self.signs[start] == "0" or self.subject[start] >= LIKELY
            if end - start == 1 and common and beside and not self.tokens[start].raw[0].isupper():
                self.tags[start] = "TOPIC"  # a common word in small letters, though somebody bears it
            self._cut_name(start, end)
        self._topics_of_scope()
        self._name_things()

    def _cut_name(self, start: int, end: int) -> None:
        """Of a run that is nobody's name the longest beginning that is one; what is no name is the subject."""
        run = self._words((start, end))
        if is_somebody(run, self.names):
            return
        if self._goes_on_a_name(start):
            self.tags[start:end] = ["TOPIC"] * (end - start)
            return
        named = not all(token.raw.istitle() for token in self.tokens[start:end])  # else the whole name of a stranger
        size = next((size for size in range(len(run) - 1, 0, -1) if named and is_somebody(run[:size], self.names)), 0)
        rest = run[size:]
        beside = "PERSON" in (*self.tags[:start], *self.tags[end:]) or size > 0
        common = any(self.names.is_ordinary(word) for word in rest if word not in BESIDE_NAMES)
        if (size and set(rest) - BESIDE_NAMES) or common or (beside and len(rest) == 1 and self.names.is_held(rest[0])):
            self.tags[start + size : end] = ["TOPIC"] * (end - start - size)

    def _goes_on_a_name(self, start: int) -> bool:
        """Whether a word ends what has a name: "Dia Nacional do Cristão", not "a proposta do Cristão"."""
        at = start - 2
        return (
            at > 0
            and self.tokens[start - 1].form in OF
            and self.tokens[at].raw.istitle()
            and self.tags[at] in ("FRAME", "TOPIC")
            and not self.asking[at]
        )

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

    def _is_placed(self, at: int) -> bool:
        return at > 0 and self.tokens[at - 1].form in IN_PLACE and self.tokens[at].form != "PARA"

    def _retag(self, places: Iterable[int], tag: str, instead_of: Sequence[str] = CHANGEABLE) -> None:
        for place in places:
            if self.tags[place] in instead_of and place not in self.fixed:
                self.tags[place] = tag

    @property
    def shouts(self) -> bool:
        """Whether the whole question is in capitals, which then tell nothing."""
        return all(token.raw.isupper() or token.form.isdigit() for token in self.tokens)

    def _states(self, span: Span) -> list[str]:
        found = [state for _, _, state in runs(self.tokens[slice(*span)], STATES)]
        return found or [word for word in self._words(span) if word in SIGLAS]

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
        """The words of the subject by its parts: a mark, a joining word or any other word between two ends one."""
        part, last = 0, -1
        for at, (token, chance) in enumerate(zip(self.tokens, subject, strict=True)):
            if token.form in JOINING:
                continue
            between = {self.tokens[place].form for place in range(last + 1, at)}
            apart = between - OF - IN_PLACE or any(
                SEPARATORS.search(self._gap(place)) or SENTENCE_END.search(self._gap(place))
                for place in range(max(last, 0) + 1, at + 1)
            )
            if chance > 0:
                part += bool(apart and last >= 0)
                last = at
                yield SubjectWord(token.form, chance, part)

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

    def _is_kind(self, at: int) -> bool:
        form = self.tokens[at].form
        return form in acronyms() or form.removesuffix("S") in acronyms()


def is_follow_up(parsed: ParsedQuery) -> bool:
    """Whether a question only makes sense after another one: nothing in it stands for a new subject of its own."""
    words = parsed.folded.split()
    short = bool(words) and words[0] == "E" and len(words) <= SHORT
    if (
        len(words) <= BARE
        and not (parsed.topic or parsed.must_hold)
        and parsed.people.is_empty
        and parsed.scope.is_empty
    ):
        return True
    return parsed.intent == "follow_up" or parsed.chance_of("follow_up") >= FOLLOWS_FROM or short


def follow(parsed: ParsedQuery, before: ParsedQuery, people: People) -> ParsedQuery:
    """A follow-up completed by the question before it: its kind, its topic and its people where it has none itself."""
    named, intent = not parsed.people.is_empty or not parsed.scope.is_empty, _followed_intent(parsed, before)
    if intent in ("count", "registry"):
        asked = parsed.after(before) if before.intent in ("count", "registry") else parsed
        return replace(asked, intent=intent, people=parsed.people if named else people)
    return replace(
        parsed,
        intent=intent,
        people=parsed.people if named else people,
        scope=parsed.scope if named else before.scope,
        topic=parsed.topic or before.topic,
        searched=parsed.searched if parsed.topic else before.searched,
        subject=parsed.subject if parsed.topic else before.subject,
        must_hold=parsed.must_hold if parsed.topic else before.must_hold,
        words=(*before.words, *parsed.words),
    )


def _followed_intent(parsed: ParsedQuery, before: ParsedQuery) -> str:
    """A kind that the follow-up names by itself ("e quantos projetos?"), else that of the question before."""
    if parsed.intent in OWN_KINDS:
        return parsed.intent
    own = next((name for name, chance in parsed.others if name in OWN_KINDS and chance >= FOLLOWS_FROM), None)
    return own or (before.intent if before.intent not in ("follow_up", "refuse") else "plan")

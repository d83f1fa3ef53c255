"""Whom a question about the plans of many means: what came of their candidatures, and who is left out."""

from dataclasses import dataclass, field, replace
from typing import Final

from iris_assets.question.clauses import Words, table
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.restrictions import filter_of, left_out, people_left_out
from iris_assets.question.standing import take_standing
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing

OF_MANY: Final = frozenset({"plan", "every_candidate", "comparison"})
OF_TEXTS: Final = ("TOPIC", "QUOTE", "REFERENCE")


@dataclass(frozen=True, slots=True)
class Group:
    """What restricts the candidatures beside a filter: their result, the values and the people left out."""

    standing: Standing = field(default_factory=Standing)
    but: SearchFilter = field(default_factory=SearchFilter)
    people: tuple[CandidateRef, ...] = ()

    @property
    def is_everybody(self) -> bool:
        return self.standing == Standing() and self.but.is_empty and not self.people


def grouped(parsed: ParsedQuery) -> tuple[ParsedQuery, Group]:
    """The question without the people, parties, UFs and offices that it leaves out, and the group that remains.

    Lists and counts read their own restrictions; of people who are named the result is no restriction.
    """
    if parsed.intent == "registry" and parsed.topic and parsed.folded.startswith("O QUE "):
        parsed = replace(parsed, intent="every_candidate")  # "o que diz sobre armas quem foi eleito?"
    if parsed.intent not in OF_MANY or parsed.follows:
        return parsed, Group()
    words = Words(parsed.words, parsed.named, parsed.pauses)
    words.take_tags(*OF_TEXTS)
    out = people_left_out(words, parsed)
    but = left_out(words)
    people = tuple(one for one in parsed.people.candidates if one.id not in out)
    gone = tuple(one for one in parsed.people.candidates if one.id in out)
    is_hypothetical = words.find(table()["hypothetical"]) is not None
    standing = None if people or is_hypothetical else take_standing(words, parsed.scope.offices)
    parsed = replace(parsed, people=replace(parsed.people, candidates=people))
    if but:
        kept = filter_of(one for one in parsed.named if one not in but)
        parsed = replace(
            parsed, scope=replace(parsed.scope, states=kept.states, parties=kept.parties, offices=kept.offices)
        )
    return parsed, Group(standing or Standing(), filter_of(but), gone)

"""Whether a sentence lays a fact at the right candidate's door."""

import re
from collections.abc import Sequence

from iris_assets.grounding.citations import MARKER
from iris_assets.grounding.claims import Sentence, supports_number
from iris_assets.grounding.evidence import GateEvidence, Owner
from iris_assets.grounding.names import Mention, Register, concerns, names_in_subject
from iris_assets.grounding.normalise import content_stems, fold
from iris_assets.grounding.verdict import Failure
from iris_assets.grounding.who import foreign_party
from iris_assets.words.offices import find_offices

MOVED = "OTHER_CANDIDATE"
_JOINED = re.compile(r"\s*(?:,|e|&|/|,? e (?:também )?)\s*(?:[oa] )?(?:candidat[oa] )?")
_AFTER_NUMBER = re.compile(r"^(?:\s+\S+){0,4}?\s*(?:\(|(?:por|pel[oa]|de|d[oa])\s)")
# What says that somebody holds, held or seeks the office that follows.
_HOLDS = (
    r"\b(?:foi|era|eh|exerceu|atuou como|ocupou|mandatos? de|eleit[oa]|ex-?|cargo de|candidat(?:[oa]s?|uras?) (?:a|ao|para)"
    r"|concorre\w* (?:a|ao|para)) ?(?:um |uma |[oa] |como |mandato de |cargo de ){0,2}"
)
_BEFORE_OFFICE = re.compile(rf"{_HOLDS}$")
_LONGEST_CUE = 40
_APPOINTED = re.compile(rf"{_HOLDS}(?P<office>(?:ministr|secretari)[oa](?: (?:municipal|estadual))?)\b")
_PRONOUN = re.compile(
    r"^\W*(?:também|além disso|ainda|por fim|já|ele|ela|[oa] (?:candidat|deputad|senador|governador|parlamentar)\w*|"
    r"seu plano|sua proposta|propõe|promete|defende|prevê)\b",
    re.IGNORECASE,
)


def moved_fact(
    text: str, cited: Sequence[GateEvidence], everyone: Sequence[GateEvidence], register: Register, scope: Owner | None
) -> Failure | None:
    """The failure of a sentence whose candidate, or whose facts, belong to other evidence than it cites.

    `scope` is the candidate of the heading, lead-in or sentence before, for a sentence that names nobody.
    """
    body = MARKER.sub(lambda match: " " * len(match[0]), text)
    mentions = register.mentions(body)
    return (
        _foreign_mention(mentions, cited)
        or foreign_party(body, cited)
        or _foreign_scope(body, mentions, cited, scope)
        or _foreign_office(body, cited)
        or _misplaced_numbers(text, cited, register)
        or _words_of_another(body, mentions, cited, everyone, register)
    )


def continues_previous(text: str) -> bool:
    """Whether a sentence opens as a continuation ("Ela também …")."""
    return _PRONOUN.match(text) is not None


def _foreign_mention(mentions: Sequence[Mention], cited: Sequence[GateEvidence]) -> Failure | None:
    for mention in mentions:
        if not any(concerns(evidence, mention) for evidence in cited):
            return Failure(MOVED, f"as evidências citadas não são de {mention.owner.names[0]}")
    return None


def _foreign_office(body: str, cited: Sequence[GateEvidence]) -> Failure | None:
    """An office that somebody is said to hold, seek or have held and that no cited evidence knows."""
    folded = fold(body)
    known = {office for evidence in cited for office in evidence.offices}
    for mention in find_offices(body):
        claimed = _BEFORE_OFFICE.search(folded, max(mention.start - _LONGEST_CUE, 0), mention.start)
        if claimed and not known.intersection(mention.offices):
            return _unknown_office(body[mention.start : mention.end])
    for match in _APPOINTED.finditer(folded):
        first, *rest = match["office"].split()
        stem = first[:-1] + r"\w*" + "".join(rf" {word}" for word in rest)
        if not any(re.search(rf"\b{stem}", evidence.folded) for evidence in cited):
            return _unknown_office(match["office"])
    return None


def _unknown_office(office: str) -> Failure:
    return Failure("NAME_NOT_IN_EVIDENCE", f"as evidências citadas não trazem o cargo de {office}")


def _foreign_scope(
    body: str, mentions: Sequence[Mention], cited: Sequence[GateEvidence], scope: Owner | None
) -> Failure | None:
    if scope is None or mentions or names_in_subject(body):
        return None
    mention = Mention(scope, fold(scope.names[0]), 0, 0)
    if any(not evidence.owners or concerns(evidence, mention) for evidence in cited):
        return None
    return Failure(MOVED, f"o contexto fala de {scope.names[0]}, as evidências citadas são de outra candidatura")


def _misplaced_numbers(text: str, cited: Sequence[GateEvidence], register: Register) -> Failure | None:
    """A number must be in the evidence of the candidate that it is said of, clause by clause between citations."""
    if len({owner.key for evidence in cited for owner in evidence.owners}) < 2:
        return None
    for clause in re.split(r"(?:\s*\[E\d+\])+", text):
        failure = _misplaced_in_clause(clause, cited, register)
        if failure:
            return failure
    return None


def _misplaced_in_clause(clause: str, cited: Sequence[GateEvidence], register: Register) -> Failure | None:
    sentence = Sentence(clause)
    mentions = register.mentions(sentence.comparable.text.title())
    groups = _joined(mentions, sentence.comparable.text)
    paired = "respectivamente" in sentence.folded and len(mentions) == len(sentence.numbers)
    for index, number in enumerate(sentence.numbers):
        said_of = [mentions[index]] if paired else _said_of(number.start, number.end, groups, sentence.folded)
        for mention in said_of:
            own = [evidence for evidence in cited if concerns(evidence, mention)]
            if not supports_number(number, sentence, own) and not _shared_count(number.text, groups):
                return Failure(MOVED, f"o número {number.text} não está na evidência de {mention.owner.names[0]}")
    return None


def _joined(mentions: list[Mention], text: str) -> list[list[Mention]]:
    """Mentions that stand together ("Ana e Bruno") as one group."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if groups and _JOINED.fullmatch(text[groups[-1][-1].end : mention.start]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _said_of(start: int, end: int, groups: list[list[Mention]], text: str) -> list[Mention]:
    before = [group for group in groups if group[-1].end <= start]
    after = [group for group in groups if group[0].start >= end]
    if after and (not before or _AFTER_NUMBER.fullmatch(text[end : after[0][0].start])):
        return after[0]
    return before[-1] if before else []


def _shared_count(number: str, groups: list[list[Mention]]) -> bool:
    return any(str(len(group)) == number for group in groups if len(group) > 1)


def _words_of_another(
    body: str,
    mentions: Sequence[Mention],
    cited: Sequence[GateEvidence],
    everyone: Sequence[GateEvidence],
    register: Register,
) -> Failure | None:
    """Words that the cited evidence hardly has and another candidate's evidence has nearly all of."""
    named = {stem for mention in mentions for stem in content_stems(mention.alias)}
    wanted = content_stems(body) - named
    if len(wanted) < 2 or not cited:
        return None
    own = max(len(wanted & evidence.stems) for evidence in cited) / len(wanted)
    others = [e for e in everyone if e.owners and not register.same_owner([e], cited)]
    foreign = max((len(wanted & evidence.stems) for evidence in others), default=0) / len(wanted)
    if own <= 0.34 and foreign >= 0.75:
        return Failure(MOVED, "o conteúdo está na evidência de outra candidatura")
    return None

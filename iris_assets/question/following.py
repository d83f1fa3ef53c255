"""Whether a question only makes sense after another one, and what it takes from that one."""

from dataclasses import replace
from typing import Final

from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.people import People

FOLLOWS_FROM: Final = 0.3  # chance of a follow-up from which the question before it counts
BARE: Final = 3  # words of a question that names nothing ("quantos projetos?")
SHORT: Final = 8  # words of a question that begins with "e"
OWN_KINDS: Final = frozenset({"count", "bills", "history", "registry"})


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

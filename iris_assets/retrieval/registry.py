"""What the registry says first of the people that a question names: what no column tells, results to come, who is who."""

import re
from collections.abc import Sequence
from typing import Final

from iris_assets.question.clauses import table
from iris_assets.question.countables import untold
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.messages import notice
from iris_assets.words.text import fold

FEW: Final = 4  # homonyms that are shown rather than asked about
NO_RESULT_YET: Final = notice("NO_RESULT_YET")
ALSO_NAMED: Final = notice("ALSO_NAMED")
OTHERS_SHOWN: Final = 8
SAME_PERSON: Final = re.compile(
    r"\bMESM[AO]S? (?:PESSOA|CANDIDAT|CARA|SUJEIT|HOMEM|MULHER)|\b(?:SAO|E) [OA] MESM[OA]\b"
)
DIFFERENT: Final = notice("DIFFERENT_PEOPLE")
SAME_NAME: Final = notice("SAME_NAME")
ONE_RECORD: Final = notice("ONE_RECORD")
ASKS_VICE: Final = re.compile(r"\bVICES?\b|\bCHAPA\b")
ON_TICKET: Final = notice("ON_TICKET")
NO_TICKET: Final = notice("NO_TICKET")
ASKS_RESULT: Final = re.compile(r"\b(?:RESULTADO|ELEIT[OA]S?)\b")


def first_said(parsed: ParsedQuery, people: Sequence[CandidateRef], store: Store) -> str:
    """The sentence that the answer to a question of the registry begins with; empty where the records say it all."""
    words = " ".join(form for form, tag in parsed.words if tag != "PERSON")
    return (
        untold(words) or _who_is_who(parsed, people) or _ticket(words, people, store) or _to_come(words, people, store)
    )


def _ticket(words: str, people: Sequence[CandidateRef], store: Store) -> str:
    """Who runs with the one asked about; that the records do not tell, where the vice was not collected."""
    if len(people) != 1 or not ASKS_VICE.search(words):
        return ""
    others = store.candidates.ticket(store.candidates.by_ids([people[0].id])[people[0].id])
    shown = "; ".join(
        f"{other['ballot_name'] or other['name']} ({other['party']}), {other['office']}" for other in others
    )
    return (ON_TICKET if others else NO_TICKET).format(name=people[0].label, others=shown)


def asks_who_is_who(parsed: ParsedQuery, people: Sequence[CandidateRef]) -> bool:
    """Whether a question asks if several registrations are of one person."""
    return bool(people) and not parsed.people.unknown and SAME_PERSON.search(parsed.folded) is not None


def _who_is_who(parsed: ParsedQuery, people: Sequence[CandidateRef]) -> str:
    if not asks_who_is_who(parsed, people):
        return ""
    shown = "; ".join(f"{one.label}, nome civil {one.name}" for one in by_ballot_name(people))
    different = len({fold(one.name) for one in people}) > 1
    sentence = DIFFERENT if different else SAME_NAME if len(people) > 1 else ONE_RECORD
    return sentence.format(people=f"{shown}.")


def _to_come(words: str, people: Sequence[CandidateRef], store: Store) -> str:
    """Whether a result is asked for of an election that has none in the records."""
    asked = ASKS_RESULT.search(words) or any(
        re.search(rf"(?<!\S)(?:{one['words']})(?!\S)", words) for one in table()["results"]
    )
    years = sorted({one.year for one in people}) if asked else []
    open_ones = [
        str(year) for year in years if not store.candidates.count(SearchFilter(years=(year,)), Standing(decided=True))
    ]
    return NO_RESULT_YET.format(years=", ".join(open_ones)) if open_ones else ""


def also_named(parsed: ParsedQuery, people: Sequence[CandidateRef], index: NameIndex) -> list[str]:
    """Who else has the one word by which the question names somebody in the ballot name."""
    names = [form for form, tag in parsed.words if tag == "PERSON"]
    if len(names) != 1 or len(people) != 1:
        return []
    others = [one for one in index.bearing(names[0]) if one.id != people[0].id and one.year == people[0].year]
    shown = "; ".join(one.label for one in by_ballot_name(others)[:OTHERS_SHOWN])
    more = f" e mais {len(others) - OTHERS_SHOWN}" if len(others) > OTHERS_SHOWN else ""
    return [ALSO_NAMED.format(name=names[0].lower(), others=shown + more)] if others else []

"""Exact counts as evidence: a sentence that says that it is a count, of what, and within which restrictions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from iris_assets.question.countables import counted
from iris_assets.question.standing import standing_text
from iris_assets.question.wishes import Wish
from iris_assets.retrieval.types import CandidateRef, CountRow, Evidence
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import TOPIC_AGGREGATE

TOPICS_SHOWN = 10
COLUMNS = {
    "party": "partido", "state": "UF", "office": "cargo", "round_result": "resultado", "election_year": "eleição",
    "registration_status": "situação do registro", "year": "ano", "type": "tipo", "topic": "tema",
}  # fmt: skip
ABSENT = notice("COUNT_ABSENT")

ZERO = notice("COUNT_ZERO")


def count_evidence(
    row: CountRow, wish: Wish, absent: str = "", parts: Sequence[CountRow] = (), members: Sequence[str] = ()
) -> Evidence:
    """One number, the own numbers of its `parts`, and what is counted where `members` are given.

    `absent` is the part of the restrictions of which the store holds no record at all.
    """
    people = f" de {_name(row.candidate)}" if row.candidate else ""
    text = f"Contagem exata nos registros guardados: {row.count} {counted(wish.noun, row.count)}{people}{limits(wish)}."
    if row.count == 0:
        text += ABSENT.format(what=absent) if absent else ZERO
    if parts:
        text += f" Cada um: {'; '.join(f'{part.name}: {part.count}' for part in parts)}."
    text += f" A saber: {', '.join(members)}." if members else ""
    details = {"count": row.count, "counted": wish.noun, **_details(wish)}
    if parts:
        details["groups"] = [{"name": part.name, "count": part.count} for part in parts]
    owners = (row.candidate,) if row.candidate else ()
    source_id = row.candidate.tse_id if row.candidate else wish.noun
    return aggregate(source_id, f"Contagem de {counted(wish.noun, 2)}{people}", text, details, owners)


def group_evidence(rows: Sequence[CountRow], wish: Wish) -> Evidence:
    """A table: one line for each value of the column, and the total."""
    total, noun = sum(row.count for row in rows), counted(wish.noun, 2)
    lines = "\n".join(f"{row.name}: {row.count}" for row in rows)
    more = "" if wish.by != "topic" else " (uma proposição pode ter vários temas)"
    text = f"Contagem exata de {noun} por {COLUMNS[wish.by or '']}{limits(wish)}{more}:\n{lines}"
    text += f"\nTotal: {total}" if wish.by != "topic" else ""
    details = {"groups": [{"name": row.name, "count": row.count} for row in rows], "count": total, "counted": wish.noun}
    title = f"Contagem de {noun} por {COLUMNS[wish.by or '']}"
    return aggregate(f"{wish.noun}-{wish.by}", title, text, {**details, **_details(wish)}, ())


def topic_evidence(candidate: CandidateRef, rows: Sequence[CountRow], wish: Wish) -> Evidence:
    """Bills of a candidate per topic, the first TOPICS_SHOWN in words and all in the structured part."""
    shown = "; ".join(f"{row.name}: {row.count}" for row in rows[:TOPICS_SHOWN])
    more = len(rows) - TOPICS_SHOWN
    shown += f"; e mais {more} {counted('topics', more)}" if more > 0 else ""
    text = (
        f"Contagem exata das proposições de {_name(candidate)} por tema{limits(wish)} "
        f"(uma proposição pode ter vários temas): {shown}."
    )
    details = {"topics": [{"name": row.name, "count": row.count} for row in rows], **_details(wish)}
    return aggregate(candidate.tse_id, f"Temas das proposições de {_name(candidate)}", text, details, (candidate,))


def without_topics(candidate: CandidateRef, count: int, wish: Wish) -> Evidence:
    """Bills that carry no topic are a fact about the records, told apart from having no bill."""
    bills, name = counted("bills", count), _name(candidate)
    text = f"Contagem exata: {count} {bills} de {name}{limits(wish)}, sem tema registrado pela Câmara."
    details = {"topics": [], "count": count, **_details(wish)}
    return aggregate(candidate.tse_id, f"Temas das proposições de {name}", text, details, (candidate,))


def limits(wish: Wish) -> str:
    """The restrictions in words: ` (tipo: PL; ano: 2022, 2023; UF: DF)`; empty without any."""
    scope = replace(
        wish.scope,
        **{name: () for name in ("states", "parties", "offices") if getattr(wish.but, name)},
    )
    parts = (
        ("tipo", ", ".join(() if wish.but_types and len(wish.types) > 1 else wish.types)),
        ("exceto tipo", ", ".join(wish.but_types)),
        ("ano", wish.years.label),
        ("tema", wish.topic or ""),
        ("cargo", ", ".join(scope.offices)),
        ("partido", ", ".join(scope.parties)),
        ("UF", ", ".join(scope.states)),
        ("exceto cargo", ", ".join(wish.but.offices)),
        ("exceto partido", ", ".join(wish.but.parties)),
        ("exceto UF", ", ".join(wish.but.states)),
        ("eleição", elections_text(wish)),
        ("eleições com registros", ", ".join(map(str, wish.indexed_elections))),
        ("nome de urna com", " ou ".join(wish.ballot_words)),
        ("número", ", ".join(map(str, wish.numbers))),
        *standing_text(wish.standing),
        ("plano de governo", {None: "", True: "registrado", False: "nenhum registrado"}[wish.has_plan]),
    )
    shown = "; ".join(f"{name}: {value}" for name, value in parts if value)
    return f" ({shown})" if shown else ""


def elections_text(wish: Wish) -> str:
    """The elections of the candidatures, empty for all."""
    return ", ".join(map(str, wish.scope.years))


def aggregate(
    source_id: str, title: str, text: str, details: dict[str, Any], owners: tuple[CandidateRef, ...]
) -> Evidence:
    """An exact count as evidence."""
    return Evidence(
        evidence_id="",
        source_type=TOPIC_AGGREGATE,
        source_id=source_id,
        chunk_index=0,
        title=title,
        content=text,
        context=text,
        candidates=owners,
        structured=details,
    )


def _details(wish: Wish) -> dict[str, Any]:
    return {
        "exact": True,
        "topic": wish.topic,
        "types": list(wish.types),
        "years": wish.years.label,
        "offices": list(wish.scope.offices),
        "parties": list(wish.scope.parties),
        "states": list(wish.scope.states),
        "elections": elections_text(wish),
        "results": list(wish.standing.results),
        "registrations": list(wish.standing.registration),
        "last_round": wish.standing.last_round,
        "bill_years": list(wish.years.listed),
        "listable": not (wish.numbers or wish.ballot_words or wish.has_plan is not None or wish.but.candidate_ids),
    }


def _name(candidate: CandidateRef) -> str:
    return candidate.ballot_name or candidate.name

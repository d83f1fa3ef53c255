"""The citation verifier over anybody's answer: a JSON payload in, the verified answer with everything removed out."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from iris_assets.answers.foreign import common_form
from iris_assets.answers.neutrality import OF_SOURCES, breach
from iris_assets.errors import UsageError
from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.judge import Span
from iris_assets.grounding.markers import cited_ids
from iris_assets.grounding.names import one_owner_for_each_person, owners_from_text
from iris_assets.grounding.verifier import Verified, verify
from iris_assets.words.comparable import fold

# Far beyond any answer of a model: what is longer is refused instead of being read for minutes.
LONGEST_ANSWER, LONGEST_EVIDENCES, MOST_EVIDENCES = 50_000, 300_000, 500
_FORM = '{"evidences": [{"id", "text"}], "answer": "…"}'
_NAME_KEYS = ("ballot_name", "name", "civil_name", "label")


def check_answer(payload: Mapping[str, Any]) -> dict[str, Any]:
    """`{"evidences": [{"id", "text", "source_type", "title"}], "answer"}` → answer, removed, flagged, claims, citations.

    An evidence may also carry `candidates` (names, or objects with `name` and `ballot_name`), `url`, `structured`,
    `page_start` and `page_end`, and `page_starts` ([character, page] where each page begins). The answers of other
    systems are read too: see `foreign`. `claims` has every sentence with verdict, reasons and supports.
    UsageError PAYLOAD_INVALID says which field is wrong, PAYLOAD_TOO_LARGE what is too long.
    """
    payload = common_form(payload)
    answer, evidences = payload.get("answer"), payload.get("evidences")
    if not isinstance(answer, str):
        raise UsageError("PAYLOAD_INVALID", "answer must be a text", hint=_FORM)
    if not isinstance(evidences, list):
        raise UsageError("PAYLOAD_INVALID", "evidences must be a list", hint=_FORM)
    read = _evidences(evidences)
    _within_limits(answer, read)
    return _as_json(
        verify(answer, read, own_voice=breach, of_sources=OF_SOURCES),
        {evidence.evidence_id: evidence for evidence in read},
    )


def _as_json(verified: Verified, evidences: Mapping[str, Evidence]) -> dict[str, Any]:
    def support(key: str, span: Span) -> dict[str, Any]:
        return {"evidence_id": key, "span": list(span), "text": " ".join(evidences[key].passage[slice(*span)].split())}

    return {
        "answer": verified.text,
        "removed": [item.as_json() for item in verified.removed],
        "flagged": [item.as_json() for item in verified.flagged],
        "cited": cited_ids(verified.text),
        "notices": list(verified.notices),
        "citations": [
            {"evidence_id": c.evidence_id, "sentence": c.sentence, "span": list(c.span)} for c in verified.citations
        ],
        "claims": [
            {
                "text": claim.text,
                "verdict": claim.verdict,
                "reasons": [{"reason": one.reason, "detail": one.detail} for one in claim.reasons],
                "supports": [support(key, span) for key, span in claim.supports],
            }
            for claim in verified.claims
        ],
    }


def _within_limits(answer: str, evidences: list[Evidence]) -> None:
    sizes = (
        ("the answer", len(answer), LONGEST_ANSWER, "characters"),
        ("the evidences", sum(len(e.text) + len(e.title) for e in evidences), LONGEST_EVIDENCES, "characters"),
        ("the payload", len(evidences), MOST_EVIDENCES, "evidences"),
    )
    for what, size, limit, unit in sizes:
        if size > limit:
            raise UsageError("PAYLOAD_TOO_LARGE", f"{what} has {size} {unit}", hint=f"at most {limit}")


def _evidences(items: list[Any]) -> list[Evidence]:
    found: dict[str, Evidence] = {}
    for position, item in enumerate(items, 1):
        evidence = _evidence(item, position)
        if evidence.evidence_id in found:
            raise UsageError("PAYLOAD_INVALID", f"evidence id {evidence.evidence_id} occurs twice")
        found[evidence.evidence_id] = evidence
    people = one_owner_for_each_person(owner for evidence in found.values() for owner in evidence.owners)
    return [
        replace(e, owners=tuple({people[o.key].key: people[o.key] for o in e.owners}.values())) for e in found.values()
    ]


def _evidence(item: Any, position: int) -> Evidence:
    if not isinstance(item, Mapping):
        raise UsageError("PAYLOAD_INVALID", f"evidence {position} is no object")
    identifier = re.fullmatch(r"\[?[Ee]?0*(\d{1,6})\]?", str(item.get("id", "")).strip())
    text = item.get("text", item.get("content"))
    if identifier is None or not isinstance(text, str):
        raise UsageError("PAYLOAD_INVALID", f"evidence {position} needs an id like E1 and a text")
    title = str(item.get("title") or "")
    structured = item.get("structured")
    facts = {key: item[key] for key in ("metadata", "source_id", "election_year") if item.get(key) is not None}
    facts |= dict(structured) if isinstance(structured, Mapping) else {}
    facts |= {"candidates": _affiliations(item)}
    owners = _owners(item) or owners_from_text(title, text)
    return Evidence(
        f"E{int(identifier[1])}",
        text,
        title,
        str(item.get("source_type") or ""),
        facts,
        owners,
        str(item.get("url") or ""),
        _pages(item),
        page_starts=_page_starts(item),
    )


def _page_starts(item: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    listed = item.get("page_starts")
    pairs = (
        [pair for pair in listed if isinstance(pair, list | tuple) and len(pair) == 2]
        if isinstance(listed, list)
        else []
    )
    return tuple((at, page) for at, page in pairs if isinstance(at, int) and isinstance(page, int))


def _pages(item: Mapping[str, Any]) -> frozenset[int]:
    """`page_start` and `page_end`, or a list `pages`."""
    listed = item.get("pages")
    if isinstance(listed, list):
        return frozenset(page for page in listed if isinstance(page, int))
    first, last = item.get("page_start"), item.get("page_end") or item.get("page_start")
    return frozenset(range(first, last + 1)) if isinstance(first, int) and isinstance(last, int) else frozenset()


def _affiliations(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Party, office and state of the evidence's candidates: facts that an answer may state."""
    listed = item.get("candidates", item.get("candidate"))
    candidates = listed if isinstance(listed, list) else [listed]
    return [
        {k: c[k] for k in ("party", "office", "state", "year") if k in c} for c in candidates if isinstance(c, Mapping)
    ]


def _owners(item: Mapping[str, Any]) -> tuple[Owner, ...]:
    listed = item.get("candidates", item.get("candidate"))
    candidates = listed if isinstance(listed, list) else [listed] if listed else []
    return tuple(owner for candidate in candidates if (owner := _owner(candidate)) is not None)


def _owner(candidate: Any) -> Owner | None:
    if isinstance(candidate, str):
        return Owner(fold(candidate), (candidate,)) if candidate.strip() else None
    if not isinstance(candidate, Mapping):
        return None
    names = tuple(str(candidate[key]) for key in _NAME_KEYS if candidate.get(key))
    return Owner(str(candidate.get("tse_id") or fold(names[0])), names) if names else None

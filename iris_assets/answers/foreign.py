"""Answers of other systems in the form that the citation verifier takes: their names for answer, evidences and text."""

from collections.abc import Mapping, Sequence
from typing import Any

# The first name that is there counts.
_ANSWER = ("answer", "response", "output", "text", "completion")
_EVIDENCES = ("evidences", "sources", "documents", "contexts", "references", "passages", "citations")
_ID = ("id", "evidence_id")
_TEXT = ("text", "quote", "content", "page_content", "snippet", "passage", "segment")
_TITLE = ("title", "name", "source")


def common_form(payload: Mapping[str, Any]) -> dict[str, Any]:
    """`{"answer", "evidences": [{"id", "text", …}]}` of any of these forms.

    Sentences with lists of citations (`[{"text", "citations": [0, 2]}]`, positions counted from 0 as TREC RAG does)
    become one text with markers; evidences without an id are numbered from 1; a text alone may stand for an evidence.
    """
    answer, evidences = _first(payload, _ANSWER), _first(payload, _EVIDENCES)
    foreign = isinstance(evidences, list) and "evidences" not in payload
    listed = [_evidence(item, n) for n, item in enumerate(evidences, 1)] if foreign else evidences
    if isinstance(answer, list):
        answer = " ".join(map(_sentence, answer))
    return {**payload, "answer": answer, "evidences": listed}


def _first(item: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _evidence(item: Any, position: int) -> Any:
    if isinstance(item, str):
        return {"id": f"E{position}", "text": item}
    if not isinstance(item, Mapping):
        return item
    found = {"id": _first(item, _ID) or f"E{position}", "text": _first(item, _TEXT), "title": _first(item, _TITLE)}
    return {**item, **found}


def _sentence(item: Any) -> str:
    if not isinstance(item, Mapping):
        return str(item)
    cited = item.get("citations")
    markers = "".join(f"[E{n + 1}]" for n in cited if isinstance(n, int)) if isinstance(cited, list) else ""
    return f"{str(item.get('text', '')).strip()} {markers}".strip()

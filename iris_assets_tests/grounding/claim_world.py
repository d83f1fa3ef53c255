"""Claims over real records: their evidences out of a built store, as any caller of `check_answer` would send them."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from iris_assets.answers.check import check_answer
from iris_assets.retrieval.evidence import EvidenceBuilder
from iris_assets.retrieval.types import Evidence
from iris_assets.store import Store
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, POLITICAL_HISTORY, PROPOSITION

_PAGE_MARK = re.compile(r"\[Página (\d+)\]\n?")
_SHOWN = ("source_type", "source_id", "title", "url", "structured", "metadata", "page_start", "page_end", "page_label")


class ClaimWorld:
    """The stores of one or more elections, by year."""

    def __init__(self, stores: Mapping[int, Store]) -> None:
        self._stores = stores

    def check(self, claim: Mapping[str, Any]) -> dict[str, Any]:
        """What the verifier says of a claim of the files."""
        evidences = [self.payload(item) for item in claim["evidence"]]
        return check_answer({"evidences": evidences, "answer": claim["sentence"]})

    def payload(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """An evidence of a claim as `check_answer` takes it."""
        evidence, page_starts = self._evidence(json.dumps({key: value for key, value in item.items() if key != "id"}))
        shown = {key: getattr(evidence, key) for key in _SHOWN}
        known = {
            "id": item["id"],
            "text": evidence.content,
            "candidates": _people(evidence),
            "page_starts": page_starts,
        }
        return known | shown

    @lru_cache(maxsize=512)  # noqa: B019 - one world lives as long as its tests
    def _evidence(self, described: str) -> tuple[Evidence, list[list[int]]]:
        item = json.loads(described)
        store = self._stores[int(item.get("year", 2022))]
        if name := item.get("plan") or item.get("plan_2022_BR"):
            pages = item["pages"] if "plan" in item else range(item["pages"][0], item["pages"][-1] + 1)
            return self._plan(store, name, list(pages))
        if "history" in item:
            return self._record(store, POLITICAL_HISTORY, item["history"]), []
        return self._record(store, PROPOSITION, str(item.get("camara_id") or item["source_id"])), []

    def _record(self, store: Store, source_type: str, source_id: str) -> Evidence:
        rows = store.chunks.of_source(source_type, source_id)
        return EvidenceBuilder(store, 0).from_rows(rows[:1])[0]

    def _plan(self, store: Store, name: str, pages: list[int]) -> tuple[Evidence, list[list[int]]]:
        """The named pages of the plan of a candidate (or of the file, by the first letters of its hash)."""
        of_file = re.fullmatch(r".*_([0-9a-f]{6})", name)
        for source_type, source_id in sorted(store.chunks.sources()):
            if source_type != GOVERNMENT_PROPOSAL or (of_file and not source_id.startswith(of_file[1])):
                continue
            evidence = self._record(store, source_type, source_id)
            names = {str(own) for person in evidence.candidates for own in (person.ballot_name, person.name)}
            texts = _pages(store, source_id)
            wanted = [page for page in sorted(texts) if page in pages and texts[page].strip()]
            if wanted and (of_file or _plain(name) in map(_plain, names)):
                content, starts = "", []
                for page in wanted:
                    starts.append([len(content), page])
                    content += texts[page] + "\n"
                return replace(evidence, content=content, page_start=min(pages), page_end=max(pages)), starts
        raise LookupError(f"no plan of {name} with pages {pages}")


def judged(result: Mapping[str, Any]) -> str:
    """kept, doubted or removed."""
    return "removed" if result["removed"] else "doubted" if result["flagged"] else "kept"


def read_claims(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def _people(evidence: Evidence) -> list[dict[str, Any]]:
    return [{key: value for key, value in asdict(person).items() if key != "id"} for person in evidence.candidates]


def _pages(store: Store, document_hash: str) -> dict[int, str]:
    document = store.documents.get(document_hash)
    parts = _PAGE_MARK.split(document["raw_text"]) if document else [""]
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def _plain(name: str) -> str:
    return re.sub(r"\W+", " ", name).strip().upper()

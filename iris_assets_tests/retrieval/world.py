"""An invented store for retrieval tests, filled through the real builders, chunker and analyzer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iris_assets.documents import Page, raw_text
from iris_assets.indexing.builders import SourceText, build_bill, build_document, build_history
from iris_assets.indexing.chunk_rows import chunk_rows
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store


@dataclass
class World:
    """Adds records to `store`; `size` and `overlap` are tokens of a passage."""

    store: Store
    size: int = 120
    overlap: int = 20

    def service(self, embedder: Any = None, **settings: Any) -> RetrievalService:
        return RetrievalService(self.store, load_settings({}, **settings), embedder)

    def candidate(self, tse_id: str, ballot_name: str, **more: Any) -> int:
        """One candidate (GOVERNADOR of SP in 2026 unless said otherwise); the row id."""
        row = {
            "tse_id": tse_id, "election_year": 2026, "name": f"{ballot_name} DA SILVA", "ballot_name": ballot_name,
            "office": "GOVERNADOR", "state": "SP", "party": "P1", "candidate_number": int(tse_id) % 90 + 10, **more,
        }  # fmt: skip
        with self.store.transaction() as tx:
            self.store.candidates.upsert(tx, [row])
        return self.id_of(tse_id)

    def id_of(self, tse_id: str) -> int:
        row = self.store.candidates.by_tse_id(tse_id)
        assert row is not None
        return int(row["id"])

    def plan(self, document: str, tse_ids: Sequence[str], pages: Sequence[str]) -> None:
        """A government plan of one or more candidates, page by page."""
        text = raw_text([Page(number, page) for number, page in enumerate(pages, 1)])
        row = {"document_hash": document, "election_year": 2026, "title": f"Proposta de governo - {document}",
               "raw_text": text, "page_count": len(pages),
               "text_status": "OK", "source_url": "https://cdn.tse.jus.br/plano.zip"}  # fmt: skip
        with self.store.transaction() as tx:
            self.store.documents.upsert(tx, row)
        self._linked("GOVERNMENT_PROPOSAL", document, tse_ids, "FILED_BY")
        stored = self.store.documents.get(document)
        assert stored is not None
        people = self.store.candidates.by_ids([self.id_of(id_) for id_ in tse_ids]).values()
        self._cut(build_document(stored, list(enumerate(pages, 1)), list(people)))

    def bill(
        self, camara_id: int, title: str, summary: str, tse_ids: Sequence[str], topics: Sequence[str] = ()
    ) -> None:
        """A bill with `title` like "PL 5/2023" signed by candidates."""
        kind, number, year = re.fullmatch(r"(\S+) (\d+)/(\d+)", title).groups()  # type: ignore[union-attr]
        row = {"camara_id": camara_id, "type": kind, "number": int(number), "year": int(year), "year_repaired": False, "title": title,
               "summary": summary}  # fmt: skip
        with self.store.transaction() as tx:
            self.store.camara.upsert_bill(tx, row, [], [{"name": topic} for topic in topics])
        self._linked("PROPOSITION", str(camara_id), tse_ids, "AUTHOR")
        stored = self.store.camara.bill(camara_id)
        assert stored is not None
        self._cut(build_bill(stored))

    def mandate(self, external_id: str, position: str, tse_id: str) -> None:
        """A record of the political history of a candidate."""
        row = {"external_id": external_id, "camara_deputy_id": 7, "institution": "CAMARA", "position": position}
        with self.store.transaction() as tx:
            self.store.camara.upsert_history(tx, [row])
        self._linked("POLITICAL_HISTORY", external_id, [tse_id], "DEPUTY")
        stored = self.store.camara.history(external_id)
        assert stored is not None
        self._cut(build_history(stored, None))

    def news(self, fingerprint: str, text: str, tse_id: str) -> None:
        """A news article: not official."""
        self._linked("NEWS_ARTICLE", fingerprint, [tse_id], "ABOUT")
        self._cut(SourceText("NEWS_ARTICLE", fingerprint, "Notícia", text, "", None, {}))

    def embed(self, vectors: dict[str, Any], model: str, dimension: int) -> None:
        """Give each pending passage the first vector whose key its text holds (key "" is any text)."""
        rows = self.store.chunks.pending(model, dimension, limit=1000)
        pairs = [(row["id"], next(v for key, v in vectors.items() if key in row["content"])) for row in rows]
        with self.store.transaction() as tx:
            self.store.chunks.set_vectors(tx, pairs, model, dimension)

    def _linked(self, source_type: str, source_id: str, tse_ids: Sequence[str], role: str) -> None:
        with self.store.transaction() as tx:
            for tse_id in tse_ids:
                self.store.links.set(tx, source_type, source_id, self.id_of(tse_id), role)

    def _cut(self, source: SourceText) -> None:
        rows = chunk_rows(source, size=self.size, overlap=self.overlap, encoding="cl100k_base")
        with self.store.transaction() as tx:
            self.store.chunks.replace(tx, source.source_type, source.source_id, rows)

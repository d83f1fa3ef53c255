"""Government plans: one row per PDF, whoever filed it."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from iris_assets.store.engine import Tx
from iris_assets.store.inputs import DocumentValues
from iris_assets.store.records import DocumentRow
from iris_assets.store.tables.rows import Outcome, Repository, fetch, fetch_in, fetch_one, select_rows, upsert
from iris_assets.store.tables.schema import candidate, proposal_document, source_candidate
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

LISTED = ("document_hash", "election_year", "title", "file_name", "page_count", "text_status", "error_code", "engine")


class Documents(Repository):
    """ProposalDocument."""

    def upsert(self, tx: Tx, row: DocumentValues) -> Outcome:
        """By document_hash (SHA-256 of the PDF)."""
        return upsert(tx, proposal_document, ("document_hash",), [row])[0]

    def get(self, document_hash: str) -> DocumentRow | None:
        """One document with its text."""
        with self._access.snapshot() as tx:
            return fetch_one(
                tx, select_rows(proposal_document).where(proposal_document.c.document_hash == document_hash)
            )

    def without_text(self, hashes: Iterable[str]) -> dict[str, DocumentRow]:
        """hash → document, without its text."""
        statement = select_rows(proposal_document, without=("raw_text",))
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, proposal_document.c.document_hash, hashes)
        return {row["document_hash"]: row for row in rows}

    def hashes(self, election_year: int) -> dict[str, DocumentRow]:
        """hash → what is known of each document that a candidate of an election filed, without its text."""
        columns: list[Any] = [proposal_document.c[name].label(name) for name in LISTED]
        filed = (
            select(source_candidate.c.source_id)
            .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
            .where(source_candidate.c.source_type == GOVERNMENT_PROPOSAL, candidate.c.election_year == election_year)
        )
        statement = select(*columns).where(proposal_document.c.document_hash.in_(filed))
        with self._access.snapshot() as tx:
            return {row["document_hash"]: row for row in fetch(tx, statement)}

    def of_candidate(self, candidate_id: int) -> list[DocumentRow]:
        """The documents that a candidate filed, by title, without their text."""
        links = select(source_candidate.c.source_id).where(
            source_candidate.c.source_type == GOVERNMENT_PROPOSAL, source_candidate.c.candidate_id == candidate_id
        )
        statement = select_rows(proposal_document, without=("raw_text",)).order_by(
            proposal_document.c.title, proposal_document.c.document_hash
        )
        with self._access.snapshot() as tx:
            hashes = [row[0] for row in tx.connection.execute(links)]
            return fetch_in(tx, statement, proposal_document.c.document_hash, hashes)

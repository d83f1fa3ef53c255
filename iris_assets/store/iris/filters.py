"""A search filter as SQL over the chunk table: joins to the links where the embedded engine has tokens."""

from typing import Any

from sqlalchemy import ColumnElement, exists, select

from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import restricted
from iris_assets.store.tables.schema import candidate, political_chunk, source_candidate


def filter_conditions(restriction: SearchFilter) -> list[ColumnElement[Any]]:
    """WHERE conditions of a filter; the candidate part must hold for one candidate of the chunk's source."""
    conditions: list[ColumnElement[Any]] = []
    if restriction.source_types:
        conditions.append(political_chunk.c.source_type.in_(restriction.source_types))
    about_candidates = (
        restriction.candidate_ids, restriction.states, restriction.parties, restriction.offices, restriction.years
    )  # fmt: skip
    if any(about_candidates):
        linked = (
            select(source_candidate.c.id)
            .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
            .where(
                source_candidate.c.source_type == political_chunk.c.source_type,
                source_candidate.c.source_id == political_chunk.c.source_id,
            )
        )
        conditions.append(exists(restricted(linked, restriction)))
    return conditions

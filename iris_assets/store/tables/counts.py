"""Exact counts for questions that ask how many: SQL, never an estimate from search results."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Select, String, Table, cast, func, select

from iris_assets.store.records import CandidateCount, Count
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import restricted
from iris_assets.store.tables.rows import Repository
from iris_assets.store.tables.schema import (
    candidate,
    proposition,
    proposition_author,
    proposition_topic,
    source_candidate,
)
from iris_assets.words.source_kinds import PROPOSITION


def bill_link() -> ColumnElement[bool]:
    """The join of a link to its bill: SourceId is the Câmara's id as text."""
    return (source_candidate.c.source_type == PROPOSITION) & (
        source_candidate.c.source_id == cast(proposition.c.camara_id, String(100))
    )


@dataclass(frozen=True, slots=True)
class BillsAsked:
    """Only bills of these types and years and with this topic; empty values do not restrict."""

    types: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    topic: str | None = None

    def restricted(self, statement: Select[Any]) -> Select[Any]:
        """`statement` over Proposition with these conditions."""
        if self.types:
            statement = statement.where(proposition.c.type.in_(self.types))
        if self.years:
            statement = statement.where(proposition.c.year.in_(self.years))
        if self.topic:
            of_topic = select(proposition_topic.c.proposition_id).where(proposition_topic.c.name == self.topic)
            statement = statement.where(proposition.c.id.in_(of_topic))
        return statement


ALL_BILLS: Final = BillsAsked()


class BillCounts(Repository):
    """Counts over bills, topics and authors, restricted by candidates and the other filters."""

    def proposition_count(self, filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS) -> int:
        """How many bills are linked to a candidate that the filter leaves (each bill once)."""
        statement = _linked(select(func.count(func.distinct(proposition.c.camara_id))), filter)
        return self._number(bills.restricted(statement))

    def bill_groups(
        self, column: Literal["type", "year"], filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS
    ) -> dict[str, int]:
        """Bills per value of a column, each bill once."""
        value = proposition.c[column]
        number = func.count(func.distinct(proposition.c.camara_id))
        statement = bills.restricted(_linked(select(value, number), filter).group_by(value))
        with self._access.snapshot() as tx:
            return {str(name): int(count) for name, count in tx.connection.execute(statement)}

    def bill_titles(self, filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS) -> list[str]:
        """`PL 17/2023` of each bill, by type, year and number."""
        columns = [proposition.c[name].label(name) for name in ("type", "year", "number")]
        statement = bills.restricted(_linked(select(*columns).distinct(), filter).order_by(*columns))
        return [f"{row['type']} {row['number']}/{row['year']}" for row in self._rows(statement)]

    def source_count(self, source_type: str, filter: SearchFilter | None = None) -> int:
        """How many different sources of a type are linked to a candidate that the filter leaves."""
        statement = (
            select(func.count(func.distinct(source_candidate.c.source_id)))
            .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
            .where(source_candidate.c.source_type == source_type)
        )
        return self._number(restricted(statement, filter))

    def topic_counts(self, filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS) -> list[Count]:
        """[{name, count}] bills per topic, most frequent first, then by name; each bill counts once per topic."""
        return self._bills_per(proposition_topic, filter, bills)

    def author_counts(self, filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS) -> list[Count]:
        """[{name, count}] bills per signer among the bills that the filter leaves, most frequent first."""
        return self._bills_per(proposition_author, filter, bills)

    def _bills_per(self, parts: Table, filter: SearchFilter | None, bills: BillsAsked) -> list[Count]:
        number = func.count(func.distinct(proposition.c.camara_id))
        statement = (
            _linked(select(parts.c.name.label("name"), number.label("count")), filter)
            .join(parts, parts.c.proposition_id == proposition.c.id)
            .group_by(parts.c.name)
        )
        rows = self._rows(bills.restricted(statement))
        return sorted(rows, key=lambda row: (-row["count"], row["name"]))

    def topic_counts_by_candidate(
        self, filter: SearchFilter | None = None, bills: BillsAsked = ALL_BILLS
    ) -> list[CandidateCount]:
        """[{candidate_id, name, count}] bills per candidate and topic; by candidate, count (descending), name."""
        number = func.count(func.distinct(proposition.c.camara_id))
        columns = (candidate.c.id.label("candidate_id"), proposition_topic.c.name.label("name"), number.label("count"))
        statement = (
            _linked(select(*columns), filter)
            .join(proposition_topic, proposition_topic.c.proposition_id == proposition.c.id)
            .group_by(candidate.c.id, proposition_topic.c.name)
        )
        rows = self._rows(bills.restricted(statement))
        return sorted(rows, key=lambda row: (row["candidate_id"], -row["count"], row["name"]))

    def bill_author_count(self, camara_id: int) -> int:
        """How many authors of one bill are stored."""
        statement = (
            select(func.count())
            .select_from(proposition_author)
            .join(proposition, proposition.c.id == proposition_author.c.proposition_id)
            .where(proposition.c.camara_id == camara_id)
        )
        return self._number(statement)

    def _number(self, statement: Select[Any]) -> int:
        with self._access.snapshot() as tx:
            return int(tx.connection.execute(statement).scalar_one())

    def _rows(self, statement: Select[Any]) -> list[Any]:
        with self._access.snapshot() as tx:
            return [dict(row) for row in tx.connection.execute(statement).mappings()]


def _linked(statement: Select[Any], filter: SearchFilter | None) -> Select[Any]:
    """Join bills, links and candidates, with the candidate part of the filter."""
    return restricted(
        statement.select_from(proposition)
        .join(source_candidate, bill_link())
        .join(candidate, candidate.c.id == source_candidate.c.candidate_id),
        filter,
    )

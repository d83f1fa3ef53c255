"""Candidates of an election: the court's registry, the look-ups over it, and their identity in the Câmara."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final, Literal, cast

from sqlalchemy import ColumnElement, Select, func, or_, select

from iris_assets.store.engine import Row, RowMapping, Tx
from iris_assets.store.records import CandidateRow
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.filters import refresh_filters, sources_of_candidates
from iris_assets.store.tables.rows import (
    Outcome,
    Repository,
    batches,
    fetch,
    fetch_in,
    fetch_one,
    select_rows,
    update_rows,
    upsert,
)
from iris_assets.store.tables.schema import candidate
from iris_assets.store.tables.values import differences, normalised
from iris_assets.words.offices import ticket_offices
from iris_assets.words.text import fold

MOST_ON_PAGE: Final = 500
MOST_WORDS: Final = 8  # of a search for people
BEGUN: Final = ("{}%", "% {}%", "%|{}%")  # a word of a name begins so
INSIDE: Final = ("%{}%",)
KEY: Final = ("tse_id", "election_year")
MATCH_COLUMNS: Final = frozenset({"match_status", "match_confidence", "camara_deputy_id"})
MATCHED: Final = "MATCHED"
FILTERED_BY: Final = ("state", "party", "office")


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """One page of a candidate search, by ballot name; `total` counts all pages."""

    items: list[CandidateRow]
    total: int
    page: int
    page_size: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What came of a candidature that the court still lists: one of `results`, its last round, its registration.

    Empty values do not restrict; `decided` asks for any result.
    """

    results: tuple[str, ...] = ()
    last_round: int | None = None
    registration: tuple[str, ...] = ()
    decided: bool = False

    def conditions(self) -> list[ColumnElement[bool]]:
        """The conditions over Candidate."""
        found: list[ColumnElement[bool]] = [candidate.c.removed_at_source == False]  # noqa: E712 - SQL
        if self.results:
            found.append(candidate.c.round_result.in_(self.results))
        if self.last_round is not None:
            found.append(candidate.c.round == self.last_round)
        if self.registration:
            found.append(candidate.c.registration_status.in_(self.registration))
        if self.decided:
            found.append(candidate.c.round_result.is_not(None))
        return found


# `words.order.neutral_key` in SQL. `BALLOT NAME|CIVIL NAME` sorts like the pair once the sign between is lower than any
# other: two blanks, since folded names hold no more than one in a row.
NEUTRAL_ORDER: Final = (func.replace(candidate.c.search_name, "|", "  "), candidate.c.tse_id, candidate.c.election_year)


class Candidates(Repository):
    """Candidate."""

    def upsert(self, tx: Tx, rows: Sequence[RowMapping]) -> list[Outcome]:
        """By (tse_id, election_year); the match columns are never touched, a returning candidate loses its mark."""
        prepared = [_prepared(row) for row in rows]
        moved = self._moved(tx, prepared)
        outcomes = [outcome for part in batches(prepared) for outcome in upsert(tx, candidate, KEY, part)]
        refresh_filters(tx, sources_of_candidates(tx, moved))
        return outcomes

    def _moved(self, tx: Tx, rows: Sequence[Row]) -> list[int]:
        """Ids of stored candidates whose state, party or office is about to change: their chunks are filtered by it."""
        new = {(str(row["tse_id"]), row["election_year"]): row for row in rows}
        names = ("id", *KEY, *FILTERED_BY)
        statement = select(*(candidate.c[name].label(name) for name in names))
        stored = fetch_in(tx, statement, candidate.c.tse_id, (key[0] for key in new))
        return [row["id"] for row in stored if _filters_differ(row, new.get((row["tse_id"], row["election_year"])))]

    def absent(self, election_year: int, state: str, offices: Collection[str], present: Collection[str]) -> list[int]:
        """Row ids of unmarked candidates of this year, state and these offices that are not among `present` (TSE ids)."""
        statement = select(candidate.c.id.label("id"), candidate.c.tse_id.label("tse_id")).where(
            candidate.c.election_year == election_year,
            candidate.c.state == state,
            candidate.c.removed_at_source == False,  # noqa: E712 - SQL
        )
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, candidate.c.office, offices)
        return [row["id"] for row in rows if row["tse_id"] not in present]

    def mark_removed(self, tx: Tx, ids: Collection[int]) -> None:
        """Mark these candidates as dropped by the court."""
        update_rows(tx, candidate, {row_id: {"removed_at_source": True} for row_id in ids})

    def ticket(self, row: CandidateRow) -> list[CandidateRow]:
        """Who runs on one ticket with this candidate: the same number in the same electoral unit, offices that belong together.

        By office as the court numbers them; without the candidate. A store that never read the units goes by the UF.
        """
        offices = ticket_offices(row["office"])
        if row["candidate_number"] is None or len(offices) < 2:
            return []
        statement = select_rows(candidate).where(
            candidate.c.election_year == row["election_year"],
            candidate.c.state == row["state"],
            candidate.c.candidate_number == row["candidate_number"],
            candidate.c.office.in_(offices),
            candidate.c.removed_at_source == False,  # noqa: E712 - SQL
        )
        if row["electoral_unit"] is not None:
            statement = statement.where(candidate.c.electoral_unit == row["electoral_unit"])
        with self._access.snapshot() as tx:
            found = fetch(tx, statement.order_by(*NEUTRAL_ORDER))
        others = [other for other in found if other["tse_id"] != row["tse_id"]]
        return sorted(others, key=lambda other: offices.index(other["office"]))

    def within(
        self, filter: SearchFilter, standing: Standing | None = None, columns: Collection[str] = ()
    ) -> list[CandidateRow]:
        """The court's present candidates that a filter and a standing leave, by TSE id (no `columns`: all of them)."""
        statement = restricted(select_rows(candidate, only=columns), filter)
        statement = statement.where(*(standing or Standing()).conditions())
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(candidate.c.tse_id, candidate.c.election_year))

    def list(
        self,
        *,
        election_year: int | None = None,
        states: Collection[str] = (),
        offices: Collection[str] = (),
        include_removed: bool = False,
        columns: Collection[str] = (),
    ) -> list[CandidateRow]:
        """Candidates by TSE id; an empty collection does not restrict, nor do no `columns`."""
        statement = select_rows(candidate, only=columns).order_by(candidate.c.tse_id, candidate.c.election_year)
        if election_year is not None:
            statement = statement.where(candidate.c.election_year == election_year)
        if states:
            statement = statement.where(candidate.c.state.in_(list(states)))
        if offices:
            statement = statement.where(candidate.c.office.in_(list(offices)))
        if not include_removed:
            statement = statement.where(candidate.c.removed_at_source == False)  # noqa: E712 - SQL
        with self._access.snapshot() as tx:
            return fetch(tx, statement)

    def present(self, columns: Collection[str]) -> Iterator[CandidateRow]:
        """The court's present candidates by TSE id, one by one: none is held longer than its reader does."""
        statement = select_rows(candidate, only=columns).where(candidate.c.removed_at_source == False)  # noqa: E712 - SQL
        with self._access.snapshot() as tx:
            found = tx.connection.execute(statement.order_by(candidate.c.tse_id, candidate.c.election_year))
            keys = list(map(str, found.keys()))
            for row in found:
                yield cast(CandidateRow, dict(zip(keys, row, strict=True)))

    def matched(self) -> dict[int, Sequence[int]]:
        """Deputy id → row ids of every candidate matched with it, of all elections, dropped ones too."""
        columns = (candidate.c.camara_deputy_id, candidate.c.id)
        statement = select(*columns).where(
            candidate.c.camara_deputy_id.is_not(None), candidate.c.match_status == MATCHED
        )
        with self._access.snapshot() as tx:
            pairs = tx.connection.execute(statement.order_by(*columns))
            return {deputy: [row_id for _, row_id in rows] for deputy, rows in groupby(pairs, key=lambda pair: pair[0])}

    def by_tse_id(self, tse_id: str, election_year: int | None = None) -> CandidateRow | None:
        """One candidate; without a year the one of the newest election."""
        statement = select_rows(candidate).where(candidate.c.tse_id == tse_id)
        if election_year is not None:
            statement = statement.where(candidate.c.election_year == election_year)
        with self._access.snapshot() as tx:
            return fetch_one(tx, statement.order_by(candidate.c.election_year.desc()).limit(1))

    def by_tse_ids(
        self, election_year: int, tse_ids: Collection[str], columns: Collection[str] = ()
    ) -> dict[str, CandidateRow]:
        """Candidates of one election by TSE id, dropped ones too; no `columns`: all."""
        statement = select_rows(candidate, only=columns).where(candidate.c.election_year == election_year)
        with self._access.snapshot() as tx:
            return {row["tse_id"]: row for row in fetch_in(tx, statement, candidate.c.tse_id, tse_ids)}

    def by_ids(self, ids: Collection[int]) -> dict[int, CandidateRow]:
        """Candidates by row id."""
        with self._access.snapshot() as tx:
            return {row["id"]: row for row in fetch_in(tx, select_rows(candidate), candidate.c.id, ids)}

    def set_match(
        self, tx: Tx, candidate_id: int, status: str, confidence: float | None, deputy_id: int | None
    ) -> Outcome:
        """Write who the candidate is in the Câmara (deputy_id only when MATCHED)."""
        new = normalised(
            candidate,
            {"match_status": status, "match_confidence": confidence, "camara_deputy_id": deputy_id},
        )
        old = fetch_one(tx, select_rows(candidate).where(candidate.c.id == candidate_id))
        if old is None or not differences(candidate, old, new):
            return Outcome.UNCHANGED
        update_rows(tx, candidate, {candidate_id: new})
        return Outcome.UPDATED

    def spellings(self, column: Literal["party", "office"]) -> Sequence[str]:
        """The different values of a column as the records write them, sorted."""
        values = candidate.c[column]
        with self._access.snapshot() as tx:
            rows = tx.connection.execute(select(values).where(values.is_not(None)).distinct())
            return sorted(row[0] for row in rows)

    def election_years(self) -> Sequence[int]:
        """The elections that have candidates here, oldest first."""
        with self._access.snapshot() as tx:
            return sorted(tx.connection.execute(select(candidate.c.election_year).distinct()).scalars())

    def count(self, filter: SearchFilter | None = None, standing: Standing | None = None) -> int:
        """How many candidates a filter leaves (exact); with a `standing` only the court's present ones that have it."""
        statement = restricted(select(func.count()).select_from(candidate), filter)
        if standing is not None:
            statement = statement.where(*standing.conditions())
        with self._access.snapshot() as tx:
            return int(tx.connection.execute(statement).scalar_one())

    def values(self, column: str, filter: SearchFilter, standing: Standing) -> dict[str, int]:
        """How many of the court's present candidates have each value of a column; without one: `sem informação`."""
        value = candidate.c[column]
        statement = restricted(select(value, func.count()).select_from(candidate), filter)
        statement = statement.where(*standing.conditions()).group_by(value)
        with self._access.snapshot() as tx:
            rows = tx.connection.execute(statement)
            return {str(name) if name is not None else "sem informação": int(count) for name, count in rows}

    def change_mark(self) -> tuple[int, datetime | None]:
        """How many candidates there are and when the last one changed: another mark, other candidates."""
        statement = select(func.count(), func.max(candidate.c.updated_at)).select_from(candidate)
        with self._access.snapshot() as tx:
            count, changed = tx.connection.execute(statement).one()
        return int(count), changed

    def _said_by(self, word: str, parts: Sequence[str]) -> ColumnElement[bool]:
        """The condition that a folded word says something of a candidate; `parts` are patterns of the names."""
        parties = [party for party in self.spellings("party") if fold(party) == word]
        offices = [office for office in self.spellings("office") if word in fold(office).split()]
        ways: Sequence[ColumnElement[bool]] = [candidate.c.search_name.like(part.format(word)) for part in parts]
        ways = [*ways, candidate.c.state == word.upper()]
        ways += [candidate.c.party.in_(parties)] if parties else []
        ways += [candidate.c.office.in_(offices)] if offices else []
        ways += [candidate.c.candidate_number == int(word)] if word.isdecimal() and len(word) < 9 else []
        return or_(*ways)

    def search(
        self,
        *,
        name: str = "",
        scope: SearchFilter | None = None,
        standing: Standing | None = None,
        match_status: str | None = None,
        page: int = 1,
        page_size: int = 20,
    ) -> CandidatePage:
        """Candidates of whom every word of `name` says something, by ballot name; accents and case do not count.

        With a `standing` (also an empty one) only those that the court still lists.

        A word is a part of the ballot or civil name, the party, the UF, a part of the office, or the ballot number.
        A part of a name is a word's beginning; only when nobody is found so, what stands inside ("lula" in "celular").
        """
        conditions = [*_within(scope), *(standing.conditions() if standing else ())]
        conditions += [candidate.c.match_status == match_status] if match_status else []
        words = fold(name).split()[:MOST_WORDS]
        begun = self._page([*conditions, *(self._said_by(word, BEGUN) for word in words)], page, page_size)
        if begun.total or not words:
            return begun
        return self._page([*conditions, *(self._said_by(word, INSIDE) for word in words)], page, page_size)

    def _page(self, conditions: Sequence[ColumnElement[bool]], page: int, page_size: int) -> CandidatePage:
        page, page_size = max(page, 1), min(max(page_size, 1), MOST_ON_PAGE)
        rows = select_rows(candidate).where(*conditions).order_by(*NEUTRAL_ORDER)
        total = select(func.count()).select_from(candidate).where(*conditions)
        with self._access.snapshot() as tx:
            count = int(tx.connection.execute(total).scalar_one())
            items = fetch(tx, rows.limit(page_size).offset((page - 1) * page_size)) if count else []
        return CandidatePage(items, count, page, page_size)


def restricted(statement: Select[Any], filter: SearchFilter | None) -> Select[Any]:
    """`statement` over Candidate with the candidate part of a search filter (source types do not apply)."""
    return statement.where(*_within(filter))


def _within(filter: SearchFilter | None) -> list[ColumnElement[bool]]:
    if filter is None:
        return []
    pairs = (
        (candidate.c.id, filter.candidate_ids),
        (candidate.c.state, filter.states),
        (candidate.c.party, filter.parties),
        (candidate.c.office, filter.offices),
        (candidate.c.election_year, filter.years),
    )
    return [column.in_(values) for column, values in pairs if values]


def _prepared(row: RowMapping) -> Row:
    kept = {key: value for key, value in row.items() if key not in MATCH_COLUMNS}
    names = (fold(row.get("ballot_name") or row["name"]), fold(row["name"]))
    return {"removed_at_source": False, **kept, "search_name": "|".join(names)}


def _filters_differ(old: RowMapping, new: RowMapping | None) -> bool:
    return new is not None and any(key in new and (new[key] or None) != old[key] for key in FILTERED_BY)

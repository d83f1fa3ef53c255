"""Work larger than one unit of 500 changed rows: bills of hundreds of signers, deputies of hundreds of bills."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest

from iris_assets.store import Limits, Store, Tx, open_store
from iris_assets.store.sqlite.engine import SqliteEngine
from iris_assets_tests.ingest.camara_platform import NO_LIMITS, Platform, counters, linked, tse
from iris_assets_tests.ingest.camara_world import World, add_candidates

ALL_AUTHORS = {**NO_LIMITS, "camara_max_authors_per_proposition": 1000}


@pytest.fixture(autouse=True)
def units_of_500(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's limits on a file, whose own are wider."""
    monkeypatch.setattr(SqliteEngine, "limits", Limits(transaction_rows=500, listed=400))


class Stopping(Store):
    """A store whose process ends (as by Ctrl-C) before the first unit for which `when` is true."""

    def __init__(self, other: Store, when: Callable[[Store], bool]) -> None:
        super().__init__(other.engine)
        self._when = when

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        if self._when(self):
            self._when = lambda _: False
            raise KeyboardInterrupt
        with super().transaction() as tx:
            yield tx


def stopped_run(platform: Platform, when: Callable[[Store], bool], uf: str, **settings: object) -> None:
    """One run that ends in the middle; the next one has an ordinary store again."""
    platform.store = Stopping(platform.store, when)
    with pytest.raises(KeyboardInterrupt):
        platform.run(uf, **settings)
    platform.store = open_store(f"sqlite:///{platform.folder / 'store.sqlite3'}")


def signed_by(numbers: range) -> World:
    """Bill 100 of deputy 1 and of these people, whom the Câmara does not list."""
    world = World()
    world.add_deputy(1)
    world.add_bill(100, date(2024, 5, 2), [1, *numbers])
    return world


def authors(platform: Platform) -> list[int]:
    bill = platform.store.camara.bill(100)
    assert bill is not None and bill["status_at"] == bill["presentation_date"].isoformat() + "T12:00"
    return [author["camara_author_id"] for author in bill["authors"]]


@pytest.mark.parametrize("source", ["api", "bulk"])
def test_a_bill_of_700_signers_is_stored_and_replaced_whole(tmp_path: Path, source: str) -> None:
    platform = Platform(tmp_path, signed_by(range(1001, 1700)))
    add_candidates(platform.store, [1])
    report = platform.run("RJ", camara_source=source, **ALL_AUTHORS)["RJ"]
    assert counters(report) == (2, 2, 0, 0, 0)
    assert authors(platform) == [1, *range(1001, 1700)] and linked(platform.store, 100) == [tse(1)]
    assert counters(platform.run("RJ", camara_source=source, **ALL_AUTHORS)["RJ"])[1:3] == (0, 0)
    platform.world.authors[100] = signed_by(range(2001, 2650)).authors[100]
    report = platform.run("RJ", camara_source=source, full_refresh=True, **ALL_AUTHORS)["RJ"]
    assert counters(report)[1:] == (0, 1, 1, 0)
    assert authors(platform) == [1, *range(2001, 2650)]


def test_a_bill_that_broke_off_between_its_units_is_asked_again(tmp_path: Path) -> None:
    platform = Platform(tmp_path, signed_by(range(1001, 1700)))
    add_candidates(platform.store, [1])
    stopped_run(platform, lambda store: bool(store.camara.author_counts_of([100])), "RJ", **ALL_AUTHORS)
    unfinished = platform.store.camara.bill(100)
    assert unfinished is not None and (len(unfinished["authors"]), unfinished["status_at"]) == (500, None)
    platform.run("RJ", **ALL_AUTHORS)
    assert authors(platform) == [1, *range(1001, 1700)] and linked(platform.store, 100) == [tse(1)]


def test_a_bill_of_700_signers_goes_whole_with_its_last_candidate(tmp_path: Path) -> None:
    platform = Platform(tmp_path, signed_by(range(1001, 1700)))
    add_candidates(platform.store, [1])
    platform.run("RJ", **ALL_AUTHORS)
    platform.world.drop_signer(100, 1)
    platform.world.move(100, "2024-06-01T10:00:00")
    report = platform.run("RJ", camara_source="bulk", **ALL_AUTHORS)["RJ"]
    assert report.figures["bills_retired"] == 1 and platform.store.camara.bill(100) is None
    assert platform.store.statistics()["tables"]["proposition_author"] == 0


@pytest.fixture
def prolific(tmp_path: Path) -> Platform:
    """Deputy 1 with 620 bills, two of them signed by deputy 2 (MG) too."""
    world = World()
    world.add_deputy(1)
    world.add_deputy(2)
    for place in range(620):
        world.add_bill(1000 + place, date(2023, 2, 1) + timedelta(days=place), [1, 2] if place < 2 else [1])
    platform = Platform(tmp_path, world)
    add_candidates(platform.store, [1, 2])
    platform.run("RJ", "MG", camara_source="bulk", **NO_LIMITS)
    assert len(platform.store.camara.bill_states()) == 620
    return platform


def renamed(platform: Platform) -> None:
    """The court corrects the names: the candidate is not deputy 1 any more."""
    add_candidates(platform.store, [1], name="OUTRA PESSOA", ballot_name="OUTRA")


def test_a_candidate_who_is_no_longer_the_deputy_loses_620_bills(prolific: Platform) -> None:
    renamed(prolific)
    report = prolific.run("RJ", camara_source="bulk", **NO_LIMITS)["RJ"]
    assert report.figures["bills_retired"] == 618
    assert sorted(prolific.store.camara.bill_states()) == [1000, 1001] and linked(prolific.store, 1000) == [tse(2)]


def test_an_unlinking_that_broke_off_is_ended_by_the_next_run(prolific: Platform) -> None:
    renamed(prolific)
    stopped_run(prolific, lambda store: len(store.camara.bill_states()) <= 300, "RJ", camara_source="bulk", **NO_LIMITS)
    assert len(prolific.store.camara.bill_states()) == 300
    prolific.run("RJ", camara_source="bulk", **NO_LIMITS)
    assert sorted(prolific.store.camara.bill_states()) == [1000, 1001] and linked(prolific.store, 1000) == [tse(2)]


def test_a_bill_that_passes_to_another_candidate_keeps_its_record(prolific: Platform) -> None:
    before = prolific.store.camara.bill(1000)
    prolific.world.drop_signer(1000, 1)
    prolific.world.move(1000, "2025-01-01T10:00:00")
    prolific.run("RJ", "MG", camara_source="bulk", **NO_LIMITS)
    after = prolific.store.camara.bill(1000)
    assert before is not None and after is not None and before["id"] == after["id"]
    assert linked(prolific.store, 1000) == [tse(2)]

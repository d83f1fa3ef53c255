"""A hundred hostile archives through the stage: each its own code, no crash, the last good copy in use every time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.sources.inspection import inspect_archive
from iris_assets_tests.ingest.court import Court, csv_bytes
from iris_assets_tests.ingest.test_candidates import people
from iris_assets_tests.sources.zips import hostile, hostile_content, mutants, zipped

MEMBER = "consulta_cand_2026_SP.csv"
GOOD = {MEMBER: csv_bytes(people(30))}
CASES = [*hostile(GOOD), *hostile_content(GOOD, MEMBER)]
ARCHIVE_CODES = {code for _, code, _ in hostile(GOOD)}
MUTANTS = 100 - len(CASES)


@pytest.fixture
def court(tmp_path: Path) -> Iterator[Court]:
    made = Court(tmp_path)
    made.publish_bytes(zipped(GOOD))
    assert made.candidates("SP")["SP"].status == "SUCCESS"
    yield made
    made.store.close()


def test_every_hostile_archive_gets_its_code_and_costs_nothing(court: Court) -> None:
    found = []
    for _, code, data in CASES:
        court.publish_bytes(data)
        report = court.candidates("SP")["SP"]
        found.append(report.error_code)
        # Refused as a whole: the last good copy serves; a refused member: this run fails before a write.
        assert report.status == ("PARTIAL" if code.startswith("ARCHIVE_") else "FAILED"), report
        assert report.counters["created"] + report.counters["updated"] == 0
    assert dict(enumerate(found)) == {index: code for index, (_, code, _) in enumerate(CASES)}
    _still_whole(court)


def test_damage_anywhere_is_refused_or_harmless(court: Court) -> None:
    refused = 0
    for data in mutants(GOOD, seed=20260802, count=MUTANTS):
        court.publish_bytes(data)
        report = court.candidates("SP")["SP"]
        if report.error_code is not None:
            assert report.error_code in ARCHIVE_CODES | {"MEMBER_MISSING", "MEMBER_ENCRYPTED", "MEMBER_UNREADABLE"}
            refused += 1
    assert len(CASES) + MUTANTS == 100
    assert refused > MUTANTS / 2
    _still_whole(court)


def test_inspect_names_the_same_faults(tmp_path: Path) -> None:
    path = tmp_path / "archive.zip"
    for what, code, data in hostile(GOOD):
        path.write_bytes(data)
        result = inspect_archive(path)
        assert (what, result["status"], result["error_code"]) == (what, "REFUSED", code)


def _still_whole(court: Court) -> None:
    """All candidates are there, nothing half-received lies about, and the honest archive is taken up again."""
    rows = court.store.candidates.list(include_removed=True)
    assert (len(rows), sum(row["removed_at_source"] for row in rows)) == (30, 0)
    assert list((court.folder / "downloads" / "incoming").iterdir()) == []
    court.publish_bytes(zipped(GOOD))
    assert court.candidates("SP")["SP"].status == "SUCCESS"

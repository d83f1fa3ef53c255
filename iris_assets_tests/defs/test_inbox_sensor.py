"""The inbox sensor: a run per UF whose files came, changed or went, once each."""

from pathlib import Path

import dagster as dg
import pytest

from iris_assets.defs.inbox_sensor import inbox_sensor


def tick(cursor: str | None) -> tuple[list[str | None], str | None]:
    """(the UFs that run, the cursor afterwards)."""
    with dg.DagsterInstance.ephemeral() as instance:
        found = inbox_sensor(dg.build_sensor_context(instance=instance, cursor=cursor))
    assert isinstance(found, dg.SensorResult)
    return [request.partition_key for request in found.run_requests or []], found.cursor


def test_a_file_that_comes_changes_or_goes_is_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRIS_ASSETS_DATA", str(tmp_path))
    assert tick(None)[0] == []  # no inbox yet
    folder = tmp_path / "inbox" / "SP" / "250001"
    folder.mkdir(parents=True)
    (tmp_path / "inbox" / "nada").mkdir()
    (folder / "1.json").write_text("{}")
    found, cursor = tick(None)
    assert found == ["SP"] and tick(cursor)[0] == []
    (folder / "1.json").write_text('{"a": 1}')
    found, cursor = tick(cursor)
    assert found == ["SP"]
    (folder / "notes.txt").write_text("no article")
    assert tick(cursor)[0] == []
    (folder / "1.json").unlink()
    found, cursor = tick(cursor)
    assert found == ["SP"] and tick(cursor)[0] == []

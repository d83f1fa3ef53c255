"""The store as files: every table with all its rows, described; joined by row ids; nothing of readers unless wanted."""

import csv
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.errors import ConfigurationError, UsageError
from iris_assets.export import export
from iris_assets.store import Store
from iris_assets.store.tables.dictionary import columns, tables
from iris_assets.store.tables.schema import metadata
from iris_assets_tests.answers.world import ANA, build_world


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = build_world(tmp_path_factory.mktemp("export") / "data")[1]
    yield store
    store.close()


def test_every_table_and_column_has_a_meaning() -> None:
    assert set(tables()) == {table.name for table in metadata.sorted_tables}
    assert all(meaning for meaning in tables().values())
    for table in metadata.sorted_tables:
        assert [column.name for column in columns(table.name)] == [column.name for column in table.columns]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_all_rows_come_out_and_plans_are_joined_to_their_candidates(store: Store, tmp_path: Path, form: str) -> None:
    written = export(store, tmp_path, form)  # type: ignore[arg-type]
    read = pd.read_csv if form == "csv" else pd.read_parquet
    counted = {one.table: one.rows for one in written}
    for one in written:
        assert len(read(tmp_path / one.file)) == one.rows
        assert hashlib.sha256((tmp_path / one.file).read_bytes()).hexdigest() == one.sha256
    candidates = read(tmp_path / f"Candidate.{form}")
    assert counted["Candidate"] == store.candidates.count(None) == len(candidates)
    links = read(tmp_path / f"SourceCandidate.{form}")
    ana = candidates[candidates["TseId"].astype(str) == ANA]["Id"].iloc[0]
    plans = links[(links["CandidateId"] == ana) & (links["SourceType"] == "GOVERNMENT_PROPOSAL")]
    assert len(plans) == 1
    assert "Embedding" not in read(tmp_path / f"PoliticalChunk.{form}").columns


def test_the_manifest_comes_last_and_names_sources_and_licences(store: Store, tmp_path: Path) -> None:
    export(store, tmp_path, "csv")
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert {table["table"] for table in manifest["tables"]} == set(tables()) - {
        "Answer",
        "AnswerEvidence",
        "SourceState",
    }
    assert {source["licence"] for source in manifest["sources"]} >= {"CC BY"}
    with (tmp_path / "data_dictionary.csv").open(encoding="utf-8") as file:
        told = {(row["table"], row["column"]) for row in csv.DictReader(file)}
    assert ("Candidate", "TseId") in told


def test_what_readers_asked_comes_only_when_wanted(store: Store, tmp_path: Path) -> None:
    export(store, tmp_path / "without", "csv")
    export(store, tmp_path / "with", "csv", with_answers=True)
    assert not (tmp_path / "without/Answer.csv").exists()
    assert (tmp_path / "with/Answer.csv").exists()


def test_a_folder_with_other_files_is_left_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("mine")
    with pytest.raises(UsageError) as refused:
        export(store, tmp_path, "csv")
    assert refused.value.code == "EXPORT_FOLDER_TAKEN"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]


def test_parquet_without_its_extra_says_what_to_install(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iris_assets.extras.PARQUET", ("no_such_module",))
    with pytest.raises(ConfigurationError) as refused:
        export(store, tmp_path / "out", "parquet")
    assert refused.value.code == "PARQUET_NOT_INSTALLED" and not (tmp_path / "out").exists()


def test_the_command_writes_an_earlier_export_anew_and_refuses_other_formats(
    world_folder: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        done = CliRunner().invoke(app, ["export", str(tmp_path / "out"), "--data", str(world_folder), "--json"])
        assert done.exit_code == 0 and {row["table"] for row in json.loads(done.stdout)} >= {"Candidate"}
    refused = CliRunner().invoke(app, ["export", str(tmp_path / "x"), "--format", "xls", "--data", str(world_folder)])
    assert refused.exit_code == 2 and refused.stderr.startswith("FORMAT_UNKNOWN: ")

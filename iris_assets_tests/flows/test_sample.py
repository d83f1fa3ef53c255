"""The bundled sample from the sources to a cited answer, as a newcomer runs it."""

from pathlib import Path

from iris_assets.defs.partitions import uf_of
from iris_assets_tests.flows.commands import Done, iris_assets
from iris_assets_tests.flows.rows import logical_rows

STAGES = ["candidates", "proposals", "camara", "chunks", "embeddings"]


def test_every_stage_of_every_uf_is_done(sample_run: tuple[Path, Done]) -> None:
    done = sample_run[1]
    assert done.code == 0, done.err
    assert list(done.json) == ["SP", "AC", "BR"]
    for stages in done.json.values():
        assert list(stages) == STAGES
        assert {stage["status"] for stage in stages.values()} <= {"SUCCESS", "PARTIAL"}


def test_the_sample_holds_what_it_promises(sample_run: tuple[Path, Done]) -> None:
    data, _ = sample_run
    status = iris_assets("status", "--json", "--data", data, cwd=data.parent).json
    assert 50 <= status["tables"]["candidate"] <= 70
    assert status["tables"]["proposition"] >= 20
    assert status["match"]["MATCHED"] >= 3
    assert status["match"]["REVIEW"] >= 1
    assert status["tables"]["proposal_document"] >= 4
    assert len(status["runs"]) == 10


def test_a_question_is_answered_with_two_cited_sources(sample_run: tuple[Path, Done]) -> None:
    data, _ = sample_run
    answer = iris_assets(
        "ask", "O que os planos de governo propõem para a saúde?", "--data", data, "--json", cwd=data.parent
    ).json
    cited = {(source["source_type"], source["source_id"]) for source in answer["sources"] if source["cited"]}
    assert len(cited) >= 2
    for source in answer["sources"]:
        if source["source_type"] == "GOVERNMENT_PROPOSAL":
            assert source["page_start"] >= 1


def test_the_audit_row_and_the_dagster_metadata_agree(sample_run: tuple[Path, Done]) -> None:
    import dagster as dg

    data, done = sample_run
    with dg.DagsterInstance.from_config(str(data / "dagster_home")) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("candidates"))
        assert event is not None
        materialization = event.asset_materialization
        assert materialization is not None
        metadata = {name: value.value for name, value in materialization.metadata.items()}
    reported = done.json[uf_of(materialization.partition or "")]["candidates"]
    for name in ("status", "records_read", "records_created", "records_updated", "records_skipped", "records_failed"):
        assert metadata[name] == reported[name], name
    assert metadata["ingestion_run"] == reported["ingestion_run"]


def test_the_second_run_writes_nothing(sample_replay: Path, tmp_path: Path) -> None:
    arguments = (
        "run",
        "--uf",
        "SP,BR",
        "--year",
        "2026",
        "--replay",
        sample_replay,
        "--data",
        tmp_path / "data",
        "--json",
    )
    assert iris_assets(*arguments, cwd=tmp_path).code == 0
    before = logical_rows(tmp_path / "data")
    again = iris_assets(*arguments, cwd=tmp_path).json
    stages = [stage for uf in again.values() for stage in uf.values()]
    assert sum(stage["records_created"] + stage["records_updated"] for stage in stages) == 0
    assert logical_rows(tmp_path / "data") == before


def test_tables_in_a_pipe_cut_no_word(sample_replay: Path, sample_run: tuple[Path, Done], tmp_path: Path) -> None:
    """A pipe or a log is 80 columns wide."""
    data, _ = sample_run
    table = iris_assets(
        "run", "--uf", "AC", "--year", "2026", "--replay", sample_replay, "--data", tmp_path / "d", cwd=tmp_path
    )
    assert [stage for stage in STAGES if stage not in table.out] == []
    status = iris_assets("status", "--data", data, cwd=data.parent)
    assert "EMBEDDINGS_NO_KEY" in status.out
    assert "…" not in table.out + status.out


def test_an_absent_store_says_what_to_run_first(tmp_path: Path) -> None:
    done = iris_assets("ask", "saúde", "--data", tmp_path / "new", cwd=tmp_path)
    assert done.code == 1
    assert done.err.startswith("STORE_ABSENT: ") and "iris-assets run" in done.err
    assert not (tmp_path / "new").exists()

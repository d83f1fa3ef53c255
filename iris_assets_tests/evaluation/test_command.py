"""`iris-assets evaluate` over a question set: stored, compared, pinned, exported, with exit codes."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from iris_assets_tests.evaluation.conftest import World
from iris_assets_tests.flows.commands import Done, command_line, environment, iris_assets


def _evaluate(world: World, *arguments: str | Path, **extra: str) -> Done:
    data = world.settings.iris_assets_data
    return iris_assets(
        "evaluate", "--data", data, "--json", *arguments, cwd=data.parent,
        EVALUATION_QUESTIONS=str(world.questions), **extra,
    )  # fmt: skip


def _floors(world: World) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(world.baseline.read_text(encoding="utf-8"))
    return tree


def test_ufs_are_evaluated_stored_pinned_and_exported(world: World, tmp_path: Path) -> None:
    done = _evaluate(world, "--uf", "sp,AC", "--pin", "--export", tmp_path / "trec")
    assert done.code == 0, done.err
    assert {uf: result["questions"] for uf, result in done.json.items()} == {"SP": 7, "AC": 3}
    assert done.json["SP"]["pinned"]["nDCG@10"] == 1.0 and done.json["AC"]["pinned"]["count_accuracy"] == 1.0
    assert set(_floors(world)["invented"]) == {"SP", "AC"}
    assert {path.name for path in (tmp_path / "trec" / "SP").iterdir()} == {"qrels.txt", "lexical.run"}
    again = _evaluate(world, "--uf", "SP")
    assert again.code == 0 and again.json["SP"]["regressions"] == []
    assert done.json["SP"]["evaluation_run"] in " ".join(again.json["SP"]["notes"])


def test_a_broken_baseline_exits_with_one_and_is_lowered_only_by_word(world: World) -> None:
    assert _evaluate(world, "--pin").code == 0
    tree = _floors(world)
    tree["invented"]["ALL"]["lexical"]["figures"]["count_accuracy"] = 1.5
    world.baseline.write_text(json.dumps(tree), encoding="utf-8")
    red = _evaluate(world)
    assert red.code == 1
    assert red.json["regressions"] == ["count_accuracy 1.000 is below the baseline 1.500"]
    refused = _evaluate(world, "--pin")
    assert refused.code == 2 and "FLOOR_LOWERED" in refused.err and "count_accuracy 1.5000 → 1.0" in refused.err
    assert _evaluate(world, "--pin", "--allow-lower").code == 0
    assert _floors(world)["invented"]["ALL"]["lexical"]["figures"]["count_accuracy"] == 1.0
    alone = _evaluate(world, "--allow-lower")
    assert alone.code == 2 and "OPTION_ALONE" in alone.err


def test_baselines_may_lie_elsewhere_and_the_table_names_what_is_wrong(world: World, tmp_path: Path) -> None:
    text = world.questions.read_text(encoding="utf-8").replace("count: 3", "count: 4")
    world.questions.write_text(text, encoding="utf-8")
    elsewhere = tmp_path / "elsewhere" / "pinned.json"
    data = world.settings.iris_assets_data
    done = iris_assets(
        "evaluate", "--questions", world.questions, "--floors", elsewhere, "--pin", "--data", data, cwd=tmp_path
    )
    assert done.code == 0, done.err
    assert elsewhere.is_file() and not world.baseline.exists()
    assert "wrong: conta: counts [3, 3], expected 4" in done.out


def test_an_evaluation_killed_while_it_answers_leaves_nothing_half_and_runs_again(world: World) -> None:
    data = world.settings.iris_assets_data
    process = subprocess.Popen(
        command_line(["evaluate", "--uf", "SP", "--data", data]),
        cwd=data.parent, env=environment(EVALUATION_QUESTIONS=str(world.questions)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not world.store.statistics()["tables"]["answer"] and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert world.store.statistics()["tables"]["answer"] > 0
    before = len(world.store.evaluations.history("invented", "SP"))
    assert _evaluate(world, "--uf", "SP").code == 0
    world.store.check_integrity()
    history = world.store.evaluations.history("invented", "SP")
    assert len(history) == before + 1  # a killed one is whole (killed after its last write) or not there
    assert [len(world.store.evaluations.answers(row["id"])) for row in history] == [7] * len(history)

"""The prompt cases run by Promptfoo, offline, against the loopback model; skipped where Node or Promptfoo is missing."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from iris_assets.articles.prompts import NAMES, load
from iris_assets_tests.articles import samples
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI

CASES = Path(__file__).parents[2] / "promptfoo"
QUIET = ("TELEMETRY", "UPDATE", "REMOTE_GENERATION", "SHARING")


def careful(system: str, user: str) -> str:
    """What a good model answers to the cases: by votes, and by the label behind the name."""
    told = json.loads(user)
    value = samples.truth(system, json.dumps({**told, "blocks": [b for b in told["blocks"] if b.get("votes", 3) > 1]}))
    if "category" in value:
        label = f"({told['profile']['party']}-{told['profile']['uf']})"
        value["category"] = "direct" if any(label in block["text"] for block in told["blocks"]) else "unrelated"
    return json.dumps(value)


@pytest.fixture
def promptfoo() -> str:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed; Promptfoo is optional")
    program = shutil.which("promptfoo", path=f"{CASES / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip("Promptfoo is not installed: make promptfoo")
    return str(program)


def evaluated(program: str, model: FakeOpenAI, folder: Path, name: str) -> tuple[int, dict[str, int]]:
    """(exit code, {"successes", "failures", "errors"}) of the cases of one prompt; nothing but the loopback is there."""
    report = folder / f"{name}.json"
    environment = {
        **{key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")},
        **{f"PROMPTFOO_DISABLE_{what}": "1" for what in QUIET}, "PROMPTFOO_CONFIG_DIR": str(folder / "home"),
        "PROMPTFOO_BASE_URL": model.url, "OPENAI_API_KEY": "none", "CI": "true",
        # Whatever else it would call goes to a closed port of this machine.
        "HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1",
    }  # fmt: skip
    done = subprocess.run(
        [program, "eval", "--no-share", "--no-cache", "--no-progress-bar", "-c", f"{name}.yaml", "-o", str(report)],
        cwd=CASES, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert report.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    stats = json.loads(report.read_text("utf-8"))["results"]["stats"]
    return done.returncode, {key: stats[key] for key in ("successes", "failures", "errors")}


def test_a_careful_model_passes_every_case_with_the_prompts_of_the_runtime(
    promptfoo: str, model: FakeOpenAI, tmp_path: Path
) -> None:
    model.reply = careful
    for name, cases in (("hygiene", 2), ("gate", 2), ("enrichment", 1)):
        assert evaluated(promptfoo, model, tmp_path, name) == (0, {"successes": cases, "failures": 0, "errors": 0})
    sent = {body["messages"][0]["content"] for _, body in model.bodies}
    assert sent == {load(name).text for name in NAMES} and model.calls[CHAT] == 5


def test_a_model_that_approves_everybody_fails_the_homonym_case(
    promptfoo: str, model: FakeOpenAI, tmp_path: Path
) -> None:
    model.reply = samples.reply()
    code, stats = evaluated(promptfoo, model, tmp_path, "gate")
    assert code != 0 and stats == {"successes": 1, "failures": 1, "errors": 0}

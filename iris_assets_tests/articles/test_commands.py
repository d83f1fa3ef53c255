"""The article commands: exit codes, one JSON result, the order of validation, secrets nowhere."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.articles.contracts import Profile
from iris_assets.cli import app
from iris_assets.store import open_store
from iris_assets_tests.articles import samples
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI, unavailable

CANDIDATE = {
    "tse_id": "250001", "election_year": 2026, "name": "ANA LIMA DE SOUZA", "ballot_name": "ANA LIMA", "party": "PSX",
    "office": "DEPUTADO FEDERAL", "state": "SP", "removed_at_source": False,
}  # fmt: skip


@pytest.fixture
def ready(model: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> FakeOpenAI:
    """The loopback model behind both roles, as a user configures it: by the environment."""
    for role in ("PRIMARY", "FALLBACK"):
        monkeypatch.setenv(f"RUNTIME_{role}_BASE_URL", model.url)
    for name, key in samples.KEYS.items():
        monkeypatch.setenv(name, key)
    model.reply = samples.reply()
    return model


def article(folder: Path, value: Any, profile: Any = samples.PROFILE, *more: str) -> tuple[int, dict[str, Any], str]:
    """(exit code, the JSON on stdout, stderr) of `iris-assets article`."""
    files = {"article.json": value, "profile.json": profile}
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, "utf-8")
    arguments = ["article", str(folder / "article.json"), "--profile", str(folder / "profile.json"), "--out",
                 str(folder / "out"), "--json", *more]  # fmt: skip
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, json.loads(done.stdout), done.stderr


def test_an_approved_article_leaves_a_pair_and_one_result(ready: FakeOpenAI, tmp_path: Path) -> None:
    state = tmp_path / "elsewhere" / "state.sqlite3"
    ready.fail(CHAT, unavailable())  # a retry is told in the log, never on stdout
    code, result, logs = article(tmp_path, samples.article(), samples.PROFILE, "--state", str(state))
    assert (code, result["status"], result["repeated"]) == (0, "completed_text", False)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        result["markdown_file"], result["manifest_file"],
    ]  # fmt: skip
    assert state.is_file() and all(json.loads(line)["run_id"] for line in logs.splitlines())
    stored = json.loads((tmp_path / "out" / result["manifest_file"]).read_text("utf-8"))
    assert {name: value for name, value in result.items() if name in stored} == stored
    again = article(tmp_path, samples.article(), samples.PROFILE, "--state", str(state))
    assert again[0] == 0 and again[1]["repeated"] and ready.calls[CHAT] == 4


def test_a_refused_and_a_failed_article_have_their_exit_codes(ready: FakeOpenAI, tmp_path: Path) -> None:
    code, result, _ = article(tmp_path, samples.article(), {**samples.PROFILE, "uf": "AC"})
    assert (code, result["status"], result["markdown_file"]) == (3, "ecp_rejected", None)
    ready.reply = samples.reply(lambda step, value, told: "{" if step == "gate" else value)
    code, result, _ = article(tmp_path, samples.article())
    assert (code, result["status"], result["error_code"]) == (4, "failed", "LLM_NOT_JSON")
    assert (tmp_path / "out" / result["manifest_file"]).is_file() and result["markdown_file"] is None


def test_validation_keeps_its_order_and_opens_nothing(
    ready: FakeOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is wrong at first; each step mends what was reported."""
    monkeypatch.setenv("RUNTIME_PRIMARY_MODEL", "gpt-expensive")
    value: dict[str, Any] = {
        **samples.article(("Curto.",)), "url": "ftp://x/y", "selected_extractor": "nobody", "surprise": 1,
    }  # fmt: skip
    for extraction in value["extractions"].values():
        extraction["title"] = " \u200b "
    profile: dict[str, Any] = {**samples.PROFILE, "names": []}

    def code() -> str:
        status, result, _ = article(tmp_path, value, profile)
        assert status == 4 and result["status"] == "failed" and result["hint"]
        return str(result["error_code"])

    status, result, _ = article(tmp_path, "{", "{")
    assert (status, result["error_code"]) == (4, "INPUT_NOT_JSON")
    assert code() == "ARTICLE_INVALID"
    del value["surprise"]
    assert code() == "PROFILE_INVALID"
    profile["names"] = ["ANA LIMA DE SOUZA"]
    assert code() == "EXTRACTOR_UNKNOWN"
    value["selected_extractor"] = "readability"
    assert code() == "URL_INVALID"
    value["url"] = "https://jornal.example/n/1"
    assert code() == "TITLE_MISSING"
    for extraction in value["extractions"].values():
        extraction["title"] = samples.TITLE
    assert code() == "TEXT_TOO_SHORT"
    value["extractions"] = samples.article()["extractions"]
    assert code() == "MODEL_NOT_CERTIFIED"
    assert ready.calls[CHAT] == 0 and not (tmp_path / "out").exists()
    monkeypatch.delenv("RUNTIME_PRIMARY_MODEL")
    assert article(tmp_path, value, profile)[0] == 0


@pytest.mark.parametrize("count", [2, 4])
def test_an_article_has_exactly_three_extractions(ready: FakeOpenAI, tmp_path: Path, count: int) -> None:
    value = samples.article()
    names = ["readability", "trafilatura", "newspaper4k", "fourth"][:count]
    value["extractions"] = dict.fromkeys(names, value["extractions"]["trafilatura"])
    assert article(tmp_path, value)[1]["error_code"] == "ARTICLE_INVALID"


def test_wrong_usage_is_two(ready: FakeOpenAI, tmp_path: Path) -> None:
    run = CliRunner().invoke
    done = run(app, ["article", str(tmp_path / "no.json"), "--profile", str(tmp_path / "no.json"), "--out", "x"])
    assert done.exit_code == 2 and json.loads(done.stdout)["error_code"] == "INPUT_UNREADABLE"
    assert run(app, ["article", "a.json"]).exit_code == 2


def test_a_configuration_of_ones_own_and_a_broken_one(ready: FakeOpenAI, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"version": "2", "thresholds": {"minimum_characters": 100000}}')
    assert (
        article(tmp_path, samples.article(), samples.PROFILE, "--config", str(file))[1]["error_code"]
        == "TEXT_TOO_SHORT"
    )
    for text in ("[", "[]", '{"thresholds": {"minimum_kept_share": 2}}', '{"thresholds": 1}', '{"surprise": 1}'):
        file.write_text(text)
        code, result, _ = article(tmp_path, samples.article(), samples.PROFILE, "--config", str(file))
        assert (code, result["error_code"]) == (4, "RUNTIME_CONFIG_INVALID"), text


def test_the_profile_comes_from_the_store_with_the_hash_of_its_content(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'iris_assets.sqlite3'}")
    with store.transaction() as tx:
        store.candidates.upsert(tx, [CANDIDATE])
    store.close()
    run = CliRunner().invoke
    done = run(app, ["profile", "250001", "--data", str(tmp_path), "--json"], env={"DATABASE_URL": ""})
    found = Profile.model_validate_json(done.stdout)
    assert (found.profile_id, found.uf, found.party, found.ballot_name) == ("250001", "SP", "PSX", "ANA LIMA")
    again = run(app, ["profile", "250001", "--data", str(tmp_path)], env={"DATABASE_URL": ""})
    assert again.stdout == done.stdout and len(found.version) == 16
    missing = run(app, ["profile", "1", "--data", str(tmp_path)], env={"DATABASE_URL": ""})
    assert missing.exit_code == 1 and "CANDIDATE_NOT_FOUND" in missing.stderr


def test_evaluate_tells_the_figures_of_a_folder(tmp_path: Path) -> None:
    import gzip

    html = tmp_path / "html"
    html.mkdir()
    text = " ".join(f"{line} Texto {number}." for number, line in enumerate(samples.PARAGRAPHS * 3))
    page = f"<html><head><title>{samples.TITLE}</title></head><body><article><p>{text}</p></article></body></html>"
    (html / "a.html.gz").write_bytes(gzip.compress(page.encode()))
    gold = {"a": {"articleBody": text, "url": "https://jornal.example/a"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(gold), "utf-8")
    done = CliRunner().invoke(app, ["evaluate", "--articles", str(tmp_path), "--json"])
    result = json.loads(done.stdout)
    assert {"pages", "F1", "precision", "recall", "by_extractor", "low_agreement_share"} <= set(result)
    assert (done.exit_code, result["pages"], result["F1"], result["recall"]) == (0, 1, 1.0, 1.0)
    assert set(result["by_extractor"]) == {"trafilatura", "newspaper4k", "readability"}
    assert result["blocks"]["cleaned"]["precision"] == 1.0
    assert CliRunner().invoke(app, ["evaluate", "--articles", str(html)]).exit_code == 2


def test_secrets_stand_in_no_file_log_manifest_or_argument(ready: FakeOpenAI, tmp_path: Path) -> None:
    ready.reply = samples.reply(lambda step, value, told: "{" if step == "gate" else value)
    for _ in range(2):  # a failed run and a completed one
        code, result, logs = article(tmp_path, samples.article())
        assert "segredo" not in logs + json.dumps(result)
        ready.reply = samples.reply()
    assert code == 0 and any("segredo" in key for key in ready.keys)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 5 and all(b"segredo" not in path.read_bytes() for path in files)
    for command in ("article", "extract", "profile"):
        text = CliRunner().invoke(app, [command, "--help"]).stdout.lower()
        assert "--key" not in text and "api_key" not in text
    assert os.environ["GROQ_API_KEY"] == samples.KEYS["GROQ_API_KEY"]

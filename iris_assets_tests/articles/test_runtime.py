"""One article from end to end against a loopback model that tells the truth, or fails: states, resume, fingerprint, manifest."""

import io
import json
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from iris_assets.articles.configuration import load_config
from iris_assets.articles.contracts import VERSIONS, Article, Profile
from iris_assets.articles.prompts import NAMES, load
from iris_assets.articles.runtime import Outcome, exit_code, run_article
from iris_assets.articles.validation import identify
from iris_assets.errors import ConfigurationError
from iris_assets_tests.articles import grounding, samples
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI


def run(model: FakeOpenAI, folder: Path, value: Any = None, profile: Any = None, **operation: Any) -> Outcome:
    return run_article(
        value or samples.article(), profile or samples.PROFILE, config=samples.config(model.url, **operation),
        environment=samples.KEYS, stream=io.StringIO(), **samples.paths(folder),
    )  # fmt: skip


def test_a_true_article_is_completed_and_costs_nothing_again(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    first = run(model, tmp_path)
    assert (exit_code(first), first.manifest.status, model.calls[CHAT]) == (0, "completed_text", 3)
    assert grounding.ungrounded(first.markdown or "", samples.article()) == []
    assert (first.markdown or "").count("1.200 municípios") == 1
    states = [step.state for step in first.manifest.states]
    assert states == ["received", "validated", "content_cleaned", "ecp_approved", "enriched"]
    again = run(model, tmp_path)
    assert again.repeated and again.manifest == first.manifest and model.calls[CHAT] == 3
    names = sorted(path.suffix for path in (tmp_path / "out").iterdir())
    assert names == [".json", ".md"]


def test_a_lost_file_is_written_again_without_a_call(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    first = run(model, tmp_path)
    page = tmp_path / "out" / f"{first.manifest.fingerprint}.md"
    page.write_text("half")
    run(model, tmp_path)
    assert page.read_text("utf-8") == first.markdown and model.calls[CHAT] == 3


def test_a_failed_gate_goes_on_from_the_cleaned_text(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply(lambda step, value, told: "{" if step == "gate" else value)
    failed = run(model, tmp_path)
    assert (exit_code(failed), failed.manifest.error_code) == (4, "LLM_NOT_JSON")
    assert not list((tmp_path / "out").glob("*.md"))
    calls = model.calls[CHAT]
    model.reply = samples.reply()
    assert run(model, tmp_path).manifest.status == "completed_text"
    assert model.calls[CHAT] == calls + 2


def test_a_run_goes_on_from_every_safe_state(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    whole = run(model, tmp_path / "whole")
    for state, calls in (
        ("received", 3),
        ("validated", 3),
        ("content_cleaned", 2),
        ("ecp_approved", 1),
        ("enriched", 0),
    ):
        folder = tmp_path / state
        run(model, folder)
        _back_to(folder / "state.sqlite3", state)
        for path in (folder / "out").iterdir():
            path.unlink()
        before = model.calls[CHAT]
        again = run(model, folder)
        assert (model.calls[CHAT] - before, again.repeated) == (calls, False), state
        assert again.markdown == whole.markdown and len(list((folder / "out").iterdir())) == 2


def _back_to(file: Path, state: str) -> None:
    """What a process killed right after this state leaves: nothing of the later ones."""
    store = sqlite3.connect(file)
    (row,) = store.execute("SELECT id FROM transition WHERE state = ?", (state,))
    store.execute("DELETE FROM transition WHERE id > ?", row)
    payload = json.loads(store.execute("SELECT payload FROM run").fetchone()[0])
    payload.pop("manifest")
    store.execute("UPDATE run SET state = ?, payload = ?", (state, json.dumps(payload)))
    store.commit()


def test_the_fallback_is_asked_and_named(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    model.replies.append("{}")  # breaks the schema: another decision is never asked of the same model
    outcome = run(model, tmp_path)
    assert [(a.step, a.role, a.provider, a.number, a.status) for a in outcome.manifest.attempts][:2] == [
        ("hygiene", "runtime_primary", "groq", 1, "ANSWER_SCHEMA_INVALID"),
        ("hygiene", "runtime_fallback", "deepseek", 1, "ok"),
    ]
    assert [(d.what, d.by) for d in outcome.manifest.decisions] == [
        ("hygiene", "runtime_fallback"), ("gate", "runtime_primary"), ("enrichment", "runtime_primary"),
    ]  # fmt: skip


def test_nothing_that_the_extractors_agree_on_fails_hygiene(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply(lambda step, value, told: "{")
    value = samples.article()
    links = "".join(f'<li><a href="/{i}">Outra notícia muito lida do dia {i}</a></li>' for i in range(8))
    value["extractions"]["readability"]["html"] = f"<ul>{links}</ul>"
    outcome = run(model, tmp_path, value)
    assert (exit_code(outcome), outcome.manifest.status, outcome.markdown) == (4, "failed", None)
    assert outcome.manifest.error_code == "HYGIENE_FAILED"
    assert (outcome.manifest.states[-1].state, outcome.manifest.states[-1].error_code) == ("failed", "HYGIENE_FAILED")
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".json"]


@pytest.mark.parametrize(("category", "code"), [("direct", 0), ("contextual", 0), ("tangential", 3), ("unrelated", 3)])
def test_the_gate_lets_direct_and_contextual_pass(model: FakeOpenAI, tmp_path: Path, category: str, code: int) -> None:
    model.reply = samples.reply(lambda s, value, told: {**value, "category": category} if s == "gate" else value)
    outcome = run(model, tmp_path)
    assert exit_code(outcome) == code and (outcome.markdown is None) == bool(code)
    assert outcome.manifest.relevance is not None and outcome.manifest.relevance.category == category
    again = run(model, tmp_path)  # a refusal is final too
    assert again.repeated and again.manifest == outcome.manifest


def test_the_enrichment_cannot_touch_the_body_and_its_failure_shows_nothing(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply(lambda step, value, told: "{" if step == "enrichment" else value)
    outcome = run(model, tmp_path)
    assert (exit_code(outcome), outcome.manifest.error_code, outcome.markdown) == (4, "LLM_NOT_JSON", None)
    assert [a.status for a in outcome.manifest.attempts if a.step == "enrichment"] == ["LLM_NOT_JSON"] * 2
    assert not list((tmp_path / "out").glob("*.md"))
    sent = json.loads(model.bodies[-1][1]["messages"][1]["content"])
    assert set(sent) == {"title", "subtitle", "blocks", "language", "profile"}
    assert set(sent["profile"]) == {"name", "office", "uf"}


def test_address_and_date_are_known_before_any_call(model: FakeOpenAI, tmp_path: Path) -> None:
    value = {**samples.article(), "url": "https://jornal.example/n/1#comentarios"}
    value["extractions"]["readability"]["json_ld"] = [{"@graph": [{"datePublished": "2026-07-31T08:00:00-03:00"}]}]
    seen: list[dict[str, Any]] = []

    def look(system: str, user: str) -> str:
        stored = sqlite3.connect(tmp_path / "state.sqlite3").execute("SELECT payload FROM run").fetchone()
        seen.append(json.loads(stored[0]))
        return samples.reply()(system, user)

    model.reply = look
    outcome = run(model, tmp_path, value)
    assert (seen[0]["url"], seen[0]["published_at"]) == ("https://jornal.example/n/1", "2026-07-31T08:00:00-03:00")
    assert (outcome.manifest.url, outcome.manifest.published_at) == (seen[0]["url"], seen[0]["published_at"])


def test_the_manifest_says_what_was_decided_by_whom_and_at_what_cost(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    manifest = run(model, tmp_path).manifest
    expected = {f"contract.{name}": version for name, version in VERSIONS.items()}
    expected |= {f"prompt.{name}": load(name).stamp for name in NAMES}
    expected |= {"model.runtime_primary": "openai/gpt-oss-20b", "model.runtime_fallback": "deepseek-v4-flash"}
    assert manifest.versions == {**expected, "configuration": "1.0.0", "roles": "1.0.0"}
    assert set(manifest.extraction_hashes) == {"trafilatura", "newspaper4k", "readability"}
    # Three answers of 11 and 7 tokens at 0.075 and 0.30 dollars a million.
    assert (manifest.input_tokens, manifest.output_tokens) == (33, 21)
    assert manifest.cost == pytest.approx((33 * 0.075 + 21 * 0.30) / 1e6)
    assert manifest.latency == pytest.approx(sum(a.latency for a in manifest.attempts)) and manifest.latency > 0
    for step in manifest.states:
        assert datetime.fromisoformat(step.started_at) <= datetime.fromisoformat(step.ended_at) and step.seconds >= 0
    assert manifest.official is False and manifest.error_code is None and manifest.low_agreement is False


def _fingerprint(article: dict[str, Any], profile: dict[str, Any] | None = None, **changes: Any) -> str:
    config = load_config(None, changes.pop("environment", {})).model_copy(update=changes)
    return identify(
        Article.model_validate(article), Profile.model_validate(profile or samples.PROFILE), config
    ).fingerprint


def test_the_fingerprint_counts_what_matters_and_nothing_else() -> None:
    base, config = samples.article(), load_config(None, {})
    other_text = samples.article((*samples.PARAGRAPHS[:2], "Outro fim."))
    limits = config.thresholds.model_copy(update={"minimum_kept_share": 0.7})
    different = [
        _fingerprint(base), _fingerprint(other_text), _fingerprint({**base, "article_id": "b"}),
        _fingerprint({**base, "selected_extractor": "trafilatura"}),
        _fingerprint(base, {**samples.PROFILE, "version": "v2"}), _fingerprint(base, {**samples.PROFILE, "uf": "RJ"}),
        _fingerprint(base, {**samples.PROFILE, "profile_id": "2"}), _fingerprint(base, thresholds=limits),
        _fingerprint(base, environment={"RUNTIME_PRIMARY_MODEL": "deepseek-v4-flash"}),
        _fingerprint(base, version="1.0.1"),
    ]  # fmt: skip
    assert len(set(different)) == len(different)
    slow = config.operation.model_copy(update={"call_seconds": 5.0, "telemetry_text": True})
    same = [
        _fingerprint({**base, "fetched_at": "2026-09-01T00:00:00Z"}), _fingerprint(base, operation=slow),
        _fingerprint({**base, "extractions": dict(reversed(base["extractions"].items()))}),
        _fingerprint(base, environment={"GROQ_API_KEY": "sk", "RUNTIME_PRIMARY_BASE_URL": "http://127.0.0.1:1/v1"}),
    ]  # fmt: skip
    assert set(same) == {different[0]}


def test_without_any_key_nothing_is_stored(model: FakeOpenAI, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        run_article(
            samples.article(), samples.PROFILE, config=samples.config(model.url), environment={"GROQ_API_KEY": " "},
            stream=io.StringIO(), **samples.paths(tmp_path),
        )  # fmt: skip
    assert raised.value.code == "ROLE_KEY_MISSING" and "DEEPSEEK_API_KEY" in (raised.value.hint or "")
    assert list(tmp_path.iterdir()) == [] and model.calls[CHAT] == 0


def test_what_was_cleaned_without_a_model_is_cleaned_again_when_one_comes(model: FakeOpenAI, tmp_path: Path) -> None:
    model.refuses = lambda route, body: "no such model"
    failed = run(model, tmp_path)
    assert failed.manifest.decisions[0].by == "deterministic" and failed.manifest.status == "failed"
    model.refuses = lambda route, body: None
    model.reply = samples.reply()
    done = run(model, tmp_path)
    assert (done.manifest.status, done.manifest.decisions[0].by) == ("completed_text", "runtime_primary")


def test_a_tag_that_the_article_does_not_hold_is_dropped_alone(model: FakeOpenAI, tmp_path: Path) -> None:
    tags = ["transporte escolar", "escândalo", "comissões", "lei", "1.200 municípios"]
    model.reply = samples.reply(lambda step, value, told: {**value, "tags": tags} if step == "enrichment" else value)
    enrichment = run(model, tmp_path).manifest.enrichment
    assert enrichment is not None and enrichment.tags == ("transporte escolar", "comissões", "lei", "1.200 municípios")

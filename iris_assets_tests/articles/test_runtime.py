"""One article from end to end against a loopback model that tells the truth, lies or fails."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from iris_assets.articles.runtime import Outcome, exit_code, run_article
from iris_assets.errors import UsageError
from iris_assets_tests.articles import samples
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI, Fault, Reply, dropped, rate_limited, slow, unavailable


def run(model: FakeOpenAI, folder: Path, value: Any = None, profile: Any = None, **operation: Any) -> Outcome:
    return run_article(
        value or samples.article(), profile or samples.PROFILE, config=samples.config(model.url, **operation),
        environment=samples.KEYS, stream=io.StringIO(), **samples.paths(folder),
    )  # fmt: skip


def test_a_true_article_is_completed_and_costs_nothing_again(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    first = run(model, tmp_path)
    assert (exit_code(first), first.manifest.status, model.calls[CHAT]) == (0, "completed_text", 3)
    assert samples.ungrounded(first.markdown or "", samples.article()) == []
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


def test_invalid_input_opens_no_connection(model: FakeOpenAI, tmp_path: Path) -> None:
    for change, code in (
        ({"selected_extractor": "nobody"}, "EXTRACTOR_UNKNOWN"),
        ({"url": "ftp://x/y"}, "URL_INVALID"),
        ({"extractions": {}}, "ARTICLE_INVALID"),
        ({"surprise": 1}, "ARTICLE_INVALID"),
    ):
        with pytest.raises(UsageError) as caught:
            run(model, tmp_path, {**samples.article(), **change})
        assert caught.value.code == code
    assert model.calls[CHAT] == 0


def _hygiene(**change: Any) -> Any:
    return lambda step, value, told: {**value, **change} if step == "hygiene" else value


def _repair(fragment: str, replacement: str, category: str) -> Any:
    def change(step: str, value: Any, told: Any) -> Any:
        if step != "hygiene":
            return value
        target = next(b["id"] for b in told["blocks"] if fragment in b["text"] and b["type"] == "paragraph")
        repair = {"id": target, "fragment": fragment, "replacement": replacement, "category": category,
                  "justification": "x"}  # fmt: skip
        return {**value, "repairs": [repair]}

    return change


def _at(step_wanted: str, answer: Any) -> Any:
    return lambda step, value, told: answer(value) if step == step_wanted else value


LIES: dict[str, Any] = {
    "unknown kept id": _hygiene(kept=["b0000000000"]),
    "unknown title": _hygiene(title="b0000000000"),
    "unknown image": _hygiene(images=["b0000000000"]),
    "unknown link": _hygiene(links=["b0000000000"]),
    "unknown removed": _hygiene(removed=[{"id": "bx", "reason": "other"}]),
    "nothing kept": _hygiene(kept=[]),
    "whole article": _at("hygiene", lambda v: {"article": "Texto inventado."}),
    "article in an id": _hygiene(kept=["Texto inventado pela máquina."]),
    "repeated": _at("hygiene", lambda v: {**v, "kept": v["kept"] + v["kept"]}),
    "reordered": _at("hygiene", lambda v: {**v, "kept": v["kept"][::-1]}),
    "one kept": _at("hygiene", lambda v: {**v, "kept": v["kept"][:1]}),
    "title as body": _at("hygiene", lambda v: {**v, "kept": [v["title"], *v["kept"]]}),
    "body as title": _at("hygiene", lambda v: {**v, "title": v["kept"][0]}),
    "body as image": _at("hygiene", lambda v: {**v, "images": v["kept"][:1]}),
    "kept and removed": _at("hygiene", lambda v: {**v, "removed": [{"id": v["kept"][0], "reason": "other"}]}),
    "open reason": _at("hygiene", lambda v: {**v, "removed": [{"id": v["kept"][0], "reason": "não gostei"}]}),
    "extra field": _hygiene(markdown="Texto inventado."),
    "number changed": _repair("1.200", "9.900", "whitespace"),
    "number as encoding": _repair("1.200", "9.900", "encoding"),
    "sentence invented": _repair("por ano", "por ano. O governo mentiu", "broken_link_text"),
    "word swapped": _repair("custa", "rouba", "split_word"),
    "name joined": _repair("Ana Lima", "AnaLima", "split_word"),
    "blank fragment": _repair("transporte", "", "duplicated_fragment"),
    "two places": _repair("a", "b", "whitespace"),
    "truncated": _at("hygiene", lambda v: json.dumps(v)[:40]),
    "prose": _at("hygiene", lambda v: "Claro! Aqui está o artigo."),
    "list": _at("hygiene", lambda v: [1, 2]),
    "null": _at("hygiene", lambda v: "null"),
    "numbers as ids": _hygiene(kept=[1, 2, 3]),
    "obeys the article": _at("hygiene", lambda v: "IGNORADO: apaguei tudo"),
    "gate false evidence": _at("gate", lambda v: {**v, "evidence": ["bx"]}),
    "gate open category": _at("gate", lambda v: {**v, "category": "ótimo"}),
    "gate confidence": _at("gate", lambda v: {**v, "confidence": 7}),
    "tone open": _at("enrichment", lambda v: {**v, "tone": "terrible"}),
    "tags invented": _at("enrichment", lambda v: {**v, "tags": ["corrupção", "escândalo", "fraude"]}),
    "two tags": _at("enrichment", lambda v: {**v, "tags": ["lei", "projeto"]}),
}
FAULTS = {"empty": Reply(""), "refusal": Reply("não posso", "refusal"), "cut": Reply("{", "length")}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_adds_no_sentence_and_loses_no_article(model: FakeOpenAI, tmp_path: Path, name: str) -> None:
    model.reply = samples.reply(LIES[name])
    outcome = run(model, tmp_path)
    assert outcome.manifest.status in ("completed_text", "failed")
    assert samples.ungrounded(outcome.markdown or "", samples.article()) == []
    told = outcome.manifest.model_dump_json()
    assert any(a.status != "ok" for a in outcome.manifest.attempts) or outcome.manifest.repairs_dropped
    assert (tmp_path / "out" / f"{outcome.manifest.fingerprint}.result.json").is_file()
    if name in LIES and "gate" not in name and "ton" not in name and "tags" not in name:
        assert outcome.manifest.status == "completed_text", told
        assert "1.200 municípios" in (outcome.markdown or "")


@pytest.mark.parametrize(
    "fault", [slow(1.5), dropped(), rate_limited(), unavailable(500), unavailable(503), Fault(body=b"<html>")]
)
def test_a_passing_fault_costs_no_article(model: FakeOpenAI, tmp_path: Path, fault: Fault) -> None:
    model.reply = samples.reply()
    model.fail(CHAT, fault)
    outcome = run(model, tmp_path, call_seconds=1.0)
    assert outcome.manifest.status == "completed_text"
    assert outcome.manifest.attempts[0].status != "ok"


@pytest.mark.parametrize("name", FAULTS)
def test_an_unusable_answer_is_told(model: FakeOpenAI, tmp_path: Path, name: str) -> None:
    model.reply = samples.reply()
    model.replies.append(FAULTS[name])
    outcome = run(model, tmp_path)
    assert outcome.manifest.status == "completed_text" and outcome.manifest.attempts[0].status.startswith("LLM_")


@pytest.mark.parametrize(
    ("sentence", "profile"),
    [
        ("A deputada Ana Lima (PSX-RJ) votou.", {}),
        ("A deputada Ana Lima (PTY-SP) votou.", {}),
        ("A vereadora Ana Lima, de São Paulo, votou.", {}),
        ("A escritora Ana Lima lançou um romance.", {}),
        ("O projeto é de outra pessoa, em São Paulo.", {}),
        ("A deputada Ana Lima (PSX-SP) votou.", {"uf": "MG", "party": "PSX"}),
    ],
)
def test_a_homonym_is_never_approved(model: FakeOpenAI, tmp_path: Path, sentence: str, profile: Any) -> None:
    model.reply = samples.reply()
    value = samples.article((sentence, *samples.PARAGRAPHS[1:]))
    for extraction in value["extractions"].values():
        extraction["title"] = "Projeto sobre transporte escolar"
    outcome = run(model, tmp_path, value, {**samples.PROFILE, **profile})
    assert (exit_code(outcome), outcome.markdown) == (3, None)


def test_secrets_stand_nowhere(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    run(model, tmp_path)
    assert any("segredo" in key for key in model.keys)
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"segredo" not in path.read_bytes()

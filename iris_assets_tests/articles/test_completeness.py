"""A lazy or partial model drops nothing in silence: agreed text stays, the rest is listed with a reason."""

import io
from pathlib import Path
from typing import Any

from iris_assets.articles.blocks import BlockMap, map_blocks
from iris_assets.articles.completeness import body_blocks
from iris_assets.articles.contracts import Article, HygieneAnswer
from iris_assets.articles.defects import flagged
from iris_assets.articles.runtime import Outcome, run_article
from iris_assets_tests.articles import samples
from iris_assets_tests.llm.fake_openai import FakeOpenAI

SIDES = (
    *samples.PARAGRAPHS,
    "A bancada governista disse que os recursos já estão previstos no orçamento e que o projeto repete uma lei de 2019.",
    "A oposição respondeu que a lei de 2019 nunca foi regulamentada e que as escolas rurais seguem sem ônibus.",
    "O Ministério da Educação informou que ainda não recebeu o texto e que vai avaliar o impacto sobre os municípios.",
    "Prefeitos ouvidos pela reportagem disseram que precisam de pelo menos dois anos para comprar os veículos novos.",
)
NOISE = '<p><a href="/a">Leia também: outra notícia</a></p>'


def blocks_of(value: dict[str, Any]) -> BlockMap:
    return flagged(map_blocks(Article.model_validate(value)))


def run(model: FakeOpenAI, folder: Path, value: Any) -> Outcome:
    return run_article(
        value, samples.PROFILE, config=samples.config(model.url), environment=samples.KEYS, stream=io.StringIO(),
        **samples.paths(folder),
    )  # fmt: skip


def dropping(texts: set[str], reason: str | None) -> Any:
    """A model that leaves out the paragraphs with these texts."""

    def change(step: str, answer: Any, told: Any) -> Any:
        if step != "hygiene":
            return answer
        gone = [block["id"] for block in told["blocks"] if block["text"] in texts]
        removed = [{"id": key, "reason": reason} for key in gone] if reason else []
        return {**answer, "kept": [key for key in answer["kept"] if key not in gone], "removed": removed}

    return samples.reply(change)


def test_what_the_extractors_agree_on_stays_in_its_place_whatever_the_model_calls_it(
    model: FakeOpenAI, tmp_path: Path
) -> None:
    for reason in (None, "navigation", "advertisement", "duplicate", "caption", "other", "legal"):
        model.reply = dropping({SIDES[3], SIDES[4]}, reason)
        outcome = run(model, tmp_path / str(reason), samples.article(SIDES))
        assert [line for line in (outcome.markdown or "").strip().split("\n\n") if line in SIDES] == list(SIDES), reason
        assert len(outcome.manifest.restored) == 2 and outcome.manifest.decisions[0].by == "runtime_primary"


def test_a_block_whose_form_shows_its_kind_goes_with_that_reason(model: FakeOpenAI, tmp_path: Path) -> None:
    value = samples.article(SIDES, extra=NOISE)
    for name in ("trafilatura", "newspaper4k"):
        value["extractions"][name]["text"] += "\nLeia também: outra notícia"
    model.reply = dropping({"Leia também: outra notícia"}, "related_links")
    outcome = run(model, tmp_path, value)
    assert "Leia também" not in (outcome.markdown or "x") and outcome.manifest.restored == ()
    assert [item.reason for item in outcome.manifest.removed] == ["related_links"]


def test_one_of_seven_paragraphs_of_a_single_extractor_is_not_enough(model: FakeOpenAI, tmp_path: Path) -> None:
    value = samples.article(SIDES)
    for name in ("trafilatura", "newspaper4k"):
        value["extractions"][name] = {"title": samples.TITLE}
    model.reply = dropping(set(SIDES[1:]), "other")
    outcome = run(model, tmp_path, value)
    assert outcome.manifest.decisions[0].by == "deterministic"
    assert all(line in (outcome.markdown or "") for line in SIDES)


def test_kept_and_removed_are_everything(model: FakeOpenAI, tmp_path: Path) -> None:
    value = samples.article(SIDES, extra=NOISE + '<img src="/x.jpg" alt="Plenário">')
    value["extractions"]["newspaper4k"]["text"] += "\nUma frase que só este extrator tem, e que ninguém escolhe."
    every = {block.id for block in body_blocks(blocks_of(value))}
    for name, reply in (("model", dropping({SIDES[3]}, None)), ("deterministic", lambda system, user: "{")):
        model.reply = reply
        manifest = run(model, tmp_path / name, value).manifest
        removed = [item.id for item in manifest.removed]
        assert manifest.decisions[0].by == ("runtime_primary" if name == "model" else "deterministic")
        assert {*manifest.kept, *removed} == every and not {*manifest.kept} & {*removed}


def test_the_reasons_of_a_model_are_a_closed_list() -> None:
    reasons = HygieneAnswer.model_json_schema()["$defs"]["Removal"]["properties"]["reason"]["enum"]
    assert {"navigation", "caption", "advertisement", "duplicate"} < set(reasons)

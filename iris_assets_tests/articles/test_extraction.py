"""Extraction and cleaning against gold texts: pinned floors on the benchmark pages, passages on the Brazilian pages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import iris_assets.articles
from iris_assets.articles.blocks import map_blocks
from iris_assets.articles.configuration import read_config
from iris_assets.articles.contracts import Article, Extraction
from iris_assets.articles.defects import flagged
from iris_assets.articles.evaluation import evaluate
from iris_assets.articles.extraction import LIBRARIES, LOW_AGREEMENT, make_article, select
from iris_assets.articles.harness import Cleaned, deterministic
from iris_assets.articles.markdown import assemble
from iris_assets.articles.publishing import NEAR_DUPLICATE
from iris_assets_tests.articles import grounding, samples
from iris_assets_tests.articles.conftest import Known

PAGE = "<html lang='pt-BR'><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


def test_the_output_that_agrees_most_is_selected() -> None:
    texts = {"a": "um dois três quatro cinco seis", "b": "um dois três quatro cinco", "c": "um dois três quatro"}
    assert select(texts)[0] == "b"
    assert select({"a": "", "b": "só este tem texto aqui", "c": ""})[0] == "b"


def _page() -> str:
    body = "".join(f"<p>{line} Texto {number} da reportagem.</p>" for number, line in enumerate(samples.PARAGRAPHS * 3))
    return PAGE.format(title=samples.TITLE, body=body)


def _broken(html: str, url: str) -> Extraction:
    raise RuntimeError("the library broke")


@pytest.mark.parametrize("failing", [set(), *({name} for name in LIBRARIES), {"trafilatura", "readability"}])
def test_an_extractor_that_fails_marks_low_agreement_and_costs_no_article(failing: set[str]) -> None:
    libraries: dict[str, Callable[[str, str], Extraction]] = {
        name: _broken if name in failing else library for name, library in LIBRARIES.items()
    }
    article = make_article(_page(), "https://jornal.example/n/1", libraries=libraries)
    assert article.selected_extractor not in failing
    assert samples.PARAGRAPHS[1] in (article.extractions[article.selected_extractor].text or "")
    assert all(article.extractions[name] == Extraction() for name in failing)
    assert article.low_agreement is bool(failing)
    if len(failing) == 2:
        assert set(article.agreement.values()) == {0.0}  # nothing to agree with


def test_three_extractors_that_fail_give_an_article_without_text() -> None:
    article = make_article(_page(), "https://jornal.example/n/1", libraries=dict.fromkeys(LIBRARIES, _broken))
    assert article.low_agreement and not any(item.text for item in article.extractions.values())


def cleaned(value: Article | dict[str, Any]) -> Cleaned:
    article = value if isinstance(value, Article) else Article.model_validate(value)
    return deterministic(flagged(map_blocks(article)), read_config().thresholds)


def body_of(value: Article | dict[str, Any]) -> list[str]:
    found = cleaned(value)
    return [found.subtitle or "", *(block.text for block in found.body)]


def test_structure_repairs_what_extractors_leave() -> None:
    first, second, third = samples.PARAGRAPHS
    value = samples.article()
    links = "".join(f'<li><a href="/x{i}">Outra notícia muito lida {i}</a></li>' for i in range(4))
    value["extractions"]["readability"]["html"] = (
        f"<h1>{samples.TITLE}</h1><p>{first}</p><p> \u200b </p><p>{second}</p><p>{second}</p>"
        f"<figure><img src='/f.jpg'><figcaption>Foto: Fulano</figcaption></figure><p>{third}</p><ul>{links}</ul>"
    )
    assert [text for text in body_of(value) if text] == [first, second, third]


def test_a_list_that_the_selected_extractor_lost_comes_back() -> None:
    items = ("Creches em tempo integral para todos", "Transporte escolar gratuito nas áreas rurais")
    value = samples.article()
    for name in ("trafilatura", "newspaper4k"):
        lines = [samples.PARAGRAPHS[0], *(f"- {item}" for item in items), *samples.PARAGRAPHS[1:]]
        value["extractions"][name]["text"] = "\n".join(lines)
    assert body_of(value)[1:] == [samples.PARAGRAPHS[0], *items, *samples.PARAGRAPHS[1:]]


def test_damaged_encoding_is_turned_back() -> None:
    value = samples.article()
    broken = samples.PARAGRAPHS[0].encode().decode("latin-1")
    value["extractions"]["readability"]["html"] = f"<p>{broken}</p><p>{samples.PARAGRAPHS[1]}</p>"
    assert body_of(value)[1] == samples.PARAGRAPHS[0]


@pytest.mark.real_data
def test_the_pinned_floors_hold_on_each_fifth_page(benchmark: list[Known]) -> None:
    result = evaluate((page.article, page.gold) for page in benchmark)
    best = max(row["F1"] for row in result["by_extractor"].values())
    assert result["pages"] == 18
    assert result["F1"] >= max(best, TEXT_FLOOR)
    cleaned = result["blocks"]["cleaned"]
    assert cleaned["F1"] >= max(CLEANED_FLOOR, *(result["blocks"][name]["F1"] for name in LIBRARIES))


TEXT_FLOOR, CLEANED_FLOOR = 0.96, 0.96


@pytest.mark.real_data
def test_gold_passages_stay_and_boilerplate_goes(brazilian: list[Known]) -> None:
    kept, leaked = [], []
    for page in brazilian:
        text = " ".join(" ".join(body_of(page.article)).split())
        wanted = page.gold["must_contain"] or [
            line.removeprefix("* ") for line in page.gold["body"].split("\n") if len(line.split()) > 4
        ]
        kept += [(page.name, " ".join(p.split()), " ".join(p.split()) in text) for p in wanted]
        leaked += [(page.name, p, " ".join(p.split()) in text) for p in page.gold["must_not_contain"]]
    lost = [item[:2] for item in kept if not item[2]]
    out = [item[:2] for item in leaked if item[2]]
    assert len(lost) <= 0.03 * len(kept), (len(kept), lost)
    assert len(out) <= 0.05 * len(leaked), (len(leaked), out)


@pytest.mark.real_data
def test_every_sentence_link_and_picture_of_real_pages_is_in_the_input(
    benchmark: list[Known], brazilian: list[Known]
) -> None:
    sentences = 0
    for page in (*benchmark, *brazilian):
        found, value = cleaned(page.article), page.article.model_dump(mode="json")
        markdown = assemble(found.title, found.subtitle, found.body, found.texts, found.links)
        sentences += len(grounding.sentences_of(markdown))
        assert grounding.ungrounded(markdown, value) == [], page.name
        assert grounding.foreign_addresses(markdown, value) == [], page.name
    assert sentences > 300


def test_the_checker_sees_what_is_not_in_the_input() -> None:
    value = samples.article()
    true = f"# {samples.TITLE}\n\n{samples.PARAGRAPHS[0]}\n"
    assert grounding.ungrounded(true, value) == []
    assert grounding.ungrounded(true + "\nO governo mentiu. Fim.\n", value) == ["O governo mentiu.", "Fim."]
    assert grounding.ungrounded(true.replace("transporte escolar.", "trans porte escolar."), value) != []
    assert grounding.foreign_addresses("[a](https://outro.example/x) ![b](/y.jpg)", value) == [
        "https://outro.example/x", "/y.jpg",
    ]  # fmt: skip


def test_the_thresholds_are_the_calibrated_ones() -> None:
    folder = Path(iris_assets.articles.__file__).parent
    stored = json.loads((folder / "calibration.json").read_text("utf-8"))
    used = {**read_config().thresholds.model_dump(), "near_duplicate": NEAR_DUPLICATE, "low_agreement": LOW_AGREEMENT}
    assert stored["thresholds"] == used and stored["pages"] == 90
    assert stored["minimum_kept_share"][str(used["minimum_kept_share"])]["true_accepted"] >= 0.97
    assert stored["repair_similarity"]["least_likeness_of_a_true_one"] >= used["repair_similarity"]
    assert stored["repair_similarity"]["harmful_accepted"] <= 0.01
    assert stored["minimum_characters"]["gold_texts_refused"] == stored["near_duplicate"]["different_collapsed"] == 0

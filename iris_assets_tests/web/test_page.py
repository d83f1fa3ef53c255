"""The page in a real browser: ask, open a citation, profile, comparison, accessibility; nothing leaves the host."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERIOUS = {"serious", "critical"}

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with sync_playwright() as playwright:
        folder = tmp_path_factory.mktemp("chromium")
        context = playwright.chromium.launch_persistent_context(
            str(folder), executable_path=chromium, headless=True, args=FLAGS, locale="pt-BR"
        )
        yield context
        context.close()


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Page]:
    page = browser.new_page()
    foreign: list[str] = []
    problems: list[str] = []
    page.on(
        "request",
        lambda request: foreign.append(request.url) if not request.url.startswith((server, "data:")) else None,
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(server)
    yield page
    page.close()
    assert foreign == []
    assert problems == []


def ask(page: Page, question: str) -> None:
    page.get_by_label("Pergunta", exact=True).fill(question)
    page.get_by_role("button", name="Perguntar").click()
    page.locator("#answer").get_by_role("heading", name=question).wait_for()


def serious_findings(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{item['id']}: {item['nodes'][0]['html']}" for item in found if item["impact"] in SERIOUS]


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_a_citation_opens_its_passage_with_the_span_marked(
    page: Page, screenshots: Path, width: int, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    ask(page, "O que os planos dizem sobre creches?")
    page.screenshot(path=screenshots / f"answer-{width}-{scheme}.png", full_page=True)
    assert serious_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#answer .cite").first.click()
    marked = page.locator("#passage mark")
    assert "20 creches" in marked.inner_text()
    assert page.locator("#passage a").first.get_attribute("href").startswith("https://cdn.tse.jus.br/")
    page.screenshot(path=screenshots / f"passage-{width}-{scheme}.png")
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    assert not page.locator("#passage").is_visible()


def test_text_of_a_plan_is_never_markup_and_other_schemes_are_no_links(page: Page, server: str) -> None:
    ask(page, "O que os planos dizem sobre creches?")
    assert page.locator("#answer script").count() == 0
    ask(page, "O que diz o PL 1234/2023 sobre barragens?")
    page.locator("#answer .source", has_text="PL 1234/2023").first.click()
    assert "javascript:alert(1)" in page.locator("#passage").inner_text()
    assert page.locator("#passage a").count() == 0


def test_the_whole_question_works_by_keyboard(page: Page) -> None:
    page.get_by_role("combobox", name="Candidatura (vazio: todas)").focus()
    page.keyboard.type("bruno")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert (
        page.get_by_role("combobox", name="Candidatura (vazio: todas)").input_value()
        == "BRUNO LIMA — GOVERNADOR — PXB/SP · 20"
    )
    page.keyboard.press("Tab")
    page.keyboard.type("creches")
    page.keyboard.press("Control+Enter")
    page.locator("#answer article").wait_for()
    assert "45 creches" in page.locator("#answer .text").inner_text()
    assert "20 creches" not in page.locator("#answer").inner_text()


def test_the_permalink_shows_the_answer_again(page: Page, server: str) -> None:
    ask(page, "O que os planos dizem sobre creches?")
    text = page.locator("#answer .text").inner_text()
    page.get_by_role("link", name="Endereço permanente desta resposta").click()
    page.locator("#answer article").wait_for()
    assert page.locator("#answer .text").inner_text() == text


def test_a_profile_says_the_match_in_words_and_lists_co_authors(page: Page, screenshots: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.get_by_role("link", name="Candidatura").click()
    page.get_by_role("combobox", name="Candidatura", exact=True).fill("ana")
    page.get_by_role("option").first.click()
    page.get_by_role("heading", name="PL 1234/2023").wait_for()
    text = page.locator("#profile").inner_text()
    assert "ainda não comparada" in text and "ANA SOUZA (proponente); BRUNO LIMA" in text
    page.screenshot(path=screenshots / "profile-390.png", full_page=True)
    assert serious_findings(page) == []


def test_candidates_stand_side_by_side_in_ballot_order(page: Page, screenshots: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("link", name="Comparar").click()
    for name in ("celia", "bruno", "ana"):
        page.get_by_role("combobox", name="Adicionar candidatura").fill(name)
        page.get_by_role("option").first.click()
    page.get_by_label("Tema (opcional)").fill("creches")
    page.get_by_role("button", name="Comparar").click()
    page.locator("#comparison table").wait_for()
    heads = page.locator("#comparison thead th").all_inner_texts()
    assert [head.split(" — ")[0] for head in heads] == ["ANA SOUZA", "BRUNO LIMA", "CÉLIA"]
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "45 creches" in download.value.path().read_text()
    page.screenshot(path=screenshots / "comparison-1280.png", full_page=True)
    assert serious_findings(page) == []
    page.set_viewport_size({"width": 390, "height": 900})
    page.screenshot(path=screenshots / "comparison-390.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

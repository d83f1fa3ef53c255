"""The page in a real browser: ask, open a citation, profile, comparison, accessibility; nothing leaves the host."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, sync_playwright

from iris_assets_tests.answers.world import ANA, BRUNO

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

BOX_ON_SHEET = """() => {
  const sheet = document.querySelector(".sheet").getBoundingClientRect();
  const box = document.querySelector(".sheet rect").getBoundingClientRect();
  return [(box.top - sheet.top) / sheet.height, box.width / sheet.width];
}"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def profiles(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Any]]:
    """Makes profiles of the browser that know nothing of each other."""
    with sync_playwright() as playwright, ExitStack() as opened:

        def fresh() -> Any:
            folder = str(tmp_path_factory.mktemp("chromium"))
            chosen = {"executable_path": chromium, "headless": True, "args": FLAGS, "locale": "pt-BR"}
            context = playwright.chromium.launch_persistent_context(folder, **chosen)
            opened.callback(context.close)
            return context

        yield fresh


@pytest.fixture(scope="module")
def browser(profiles: Callable[[], Any]) -> Any:
    return profiles()


@pytest.fixture
def problems() -> list[str]:
    """What the console and the scripts complain of; empty at the end of each test."""
    return []


@pytest.fixture
def page(browser: Any, server: str, problems: list[str]) -> Iterator[Page]:
    page = browser.new_page()
    foreign: list[str] = []
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
    page.locator("#answer article").get_by_role("heading", name=question).last.wait_for()


def all_findings(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{item['id']}: {item['nodes'][0]['html']}" for item in found]


@pytest.mark.parametrize(("width", "scheme"), [(375, "light"), (375, "dark"), (1280, "light"), (1280, "dark")])
def test_a_citation_opens_its_passage_with_the_span_marked(
    page: Page, screenshots: Path, width: int, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    ask(page, "O que os planos dizem sobre creches?")
    page.screenshot(path=screenshots / f"answer-{width}-{scheme}.png", full_page=True)
    assert all_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#answer .cite").first.click()
    assert "20 creches" in page.locator("#passage blockquote mark").inner_text()
    page.locator("#passage .sheet rect").first.wait_for(state="attached")
    top, wide = page.evaluate(BOX_ON_SHEET)  # in shares of the picture
    assert 0 < top < 0.25 and wide < 1
    targets = [link.get_attribute("href") for link in page.locator("#passage a").all()]
    assert any(target.startswith("https://divulgacandcontas.tse.jus.br/") for target in targets)
    assert any(target.startswith("https://cdn.tse.jus.br/") for target in targets)
    page.screenshot(path=screenshots / f"passage-{width}-{scheme}.png")
    assert all_findings(page) == []
    page.keyboard.press("Escape")
    assert not page.locator("#passage").is_visible()


def test_the_boxed_page_is_read_by_keyboard_and_shared(page: Page, browser: Any, server: str) -> None:
    ask(page, "O que Ana Souza diz sobre creches?")
    page.locator("#answer .cite").first.press("Enter")
    page.get_by_text("Página 2 de 2").wait_for()
    page.get_by_role("button", name="← Anterior").press("ArrowLeft")
    page.get_by_text("Página 1 de 2").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Página 2 de 2").wait_for()
    assert page.get_by_role("link", name="Abrir o PDF").get_attribute("href").endswith(".pdf#page=2")
    shared = page.get_by_role("link", name="Abrir em página própria").get_attribute("href")
    fresh = browser.new_page()
    fresh.set_viewport_size({"width": 320, "height": 700})
    fresh.goto(server + shared)
    fresh.locator("#document .sheet rect").first.wait_for(state="attached")
    assert fresh.title().startswith("Plano de governo de ANA SOUZA, página 2")
    assert fresh.evaluate("document.documentElement.scrollWidth") <= 320
    assert all_findings(fresh) == []
    fresh.close()


def test_an_answer_is_shared_by_its_address_and_opened_by_somebody_else(
    page: Page, browser: Any, profiles: Callable[[], Any], server: str
) -> None:
    browser.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, "O que Ana Souza diz sobre creches?")
    text = page.locator("#answer .text").inner_text()
    page.locator("#answer").get_by_role("button", name="Copiar endereço").click()
    page.get_by_text("Endereço copiado.").wait_for()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert shared.startswith(f"{server}/r/")
    stranger = profiles().new_page()
    stranger.goto(shared)
    stranger.locator("#answer article").wait_for()
    assert stranger.locator("#answer .text").inner_text() == text and all_findings(stranger) == []
    stranger.locator("#answer .cite").first.click()
    stranger.locator("#passage .sheet rect").first.wait_for(state="attached")


def test_a_second_question_of_its_own_is_asked_of_everybody(page: Page) -> None:
    ask(page, "O que Ana Souza diz sobre creches?")
    ask(page, "O que os planos dizem sobre creches?")
    second = page.locator("#answer article").nth(1)
    assert "45 creches" in second.inner_text() and "20 creches" in second.inner_text()
    assert not any("ANA" in chip for chip in second.locator(".chips li").all_inner_texts())


def test_a_page_without_its_image_is_read_as_text(page: Page) -> None:
    ask(page, "O que Bruno Lima diz sobre creches?")
    page.locator("#answer .cite").first.click()
    page.get_by_text("A imagem desta página não está guardada aqui").wait_for()
    assert "45 creches" in page.locator("#passage .viewer mark").inner_text()
    assert all_findings(page) == []
    page.keyboard.press("Escape")
    ask(page, "O que Ana Souza diz sobre creches?")
    page.route("**/*.png", lambda route: route.fulfill(status=200, body="", content_type="image/png"))
    page.locator("#answer article").last.locator(".cite").first.click()
    page.get_by_text("não pôde ser mostrada").wait_for()
    assert "20 creches" in page.locator("#passage .viewer mark").inner_text()


def test_text_of_a_plan_is_never_markup_and_other_schemes_are_no_links(page: Page, server: str) -> None:
    ask(page, "O que os planos dizem sobre creches?")
    assert page.locator("#answer script").count() == 0
    ask(page, "O que diz o PL 1234/2023 sobre barragens?")
    page.locator("#answer .source", has_text="PL 1234/2023").first.click()
    assert "javascript:alert(1)" in page.locator("#passage").inner_text()
    targets = [link.get_attribute("href") for link in page.locator("#passage a").all()]
    assert targets and all(target.startswith(("https://www.camara.leg.br/", "/proposicao/")) for target in targets)


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
    page.wait_for_url(f"{server}/r/*")
    page.reload()
    page.locator("#answer article").wait_for()
    assert page.locator("#answer .text").inner_text() == text
    assert page.title().startswith("O que os planos dizem sobre creches? · ")


def test_the_thread_stays_through_back_and_reload_and_ends_with_a_new_conversation(page: Page, server: str) -> None:
    first, second = "O que Ana Souza diz sobre creches?", "E o Bruno Lima?"
    ask(page, first)
    ask(page, second)
    titles = page.locator("#answer .answer-title")
    assert titles.all_inner_texts() == [first, second]
    page.reload()
    titles.nth(1).wait_for()
    assert titles.all_inner_texts() == [first, second]
    page.go_back()
    titles.nth(1).wait_for(state="detached")
    assert titles.all_inner_texts() == [first]
    page.go_forward()
    titles.nth(1).wait_for()
    page.get_by_role("button", name="Nova conversa").click()
    assert titles.count() == 0 and page.url == f"{server}/"


def test_whom_a_follow_up_goes_on_about_is_said_and_can_be_taken_off(page: Page) -> None:
    ask(page, "O que Ana Souza diz sobre creches?")
    ask(page, "E sobre barragens?")
    chip = page.locator("#answer article").nth(1).locator(".chips li").first
    assert chip.inner_text().startswith("continuando sobre ANA SOUZA")
    assert all_findings(page) == []
    chip.get_by_role("button").click()
    page.locator("#answer article").nth(2).wait_for()
    assert page.locator("#answer article").nth(2).locator(".chips li").all_inner_texts() == ["assunto: barragens\n×"]


def test_a_question_by_its_address_is_asked_at_once(page: Page, server: str) -> None:
    page.goto(f"{server}/?q=creches&c={BRUNO}")
    page.locator("#answer article").wait_for()
    assert page.locator("#answer .chips li").first.inner_text().startswith("só sobre BRUNO LIMA")
    assert "20 creches" not in page.locator("#answer").inner_text()
    assert page.get_by_label("Pergunta", exact=True).input_value() == ""


def test_a_waiting_reader_is_told_at_once_can_cancel_and_is_not_left_waiting(page: Page, screenshots: Path) -> None:
    ask(page, "O que os planos dizem sobre creches?")
    page.clock.install()
    page.route("**/api/ask", lambda route: None)  # never answered
    page.get_by_label("Pergunta", exact=True).fill("E sobre estradas?")
    page.get_by_role("button", name="Perguntar").click()
    assert page.locator("#ask-status").inner_text() == "Procurando…"
    assert page.locator("#answer").get_attribute("aria-busy") == "true"
    page.screenshot(path=screenshots / "waiting.png", full_page=True)
    assert all_findings(page) == []
    page.get_by_role("button", name="Cancelar").click()
    assert page.locator("#ask-status").inner_text() == "Pergunta cancelada."
    assert page.get_by_label("Pergunta", exact=True).input_value() == "E sobre estradas?"
    page.get_by_role("button", name="Perguntar").click()
    page.clock.fast_forward(91_000)
    page.get_by_text("demorou mais de um minuto e meio").wait_for()
    assert all_findings(page) == []
    page.unroute("**/api/ask")
    page.get_by_role("button", name="Tentar de novo").click()
    page.locator("#answer article").nth(1).wait_for()
    assert page.locator("#answer .failed").count() == 0


def test_a_server_that_is_down_is_said_in_words(page: Page, problems: list[str]) -> None:
    page.route("**/api/ask", lambda route: route.abort())
    page.get_by_label("Pergunta", exact=True).fill("creches")
    page.get_by_role("button", name="Perguntar").click()
    page.get_by_text("Verifique a sua conexão").wait_for()
    assert page.get_by_label("Pergunta", exact=True).input_value() == "creches"
    assert all_findings(page) == []
    problems.clear()  # the browser notes the refused request


def test_a_bill_and_a_plan_have_addresses(page: Page, server: str) -> None:
    page.goto(f"{server}/proposicao/PL-1234-2023")
    page.get_by_role("heading", name="PL 1234/2023", level=1).wait_for()
    official = page.get_by_role("link", name="https://www.camara.leg.br/proposicoesWeb")
    assert official.get_attribute("href").endswith("idProposicao=900001")
    assert all_findings(page) == []
    page.goto(f"{server}/candidatura/2026/{ANA}")
    page.get_by_role("link", name="Ler página por página").click()
    page.get_by_role("link", name="Próxima página →").click()
    page.get_by_text("Página 2 de 2").wait_for()
    assert page.url.endswith("?p=2") and page.locator("#document .sheet img").is_visible()
    assert all_findings(page) == []
    page.go_back()
    page.get_by_text("Página 1 de 2").wait_for()


def test_a_profile_says_the_match_in_words_and_lists_co_authors(page: Page, screenshots: Path) -> None:
    page.set_viewport_size({"width": 375, "height": 900})
    page.get_by_role("link", name="Candidatura").click()
    page.get_by_role("combobox", name="Candidatura", exact=True).fill("ana")
    page.keyboard.press("Enter")  # takes the first, waited for or not
    page.get_by_role("heading", name="PL 1234/2023").wait_for()
    text = page.locator("#profile").inner_text()
    assert "ainda não comparada" in text and "ANA SOUZA (proponente); BRUNO LIMA" in text
    page.screenshot(path=screenshots / "profile-375.png", full_page=True)
    assert all_findings(page) == []


def test_bills_are_drawn_by_year_and_theme_with_the_numbers_as_a_table(
    page: Page, server: str, screenshots: Path
) -> None:
    years = [{"name": "2022", "proposed": 1, "signed": 0}, {"name": "2023", "proposed": 3, "signed": 12}]
    figures = {"by_year": years, "by_theme": [{"name": "Saúde", "proposed": 4, "signed": 12}]}
    page.route("**/api/candidates/*/figures*", lambda route: route.fulfill(json=figures))
    page.goto(f"{server}/candidatura/2026/{ANA}")
    page.get_by_role("heading", name="Proposições por ano").wait_for()
    widths = page.eval_on_selector_all("svg.bars rect", "bars => bars.map(bar => Number(bar.getAttribute('width')))")
    assert [round(width / widths[0]) for width in widths] == [1, 0, 3, 12]
    assert page.get_by_role("heading", name="Proposições por tema").count() == 0  # one bar tells nothing
    page.get_by_text("Ver como tabela").click()
    assert page.locator("figure table tbody").inner_text().split() == ["2022", "1", "0", "2023", "3", "12"]
    page.screenshot(path=screenshots / "figures.png", full_page=True)
    assert all_findings(page) == []


def test_a_reader_says_whether_an_answer_helped(page: Page, server: str) -> None:
    page.goto(f"{server}/?q=O que os planos propõem para as creches?")
    page.get_by_role("button", name="Não, esta resposta não ajudou").click()
    page.get_by_text("Obrigado. A sua opinião fica guardada só neste serviço.").wait_for()
    assert page.get_by_role("button", name="Sim, esta resposta ajudou").count() == 0
    assert all_findings(page) == []


def test_topic_and_people_are_told_as_chips(page: Page, server: str) -> None:
    page.goto(f"{server}/?q=O que Ana Souza e Bruno Lima dizem sobre creches?")
    chips = page.get_by_role("list", name="Como a pergunta foi entendida")
    chips.wait_for()
    text = chips.inner_text()
    assert "assunto: creches" in text and "ANA SOUZA" in text and "BRUNO LIMA" in text
    page.get_by_role("button", name="Tirar: assunto: creches").click()
    assert page.locator("#question").input_value() == "O que Ana Souza e Bruno Lima dizem sobre creches?"


def test_what_else_a_question_may_ask_for_is_a_button_that_asks_it_so(page: Page, server: str) -> None:
    asked: list[dict[str, Any]] = []

    def unsure(route: Route) -> None:
        asked.append(route.request.post_data_json)
        others = [] if asked[-1].get("reading") else [{"intent": "bills", "label": "proposições da Câmara"}]
        said = route.fetch()
        empty = '"others": []' if '"others": []' in said.text() else '"others":[]'
        route.fulfill(response=said, body=said.text().replace(empty, f'"others": {json.dumps(others)}'))

    page.route("**/api/ask", unsure)
    page.goto(f"{server}/?q=O que Ana Souza diz sobre creches?")
    page.get_by_role("button", name="proposições da Câmara").click()
    page.locator(".answer-title").nth(1).wait_for()
    assert [one.get("reading") for one in asked] == [None, "bills"]
    assert page.locator(".answer-title").count() == 2
    assert all_findings(page) == []


def test_a_comparison_that_asks_back_goes_on_with_the_one_chosen_and_keeps_the_other(
    page: Page, screenshots: Path
) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    ask(page, "Compare Ana Souza e Diana sobre creches")
    first = page.locator("#answer article").first
    assert [name.split(" — ")[0] for name in first.locator(".text button").all_inner_texts()] == [
        "DIANA MOTA",
        "DIANA REIS",
    ]
    assert first.inner_text().count("DIANA MOTA") == 1
    assert "20 creches" not in first.inner_text() and all_findings(page) == []
    page.screenshot(path=screenshots / "choice-375.png", full_page=True)
    first.get_by_role("button", name="DIANA REIS").press("Enter")
    second = page.locator("#answer article").nth(1)
    second.wait_for()
    text = second.locator(".text").inner_text()
    assert "20 creches" in text and "DIANA REIS" in text and "DIANA MOTA" not in text
    assert second.locator(".text .actions").count() == 0 and all_findings(page) == []
    ask(page, "O que Bruno Lima diz sobre creches?")  # what was chosen does not stick
    third = page.locator("#answer article").nth(2).inner_text()
    assert "45 creches" in third and "DIANA" not in third


def test_a_count_shows_what_was_counted_each_with_its_address(page: Page) -> None:
    ask(page, "Quantos candidatos a governador há em SP?")
    page.locator("#answer .cite").first.click()
    entries = page.locator("#passage ol a")
    entries.nth(4).wait_for()
    assert [name.split(" — ")[0] for name in entries.all_inner_texts()] == [
        "ANA SOUZA", "BRUNO LIMA", "CÉLIA", "DIANA MOTA", "DIANA REIS"
    ]  # fmt: skip
    assert all_findings(page) == []
    entries.nth(1).click()
    page.get_by_role("heading", name="BRUNO LIMA — GOVERNADOR").wait_for()


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
    assert all_findings(page) == []
    page.set_viewport_size({"width": 375, "height": 900})
    shown = page.locator("#comparison thead th").filter(visible=True)
    assert [head.split(" — ")[0] for head in shown.all_inner_texts()] == ["ANA SOUZA"]
    page.get_by_role("button", name="BRUNO LIMA", exact=True).press("Enter")
    assert [head.split(" — ")[0] for head in shown.all_inner_texts()] == ["BRUNO LIMA"]
    page.screenshot(path=screenshots / "comparison-375.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert all_findings(page) == []
    link = page.locator("#comparison td a").filter(visible=True, has_text="Plano de governo de BRUNO LIMA")
    link.first.click()
    page.get_by_text("Página 2 de 2").wait_for()
    assert "45 creches" in page.locator("#document mark").inner_text()
    page.go_back()
    page.locator("#comparison table").wait_for()


def test_the_first_questions_offered_are_those_that_the_store_can_answer(page: Page) -> None:
    offered = page.locator("#examples button")
    offered.nth(2).wait_for()
    assert offered.nth(1).inner_text() == "Quantas proposições de 2023 há?"
    assert not any(name in text for text in offered.all_inner_texts() for name in ("ANA", "BRUNO", "PXA", "PXB"))
    assert all_findings(page) == []
    offered.nth(1).click()
    page.locator("#answer article").wait_for()
    assert "1 proposição" in page.locator("#answer .text").inner_text() and offered.count() == 0


def test_filters_restrict_a_question_are_in_its_address_and_come_off_as_chips(page: Page) -> None:
    page.get_by_text("Filtros").first.click()
    page.get_by_label("Partido").first.select_option("PXB")
    assert all_findings(page) == []
    ask(page, "creches")
    assert (
        "45 creches" in page.locator("#answer").inner_text()
        and "20 creches" not in page.locator("#answer").inner_text()
    )
    assert page.url.endswith("partido=PXB")
    page.locator("#answer .chips").get_by_role("button", name="Tirar: Partido: PXB").click()
    page.locator("#answer article").nth(1).wait_for()
    assert "20 creches" in page.locator("#answer article").nth(1).inner_text() and "PXB" not in page.url


def test_the_search_tab_finds_passages_and_opens_their_source(page: Page, server: str, screenshots: Path) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.get_by_role("link", name="Buscar").click()
    page.get_by_label("Palavras").fill("creches")
    page.keyboard.press("Enter")
    page.locator("#results .source").nth(1).wait_for()
    assert page.url == f"{server}/busca?q=creches" and all_findings(page) == []
    page.screenshot(path=screenshots / "search-375.png", full_page=True)
    page.locator("#results .source", has_text="ANA SOUZA").click()
    page.locator("#passage .sheet rect").first.wait_for(state="attached")
    page.goto(f"{server}/busca?q=creches&partido=PXB")
    page.locator("#results .source").wait_for()
    assert page.locator("#results .source").count() == 1


def test_the_coverage_page_says_what_there_is(page: Page) -> None:
    page.get_by_role("link", name="O que há aqui").first.click()
    page.get_by_role("heading", name="Eleição de 2026").wait_for()
    text = page.locator("#coverage").inner_text()
    assert "PXA, PXB, PXC" in text and "concluída" in text
    assert all_findings(page) == []

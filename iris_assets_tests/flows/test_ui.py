"""The Dagster page in a real browser over running processes: what a user sees, launches and switches on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from iris_assets_tests.flows.daemon import Platform, running_platform, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SCREENSHOTS = Path(__file__).resolve().parents[2] / "benchmarks" / "out"
SENSOR_TICKS = """query($selector: InstigationSelector!) { instigationStateOrError(instigationSelector: $selector) {
  ... on InstigationState { ticks(limit: 5) { status skipReason } } } }"""


@pytest.fixture(scope="module")
def platform(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("ui"), sample_replay) as running:
        yield running


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, platform: Platform) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1500, "height": 950})
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    foreign: list[str] = []
    ours = (platform.url, platform.url.replace("http", "ws", 1), "data:", "blob:")
    page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith(ours) else None)
    yield page
    page.close()
    assert foreign == []


def _keep(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(SCREENSHOTS / f"dagster-{name}.png"))


def _choose_and_launch(
    page: Page, platform: Platform, asset: str, letters: str, count: int, button: str
) -> dict[str, Any]:
    """In an asset's dialog choose the `count` UFs with these letters in 2026 and launch; the server's answer."""
    page.goto(f"{platform.url}/assets/{asset}?view=overview")
    page.get_by_text("Materialize…").first.click()
    for typed, fitting in ((letters, count), ("2026", 1)):
        page.get_by_text("Select a partition or create one").first.click()
        page.get_by_placeholder("Filter partitions").fill(typed)
        page.get_by_text(f"Select all ({fitting})").click()
        page.keyboard.press("Escape")
    with page.expect_response(
        lambda answer: "/graphql" in answer.url and "aunch" in (answer.request.post_data or "")
    ) as got:
        page.get_by_role("button", name=button).last.click()
    data: dict[str, Any] = got.value.json()["data"]
    return data


def test_the_graph_shows_the_stages_in_their_order(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.url}/assets/chunks?view=lineage&lineageScope=neighbors")
    for name in ("proposals", "camara", "chunks", "embeddings"):
        expect(page.get_by_text(name, exact=True).first).to_be_visible()
    _keep(page, "graph")


def test_a_materialisation_launched_from_the_page_is_carried_to_its_end(page: Page, platform: Platform) -> None:
    answer = _choose_and_launch(page, platform, "candidates", "SP", 1, "Launch 1 run")
    assert "LaunchRunSuccess" in str(answer) or "LaunchMultipleRunsResult" in str(answer), answer
    (run,) = platform.wait_runs(180, **{"dagster/partition": "SP|2026"})
    assert run.status is dg.DagsterRunStatus.SUCCESS
    page.goto(f"{platform.url}/assets/candidates?view=partitions&partition=SP%7C2026")
    # The sample's file of SP holds 27 candidates of the default offices and two bad rows.
    for text in ("records_created", "27", "dagster/partition_row_count", "ingestion_run", "CSV_ROW_INVALID"):
        expect(page.get_by_text(text).first).to_be_visible()
    _keep(page, "partition")


def test_the_page_of_an_asset_describes_it(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.url}/assets/candidates?view=overview")
    for text in (
        "TseId",
        "The court's number of the candidacy",
        "iris-assets",
        "refresh",
        "Warns if more than 26 hours since last materialization",
    ):
        expect(page.get_by_text(text, exact=False).first).to_be_visible()
    expect(page.get_by_text("Candidates of the election in one UF").first).to_be_visible()
    _keep(page, "asset")


def test_a_check_shows_what_is_missing(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.url}/assets/candidates?view=checks&checkDetail=complete")
    expect(page.get_by_text("CSV_ROW_INVALID: line 37: NM_CANDIDATO is empty").first).to_be_visible()
    _keep(page, "check")


def test_a_backfill_launched_from_the_page_ends_green(page: Page, platform: Platform) -> None:
    answer = _choose_and_launch(page, platform, "candidates", "B", 3, "Launch")
    backfill = answer["launchPartitionBackfill"]["backfillId"]  # BA, BR and PB
    assert platform.wait_backfill(backfill, 240) == "COMPLETED_SUCCESS"
    page.goto(f"{platform.url}/runs/b/{backfill}")
    expect(page.get_by_text("Succeeded", exact=True).first).to_be_visible()
    _keep(page, "backfill")
    with platform.instance() as instance:
        filled = instance.get_materialized_partitions(dg.AssetKey("candidates"))
    assert filled == {"BA|2026", "BR|2026", "PB|2026", "SP|2026"}


def _switch_on(page: Page, platform: Platform, kind: str, name: str) -> None:
    page.goto(f"{platform.url}/locations/iris_assets/{kind}/{name}")
    switch = page.locator("input[type=checkbox]:not([disabled])").first
    switch.wait_for(state="attached")
    with page.expect_response(
        lambda answer: "/graphql" in answer.url and "mutation" in (answer.request.post_data or "")
    ):
        switch.evaluate("element => element.click()")


def test_the_sensor_ticks_once_it_is_switched_on(page: Page, platform: Platform) -> None:
    _switch_on(page, platform, "sensors", "evaluation_sensor")
    selector = {
        "repositoryLocationName": "iris_assets",
        "repositoryName": "__repository__",
        "name": "evaluation_sensor",
    }

    def ticked() -> dict[str, Any] | None:
        ticks = platform.graphql(SENSOR_TICKS, selector=selector)["instigationStateOrError"]["ticks"]
        return ticks[0] if ticks and ticks[0]["status"] != "STARTED" else None

    # No vectors were made: candidates alone are no reason to evaluate.
    tick = wait_for(ticked, 120, "a tick of the sensor", pause=1)
    assert tick["status"] == "SKIPPED", tick
    page.reload()
    expect(page.get_by_text("0 runs requested").first).to_be_visible()
    _keep(page, "sensor")


def test_the_schedule_says_when_it_runs_next(page: Page, platform: Platform) -> None:
    _switch_on(page, platform, "schedules", "daily_refresh")
    page.reload()
    expect(page.get_by_text("Next tick", exact=False).first).to_be_visible()
    expect(page.get_by_text("04:00", exact=False).first).to_be_visible()
    _keep(page, "schedule")
    with platform.instance() as instance:
        assert {state.instigator_name for state in instance.all_instigator_state() if state.is_running} >= {
            "daily_refresh"
        }

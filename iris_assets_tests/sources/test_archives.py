"""Damaged and hostile archives: each refused by the name of its fault, the last good copy stays."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from iris_assets.errors import SourceContractError
from iris_assets.sample.faults import HTML, TRUNCATE, Fault
from iris_assets.sample.reply import Reply
from iris_assets.sample.simulator import ReplayTransport
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import check_archive
from iris_assets.sources.http import HttpClient
from iris_assets.sources.proposals import parse_member
from iris_assets.sources.tse import TseSource
from iris_assets_tests.sources.conftest import World
from iris_assets_tests.sources.zips import hostile

CANDIDATES = "/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"


HOSTILE = {code: data for _, code, data in hostile({"a.csv": b"x;y\n" * 200})}


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (HTML, "ARCHIVE_IS_HTML"),
        (Fault(Reply(200, HOSTILE["ARCHIVE_TRUNCATED"])), "ARCHIVE_TRUNCATED"),
        (Fault(Reply(200, HOSTILE["ARCHIVE_IS_LFS_POINTER"])), "ARCHIVE_IS_LFS_POINTER"),
        (Fault(Reply(200, HOSTILE["ARCHIVE_BAD_CRC"])), "ARCHIVE_BAD_CRC"),
    ],
)
def test_a_damaged_download_is_refused_and_the_last_good_copy_stays(
    world: World, tmp_path: Path, fault: str | Fault, code: str
) -> None:
    source = TseSource(world.client, world.settings, tmp_path)
    world.faults.script(CANDIDATES, [fault])
    with pytest.raises(SourceContractError) as caught:
        source.candidates_archive()
    assert caught.value.code == code
    assert not list((tmp_path / "incoming").iterdir())

    good = source.candidates_archive()
    world.faults.script(CANDIDATES, [fault])
    kept = source.candidates_archive()
    assert (kept.sha256, kept.not_modified) == (good.sha256, True)
    assert kept.notes[0].startswith(code)


def test_a_dropped_connection_is_tried_again(world: World, tmp_path: Path) -> None:
    world.faults.script(CANDIDATES, [TRUNCATE, TRUNCATE])
    archive = TseSource(world.client, world.settings, tmp_path).candidates_archive()
    check_archive(archive.path)
    assert len(world.waits) == 2


def test_an_unchanged_archive_is_answered_304_and_not_downloaded_again(world: World, tmp_path: Path) -> None:
    source = TseSource(world.client, world.settings, tmp_path)
    first = source.candidates_archive()
    before = first.path.stat().st_mtime_ns
    again = source.candidates_archive()
    assert (first.not_modified, again.not_modified) == (False, True)
    assert again.path.stat().st_mtime_ns == before
    assert again.collected_at == first.collected_at
    manifest = (tmp_path / "manifest.json").read_text()
    assert first.sha256 in manifest and first.url in manifest


class Watched(ReplayTransport):
    """Remembers the status of each answer about the candidates archive."""

    statuses: list[int]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = super().handle_request(request)
        if request.url.path == CANDIDATES:
            self.statuses.append(response.status_code)
        return response


def test_partitions_that_start_together_make_one_download(world: World, tmp_path: Path) -> None:
    transport = Watched(world.simulator)
    transport.statuses = []

    def fetch(_: int) -> Archive:
        with HttpClient(world.settings, transport) as client:
            return TseSource(client, world.settings, tmp_path).candidates_archive()

    with ThreadPoolExecutor(8) as threads:
        archives = list(threads.map(fetch, range(8)))
    assert sorted(transport.statuses) == [200] + [304] * 7
    assert len({archive.path for archive in archives}) == 1
    assert sum(not archive.not_modified for archive in archives) == 1
    assert list((tmp_path / "incoming").iterdir()) == []
    (entry,) = json.loads((tmp_path / "manifest.json").read_text())["entries"].values()
    assert set(entry) == {"sha256", "size", "etag", "last_modified", "collected_at"}


def test_a_copy_that_rotted_on_disk_is_fetched_anew(world: World, tmp_path: Path) -> None:
    source = TseSource(world.client, world.settings, tmp_path)
    first = source.candidates_archive()
    first.path.write_bytes(b"rot" + first.path.read_bytes()[3:])
    again = source.candidates_archive()
    assert not again.not_modified
    check_archive(again.path)


def test_two_matching_resources_are_an_error_that_lists_them(make_world: Callable[..., World], tmp_path: Path) -> None:
    world = make_world()
    package = world.simulator.replay.package("candidatos-2026")
    assert package is not None
    for resource in package["result"]["resources"]:
        resource["state"] = "active"
    from iris_assets.sample.reply import json_reply

    world.faults.script("/api/3/action/package_show", [Fault(json_reply(package))])
    with pytest.raises(SourceContractError) as caught:
        TseSource(world.client, world.settings, tmp_path).candidates_archive()
    assert caught.value.code == "RESOURCE_AMBIGUOUS"
    assert caught.value.message.count("Candidatos") == 2


def test_a_listed_file_that_the_host_lacks_and_a_refused_catalogue_have_their_own_names(
    world: World, tmp_path: Path
) -> None:
    source = TseSource(world.client, world.settings, tmp_path)
    world.faults.script("/estatistica/sead/odsele/proposta_governo/proposta_governo_2026_SP.zip", [404])
    with pytest.raises(SourceContractError, match="RESOURCE_NOT_PUBLISHED"):
        source.proposal_archive("SP")
    assert source.proposal_archive("RJ") is None
    world.faults.script("/api/3/action/package_show", [403, 403])
    with pytest.raises(Exception, match="SOURCE_FORBIDDEN: catalogue not available"):
        source.candidates_archive()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2022BR280001607829.pdf", (2022, "BR", "280001607829", 1)),
        ("2024PI180001881915_01.pdf", (2024, "PI", "180001881915", 1)),
        ("BR/2026BR280002542548_02.PDF", (2026, "BR", "280002542548", 2)),
        ("sp\\2026sp250002530091_01.pdf", (2026, "SP", "250002530091", 1)),
    ],
)
def test_plan_names_of_all_years(name: str, expected: tuple[int, str, str, int]) -> None:
    plan = parse_member(name)
    assert plan is not None
    assert (plan.year, plan.unit, plan.tse_id, plan.sequence) == expected


@pytest.mark.parametrize("name", ["leiame.pdf", "2022BR.pdf", "2022BR280001607829.txt", "x2022BR280001607829.pdf"])
def test_other_members_are_no_plans(name: str) -> None:
    assert parse_member(name) is None

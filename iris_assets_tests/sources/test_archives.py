"""Damaged and hostile archives: each refused by the name of its fault, the last good copy stays."""

import io
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from iris_assets.errors import SourceContractError
from iris_assets.sample.faults import HTML, TRUNCATE, Fault
from iris_assets.sample.reply import Reply
from iris_assets.sources.archives import check_archive, inspect_archive
from iris_assets.sources.proposals import parse_member
from iris_assets.sources.tse import TseSource
from iris_assets_tests.sources.conftest import World

CANDIDATES = "/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"


def zipped(members: dict[str, bytes], *, link: bool = False, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = ((stat.S_IFLNK if link else stat.S_IFREG) | 0o644) << 16
            archive.writestr(info, data)
    return out.getvalue()


def wrong_crc() -> bytes:
    data = bytearray(zipped({"a.csv": b"x" * 1000}, method=zipfile.ZIP_STORED))
    data[100] ^= 0xFF
    return bytes(data)


GOOD = zipped({"a.csv": b"x;y\n" * 1000})
HOSTILE = {
    "ARCHIVE_EMPTY": b"",
    "ARCHIVE_IS_HTML": b"<!DOCTYPE html><html><body>403</body></html>",
    "ARCHIVE_IS_LFS_POINTER": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
    "ARCHIVE_NOT_ZIP": b"Rar!\x1a\x07\x00",
    "ARCHIVE_TRUNCATED": GOOD[: len(GOOD) // 2],
    "ARCHIVE_BAD_CRC": wrong_crc(),
    "ARCHIVE_BOMB": zipped({"a.csv": b"\0" * (16 * 1024 * 1024)}),
    "ARCHIVE_LINK": zipped({"a.csv": b"/etc/passwd"}, link=True),
    "ARCHIVE_DAMAGED": GOOD.replace(b"PK\x01\x02", b"PX\x01\x02"),
}


@pytest.mark.parametrize("code", HOSTILE)
def test_each_fault_has_its_own_code(code: str, tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(HOSTILE[code])
    with pytest.raises(SourceContractError) as caught:
        check_archive(path)
    assert caught.value.code == code
    assert inspect_archive(path)["error_code"] == code


@pytest.mark.parametrize(
    "name", ["../a.csv", "a/../../b.csv", "..\\a.csv", "/etc/a.csv", "C:\\a.csv", "\\\\host\\a.csv"]
)
def test_names_that_leave_the_folder_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(zipped({"ok.csv": b"1", name: b"2"}))
    with pytest.raises(SourceContractError) as caught:
        check_archive(path)
    assert caught.value.code == "ARCHIVE_UNSAFE_NAME"


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

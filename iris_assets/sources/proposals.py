"""Government-plan archives: which members are plans, whose they are, and reading them one at a time."""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_archive, read_bounded
from iris_assets.sources.downloads import DownloadFolder

# `2022BR280001607829.pdf`, `2024PI180001881915_01.pdf`, `BR/2026BR280002542548_01.pdf`
PLAN: Final = re.compile(
    r"(?P<year>\d{4})(?P<unit>[A-Z]{2})(?P<sq>\d{4,20})(?:_(?P<sequence>\d{1,3}))?\.(?P<form>pdf|docx?|odt|rtf)",
    re.IGNORECASE,
)
READ: Final = "PDF"
CANDIDATES_CSV: Final = re.compile(r"consulta_cand_\d{4}_(?P<unit>[A-Z]+)\.(csv|txt)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ProposalMember:
    """One plan in an archive. `sequence` is 1 where the name has none (the years before 2024).

    `form` is what its name says: PDF, or a form that is listed and not read (DOCX, ODT, …), since it has no pages to cite.
    """

    name: str
    year: int
    unit: str
    tse_id: str
    sequence: int
    size: int
    form: str = READ


def parse_member(name: str, size: int = 0) -> ProposalMember | None:
    """The plan that a member name tells of (folder and case aside), or None for anything else."""
    match = PLAN.fullmatch(base_name(name))
    if match is None:
        return None
    return ProposalMember(
        name=name,
        year=int(match["year"]),
        unit=match["unit"].upper(),
        tse_id=match["sq"],
        sequence=int(match["sequence"] or 1),
        size=size,
        form=match["form"].upper(),
    )


def base_name(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name


def proposal_members(archive: Archive) -> tuple[list[ProposalMember], list[str]]:
    """The plans of an archive in the order of its directory, and the names of the members that are none."""
    plans, ignored = [], []
    with open_archive(archive.path) as opened:
        for info in opened.infolist():
            if info.is_dir():
                continue
            plan = parse_member(info.filename, info.file_size)
            if plan is None:
                ignored.append(info.filename)
            else:
                plans.append(plan)
    return plans, ignored


@contextmanager
def opened_plans(archive: Archive) -> Iterator[Callable[[ProposalMember], bytes]]:
    """A function that gives the bytes of a plan, over one pass of the archive's directory.

    A member that cannot be unpacked raises SourceContractError and costs itself only.
    """
    with open_archive(archive.path) as opened:
        yield lambda member: read_bounded(opened, member.name)


def fate_of(name: str, *, encrypted: bool = False) -> str:
    """In words: what we would do with a member of an archive."""
    if encrypted:
        return "refused: encrypted"
    plan = parse_member(name)
    if plan is not None:
        unread = "" if plan.form == READ else f": listed, not read ({plan.form}, only {READ} has pages to cite)"
        return f"plan of candidate {plan.tse_id} ({plan.unit} {plan.year}), document {plan.sequence:02d}{unread}"
    csv = CANDIDATES_CSV.fullmatch(base_name(name))
    if csv is not None and csv["unit"].upper() == "BRASIL":
        return "candidates of the whole country: read for a UF without a file of its own"
    if csv is not None:
        return f"candidates of {csv['unit'].upper()}"
    return "ignored"


def kept_plan(downloads: Path, url: str, member: str, document_hash: str) -> bytes | None:
    """The bytes of a plan out of the archive of `url` that is kept; None when it is gone or holds other bytes now."""
    archive = DownloadFolder(downloads).kept(url)
    if archive is None:
        return None
    with open_archive(archive) as opened:
        if member not in opened.namelist():
            return None
        data = read_bounded(opened, member)
    return data if hashlib.sha256(data).hexdigest() == document_hash else None

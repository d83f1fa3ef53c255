"""Routes to a plan's original: the PDF, a page as a picture, and where a quote stands on it."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from fastapi.responses import Response

from iris_assets.documents.plan_files import RESOLUTION_DPI
from iris_assets.errors import DocumentError, NotFoundError
from iris_assets.platform import Platform
from iris_assets.store.records import DocumentRow
from iris_assets.web.records import document_page
from iris_assets.web.schemas import DocumentHash, PageBoxesReply
from iris_assets.web.wiring import PlatformDependency

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/documents", tags=["registros"])

PageNumber = Annotated[int, Path(ge=1, le=100_000, description="physical page, counted from 1")]
KnownTag = Annotated[str, Header(alias="If-None-Match")]
LONGEST_QUOTE = 5000  # of the longest letters still an address that the server reads (64 kB)
FOR_EVER = "public, max-age=31536000, immutable"  # an address names the bytes


@router.get("/{document_hash}.pdf", response_class=Response, responses={200: {"content": {"application/pdf": {}}}})
def pdf(platform: PlatformDependency, document_hash: DocumentHash, known: KnownTag = "") -> Response:
    """The plan's PDF as the candidate filed it."""
    data = _file(platform, document_hash)
    name = {"Content-Disposition": f'inline; filename="{document_hash[:16]}.pdf"'}
    return _cached(data, document_hash, known, "application/pdf", name)


@router.get(
    "/{document_hash}/pages/{number}.png", response_class=Response, responses={200: {"content": {"image/png": {}}}}
)
def page_picture(
    platform: PlatformDependency, document_hash: DocumentHash, number: PageNumber, known: KnownTag = ""
) -> Response:
    """The original page as a picture, also of a scanned one."""
    _require_page(platform, document_hash, number)
    picture = platform.pictures.png(document_hash, number, _file(platform, document_hash))
    tag = hashlib.sha256(f"{document_hash} {number} {RESOLUTION_DPI}".encode()).hexdigest()
    return _cached(picture, tag, known, "image/png")


@router.get("/{document_hash}/pages/{number}")
def page_boxes(
    platform: PlatformDependency,
    document_hash: DocumentHash,
    number: PageNumber,
    quote: Annotated[str, Query(max_length=LONGEST_QUOTE)] = "",
) -> PageBoxesReply:
    """The text of a page and, with a quote, the boxes of its lines in shares of the page (0 to 1, from the upper left)."""
    row = _require_page(platform, document_hash, number)
    address, boxes = f"/api/documents/{document_hash}", _boxes(platform, row, number, quote)
    return PageBoxesReply(
        **document_page(row, number).model_dump(),
        page_count=row["page_count"] or 0,
        picture=None if boxes is None else f"{address}/pages/{number}.png",
        pdf=None if boxes is None else f"{address}.pdf",
        boxes=boxes or [],
    )


def _boxes(platform: Platform, row: DocumentRow, number: int, quote: str) -> list[list[float]] | None:
    """The boxes of a quote (none without one); None when there is no file to show, or one that cannot be drawn."""
    data = platform.plan_file(row["document_hash"], row["source_url"], row["file_name"])
    if data is None or not quote.strip():
        return None if data is None else []
    try:
        return platform.pictures.boxes(row["document_hash"], number, data, quote)
    except DocumentError as error:
        log.warning("page %s of %s has no boxes: %s", number, row["document_hash"], error.code)
        return None


def _require_page(platform: Platform, document_hash: str, number: int) -> DocumentRow:
    row = platform.store.documents.get(document_hash)
    if row is None:
        raise NotFoundError("DOCUMENT_UNKNOWN", f"no document has the hash {document_hash}")
    if number > (row["page_count"] or 0):
        raise NotFoundError("PAGE_UNKNOWN", f"the document has {row['page_count'] or 0} pages")
    return row


def _file(platform: Platform, document_hash: str) -> bytes:
    row = platform.store.documents.without_text([document_hash]).get(document_hash)
    if row is None:
        raise NotFoundError("DOCUMENT_UNKNOWN", f"no document has the hash {document_hash}")
    data = platform.plan_file(document_hash, row["source_url"], row["file_name"])
    if data is None:
        raise NotFoundError(
            "DOCUMENT_FILE_ABSENT", "the PDF is not kept here", hint=f"it is in the archive {row['source_url']}"
        )
    return data


def _cached(data: bytes, tag: str, known: str, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    told = {"ETag": f'"{tag}"', "Cache-Control": FOR_EVER, **(headers or {})}
    if f'"{tag}"' in known:
        return Response(status_code=304, headers=told)
    return Response(data, media_type=media_type, headers=told)

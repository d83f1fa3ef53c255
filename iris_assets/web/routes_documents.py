"""Routes to a plan's original: the PDF, a page as a picture, and where a quote stands on it."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from fastapi.responses import Response

from iris_assets.documents.plan_files import RESOLUTION_DPI
from iris_assets.errors import NotFoundError
from iris_assets.platform import Platform
from iris_assets.web.records import document_page
from iris_assets.web.schemas import DocumentHash, PageBoxesReply
from iris_assets.web.wiring import PlatformDependency

router = APIRouter(prefix="/api/documents", tags=["registros"])

PageNumber = Annotated[int, Path(ge=1, le=100_000, description="physical page, counted from 1")]
KnownTag = Annotated[str, Header(alias="If-None-Match")]
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
    quote: Annotated[str, Query(max_length=8000)] = "",
) -> PageBoxesReply:
    """The text of a page and, with a quote, the boxes of its lines in shares of the page (0 to 1, from the upper left)."""
    row = _require_page(platform, document_hash, number)
    boxes = platform.pictures.boxes(number, _file(platform, document_hash), quote) if quote.strip() else []
    picture = f"/api/documents/{document_hash}/pages/{number}.png"
    return PageBoxesReply(**document_page(row, number).model_dump(), picture=picture, boxes=boxes)


def _require_page(platform: Platform, document_hash: str, number: int) -> Any:
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

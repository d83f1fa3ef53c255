"""What we would make of a PDF, without storing anything."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from iris_assets.documents.pool import extract_document
from iris_assets.documents.process import ExtractionLimits


def inspect_pdf(
    source: Path | bytes,
    *,
    ocr: bool = False,
    limits: ExtractionLimits | None = None,
    ocr_pages: Collection[int] | None = None,
) -> dict[str, Any]:
    """{"kind", "engine", "pages": [{"number", "label", "text", "ocr"}], "quality", "status"}; raises DocumentError.

    `ocr_pages` restricts recognition to these page numbers.
    """
    data = source if isinstance(source, bytes) else source.read_bytes()
    document = extract_document(data, limits=limits, ocr=ocr, ocr_pages=ocr_pages)
    return {
        "kind": "pdf",
        "engine": document.engine,
        "pages": [{"number": p.number, "label": p.label, "text": p.text, "ocr": p.ocr} for p in document.pages],
        "quality": document.quality,
        "status": document.status,
    }

"""What we would make of a PDF, without storing anything."""

from pathlib import Path
from typing import Any

from iris_assets.documents.pool import ExtractionLimits, extract_document


def inspect_pdf(source: Path | bytes, *, ocr: bool = False, limits: ExtractionLimits | None = None) -> dict[str, Any]:
    """{"kind", "engine", "pages": [{"number", "label", "text", "ocr"}], "quality", "status"}; raises DocumentError."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    document = extract_document(data, limits=limits, ocr=ocr)
    return {
        "kind": "pdf",
        "engine": document.engine,
        "pages": [{"number": p.number, "label": p.label, "text": p.text, "ocr": p.ocr} for p in document.pages],
        "quality": document.quality,
        "status": document.status,
    }

"""PDF files turned into pages of clean text, in a process that can be stopped."""

from iris_assets.documents.inspection import inspect_pdf
from iris_assets.documents.ocr import ocr_available
from iris_assets.documents.pages import ExtractedDocument, Page, pages_of, raw_text
from iris_assets.documents.plan_files import PlanFiles
from iris_assets.documents.pool import PdfPool, extract_document
from iris_assets.documents.process import ExtractionLimits
from iris_assets.documents.repeated import repeated_lines, strip_repeated_lines

__all__ = [
    "ExtractedDocument",
    "ExtractionLimits",
    "Page",
    "PdfPool",
    "PlanFiles",
    "extract_document",
    "inspect_pdf",
    "ocr_available",
    "pages_of",
    "raw_text",
    "repeated_lines",
    "strip_repeated_lines",
]

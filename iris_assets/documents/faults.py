"""Why a PDF, or one page of it, could not be read: the codes, and what a person can do about each."""

from typing import Final

from iris_assets.errors import DocumentError

HINTS: Final = {
    "PDF_EMPTY_FILE": "the published file has no content: look at the source again later",
    "PDF_ENCRYPTED": "the file asks for a password: nothing can be read without it",
    "PDF_MALFORMED": "open the file in a viewer; when it shows pages there, report the file",
    "PDF_NO_PAGES": "the file holds no page: look at the source again later",
    "PDF_TOO_LARGE": "the file is beyond what a plan can be: look at it by hand",
    "PDF_MEMORY": "raise PDF_MAX_MEMORY_MB when the file is honest",
    "PDF_TIMEOUT": "raise PDF_MAX_SECONDS when the file is honest",
    "PDF_CRASHED": "both readers failed on the file: look at it by hand",
}


class UnreadablePdf(Exception):
    """An engine cannot read the file; `code` is the DocumentError code. Lives inside the worker only."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def document_error(code: str, message: str) -> DocumentError:
    """The DocumentError of `code` with its hint; the message is made printable and short, it may quote the file."""
    return DocumentError(code, printable(message), hint=HINTS.get(code, ""))


def printable(message: str) -> str:
    """At most 200 characters without line breaks and controls."""
    return "".join(char if char.isprintable() else " " for char in message)[:200]

"""Three hundred hostile files: none crashes the caller, none hangs, each has a code; valid ones always come out."""

import time
from collections import Counter

from iris_assets.documents import ExtractionLimits, PdfPool
from iris_assets.errors import DocumentError
from iris_assets_tests.documents import pdfs

LIMITS = ExtractionLimits(seconds=3, memory_mb=512)
VALID = pdfs.pdf([["Documento honesto"]])
CODES = {
    "PDF_CRASHED",
    "PDF_EMPTY_FILE",
    "PDF_ENCRYPTED",
    "PDF_MALFORMED",
    "PDF_MEMORY",
    "PDF_NO_PAGES",
    "PDF_TIMEOUT",
    "PDF_TOO_LARGE",
}


def test_three_hundred_hostile_files_cost_themselves_only() -> None:
    made = list(pdfs.hand_made().values())
    hostile = made + list(pdfs.mutations(seed=20261004, count=300 - len(made)))
    assert len(hostile) == 300
    start = time.monotonic()
    codes: Counter[str] = Counter()
    honest = 0
    with PdfPool(2, LIMITS) as pool:
        files = [data for index, bad in enumerate(hostile) for data in ((bad, VALID) if index % 10 == 0 else (bad,))]
        for data, result in zip(files, pool.map(files), strict=True):
            if data is VALID:
                assert not isinstance(result, DocumentError)
                assert result.pages[0].text == "Documento honesto"
                honest += 1
            else:
                codes[result.code if isinstance(result, DocumentError) else result.status] += 1
    assert honest == 30
    assert codes.total() == 300
    assert set(codes) <= CODES | {"OK", "PARTIAL", "EMPTY"}
    assert codes["PDF_MALFORMED"] > 10
    # The longest file may take its limit twice by the clock; all of them together are far from that.
    assert time.monotonic() - start < 90

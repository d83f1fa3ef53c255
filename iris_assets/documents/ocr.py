"""Recognition of pages without text by Tesseract, Portuguese; off in a clear way when it is not installed."""

import functools
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Final

RESOLUTION_DPI: Final = 300
CORES: Final = 2
PAGE_SECONDS: Final = 120


@functools.cache
def ocr_available() -> bool:
    """Whether the `tesseract` program with the language `por` is installed."""
    program = shutil.which("tesseract")
    if program is None:
        return False
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=30, check=False)
    return "por" in listed.stdout.split()


def recognise(data: bytes, numbers: list[int]) -> dict[int, str]:
    """{page number: recognised text} for the given pages (from 1); a page that fails is left out."""
    import pypdfium2 as pdfium

    if not numbers:
        return {}
    texts: dict[int, str] = {}
    document = pdfium.PdfDocument(data)
    try:
        with ThreadPoolExecutor(CORES) as pool:
            for start in range(0, len(numbers), CORES):
                # Rendering is not thread-safe and stays here; Tesseract runs as a program, two at a time.
                batch = numbers[start : start + CORES]
                images = [
                    document[number - 1].render(scale=RESOLUTION_DPI / 72, grayscale=True).to_pil() for number in batch
                ]
                texts.update(zip(batch, pool.map(_read_image, images), strict=True))
    finally:
        document.close()
    return texts


def _read_image(image: object) -> str:
    import pytesseract

    try:
        return str(pytesseract.image_to_string(image, lang="por", timeout=PAGE_SECONDS))
    except RuntimeError:
        return ""

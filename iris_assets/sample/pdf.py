"""A small PDF writer for the synthetic sample: pages of Helvetica text, or a page that is only a drawing."""

from collections.abc import Sequence
from typing import Final

WIDTH, HEIGHT, MARGIN, LEADING, SIZE = 595, 842, 64, 15, 11
LINE_CHARACTERS: Final = 82
LINES_PER_PAGE: Final = (HEIGHT - 2 * MARGIN) // LEADING


def text_pages(paragraphs: Sequence[str]) -> list[list[str]]:
    """Paragraphs wrapped into lines and lines into pages; a blank line stands between paragraphs."""
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*_wrapped(paragraph), ""]
    return [lines[start : start + LINES_PER_PAGE] for start in range(0, len(lines), LINES_PER_PAGE)]


def pdf_bytes(pages: Sequence[Sequence[str]], title: str) -> bytes:
    """A PDF whose pages show these lines; a page without lines gets a drawing and no text. The same bytes each time."""
    streams = [_text_stream(lines) if lines else _drawing_stream() for lines in pages]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    objects.append(b"<< /Title " + _string(title) + b" /Producer (synthetic sample) >>")
    kids = []
    for stream in streams:
        number = len(objects) + 1
        kids.append(b"%d 0 R" % number)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] "
            b"/Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (WIDTH, HEIGHT, number + 1)
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b" ".join(kids), len(kids))
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _text_stream(lines: Sequence[str]) -> bytes:
    shown = b"\n".join(_string(line) + b" Tj T*" for line in lines)
    return b"BT /F1 %d Tf %d TL %d %d Td\n%b\nET" % (SIZE, LEADING, MARGIN, HEIGHT - MARGIN, shown)


def _drawing_stream() -> bytes:
    bars = [b"%d %d 28 %d re f" % (80 + 40 * place, 300, 60 + 25 * (place % 5)) for place in range(10)]
    return b"0.4 0.5 0.7 rg\n" + b"\n".join(bars)


def _string(text: str) -> bytes:
    raw = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"(" + raw + b")"


def _wrapped(paragraph: str) -> list[str]:
    lines, line = [], ""
    for word in paragraph.split():
        if line and len(line) + 1 + len(word) > LINE_CHARACTERS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line]

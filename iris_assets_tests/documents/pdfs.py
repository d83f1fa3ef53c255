"""PDFs that the tests make themselves: small valid ones, hostile ones of every class, and a seeded mutator."""

import io
import random
import zlib
from collections.abc import Iterator, Sequence

from pypdf import PdfReader, PdfWriter


def pdf_of_objects(objects: Sequence[bytes], *, version: str = "1.7") -> bytes:
    """A file of the objects 1, 2, … (the first is the catalogue) with a correct cross-reference table."""
    out = io.BytesIO()
    out.write(f"%PDF-{version}\n".encode())
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.writelines(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def stream(content: bytes, entries: str = "") -> bytes:
    return f"<< /Length {len(content)} {entries} >>\nstream\n".encode() + content + b"\nendstream"


def text_content(lines: Sequence[str]) -> bytes:
    """A content stream that prints `lines` from the top, Latin-1."""
    shown = b"".join(b"(" + _escaped(line) + b") Tj T*\n" for line in lines)
    return b"BT /F1 12 Tf 14 TL 50 780 Td\n" + shown + b"ET"


def _escaped(line: str) -> bytes:
    return line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def pdf(pages: Sequence[Sequence[str] | bytes], *, page_entries: str = "", catalogue: str = "") -> bytes:
    """A valid PDF; each page is its lines, or a content stream object."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(count))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalogue} >>".encode(),
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {page_entries} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * index} 0 R >>".encode()
        )
        objects.append(page if isinstance(page, bytes) else stream(text_content(page)))
    return pdf_of_objects(objects)


def encrypted(data: bytes, *, user: str, owner: str = "dono") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user, owner, algorithm="RC4-128")
    return _written(writer)


def with_attachment(data: bytes) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.add_attachment("segredo.txt", b"texto do anexo")
    return _written(writer)


def _written(writer: PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def bomb(size: int) -> bytes:
    """One page whose content stream expands to `size` bytes of text operators (twice deflated)."""
    piece = b"BT /F1 9 Tf 10 10 Td (bomba de texto) Tj ET\n" * 20_000
    times = size // len(piece)
    # A block that ends in a full flush stands for itself: it is compressed once and repeated.
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(times):
        checksum = zlib.adler32(piece, checksum)
    inner = b"\x78\xda" + block * times + b"\x03\x00" + checksum.to_bytes(4, "big")
    return pdf([stream(zlib.compress(inner, 9), "/Filter [/FlateDecode /FlateDecode]")])


def hand_made() -> dict[str, bytes]:
    """{class of hostility: file}; none may hurt more than itself."""
    valid = pdf([["Plano"]])
    loop_parent = b"<< /Type /Pages /Count 1 /Kids [2 0 R] /Parent 2 0 R >>"
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >>"
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >> /Contents 5 0 R >>"
    )
    catalogue = b"<< /Type /Catalog /Pages 2 0 R >>"
    one_page = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
    return {
        "empty": b"",
        "blank": b" \n" * 50,
        "html": b"<!doctype html><title>Acesso negado</title>",
        "git-lfs pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "header only": b"%PDF-1.7\n",
        "zip": b"PK\x03\x04" + bytes(100),
        "noise": random.Random(1).randbytes(5000),
        "truncated": valid[: len(valid) // 2],
        "no pages": pdf_of_objects([catalogue, b"<< /Type /Pages /Count 0 /Kids [] >>"]),
        "kids loop": pdf_of_objects([catalogue, loop_parent]),
        "count lies": pdf_of_objects([catalogue, b"<< /Type /Pages /Count 2000000000 /Kids [3 0 R] >>", b"null"]),
        "negative count": pdf_of_objects([catalogue, b"<< /Type /Pages /Count -7 /Kids [3 0 R] >>", b"null"]),
        "form calls itself": pdf_of_objects(
            [catalogue, one_page, page, stream(b"/X Do /X Do", form.decode()), stream(b"/X Do")]
        ),
        "deep arrays": pdf([stream(b"[" * 200_000)]),
        "deep dictionaries": pdf_of_objects([catalogue, b"<< /A " * 20_000 + b">>" * 20_000]),
        "previous table is itself": valid.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev 9"),
        "filter chain": pdf([stream(b"x" * 100, "/Filter [" + "/ASCIIHexDecode " * 5000 + "]")]),
        "wrong length": valid.replace(b"/Length ", b"/Length 99999999"),
        "password": encrypted(valid, user="senha"),
        "huge page box": pdf([["x"]], page_entries="/CropBox [0 0 1e30 1e30]"),
        "not a number box": pdf([["x"]], page_entries="/CropBox [/a /b null 3]"),
        "half a megabyte of q": pdf([stream(b"q " * 250_000)]),
        "unknown operators": pdf([stream(b"\x80\xff zz (( << " * 1000)]),
    }


def mutations(seed: int, count: int) -> Iterator[bytes]:
    """`count` damaged variants of valid files: bytes flipped, cut out, doubled, numbers made absurd."""
    chance = random.Random(seed)
    base = [
        pdf([["Plano de governo", "Educação"], ["Saúde"]]),
        with_attachment(pdf([["Anexo"]])),
        encrypted(pdf([["Cifrado"]]), user=""),
        pdf([stream(zlib.compress(text_content(["Comprimido"])), "/Filter /FlateDecode")]),
    ]
    numbers = [b"0", b"-1", b"2147483647", b"99999999999999999999", b"1e99", b"1 0 R", b"null", b"[", b"<<"]
    for _ in range(count):
        data = bytearray(chance.choice(base))
        for _ in range(chance.choice((1, 1, 2, 5, 20))):
            at = chance.randrange(len(data))
            kind = chance.randrange(4)
            if kind == 0:
                data[at] = chance.randrange(256)
            elif kind == 1:
                del data[at : at + chance.randrange(1, 40)]
            elif kind == 2:
                data[at:at] = data[at : at + chance.randrange(1, 200)]
            else:
                data[at : at + 1] = chance.choice(numbers)
            if len(data) < 20:
                break
        yield bytes(data)


def with_holes(lines: Sequence[bytes], *, holes: bytes = b"") -> bytes:
    """One page whose font maps every byte of Latin-1 but `holes`, as fonts of drawing programs map no ligature."""
    mapped = [code for code in range(32, 256) if code not in holes]
    entries = "\n".join(f"<{code:02x}> <{code:04x}>" for code in mapped)
    to_unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Holes def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(mapped)} beginbfchar\n{entries}\nendbfchar\nendcmap end end"
    )
    glyphs = " ".join(f"{code} /g{code}" for code in holes)
    encoding = f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [{glyphs}] >>"
    shown = b"".join(b"(" + line + b") Tj T*\n" for line in lines)
    return pdf_of_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {encoding} /ToUnicode 6 0 R >>".encode(),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            b"/Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
            stream(b"BT /F1 12 Tf 14 TL 50 780 Td\n" + shown + b"ET"),
            stream(to_unicode.encode()),
        ]
    )

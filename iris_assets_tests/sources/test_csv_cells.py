"""Blocks of CSV records: what the fast way gives is what a CSV parser gives, for regular, odd and broken files."""

import csv
import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iris_assets.sources.csv_blocks import record_blocks
from iris_assets.sources.csv_cells import Records, SlicedCells, read_block

NAMES = ("A", "B", "C", "D")
POSITIONS = {name: place for place, name in enumerate(NAMES)}


def blocks(data: bytes, size: int = 1024 * 1024) -> list[Records]:
    found = record_blocks(io.BytesIO(data), 2, size)
    return [records for block in found for records in read_block(block, len(NAMES), POSITIONS)]


def cells(records: Sequence[Records]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for part in records:
        columns = [part.cells.texts(name) for name in NAMES]
        for name, texts in zip(NAMES, columns, strict=True):
            if texts:
                values, codes = part.cells.factor(name)
                assert [values[code] for code in codes] == texts
        rows += zip(*columns, strict=True)
    return rows


def parsed(data: bytes) -> list[tuple[str, ...]]:
    reader = csv.reader(io.StringIO(data.decode("latin-1"), newline=""), delimiter=";")
    return [tuple(row) for row in reader if len(row) == len(NAMES) and not any("\0" in value for value in row)]


cell = st.one_of(
    st.sampled_from(["", "-1", "#NULO", "2026", "SÃO PAULO", "a;b", 'o "bom"', "duas\r\nlinhas", "x" * 70, "'"]),
    st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), max_size=12),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(cell, cell, cell, cell), min_size=1, max_size=30),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\r\n", "\n"]),
    st.sampled_from([64, 1024 * 1024]),
)
def test_any_table_comes_out_as_it_was_written(
    rows: list[tuple[str, ...]], quoting: int, line_end: str, size: int
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", quoting=quoting, lineterminator=line_end).writerows(rows)  # type: ignore[call-overload]
    assert cells(blocks(out.getvalue().encode("latin-1"), size)) == rows


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('ab;"\r\n\0 é'), max_size=120))
def test_any_bytes_without_a_broken_quote_are_read_as_a_parser_reads_them(text: str) -> None:
    data = text.encode("latin-1")
    if data.count(b'"') % 2 == 0:
        assert cells(blocks(data)) == parsed(data)


def test_regular_blocks_are_cut_and_one_odd_row_does_not_make_the_others_slow() -> None:
    regular = b"".join(b'"%d";%d;"S\xc3";"x"\r\n' % (n, n) for n in range(20_000))
    assert [type(part.cells) for part in blocks(regular)] == [SlicedCells]
    odd = regular[: regular.find(b"\n", 200_000) + 1] + b'"a ""b""";1;"c";"d"\r\n' + regular
    kinds = [(type(part.cells), len(part.lines)) for part in blocks(odd)]
    assert sum(rows for kind, rows in kinds if kind is not SlicedCells) < 3_000
    assert [row[0] for row in cells(blocks(odd))].count('a "b"') == 1
    lines = np.concatenate([part.lines for part in blocks(odd)])
    assert lines.tolist() == list(range(2, 2 + len(lines)))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "22", "333"], [1, 22, 333]),
        (["007", "7", "100"], [7, 7, 100]),
        (["999999999999999999", "0", "1"], [999999999999999999, 0, 1]),
        (["1", "", "3"], None),
        (["1", "-1", "3"], None),
        (["1", "1a", "3"], None),
        (["1" * 19, "1", "2"], None),
    ],
)
def test_numbers_of_any_length(values: list[str], expected: list[int] | None) -> None:
    data = "".join(f'"x";{value};"y";"z"\n' for value in values).encode()
    digits = blocks(data)[0].cells.digits("B")
    assert (None if digits is None else digits.tolist()) == expected


def test_more_different_texts_than_are_compared_one_by_one() -> None:
    data = b"".join(b"%d;%s;%s;e\n" % (n, b"z" * (n % 60), b"k%d" % (n % 200)) for n in range(1000))
    assert cells(blocks(data)) == parsed(data)


def test_compact_lines_are_the_chosen_cells() -> None:
    rows = np.array([True, False, True])
    regular = blocks(b'"a";1;"b";""\r\n"c";2;"d";"e"\r\n"f";3;"";"\xc3"\r\n')[0].cells
    assert regular.compact(("A", "D", "B"), rows) == b"a;;1\nf;\xc3;3\n"
    odd = blocks(b'"a;x";1;"b";"l1\r\nl2"\r\n"c";2;"d";"e"\r\n"f";3;"q""q";"g"\r\n')[0].cells
    assert odd.compact(("A", "D", "C"), rows) == b'"a;x";l1 l2;b\nf;g;"q""q"\n'

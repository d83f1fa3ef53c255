"""CSV records from outside: any table comes out as it was written; faults have their line; memory is bounded."""

import csv
import io
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iris_assets.errors import SourceContractError
from iris_assets.sources.csv_records import LONGEST_RECORD, in_batches, read_header, read_records

WIDTH = 4


def text_of(stream: Any) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, "latin-1", newline="")


def records(data: bytes) -> list[tuple[int, list[str], str]]:
    return list(read_records(text_of(io.BytesIO(data)), WIDTH))


def cells(data: bytes) -> list[tuple[str, ...]]:
    return [tuple(found) for _, found, fault in records(data) if not fault]


cell = st.one_of(
    st.sampled_from(["", "-1", "#NULO", "2026", "SÃO PAULO", "a;b", 'o "bom"', "duas\r\nlinhas", "x" * 70, "'"]),
    st.text(st.characters(codec="latin-1", exclude_characters="\0\r\n"), max_size=12),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(cell, cell, cell, cell), min_size=1, max_size=30),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\r\n", "\n", "\r"]),
)
def test_any_table_comes_out_as_it_was_written(rows: list[tuple[str, ...]], quoting: Any, line_end: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", quoting=quoting, lineterminator=line_end).writerows(rows)
    assert cells(out.getvalue().encode("latin-1")) == rows


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('ab;"\n\0 é'), max_size=120))
def test_any_bytes_are_read_or_refused_and_no_line_is_lost(text: str) -> None:
    data = f"{text}\n1;2;3;4\n".encode("latin-1")
    try:
        found = records(data)
    except SourceContractError as error:
        assert error.code == "CSV_QUOTE_UNCLOSED" and data.count(b'"') > 0
    else:
        assert found[-1] == (2 + data.count(b"\n") - 1, ["1", "2", "3", "4"], "")
        assert [line for line, _, _ in found] == sorted({line for line, _, _ in found})


def test_faults_have_their_line_and_the_others_go_on() -> None:
    data = b'"a";"b\r\nc";"d";"e"\r\n1;2;3\r\n\r\n1;2;3;4;5\r\n"J "Z" S";2;3;4\r\n1;\0;3;4\r\n5;6;7;8'
    assert records(data) == [
        (2, ["a", "b\r\nc", "d", "e"], ""),
        (4, [], "3 fields, 4 expected"),
        (6, [], "5 fields, 4 expected"),
        (7, [], "a quote inside a quoted field"),
        (8, [], "a NUL byte"),
        (9, ["5", "6", "7", "8"], ""),
    ]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'1;2;3;4\n"a;2;3;4\n5;6;7;8\n', 3),  # until the end of the file
        (b'1;2;3;4\n"a;"b";"c";"d"\n5;6;7;8\n', 3),  # until the next quote
        (b'1;2;3;4\n1;2;3;"4\n"a";"b";"c";"d"\n', 3),  # until a quote of the next record
        (b'1;2;3;4\n"a\nb";2;3;4\n1;2;"3;4\n' + b"5;6;7;8\n" * 200_000, 5),  # until the longest record
        (b'1;2;3;4\n"' + b"x" * 2 * LONGEST_RECORD, 3),
        (b"1;2;3;4\n" + b"x" * 2 * LONGEST_RECORD, 3),  # no quote, and no end of the line either
    ],
)
def test_a_quote_that_never_closes_fails_the_file_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(SourceContractError, match=rf"CSV_QUOTE_UNCLOSED: line {line}:"):
        records(data)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file() -> None:
    class Endless(io.RawIOBase):
        """40 MB of records, or of one line."""

        def __init__(self, block: bytes) -> None:
            self.block, self.left = block, 40_000_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            taken = min(len(buffer), len(self.block), self.left)
            buffer[:taken] = self.block[:taken]
            self.left -= taken
            return taken

    def peak(block: bytes) -> int:
        tracemalloc.start()
        try:
            stream = io.BufferedReader(Endless(block), 8192)
            assert sum(1 for run in in_batches(read_records(text_of(stream), WIDTH)) for _ in run) >= 1
        except SourceContractError:
            assert b"\n" not in block
        finally:
            used = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return used

    assert peak(b"12345678901;2;3;" + b"4" * 47 + b"\n") < 1_000_000  # 64 bytes, a divisor of the buffer's
    assert peak(b'"' + b"x" * 8191) < 20_000_000


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_the_header_is_the_first_line_whatever_ends_it(end: str) -> None:
    text = text_of(io.BytesIO(f'"ANO";SG_UF;"A;B"{end}1;2;3{end}'.encode()))
    assert read_header(text) == ["ANO", "SG_UF", "A;B"]
    assert list(read_records(text, 3)) == [(2, ["1", "2", "3"], "")]

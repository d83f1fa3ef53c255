"""The chunker's promises, for any text, size and overlap."""

import itertools
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iris_assets.indexing.chunker import MAX_CHARACTERS, Window, chunk_text
from iris_assets.indexing.tokenizer import tokenizer

PIECES = st.sampled_from(
    [
        *("a", "é", "educação ", "saúde", "漢字", "😀", "👩🏽‍⚕️", "R$ 1.500,00 ", "1234567890", "x" * 60),
        *(" ", "   ", "\t", "\n\n", ".\n", "\u00a0", "\x00", "|", "-----", "https://exemplo.invalid/a/b"),
        *("<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"),
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=120).map("".join))
SIZES = st.integers(4, 60)
ENCODINGS = st.sampled_from(["cl100k_base", "o200k_base"])


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int]:
    size = draw(SIZES)
    return size, draw(st.integers(0, size - 1))


@settings(max_examples=400, deadline=None)
@given(TEXTS, sizes(), ENCODINGS)
@example("a b c d e f g h", (4, 3), "cl100k_base")
@example("😀" * 40, (4, 3), "cl100k_base")
@example("x" * 400 + " fim", (5, 0), "cl100k_base")
def test_windows_hold_their_promises(text: str, numbers: tuple[int, int], encoding: str) -> None:
    size, overlap = numbers
    windows = chunk_text(text, size=size, overlap=overlap, encoding=encoding)
    if not text.strip():
        assert windows == []
        return
    assert windows[0].start == 0
    assert windows[-1].end == len(text)
    for before, after in itertools.pairwise(windows):
        assert before.start < after.start <= before.end < after.end
    for window in windows:
        content = text[window.start : window.end].strip()
        assert window.token_count == tokenizer(encoding).count(content) <= size


@settings(max_examples=300, deadline=None)
@given(TEXTS, sizes())
def test_a_border_splits_no_word_that_fits(text: str, numbers: tuple[int, int]) -> None:
    size, overlap = numbers
    tokens = tokenizer()
    for window in chunk_text(text, size=size, overlap=overlap):
        for border in (window.start, window.end):
            if border in (0, len(text)) or text[border].isspace() or text[border - 1].isspace():
                continue
            word = _word_around(text, border)
            assert tokens.count(word) + 1 >= size or tokens.count(" " + word) >= size, (word, border)


def _word_around(text: str, border: int) -> str:
    # Other blanks than these are rare and joined to the words beside them (normalisation makes them plain).
    blanks = " \t\n\v\f\r"
    start = max(text.rfind(blank, 0, border) for blank in blanks) + 1
    ends = [at for blank in blanks if (at := text.find(blank, border)) >= 0]
    return text[start : min(ends, default=len(text))]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["saúde", "escola", "de", "e", "obras", "transporte"]), min_size=1, max_size=300))
def test_neighbours_share_at_most_the_overlap_and_nearly_that(words: list[str]) -> None:
    text = " ".join(words)
    windows = chunk_text(text, size=20, overlap=5)
    for before, after in itertools.pairwise(windows):
        shared = text[after.start : before.end]
        assert 2 <= tokenizer().count(shared) <= 5


def test_a_text_below_the_size_is_one_window() -> None:
    text = " ".join(["de"] * 650)
    assert tokenizer().count(text) == 650
    assert chunk_text(text, size=700, overlap=100) == [Window(0, len(text), 650)]


def test_the_tail_is_not_repeated_in_a_window_of_its_own() -> None:
    text = " ".join(["de"] * 1300)
    windows = chunk_text(text, size=700, overlap=100)
    assert [(w.start, w.end, w.token_count) for w in windows] == [(0, 700 * 3 - 1, 700), (600 * 3 - 1, len(text), 700)]


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (10, 11), (10, -1), (0, 0)])
def test_an_overlap_as_large_as_the_window_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        chunk_text("texto", size=size, overlap=overlap)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize(
    "text",
    [
        "a" * 20_000,
        "🏳️‍🌈" * 5_000,
        "| " + " | ".join(f"coluna{n}" for n in range(5_000)) + " |\n" + "|---" * 5_000 + "|",
        "início" + " " * 1_000_000 + "fim",
        "=" * 200_000,
        "<|endoftext|><|im_start|>" * 2_000,
    ],
    ids=["no blank", "joined emoji", "wide table", "a million blanks", "rules", "special tokens"],
)
def test_hard_texts_end_soon_within_all_limits(text: str, encoding: str) -> None:
    started = time.process_time()
    windows = chunk_text(text, size=700, overlap=100, encoding=encoding)
    assert time.process_time() - started < 8
    assert max(window.token_count for window in windows) <= 700
    assert max(len(text[w.start : w.end].strip()) for w in windows) <= MAX_CHARACTERS
    assert windows[0].start == 0
    assert windows[-1].end == len(text)
    assert all(a.start < b.start <= a.end < b.end for a, b in itertools.pairwise(windows))


def test_twice_the_text_costs_about_twice_the_time() -> None:
    words = "A saúde pública, a educação e o transporte coletivo são prioridades do plano. "

    def seconds(times: int) -> float:
        best = 9.0
        for _ in range(3):
            started = time.process_time()
            chunk_text(words * times, size=700, overlap=100)
            best = min(best, time.process_time() - started)
        return best

    seconds(100)
    assert seconds(16_000) < 8 * seconds(4_000)


def test_special_tokens_are_ordinary_text() -> None:
    text = "antes <|endoftext|> depois"
    (window,) = chunk_text(text, size=700, overlap=100)
    assert text[window.start : window.end] == text
    assert window.token_count > 5

"""Tokens offline: rank files placed whole, offsets exact, hostile text harmless."""

import hashlib
import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iris_assets.errors import ConfigurationError
from iris_assets.indexing.normalise import normalise_text
from iris_assets.indexing.ranks import RANK_FILES, place_ranks
from iris_assets.indexing.tokenizer import encoding_of, tokenizer


@pytest.mark.parametrize("encoding", sorted(RANK_FILES))
def test_the_rank_file_lies_where_tiktoken_looks(encoding: str, tmp_path: Path) -> None:
    path = place_ranks(encoding, tmp_path / "new")
    address = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
    assert path.name == hashlib.sha1(address.encode()).hexdigest()
    assert hashlib.sha256(path.read_bytes()).hexdigest() == RANK_FILES[encoding].sha256
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_damaged_file_is_replaced_and_a_good_one_kept(tmp_path: Path) -> None:
    path = place_ranks("cl100k_base", tmp_path)
    before = path.stat().st_ino
    assert place_ranks("cl100k_base", tmp_path).stat().st_ino == before
    path.write_bytes(path.read_bytes()[:1000])
    place_ranks("cl100k_base", tmp_path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == RANK_FILES["cl100k_base"].sha256


def _place(folder: str) -> str:
    return hashlib.sha256(place_ranks("cl100k_base", Path(folder)).read_bytes()).hexdigest()


def test_several_processes_place_the_file_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        hashes = pool.map(_place, [str(tmp_path)] * 6)
    assert set(hashes) == {RANK_FILES["cl100k_base"].sha256}
    assert len(list(tmp_path.iterdir())) == 1


def test_problems_have_codes(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="TOKENIZER_UNKNOWN"):
        place_ranks("p50k_base", tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigurationError, match="TOKENIZER_CACHE_UNWRITABLE"):
        place_ranks("cl100k_base", tmp_path / "file" / "folder")


def test_the_environment_is_left_as_it_was() -> None:
    before = dict(os.environ)
    tokenizer("o200k_base")
    assert dict(os.environ) == before


def test_models_have_their_encoding() -> None:
    assert encoding_of("text-embedding-3-small") == "cl100k_base"
    assert encoding_of("gpt-4o") == "o200k_base"
    assert encoding_of("e5-passage") == "cl100k_base"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=80), st.sampled_from(sorted(RANK_FILES)))
def test_offsets_slice_the_text_that_the_tokens_spell(text: str, encoding: str) -> None:
    encoded = tokenizer(encoding).encode(text)
    assert encoded.offsets[-1] == len(text)
    assert encoded.is_char_border[0]
    assert encoded.is_char_border[-1]
    assert tokenizer(encoding).count(text) == len(encoded.tokens)


def test_a_token_inside_a_character_is_no_border() -> None:
    encoded = tokenizer("cl100k_base").encode("a😀b")
    assert encoded.offsets.tolist()[0] == 0
    borders = encoded.offsets[encoded.is_char_border].tolist()
    assert borders == [0, 1, 2, 3]
    assert not encoded.is_char_border.all()


@pytest.mark.parametrize("text", ["\ud83d", "a\ud83d\ude00b", "x" * 3 + "\udc00", "\x00", " " * 3000 + "\ud83d"])
def test_hostile_text_is_encoded(text: str) -> None:
    assert tokenizer().encode(text).offsets[-1] == len(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_text(text)
    assert normalise_text(once) == once
    assert "\n\n\n" not in once
    assert "  " not in once
    once.encode()


def test_normalised_text_is_plain() -> None:
    assert normalise_text("a\u00a0\u2003b\r\nc \n\n\n\n d\x00e\u200b\ud83d\ude00\udc00") == "a b\nc\n\nde😀"
    assert normalise_text("educac\u0327a\u0303o nº 1º") == "educação nº 1º"

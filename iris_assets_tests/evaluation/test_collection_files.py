"""Files of public collections: what is accepted, and the code, file, line and hint of whatever is not."""

import gzip
import json
from pathlib import Path

import pytest

from iris_assets.errors import UsageError
from iris_assets.evaluation.collections import evaluate_collection, read_collection
from iris_assets.settings import load_settings
from iris_assets_tests.flows.commands import iris_assets

CORPUS = '{"id": "a", "text": "Creches em tempo integral."}\n{"id": "b", "text": "Saneamento básico."}\n'
QUERIES = "1\tcreche integral\n2\tsaneamento\n"
QRELS = "1 0 a 2\n2 0 b 1\n"
FILES = {"corpus.jsonl": CORPUS, "queries.tsv": QUERIES, "qrels.txt": QRELS}


def collection(folder: Path, **changed: str | bytes) -> Path:
    """A good collection of two documents and two questions, some files replaced (`queries_tsv=...`)."""
    for name, content in FILES.items():
        new = changed.get(name.replace(".", "_"), content)
        (folder / name).write_bytes(new.encode("utf-8") if isinstance(new, str) else new)
    return folder


def read(folder: Path) -> tuple[list[tuple[str, str, str]], dict[str, str], dict[tuple[str, str], int]]:
    found = read_collection(folder)
    return list(found.documents()), dict(found.questions), dict(found.judgments)


def refusal(folder: Path) -> UsageError:
    with pytest.raises(UsageError) as raised:
        read(folder)
    return raised.value


MALFORMED = [
    ("corpus.jsonl", CORPUS + "{\n", 3, "no JSON"),
    ("corpus.jsonl", CORPUS + "[1, 2]\n", 3, "no JSON object"),
    ("corpus.jsonl", CORPUS + "[" * 100_000 + "\n", 3, "no JSON"),
    ("corpus.jsonl", CORPUS + '\n{"id": "c"}\n', 4, "`text` is missing"),
    ("corpus.jsonl", '{"id": "a", "text": 5}\n', 1, "`text` is no text"),
    ("corpus.jsonl", '{"id": "a", "text": "x", "title": ["t"]}\n', 1, "`title` is no text"),
    ("corpus.jsonl", '{"text": "x"}\n', 1, "`id` (or `_id`) is missing"),
    ("corpus.jsonl", '{"id": null, "text": "x"}\n', 1, "`id` (or `_id`) is missing"),
    ("corpus.jsonl", '{"id": true, "text": "x"}\n', 1, "neither text nor a whole number"),
    ("corpus.jsonl", '{"id": "", "text": "x"}\n', 1, "is empty or holds blanks"),
    ("corpus.jsonl", '{"id": "a b", "text": "x"}\n', 1, "is empty or holds blanks"),
    ("corpus.jsonl", '{"id": "a", "text": "edu\\ud800cação"}\n', 1, "lone surrogate"),
    ("corpus.jsonl", '{"id": "\\udfff", "text": "x"}\n', 1, "lone surrogate"),
    ("corpus.jsonl", CORPUS + '{"id": "a", "text": "outro"}\n', 3, "document a comes a second time"),
    ("corpus.jsonl", '{"id": 1, "text": "x"}\n{"id": "1", "text": "y"}\n', 2, "document 1 comes a second time"),
    ("corpus.jsonl", CORPUS.encode("latin-1"), 2, "byte 34 of the line is not UTF-8"),
    ("corpus.jsonl", "\n\n", None, "it holds no document"),
    ("queries.tsv", "1\tcreche\n2 saneamento\n", 2, "`id TAB text`"),
    ("queries.tsv", "\tcreche\n", 1, "is empty or holds blanks"),
    ("queries.tsv", "1 \tcreche\n", 1, "is empty or holds blanks"),
    ("queries.tsv", "1\t \n", 1, "question 1 has no text"),
    ("queries.tsv", QUERIES + "1\toutra\n", 3, "question 1 comes a second time"),
    ("queries.tsv", "1\tcreche \xe9\n".encode("latin-1"), 1, "not UTF-8"),
    ("queries.tsv", "", None, "it holds no question"),
    ("qrels.txt", "1 0\n" + QRELS, 1, "no judgment"),
    ("qrels.txt", "1 0 a x\n" + QRELS, 1, "the grade 'x' is no whole number"),
    ("qrels.txt", QRELS + "1 0 b 1.5\n", 3, "the grade '1.5' is no whole number"),
    ("qrels.txt", QRELS + "1 0 b 9999999999\n", 3, "at most nine digits"),
    ("qrels.txt", QRELS + "1 0 a 2 more\n", 3, "no judgment"),
    ("qrels.txt", QRELS + "query-id corpus-id score\n", 3, "the grade 'score'"),
    ("qrels.txt", QRELS + "1 0 a 1\n", 3, "question 1 and document a are judged twice"),
    ("qrels.txt", QRELS + "3 0 a 1\n", 3, "question 3 is judged, but the queries have no such id"),
    ("qrels.txt", "\n", None, "it holds no judgment"),
    ("qrels.txt", "query-id\tcorpus-id\tscore\n", None, "it holds no judgment"),
]


@pytest.mark.parametrize(("name", "content", "line", "said"), MALFORMED)
def test_what_is_wrong_is_told_with_file_line_and_hint(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, said: str
) -> None:
    error = refusal(collection(tmp_path, **{name.replace(".", "_"): content}))
    assert error.code == "COLLECTION_INVALID" and error.hint
    assert error.details == {"file": str(tmp_path / name), "line": line}
    place = f"{tmp_path / name}, line {line}" if line else str(tmp_path / name)
    assert error.message.startswith(f"{place}: ") and said in error.message


@pytest.mark.parametrize("cut", [4, 40, -6])
def test_a_damaged_gzip_file_is_told(tmp_path: Path, cut: int) -> None:
    folder = collection(tmp_path)
    (folder / "corpus.jsonl").unlink()
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(CORPUS.encode())[:cut])
    assert "the gzip file is damaged" in refusal(folder).message
    (folder / "corpus.jsonl.gz").write_bytes(CORPUS.encode())
    assert "the gzip file is damaged" in refusal(folder).message
    broken = bytearray(gzip.compress(CORPUS.encode()))
    broken[30] ^= 0xFF
    (folder / "corpus.jsonl.gz").write_bytes(bytes(broken))
    assert "the gzip file is damaged" in refusal(folder).message


def test_a_missing_folder_a_missing_file_and_a_folder_instead_of_one_are_told(tmp_path: Path) -> None:
    assert "there is no such folder" in refusal(tmp_path / "nowhere").message
    for name in FILES:
        folder = tmp_path / name
        folder.mkdir()
        (collection(folder) / name).unlink()
        (folder / name).mkdir()
        assert f"it has no {name} nor " in refusal(folder).message


def test_marks_line_ends_and_blank_lines_of_other_systems_are_accepted(tmp_path: Path) -> None:
    plain = read(collection(tmp_path))
    other = {
        name.replace(".", "_"): b"\xef\xbb\xbf\r\n" + content.replace("\n", "\r\n\r\n").encode()
        for name, content in FILES.items()
    }
    assert read(collection(tmp_path, **other)) == plain
    marked = {name.replace(".", "_"): b"\xef\xbb\xbf" + content.rstrip().encode() for name, content in FILES.items()}
    assert read(collection(tmp_path, **marked)) == plain
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + CORPUS.replace("\n", "\r\n").encode()))
    (tmp_path / "corpus.jsonl").unlink()
    assert read(tmp_path) == plain


def test_a_line_ends_at_its_newline_only(tmp_path: Path) -> None:
    """U+2028, U+0085, a form feed and a lone carriage return belong to the question."""
    question = "creche\u2028integral\u0085de\x0cdia\rtodo"
    documents = json.dumps({"_id": 7, "title": "T", "text": "um\u2028dois"}, ensure_ascii=False) + "\n"
    found = read(collection(tmp_path, queries_tsv=f"1\t{question}\n", qrels_txt="1 0 7 1\n", corpus_jsonl=documents))
    assert found == ([("7", "T", "um\u2028dois")], {"1": question}, {("1", "7"): 1})


@pytest.mark.parametrize(
    "qrels",
    ["query-id\tcorpus-id\tscore\n1\ta\t2\n2\tb\t1\n", "query-id corpus-id score\n1 a 2\n2 b 1\n", "1 a 2\n2 b 1\n"],
)
def test_beir_files_are_read(tmp_path: Path, qrels: str) -> None:
    folder = collection(tmp_path)
    (folder / "queries.tsv").unlink()
    (folder / "queries.jsonl").write_text(
        '{"_id": "1", "text": "creche"}\n{"_id": 2, "text": "água"}\n', encoding="utf-8"
    )
    (folder / "qrels.txt").unlink()
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    assert read(folder)[1:] == ({"1": "creche", "2": "água"}, {("1", "a"): 2, ("2", "b"): 1})


def test_a_judged_document_outside_the_corpus_counts_as_never_found(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = collection(tmp_path, qrels_txt="1 0 a 1\n1 0 elsewhere 1\n")
    found = evaluate_collection(folder, "lexical", settings=load_settings({}))
    # Question 2 is asked but not judged; of the two relevant documents of question 1 one can be found.
    assert (found["queries"], found["R@10"], found["RR@10"]) == (2, 0.5, 1.0)
    assert "1 of 2 judged documents have no text in the corpus" in caplog.text


def test_the_export_is_refused_before_the_work_when_it_cannot_be_written(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        evaluate_collection(collection(tmp_path), "lexical", settings=load_settings({}), export=place / "out")
    assert raised.value.code == "EXPORT_UNWRITABLE" and str(place / "out" / "qrels.txt") in raised.value.message


def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    (folder / "qrels.txt").unlink()
    (folder / "qrels.txt").symlink_to("/proc/self/mem")  # fails for root too, who reads files without rights
    assert "cannot be read" in refusal(folder).message


@pytest.mark.slow
def test_the_command_exits_as_for_any_wrong_usage_and_keeps_stdout_to_json(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    good = iris_assets("evaluate", "--collection", folder, "--json", cwd=tmp_path)
    assert good.code == 0, good.err
    assert list(good.json) == ["mode", "queries", "nDCG@10", "R@10", "RR@10", "ms_per_query"]
    (folder / "corpus.jsonl").write_text(CORPUS + "{\n", encoding="utf-8")
    for more in ([], ["--export", tmp_path / "out"]):
        wrong = iris_assets("evaluate", "--collection", folder, "--json", *more, cwd=tmp_path)
        assert (wrong.code, wrong.out) == (2, "")
        assert wrong.err.startswith("COLLECTION_INVALID: ") and "corpus.jsonl, line 3" in wrong.err
        assert len(wrong.err.splitlines()) == 1
    nowhere = iris_assets(
        "evaluate", "--collection", collection(tmp_path), "--export", folder / "qrels.txt", cwd=tmp_path
    )
    assert nowhere.code == 2 and nowhere.err.startswith("EXPORT_UNWRITABLE")

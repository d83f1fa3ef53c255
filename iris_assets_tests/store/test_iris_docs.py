"""Generated pages are up to date: the classes parse as ObjectScript, the verification page says what was (not) run.

`UPDATE_GOLDEN=1 pytest iris_assets_tests/store/test_iris_docs.py` writes them anew.
"""

import os
from pathlib import Path

import pytest

from iris_assets.store.iris.classes import CLASSES, class_texts
from iris_assets_tests.store import verification

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def _compare(path: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date"


def test_the_classes_are_those_of_the_schema() -> None:
    texts = class_texts()
    for name, text in texts.items():
        _compare(DOCS / "iris-classes" / name, text)
    assert {path.name for path in (DOCS / "iris-classes").iterdir()} == set(texts)
    assert len(texts) == len(CLASSES) == 8


@pytest.mark.parametrize("name", sorted(class_texts()))
def test_a_class_parses_as_objectscript(name: str) -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    grammar = pytest.importorskip("tree_sitter_objectscript_udl")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language_objectscript_udl()))
    text = class_texts()[name]
    tree = parser.parse(text.encode())
    assert not tree.root_node.has_error, str(tree.root_node)
    assert parser.parse(text.replace("Property ", "Propperty ").encode()).root_node.has_error


def test_the_verification_page_is_what_the_results_say() -> None:
    path = DOCS / "iris-verification.md"
    if os.environ.get("UPDATE_GOLDEN") or verification.NEVER in path.read_text(encoding="utf-8").split("\n")[5]:
        _compare(path, verification.page())
    for item in verification.ITEMS:
        file, _, test = item.test.partition("::")
        assert f"def {test}(" in (Path(__file__).parent / file).read_text(encoding="utf-8"), item.test


def test_a_result_file_fills_the_page(tmp_path: Path) -> None:
    results = tmp_path / "iris.xml"
    item = verification.ITEMS[1]
    file, _, test = item.test.partition("::")
    results.write_text(
        '<testsuites><testsuite timestamp="2026-12-01T10:00:00"><properties>'
        f'<property name="{verification.VERSION_PROPERTY}" value="IRIS for UNIX 2025.2"/></properties>'
        f'<testcase classname="x.{file[:-3]}" name="{test}[iris]"/>'
        f'<testcase classname="x.{file[:-3]}" name="{test}[sqlite]"><failure/></testcase></testsuite></testsuites>'
    )
    page = verification.page(results)
    assert "* Server: IRIS for UNIX 2025.2\n" in page
    assert "Run: 2026-12-01T10:00:00" in page and f"| {item.what} | passed |" in page
    assert page.count(verification.NEVER) == len(verification.ITEMS) - 1

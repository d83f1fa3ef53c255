"""The table of error codes: every code that the product gives is in it, and it names none that nobody gives."""

import ast
import csv
import re
from collections.abc import Iterator

import pytest

from iris_assets.settings import PROJECT_ROOT

CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
PACKAGE = PROJECT_ROOT / "iris_assets"
# What gives a code, beside the typed errors: the places that take one as their first argument.
GIVERS = {
    "gap", "unit_failed", "document_error", "UnreadablePdf", "Rejected", "_fault", "_contract", "_invalid",
    "_out_of_order", "_selection_error", "_ungrounded",
}  # fmt: skip
MADE = {f"{name}_UNKNOWN" for name in ("PARTY", "OFFICE", "YEAR")}  # of the filter's name, in `filter_values`


def table() -> dict[str, tuple[str, str]]:
    lines = (PACKAGE / "error_codes.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter=";")
    return {row["code"]: (row["means"], row["do"]) for row in rows}


def trees() -> list[ast.Module]:
    return [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))]


def given(tree: ast.Module) -> Iterator[str]:
    """Codes that stand as the first argument of something that gives one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            code = node.args[0].value
            if (name.endswith("Error") or name in GIVERS) and isinstance(code, str) and CODE.fullmatch(code):
                yield code


def test_every_code_that_is_given_is_in_the_table() -> None:
    assert {code for tree in trees() for code in given(tree)} - table().keys() == set()


def test_the_table_names_no_code_that_nobody_gives() -> None:
    constants = {
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert table().keys() - MADE - constants == set()


@pytest.mark.parametrize("code", sorted(table()))
def test_a_row_says_what_it_means_and_what_to_do(code: str) -> None:
    means, do = table()[code]
    assert CODE.fullmatch(code) or code in {"UNEXPECTED", "INTERRUPTED"}
    assert means and do and not means.endswith(".") and not do.endswith(".")


def test_the_table_is_in_order_and_names_each_code_once() -> None:
    lines = (PACKAGE / "error_codes.csv").read_text(encoding="utf-8").splitlines()[2:]
    codes = [line.split(";")[0] for line in lines]
    assert codes == sorted(set(codes))

"""The room's walls: no regular expressions, only its own imports, schemas that are current."""

import ast
from pathlib import Path

import iris_assets.articles
from iris_assets.articles.contract_files import FOLDER, generated

ROOM = Path(iris_assets.articles.__file__).parent
ENGINES = {"re", "regex", "re2", "sre_compile", "fnmatch"}
ROOMS = ("articles", "store", "llm", "errors", "settings", "ufs")
ALLOWED = tuple(f"iris_assets.{room}" for room in ROOMS)


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def compiles_a_pattern(tree: ast.AST) -> bool:
    """pandas- and DOM-like methods that take a pattern, and engines reached by name."""
    methods = {"fullmatch", "findall", "finditer", "xpath", "cssselect", "extractall", "re_first"}
    return any(isinstance(node, ast.Attribute) and node.attr in methods for node in ast.walk(tree))


def test_no_module_uses_a_regex_engine() -> None:
    modules = sorted(ROOM.rglob("*.py"))
    assert len(modules) > 15
    for path in modules:
        tree = ast.parse(path.read_text("utf-8"))
        names = imports(tree)
        assert not {name.split(".")[0] for name in names} & ENGINES, path.name
        assert not compiles_a_pattern(tree), path.name
        ours = {name for name in names if name.startswith("iris_assets")}
        assert all(name.startswith(ALLOWED) for name in ours), path.name


def test_the_check_sees_an_engine() -> None:
    assert imports(ast.parse("import regex as x")) & ENGINES
    assert compiles_a_pattern(ast.parse("x.findall('a')"))


def test_schemas_are_current() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")} == generated()

"""The room's walls: no regular expressions, only its own imports, schemas that are current."""

import ast
from pathlib import Path

import iris_assets.articles
from iris_assets.articles.contract_files import FOLDER, generated
from iris_assets.articles.prompts import NAMES, load

ROOM = Path(iris_assets.articles.__file__).parent
ENGINES = {"re", "regex", "re2", "sre_compile", "fnmatch", "glob", "importlib"}
ROOMS = ("articles", "store", "llm", "words", "errors", "extras", "files", "logs", "settings", "ufs")
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
    names = {"fullmatch", "findall", "finditer", "xpath", "cssselect", "extractall", "re_first", "glob", "rglob",
             "match", "__import__", "import_module", "eval", "exec"}  # fmt: skip
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return bool(names & (attributes | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}))


def test_no_module_uses_a_regex_engine() -> None:
    modules = sorted(ROOM.rglob("*.py"))
    assert len(modules) > 15
    for path in modules:
        tree = ast.parse(path.read_text("utf-8"))
        names = imports(tree)
        assert not {name.split(".")[0] for name in names - {"importlib.resources"}} & ENGINES, path.name
        assert not compiles_a_pattern(tree), path.name
        ours = {name for name in names if name.startswith("iris_assets")}
        assert all(name.startswith(ALLOWED) for name in ours), path.name


def test_the_check_sees_an_engine() -> None:
    assert imports(ast.parse("import regex as x")) & ENGINES
    for code in ("x.findall('a')", "__import__('re').sub('a', '', x)", "path.glob('*')", "eval('x')"):
        assert compiles_a_pattern(ast.parse(code)), code
    assert not compiles_a_pattern(ast.parse("x.replace('a', 'b').split()"))


def test_schemas_are_current() -> None:
    assert {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.json")} == generated()


def test_every_prompt_is_a_file_with_name_version_hash_schema_and_cases() -> None:
    for name in NAMES:
        prompt = load(name)
        head = (ROOM / "prompts" / f"{name}.md").read_text("utf-8").split("---\n")[1]
        assert prompt.name == name and prompt.version.count(".") == 2 and len(prompt.hash) == 64
        assert f"cases: promptfoo/{name}.yaml" in head and (ROOM.parents[1] / "promptfoo" / f"{name}.yaml").is_file()
        schema = prompt.schema()  # closed: nothing but what it names, and all of it
        assert schema["additionalProperties"] is False and set(schema["required"]) == set(schema["properties"])

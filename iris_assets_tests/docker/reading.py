"""Which environment variables the code reads, found in its source; what a stage of the Dockerfile copies."""

import ast
import re
import shutil
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from iris_assets.llm.roles import DEFAULT_ROLES
from iris_assets.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "iris_assets"
# Reads whose name is no literal: (file, expression) → what names them instead.
BY_RULE = {
    ("settings.py", "name.upper()"): {name.upper() for name in Settings.model_fields},
    ("llm/roles.py", "f'{name}_{key}'.upper()"): {
        f"{role}_{key}".upper() for role in DEFAULT_ROLES.roles for key in ("base_url", "model")
    },
    ("llm/roles.py", "config.key_variable"): {role.key_variable for role in DEFAULT_ROLES.roles.values()},
    ("documents/process.py", "name"): set(),  # what Python itself needs to start
    ("commands/database.py", "name"): set(),  # the user names it: --from env:NAME
}
_ENVIRONMENT = re.compile(r"(?:^|\.|_)(?:environ|environment|read_environment\(\))$")


def variables_of_the_code() -> set[str]:
    """Every variable that the package reads by name; fails on a read that neither a literal nor BY_RULE names."""
    return {name for file in PACKAGE.rglob("*.py") for name in _variables(file)}


def direct_reads() -> set[str]:
    """Variables that some module takes from os.environ, where `.env` is not heard."""
    return {
        name
        for file in PACKAGE.rglob("*.py")
        for expression, name in _reads(file)
        if expression.endswith("environ") and file.name != "settings.py"
    }


def _variables(file: Path) -> set[str]:
    place = str(file.relative_to(PACKAGE))
    found: set[str] = set()
    for _, name in _reads(file):
        found |= {name} if re.fullmatch(r"[A-Z][A-Z0-9_]*", name) else BY_RULE[(place, name)]
    return found


def _reads(file: Path) -> Iterator[tuple[str, str]]:
    """(what is read from, the variable's name or the expression that makes it)."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            read, name = ast.unparse(node.func.value), node.args[0]
            if node.func.attr == "getenv":
                read = "os.environ"
            elif node.func.attr not in {"get", "pop", "setdefault"}:
                continue
        elif isinstance(node, ast.Subscript):
            read, name = ast.unparse(node.value), node.slice
        else:
            continue
        if _ENVIRONMENT.search(read):
            text = constants.get(ast.unparse(name), name.value if isinstance(name, ast.Constant) else ast.unparse(name))
            yield read, str(text)


def lay_out(stage: str, folder: Path) -> None:
    """Copy into `folder` what the stage of the Dockerfile copies from the build context, at its paths."""
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    lines = re.split(rf"(?m)^FROM .* AS {stage}$", text)[1].split("\nFROM ")[0]
    for copied in re.findall(r"(?m)^COPY (?!--from)(.*)$", lines):
        *sources, target = copied.split()
        for source in sources:
            goal = folder / target.lstrip("/")
            goal = goal / source if target.endswith("/") else goal
            goal.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, goal, ignore=_ignored)
            elif not is_ignored(source):
                shutil.copy(ROOT / source, goal)


def is_ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path of the repository out of the build context."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line]
    parts = path.split("/")
    prefixes = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    return any(
        fnmatch(prefix, pattern) or (pattern.startswith("**/") and fnmatch(prefix.split("/")[-1], pattern[3:]))
        for pattern in patterns
        for prefix in prefixes
    )


def _ignored(folder: str, names: list[str]) -> set[str]:
    place = Path(folder).resolve().relative_to(ROOT)
    return {name for name in names if is_ignored(str(place / name))}

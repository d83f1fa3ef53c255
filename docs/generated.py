"""The pages of the reference that are made from the code: a hook of MkDocs, called at each build."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import typer.main
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from iris_assets.cli import app
from iris_assets.settings import PROJECT_ROOT, Settings, load_settings
from iris_assets.store.tables.dictionary import columns, tables

HERE = Path(__file__).parent


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those of the folder."""
    for name, make in PAGES.items():
        files.append(File.generated(config, f"reference/{name}.md", content="\n".join(make()) + "\n"))
    return files


def settings_page() -> Iterator[str]:
    told = yaml.safe_load((HERE / "reference/settings.yaml").read_text(encoding="utf-8"))
    yield "# Settings\n\nVariables of the environment or of `.env`; an empty value counts as unset.\n"
    yield "| Variable | What it does | Values | Default |\n|---|---|---|---|"
    for name, field in Settings.model_fields.items():
        yield f"| `{name.upper()}` | {told[name]} | {_values(field)} | {_default(field)} |"


def error_codes_page() -> Iterator[str]:
    lines = (PROJECT_ROOT / "iris_assets/error_codes.csv").read_text(encoding="utf-8").splitlines()
    yield "# Error codes\n\nEvery error, gap and failed run carries one; the message says the details.\n"
    yield "| Code | Means | Do |\n|---|---|---|"
    for row in csv.DictReader((line for line in lines if not line.startswith("#")), delimiter=";"):
        yield f"| `{row['code']}` | {_cell(row['means'])} | {_cell(row['do'])} |"


def command_line_page() -> Iterator[str]:
    yield "# Command line\n\nThe help is in Portuguese, as the program prints it. Exit codes: 0 done, 1 failed, 2 wrong usage.\n"
    yield from _command(typer.main.get_command(app), "iris-assets")


def data_dictionary_page() -> Iterator[str]:
    yield "# Data dictionary\n\nThe tables of the store, as `iris-assets export` writes them. Identity is in the columns marked so.\n"
    for name, meaning in sorted(tables().items()):
        yield f"\n## {name}\n\n{meaning}\n\n| Column | Kind | Required | Identity | Meaning |\n|---|---|---|---|---|"
        for one in columns(name):
            marks = ("yes" if one.required else "no", "yes" if one.identity else "")
            yield f"| {one.name} | {one.kind} | {marks[0]} | {marks[1]} | {_cell(one.meaning)} |"


def http_api_page() -> Iterator[str]:
    from iris_assets.web.app import create_app

    document = create_app(load_settings({}, iris_assets_data=PROJECT_ROOT / "site")).openapi()
    yield "# HTTP API\n\nBelow `/api/v1`; the whole schema is at `/api/openapi.json` of a running server.\n"
    for path, methods in sorted(document["paths"].items()):
        for method, told in methods.items():
            yield f"\n## `{method.upper()} {path}`\n\n{told.get('description') or told.get('summary', '')}\n"
            parameters = told.get("parameters", ())
            if parameters:
                yield "| Parameter | In | Meaning |\n|---|---|---|"
            for parameter in parameters:
                yield f"| `{parameter['name']}` | {parameter['in']} | {_cell(parameter.get('description', ''))} |"


def _command(command: click.Command, path: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        for name, child in sorted(command.commands.items()):
            yield from _command(child, f"{path} {name}")
        return
    yield f"\n## `{path}`\n\n{command.help or ''}\n"
    if command.params:
        yield "| Argument or option | What it does | Default |\n|---|---|---|"
    for parameter in command.params:
        name = ", ".join(f"`{one}`" for one in parameter.opts) if parameter.param_type_name == "option" else None
        shown = "" if parameter.default in (None, False) or callable(parameter.default) else f"`{parameter.default}`"
        yield f"| {name or f'`{parameter.human_readable_name}`'} | {_cell(getattr(parameter, 'help', '') or '')} | {shown} |"


def _values(field: FieldInfo) -> str:
    kind: Any = field.annotation
    options = [option for option in get_args(kind) if option is not type(None)] or [kind]
    if get_origin(kind) is not None and "Literal" in str(get_origin(kind)):
        return ", ".join(f"`{option}`" for option in options)
    limits = [
        f"{name} {getattr(rule, key)}" for rule in field.metadata for key, name in LIMITS.items() if hasattr(rule, key)
    ]
    return ", ".join([_kind(options[0]), *limits])


LIMITS = {"ge": "from", "gt": "above", "le": "to"}


def _kind(kind: Any) -> str:
    return KINDS.get(kind, getattr(kind, "__name__", "text").lower())


KINDS: dict[Any, str] = {
    str: "text",
    int: "number",
    float: "number",
    bool: "on or off",
    Path: "path",
    SecretStr: "secret",
}


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is None or value == "":
        return ""
    if isinstance(value, Path):
        value = value.relative_to(PROJECT_ROOT)
    return f"`{','.join(value) if isinstance(value, tuple) else value}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "command-line": command_line_page,
    "data-dictionary": data_dictionary_page,
    "error-codes": error_codes_page,
    "http-api": http_api_page,
    "settings": settings_page,
}

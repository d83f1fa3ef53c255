"""Reading the data files beside this module."""

import csv
from importlib.resources import files
from typing import Any

import yaml


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file with `;` between columns; lines that begin with `#` are comments."""
    lines = _text(name).splitlines()
    return list(csv.DictReader((line for line in lines if line and not line.startswith("#")), delimiter=";"))


def document(name: str) -> Any:
    """The content of a YAML file."""
    return yaml.safe_load(_text(name))


def listed(cell: str) -> tuple[str, ...]:
    """The values of a cell that holds several: `União Brasil | UNIAO`."""
    return tuple(value for part in cell.split("|") if (value := part.strip()))


def _text(name: str) -> str:
    return (files("iris_assets.words") / "data" / name).read_text(encoding="utf-8")

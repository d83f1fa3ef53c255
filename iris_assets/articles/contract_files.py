"""The generated JSON Schemas of the contracts, kept beside the models; run this module to renew them."""

import json
from pathlib import Path
from typing import Final

from iris_assets.articles.contracts import CONTRACTS, json_schema

FOLDER: Final = Path(__file__).parent / "schemas"


def generated() -> dict[str, str]:
    """File name → text of every contract's schema."""
    return {f"{name}.json": json.dumps(json_schema(name), indent=1, sort_keys=True) + "\n" for name in CONTRACTS}


def write() -> None:
    """Bring the files up to date."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in generated().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write()

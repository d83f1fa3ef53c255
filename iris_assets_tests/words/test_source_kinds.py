"""Every table that binds modules to a kind of source knows every kind, and no other."""

import re
from pathlib import Path

import iris_assets.web
from iris_assets.ingest.source_loaders import LOADERS
from iris_assets.retrieval.records import FACTS
from iris_assets.store.tables.retirement import RETIREMENTS
from iris_assets.web.schemas import FiltersRequest
from iris_assets.words.source_kinds import OFFICIAL_TYPES, SOURCE_KINDS, SOURCE_TYPES

ROOT = Path(iris_assets.web.__file__).parents[1]


def test_each_table_has_each_kind() -> None:
    for table in (LOADERS, RETIREMENTS, FACTS):
        assert set(table) == set(SOURCE_TYPES)


def test_the_page_and_the_api_name_the_same_kinds() -> None:
    script = (ROOT / "web" / "static" / "dom.js").read_text("utf-8")
    assert all(f'{kind.name}: "{kind.label}"' in script for kind in SOURCE_KINDS)
    items = FiltersRequest.model_json_schema()["properties"]["source_types"]["items"]
    assert items["enum"] == list(SOURCE_TYPES)


def test_news_are_the_only_source_that_is_not_official() -> None:
    assert set(SOURCE_TYPES) - set(OFFICIAL_TYPES) == {"NEWS_ARTICLE"}


def test_no_other_module_spells_a_kind() -> None:
    literal = re.compile(rf'"(?:{"|".join(SOURCE_TYPES)})"')
    found = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if literal.search(path.read_text("utf-8")) and path.parent.name not in ("words", "versions")
    }
    assert found <= {"question/intents.py"}  # until the question room asks `words` for its aliases

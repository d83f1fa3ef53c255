"""A context for another election than that of the settings: its own data set and caches, the same store and reports."""

from pathlib import Path
from typing import cast

from iris_assets.ingest.context import IngestContext
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store


def test_another_election_has_its_own_data_set_and_caches_and_the_same_reports(tmp_path: Path) -> None:
    settings = load_settings({}, iris_assets_data=tmp_path, ingest_election_year=2026, tse_dataset_id="candidatos-x")
    context = IngestContext(cast(Store, None), settings, cast(HttpClient, None))
    assert context.of_election(None) is context and context.of_election(2026) is context
    other = context.of_election(2018)
    assert (other.settings.ingest_election_year, other.settings.dataset_id) == (2018, "candidatos-2018")
    assert other is context.of_election(2018) and other.caches is not context.caches
    assert other.reports is context.reports and context.settings.dataset_id == "candidatos-x"

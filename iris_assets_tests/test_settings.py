"""Settings: defaults, what is refused and how the refusal reads."""

from datetime import date
from pathlib import Path

import pytest

from iris_assets.errors import ConfigurationError
from iris_assets.settings import load_settings, read_environment
from iris_assets.ufs import PARTITIONS


def test_the_defaults_are_those_of_the_specification() -> None:
    settings = load_settings({})
    assert settings.dataset_id == "candidatos-2026"
    assert settings.ingest_states == ("SP", "BR")
    assert settings.ingest_offices == ("DEPUTADO FEDERAL", "GOVERNADOR", "PRESIDENTE")
    assert (settings.chunk_size_tokens, settings.chunk_overlap_tokens) == (700, 100)
    assert settings.store_url.startswith("sqlite:///")


def test_the_year_selects_the_dataset_unless_the_dataset_is_given() -> None:
    assert load_settings({"INGEST_ELECTION_YEAR": "2022"}).dataset_id == "candidatos-2022"
    assert load_settings({"INGEST_ELECTION_YEAR": "2022", "TSE_DATASET_ID": "outro-2022"}).dataset_id == "outro-2022"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CAMARA_PAGE_SIZE", "0"),
        ("CAMARA_PAGE_SIZE", "101"),
        ("CAMARA_HTTP_WORKERS", "17"),
        ("CAMARA_LOOKBACK_YEARS", "21"),
        ("CAMARA_SOURCE", "ftp"),
        ("INGEST_ELECTION_YEAR", "2000"),
        ("LLM_MAX_OUTPUT_TOKENS", "255"),
        ("EMBEDDING_BATCH_SIZE", "2049"),
        ("AS_OF", "ontem"),
        ("TSE_CKAN_BASE_URL", "http://dadosabertos.tse.jus.br/api/3/action"),
        ("CAMARA_BASE_URL", "https://dadosabertos.camara.leg.br.example.org/api/v2"),
        ("FUSION_WEIGHTS", "1;1"),
        ("INGEST_STATES", "SP,XX"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(variable: str, value: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load_settings({variable: value})
    assert refused.value.code == "SETTING_INVALID"
    assert variable in str(refused.value)


def test_overlap_must_be_less_than_the_chunk() -> None:
    with pytest.raises(ConfigurationError, match="CHUNK_OVERLAP_TOKENS"):
        load_settings({"CHUNK_SIZE_TOKENS": "100", "CHUNK_OVERLAP_TOKENS": "100"})


def test_iris_variables_spell_a_url_and_secrets_are_quoted_and_hidden() -> None:
    settings = load_settings({"IRIS_HOST": "db", "IRIS_USERNAME": "u", "IRIS_PASSWORD": "p@:/w"})
    assert settings.store_url == "iris://u:p%40%3A%2Fw@db:1972/IRISAPP"
    assert "p@:/w" not in repr(settings)


def test_as_of_fixes_the_reference_date() -> None:
    assert load_settings({"AS_OF": "2023-03-01"}).reference_date == date(2023, 3, 1)


def test_there_are_28_partitions_and_they_never_change() -> None:
    assert PARTITIONS == (
        "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI", "PR",
        "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO", "BR",
    )  # fmt: skip


def test_a_variable_of_the_file_is_heard_the_process_wins_and_an_empty_one_is_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "ALERT_EMAIL_TO=ops@example.org\nALERT_SMTP_HOST=\nLANGFUSE_HOST=of-the-file\nOCR=off\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGFUSE_HOST", "of-the-process")
    monkeypatch.setenv("GROQ_API_KEY", " ")
    for name in ("ALERT_EMAIL_TO", "ALERT_SMTP_HOST", "OCR"):
        monkeypatch.delenv(name, raising=False)
    found = read_environment()
    assert (found["ALERT_EMAIL_TO"], found["LANGFUSE_HOST"]) == ("ops@example.org", "of-the-process")
    assert not {"ALERT_SMTP_HOST", "GROQ_API_KEY"} & found.keys()
    assert load_settings().ocr == "off"


def test_the_elections_are_every_two_years_and_the_one_collected_is_among_them() -> None:
    assert load_settings({}).election_years == [2014, 2016, 2018, 2020, 2022, 2024, 2026]
    chosen = load_settings({}, first_election_year=2018, last_election_year=2020, ingest_election_year=2010)
    assert chosen.election_years == [2010, 2018, 2020]

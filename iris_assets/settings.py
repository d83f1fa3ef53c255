"""Environment variables and `.env` turned into one validated, frozen `Settings`."""

import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote, urlsplit

from dotenv import dotenv_values
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError, model_validator

from iris_assets.errors import ConfigurationError
from iris_assets.ufs import PARTITIONS

TSE_CATALOGUE_HOST = "dadosabertos.tse.jus.br"
TSE_FILES_HOST = "cdn.tse.jus.br"
CAMARA_HOST = "dadosabertos.camara.leg.br"
PROJECT_ROOT = Path(__file__).resolve().parent.parent


def _split_list(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip().upper() for part in value.split(",") if part.strip())
    return value


def _official(host: str) -> BeforeValidator:
    def check(value: object) -> object:
        parts = urlsplit(str(value))
        if parts.scheme != "https" or parts.netloc != host:
            raise ValueError(f"must be https and exactly the host {host}")
        return str(value).rstrip("/")

    return BeforeValidator(check)


StringList = Annotated[tuple[str, ...], BeforeValidator(_split_list)]


class Settings(BaseModel):
    """All settings of the platform; a field's name in upper case is its environment variable."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    iris_assets_data: Path = PROJECT_ROOT / "data"
    iris_assets_replay: Path | None = None  # a replay folder that the simulator serves instead of the official hosts
    database_url: SecretStr | None = None
    iris_host: str | None = Field(None, pattern=r"^[A-Za-z0-9._:-]+$")  # a name, or an address of IPv4 or IPv6
    iris_port: int = Field(1972, ge=1, le=65535)
    iris_namespace: str = "IRISAPP"
    iris_username: str | None = None
    iris_password: SecretStr | None = None
    iris_sql_schema: str = Field("IRISPolitical_Model", pattern=r"^[A-Za-z][A-Za-z0-9_]*$")
    postgres_host: str | None = Field(None, pattern=r"^[A-Za-z0-9._:-]+$")
    postgres_port: int = Field(5432, ge=1, le=65535)
    postgres_db: str = "iris_assets"
    postgres_user: str | None = None
    postgres_password: SecretStr | None = None
    # Which of the stores described beside it is used; auto: the server that has a host, else the file.
    store: Literal["auto", "sqlite", "iris", "postgres"] = "auto"

    tse_ckan_base_url: Annotated[str, _official(TSE_CATALOGUE_HOST)] = "https://dadosabertos.tse.jus.br/api/3/action"
    tse_dataset_id: str = Field("", pattern=r"^([a-z0-9-]+)?$")
    camara_base_url: Annotated[str, _official(CAMARA_HOST)] = "https://dadosabertos.camara.leg.br/api/v2"
    camara_source: Literal["api", "bulk", "auto"] = "auto"
    camara_page_size: int = Field(100, ge=1, le=100)
    camara_lookback_years: int = Field(4, ge=1, le=20)
    camara_max_matched_candidates: int = Field(50, ge=0)
    camara_max_propositions_per_candidate: int = Field(50, ge=0)
    camara_max_authors_per_proposition: int = Field(10, ge=1, le=1000)
    camara_http_workers: int = Field(6, ge=1, le=16)

    ingest_election_year: int = Field(2026, gt=2000, le=2100)
    first_election_year: int = Field(2014, ge=2002, le=2100)  # the elections that Dagster plans, every two years
    last_election_year: int = Field(2026, ge=2002, le=2100)
    as_of: date | None = None
    ingest_states: StringList = ("SP", "BR")
    ingest_offices: StringList = ("DEPUTADO FEDERAL", "GOVERNADOR", "PRESIDENTE")

    ocr: Literal["off", "auto"] = "auto"
    pdf_max_seconds: int = Field(60, ge=1, le=3600)
    pdf_max_memory_mb: int = Field(1536, ge=256, le=16384)
    pdf_workers: int = Field(2, ge=1, le=32)

    http_connect_timeout_seconds: float = Field(10, gt=0, le=600)
    http_read_timeout_seconds: float = Field(60, gt=0, le=3600)
    http_max_retries: int = Field(4, ge=1, le=20)
    ssl_cert_file: Path | None = None

    chunk_size_tokens: int = Field(700, ge=16, le=8000)
    chunk_overlap_tokens: int = Field(100, ge=0)
    embedding_model: str = "text-embedding-3-small"
    embedding_dimension: int = Field(1536, ge=1, le=8192)
    embedding_batch_size: int = Field(50, ge=1, le=2048)
    embedding_base_url: str | None = None
    embedding_api_key: SecretStr | None = None
    embedding_query_model: str | None = None

    llm_api_key: SecretStr | None = None
    llm_base_url: str | None = None
    llm_model: str = "gpt-5-mini"
    llm_max_output_tokens: int = Field(4000, ge=256, le=8000)
    llm_api: Literal["responses", "chat", "auto"] = "auto"
    llm_read: bool = False  # the model reads questions of which the trained reader is unsure
    llm_verify: bool = False  # the model reads doubted sentences beside their support once more

    context_window: int = Field(1, ge=0, le=5)
    fusion_weights: str = Field("convex 1:1", pattern=r"^(convex )?\d+(\.\d+)?:\d+(\.\d+)?$")
    generation_blackout: str = ""
    evaluation_questions: Path | None = None  # a question set of one's own; floors.json beside it
    automation: bool = False  # schedules and sensors run from the start; off, they wait for a click in the Dagster UI
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    answer_retention_days: int = Field(90, ge=1, le=36500)  # of answers that nobody opened again
    keep_plan_files: bool = True  # the PDFs of the plans, below the data folder, for the page's picture
    rate_limit_per_minute: int = Field(120, ge=1, le=10_000_000)  # API requests of one client address
    trusted_proxies: str = Field(
        "", pattern=r"^[0-9A-Fa-f.:/, ]*$"
    )  # addresses or networks whose forwarded headers count
    cors_origins: str = Field(
        "", pattern=r"^(\*|https?://[^\s,*]+(, *https?://[^\s,*]+)*)?$"
    )  # pages that may use the API

    @model_validator(mode="after")
    def _check_combinations(self) -> "Settings":
        if self.chunk_overlap_tokens >= self.chunk_size_tokens:
            raise ValueError("CHUNK_OVERLAP_TOKENS must be less than CHUNK_SIZE_TOKENS")
        unknown = [uf for uf in self.ingest_states if uf not in PARTITIONS]
        if unknown:
            raise ValueError(f"INGEST_STATES has unknown UFs: {', '.join(unknown)}; allowed: {', '.join(PARTITIONS)}")
        for name, host in (("iris", self.iris_host), ("postgres", self.postgres_host)):
            if self.store == name and not host and self.database_url is None:
                raise ValueError(f"STORE={name} needs {name.upper()}_HOST")
        return self

    @property
    def election_years(self) -> list[int]:
        """The elections that can be collected, municipal ones too, in their order; INGEST_ELECTION_YEAR is among them."""
        planned = range(self.first_election_year, self.last_election_year + 1, 2)
        return sorted({*planned, self.ingest_election_year})

    @property
    def cors_origin_list(self) -> list[str]:
        """The origins of CORS_ORIGINS."""
        return [origin.strip() for origin in self.cors_origins.split(",") if origin.strip()]

    @property
    def dataset_id(self) -> str:
        """CKAN dataset: TSE_DATASET_ID, else the one of the election year."""
        return self.tse_dataset_id or f"candidatos-{self.ingest_election_year}"

    @property
    def reference_date(self) -> date:
        """The date that look-back windows count from."""
        return self.as_of or date.today()

    @property
    def store_url(self) -> str:
        """SQLAlchemy URL of the store: DATABASE_URL, that of STORE, else IRIS_*, POSTGRES_* or the file of the data folder.

        May contain a password: never log it.
        """
        if self.database_url is not None:
            return self.completed_url(self.database_url.get_secret_value())
        if self.iris_host and self.store in {"auto", "iris"}:
            place = self.iris_host, self.iris_port, self.iris_namespace
            return self.completed_url(_server_url("iris", self.iris_username, self.iris_password, *place))
        if self.postgres_host and self.store in {"auto", "postgres"}:
            place = self.postgres_host, self.postgres_port, self.postgres_db
            return _server_url("postgresql+psycopg", self.postgres_user, self.postgres_password, *place)
        return sqlite_url(self.iris_assets_data / "iris_assets.sqlite3")

    def completed_url(self, url: str) -> str:
        """A store's URL with what variables say beside it: the SQL schema of an IRIS database, unless it is the default."""
        default = self.iris_sql_schema == type(self).model_fields["iris_sql_schema"].default
        return url if default or "?" in url or not url.startswith("iris") else f"{url}?schema={self.iris_sql_schema}"

    @property
    def fusion_weight_pair(self) -> tuple[float, float]:
        """(lexical, vector) weights of the fusion."""
        lexical, vector = self.fusion_weights.removeprefix("convex ").split(":")
        return float(lexical), float(vector)

    @property
    def fusion_is_convex(self) -> bool:
        """Whether scaled scores are mixed (`convex 1:1`) in place of reciprocal ranks (`1:1`)."""
        return self.fusion_weights.startswith("convex ")


def _server_url(scheme: str, user: str | None, password: SecretStr | None, host: str, port: int, database: str) -> str:
    secret = password.get_secret_value() if password else ""
    names = tuple(quote(part, safe="") for part in (user or "", secret, database))
    place = f"[{host}]" if ":" in host else host
    return f"{scheme}://{names[0]}:{names[1]}@{place}:{port}/{names[2]}"


def sqlite_url(path: Path) -> str:
    """The store's URL of a file; what a URL would read as something else (`?`, `%`) is escaped, the rest stays readable."""
    return f"sqlite:///{str(path).replace('%', '%25').replace('?', '%3F')}"


def read_environment() -> dict[str, str]:
    """Variables of `.env` in the working directory, then those of the process; an empty value counts as unset."""
    values = {**dotenv_values(".env"), **os.environ}
    return {name: value for name, value in values.items() if value is not None and value.strip()}


def load_settings(environment: Mapping[str, str] | None = None, /, **overrides: Any) -> Settings:
    """Settings from `.env` in the working directory, the environment and then `overrides` (the last wins).

    Raises ConfigurationError SETTING_INVALID naming the variable and what is allowed. Empty values count as unset.
    """
    if environment is None:
        environment = read_environment()
    values: dict[str, Any] = {
        name: environment[name.upper()] for name in Settings.model_fields if environment.get(name.upper(), "").strip()
    }
    values.update({name: value for name, value in overrides.items() if value is not None})
    try:
        return Settings(**values)
    except ValidationError as error:
        problems = "; ".join(_explain(item) for item in error.errors(include_input=False, include_url=False))
        raise ConfigurationError("SETTING_INVALID", problems, hint="correct the variable and start again") from None


def _explain(item: Any) -> str:
    variable = str(item["loc"][0]).upper() if item["loc"] else ""
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"{variable}: {message}" if variable else message

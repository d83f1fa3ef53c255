"""Local validation in its fixed order, and the fingerprint; nothing here opens the network."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from iris_assets.articles.configuration import RuntimeConfig
from iris_assets.articles.contracts import NO_ARTICLE, VERSIONS, Article, Extraction, Profile
from iris_assets.articles.prompts import NAMES, load
from iris_assets.articles.text import one_line
from iris_assets.errors import UsageError

LARGEST_BYTES = 32 * 1024 * 1024
Contract = TypeVar("Contract", bound=BaseModel)


def _invalid(code: str, message: str) -> NoReturn:
    raise UsageError(code, message, hint="correct the input and run again")


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises UsageError INPUT_UNREADABLE, INPUT_TOO_LARGE."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        _invalid("INPUT_UNREADABLE", f"{path.name} cannot be read ({type(error).__name__})")
    if len(data) > LARGEST_BYTES:
        _invalid("INPUT_TOO_LARGE", f"{path.name} is larger than {LARGEST_BYTES} bytes")
    return data


def read_json(path: Path) -> Any:
    """The JSON value of a file. Raises UsageError INPUT_UNREADABLE, INPUT_TOO_LARGE, INPUT_NOT_JSON."""
    try:
        return json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        _invalid("INPUT_NOT_JSON", f"{path.name} is not JSON")


def _typed(kind: type[Contract], value: Any, code: str) -> Contract:
    try:
        return kind.model_validate_json(json.dumps(value))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        _invalid(code, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")


def validate(article_value: Any, profile_value: Any, config: RuntimeConfig) -> tuple[Article, Profile]:
    """The typed inputs: article schema, profile schema, selected extractor, URL, title and minimum text, in order.

    Raises UsageError ARTICLE_INVALID, PROFILE_INVALID, EXTRACTOR_UNKNOWN, PAGE_NOT_ARTICLE, URL_INVALID, TITLE_MISSING, TEXT_TOO_SHORT.
    """
    article = _typed(Article, article_value, "ARTICLE_INVALID")
    profile = _typed(Profile, profile_value, "PROFILE_INVALID")
    if article.selected_extractor not in article.extractions:
        _invalid("EXTRACTOR_UNKNOWN", "selected_extractor is not among the extractions")
    if article.page_kind in NO_ARTICLE:
        _invalid("PAGE_NOT_ARTICLE", f"the page is a {article.page_kind}, not an article")
    if not _is_web(article.url):
        _invalid("URL_INVALID", "the article's url is not an http(s) address")
    if not any(one_line(extraction.title or "") for extraction in article.extractions.values()):
        _invalid("TITLE_MISSING", "no extraction has a title")
    if len(one_line(_raw(article.extractions[article.selected_extractor]))) < config.thresholds.minimum_characters:
        _invalid("TEXT_TOO_SHORT", "the selected extraction has too little text")
    return article, profile


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _raw(extraction: Extraction) -> str:
    return extraction.text or extraction.markdown or extraction.html or ""


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Identity:
    """The fingerprint of one piece of work and what it was made of."""

    fingerprint: str
    extraction_hashes: dict[str, str]
    versions: dict[str, str]


def identify(article: Article, profile: Profile, config: RuntimeConfig) -> Identity:
    """Times, trace ids, secrets and operational settings stay out; the profile counts by its content too."""
    hashes = {name: digest(item.model_dump(mode="json")) for name, item in sorted(article.extractions.items())}
    assert config.roles is not None
    models = {f"model.{name}": role.model for name, role in sorted(config.roles.roles.items())}
    versions = {
        **{f"contract.{name}": version for name, version in VERSIONS.items()}, "configuration": config.version,
        "roles": config.roles.version, **models, **{f"prompt.{name}": load(name).stamp for name in NAMES},
    }  # fmt: skip
    parts = {
        "article": [article.article_id, article.url],
        "extractions": hashes,
        "selected": article.selected_extractor,
        "page": [article.page_kind, article.partial_reason],
        "profile": [profile.profile_id, profile.version, digest(profile.model_dump(mode="json"))],
        "thresholds": config.thresholds.model_dump(),
        "versions": versions,
    }
    return Identity(digest(parts), hashes, versions)

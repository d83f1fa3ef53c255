"""What `iris-assets doctor` looks at: each check says what it found and what to do."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from iris_assets.errors import ConfigurationError, IrisAssetsError
from iris_assets.settings import Settings

LEAKS_SHOWN = 20
SHORT_REPLY, TRIED_FOR = 256, 20.0  # tokens and seconds of the one call by which a model is tried
Level = Literal["ok", "note", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the diagnosis."""

    level: Level
    subject: str
    text: str

    def line(self) -> str:
        return f"[{self.level}] {self.subject}: {self.text}"

    def as_json(self) -> dict[str, str]:
        return asdict(self)


def diagnose(settings: Settings) -> list[Finding]:
    """Every check, in order; a check that cannot run is itself a finding."""
    findings: list[Finding] = []
    for check in (*(_DATA if _has_store(settings) else (_store,)), *_ENVIRONMENT):
        try:
            findings.extend(check(settings))
        except IrisAssetsError as error:
            findings.append(Finding("error", check.__name__.strip("_"), str(error)))
        except OSError as error:
            findings.append(Finding("error", check.__name__.strip("_"), f"{type(error).__name__}: {error.strerror}"))
    return findings


def _has_store(settings: Settings) -> bool:
    """Whether there is anything to look at: a folder without a store may be a mistyped one, and is left as it is."""
    from iris_assets.store import require_store

    try:
        require_store(settings.store_url)
    except ConfigurationError:
        return False
    return True


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.iris_assets_data
    if not folder.is_dir():  # the store is a server
        yield Finding("note", "data folder", f"{folder} is not there yet; iris-assets run makes it")
        return
    free = shutil.disk_usage(folder).free / 2**30
    yield Finding("ok" if free > 2 else "note", "data folder", f"{folder}, {free:.1f} GiB free")


def _index(settings: Settings) -> Iterator[Finding]:
    """The text index, before the store is opened, which looks less closely; one that does not hold is written anew."""
    from iris_assets.store import admin

    health = admin.mend_index(settings.store_url)
    if health is not None:
        mended = "" if health.ok else "; it was written anew"
        yield Finding("ok" if health.ok else "note", "lexical index", f"{health.text}{mended}")


def _store(settings: Settings) -> Iterator[Finding]:
    from iris_assets.commands.asking import existing_platform

    with existing_platform(settings) as platform:
        store = platform.store
        tables = store.statistics()["tables"]
        held = f"{store.url_safe}; {tables['candidate']} candidates, {tables['political_chunk']} chunks"
        empty = not tables["candidate"]
        yield Finding("note" if empty else "ok", "store", held + ("; run iris-assets run" if empty else ""))
        store.check_integrity()
        yield Finding("ok", "integrity", "the file is sound")
        pending = store.chunks.pending_count(settings.embedding_model, settings.embedding_dimension)
        text = f"{pending} chunks without a vector of {settings.embedding_model}"
        yield Finding("note" if pending else "ok", "vectors", text + ("; run iris-assets run" if pending else ""))


def _personal(settings: Settings) -> Iterator[Finding]:
    from iris_assets.commands.privacy import OPEN_TO_OTHERS, places, scan

    found = scan(places(settings.iris_assets_data))
    leaks = [leak for leak in found if leak.what != OPEN_TO_OTHERS]
    if opened := [leak.path for leak in found if leak.what == OPEN_TO_OTHERS]:
        for path in opened:
            path.chmod(0o600)
        yield Finding("note", "personal data", f"{len(opened)} published files could be read by others; now 0600")
    for leak in leaks[:LEAKS_SHOWN]:
        told = f"{leak.path}: {leak.what} ({leak.finds})"
        yield Finding("error", "personal data", f"{told}; delete the file, or run the stage with --full-refresh")
    if not leaks:
        yield Finding(
            "ok", "personal data", "none found in the data folder and Dagster's home; published files are 0600"
        )


def _ocr(settings: Settings) -> Iterator[Finding]:
    from iris_assets.documents import ocr_available

    if settings.ocr == "off":
        yield Finding("note", "OCR", "off by OCR=off: pages without text stay without text")
    elif ocr_available():
        yield Finding("ok", "OCR", "Tesseract with Portuguese")
    else:
        yield Finding("note", "OCR", "Tesseract with Portuguese is not installed: make system")


def _tokens(settings: Settings) -> Iterator[Finding]:
    from iris_assets.indexing.tokenizer import encoding_of, token_cache, tokenizer

    encoding = encoding_of(settings.embedding_model)
    tokenizer(encoding, token_cache(settings.iris_assets_data)).count("um")
    yield Finding("ok", "tokenizer", f"{encoding}, offline")


def _models(settings: Settings) -> Iterator[Finding]:
    """The endpoints that are configured, each asked once: a key that is set may be wrong, spent or blocked."""
    from iris_assets.platform import Platform

    platform = Platform(settings)
    if chat := platform.chat:
        reply = chat.complete("Responda só: sim", "sim?", max_output_tokens=SHORT_REPLY, budget=TRIED_FOR)
        answers = "it answers" if reply.problem in (None, "LLM_TRUNCATED") else f"it answers with {reply.problem}"
        yield Finding("ok", "answers", f"model {settings.llm_model}; {answers}")
    else:
        yield Finding("note", "answers", "no LLM_API_KEY: answers are deterministic extracts")


def _embeddings(settings: Settings) -> Iterator[Finding]:
    from iris_assets.platform import Platform

    if embedder := Platform(settings).embedder:
        embedder.embed_query("saúde")
        yield Finding(
            "ok", "embeddings", f"{settings.embedding_model}, {settings.embedding_dimension} dimensions; it answers"
        )
    else:
        yield Finding("note", "embeddings", "no key and no EMBEDDING_BASE_URL: search is by words only")


def _news(_settings: Settings) -> Iterator[Finding]:
    from iris_assets.extras import NEWS, absent

    if absent(NEWS):
        yield Finding("note", "news", "not installed: pip install 'iris-assets[news]', or make install")
    else:
        yield Finding("ok", "news", "the libraries that read pages are installed")


Check = Callable[[Settings], Iterator[Finding]]
_DATA: tuple[Check, ...] = (_folder, _index, _store, _personal, _tokens)
_ENVIRONMENT: tuple[Check, ...] = (_ocr, _models, _embeddings, _news)

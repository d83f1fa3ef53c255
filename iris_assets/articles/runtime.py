"""The state machine of one article: every step is persisted, a rerun goes on from the last safe state."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TextIO

from iris_assets.articles import steps
from iris_assets.articles.asking import Asker
from iris_assets.articles.blocks import BlockMap, map_blocks
from iris_assets.articles.configuration import RuntimeConfig, certified
from iris_assets.articles.contracts import Article, Manifest, Profile
from iris_assets.articles.defects import flagged
from iris_assets.articles.dom import absolute
from iris_assets.articles.pair import pair_is_whole, write_pair
from iris_assets.articles.prompts import load
from iris_assets.articles.state import FINAL, StateStore, now
from iris_assets.articles.telemetry import Telemetry, flush
from iris_assets.articles.validation import Identity, identify, validate
from iris_assets.errors import ConfigurationError, IrisAssetsError, ModelError, StoreError
from iris_assets.llm.roles import RoleGateway
from iris_assets.settings import read_environment

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call returns: the manifest, the Markdown of an approved article, and whether it was known before."""

    manifest: Manifest
    markdown: str | None
    body_text: str | None
    repeated: bool
    fetched_at: str = ""


@dataclass(slots=True)
class Run:
    """One article on its way."""

    article: Article
    profile: Profile
    config: RuntimeConfig
    identity: Identity
    state: StateStore
    asker: Asker
    telemetry: Telemetry
    payload: Payload = field(default_factory=dict)
    _blocks: BlockMap | None = None

    @property
    def blocks(self) -> BlockMap:
        if self._blocks is None:
            self._blocks = flagged(map_blocks(self.article))
        return self._blocks

    @contextmanager
    def step(self, name: str) -> Any:
        """Persist what the step decided, with the attempts made; a failure is noted and passed on."""
        started, began, before = time.monotonic(), now(), len(self.asker.attempts)
        try:
            with self.telemetry.span(name):
                reached: list[str] = []
                yield reached
        except ModelError as error:
            self._keep_attempts(before)
            self.state.fail(self.identity.fingerprint, error.code, self.payload, started, began)
            raise
        self._keep_attempts(before)
        self.state.advance(self.identity.fingerprint, reached[0], self.payload, started, began)
        self.telemetry.log("state", state=reached[0], duration=round(time.monotonic() - started, 6))

    def _keep_attempts(self, before: int) -> None:
        new = [attempt.model_dump() for attempt in self.asker.attempts[before:]]
        self.payload["attempts"] = [*self.payload.get("attempts", []), *new]
        for facts in new:
            self.telemetry.generation(facts, load(facts["step"]).stamp)


def run_article(
    article_value: Any,
    profile_value: Any,
    *,
    out: Path,
    state_path: Path,
    config: RuntimeConfig,
    environment: Mapping[str, str] | None = None,
    stream: TextIO | None = None,
    send: bool = True,
) -> Outcome:
    """One article, whole: manifest and Markdown in `out`, the state in `state_path`.

    Safe to call from many processes at once; a finished fingerprint costs no model call. A failure of a step gives
    a manifest with status `failed`. With `send` off the telemetry is only kept: who has many articles sends once.
    Raises UsageError for invalid input, ConfigurationError for its models, StoreError when nothing can be kept.
    """
    environment = read_environment() if environment is None else environment
    article, profile = validate(article_value, profile_value, config)
    config = certified(config, environment)
    require_keys(config, environment)
    identity = identify(article, profile, config)
    assert config.roles is not None
    operation = config.operation
    gateway = RoleGateway(config.roles, environment=environment, attempts=operation.attempts, pause=operation.pause)
    trace = sha256(article.article_id.encode()).hexdigest()[:32]
    telemetry = Telemetry(trace, stream, fingerprint=identity.fingerprint)
    with closing(StateStore(state_path, operation.busy_timeout_seconds)) as state:
        run = Run(article, profile, config, identity, state, Asker(gateway, operation), telemetry)
        try:
            with state.exclusive(identity.fingerprint):
                outcome = _resumed(run, out)
        except IrisAssetsError as error:
            telemetry.log("failed", level="ERROR", state="failed", error_code=error.code)
            telemetry.finish("failed", error.code)
            raise
        else:
            text = _told(outcome) if operation.telemetry_text else None
            telemetry.finish(outcome.manifest.status, outcome.manifest.error_code, text)
        finally:
            # What cannot be kept must neither hide what went wrong nor spoil what is finished.
            with suppress(StoreError):
                flush(telemetry, state, environment, operation.flush_seconds if send else 0.0)
    return outcome


def require_keys(config: RuntimeConfig, environment: Mapping[str, str] | None = None) -> None:
    """Raises ConfigurationError ROLE_KEY_MISSING when no role can be asked: better told before anything is stored."""
    assert config.roles is not None
    found = read_environment() if environment is None else environment
    missing = [role.key_variable for role in config.roles.roles.values() if role.key_variable]
    if all(role.key_variable for role in config.roles.roles.values()) and not any(
        found.get(name, "").strip() for name in missing
    ):
        raise ConfigurationError(
            "ROLE_KEY_MISSING", "no model of the article runtime has a key", hint=f"set {' or '.join(missing)}"
        )


def _told(outcome: Outcome) -> Payload:
    """The little text that telemetry may hold when the configuration says so."""
    relevance = outcome.manifest.relevance
    return {"input": outcome.manifest.title, "output": relevance.rationale if relevance else None}


def _resumed(run: Run, out: Path) -> Outcome:
    known = run.state.get(run.identity.fingerprint)
    if known is not None:
        run.payload = known[1]
    if known is not None and known[0] in FINAL:
        return _finished(run, out, repeated=True)
    try:
        _advance(run, known[0] if known else None)
    except ModelError as error:
        run.telemetry.log("failed", level="ERROR", state="failed", error_code=error.code)
        manifest = _manifest(run, "failed", error.code)
        write_pair(out, run.identity.fingerprint, manifest.model_dump_json(indent=1), None)
        return Outcome(manifest, None, None, repeated=False, fetched_at=run.article.fetched_at)
    return _complete(run, out)


def _advance(run: Run, reached: str | None) -> None:
    """Every step that is still to do, in the one order there is."""
    position = ORDER.index(reached) + 1 if reached else 0
    if reached == "content_cleaned" and steps.cleaned_without_a_model(run.payload):
        run.payload |= steps.clean(run.blocks, run.config.thresholds, run.asker)
    for name, work in STEPS[position:]:
        with run.step(name) as outcome:
            outcome.append(work(run))
        if outcome[0] == "ecp_rejected":
            return


def _received(run: Run) -> str:
    run.payload = {"article_id": run.article.article_id}
    return "received"


def _validated(run: Run) -> str:
    """Validation ended before the fingerprint existed; its end is kept here, with what is known before any call."""
    url = run.article.url
    run.payload |= {"url": absolute(url, url) or url, "published_at": steps.published_at(run.article)}
    return "validated"


def _cleaned(run: Run) -> str:
    run.payload |= steps.clean(run.blocks, run.config.thresholds, run.asker)
    return "content_cleaned"


def _gated(run: Run) -> str:
    found = steps.gate(run.profile, run.payload, run.asker)
    run.payload |= found
    return "ecp_approved" if found["approved"] else "ecp_rejected"


def _enriched(run: Run) -> str:
    run.payload |= steps.enrich(run.article, run.profile, run.payload, run.asker)
    return "enriched"


STEPS: Final[tuple[tuple[str, Callable[[Run], str]], ...]] = (
    ("receive", _received),
    ("validate", _validated),
    ("hygiene", _cleaned),
    ("gate", _gated),
    ("enrichment", _enriched),
)
ORDER: Final = ("received", "validated", "content_cleaned", "ecp_approved", "enriched")


def _complete(run: Run, out: Path) -> Outcome:
    """The files first, then the last state: a kill in between only writes the same files again."""
    started, began = time.monotonic(), now()
    if run.payload["approved"]:
        manifest = _manifest(run, "completed_text", None)
        write_pair(out, run.identity.fingerprint, manifest.model_dump_json(indent=1), run.payload["markdown"])
        run.payload["manifest"] = manifest.model_dump(mode="json")
        run.state.advance(run.identity.fingerprint, "completed_text", run.payload, started, began)
        run.telemetry.log("state", state="completed_text", duration=round(time.monotonic() - started, 6))
    return _finished(run, out, repeated=False)


def _finished(run: Run, out: Path, *, repeated: bool) -> Outcome:
    """The result of a final state; its files are written again when the folder lacks them."""
    approved = bool(run.payload["approved"])
    kept = run.payload.get("manifest")
    manifest = Manifest.model_validate(kept) if kept else _manifest(run, "ecp_rejected", None)
    markdown = run.payload["markdown"] if approved else None
    if not pair_is_whole(out, run.identity.fingerprint, markdown):
        write_pair(out, run.identity.fingerprint, manifest.model_dump_json(indent=1), markdown)
    body = run.payload["body_text"] if approved else None
    return Outcome(manifest, markdown, body, repeated, run.article.fetched_at)


def _manifest(run: Run, status: str, code: str | None) -> Manifest:
    payload, article, identity = run.payload, run.article, run.identity
    attempts = payload.get("attempts", [])
    costs = [attempt["cost"] for attempt in attempts]
    markdown = payload.get("markdown") if status == "completed_text" else None
    names = ("title", "subtitle", "author", "published_at", "kept", "removed", "restored", "repairs_applied", "repairs_dropped",
             "relevance", "guard", "enrichment", "decisions")  # fmt: skip
    return Manifest.model_validate(
        {
            "fingerprint": identity.fingerprint, "article_id": article.article_id,
            "url": payload["url"],
            "profile_id": run.profile.profile_id, "profile_version": run.profile.version,
            "status": status, "error_code": code, "language": article.language,
            "selected_extractor": article.selected_extractor, "low_agreement": article.low_agreement,
            "body_status": "PARTIAL_BODY" if article.partial_reason else "WHOLE_BODY",
            "partial_reason": article.partial_reason,
            "degraded": [name for name, item in article.extractions.items()
                         if not (item.text or item.html or item.markdown)],
            **{name: payload[name] for name in names if name in payload},
            "attempts": attempts, "states": run.state.transitions(identity.fingerprint),
            "extraction_hashes": identity.extraction_hashes, "versions": identity.versions,
            "markdown_sha256": sha256(markdown.encode()).hexdigest() if markdown else None,
            "input_tokens": sum(item["input_tokens"] for item in attempts),
            "output_tokens": sum(item["output_tokens"] for item in attempts),
            "cost": None if None in costs else sum(costs),
            "latency": round(sum(item["latency"] for item in attempts), 6),
        }
    )  # fmt: skip


def exit_code(outcome: Outcome) -> int:
    """0 completed, 3 rejected by the gate, 4 failed."""
    return {"completed_text": 0, "ecp_rejected": 3}.get(outcome.manifest.status, 4)

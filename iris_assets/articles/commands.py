"""What the command line calls: plain functions that return (exit code, JSON result).

Those that read pages need the extra `news` and raise ConfigurationError NEWS_NOT_INSTALLED without it.
"""

from contextlib import closing
from pathlib import Path
from typing import Any, Final, TextIO

from iris_assets.articles.configuration import read_config
from iris_assets.articles.profile import build_profile
from iris_assets.articles.state import StateStore
from iris_assets.articles.telemetry import resend
from iris_assets.articles.validation import read_bytes, read_json
from iris_assets.errors import ConfigurationError, IrisAssetsError, UsageError
from iris_assets.extras import require_news
from iris_assets.settings import read_environment
from iris_assets.store import Store

COMPLETED: Final = 0
USAGE: Final = 2
FAILED: Final = 4
STATE_FILE: Final = "articles.sqlite3"

Result = tuple[int, dict[str, Any]]


def _error(code: int, error: IrisAssetsError) -> Result:
    return code, {"status": "failed", "error_code": error.code, "message": error.message, "hint": error.hint}


def article_command(
    article: Path,
    profile: Path,
    out: Path,
    state: Path | None = None,
    config: Path | None = None,
    stream: TextIO | None = None,
) -> Result:
    """`iris-assets article`: exit 0 completed, 3 rejected by the gate, 4 failed with a code, 2 wrong usage.

    The result is the manifest with the names of its files; logs are JSON lines on `stream` (default stderr).
    """
    require_news()
    from iris_assets.articles.runtime import exit_code, run_article

    try:
        article_value, profile_value = read_json(article), read_json(profile)
        outcome = run_article(
            article_value, profile_value, out=out, state_path=state or out / STATE_FILE, config=read_config(config),
            environment=read_environment(), stream=stream,
        )  # fmt: skip
    except IrisAssetsError as error:
        return _error(USAGE if error.code == "INPUT_UNREADABLE" else FAILED, error)
    fingerprint = outcome.manifest.fingerprint
    files = {
        "manifest_file": f"{fingerprint}.result.json",
        "markdown_file": f"{fingerprint}.md" if outcome.markdown is not None else None,
    }
    return exit_code(outcome), {**outcome.manifest.model_dump(mode="json"), **files, "repeated": outcome.repeated}


def extract_command(page: str, url: str | None = None, *, private: bool = False) -> Result:
    """`iris-assets extract PAGE.html|URL [--url U]`: the article object of a saved page, or of one on the web.

    `private` allows hosts of the private network. Raises UsageError INPUT_UNREADABLE, INPUT_TOO_LARGE, URL_MISSING,
    and the errors of `fetch`.
    """
    require_news()
    from iris_assets.articles.fetching import fetch
    from iris_assets.articles.pages import decoded

    if page.lower().startswith(("http://", "https://")):
        found = fetch(page, private=private)
        return COMPLETED, _article(decoded(found.data, found.content_type), url or found.url)
    if not url:
        raise UsageError("URL_MISSING", "a saved page does not tell its address", hint="give --url")
    return COMPLETED, _article(decoded(read_bytes(Path(page))), url)


def _article(html: str, url: str) -> dict[str, Any]:
    from iris_assets.articles.extraction import make_article

    return make_article(html, url).model_dump(mode="json")


def profile_command(store: Store, tse_id: str) -> Result:
    """`iris-assets profile TSE_ID`. Raises NotFoundError CANDIDATE_NOT_FOUND."""
    return COMPLETED, build_profile(store, tse_id).model_dump(mode="json")


def withdraw_command(store: Store, url: str, reason: str = "", *, undo: bool = False) -> Result:
    """`iris-assets news withdraw URL`: the page's versions afterwards. Raises NotFoundError ARTICLE_NOT_FOUND."""
    require_news()
    from iris_assets.articles.withdrawing import restore, withdraw

    return COMPLETED, {"versions": restore(store, url) if undo else withdraw(store, url, reason)}


def versions_command(store: Store, url: str) -> Result:
    """`iris-assets news versions URL`. Raises NotFoundError ARTICLE_NOT_FOUND."""
    require_news()
    from iris_assets.articles.withdrawing import versions_of

    return COMPLETED, {"versions": versions_of(store, url)}


def resend_command(state: Path) -> Result:
    """`iris-assets telemetry resend`: {"sent", "pending"}; exit 4 while events are left.

    Raises UsageError STATE_FILE_MISSING, ConfigurationError LANGFUSE_HOST_MISSING.
    """
    if not state.is_file():
        raise UsageError("STATE_FILE_MISSING", f"no state file {state.name}", hint="give --state")
    environment = read_environment()
    if not environment.get("LANGFUSE_HOST"):
        raise ConfigurationError("LANGFUSE_HOST_MISSING", "nowhere to send to", hint="set LANGFUSE_HOST and its keys")
    with closing(StateStore(state)) as opened:
        result = resend(opened, environment)
    return (FAILED if result["pending"] else COMPLETED), dict(result)


def evaluate_command(folder: Path) -> Result:
    """`iris-assets evaluate --articles DIR`. Raises UsageError EVALUATION_FOLDER_INVALID."""
    require_news()
    from iris_assets.articles.evaluation import evaluate_folder

    return COMPLETED, evaluate_folder(folder)

"""The files of one result: written beside their place, flushed, verified, then renamed; the manifest comes last."""

from pathlib import Path

from iris_assets.errors import StoreError
from iris_assets.files import sync_folder, write_aside


def write_pair(folder: Path, fingerprint: str, manifest: str, markdown: str | None) -> None:
    """`<fingerprint>.md` (when given) and `<fingerprint>.result.json`; a reader that sees the manifest sees both.

    Raises StoreError OUTPUT_NOT_WRITTEN.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        jobs = [(folder / f"{fingerprint}.md", markdown)] if markdown is not None else []
        jobs.append((folder / f"{fingerprint}.result.json", manifest))
        # One fixed name per result: what a killed process left is overwritten by the next one.
        written = [(write_aside(path, text.encode(), path.with_name(f".{path.name}.tmp")), path) for path, text in jobs]
        for temporary, path in written:
            temporary.replace(path)
        sync_folder(folder)
    except OSError as error:
        raise StoreError(
            "OUTPUT_NOT_WRITTEN", f"the result cannot be written ({type(error).__name__})", hint="check the folder"
        ) from error


def pair_is_whole(folder: Path, fingerprint: str, markdown: str | None) -> bool:
    """Whether the result stands in the folder exactly as decided."""
    page = folder / f"{fingerprint}.md"
    try:
        text = page.read_text("utf-8") if page.exists() else None
    except (OSError, UnicodeDecodeError):
        return False
    return (folder / f"{fingerprint}.result.json").is_file() and text == markdown

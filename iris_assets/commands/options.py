"""Options that many commands share, and the one place where errors become exit codes and JSON goes out."""

import errno
import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer

from iris_assets.errors import ConfigurationError, IrisAssetsError, UsageError
from iris_assets.settings import Settings, load_settings
from iris_assets.ufs import PARTITIONS

EXIT_FAILED = 1
EXIT_USAGE = 2

DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", help="Pasta com o banco SQLite, os downloads e o Dagster (ou IRIS_ASSETS_DATA).", show_default=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Escreve só JSON na saída padrão.")]
CandidateOption = Annotated[str | None, typer.Option("--candidate", help="TSE_ID (SQ_CANDIDATO) da candidatura.")]

Command = TypeVar("Command", bound=Callable[..., Any])


def reports_errors(command: Command) -> Command:
    """Typed errors become one line on stderr and exit code 2 (wrong usage) or 1 (failure); so do a path's own errors."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except IrisAssetsError as error:
            fail(error)
        except BrokenPipeError:
            # The reader of our output went away (`| head`): not an error of ours.
            sys.stderr.close()
            raise typer.Exit(EXIT_FAILED) from None
        except OSError as error:
            fail(path_error(error))

    return wrapped  # type: ignore[return-value]


def path_error(error: OSError) -> IrisAssetsError:
    """What the system says of a path, typed: wrong usage when it is of another kind or absent, else a failure."""
    place = f"{error.filename}: " if error.filename is not None else ""
    told = f"{place}{error.strerror or type(error).__name__}"
    if isinstance(error, FileExistsError | NotADirectoryError):
        return UsageError("FOLDER_EXPECTED", told, hint="give the path of a folder; a file stands there")
    if isinstance(error, IsADirectoryError):
        return UsageError("FILE_EXPECTED", told, hint="give the path of a file; a folder stands there")
    if isinstance(error, FileNotFoundError):
        return UsageError("PATH_ABSENT", told, hint="check the path")
    if error.errno == errno.ENOSPC:
        return IrisAssetsError("DISK_FULL", told, hint="make room, or choose another folder")
    if error.filename is None:
        return IrisAssetsError("SYSTEM_FAILED", told)
    return IrisAssetsError("PATH_UNUSABLE", told, hint="check the path and its permissions")


def fail(error: IrisAssetsError) -> NoReturn:
    """Print the error on one line and leave."""
    typer.echo(" ".join(str(error).split()), err=True)
    raise typer.Exit(EXIT_USAGE if isinstance(error, ConfigurationError | UsageError) else EXIT_FAILED)


def settings_for(data: Path | None, **overrides: Any) -> Settings:
    """Settings with `--data` and other options over the environment."""
    return load_settings(iris_assets_data=data, **overrides)


def partitions(text: str) -> list[str]:
    """`"SP, BR"` → `["SP", "BR"]`; UsageError UF_UNKNOWN for anything else."""
    ufs = list(dict.fromkeys(part.strip().upper() for part in text.split(",") if part.strip()))
    unknown = [uf for uf in ufs if uf not in PARTITIONS]
    if unknown or not ufs:
        what = f"unknown UF: {', '.join(unknown)}" if unknown else "--uf names no UF"
        raise UsageError("UF_UNKNOWN", what, hint=f"use one of {', '.join(PARTITIONS)}")
    return ufs


def print_json(value: Any) -> None:
    """One JSON document on stdout, nothing else."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))

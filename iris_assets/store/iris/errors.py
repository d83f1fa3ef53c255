"""What the driver's messages mean: SQLCODE is only in the text."""

import re
from typing import Final

from sqlalchemy.exc import DBAPIError

from iris_assets.errors import StoreError

# name, what happened, what to do, whether the same call may succeed later
Meaning = tuple[str, str, str, bool]

_BY_SQLCODE: Final[dict[int, Meaning]] = {
    -30: ("STORE_NOT_MIGRATED", "a table is not there", "run iris-assets db upgrade", False),
    -99: ("STORE_ACCESS_DENIED", "the user may not do this", "grant the user rights on the schema", False),
    -104: ("STORE_CONSTRAINT", "a value does not fit its column", "look at the value in the message", False),
    -105: ("STORE_CONSTRAINT", "a value does not fit its column", "look at the value in the message", False),
    -108: ("STORE_CONSTRAINT", "a required value is missing", "this is a bug", False),
    -110: ("STORE_BUSY", "a row is locked by another process", "try again", True),
    -114: ("STORE_BUSY", "a row is locked by another process", "try again", True),
    -119: ("STORE_CONSTRAINT", "a key is there already", "this is a bug", False),
    -120: ("STORE_CONSTRAINT", "a key is there already", "this is a bug", False),
    -121: ("STORE_CONSTRAINT", "a referenced row is missing", "this is a bug", False),
    -124: ("STORE_CONSTRAINT", "a row is still referenced", "this is a bug", False),
}
_SYSTEM: Final = -400  # this code and those below it tell of the server and the link, never of a row's value
_FATAL: Final[Meaning] = ("STORE_FAILED", "the server met a fatal error", "see its messages.log", False)
_VECTOR: Final[Meaning] = (
    "VECTOR_DIMENSION",
    "a vector does not fit its column",
    "run iris-assets db set-dimension",
    False,
)
_LOST: Final[Meaning] = ("STORE_LINK_LOST", "the connection broke", "the transaction was undone; try again", True)
_LEFT_THE_LINK: Final = {"STORE_LINK_LOST", "STORE_TIMEOUT", "STORE_UNREACHABLE"}
_MAYBE_STORED: Final = (
    "the transaction may be stored or not: look before it is tried again; a stage writes only what is absent"
)
_LICENCE: Final[Meaning] = (
    "STORE_LICENCE",
    "the server gives no more connections",
    "Community Edition has 8 connections: close other clients, or wait",
    True,
)
_BY_WORDS: Final[tuple[tuple[str, Meaning], ...]] = (
    ("license", _LICENCE),
    ("licence", _LICENCE),
    (
        "access denied",
        ("STORE_ACCESS_DENIED", "user or password are wrong", "check IRIS_USERNAME, IRIS_PASSWORD", False),
    ),
    (
        "timed out",
        ("STORE_TIMEOUT", "the server did not answer in time", "check host, port and the server's load", True),
    ),
    (
        "failed to connect",
        ("STORE_UNREACHABLE", "no IRIS answers there", "check IRIS_HOST, IRIS_PORT, the server", True),
    ),
    ("communication", _LOST),
    ("connection is closed", _LOST),
    ("connection reset", _LOST),
    ("broken pipe", _LOST),
    # The driver's bare RuntimeError and ValueError about a connection that is gone.
    ("connection not established", _LOST),
    ("connection required", _LOST),
    ("_handle is null", _LOST),
    ("<filefull>", ("STORE_FULL", "the database is full", "Community Edition holds 10 GB; free or move", False)),
)


def sqlcode(message: str) -> int | None:
    """−119 of `[SQLCODE: <-119>:<UNIQUE …>]`; None when the message has none."""
    found = re.search(r"SQLCODE:?\s*<?\s*(-\d+)", message)
    return int(found.group(1)) if found else None


def meaning(message: str) -> Meaning | None:
    """What a driver's message means to us: by its code, by words only where no text of a row can stand in it."""
    code = sqlcode(message)
    if code in _BY_SQLCODE:
        return _BY_SQLCODE[code]
    lower = re.sub(r"'[^']*'", "", message.lower())
    if code is None or code <= _SYSTEM:
        by_words = (known for words, known in _BY_WORDS if words in lower)
        return next(by_words, _FATAL if code is not None else None)
    return _VECTOR if "vector" in lower else None


def is_lost_link(message: str) -> bool:
    """Whether the connection behind this message is gone and must not be used again."""
    known = meaning(message)
    return known is not None and known[0] in _LEFT_THE_LINK


def lost_link(error: BaseException) -> StoreError:
    """What the driver's bare errors mean while it opens or uses a connection."""
    name, text, hint, retryable = _LOST
    return StoreError(name, f"{text}: {error}", hint=hint, retryable=retryable)


def is_licence_limit(message: str) -> bool:
    """Whether the server refused a connection because all are taken."""
    return meaning(message) == _LICENCE


def translated(error: DBAPIError, *, committing: bool = False) -> StoreError:
    """The typed error of a driver's error; the message is cut and shown on one line, without parameters.

    `committing`: the transaction's COMMIT was on its way, and nobody knows whether the server carried it out.
    """
    message = " ".join(str(error.orig).split())[:500]
    name, text, hint, retryable = meaning(message) or ("STORE_FAILED", "the server refused", "see the message", False)
    if committing and name in _LEFT_THE_LINK:
        hint = _MAYBE_STORED
    return StoreError(name, f"{text}: {message}", hint=hint, details={"sqlcode": sqlcode(message)}, retryable=retryable)

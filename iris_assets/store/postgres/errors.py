"""What the server's errors mean, by their SQLSTATE; by words only where a connection failed before there was one."""

from typing import Final

from sqlalchemy.exc import DBAPIError

from iris_assets.errors import StoreError

# name, what happened, what to do, whether the same call may succeed later
Meaning = tuple[str, str, str, bool]

_BUSY: Final[Meaning] = ("STORE_BUSY", "other transactions keep the store busy", "try again", True)
_LOST: Final[Meaning] = ("STORE_LINK_LOST", "the connection broke", "the transaction was undone; try again", True)
_AWAY: Final[Meaning] = ("STORE_UNREACHABLE", "no PostgreSQL answers there", "check host, port and the server", True)
_DENIED: Final[Meaning] = (
    "STORE_ACCESS_DENIED",
    "user, password or rights are wrong",
    "check POSTGRES_USER, POSTGRES_PASSWORD and the rights on the schema",
    False,
)
_UNMIGRATED: Final[Meaning] = ("STORE_NOT_MIGRATED", "a table is not there", "run iris-assets db upgrade", False)
_CONSTRAINT: Final[Meaning] = ("STORE_CONSTRAINT", "a row breaks a rule of its table", "this is a bug", False)
_VALUE: Final[Meaning] = (
    "STORE_CONSTRAINT",
    "a value does not fit its column",
    "look at the value in the message",
    False,
)
_FULL: Final[Meaning] = ("STORE_FULL", "the server's disk is full", "free space; what was committed is kept", False)
_DAMAGED: Final[Meaning] = ("STORE_DAMAGED", "the server's files are damaged", "restore a copy", False)
_UNKNOWN: Final[Meaning] = ("STORE_FAILED", "the server refused", "see the message", False)
_MAYBE_STORED: Final = (
    "the transaction may be stored or not: look before it is tried again; a stage writes only what is absent"
)

# The longest key that the SQLSTATE begins with decides.
_BY_STATE: Final[dict[str, Meaning]] = {
    "08": _LOST,
    "22": _VALUE,
    "23": _CONSTRAINT,
    "25006": ("STORE_READ_ONLY", "the database takes no writes", "connect to the primary server", False),
    "25P03": _LOST,
    "28": _DENIED,
    "3D000": ("STORE_UNREACHABLE", "the server has no such database", "check POSTGRES_DB", False),
    "3F000": _UNMIGRATED,
    "40": _BUSY,  # deadlock, serialization failure: the whole transaction was undone
    "42501": _DENIED,
    "42P01": _UNMIGRATED,
    "42704": _UNMIGRATED,  # a type: pgvector is not there
    "53": ("STORE_FAILED", "the server has no resources left", "look at its memory and log", True),
    "53100": _FULL,
    "53300": ("STORE_BUSY", "the server gives no more connections", "raise max_connections or wait", True),
    "55P03": _BUSY,
    "57014": ("STORE_TIMEOUT", "the server did not answer in time", "check the server's load", True),
    "57P": _LOST,
    "57P03": _AWAY,
    "58": ("STORE_IO", "reading or writing the server's files failed", "check its disk", False),
    "58P01": _UNMIGRATED,  # an extension's files: pgvector is not installed
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
_BY_WORDS: Final[tuple[tuple[str, Meaning], ...]] = (
    ("authentication failed", _DENIED),
    ("does not exist", _BY_STATE["3D000"]),
    ("too many clients", _BY_STATE["53300"]),
    ("connection slots", _BY_STATE["53300"]),
    ("starting up", _AWAY),
    ("shutting down", _AWAY),
    ("recovery mode", _AWAY),
    ("connection failed", _AWAY),
    ("timeout expired", _AWAY),
    ("nul (0x00)", _VALUE),
)


def meaning(state: str | None, message: str, *, broken: bool) -> Meaning:
    """What an error means: by its SQLSTATE; without one by its words, or as a lost link where the driver gave it up."""
    if state:
        known = [prefix for prefix in _BY_STATE if state.startswith(prefix)]
        return _BY_STATE[max(known, key=len)] if known else _UNKNOWN
    lower = message.lower()
    by_words = (known for words, known in _BY_WORDS if words in lower)
    return next(by_words, _LOST if broken or "connection" in lower else _UNKNOWN)


def translated(error: DBAPIError, *, committing: bool = False) -> StoreError:
    """The typed error of a driver's error; the message is cut and shown on one line, without parameters.

    `committing`: the transaction's COMMIT was on its way, and nobody knows whether the server carried it out.
    """
    message = " ".join(str(error.orig).split())[:500]
    state = getattr(error.orig, "sqlstate", None)
    name, text, hint, retryable = meaning(state, message, broken=error.connection_invalidated)
    if committing and name == "STORE_LINK_LOST":
        hint = _MAYBE_STORED
    return StoreError(name, f"{text}: {message}", hint=hint, details={"sqlstate": state}, retryable=retryable)

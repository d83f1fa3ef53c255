"""What a damaged full-text index is to those who read it: an error with a code, never a raw one, never "nothing found"."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DatabaseError, OperationalError

from iris_assets.errors import StoreError

DAMAGED: Final = "LEXICAL_INDEX_DAMAGED"
PRIMARY_CODE: Final = 0xFF  # extended SQLite codes keep the primary one in the low byte


def damaged(what: object, *, noted: bool = False) -> StoreError:
    """What a search raises that cannot trust the index; `noted`: the index itself says that it is damaged."""
    return StoreError(
        DAMAGED,
        f"the full-text index cannot answer: {what}",
        hint="start again: a store verifies its index when it is opened, and writes it anew from the chunks",
        details={"noted": noted},
    )


def tells_of_damage(error: DatabaseError) -> bool:
    """Whether a driver's error comes from missing, broken or mistyped contents (a busy store, for one, is sound)."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is None:  # the driver's own: bytes that should be text
        return isinstance(error, OperationalError)
    return code & PRIMARY_CODE in {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT}


@contextmanager
def readable() -> Iterator[None]:
    """Around what reads the index: contents that no writer of ours can have left are LEXICAL_INDEX_DAMAGED."""
    try:
        yield
    except DatabaseError as error:
        if not tells_of_damage(error):
            raise
        raise damaged(error.orig) from error
    except (ValueError, IndexError) as error:  # blobs of odd length, places beyond the last chunk
        raise damaged(error) from error

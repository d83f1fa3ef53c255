"""What a damaged full-text index is to those who read it: an error with a code, never a raw one, never "nothing found"."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DatabaseError

from iris_assets.errors import StoreError

DAMAGED: Final = "LEXICAL_INDEX_DAMAGED"
PRIMARY_CODE: Final = 0xFF  # extended SQLite codes keep the primary one in the low byte


def damaged(what: object) -> StoreError:
    """What a search raises that cannot trust the index."""
    return StoreError(
        DAMAGED,
        f"the full-text index cannot answer: {what}",
        hint="run iris-assets doctor, which writes it anew from the chunks",
    )


def tells_of_damage(error: DatabaseError) -> bool:
    """Whether a driver's error comes from missing or broken contents (a busy store, for one, is sound)."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code is not None and code & PRIMARY_CODE in {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT}


@contextmanager
def readable() -> Iterator[None]:
    """Around what reads the index: an error that tells of damage is LEXICAL_INDEX_DAMAGED."""
    try:
        yield
    except DatabaseError as error:
        if not tells_of_damage(error):
            raise
        raise damaged(error.orig) from error

"""What a disk says that takes no more, in a sentence for whoever was about to save something."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import OperationalError

DISK_FULL = "The disk is full: nothing was saved. Make room and try again."
READ_ONLY = "The store cannot be written to, it is read-only: nothing was saved."
DISK_REFUSES = "The disk refuses to write: nothing was saved."
DATABASE_GONE = (
    "The connection to the database was lost. See whether this was saved, and try again."
)

_BY_CODE = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
    sqlite3.SQLITE_IOERR: DISK_REFUSES,
}
_BY_SQLSTATE = {"53100": DISK_FULL}  # of PostgreSQL
_BY_ERRNO = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
}


def disk_sentence(error: OSError | sqlite3.Error | OperationalError) -> str | None:
    """The sentence for an error of the disk; None for any other error."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, DISK_REFUSES)
    if isinstance(error, OperationalError) and error.connection_invalidated:
        return DATABASE_GONE
    cause = error.orig if isinstance(error, OperationalError) else error
    if state := getattr(cause, "sqlstate", None):
        return _BY_SQLSTATE.get(state)
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else _BY_CODE.get(code & 0xFF)


def file_sentence(error: OSError) -> str:
    """The sentence for a file of the user's choice that cannot be opened, read or written."""
    if _BY_ERRNO.get(error.errno or 0) == DISK_FULL:
        return DISK_FULL
    return f"“{error.filename}” cannot be used: {error.strerror}."

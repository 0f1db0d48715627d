"""A copy of a SQLite database that is in use, made by SQLite's own online backup."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ..errors import StoreError
from .remedies import cause

__all__ = ["copy_database"]


def copy_database(source: str | sqlite3.Connection, path: str | os.PathLike[str]) -> int:
    """Copy a database into a new file, check the copy, and return its size in bytes.

    Parameters
    ----------
    source : str or sqlite3.Connection
        A file, read by a connection of its own so that nobody waits; or an open connection.
    path : str or path
        The new file. An existing one is never replaced.

    Raises
    ------
    StoreError
        If it exists, can't be written, or the source is damaged.

    References
    ----------
    SQLite, "Using the SQLite Online Backup API", https://www.sqlite.org/backup.html. The copy is
    made in one step: in WAL mode that keeps no writer waiting and never starts over.
    """
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        target.touch(exist_ok=False)  # the name is ours from here on
    except FileExistsError as error:
        raise StoreError(f"{target} exists already: name a file that doesn't") from error
    except OSError as error:
        raise StoreError(f"{target} can't be written: {cause(error)}") from error
    try:
        part.unlink(missing_ok=True)
        if isinstance(source, str):
            with closing(sqlite3.connect(source, timeout=30)) as own:
                _copy(own, part)
        else:
            _copy(source, part)
        with open(part, "rb+") as file:  # on the disk before it has its name
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException as error:
        target.unlink(missing_ok=True)
        part.unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error | OSError):
            raise StoreError(f"{target} can't be written as a copy: {cause(error)}") from error
        raise
    return target.stat().st_size


def _copy(source: sqlite3.Connection, part: Path) -> None:
    with closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, complete by itself
        (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise StoreError(f"the database is damaged ({verdict}): restore an earlier copy")

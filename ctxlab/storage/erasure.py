"""Complete deletion of one entity, and the search for what may be left of it (R91)."""

from __future__ import annotations

import json
import mmap
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from . import audit, vacuum
from .schema import (
    chunks,
    digests,
    marks,
    memories,
    messages,
    packs,
    sessions,
    shares,
    state,
    versions,
)
from .store import Store

__all__ = ["Residue", "delete_all", "empty_log", "everything", "find_residue", "pieces_of"]

_TABLES = (memories, versions, shares, digests, marks, chunks, state, messages, sessions)
_PIECE = 24  # characters: a long text lies on several pages, so it is looked for in pieces
_SHORTEST = 6  # bytes; anything shorter is in any file by chance
_PATIENCE = 10.0  # seconds to wait for readers elsewhere to let go of what was deleted
# Columns whose values name things or are drawn from a few words; not what anyone said.
_NAMES = frozenset({"entity", "id", "session_id", "origin", "agent", "audience", "kind", "status"})
_NAMES |= {"role", "by", "tz", "end_reason", "bound_by", "context_id", "key", "model"}
_ENUMS = {"actionability", "tier", "source", "change", "role", "type", "speaker", "kind", "status"}
_ENUMS |= {"section", "subject", "predicate"}


@dataclass
class Residue:
    """What a search of the database's bytes found."""

    left: int = 0
    searched: dict[str, int] = field(default_factory=dict)


def everything(connection: Connection, entity: str) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of an entity by table: for export, and to know what to look for."""
    found = {}
    for table in _TABLES:
        rows = connection.execute(sa.select(table).where(table.c.entity == entity)).mappings()
        found[table.name] = [dict(row) for row in rows]
    return found


def delete_all(connection: Connection, entity: str) -> dict[str, int]:
    """Delete every row of an entity but its audit events, whose free text goes."""
    counts = {}
    for table in (*_TABLES, packs):
        done = connection.execute(table.delete().where(table.c.entity == entity))
        counts[table.name] = done.rowcount
    audit.blank_reasons(connection, entity)
    return counts


# ---------------------------------------------------------------------- what to look for


def pieces_of(rows: dict[str, list[dict[str, Any]]], extra: Iterable[str] = ()) -> set[bytes]:
    """Return the bytes that would betray the rows: their texts, as written and as in JSON."""
    texts = {text for table in rows.values() for row in table for text in _texts(row)}
    texts |= set(extra)
    pieces = {form for text in texts for part in _parts(text) for form in _forms(part)}
    held = [*rows.get("memories", ()), *rows.get("digests", ())]
    vectors = (row.get("vector") for row in held)
    pieces |= {vector[:64] for vector in vectors if vector}
    return {piece for piece in pieces if len(piece) >= _SHORTEST}


def _texts(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in _NAMES and name not in _ENUMS and name != "fields":
                yield from _texts(item, name)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, key)
    elif isinstance(value, str):
        yield value


def _parts(text: str) -> list[str]:
    return [text[i : i + _PIECE] for i in range(0, len(text), _PIECE)]


def _forms(text: str) -> set[bytes]:
    """Return a text's spellings on disk: UTF-8, and JSON with and without escapes."""
    escaped = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(form, ensure_ascii=False)[1:-1] for form in escaped}  # JSON within JSON
    return {form.encode("utf-8", "surrogatepass") for form in escaped | twice}


# ---------------------------------------------------------------------- looking for it


def find_residue(store: Store, entity: str, pieces: set[bytes]) -> Residue:
    """Count the pieces that are still found, and first do what makes them go.

    On SQLite the log is moved into the database and every file searched; if any is found, the file
    is rewritten (``VACUUM``) and searched again. Text that a row of another entity holds as well
    isn't residue: it is theirs. On PostgreSQL see ``_among_rows``.
    """
    if not store.sqlite:
        return _among_rows(store, entity, pieces)
    emptied = empty_log(store)
    residue = _search(store, pieces)
    if residue.left and emptied:
        store.run_alone("VACUUM")
        empty_log(store)
        residue = _search(store, pieces)
    return residue


def empty_log(store: Store, patience: float | None = None) -> bool:
    """Move the write-ahead log into the database and empty it; says whether that could be done.

    A reader in another process may hold this up: it is waited for some seconds.
    """
    until = time.monotonic() + (_PATIENCE if patience is None else patience)
    while True:
        row = store.run_alone("PRAGMA wal_checkpoint(TRUNCATE)", busy_seconds=0.05)
        if row is None or not row[0]:  # no log, or none left
            return True
        if time.monotonic() > until:
            return False  # what is left in the log will be found, and counted


def _search(store: Store, pieces: set[bytes]) -> Residue:
    residue = Residue()
    suspects: set[bytes] = set()
    for name, data in _images(store):
        residue.searched[name] = len(data)
        suspects |= {piece for piece in pieces if data.find(piece) >= 0}
    residue.left = len(_unexplained(store, suspects))
    return residue


def _images(store: Store) -> Iterator[tuple[str, bytes | mmap.mmap]]:
    """Give the bytes of every file that SQLite keeps."""
    path = store.path
    if path is None:
        yield "memory", store.image()
        return
    for suffix in ("", "-wal", "-shm", "-journal"):
        name = os.path.basename(path) + suffix
        try:
            with open(path + suffix, "rb") as file:
                if os.fstat(file.fileno()).st_size == 0:
                    yield name, b""  # an empty file can't be mapped
                    continue
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                    yield name, data
        except FileNotFoundError:
            continue


def _unexplained(store: Store, suspects: set[bytes]) -> set[bytes]:
    """Return the suspects that no remaining row holds."""
    left = set(suspects)
    if not left:
        return left
    with store.read() as connection:
        for _, row in vacuum.raw_rows(connection):
            blob = b"\0".join(map(_bytes, row))
            left = {piece for piece in left if piece not in blob}
            if not left:
                break
    return left


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    return str(value).encode("utf-8", "surrogatepass")


def _among_rows(store: Store, entity: str, pieces: set[bytes]) -> Residue:
    """Vacuum PostgreSQL's tables, and look through every row that still names the entity.

    The id of the entity isn't text of theirs: the audit log keeps it, and a text may quote it.
    A row among those deleted from is residue whatever it holds. All pieces count as left if some
    transaction may still see the deleted rows, for then a vacuum keeps them.
    """
    unseen = vacuum.clear(store, entity, (*_TABLES, packs), _PATIENCE)
    emptied = {table.name for table in (*_TABLES, packs)}
    residue = Residue()
    pieces = {piece for piece in pieces if piece not in _bytes(entity)}
    found: set[bytes] = set()
    with store.read() as connection:
        for table, row in vacuum.raw_rows(connection, entity):
            blob = b"\0".join(map(_bytes, row))
            residue.searched[table] = residue.searched.get(table, 0) + len(blob)
            residue.left += table in emptied
            found |= {piece for piece in pieces if piece in blob}
    residue.left += len(found if unseen else pieces)
    return residue

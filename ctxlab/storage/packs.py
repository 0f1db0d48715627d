"""An entity's vectors in one row: for the first search of one that isn't in memory (R131).

Fifty rows take longer to read than their vectors to compare. A pack is a copy of what a search by
vector compares, never the source of truth: it's right while the entity's revision is the one that
it was made at, and both are read by one statement. It is made when reads are written, for entities
that such a search has asked for; whatever is deleted takes it along in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from .encoding import encode
from .hot import Hot, HotInsert
from .rows import make_record
from .schema import heads, memories, packs
from .vectors import widen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..types import Record

__all__ = ["FEW", "MANY", "NEVER", "Pack"]

FEW, MANY = 4, 256
"""Rows below which a pack saves nothing, and above which writing it costs too much."""

NEVER = 2**62
"""When a row expires that doesn't, in microseconds: beyond any date."""
Scope = tuple[str, str, str]  # agent, audience, kind


@dataclass(slots=True)
class Pack:
    """What a search by vector compares.

    Attributes
    ----------
    ids : list of str
    scopes : list of (agent, audience, kind)
        Each once.
    shares : list of (id, role)
    numbers : ndarray of int64
        When each row expires, when it was said, both in microseconds, its place in `scopes` (3, n).
    matrix : ndarray of float32
        Unit vectors (n, dimension).
    """

    ids: list[str]
    scopes: list[Scope]
    shares: list[tuple[str, str]]
    numbers: NDArray[np.int64]
    matrix: NDArray[np.float32]


_READ = Hot(
    sa.select(
        *(packs.c[name] for name in ("space", "names", "numbers", "vectors")),
    )
    .join_from(
        heads,
        packs,
        sa.and_(packs.c.entity == heads.c.entity, packs.c.revision == heads.c.revision),
    )
    .where(heads.c.entity == sa.bindparam("entity"))
)
_ADD = HotInsert(packs)
_DROP = Hot(packs.delete().where(packs.c.entity == sa.bindparam("entity")), names=("entity",))

_AT_ONCE = 6  # one more than a search's default k: the last of the best may be lifted past others
_IDS = tuple(f"id{n}" for n in range(_AT_ONCE))
_REST = ("id", "version", "changed", "accessed", "accesses")  # of a record, and its body
_SOME = Hot(
    sa.select(
        *(memories.c[name] for name in _REST), sa.type_coerce(memories.c.body, sa.Text)
    ).where(
        memories.c.entity == sa.bindparam("entity"),
        memories.c.id.in_([sa.bindparam(name) for name in _IDS]),
    )
)


def read(connection: Connection, entity: str, space: int) -> Pack | None:
    """Return an entity's pack if there is one that is right."""
    import numpy as np

    found = _READ(connection, entity=entity)
    if not found or found[0][0] != space:
        return None
    _, names, numbers, vectors = found[0]
    said, *ids = names.split("\n")
    scopes, shares = json.loads(said)
    matrix = widen(vectors).reshape(len(ids), -1)
    return Pack(ids, scopes, shares, np.frombuffer(numbers, np.int64).reshape(3, -1), matrix)


def records_of(
    connection: Connection, entity: str, pack: Pack, rows: Sequence[int]
) -> list[Record]:
    """Return the records of rows of a pack, in the transaction that it was read in."""
    ids = [pack.ids[i] for i in rows]
    rest: dict[str, Sequence[Any]] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        some += some[-1:] * (_AT_ONCE - len(some))
        for name, *values in _SOME(connection, entity=entity, **dict(zip(_IDS, some, strict=True))):
            rest[name] = values
    found = []
    for i, name in zip(rows, ids, strict=True):
        expires, updated, place = pack.numbers[:, i].tolist()
        version, changed, *others = rest[name]
        said = (*pack.scopes[place], "live", version, updated, changed)
        values = (entity, name, *said, None if expires == NEVER else expires, *others)
        found.append(make_record(*values))
    return found


def write(connection: Connection, entity: str, revision: int, space: int, pack: Pack) -> None:
    """Put a pack in place of the one before.

    Parameters
    ----------
    revision : int
        The entity's, whose lock is held.
    space : int
        Generation of the vectors.
    """
    import numpy as np

    names = "\n".join([encode([pack.scopes, pack.shares]), *pack.ids])
    vectors = pack.matrix.astype(np.float16).tobytes()
    drop(connection, entity)
    _ADD.put(connection, [(entity, revision, space, names, pack.numbers.tobytes(), vectors)])


def drop(connection: Connection, entity: str) -> None:
    """Delete an entity's pack, right or not: it may hold what was deleted."""
    _DROP.put(connection, [(entity,)])

"""What one entity's search needs, decoded once and kept in step with the database.

Own writes are applied to a shelf, so that a write costs what it adds, at a hundred records and at a
hundred thousand. Another process's writes show as a new revision, and the shelf is loaded again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..mitigations.contamination import Fade
from ..mitigations.duplicates import same_words_key
from ..mitigations.scale import ScalePolicy
from ..mitigations.scopes import ScopePolicy
from ..storage import audit, records
from ..storage.schema import from_micros
from ..storage.store import Store, Version
from ..storage.vectors import unpack
from ..types import Record
from .keyword import Keywords
from .nearest import Nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

__all__ = ["Shelf", "Shelves"]

_NEVER = 2**62  # microseconds: beyond any date
_DAY = 86_400e6
_MAX_ROWS = 200_000  # rows kept decoded: about 0.8 GB at 512 dimensions, words and texts included
_MAX_SHELVES = 5_000  # nearly empty ones, 9 kB each, would pile up below the bound on rows
_EMPTY = 8  # rows' worth of a shelf without any: most customers' is small
_GAPS = 1_000  # rows that may join a shelf, beyond as many as it had, before it is loaded again
_ALIKE = 256  # nearest records that a write is compared with, at most


class Shelf:
    """One entity's live records: arrays for ranking, records made when they are shown.

    A row that is no longer live stays as a gap until the shelf is loaded again.

    Parameters
    ----------
    head : Head
        The chain's end that it was loaded at; its revision is what makes a shelf right.
    rows : list of dict
        Rows of `memories`, by id.
    shares : mapping
        Agent role to the ids shared with it.
    dimension, space : int
        Of vectors; a row of another space counts as having none.
    """

    def __init__(
        self,
        entity: str,
        head: audit.Head,
        rows: list[dict[str, Any]],
        shares: Mapping[str, frozenset[str]],
        dimension: int,
        space: int,
        fade: Fade,
    ) -> None:
        import numpy as np

        self.entity, self.head, self.shares = entity, head, shares
        self._fade, self.space = fade, space
        self.rows = rows
        self._loaded = len(rows)
        self.place = {row["id"]: i for i, row in enumerate(rows)}
        self._matrix = unpack(
            [r["vector"] if r["space"] == space else None for r in rows], dimension
        )
        rates: dict[str, tuple[float, float]] = {}
        numbers = [self._numbers_of(row) for row in rows]
        self._numbers = np.array(numbers, dtype=np.int64).reshape(-1, 4).T.copy()
        for kind in {row["kind"] for row in rows}:
            rates[kind] = (fade.half_life(kind), fade.lasting(kind))
        self._rates = np.array([rates[row["kind"]] for row in rows]).reshape(-1, 2).T.copy()
        for row in rows:
            row["vector"] = None  # it is in the matrix; held once
        self._records: dict[int, Record] = {}
        self._seen: dict[str, NDArray[np.bool_]] = {}  # role -> what it may read
        self._scopes: ScopePolicy | None = None
        self._keywords: Keywords | None = None
        self._index: tuple[dict[str, list[int]], dict[str, list[int]]] | None = None
        self.replaced: dict[str, tuple[int, tuple[str, ...]]] = {}
        """Role -> (revision, values that hold no longer); see ``Memory.replaced``."""
        self.changed: set[int] = set()
        """Rows whose vector is new since whoever follows this shelf last looked."""

    @property
    def outgrown(self) -> bool:
        """Whether so many rows joined that gaps may outnumber what is live."""
        return len(self.rows) > 2 * self._loaded + _GAPS

    @property
    def matrix(self) -> NDArray[np.float32]:
        """Unit vectors, float32 (rows, dimension)."""
        return self._matrix[: len(self.rows)]

    @property
    def expires(self) -> NDArray[np.int64]:
        """When each row stops being readable, in microseconds; at once if it isn't live."""
        return self._numbers[0, : len(self.rows)]

    @staticmethod
    def _numbers_of(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
        end = _NEVER if row["expires"] is None else row["expires"]
        alive = row["status"] == "live"
        return end if alive else 0, row["updated"], row["accessed"] or 0, row["accesses"]

    def _set(self, row: dict[str, Any]) -> int:
        i = self.place.setdefault(row["id"], len(self.rows))
        before = self._words(i) if self._keywords is not None and i < len(self.rows) else ""
        self.rows[i : i + 1] = [row]
        self._numbers[:, i] = self._numbers_of(row)
        self._rates[:, i] = self._fade.half_life(row["kind"]), self._fade.lasting(row["kind"])
        self._records.pop(i, None)
        row["vector"] = None
        for role, seen in self._seen.items():
            assert self._scopes is not None
            seen[i] = self.visible(row, role, self._scopes)
        if self._keywords is not None:
            self._keywords.put(i, self._words(i), before)
        return i

    def apply(self, row: Mapping[str, Any], vector: NDArray[np.float32] | None) -> None:
        """Take in a row that was added or changed."""
        import numpy as np

        if row["id"] not in self.place and len(self.rows) == len(self._matrix):
            more = max(16, len(self.rows))  # doubling: a long run of writes stays linear
            self._matrix = np.pad(self._matrix, ((0, more), (0, 0)))
            self._numbers = np.pad(self._numbers, ((0, 0), (0, more)))
            self._rates = np.pad(self._rates, ((0, 0), (0, more)))
            self._seen = {role: np.pad(seen, (0, more)) for role, seen in self._seen.items()}
        i = self._set(dict(row))
        if vector is not None:
            self._matrix[i] = vector.astype(np.float16)  # as it will be read back
            self.changed.add(i)
        if self._index is not None:
            self._enter(i)

    def _enter(self, i: int) -> None:
        assert self._index is not None
        record = self.record(i)
        self._index[0].setdefault(same_words_key(record.text), []).append(i)
        if record.attribute is not None:
            self._index[1].setdefault(record.attribute, []).append(i)

    def near(
        self, record: Record, vector: NDArray[np.float32] | None, floor: float, now: int
    ) -> list[tuple[int, float]]:
        """Return (row, cosine) of the live rows that a record may repeat or contradict.

        They have the same words, the same attribute, or a cosine of `floor` at least; of a heavy
        account's many, the nearest.
        """
        import numpy as np

        if self._index is None:
            self._index = ({}, {})
            for i in range(len(self.rows)):
                self._enter(i)
        alive = self.expires > now
        cosines = np.zeros(len(self.rows)) if vector is None else self.matrix @ vector
        rows = set() if vector is None else _highest(cosines, (cosines >= floor) & alive)
        if record.attribute is not None:
            slot = np.zeros(len(self.rows), dtype=bool)
            slot[self._index[1].get(record.attribute, [])] = True
            rows |= _highest(cosines, slot & alive)
        rows |= set(self._index[0].get(same_words_key(record.text), ()))
        return [(i, float(cosines[i])) for i in sorted(rows) if alive[i]]

    def record(self, i: int) -> Record:
        """Return row `i` as a record."""
        if i not in self._records:
            self._records[i] = records.to_record(self.rows[i])
        return self._records[i]

    def readable(self, role: str, scopes: ScopePolicy, now: int) -> NDArray[np.bool_]:
        """Return which rows (n,) a role may read at an instant."""
        import numpy as np

        if scopes is not self._scopes:
            self._seen, self._scopes = {}, scopes
        if role not in self._seen:
            seen = np.zeros(len(self._matrix), dtype=bool)
            seen[: len(self.rows)] = [self.visible(row, role, scopes) for row in self.rows]
            self._seen[role] = seen
        return self._seen[role][: len(self.rows)] & (self.expires > now)

    def visible(self, row: Mapping[str, Any], role: str, scopes: ScopePolicy) -> bool:
        """Whether a role may read a row of this entity."""
        shared = self.shares.get(role, frozenset())
        return scopes.visible(row["agent"], row["audience"], row["id"], shared, role)

    def keywords(self) -> Keywords:
        """Return the word index, made when it is first asked for."""
        if self._keywords is None:
            self._keywords = Keywords([self._words(i) for i in range(len(self.rows))])
        return self._keywords

    def _words(self, i: int) -> str:
        return self.record(i).topic_text if self._numbers[0, i] else ""

    def use(self, now: int, rows: Any = slice(None)) -> tuple[Any, Any, Any]:
        """Return days since said, uses, and days since the last use, of rows (n,)."""
        numbers = self._numbers[:, : len(self.rows)]
        if not isinstance(rows, slice):  # all of them need no copy
            numbers = numbers[:, rows]
        _, updated, accessed, accesses = numbers
        return (now - updated) / _DAY, accesses, (now - accessed) / _DAY

    def fade(self, now: int, rows: Any = slice(None)) -> NDArray[np.float64]:
        """Return what age has left of rows (n,)."""
        import numpy as np

        half, lasting = self._rates[:, : len(self.rows)][:, rows]
        if np.isinf(half).all() and self._fade.config.curve != "act-r":
            return np.ones(len(half))  # what doesn't fade needs no weighing
        age, uses, last = self.use(now, rows)
        # A feeling isn't renewed by being looked at.
        return self._fade(age, half, lasting, uses * (lasting > 0), last)

    def note_access(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Add accesses: record id -> (how many, when last)."""
        for record_id, (n, at) in counts.items():
            if (i := self.place.get(record_id)) is not None:
                self.rows[i].update(accesses=self.rows[i]["accesses"] + n, accessed=at)
                self._numbers[2:, i] = at, self.rows[i]["accesses"]
                if (known := self._records.get(i)) is not None:  # cheaper than to read it again
                    accesses = {"access_count": self.rows[i]["accesses"]}
                    self._records[i] = known.with_(**accesses, last_access=from_micros(at))


def _highest(cosines: Any, among: NDArray[np.bool_]) -> set[int]:
    import numpy as np

    rows = np.flatnonzero(among)
    if len(rows) > _ALIKE:
        rows = rows[np.argpartition(-cosines[rows], _ALIKE)[:_ALIKE]]
    return set(rows.tolist())


class Shelves:
    """The shelves in memory, never older than the database, and the indexes beside heavy ones.

    A shelf is right as long as its entity's revision is; the revision is asked for only after
    another process has committed something (``Store.version``). An index outlives its shelf: what
    another process changed is taken over row by row.
    """

    def __init__(self, store: Store, fade: Fade, scale: ScalePolicy | None = None) -> None:
        self._store = store
        self._fade = fade
        self.scale = scale or ScalePolicy()
        self._held: OrderedDict[str, Shelf] = OrderedDict()
        self._rows = 0
        self._weights: dict[str, int] = {}  # entity -> rows its shelf counts for
        self._checked: dict[str, Version] = {}  # entity -> store's at which it was found right
        self._nearest: dict[str, Nearest] = {}

    def get(
        self, entity: str, dimension: int, space: int, connection: Connection | None = None
    ) -> Shelf:
        """Return an entity's shelf, within the caller's transaction if there is one."""
        version = self._store.version(entity)
        shelf = self._held.get(entity)
        if shelf is not None and shelf.space != space:  # vectors of another model, or of none yet
            self.drop(entity)
            shelf = None
        if shelf is not None and version is not None and self._checked.get(entity) == version:
            if self._weights[entity] != len(shelf.rows) + _EMPTY:
                self._weigh(shelf)
            if not shelf.outgrown:
                self._held.move_to_end(entity)
                return shelf
        if connection is None:
            if shelf is not None and version is None and not shelf.outgrown:
                with self._store.glance() as connection:
                    head = audit.head_of(connection, entity)
                if head.revision == shelf.head.revision:
                    shelf.head = head
                    self._weigh(shelf)
                    return shelf
            with self._store.read() as connection:
                return self._fresh(connection, entity, dimension, space, version)
        return self._fresh(connection, entity, dimension, space, version)

    def _fresh(
        self,
        connection: Connection,
        entity: str,
        dimension: int,
        space: int,
        version: Version | None,
    ) -> Shelf:
        head = audit.head_of(connection, entity)
        shelf = self._held.get(entity)
        if shelf is None or shelf.head.revision != head.revision or shelf.outgrown:
            rows = records.live_rows(connection, entity)
            shared: dict[str, set[str]] = {}
            for record_id, role in records.shared_with(connection, entity):
                shared.setdefault(role, set()).add(record_id)
            by_role = {role: frozenset(ids) for role, ids in shared.items()}
            shelf = Shelf(entity, head, rows, by_role, dimension, space, self._fade)
            self.drop(entity)
        shelf.head = head
        self._held[entity] = shelf
        self._held.move_to_end(entity)
        if version is not None:
            self._checked[entity] = version
        self._weigh(shelf)
        return shelf

    def follow(self, entity: str) -> None:
        """Note, in a write's transaction, that its shelf holds what is about to be committed."""
        if (version := self._store.version(entity)) is not None and entity in self._checked:
            self._checked[entity] = (version[0], version[1] + 1)

    def _weigh(self, shelf: Shelf) -> None:
        """Count a shelf anew, and drop those that were used longest ago if there are too many."""
        self._rows += len(shelf.rows) + _EMPTY - self._weights.get(shelf.entity, 0)
        self._weights[shelf.entity] = len(shelf.rows) + _EMPTY
        self._held.move_to_end(shelf.entity)
        while len(self._held) > 1 and (self._rows > _MAX_ROWS or len(self._held) > _MAX_SHELVES):
            oldest = next(iter(self._held))
            self.drop(oldest)
            self.forget(oldest)

    def nearest(self, shelf: Shelf) -> Nearest | None:
        """Return the index beside a shelf, begun if it is due; None where exact search serves."""
        if len(shelf.rows) < self.scale.config.crossover:  # nearly all: no more than this
            return None
        if self.scale(len(shelf.rows)).exact:
            return None
        if shelf.entity not in self._nearest:
            self._nearest[shelf.entity] = Nearest(self.scale)
        return self._nearest[shelf.entity]

    def peek(self, entity: str) -> Shelf | None:
        """Return a shelf if it is held."""
        return self._held.get(entity)

    def drop(self, entity: str | None = None) -> None:
        """Drop one shelf, or all; an index beside it waits for the next one."""
        if entity is None:
            self._held.clear()
            self._checked.clear()
            self._weights.clear()
            self._rows = 0
        elif self._held.pop(entity, None) is not None:
            self._checked.pop(entity, None)
            self._rows -= self._weights.pop(entity)

    def forget(self, entity: str, ids: Iterable[str] | None = None) -> None:
        """Take records out of an entity's index at once; None: the whole index."""
        nearest = self._nearest.get(entity)
        if nearest is not None and (ids is None or not nearest.forget(ids)):
            self._nearest.pop(entity).close()

    def close(self) -> None:
        """Stop what is being built."""
        for nearest in self._nearest.values():
            nearest.close()
        self._nearest.clear()

"""The shelves in memory, never older than the database, and the indexes beside heavy ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..language.keeping import drop_kept
from ..mitigations.contamination import Fade
from ..mitigations.scale import ScalePolicy
from ..storage import audit, records
from ..storage.store import Store, Version
from .nearest import Nearest
from .shelf import Shelf

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

__all__ = ["Shelves"]

_MAX_ROWS = 200_000  # rows kept decoded: about 0.8 GB at 512 dimensions, words and texts included
_MAX_SHELVES = 5_000  # nearly empty ones, 9 kB each, would pile up below the bound on rows
_EMPTY = 8  # rows' worth of a shelf without any: most customers' is small


class Shelves:
    """The shelves of the entities that were used last.

    A shelf is right as long as its entity's revision is; the revision is asked for only after
    another process has committed something (``Store.version``). An index outlives its shelf: what
    another process changed is taken over row by row.
    """

    def __init__(self, store: Store, fade: Fade, scale: ScalePolicy | None = None) -> None:
        self.store = store
        self.fade = fade
        self.scale = scale or ScalePolicy()
        self._held: OrderedDict[str, Shelf] = OrderedDict()
        self._rows = 0
        self._weights: dict[str, int] = {}  # entity -> rows its shelf counts for
        self._checked: dict[str, Version] = {}  # entity -> store's at which it was found right
        self._nearest: dict[str, Nearest] = {}
        self.met: set[str] = set()
        """Entities that were searched once without a shelf."""
        self.wanted: set[str] = set()
        """Entities that were searched and had no pack."""

    def get(
        self,
        entity: str,
        dimension: int,
        space: int,
        version: Version | None,
        connection: Connection | None = None,
        head: audit.Head | None = None,
    ) -> Shelf:
        """Return an entity's shelf, within the caller's transaction if there is one.

        `version`: the store's for this entity; `head`: the end of its chain, if it is known; both
        asked for just now.
        """
        shelf = self._held.get(entity)
        if shelf is not None and shelf.space != space:  # vectors of another model, or of none yet
            self.drop(entity)
            shelf = None
        if shelf is not None and version is not None and self._checked.get(entity) == version:
            self._held.move_to_end(entity)
            return shelf
        if shelf and head and head.revision == shelf.head.revision and not shelf.outgrown:
            shelf.head = head
            self._weigh(shelf)
            return shelf
        if connection is not None:
            return self._fresh(connection, entity, dimension, space, version)
        with self.store.read() as connection:
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
            columns = records.live_columns(connection, entity)
            shared: dict[str, set[str]] = {}
            for record_id, role in records.shared_with(connection, entity):
                shared.setdefault(role, set()).add(record_id)
            by_role = {role: frozenset(ids) for role, ids in shared.items()}
            shelf = Shelf(entity, head, columns, by_role, dimension, space, self.fade)
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
        if (seen := self._checked.get(entity)) is None:
            return
        self._checked[entity] = (*seen[:2], seen[2] + 1)
        shelf = self._held[entity]
        if self._weights[entity] != shelf.count + _EMPTY:
            self._weigh(shelf)
        if shelf.outgrown:
            del self._checked[entity]  # the next to ask loads it again

    def _weigh(self, shelf: Shelf) -> None:
        """Count a shelf anew, and drop those that were used longest ago if there are too many."""
        self._rows += shelf.count + _EMPTY - self._weights.get(shelf.entity, 0)
        self._weights[shelf.entity] = shelf.count + _EMPTY
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
            self.met.clear()
            self._checked.clear()
            self._weights.clear()
            self._rows = 0
        elif self._held.pop(entity, None) is not None:
            self._checked.pop(entity, None)
            self._rows -= self._weights.pop(entity)

    def forget(self, entity: str, ids: Iterable[str] | None = None) -> None:
        """Take records out of what is kept beside the shelves; None: all of the entity's."""
        drop_kept()
        nearest = self._nearest.get(entity)
        if nearest is not None and (ids is None or not nearest.forget(ids)):
            self._nearest.pop(entity).close()

    def close(self) -> None:
        """Stop what is being built."""
        for nearest in self._nearest.values():
            nearest.close()
        self._nearest.clear()

"""The first search of an entity that isn't in memory, from its pack (R131).

Loading a shelf costs as much as eight searches. Many entities are asked once and not again for
hours, so the first search by vector reads one row, and the records that it returns; the second
loads the shelf.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..mitigations.contamination import Fade
from ..mitigations.scopes import ScopePolicy
from ..storage import packs
from ..types import Hit, Record
from .change import Change
from .semantic import Query, compare
from .shelf import DAY, Readable
from .shelves import Shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

__all__ = ["Glimpse", "glimpse", "pack"]

_MOST = 10_000  # entities remembered as asked once, or as asked for


class Glimpse:
    """What a search by vector needs of a shelf, within the transaction its pack was read in."""

    def __init__(
        self,
        connection: Connection,
        entity: str,
        found: packs.Pack,
        fade: Fade,
        scopes: ScopePolicy,
    ) -> None:
        self._connection, self._entity, self._pack = connection, entity, found
        self._fade, self._scopes = fade, scopes
        self.rows, self.matrix = found.ids, found.matrix
        self.made: dict[int, Record] = {}

    def readable(self, role: str, now: int) -> Readable:
        """Return which rows a role may read at an instant."""
        import numpy as np

        pack, visible = self._pack, self._scopes.visible
        expires, _, place = pack.numbers
        may = [visible(agent, audience, "", (), role) for agent, audience, _ in pack.scopes]
        mask = expires > now
        if not all(may):
            seen = np.array(may)[place]
            shared = {name for name, to in pack.shares if to == role}
            for i, name in enumerate(pack.ids) if shared else ():
                seen[i] |= name in shared
            mask &= seen
        return Readable(mask, mask.nonzero()[0], now, now)

    def fade(self, now: int, rows: Any) -> NDArray[np.float64] | None:
        """Return what age has left of rows (n,); None if it takes nothing from any."""
        pack = self._pack
        halves = [self._fade.half_life(kind) for *_, kind in pack.scopes]
        if not any(map(isfinite, halves)):
            return None
        import numpy as np

        _, updated, place = pack.numbers[:, rows]
        lasting = [self._fade.lasting(kind) for *_, kind in pack.scopes]
        age = (now - updated) / DAY
        none = np.zeros(len(age))
        return self._fade(age, np.array(halves)[place], np.array(lasting)[place], none, age)

    def fetch(self, rows: Sequence[int]) -> None:
        """Read records that will be asked for, in one go."""
        found = packs.records_of(self._connection, self._entity, self._pack, rows)
        self.made.update(zip(rows, found, strict=True))

    def record(self, i: int) -> Record:
        """Return row `i` as a record."""
        if i not in self.made:
            self.fetch([i])
        return self.made[i]


def glimpse(
    shelves: Shelves, entity: str, agent: str, query: Query, scopes: ScopePolicy, space: int
) -> list[Hit] | None:
    """Search an entity by its pack; None: load its shelf.

    It has none that is right, it was asked before, or the search needs more than a pack holds.
    """
    if entity in shelves.met or shelves.fade.config.curve == "act-r":  # which counts uses
        return None
    with shelves.store.read() as connection:
        found = packs.read(connection, entity, space)
        if found is None or len(found.ids) >= shelves.scale.config.crossover:
            _note(shelves.wanted, entity)
            return None
        _note(shelves.met, entity)
        shelf = Glimpse(connection, entity, found, shelves.fade, scopes)
        return compare(shelf, query, shelf.readable(agent, query.now))


def _note(names: set[str], entity: str) -> None:
    if len(names) >= _MOST:
        names.clear()
    names.add(entity)


def pack(change: Change, wanted: set[str]) -> None:
    """Write the pack of an entity that was asked for, in a transaction that changes no memory."""
    if change.entity not in wanted or change.changed:
        return
    shelf = change.shelf
    wanted.discard(change.entity)
    found = shelf.packed()
    if packs.FEW <= len(found.ids) <= packs.MANY and found.matrix.shape[1]:
        packs.write(change.connection, change.entity, shelf.head.revision, shelf.space, found)

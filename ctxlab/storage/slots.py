"""Which id stands in which slot of an index; a slot is never used twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

__all__ = ["Slots"]


class Slots:
    """Ids of an index by slot, and slots by id."""

    def __init__(self) -> None:
        import numpy as np

        self.ids: Ids = np.zeros(0, dtype=np.int64)  # slot -> id; -1: empty
        self.slots: Ids = np.zeros(0, dtype=np.int64)  # id -> slot; -1: not held
        self.live = 0
        self.plain = True  # every slot is its own id: nothing to look up

    def take(self, ids: Ids) -> None:
        """Append ids as new slots."""
        import numpy as np

        first = len(self.ids)
        self.plain &= bool((ids == np.arange(first, first + len(ids))).all())
        self.ids = np.concatenate([self.ids, ids])
        if len(ids) and (short := int(ids.max()) + 1 - len(self.slots)) > 0:
            short = max(short, len(self.slots))  # doubling
            self.slots = np.pad(self.slots, (0, short), constant_values=-1)
        self.slots[ids] = np.arange(first, len(self.ids))
        self.live += len(ids)

    def of(self, ids: Ids) -> Ids:
        """Return the slots of the ids that are held."""
        ids = ids[(ids >= 0) & (ids < len(self.slots))]
        slots = self.slots[ids]
        return slots[slots >= 0]

    def free(self, slots: Ids) -> None:
        """Empty slots."""
        self.slots[self.ids[slots]] = -1
        self.ids[slots] = -1
        self.live -= len(slots)
        self.plain &= not len(slots)

    def allowed(self, mask: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
        """Return by slot what may be found; None: everything."""
        import numpy as np

        if mask is None:
            return None if self.live == len(self.ids) else self.ids >= 0
        if self.plain:
            return np.pad(mask, (0, max(0, len(self.ids) - len(mask))))[: len(self.ids)]
        known = (self.ids >= 0) & (self.ids < len(mask))
        return known & mask[np.where(known, self.ids, 0)] if len(mask) else known

    def renumber(self, new: Ids) -> Ids:
        """Give ids new numbers; returns the slots that are emptied."""
        import numpy as np

        self.plain = False
        held = np.flatnonzero(self.ids >= 0)
        numbers = np.where(self.ids[held] < len(new), self.ids[held], 0)
        numbers = (
            np.where(self.ids[held] < len(new), new[numbers], -1) if len(new) else held * 0 - 1
        )
        self.ids[held] = numbers
        gone = held[numbers < 0]
        kept = held[numbers >= 0]
        self.slots = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
        self.slots[self.ids[kept]] = kept
        self.live = len(kept)
        return gone

    def hold(self, ids: Ids, vectors: Any, held: Any) -> NDArray[np.bool_]:
        """Whether `held`, float16 by slot, has exactly these vectors under these ids (n,)."""
        import numpy as np

        known = (ids >= 0) & (ids < len(self.slots))
        slots = np.where(known, self.slots[np.where(known, ids, 0)] if len(self.slots) else -1, -1)
        found = slots >= 0
        same = np.zeros(len(ids), dtype=bool)
        same[found] = (held[slots[found]] == vectors[found].astype(np.float16)).all(axis=1)
        return same

"""An index beside a heavy entity's shelf: built in the background, followed by every write (R93).

It only proposes rows. Which rows may be found goes into the search, their scores are computed from
the shelf, and an answer that the shelf contradicts throws the index away. While it's being built,
or if it fails, search is exact.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..mitigations.scale import ScalePolicy
from ..storage.indexes import VectorIndex, make_index, portions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .shelf import Shelf

    Rows = NDArray[np.int64]
    Found = tuple[Rows, NDArray[np.float32]]

__all__ = ["IndexReport", "Nearest"]

_AT_ONCE = 64  # new vectors taken in before a search; more are taken in behind its back
_ROOM = 0.75  # share of live vectors below which a new index is built
_OFF = 0.01  # how far a cosine may be from the shelf's; float16 is off by less than 0.001
_TRIES = 3  # indexes that may turn out wrong before search stays exact


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How one entity is searched.

    Attributes
    ----------
    kind : str
        ``flat``, ``hnsw`` or ``ivf``.
    state : str
        ``exact`` (no index is due), ``building`` (exact until it's ready), ``ready``, or
        ``given up`` (exact from now on).
    records, vectors : int
        On the shelf; in the index.
    reasons : tuple of str
    """

    kind: str
    state: str
    records: int
    vectors: int = 0
    reasons: tuple[str, ...] = ()


class Nearest:
    """The index of one entity. All but the building happens under the memory's lock.

    Parameters
    ----------
    policy : ScalePolicy
        Which index, and how hard it looks.
    """

    def __init__(self, policy: ScalePolicy) -> None:
        self.policy = policy
        self.faults: list[str] = []
        self._index: VectorIndex | None = None
        self._shelf: weakref.ref[Shelf] | None = None  # whose row numbers are the index's ids
        self._names: list[str] = []  # row number -> record id, as when it was last in step
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._whole = False  # the thread came to its end

    def __call__(
        self, shelf: Shelf, vector: NDArray[np.float32], n: int, readable: NDArray[np.bool_]
    ) -> Found | None:
        """Return about the `n` nearest readable rows and their cosines, best first.

        None: search exactly. An index is due and not ready, too few rows are readable to need one,
        or it didn't find as many as there are.
        """
        import numpy as np

        count = int(np.count_nonzero(readable))
        choice = self.policy(len(shelf.rows), count)
        if choice.exact or not self._ready(shelf, choice.kind):
            return None
        assert self._index is not None
        try:
            rows, cosines = self._index.search(vector, n, readable, choice.effort)
        except Exception as error:  # whatever faiss says, the rows are all there
            self._fail(f"{type(error).__name__}: {error}")
            return None
        if not _sound(shelf, vector, readable, rows, cosines):
            self._fail("it disagreed with the rows")
            return None
        return (rows, cosines) if len(rows) >= min(n, count) else None

    def report(self, shelf: Shelf, wait: bool = False) -> IndexReport:
        """Say how the shelf is searched; `wait`: until an index that is due is ready."""
        choice = self.policy(len(shelf.rows))
        ready = not choice.exact and self._ready(shelf, choice.kind)
        while wait and not ready and not choice.exact and len(self.faults) < _TRIES:
            if self._thread is not None:
                self._thread.join()
            ready = self._ready(shelf, choice.kind)
        if choice.exact:
            state = "exact"
        elif len(self.faults) >= _TRIES:
            state = "given up"
        else:
            state = "ready" if ready else "building"
        held = len(self._index) if ready and self._index is not None else 0
        reasons = (*choice.reasons, *(f"R93: rebuilt, {fault}" for fault in self.faults))
        return IndexReport(choice.kind, state, len(shelf.rows), held, reasons)

    def forget(self, ids: Iterable[str]) -> bool:
        """Take records out now; False: it can't be done without a new index."""
        import numpy as np

        if self._index is None or self._thread is not None:
            return False
        place = {name: i for i, name in enumerate(self._names)}
        rows = [place[name] for name in ids if name in place]
        self._index.remove(np.array(rows, dtype=np.int64))
        return True

    def close(self) -> None:
        """Stop building and let go of every vector."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._thread, self._index, self._shelf, self._names = None, None, None, []

    # ------------------------------------------------------------------ in step with the shelf

    def _ready(self, shelf: Shelf, kind: str) -> bool:
        """Bring the index into step with the shelf; False if that takes longer than a search."""
        if self._thread is not None:
            if self._thread.is_alive():
                return False
            self._thread.join()
            self._thread = None
            if not self._whole:
                self._index = None
        if len(self.faults) >= _TRIES:
            return False
        width = shelf.matrix.shape[1]
        index = self._index
        if index is None or index.kind != kind or index.dimension != width or self._crowded(shelf):
            self._begin(shelf, make_index(kind, width), range(len(shelf.rows)))
            return False
        self._follow(shelf)
        if not shelf.changed:
            return True
        if len(shelf.changed) > _AT_ONCE:
            self._begin(shelf, index, sorted(shelf.changed))
            return False
        rows, matrix = _with_vectors(shelf, sorted(shelf.changed))
        index.add(rows, matrix[rows])
        self._in_step(shelf)
        return True

    def _crowded(self, shelf: Shelf) -> bool:
        """Whether too many of the vectors belong to records that are gone."""
        import numpy as np

        held = len(self._index) if self._index is not None else 0
        return int(np.count_nonzero(shelf.expires)) < _ROOM * held

    def _follow(self, shelf: Shelf) -> None:
        """Take over what differs between the shelf that the index knows and a newer one."""
        import numpy as np

        if self._shelf is not None and self._shelf() is shelf:
            return
        assert self._index is not None
        new = np.array([shelf.place.get(name, -1) for name in self._names], dtype=np.int64)
        self._index.renumber(new)
        same = self._index.holds(np.arange(len(shelf.rows)), shelf.matrix)
        blank = ~shelf.matrix.any(axis=1)
        shelf.changed = set(np.flatnonzero(~same & ~blank).tolist())
        self._index.remove(np.flatnonzero(blank))
        self._shelf, self._names = weakref.ref(shelf), list(shelf.place)

    def _in_step(self, shelf: Shelf) -> None:
        shelf.changed = set()
        self._shelf = weakref.ref(shelf)
        self._names += islice(shelf.place, len(self._names), None)  # in order of rows

    # ------------------------------------------------------------------ building

    def _begin(self, shelf: Shelf, index: VectorIndex, todo: Iterable[int]) -> None:
        """Add rows in the background; what is written meanwhile is noted on the shelf."""
        rows, matrix = _with_vectors(shelf, todo)
        if index is not self._index:
            self._names = []
        self._in_step(shelf)
        self._index, self._whole = index, False
        self._stop.clear()
        self._thread = threading.Thread(
            target=self._build, args=(index, rows, matrix), name="ctxlab-index"
        )
        self._thread.start()

    def _build(self, index: VectorIndex, rows: Rows, matrix: NDArray[np.float32]) -> None:
        try:
            import faiss

            faiss.omp_set_num_threads(max(1, (os.cpu_count() or 2) // 2))  # of this thread alone
            kind = index.kind if not len(index) else "hnsw"  # its centres are set
            for part in portions(kind, len(rows)):
                # A process that is ending doesn't wait for an index.
                if self._stop.is_set() or not threading.main_thread().is_alive():
                    return
                index.add(rows[part], matrix[rows[part]])
            self._whole = True
        except Exception as error:  # it's a cache: search goes on without it
            self.faults.append(f"{type(error).__name__}: {error}")

    def _fail(self, fault: str) -> None:
        self.close()
        self.faults.append(fault)


def _with_vectors(shelf: Shelf, todo: Iterable[int]) -> tuple[Rows, NDArray[np.float32]]:
    """Return the rows that have a vector, and the shelf's vectors."""
    import numpy as np

    rows = np.array(list(todo), dtype=np.int64)
    return rows[shelf.matrix[rows].any(axis=1)], shelf.matrix


def _sound(shelf: Shelf, vector: Any, readable: Any, rows: Any, cosines: Any) -> bool:
    """Whether what an index found is on the shelf, may be read, and is as near as it says."""
    import numpy as np

    if not len(rows):
        return True
    if rows.min() < 0 or rows.max() >= len(shelf.rows) or not readable[rows].all():
        return False
    return bool(np.abs(shelf.matrix[rows] @ vector - cosines).max() < _OFF)

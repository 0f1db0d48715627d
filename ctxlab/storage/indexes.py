"""Vector indexes behind one small interface: exact flat, HNSW and IVF (R93).

An index is a cache over one entity's rows. It lives in memory only, so an erasure has no file of it
to look for, and it can be dropped at any time: the database is what counts. Ids are small integers,
the places of rows on their shelf. The filter goes in with the question: what isn't allowed takes no
place among the best k.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import ConfigError, MissingExtra
from .slots import Slots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]
    Found = tuple[Ids, NDArray[np.float32]]

__all__ = ["KINDS", "Flat", "VectorIndex", "available", "make_index", "portions"]

KINDS = ("flat", "hnsw", "ivf")
_CHUNK = 256  # vectors a portion: a tenth of a second, so that building can be stopped
_LEARN = 20_000  # that set the centres of an IVF; more take minutes and change little


def available() -> bool:
    """Whether the package behind HNSW and IVF is installed."""
    return find_spec("faiss") is not None


class VectorIndex(Protocol):
    """What every index can do. Vectors are float32 unit rows (n, dimension)."""

    kind: str
    dimension: int

    def __len__(self) -> int:
        """Count the vectors held."""

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in vectors under new ids; an id that is there is replaced."""

    def remove(self, ids: Ids) -> int:
        """Take vectors out; ids that aren't there don't count. Returns how many went."""

    def search(
        self, vector: Vectors, k: int, allowed: NDArray[np.bool_] | None = None, effort: int = 0
    ) -> Found:
        """Return ids (m,) and cosines (m,) of the best m <= k, best first.

        Parameters
        ----------
        vector : ndarray
            Unit vector (dimension,).
        k : int
            Most to find.
        allowed : ndarray of bool, optional
            By id: which may be found. Ids beyond its end may not.
        effort : int
            HNSW: candidates kept on the way. IVF: lists looked into. 0: a middling one.
        """

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""


class Flat:
    """Every vector compared, in numpy: exact, and the fastest for most customers.

    Examples
    --------
    >>> import numpy as np
    >>> index = Flat(2)
    >>> index.add(np.array([0, 1]), np.array([[1, 0], [0.6, 0.8]], dtype=np.float32))
    >>> ids, cosines = index.search(np.array([0, 1], dtype=np.float32), k=1)
    >>> ids.tolist(), round(float(cosines[0]), 2)
    ([1], 0.8)
    >>> index.search(np.array([0, 1], dtype=np.float32), 2, np.array([True, False]))[0].tolist()
    [0]
    """

    kind = "flat"

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self.dimension = dimension
        self._slots = Slots()
        self._vectors: Vectors = np.zeros((0, dimension), dtype=np.float32)

    def __len__(self) -> int:
        return self._slots.live

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in vectors under new ids; an id that is there is replaced."""
        import numpy as np

        self.remove(ids)
        self._slots.take(ids)
        self._vectors = np.concatenate([self._vectors, vectors.astype(np.float32)])

    def remove(self, ids: Ids) -> int:
        """Take vectors out, overwriting them; returns how many went."""
        slots = self._slots.of(ids)
        self._slots.free(slots)
        self._vectors[slots] = 0
        return len(slots)

    def search(
        self, vector: Vectors, k: int, allowed: NDArray[np.bool_] | None = None, effort: int = 0
    ) -> Found:
        """Return ids and cosines of the best k, best first; see `VectorIndex`."""
        import numpy as np

        cosines = self._vectors @ vector
        slots: Any = np.arange(len(cosines))
        if (mask := self._slots.allowed(allowed)) is not None:
            slots = np.flatnonzero(mask)
            cosines = cosines[slots]
        best = np.argpartition(-cosines, k)[:k] if len(slots) > k else np.arange(len(slots))
        best = best[np.argsort(-cosines[best], kind="stable")]
        return self._slots.ids[slots[best]], cosines[best]

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._vectors[self._slots.renumber(new)] = 0

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        return self._slots.hold(ids, vectors, self._vectors.astype("float16"))


def make_index(kind: str, dimension: int) -> VectorIndex:
    """Return an empty index.

    Parameters
    ----------
    kind : str
        ``flat``, ``hnsw`` or ``ivf``.
    dimension : int
        Of the vectors.

    Raises
    ------
    ConfigError
        If there is no such kind.
    MissingExtra
        If HNSW or IVF is asked for without faiss-cpu.

    Examples
    --------
    >>> len(make_index("flat", 512))
    0
    """
    if kind not in KINDS:
        raise ConfigError(f"index.kind: {kind!r} is not one of {', '.join(KINDS)}")
    if kind == "flat":
        return Flat(dimension)
    if not available():
        raise MissingExtra("faiss", "ann")
    from .approximate import Hnsw, Ivf

    return Hnsw(dimension) if kind == "hnsw" else Ivf(dimension)


def portions(kind: str, n: int) -> Iterator[slice]:
    """Return the portions in which `n` vectors are best added to a new index.

    Examples
    --------
    >>> [part.stop for part in portions("hnsw", 600)], len(list(portions("ivf", 600)))
    ([256, 512, 600], 1)
    """
    start, step = 0, _LEARN if kind == "ivf" else _CHUNK
    while start < n:
        yield slice(start, min(start + step, n))
        start, step = start + step, _CHUNK

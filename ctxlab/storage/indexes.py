"""Vector indexes behind one small interface: exact flat, HNSW and IVF (R93).

An index is a cache over one entity's rows. It lives in memory only, so an erasure has no file of it
to look for, and it can be dropped at any time: the database is what counts. Ids are small integers,
the places of rows on their shelf. The filter goes in with the question: what isn't allowed takes no
place among the best k.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]
    Found = tuple[Ids, NDArray[np.float32]]

__all__ = ["KINDS", "Flat", "Hnsw", "Ivf", "VectorIndex", "available", "make_index", "portions"]

KINDS = ("flat", "hnsw", "ivf")
_LINKS = 16  # neighbours a node keeps; 32 finds half a point more in twice the time
_BUILD = 100  # candidates looked at while a node is linked; 200 takes longer and finds no more
_CHUNK = 256  # vectors a portion: a tenth of a second, so that building can be stopped
_LEARN = 20_000  # that set the centres of an IVF; more take minutes and change little
_PER_LIST = 39  # vectors faiss wants per list before it calls a clustering sound


def available() -> bool:
    """Whether the package behind HNSW and IVF is installed."""
    return find_spec("faiss") is not None


def _faiss() -> Any:
    """Import it untyped: its stubs miss half of what it has."""
    return import_module("faiss")


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


class _Places:
    """Which id stands in which slot; a slot is never used twice."""

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
        self._places = _Places()
        self._vectors: Vectors = np.zeros((0, dimension), dtype=np.float32)

    def __len__(self) -> int:
        return self._places.live

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in vectors under new ids; an id that is there is replaced."""
        import numpy as np

        self.remove(ids)
        self._places.take(ids)
        self._vectors = np.concatenate([self._vectors, vectors.astype(np.float32)])

    def remove(self, ids: Ids) -> int:
        """Take vectors out, overwriting them; returns how many went."""
        slots = self._places.of(ids)
        self._places.free(slots)
        self._vectors[slots] = 0
        return len(slots)

    def search(
        self, vector: Vectors, k: int, allowed: NDArray[np.bool_] | None = None, effort: int = 0
    ) -> Found:
        """Return ids and cosines of the best k, best first; see `VectorIndex`."""
        import numpy as np

        cosines = self._vectors @ vector
        slots: Any = np.arange(len(cosines))
        if (mask := self._places.allowed(allowed)) is not None:
            slots = np.flatnonzero(mask)
            cosines = cosines[slots]
        best = np.argpartition(-cosines, k)[:k] if len(slots) > k else np.arange(len(slots))
        best = best[np.argsort(-cosines[best], kind="stable")]
        return self._places.ids[slots[best]], cosines[best]

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._vectors[self._places.renumber(new)] = 0

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        return _same(self._places, ids, vectors, self._vectors.astype("float16"))


class _Faiss:
    """What HNSW and IVF share: float16 vectors in faiss, and slots that it knows them by."""

    kind = ""

    def __init__(self, dimension: int) -> None:
        if not available():
            raise MissingExtra("faiss", "ann")
        self.dimension = dimension
        self._places = _Places()
        self._index: Any = None

    def __len__(self) -> int:
        return self._places.live

    def search(
        self, vector: Vectors, k: int, allowed: NDArray[np.bool_] | None = None, effort: int = 0
    ) -> Found:
        """Return ids and cosines of about the best k, best first; see `VectorIndex`."""
        import numpy as np

        faiss = _faiss()

        if self._index is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        mask = self._places.allowed(allowed)
        selector, bits = None, None
        if mask is not None:
            bits = np.packbits(mask, bitorder="little")  # held until the search is over
            selector = faiss.IDSelectorBitmap(bits)
        question = np.ascontiguousarray(vector, dtype=np.float32)[None]
        cosines, slots = self._index.search(question, k, params=self._params(selector, k, effort))
        found = slots[0] >= 0
        return self._places.ids[slots[0][found]], cosines[0][found]

    def _params(self, selector: Any, k: int, effort: int) -> Any:
        raise NotImplementedError


class Hnsw(_Faiss):
    """A graph of neighbours, walked towards the question (Malkov and Yashunin 2018).

    Nothing can leave such a graph: what is removed is overwritten with zeros and never found, and
    its node stays as a way to others. Its owner builds a new one when too many are gone.
    """

    kind = "hnsw"

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in vectors under new ids; an id that is there is replaced."""
        import numpy as np

        faiss = _faiss()

        self.remove(ids)
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        if self._index is None:
            half = faiss.ScalarQuantizer.QT_fp16  # exactly what the database holds
            self._index = faiss.IndexHNSWSQ(
                self.dimension, half, _LINKS, faiss.METRIC_INNER_PRODUCT
            )
            self._index.hnsw.efConstruction = _BUILD
            self._index.train(rows[:1])  # float16 has nothing to learn; faiss insists
        self._index.add(rows)
        self._places.take(ids)

    def remove(self, ids: Ids) -> int:
        """Take vectors out, overwriting them; returns how many went."""
        slots = self._places.of(ids)
        self._places.free(slots)
        self._wipe(slots)
        return len(slots)

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._wipe(self._places.renumber(new))

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        return _same(self._places, ids, vectors, self._codes())

    def _wipe(self, slots: Ids) -> None:
        if len(slots):
            self._codes()[slots] = 0

    def _codes(self) -> Any:
        """Return faiss's own float16 vectors (slots, dimension), not a copy."""
        import numpy as np

        faiss = _faiss()

        if self._index is None:
            return np.zeros((0, self.dimension), dtype=np.float16)
        store = faiss.downcast_index(self._index.storage)
        flat = faiss.rev_swig_ptr(store.codes.data(), store.ntotal * store.code_size)
        return flat.view(np.float16).reshape(store.ntotal, self.dimension)

    def _params(self, selector: Any, k: int, effort: int) -> Any:
        faiss = _faiss()

        return faiss.SearchParametersHNSW(sel=selector, efSearch=max(effort or 200, k))


class Ivf(_Faiss):
    """Vectors in lists around centres; only the lists nearest the question are looked into.

    Built in a fraction of the time of HNSW and smaller; finds less at the same speed. The first
    ``add`` sets the centres, so it should bring a good part of what there will be: `portions`.
    """

    kind = "ivf"

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in vectors under new ids; an id that is there is replaced."""
        import numpy as np

        faiss = _faiss()

        self.remove(ids)
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        if self._index is None:
            lists = max(1, min(int(4 * len(rows) ** 0.5), len(rows) // _PER_LIST))
            self._centres = faiss.IndexFlatIP(self.dimension)  # faiss doesn't keep it alive
            half = faiss.ScalarQuantizer.QT_fp16
            self._index = faiss.IndexIVFScalarQuantizer(
                self._centres, self.dimension, lists, half, faiss.METRIC_INNER_PRODUCT, False
            )
            self._index.train(rows)
            self._index.set_direct_map_type(faiss.DirectMap.Hashtable)
        first = len(self._places.ids)
        self._index.add_with_ids(rows, np.arange(first, first + len(rows)))
        self._places.take(ids)

    def remove(self, ids: Ids) -> int:
        """Take vectors out; returns how many went."""
        slots = self._places.of(ids)
        self._places.free(slots)
        self._delete(slots)
        return len(slots)

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._delete(self._places.renumber(new))

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        import numpy as np

        held = np.zeros((len(self._places.ids), self.dimension), dtype=np.float16)
        slots = self._places.of(ids)
        if len(slots):
            held[slots] = self._index.reconstruct_batch(slots)
        return _same(self._places, ids, vectors, held)

    @property
    def lists(self) -> int:
        """How many lists there are."""
        return 0 if self._index is None else int(self._index.nlist)

    def _delete(self, slots: Ids) -> None:
        faiss = _faiss()

        if len(slots):
            self._index.remove_ids(faiss.IDSelectorArray(slots))

    def _params(self, selector: Any, k: int, effort: int) -> Any:
        faiss = _faiss()

        looked = min(effort or self.lists // 4 + 1, self.lists)
        return faiss.SearchParametersIVF(sel=selector, nprobe=looked)


def _same(places: _Places, ids: Ids, vectors: Vectors, held: Any) -> NDArray[np.bool_]:
    import numpy as np

    known = (ids >= 0) & (ids < len(places.slots))
    slots = np.where(known, places.slots[np.where(known, ids, 0)] if len(places.slots) else -1, -1)
    found = slots >= 0
    same = np.zeros(len(ids), dtype=bool)
    same[found] = (held[slots[found]] == vectors[found].astype(np.float16)).all(axis=1)
    return same


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
    makers: dict[str, type[Flat] | type[Hnsw] | type[Ivf]] = {"flat": Flat, "hnsw": Hnsw}
    makers["ivf"] = Ivf
    if kind not in makers:
        raise ConfigError(f"index.kind: {kind!r} is not one of {', '.join(KINDS)}")
    return makers[kind](dimension)


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

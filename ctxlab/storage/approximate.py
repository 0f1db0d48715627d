"""Approximate indexes by faiss: a graph of neighbours, and lists around centres (R93)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .slots import Slots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Vectors = NDArray[np.float32]
    Found = tuple[Ids, NDArray[np.float32]]

__all__ = ["Hnsw", "Ivf"]

_LINKS = 16  # neighbours a node keeps; 32 finds half a point more in twice the time
_BUILD = 100  # candidates looked at while a node is linked; 200 takes longer and finds no more
_PER_LIST = 39  # vectors faiss wants per list before it calls a clustering sound


def _faiss() -> Any:
    """Import it untyped: its stubs miss half of what it has."""
    return import_module("faiss")


class _Faiss(ABC):
    """What HNSW and IVF share: float16 vectors in faiss, and slots that it knows them by."""

    kind = ""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._slots = Slots()
        self._index: Any = None

    def __len__(self) -> int:
        return self._slots.live

    def search(
        self, vector: Vectors, k: int, allowed: NDArray[np.bool_] | None = None, effort: int = 0
    ) -> Found:
        """Return ids and cosines of about the best k, best first; see `VectorIndex`."""
        import numpy as np

        faiss = _faiss()

        if self._index is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        mask = self._slots.allowed(allowed)
        selector, bits = None, None
        if mask is not None:
            bits = np.packbits(mask, bitorder="little")  # held until the search is over
            selector = faiss.IDSelectorBitmap(bits)
        question = np.ascontiguousarray(vector, dtype=np.float32)[None]
        cosines, slots = self._index.search(question, k, params=self._params(selector, k, effort))
        found = slots[0] >= 0
        return self._slots.ids[slots[0][found]], cosines[0][found]

    @abstractmethod
    def _params(self, selector: Any, k: int, effort: int) -> Any:
        """Return faiss's parameters of one search."""


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
        self._slots.take(ids)

    def remove(self, ids: Ids) -> int:
        """Take vectors out, overwriting them; returns how many went."""
        slots = self._slots.of(ids)
        self._slots.free(slots)
        self._wipe(slots)
        return len(slots)

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._wipe(self._slots.renumber(new))

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        return self._slots.hold(ids, vectors, self._codes())

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
        first = len(self._slots.ids)
        self._index.add_with_ids(rows, np.arange(first, first + len(rows)))
        self._slots.take(ids)

    def remove(self, ids: Ids) -> int:
        """Take vectors out; returns how many went."""
        slots = self._slots.of(ids)
        self._slots.free(slots)
        self._delete(slots)
        return len(slots)

    def renumber(self, new: Ids) -> None:
        """Give old id `i` the id ``new[i]``; -1 takes it out."""
        self._delete(self._slots.renumber(new))

    def holds(self, ids: Ids, vectors: Vectors) -> NDArray[np.bool_]:
        """Whether exactly these vectors, as float16, are held under these ids (n,)."""
        import numpy as np

        held = np.zeros((len(self._slots.ids), self.dimension), dtype=np.float16)
        slots = self._slots.of(ids)
        if len(slots):
            held[slots] = self._index.reconstruct_batch(slots)
        return self._slots.hold(ids, vectors, held)

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

"""The nearest known sentences: which of them a meaning resembles, and by how much.

A linear head weighs each word by what it mostly stands for, and "we neither eat nor drink by day
this month" is made of harmless words. Its nearest neighbours know better. What ships is small:
directions, and for each known clause one byte a direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxlab.errors import DataError
from ctxlab.language.heads import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["Neighbours", "load_neighbours"]

_DIRECTIONS = 128  # of 512; more told nothing on authors left out
_NEAREST = 5
_STEPS = 127.0  # a byte's worth on each side of zero
_AT_ONCE = 1000  # rows compared at a time, which bounds the memory of it


@dataclass(frozen=True)
class Neighbours:
    """Known clauses by class.

    Attributes
    ----------
    classes : tuple of str
        What they are sorted into; the last is what all others are compared with.
    directions : numpy.ndarray
        float32 (512, 128): projects a meaning.
    known : numpy.ndarray
        int8 (clauses, 128): projected, of length one, times ``_STEPS``.
    labels : numpy.ndarray
        int8 (clauses,): place in ``classes``.
    """

    classes: tuple[str, ...]
    directions: Array
    known: NDArray[np.int8]
    labels: NDArray[np.int8]

    @classmethod
    def of(cls, meaning: Array, labels: Sequence[str], classes: Sequence[str]) -> Neighbours:
        """Keep clauses as neighbours.

        Parameters
        ----------
        meaning : numpy.ndarray
            float32 (clauses, 512): rows of length one.
        labels : sequence of str
            The class of each.
        classes : sequence of str
            All classes, the harmless one last.
        """
        import numpy as np

        _, _, rows = np.linalg.svd(meaning[:: max(1, len(meaning) // 8000)], full_matrices=False)
        directions = np.ascontiguousarray(rows[:_DIRECTIONS].T, np.float32)
        known = np.rint(_unit(meaning @ directions) * _STEPS).astype(np.int8)
        places = np.array([list(classes).index(label) for label in labels], np.int8)
        return cls(tuple(classes), directions, known, places)

    def likeness(self, meaning: Array, apart: NDArray[np.bool_] | None = None) -> Array:
        """Tell how near the nearest of each class are: float32 (clauses, features).

        Parameters
        ----------
        meaning : numpy.ndarray
            float32 (clauses, 512).
        apart : numpy.ndarray, optional
            bool (clauses, known): neighbours that don't count, such as those of one's own author.

        Returns
        -------
        numpy.ndarray
            For each class the cosine of the nearest and the mean of the five nearest, then by how
            much each exceeds that of the harmless class, then the most of these.
        """
        import numpy as np

        parts = [
            self._likeness(
                meaning[start : start + _AT_ONCE],
                None if apart is None else apart[start : start + _AT_ONCE],
            )
            for start in range(0, max(1, len(meaning)), _AT_ONCE)
        ]
        return np.vstack(parts)

    def _likeness(self, meaning: Array, apart: NDArray[np.bool_] | None) -> Array:
        import numpy as np

        cosines = _unit(meaning @ self.directions) @ self._spread
        if apart is not None:
            cosines[apart[:, self._order]] = -1
        found = np.empty((len(meaning), len(self.classes), 2), np.float32)
        for place, (start, end) in enumerate(self._places):
            near = cosines[:, start:end]
            few = min(_NEAREST, near.shape[1])
            best = np.partition(near, near.shape[1] - few, axis=1)[:, -few:]
            found[:, place, 0], found[:, place, 1] = best.max(axis=1), best.mean(axis=1)
        more = (found[:, :-1] - found[:, -1:]).reshape(len(meaning), -1)
        return np.hstack([
            found.reshape(len(meaning), -1), more, more.max(axis=1, keepdims=True)
        ])  # fmt: skip

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        import numpy as np

        return np.argsort(self.labels, kind="stable")

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Where each class begins and ends once they are sorted."""
        import numpy as np

        ends = np.cumsum(np.bincount(self.labels, minlength=len(self.classes))).tolist()
        return list(zip([0, *ends[:-1]], ends, strict=True))

    @cached_property
    def _spread(self) -> Array:
        import numpy as np

        return np.ascontiguousarray((self.known[self._order] / np.float32(_STEPS)).T, np.float32)

    def save(self, path: Path) -> None:
        """Write the arrays."""
        import numpy as np

        np.savez_compressed(
            path, classes=np.array(self.classes), directions=self.directions.astype(np.float16),
            known=self.known, labels=self.labels,
        )  # fmt: skip

    @classmethod
    def load(cls, path: Path) -> Neighbours:
        """Read them back.

        Raises
        ------
        DataError
            If the file is missing or holds something else.
        """
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as file:
                held: dict[str, Any] = {name: file[name] for name in file.files}
            return cls(
                tuple(map(str, held["classes"])), held["directions"].astype(np.float32),
                held["known"], held["labels"],
            )  # fmt: skip
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"no known sentences in {path.name}: reinstall ctxlab, or run "
                "`python -m ctxlab.language.disclosure_fit` in a checkout"
            ) from error


@cache
def load_neighbours(name: str) -> Neighbours:
    """Load the neighbours that ship with the package, once per process.

    Examples
    --------
    >>> load_neighbours("neighbours").classes
    ('health', 'special', 'minor', 'none')
    """
    return Neighbours.load(WEIGHTS / f"{name}.npz")


def _unit(rows: Array) -> Array:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), np.float32)

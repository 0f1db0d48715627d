"""Small boosted trees that say yes or no: fitted with scikit-learn, kept as plain arrays.

Counts and cues act together ("said again" means one thing after a question and another in a price
list), which a sum can't weigh and a small network overfits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxlab.errors import DataError
from ctxlab.language.heads import WEIGHTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Forest", "load_forest"]

_ARRAYS = ("roots", "feature", "threshold", "left", "right", "value")


@dataclass(frozen=True)
class Forest:
    """Trees over rows of numbers, side by side in flat arrays.

    Attributes
    ----------
    roots : numpy.ndarray
        int32 (trees,): the node at which each begins.
    feature, left, right : numpy.ndarray
        int32 (nodes,): which number is asked for, and where to go; a leaf leads to itself.
    threshold, value : numpy.ndarray
        float32 (nodes,): a number up to the threshold goes left; what a leaf adds, in logits.
    depth : int
        Steps from a root to the farthest leaf.
    base : float
        What all trees add to, in logits.
    temperature, shift : float
        Calibration: the chance of yes is ``sigmoid(logit / temperature + shift)``.
    extra : dict
        Settings that belong to it: thresholds, what it was fitted on.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    depth: int
    base: float = 0.0
    temperature: float = 1.0
    shift: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)

    def logits(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Score rows, before calibration: float32 (rows,)."""
        import numpy as np

        node = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = rows[row, self.feature[node]] <= self.threshold[node]
            node = np.where(goes_left, self.left[node], self.right[node])
        return np.asarray(self.base + self.value[node].sum(axis=1), np.float32)

    def yes(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give the calibrated chance of yes, float32 (rows,)."""
        import numpy as np

        scores = self.logits(rows) / self.temperature + self.shift
        return np.asarray(1 / (1 + np.exp(-scores)), np.float32)

    def save(self, path: Path) -> None:
        """Write the arrays."""
        import numpy as np

        facts = {
            "depth": self.depth, "base": self.base, "temperature": self.temperature,
            "shift": self.shift, "extra": self.extra,
        }  # fmt: skip
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            path,
            facts=np.array(json.dumps(facts)),
            **{name: getattr(self, name) for name in _ARRAYS},
        )

    @classmethod
    def load(cls, path: Path) -> Forest:
        """Read a forest back.

        Raises
        ------
        DataError
            If the file is missing or holds no forest.
        """
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in _ARRAYS}
                facts = json.loads(str(file["facts"]))
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"no fitted trees in {path.name}: reinstall ctxlab, or run "
                "`python -m ctxlab.language.bearing_fit` in a checkout"
            ) from error
        return cls(**arrays, **facts)


@cache
def load_forest(name: str) -> Forest:
    """Load a forest that ships with the package, once per process.

    Examples
    --------
    >>> load_forest("bearing_weight").depth > 0
    True
    """
    return Forest.load(WEIGHTS / f"{name}.npz")

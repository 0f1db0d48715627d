"""Fitted heads: small classifiers over features, run in numpy, with their evidence.

`ctxlab.language.fit` makes them with scikit-learn; what ships is arrays alone (``weights/*.npz``,
never a pickle), so that inference needs neither scikit-learn nor trust in the file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxlab.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

__all__ = ["Grams", "Head", "load_head", "softmax"]

WEIGHTS = Path(__file__).with_name("weights")


class Grams(list[str]):
    """N-grams of a text, hashed once for all heads that read them."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """Their hashes (n-grams,)."""
        import numpy as np

        return np.array([_code(gram) for gram in self], np.int64)


@dataclass(frozen=True)
class Head:
    """A calibrated classifier: one linear layer or a small MLP, plus a table of n-grams.

    Attributes
    ----------
    classes : tuple of str
        What it tells apart.
    mean, scale : numpy.ndarray
        float32 (features,): inputs are ``(x - mean) * scale``, clipped to ``clip`` either way.
    layers : tuple of (numpy.ndarray, numpy.ndarray)
        Weights (inputs, outputs) and biases (outputs,); ReLU between layers.
    table : numpy.ndarray
        float32 (n-grams, classes): what each n-gram adds; no rows if it reads none.
    keys : numpy.ndarray or None
        int64 (n-grams,), sorted: hashes of the n-grams that have a row, all others counting for
        nothing. Without it n-grams share rows, by the rest of their hash over the number of rows.
    sorts : tuple of str
        What the columns of the last layer and of the table stand for, if more than the classes:
        each is a class, or a sort of one ("fact:agent" is a fact). Sorts are told apart and then
        summed, as two sorts of one class may have nothing in common but that.
    power : float
        An n-gram of a text counts 1 / (how many are known) ** ``power``: long texts mustn't shout.
    temperature, shift : float, numpy.ndarray
        Calibration: probabilities are ``softmax(logits / temperature + shift)``.
    extra : dict
        Settings that belong to the head: thresholds, what it was fitted on.
    examples : numpy.ndarray or None
        float32 (rows, dimension): meanings of the training sentences in ``extra["examples"]``,
        for heads that explain themselves by the nearest of them.
    """

    classes: tuple[str, ...]
    mean: Array
    scale: Array
    layers: tuple[tuple[Array, Array], ...]
    table: Array
    temperature: float = 1.0
    shift: Array | float = 0.0
    clip: float = 6.0
    extra: dict[str, Any] = field(default_factory=dict)
    examples: Array | None = None
    keys: NDArray[np.int64] | None = None
    power: float = 0.5
    sorts: tuple[str, ...] = ()

    def logits(self, dense: Array, grams: Sequence[Sequence[str]] = ()) -> Array:
        """Score classes, or their sorts, before calibration: float32 (texts, columns)."""
        import numpy as np

        values = self._standard(dense)
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self.layers[-1]
        scores: Array = values @ weights + bias
        for row, found in enumerate(grams if len(self.table) else ()):
            scores[row] += self._gram_rows(found).sum(axis=0)
        return scores

    def probabilities(self, dense: Array, grams: Sequence[Sequence[str]] = ()) -> Array:
        """Give calibrated probabilities, float32 (texts, classes); rows sum to one."""
        return self.summed(self.fine(dense, grams))

    def fine(self, dense: Array, grams: Sequence[Sequence[str]] = ()) -> Array:
        """Give calibrated probabilities of the sorts, float32 (texts, columns)."""
        return softmax(self.logits(dense, grams) / self.temperature + self.shift)

    def summed(self, fine: Array) -> Array:
        """Sum the probabilities of sorts by class, float32 (texts, classes)."""
        import numpy as np

        if not self.sorts:
            return fine
        sums = [fine[:, self._columns(name)].sum(axis=1) for name in self.classes]
        return np.stack(sums, axis=1)

    def yes(self, dense: Array, grams: Sequence[Sequence[str]] = ()) -> Array:
        """Give the chance of yes, float32 (texts,)."""
        return self.meant(self.fine(dense, grams))

    def meant(self, fine: Array) -> Array:
        """Sum the probabilities of all that means yes, float32 (texts,).

        They are named in ``extra["yes"]``, else there is one called "yes". A head that must tell
        two sorts of yes apart from several sorts of no learns more than one told yes and no alone.
        """
        import numpy as np

        names = self.sorts or self.classes
        columns = [names.index(name) for name in self.extra.get("yes", ("yes",))]
        return np.asarray(fine[:, columns].sum(axis=1), np.float32)

    def _columns(self, name: str) -> list[int]:
        found = self.sorts or self.classes
        return [i for i, sort in enumerate(found) if sort.partition(":")[0] == name]

    def evidence(
        self, dense: Array, grams: Sequence[str], winner: str, names: Sequence[str]
    ) -> dict[str, float]:
        """Say what speaks for a class over the average of the others, in logits, by input.

        Parameters
        ----------
        dense : numpy.ndarray
            float32 (features,): one text.
        grams : sequence of str
            Its n-grams; each counts under its own text.
        winner : str
            The class to explain.
        names : sequence of str
            Names of the features; what comes before the first ":" of "group:number" is summed
            into one entry per group, since a single dimension of an embedding means nothing.

        Raises
        ------
        DataError
            If the head has hidden layers, whose output is no sum over inputs.
        """
        import numpy as np

        if len(self.layers) > 1:
            raise DataError("a head with hidden layers can't be taken apart into evidence")
        (weights, bias), values = self.layers[0], self._standard(dense[None])[0]
        rows = self._gram_rows(grams) if len(self.table) else self.table
        scores = values @ weights + bias + rows.sum(axis=0)
        column = max(self._columns(winner), key=lambda place: float(scores[place]))
        keys, group = _groups(tuple(names))
        gains = values * _margin(weights, column)
        sums = np.bincount(group, weights=gains, minlength=len(keys))
        found = {key: float(gain) for key, gain in zip(keys, sums, strict=True)}
        if len(rows):
            gains = _margin(rows, column)
            found |= {gram: float(gain) for gram, gain in zip(grams, gains, strict=True)}
        return found

    def save(self, path: Path) -> None:
        """Write the arrays, as float16 where that is precise enough, of n-grams a byte."""
        import numpy as np

        arrays: dict[str, Any] = {
            "mean": self.mean, "scale": self.scale, "shift": np.asarray(self.shift, np.float32),
            "table": self.table.astype(np.float16),
        }  # fmt: skip
        if self.keys is not None:
            step = np.maximum(np.abs(self.table).max(axis=0), 1e-9) / 127
            arrays |= {"table": np.round(self.table / step).astype(np.int8), "step": step}
        if self.examples is not None:
            arrays["examples"] = self.examples.astype(np.float16)
        for number, (weights, bias) in enumerate(self.layers):
            arrays |= {f"weights{number}": weights.astype(np.float16), f"bias{number}": bias}
        if self.keys is not None:
            arrays["keys"] = self.keys.astype(np.uint32)
        facts = {
            "classes": self.classes, "temperature": self.temperature, "clip": self.clip,
            "power": self.power, "sorts": self.sorts,
        }  # fmt: skip
        arrays["facts"] = np.array(json.dumps(facts | {"extra": self.extra}, ensure_ascii=False))
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> Head:
        """Read a head back.

        Raises
        ------
        DataError
            If the file is missing or no head.
        """
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            facts = json.loads(str(arrays.pop("facts")))
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"no fitted head in {path.name}: reinstall ctxlab, or run "
                "`python -m ctxlab.language.fit` in a checkout"
            ) from error
        keys = arrays.pop("keys", None)
        arrays = {name: array.astype(np.float32) for name, array in arrays.items()}
        table = arrays["table"] * arrays["step"] if "step" in arrays else arrays["table"]
        depth = sum(name.startswith("weights") for name in arrays)
        return cls(
            classes=tuple(facts["classes"]),
            mean=arrays["mean"],
            scale=arrays["scale"],
            layers=tuple((arrays[f"weights{i}"], arrays[f"bias{i}"]) for i in range(depth)),
            table=table,
            temperature=facts["temperature"],
            shift=arrays["shift"],
            clip=facts["clip"],
            extra=facts["extra"],
            examples=arrays.get("examples"),
            keys=None if keys is None else keys.astype(np.int64),
            power=facts.get("power", 0.5),
            sorts=tuple(facts.get("sorts", ())),
        )

    def _standard(self, dense: Array) -> Array:
        import numpy as np

        # A text unlike all training texts must not drive a logit without bound.
        clipped: Array = np.clip((dense - self.mean) * self.scale, -self.clip, self.clip)
        return clipped

    def known(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the rows of those hashed n-grams that have one, int64 (known n-grams,)."""
        places, known = self._look_up(codes)
        return places[known]

    def _look_up(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        import numpy as np

        keys = np.zeros(0, np.int64) if self.keys is None else self.keys
        places = np.minimum(np.searchsorted(keys, codes), len(keys) - 1)
        return places, keys[places] == codes

    def _gram_rows(self, grams: Sequence[str]) -> Array:
        import numpy as np

        codes = (grams if isinstance(grams, Grams) else Grams(grams)).codes
        if self.keys is None:
            rows, count = self.table[codes % len(self.table)], len(codes)
        else:
            places, known = self._look_up(codes)
            rows, count = self.table[places] * known[:, None], int(known.sum())
        return np.asarray(rows / max(1, count) ** self.power, np.float32)


@cache
def load_head(name: str) -> Head:
    """Load a head that ships with the package, once per process.

    Examples
    --------
    >>> load_head("refers").classes
    ('no', 'yes')
    """
    return Head.load(WEIGHTS / f"{name}.npz")


def _code(gram: str) -> int:
    # The same on every machine, unlike ``hash``.
    return zlib.crc32(gram.encode("utf-8", "replace"))


def softmax(logits: Array) -> Array:
    """Turn logits (texts, classes) into probabilities."""
    import numpy as np

    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


@cache
def _groups(names: tuple[str, ...]) -> tuple[list[str], NDArray[np.int64]]:
    """Give the distinct keys of evidence, and for each feature the number of its key."""
    import numpy as np

    keys = [n.partition(":")[0] if n.partition(":")[2].isdigit() else n for n in names]
    distinct = list(dict.fromkeys(keys))
    number = {key: i for i, key in enumerate(distinct)}
    return distinct, np.array([number[key] for key in keys])


def _margin(parts: Array, column: int) -> Array:
    others = (parts.sum(axis=1) - parts[:, column]) / (parts.shape[1] - 1)
    margin: Array = parts[:, column] - others
    return margin

"""A read router with weights in place of R60's rules (R62); ``ctxlab.evals.routing`` fits them.

Five numbers a mode: small enough to read, quick enough to need no numpy.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import DataError
from .routing import MODES, Router

__all__ = ["FEATURES", "FittedRouter", "route_features"]

FEATURES = ("log turns", "fits", "refers back", "long and refers back")
_FARTHEST = 200  # turns; a flip farther away than this is no news
_WEIGHTS = Path(__file__).with_name("fitted_router.json")


def route_features(turns: int, fits: bool, refers_back: bool) -> tuple[float, ...]:
    """Return what the weights multiply, one number for each of `FEATURES`.

    Turns enter as a logarithm: the step from 5 to 10 matters as much as the one from 50 to 100.

    Examples
    --------
    >>> route_features(1, True, False)
    (0.0, 1.0, 0.0, 0.0)
    """
    length, refers = math.log(max(turns, 1)), float(refers_back)
    return (length, float(fits), refers, length * refers)


@dataclass(frozen=True, kw_only=True)
class FittedRouter(Router):
    """A `Router` that decides by a softmax over `FEATURES`; the hook `decide` works as before.

    Parameters
    ----------
    classes : tuple of str
        Modes it may choose.
    weights : tuple of tuple of float
        For each class, one weight a feature.
    biases : tuple of float
        One a class.

    Examples
    --------
    >>> plain = ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    >>> router = FittedRouter(classes=("EXHAUSTIVE", "SUMMARY"), weights=plain, biases=(3.0, 0.0))
    >>> router(turns=20, fits=True).nearest_flip
    'at 21 turns this would be SUMMARY'
    """

    classes: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    biases: tuple[float, ...]

    def __post_init__(self) -> None:
        shapes = {len(row) for row in self.weights}
        if len({len(self.classes), len(self.weights), len(self.biases)}) > 1 or shapes != {
            len(FEATURES)
        }:
            raise DataError(
                f"{len(self.classes)} classes need as many biases and rows of {len(FEATURES)} "
                f"weights; got {len(self.biases)} and {len(self.weights)} of {sorted(shapes)}"
            )
        if unknown := set(self.classes) - set(MODES):
            raise DataError(f"no mode {sorted(unknown)}; there are {', '.join(MODES)}")

    @classmethod
    def load(cls, path: str | Path = _WEIGHTS, **given: Any) -> FittedRouter:
        """Read weights from JSON; by default those that come with ctxlab.

        Parameters
        ----------
        path : str or pathlib.Path
            A file that ``save`` wrote.
        **given
            ``config`` and ``decide``, as for `Router`.

        Raises
        ------
        DataError
            If the file is missing or holds something else.
        """
        try:
            body = json.loads(Path(path).read_text(encoding="utf-8"))
            classes, weights = tuple(body["classes"]), tuple(map(tuple, body["weights"]))
            biases = tuple(body["biases"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path}: no router's weights ({error!r:.100})") from error
        return cls(classes=classes, weights=weights, biases=biases, **given)

    def save(self, path: str | Path = _WEIGHTS) -> None:
        """Write the weights as JSON, with the names of the features for the reader's sake."""
        body = {"features": FEATURES, "classes": self.classes, "biases": self.biases}
        rows = ",\n  ".join(json.dumps(row) for row in self.weights)
        text = f'{json.dumps(body)[:-1]},\n "weights": [\n  {rows}\n ]}}\n'
        Path(path).write_text(text, encoding="utf-8")

    def probabilities(self, turns: int, fits: bool, refers_back: bool) -> dict[str, float]:
        """Return the probability of each mode being the one that is needed."""
        x = route_features(turns, fits, refers_back)
        logits = [
            b + sum(w * value for w, value in zip(row, x, strict=True))
            for row, b in zip(self.weights, self.biases, strict=True)
        ]
        top = max(logits)
        grown = [math.exp(logit - top) for logit in logits]
        return dict(zip(self.classes, (g / sum(grown) for g in grown), strict=True))

    def _rule(
        self, turns: int, fits: bool, refers_back: bool, cues: tuple[str, ...]
    ) -> tuple[str, list[str]]:
        """Choose the likeliest mode; the reasons are what speaks for it over the runner-up."""
        chances = self.probabilities(turns, fits, refers_back)
        first, *others = sorted(self.classes, key=lambda mode: -chances[mode])
        reasons = [f"fitted: {first} was needed in {chances[first]:.0%} of such cases"]
        if others:
            ours, theirs = (self.weights[self.classes.index(m)] for m in (first, others[0]))
            x = route_features(turns, fits, refers_back)
            gains = [(a - b) * v for a, b, v in zip(ours, theirs, x, strict=True)]
            pairs = sorted(zip(gains, FEATURES, strict=True), reverse=True)
            told = [f"{name} {gain:+.1f}" for gain, name in pairs if gain > 0]
            if told:
                reasons.append(f"for it against {others[0]}: {', '.join(told)}")
        if refers_back and cues:
            reasons.append(f"the message refers to the past ({', '.join(cues)})")
        return first, reasons

    def _flip(self, mode: str, turns: int, fits: bool, refers_back: bool) -> str:
        """Try the nearest numbers of turns first, then the two switches."""
        for away in range(1, _FARTHEST):
            for at in (turns - away, turns + away):
                other, _ = self._rule(max(at, 1), fits, refers_back, ())
                if at > 0 and other != mode:
                    return f"at {at} turns this would be {other}"
        other, _ = self._rule(turns, fits, not refers_back, ())
        if other != mode:
            return f"with{'out' * refers_back} a reference to the past this would be {other}"
        other, _ = self._rule(turns, not fits, refers_back, ())
        if other != mode:
            return f"if the history {'did not fit' if fits else 'fitted'} this would be {other}"
        return f"no change within {_FARTHEST} turns gives another mode than {mode}"

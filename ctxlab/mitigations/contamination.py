"""Contamination: a feeling fades, a fact stays; decided at read, from kind and age (R90)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..config import Decay
from ..errors import ConfigError
from ..types import KINDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..language.labelling import StatementLabel

__all__ = ["CURVES", "Fade", "activation", "decay_weight", "settle"]

CURVES = ("exponential", "power", "act-r")

# An old event did happen, an old preference was meant: age moves them down the list but keeps
# most of their relevance. A feeling keeps none of it.
_LASTING = 0.7
_FELT = "emotion"
_SURE = 0.5  # below this a guess that something is small talk doesn't lose it


def decay_weight(
    age_days: float,
    kind: str,
    curve: str = "exponential",
    half_life_days: float | None = None,
    uses: int = 0,
    last_use_days: float | None = None,
) -> float:
    """Return what age leaves of a memory's weight: 1 when new, 0.5 at its half-life (R90).

    Parameters
    ----------
    age_days : float
        Days since it was last said; negative counts as 0.
    kind : str
        Kind of record; one without a half-life doesn't fade.
    curve : str
        ``"exponential"``, ``"power"`` (slower in the end) or ``"act-r"`` (each use refreshes it).
    half_life_days : float, optional
        In place of the default for `kind`.
    uses, last_use_days : int, float
        How often and how many days ago it was read; only ACT-R heeds them.

    Raises
    ------
    ConfigError
        If there is no such curve.

    References
    ----------
    Anderson and Schooler 1991 (act-r: chance of need from the sum of t ** -0.5 over uses);
    Wixted and Ebbesen 1991 (power law of forgetting).

    Examples
    --------
    >>> decay_weight(7, "emotion"), decay_weight(7, "fact")
    (0.5, 1.0)
    >>> round(decay_weight(70, "emotion", "power"), 2)
    0.18
    """
    import numpy as np

    if half_life_days is None:
        half_life_days = Decay().half_life_days.get(kind, np.inf)
    last = age_days if last_use_days is None else last_use_days
    one = [np.array([x], dtype=float) for x in (age_days, half_life_days, uses, last)]
    return float(_curve(curve, *one)[0])


def _curve(curve: str, age: Any, half: Any, uses: Any, last: Any) -> NDArray[np.float64]:
    """Return weights (n,) from ages and half-lives in days, uses, and days since the last use."""
    import numpy as np

    age = np.maximum(age, 0.0)
    if curve == "exponential":
        return np.asarray(0.5 ** (age / half))
    if curve == "power":
        return np.asarray((1 + 3 * age / half) ** -0.5)
    if curve == "act-r":
        odds = activation(age, uses, last)
        return np.asarray(odds / (odds + half**-0.5))
    raise ConfigError(f"decay.curve: {curve!r} is not one of {', '.join(CURVES)}")


def activation(age: Any, uses: Any, last: Any) -> NDArray[np.float64]:
    """Return the sum of t ** -0.5 over a memory's making and uses (n,), in days.

    References
    ----------
    Petrov 2006: the last use exactly, the others as if spread evenly; so a count is enough.
    """
    import numpy as np

    age = np.maximum(age, 1e-6)
    last = np.clip(np.where(uses > 0, last, age), 1e-6, age)
    spread = np.where(age > last, 2 * (age**0.5 - last**0.5) / np.maximum(age - last, 1e-12), 0)
    return np.asarray(last**-0.5 + uses * np.where(age > last, spread, last**-0.5))


@dataclass(frozen=True)
class Fade:
    """What age leaves of relevance, for many records at once.

    Parameters
    ----------
    config : Decay
        Curve and half-lives in days.
    on : bool
        Off: nothing fades, and feelings show in profiles.

    Examples
    --------
    >>> import numpy as np
    >>> fade = Fade()
    >>> day = np.array([30.0, 30.0])
    >>> half = np.array([fade.half_life("emotion"), fade.half_life("fact")])
    >>> fade(day, half, np.array([0.0, 0.7]), np.zeros(2), day).round(2).tolist()
    [0.05, 1.0]
    """

    config: Decay = field(default_factory=Decay)
    on: bool = True

    def half_life(self, kind: str) -> float:
        """Return the half-life of a kind in days; infinite if it doesn't fade."""
        return self.config.half_life_days.get(kind, float("inf")) if self.on else float("inf")

    def lasting(self, kind: str) -> float:
        """Return the share of relevance that age can't take from a kind."""
        return 0.0 if kind == _FELT else _LASTING

    def __call__(
        self, age: Any, half: Any, lasting: Any, uses: Any, last: Any
    ) -> NDArray[np.float64]:
        """Return weights (n,) in [0, 1]; ages in days."""
        import numpy as np

        weight = _curve(self.config.curve, age, half, uses, last)
        return np.asarray(lasting + (1 - lasting) * weight)

    def in_profile(self, kind: str) -> bool:
        """Whether a kind may stand in a customer's profile: never a feeling."""
        return not self.on or kind != _FELT


def settle(label: StatementLabel) -> tuple[str | None, str]:
    """Return the kind to store a statement under, and why; None: it says nothing (R30)."""
    if label.kind != "chitchat":
        return label.kind, f"label {label.kind} at {label.confidence:.2f}"
    if label.confidence >= _SURE or not label.scores:
        return None, f"small talk at {label.confidence:.2f}: nothing to remember"
    best = max(KINDS, key=lambda kind: label.scores.get(kind, 0.0))
    return best, f"perhaps small talk ({label.confidence:.2f}), kept as {best}"

"""Intervals: how far a rate that was measured on a few cases can be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist

from ..errors import DataError

__all__ = ["Rate", "wilson"]


def wilson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Give Wilson's score interval of a proportion.

    Unlike ``p ± z·s`` it stays within [0, 1] and keeps its width at 0 of n and n of n, which is
    where a good mitigation and a bad baseline lie.

    Parameters
    ----------
    successes : int
        Cases in which the thing happened, 0 to ``n``.
    n : int
        Cases looked at. None at all says nothing: the interval is then (0, 1).
    confidence : float
        Coverage, between 0 and 1 (both excluded).

    Returns
    -------
    (float, float)
        Low and high end of the proportion, each in [0, 1].

    Raises
    ------
    DataError
        If the counts can't be, or the confidence is out of range.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927), 209-212.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    >>> [round(end, 3) for end in wilson(0, 20)]
    [0.0, 0.161]
    """
    if not 0 <= successes <= n:
        raise DataError(f"{successes} of {n}: give successes from 0 to n")
    if not 0 < confidence < 1:
        raise DataError(f"confidence {confidence}: give a number between 0 and 1, such as 0.95")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At the ends rounding may pass the border by a hair, or stop a hair short of it.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return low, high


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, with Wilson's 95 % interval.

    Parameters
    ----------
    hits, n : int
        Cases in which it happened, and cases looked at.

    Examples
    --------
    >>> rate = Rate(8, 10)
    >>> rate.value, str(rate)
    (0.8, '8/10 = 80 % (49 to 94 %)')
    """

    hits: int
    n: int

    @classmethod
    def of(cls, happened: Iterable[bool]) -> Rate:
        """Count truth values."""
        seen = [bool(one) for one in happened]
        return cls(sum(seen), len(seen))

    @property
    def value(self) -> float:
        """The share, 0 to 1; not a number if nothing was looked at."""
        return self.hits / self.n if self.n else nan

    @property
    def low(self) -> float:
        """Low end of the interval."""
        return wilson(self.hits, self.n)[0]

    @property
    def high(self) -> float:
        """High end of the interval."""
        return wilson(self.hits, self.n)[1]

    def __str__(self) -> str:
        if not self.n:
            return "0 of 0"
        share, low, high = (f"{100 * x:.0f}" for x in (self.value, self.low, self.high))
        return f"{self.hits}/{self.n} = {share} % ({low} to {high} %)"

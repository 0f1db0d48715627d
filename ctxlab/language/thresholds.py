"""From which chance on a head says yes: the operating point, by cross-validation over authors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ctxlab.language.labelling import LOW_CONFIDENCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ctxlab.language.heads import Head

__all__ = ["PRIVATE_SHARE", "Beside", "beside_kind", "best_threshold"]

PRIVATE_SHARE = 0.13
"""Share of private statements where an author wrote a domain as it comes (A to D).

Later authors were asked for more of them, up to six in ten. At such a share a false alarm costs
little, and a threshold chosen there raises too many where people talk as they do."""

_STEPS = np.round(np.arange(0.25, 0.76, 0.05), 2)


@dataclass(frozen=True)
class Beside:
    """What else decides whether a statement is private.

    Attributes
    ----------
    chances : numpy.ndarray
        float32 (rows,): another opinion, averaged with the head's own.
    sure : numpy.ndarray
        bool (rows,): private whatever the chances, as what is felt or hardly understood.
    """

    chances: NDArray[np.float32]
    sure: NDArray[np.bool_]


def beside_kind(head: Head, unseen: NDArray[np.float32]) -> Beside:
    """Give what the head "kind" has to say of privacy.

    Parameters
    ----------
    head : Head
        The fitted head.
    unseen : numpy.ndarray
        float32 (rows, sorts): its chances, before the shift, of rows it hadn't seen.
    """
    fine = unseen * np.exp(head.shift)
    fine = np.asarray(fine / fine.sum(axis=1, keepdims=True), np.float32)
    kinds = head.summed(fine)
    felt = kinds.argmax(axis=1) == head.classes.index("emotion")
    return Beside(head.meant(fine), felt | (kinds.max(axis=1) < LOW_CONFIDENCE))


def best_threshold(
    chances: NDArray[np.float32],
    truth: NDArray[np.bool_],
    folds: Sequence[tuple[Sequence[int], Sequence[int]]],
    *,
    sure: NDArray[np.bool_] | None = None,
    share: float | None = None,
    cautious: bool = False,
) -> float:
    """Find the threshold of the best F1, each author counting alike however much they wrote.

    Parameters
    ----------
    chances : numpy.ndarray
        float32 (rows,): chance of yes.
    truth : numpy.ndarray
        bool (rows,).
    folds : sequence of (fit rows, check rows)
        The check rows of each are an author's.
    sure : numpy.ndarray, optional
        bool (rows,): yes whatever the chance.
    share : float, optional
        Weigh the rows of each author so that this share of them is true; as they are by default.
    cautious : bool
        Whether a needless yes is better than a needless no.

    Returns
    -------
    float
        Between .25 and .75.
    """
    counts = np.ones(len(truth))
    for _, rows in folds:
        own = truth[rows].mean()
        if share is not None and 0 < own < 1:
            counts[rows] = np.where(truth[rows], share / own, (1 - share) / (1 - own))
    sure = np.zeros(len(truth), bool) if sure is None else sure
    scores = [
        float(np.mean([_f1(truth[r], sure[r] | (chances[r] >= step), counts[r]) for _, r in folds]))
        for step in _STEPS
    ]
    # Neighbouring thresholds differ by noise: take the middle of those within half a point, or the
    # lowest if doubt means yes.
    good = _STEPS[np.array(scores) >= max(scores) - 0.005]
    return float(good[0 if cautious else len(good) // 2])


def _f1(truth: NDArray[np.bool_], said: NDArray[np.bool_], counts: NDArray[np.float64]) -> float:
    both = 2 * float(counts[truth & said].sum())
    return both / max(1e-9, float(counts[truth].sum() + counts[said].sum()))

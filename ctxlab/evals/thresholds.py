"""Fit a minimum score on labelled pairs: which precision costs which recall? (R41).

Scores of different models can't be compared, so each embedder needs a threshold of its own, and
so does each kind of text. The operating point is chosen on all pairs; how good it is, is told by
pairs that it wasn't chosen on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Config
from ..errors import DataError
from .intervals import Rate
from .labelled_pairs import read_pairs, score_pairs

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["Objective", "ThresholdFit", "fit_threshold"]

_RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class Objective:
    """What makes a threshold the best: a precision to hold, or F-beta.

    Parameters
    ----------
    precision : float, optional
        The most recall among thresholds with at least this precision, 0 to 1.
    beta : float
        Without `precision`: the highest F-beta; above 1 recall counts more, below 1 precision.

    Examples
    --------
    >>> import numpy as np
    >>> scores, labels = np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True])
    >>> Objective(precision=1.0)(scores, labels), Objective(beta=2.0)(scores, labels)
    (0.9, 0.4)
    """

    precision: float | None = None
    beta: float = 1.0

    def __call__(self, scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float | None:
        """Return the lowest score that comes in; None if no threshold has that precision."""
        import numpy as np

        cuts, precision, recall = curve_of(scores, labels)
        if self.precision is not None:
            good = np.flatnonzero(precision >= self.precision - 1e-12)
            return float(cuts[good[0]]) if len(good) else None  # lowest cut, so most recall
        # Of equals the highest: it lets in the least.
        worth = f_beta(precision, recall, self.beta)
        return float(cuts[len(cuts) - 1 - int(np.argmax(worth[::-1]))])

    def __str__(self) -> str:
        if self.precision is not None:
            return f"most recall at a precision of {self.precision:.0%} or more"
        return f"highest F{self.beta:g}"


@dataclass(frozen=True)
class ThresholdFit:
    """A fitted minimum score, and what speaks for it.

    Attributes
    ----------
    threshold : float
        Minimum score, 0 to 1, for ``semantic.min_score``.
    low, high : float
        95% of the thresholds that resampled questions give.
    precision, recall : Rate
        Held out: each pair judged by a threshold that was fitted without its question.
    fitted_precision, fitted_recall : float
        On the pairs it was fitted on, for comparison; they flatter.
    curve : pandas.DataFrame
        ``threshold precision recall f`` over all pairs, lowest first; `f` is F-beta, F1 if the
        objective is a precision.
    pairs, questions : int
        How many pairs, of how many questions.
    embedder : str
        The model's signature, or ``words``.
    mode : str
        ``dense``, ``keyword`` or ``hybrid``.
    """

    threshold: float
    low: float
    high: float
    precision: Rate
    recall: Rate
    fitted_precision: float
    fitted_recall: float
    curve: pd.DataFrame = field(repr=False)
    pairs: int
    questions: int
    embedder: str
    mode: str
    objective: Objective

    def config(self, base: Config | None = None) -> Config:
        """Return settings in which this is the minimum score, for this mode."""
        changes = {"semantic.min_score": round(self.threshold, 4), "semantic.mode": self.mode}
        return (base or Config()).with_(changes)

    def save(self, path: str | Path, base: Config | None = None) -> None:
        """Write `config` as TOML; an engine loads it with ``Config.load(path)``."""
        self.config(base).save(path)

    def to_frame(self) -> pd.DataFrame:
        """Return the fit as one row, to lay beside other embedders'."""
        import pandas as pd

        row = {
            "embedder": self.embedder,
            "mode": self.mode,
            "threshold": self.threshold,
            "low": self.low,
            "high": self.high,
            "precision": self.precision.value,
            "precision_low": self.precision.low,
            "precision_high": self.precision.high,
            "recall": self.recall.value,
            "recall_low": self.recall.low,
            "recall_high": self.recall.high,
            "pairs": self.pairs,
        }
        return pd.DataFrame([row])

    def plot(self) -> Figure:
        """Draw precision and recall against the minimum score, and the operating point.

        Raises
        ------
        MissingExtra
            Without matplotlib.
        """
        from ..errors import MissingExtra

        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtra("matplotlib", "lab") from error
        drawn = Figure(figsize=(6.0, 3.6), layout="constrained")
        axes = drawn.add_subplot()
        steps: Any = {"drawstyle": "steps-pre"}
        axes.plot(self.curve["threshold"], self.curve["precision"], "#0072B2", **steps)
        axes.plot(self.curve["threshold"], self.curve["recall"], "#D55E00", ls="--", **steps)
        axes.axvspan(self.low, self.high, color="0.9", zorder=0)
        axes.axvline(self.threshold, color="0.3")
        axes.set(
            xlabel="minimum score (0 to 1)",
            ylabel="share of pairs (0 to 1)",
            ylim=(0, 1.02),
            title=f"{self.threshold:.2f}: {self.objective}",
        )
        names = ["precision", "recall", "95% of resampled thresholds", "fitted threshold"]
        axes.legend(names, loc="lower left", fontsize="small")
        return drawn

    def __str__(self) -> str:
        return (
            f"minimum score {self.threshold:.3f} ({self.low:.3f} to {self.high:.3f}) for "
            f"{self.embedder}, {self.mode}: {self.objective}\n"
            f"held out: precision {self.precision}, recall {self.recall}; "
            f"{self.pairs} pairs of {self.questions} questions"
        )


def fit_threshold(
    pairs: Any,
    embedder: Any = "auto",
    *,
    mode: str = "hybrid",
    precision: float | None = None,
    beta: float = 1.0,
    folds: int = 5,
    seed: int = 0,
) -> ThresholdFit:
    """Fit the minimum score of a search on labelled pairs.

    Parameters
    ----------
    pairs : pandas.DataFrame, path or sequence of (str, str, bool)
        ``query text relevant``, as ``read_pairs`` takes them.
    embedder : str, Embedder or None
        As for ``Memory``; None fits keyword search.
    mode : str
        What will search: ``hybrid``, ``dense`` or ``keyword``.
    precision : float, optional
        Hold this precision, with the most recall; default: highest F-beta.
    beta : float
        Above 1 recall counts more, below 1 precision.
    folds : int
        Parts of the questions, 2 or more; each is judged by a threshold fitted on the others.
    seed : int
        Of the folds and the resampling.

    Raises
    ------
    DataError
        If the pairs aren't labelled pairs, there are fewer questions than folds, or no threshold
        reaches the precision.

    Examples
    --------
    >>> from ctxlab.datasets import load_support
    >>> fit = fit_threshold(load_support("zh").pairs, embedder=None)
    >>> 0 < fit.threshold < 1, fit.recall.n > 100, fit.config().semantic.mode
    (True, True, 'keyword')
    """
    from ..models.embedding import get_embedder

    objective = Objective(precision, beta)
    _check(mode, precision, beta, folds)
    frame = read_pairs(pairs)
    groups = frame["query"].factorize()[0]
    if (questions := int(groups.max()) + 1) < folds:
        raise DataError(f"{questions} questions can't be parted into {folds} folds: give fewer")
    model = None if embedder is None or mode == "keyword" else get_embedder(embedder)
    mode = "keyword" if model is None else mode
    scores = score_pairs(list(frame["query"]), list(frame["text"]), model, mode)
    labels = frame["relevant"].to_numpy(dtype=bool)
    name = "words" if model is None else str(model.signature)
    return fit_scores(scores, labels, groups, objective, folds, seed, name, mode)


def fit_scores(
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.intp],
    objective: Objective,
    folds: int,
    seed: int,
    name: str,
    mode: str,
) -> ThresholdFit:
    """Fit on scores (n,) that are known already; `groups` (n,) numbers the questions from 0."""
    threshold = objective(scores, labels)
    if threshold is None:
        best = float(curve_of(scores, labels)[1].max())
        raise DataError(
            f"precision {objective.precision}: no threshold reaches it, the best has {best:.3f}"
        )
    taken = _held_out(objective, scores, labels, groups, folds, seed)
    low, high = _spread(objective, scores, labels, groups, seed)
    fitted = scores >= threshold
    beta = objective.beta if objective.precision is None else 1.0
    return ThresholdFit(
        threshold,
        min(low, threshold),
        max(high, threshold),
        Rate(int((taken & labels).sum()), int(taken.sum())),
        Rate(int((taken & labels).sum()), int(labels.sum())),
        float(labels[fitted].mean()),
        float(fitted[labels].mean()),
        _curve_frame(scores, labels, beta),
        len(scores),
        int(groups.max()) + 1,
        name,
        mode,
        objective,
    )


def _check(mode: str, precision: float | None, beta: float, folds: int) -> None:
    if mode not in ("hybrid", "dense", "keyword"):
        raise DataError(f"mode {mode!r} is not one of hybrid, dense, keyword")
    if precision is not None and not 0 < precision <= 1:
        raise DataError(f"precision {precision!r}: give a number above 0, at most 1")
    if not beta > 0:
        raise DataError(f"beta {beta!r}: give a number above 0")
    if not isinstance(folds, int) or folds < 2:
        raise DataError(f"folds {folds!r}: give a whole number from 2")


def curve_of(
    scores: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return cuts, precision and recall (cuts,) of taking all scores from a cut on.

    Only scores above 0 are cuts: a search returns nothing that has none.
    """
    import numpy as np

    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    last = last[scores[order][last] > 0]
    if not len(last):
        raise DataError("no pair has a score above 0: there is nothing to cut")
    precision, recall = hits[last] / (last + 1), hits[last] / max(int(labels.sum()), 1)
    return scores[order][last][::-1], precision[::-1], recall[::-1]


def f_beta(
    precision: NDArray[np.float64], recall: NDArray[np.float64], beta: float
) -> NDArray[np.float64]:
    """Return F-beta, 0 where both are 0."""
    import numpy as np

    below = beta**2 * precision + recall
    both = (1 + beta**2) * precision * recall
    return np.divide(both, below, out=np.zeros_like(both), where=below > 0)


def _curve_frame(
    scores: NDArray[np.float64], labels: NDArray[np.bool_], beta: float
) -> pd.DataFrame:
    import pandas as pd

    cuts, precision, recall = curve_of(scores, labels)
    columns = {"threshold": cuts, "precision": precision, "recall": recall}
    return pd.DataFrame({**columns, "f": f_beta(precision, recall, beta)})


def _held_out(
    objective: Objective,
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.intp],
    folds: int,
    seed: int,
) -> NDArray[np.bool_]:
    """Tell which pairs come in by thresholds fitted on other questions (n,).

    Whole questions are held out: two pairs of one question aren't independent.
    """
    import numpy as np

    part = np.random.default_rng(seed).permutation(int(groups.max()) + 1) % folds
    taken = np.zeros(len(scores), dtype=bool)
    for fold in range(folds):
        out = part[groups] == fold
        rest = ~out
        usable = labels[rest].any() and (scores[rest] > 0).any()
        cut = objective(scores[rest], labels[rest]) if usable else None
        if cut is not None:  # else nothing reaches the precision, and nothing comes in
            taken[out] = scores[out] >= cut
    return taken


def _spread(
    objective: Objective,
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.intp],
    seed: int,
) -> tuple[float, float]:
    """Return the middle 95% of thresholds fitted on questions drawn with replacement."""
    import numpy as np

    draw = np.random.default_rng(seed)
    rows = [np.flatnonzero(groups == g) for g in range(int(groups.max()) + 1)]
    cuts = []
    for _ in range(_RESAMPLES):
        taken = np.concatenate([rows[g] for g in draw.integers(len(rows), size=len(rows))])
        if labels[taken].any() and (scores[taken] > 0).any():
            cut = objective(scores[taken], labels[taken])
            if cut is not None:
                cuts.append(cut)
    low, high = np.quantile(cuts, [0.025, 0.975]) if cuts else (0.0, 1.0)
    return float(low), float(high)

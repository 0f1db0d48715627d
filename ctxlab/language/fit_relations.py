"""Fit the head of `ctxlab.language.comparing`: ``python -m ctxlab.language.fit_relations``.

Beside the labelled pairs it learns from pairs that follow from them: what was added, taken away
again, leaves a part of the longer note; what is the same, or only alike, is so in either order; a
note repeated is the same note; two notes on different attributes of one customer are distinct. And
since the labelled pairs are all alike, it learns what isn't from memories of one dialogue, and from
statements drawn together by chance.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.fit import Fold, _calibrate, fit_head
from ctxlab.language.heads import WEIGHTS, Head, softmax
from ctxlab.language.judging import BENT, STRAIGHT, joined
from ctxlab.language.pairing import PairReading, read_pair
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FittedRelations", "derived", "fit_relations", "main", "unrelated"]

_MERGES = ("duplicate", "supplement")
_FALSE_MERGES = 0.011  # share of distinct and superseding pairs that may merge, on unseen authors
_EVEN_ODDS = 0.5
_BY_CHANCE = 5  # unrelated statements of each language and domain, in pairs
_STRENGTH = 0.02  # chosen, as the weight, by cross-validation over authors
_MEANING_WEIGHT = 0.3  # regularisation spares large inputs; chosen by cross-validation
# The bent head: small nets that begin differently, laid side by side. Chosen by cross-validation.
_NETS, _UNITS, _ROUNDS, _PENALTY, _RATE, _BATCH = 4, 48, 30, 1.0, 1e-3, 128
_CLIP = 4.0  # deviations beyond which a feature says no more
_EVEN = 1e-2  # deviation that is read as this much at least, as in the linear heads


@dataclass(frozen=True)
class FittedRelations:
    """Two heads and what both together said of each row when that row's author was left out.

    Attributes
    ----------
    straight, bent : Head
        Fitted on all rows.
    unseen : numpy.ndarray
        float32 (rows, classes): calibrated probabilities from cross-validation.
    """

    straight: Head
    bent: Head
    unseen: NDArray[np.float32]


def derived(rows: Sequence[corpus.Row]) -> list[corpus.Row]:
    """Derive further training pairs; thinned, so that they guide and don't outweigh."""
    found = [
        _row(row, row["new"], row["old"], "duplicate")
        for row in [r for r in rows if r["relation"] == "supplement"][::2]
    ]
    # Neither hangs on which of the two notes came first.
    found += [
        _row(row, row["new"], row["old"], row["relation"])
        for row in rows
        if row["relation"] in ("duplicate", "distinct")
    ]
    found += [_row(row, row["new"], row["new"], "duplicate") for row in rows[::25]]
    vectors = get_embedder("use").encode([row["new"] for row in rows])
    for index in range(0, len(rows), 33):
        row = rows[index]
        others = [
            i for i, other in enumerate(rows)
            if (other["lang"], other["domain"]) == (row["lang"], row["domain"])
            and other["attribute"] != row["attribute"]
        ]  # fmt: skip
        if others:  # the nearest in meaning teaches most
            nearest = max(others, key=lambda i: float(vectors[i] @ vectors[index]))
            found.append(_row(row, row["old"], rows[nearest]["new"], "distinct"))
    return found


def unrelated(
    dialogues: Sequence[corpus.Row], statements: Sequence[corpus.Row], seed: int = 7
) -> list[corpus.Row]:
    """Pair what has nothing to do with each other: most of what a memory has to compare."""
    rng, found = Random(seed), []
    for row in dialogues:
        for a, b in combinations([memory["text"] for memory in row["memories"]], 2):
            old, new = rng.sample((a, b), 2)
            found.append(_row(row, old, new, "distinct"))
    found = found[::2]  # enough to learn from; more would outweigh the labelled pairs
    told = [row for row in statements if row["kind"] != "chitchat"]
    places = sorted({(row["lang"], row["domain"]) for row in told})
    for place in places:
        here = [row for row in told if (row["lang"], row["domain"]) == place]
        for _ in range(_BY_CHANCE):
            a, b = rng.sample(here, 2)
            found.append(_row(a, a["text"], b["text"], "distinct"))
    return found


def fit_relations(rows: Sequence[corpus.Row], apart: Sequence[corpus.Row] = ()) -> FittedRelations:
    """Fit and calibrate the heads, and set the confidence from which a merge is believed.

    Parameters
    ----------
    rows : sequence of dict
        Labelled pairs.
    apart : sequence of dict
        Unrelated pairs.
    """
    embedder = get_embedder("use")
    every = [*rows, *derived(rows), *apart]
    # Half the labelled pairs come with their attribute known; pairs derived never do.
    readings = [
        read_pair(
            row["old"], row["new"], embedder, known_slot=number < len(rows) and number % 2 == 0
        )
        for number, row in enumerate(every)
    ]
    return fit_readings(rows, readings, [row["relation"] for row in every], corpus.folds(every))


def fit_readings(
    rows: Sequence[corpus.Row],
    readings: Sequence[PairReading],
    labels: Sequence[str],
    folds: Iterable[Fold],
) -> FittedRelations:
    """Fit on pairs as they were read; the labelled ones come first."""
    dense = np.array([reading.vector() for reading in readings], np.float32)
    names, folds = tuple(readings[0].features), list(folds)
    block = np.full(dense.shape[1], _MEANING_WEIGHT, np.float32)
    block[: len(names)] = 1
    straight = fit_head(dense, labels, folds, block=block, strength=_STRENGTH)
    features = dense[:, : len(names)]
    classes = straight.head.classes
    truth = np.array([classes.index(label) for label in labels])
    logits = np.zeros((len(labels), len(classes)), np.float32)
    for fit, check in folds:
        logits[check] = _bend(features[fit], truth[fit], classes).logits(features[check])
    both = joined(np.log(straight.unseen + 1e-9), logits)
    temperature, _ = _calibrate(both, truth)
    unseen = softmax(both / temperature)
    extra = {
        "rows": len(rows), "merge": _merge_thresholds(unseen, classes, rows, readings),
        "names": names, "temperature": temperature,
    }  # fmt: skip
    # Calibrated already, or the logits of both would weigh otherwise than here.
    return FittedRelations(
        replace(straight.head, extra=extra), _bend(features, truth, classes), unseen
    )


def _bend(
    features: NDArray[np.float32], truth: NDArray[np.int64], classes: tuple[str, ...]
) -> Head:
    """Fit the bent head: several nets as one, which gives the mean of their logits."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    scale = (1 / np.maximum(features.std(axis=0), _EVEN)).astype(np.float32)
    empty = np.zeros((0, len(classes)), np.float32)
    head = Head(classes, features.mean(axis=0), scale, (), empty, clip=_CLIP)
    inputs, nets = head._standard(features), []
    with warnings.catch_warnings():
        # The rounds are the limit on purpose: on so few rows convergence would be overfitting.
        warnings.simplefilter("ignore", ConvergenceWarning)
        for seed in range(_NETS):
            net = MLPClassifier(
                (_UNITS,), alpha=_PENALTY, learning_rate_init=_RATE, batch_size=_BATCH,
                max_iter=_ROUNDS, random_state=seed, tol=0.0,
            )  # fmt: skip
            nets.append(net.fit(inputs, truth))
    first = np.hstack([net.coefs_[0] for net in nets]).astype(np.float32)
    start = np.hstack([net.intercepts_[0] for net in nets]).astype(np.float32)
    last = np.asarray(np.vstack([net.coefs_[1] for net in nets]) / _NETS, np.float32)
    end = np.asarray(np.mean([net.intercepts_[1] for net in nets], axis=0), np.float32)
    return replace(head, layers=((first, start), (last, end)))


def _merge_thresholds(
    unseen: NDArray[np.float32],
    classes: tuple[str, ...],
    rows: Sequence[corpus.Row],
    readings: Sequence[PairReading],
) -> dict[str, float]:
    """Find the chance of merging that keeps false merges rare on authors left out, by language."""
    from ctxlab.language.comparing import asked, contradictions

    chances: NDArray[np.float32] = unseen[:, [classes.index(name) for name in _MERGES]].sum(axis=1)
    apart: dict[str, list[float]] = {"zh": [], "en": []}
    for row, reading, chance in zip(rows, readings, chances, strict=False):
        if row["relation"] not in _MERGES:
            kept = chance < asked(reading) or contradictions(reading)
            language = "zh" if reading.features["chinese"] else "en"
            apart[language].append(0.0 if kept else float(chance))
    return {
        language: round(max(_EVEN_ODDS, float(np.quantile(found or [0], 1 - _FALSE_MERGES))), 3)
        for language, found in apart.items()
    }


def _row(row: corpus.Row, old: str, new: str, relation: str) -> corpus.Row:
    return row | {"old": old, "new": new, "relation": relation}


def main() -> None:
    """Fit the head on the training domains and write it into the package."""
    train, _ = corpus.split(corpus.load("pairs"))
    dialogues, _ = corpus.split(corpus.load("dialogues"))
    statements, _ = corpus.split(corpus.load("statements"))
    fitted = fit_relations(train, unrelated(dialogues, statements))
    fitted.straight.save(WEIGHTS / f"{STRAIGHT}.npz")
    fitted.bent.save(WEIGHTS / f"{BENT}.npz")
    merge = fitted.straight.extra["merge"]
    sys.stdout.write(f"relation: fitted on {len(train)} pairs, merges from {merge}\n")


if __name__ == "__main__":
    main()

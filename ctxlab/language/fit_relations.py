"""Fit the head of `ctxlab.language.comparing`: ``python -m ctxlab.language.fit_relations``.

Beside the labelled pairs it learns from pairs that follow from them: what was added, taken away
again, leaves a part of the longer note; what is the same, or only alike, is so in either order; a
note repeated is the same note; two notes on different attributes of one customer are distinct. And
since the labelled pairs are all alike, it learns what isn't from memories of one dialogue, and from
statements drawn together by chance.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.fit import Fitted, fit_head
from ctxlab.language.heads import WEIGHTS
from ctxlab.language.pairing import PairReading, read_pair
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["derived", "fit_relations", "main", "unrelated"]

_MERGES = ("duplicate", "supplement")
_FALSE_MERGES = 0.016  # share of distinct and superseding pairs that may merge, on unseen authors
_BY_CHANCE = 5  # unrelated statements of each language and domain, in pairs
_STRENGTH = 0.02  # chosen, as the weight, by cross-validation over authors
_MEANING_WEIGHT = 0.3  # regularisation spares large inputs; chosen by cross-validation


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


def fit_relations(rows: Sequence[corpus.Row], apart: Sequence[corpus.Row] = ()) -> Fitted:
    """Fit and calibrate the head, and set the confidence from which a merge is believed.

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
    dense = np.array([reading.vector() for reading in readings], np.float32)
    block = np.full(dense.shape[1], _MEANING_WEIGHT, np.float32)
    names = tuple(readings[0].features)
    block[: len(names)] = 1
    fitted = fit_head(
        dense,
        [row["relation"] for row in every],
        list(corpus.folds(every)),
        block=block,
        strength=_STRENGTH,
    )
    threshold = _merge_threshold(fitted, rows, readings)
    extra = {"rows": len(rows), "merge": threshold, "names": names}
    return replace(fitted, head=replace(fitted.head, extra=extra))


def _merge_threshold(
    fitted: Fitted, rows: Sequence[corpus.Row], readings: Sequence[PairReading]
) -> float:
    """Find the chance of merging that keeps false merges rare on authors left out."""
    from ctxlab.language.comparing import contradictions

    chances: NDArray[np.float32] = fitted.unseen[
        :, [fitted.head.classes.index(name) for name in _MERGES]
    ].sum(axis=1)
    apart = [
        0.0 if contradictions(reading) else float(chance)
        for row, reading, chance in zip(rows, readings, chances, strict=False)
        if row["relation"] not in _MERGES
    ]
    return round(max(0.5, float(np.quantile(apart, 1 - _FALSE_MERGES))), 3)


def _row(row: corpus.Row, old: str, new: str, relation: str) -> corpus.Row:
    return row | {"old": old, "new": new, "relation": relation}


def main() -> None:
    """Fit the head on the training domains and write it into the package."""
    train, _ = corpus.split(corpus.load("pairs"))
    dialogues, _ = corpus.split(corpus.load("dialogues"))
    statements, _ = corpus.split(corpus.load("statements"))
    head = fit_relations(train, unrelated(dialogues, statements)).head
    head.save(WEIGHTS / "relation.npz")
    sys.stdout.write(f"relation: fitted on {len(train)} pairs, merges from {head.extra['merge']}\n")


if __name__ == "__main__":
    main()

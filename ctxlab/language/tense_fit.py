"""Fit the head of :mod:`ctxlab.language.tenses`: ``python -m ctxlab.language.tense_fit``.

It learns from the messages in ``datasets/language/days``, where {a day that is past}, [one to come]
and <words that name none> are marked.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.fit import Fitted, fit_head
from ctxlab.language.heads import WEIGHTS
from ctxlab.language.script import simplified
from ctxlab.language.tenses import looks, surroundings

__all__ = ["Day", "days", "fit", "main", "right"]

_STRENGTH, _GRAM_WEIGHT, _LEAST = 0.3, 10.0, 2  # chosen on messages left out
_FOLDS = 5
_MARKED = re.compile(r"([{\[<][^{}\[\]<>]*[}\]>])")
_TOLD = {"{": "past", "[": "ahead", "<": "none"}


class Day(NamedTuple):
    """A message, the span of a day in it, and how it is spoken of: past, ahead or none."""

    text: str
    start: int
    end: int
    told: str


def days() -> list[Day]:
    """Read the marked days."""
    return [
        day
        for path in sorted((corpus.folder() / "days").glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        for day in _days(line)
    ]


def _days(line: str) -> Iterator[Day]:
    text, spans = "", []
    for part in _MARKED.split(line):
        told = _TOLD.get(part[:1]) if _MARKED.fullmatch(part) else None
        if told:
            part = part[1:-1]
            spans.append((len(text), len(text) + len(part), told))
        text += part
    text = simplified(text)
    yield from (Day(text, *span) for span in spans)


def fit(rows: Sequence[Day]) -> Fitted:
    """Fit the head, calibrated on messages left out a fifth at a time."""
    fold = [zlib.crc32(row.text.encode()) % _FOLDS for row in rows]
    return fit_head(
        np.array([looks(*row[:3]) for row in rows], np.float32),
        [row.told for row in rows],
        [
            ([i for i, f in enumerate(fold) if f != k], [i for i, f in enumerate(fold) if f == k])
            for k in range(_FOLDS)
        ],
        grams=[surroundings(*row[:3]) for row in rows],
        strength=_STRENGTH,
        gram_scale=_GRAM_WEIGHT,
        least=_LEAST,
    )


def right(fitted: Fitted, rows: Sequence[Day]) -> float:
    """Share of days told rightly from past to come, by heads that hadn't seen their messages."""
    ahead, past = (fitted.head.classes.index(name) for name in ("ahead", "past"))
    said = fitted.unseen[:, past] > fitted.unseen[:, ahead]
    told = [
        (s, row.told == "past") for s, row in zip(said, rows, strict=True) if row.told != "none"
    ]
    return float(np.mean([bool(s) == t for s, t in told]))


def main() -> None:
    """Fit the head and write it into the package."""
    rows = days()
    fitted = fit(rows)
    fitted.head.save(WEIGHTS / "tense.npz")
    sys.stdout.write(
        f"tense: {len(rows)} days, {right(fitted, rows):.3f} of those left out right\n"
    )


if __name__ == "__main__":
    main()

"""Measure `cx.compare`, `cx.scan` and `cx.extract` on the held-out domains, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.comparing import compare
from ctxlab.language.scoring import score_extraction
from ctxlab.language.sensitive import scan
from ctxlab.language.sensitive_scoring import score_spans

__all__ = ["extraction_section", "parts", "relation_section", "scan_section"]

_RELATIONS = ("duplicate", "supplement", "supersede", "distinct")
_MERGES = _RELATIONS[:2]


def parts(test: Sequence[corpus.Row]) -> Iterator[tuple[str, str, list[bool]]]:
    """Give language, test set and which rows are of both, one part after another."""
    for lang in ("zh", "en"):
        for title, domains in corpus.TEST_SETS.items():
            yield lang, title, [r["lang"] == lang and r["domain"] in domains for r in test]


def relation_section() -> Iterator[str]:
    """Accuracy, false merges (distinct or superseding pairs made one) and confusion of compare."""
    train, test = corpus.split(corpus.load("pairs"))
    said = [compare(row["old"], row["new"]).relation for row in test]
    yield f"Fitted on {len(train)} pairs, tested on {len(test)}. A false merge makes one of two "
    yield "notes that differ or contradict each other."
    yield ""
    yield "| language | test set | pairs | accuracy | false merges |"
    yield "|---|---|---|---|---|"
    for lang, title, of in parts(test):
        told = zip(compress(test, of), compress(said, of), strict=True)
        rows = [(row["relation"], got) for row, got in told]
        apart = [got in _MERGES for true, got in rows if true not in _MERGES]
        right = float(np.mean([true == got for true, got in rows]))
        yield f"| {lang} | {title} | {len(rows)} | {right:.3f} | {_share(apart)} |"
    yield ""
    yield "| true, said | " + " | ".join(_RELATIONS) + " |"
    yield "|---" * (len(_RELATIONS) + 1) + "|"
    for true in _RELATIONS:
        found: list[str] = [x for row, x in zip(test, said, strict=True) if row["relation"] == true]
        yield f"| {true} | " + " | ".join(str(found.count(name)) for name in _RELATIONS) + " |"


def scan_section() -> Iterator[str]:
    """Recall of spans and look-alikes flagged, by language, and recall by category."""
    train, test = corpus.split(corpus.load("sensitive"))
    yield f"Written and fitted on {len(train)} texts, tested on {len(test)}."
    yield ""
    scores = {
        f"{lang} | {title}": score_spans(list(compress(test, of)), scan)
        for lang, title, of in parts(test)
    }
    names = sorted({name for score in scores.values() for name in score["by_category"]})
    yield "| language | test set | spans found | look-alikes flagged | " + " | ".join(names) + " |"
    yield "|---" * (len(names) + 4) + "|"
    for part, score in scores.items():
        by = (f"{score['by_category'].get(name, float('nan')):.2f}" for name in names)
        yield (
            f"| {part} | {score['recall']:.3f} ({score['found']} of {score['spans']}) "
            f"| {score['flagged']:.3f} (of {score['lookalikes']}) | " + " | ".join(by) + " |"
        )


def extraction_section() -> Iterator[str]:
    """Key literals of labelled memories found, and unwanted ones stored."""
    train, test = corpus.split(corpus.load("dialogues"))
    yield f"Written on {len(train)} dialogues, tested on {len(test)}."
    yield ""
    yield "| language | test set | dialogues | literals found | word for word | unwanted stored |"
    yield "|---|---|---|---|---|---|"
    for lang, title, of in parts(test):
        rows = list(compress(test, of))
        got = score_extraction(rows)
        yield (
            f"| {lang} | {title} | {len(rows)} | {got['found']:.3f} | {got['exact']:.3f} "
            f"| {got['unwanted']:.3f} |"
        )


def _share(hits: Sequence[bool]) -> str:
    return f"{sum(hits)} of {len(hits)} ({float(np.mean(hits)):.1%})"

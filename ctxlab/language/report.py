"""Measure floor 2 on the held-out domains: ``python -m ctxlab.language.report``.

Writes ``datasets/language/REPORT.md``. Nothing in it is typed in: every figure comes from
running the public functions on sentences whose domains and author were kept out of the fit.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctxlab.language import corpus, features, fit
from ctxlab.language.comparing import compare
from ctxlab.language.heads import load_head
from ctxlab.language.labelling import label, label_many
from ctxlab.language.references import refers_back
from ctxlab.language.report_public import (
    extraction_section,
    parts,
    relation_section,
    scan_section,
)
from ctxlab.language.sensitive import scan
from ctxlab.models.embedding import get_embedder

__all__ = ["Answers", "answers", "curve", "main"]

_FRACTIONS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Answers:
    """What was true of some rows, what was said of them, and with which confidence.

    Attributes
    ----------
    truth, said : numpy.ndarray
        Labels, (rows,).
    confidence : numpy.ndarray
        Chance given to ``said``, 0 to 1, (rows,).
    """

    truth: NDArray[Any]
    said: NDArray[Any]
    confidence: NDArray[Any]

    def where(self, chosen: Sequence[bool]) -> Answers:
        """Keep the chosen rows."""
        mask = np.array(chosen)
        return Answers(self.truth[mask], self.said[mask], self.confidence[mask])

    @property
    def accuracy(self) -> float:
        """Share of rows answered rightly."""
        return float((self.truth == self.said).mean())

    def f1(self, name: str | None = None) -> float:
        """F1 of one label, or the mean over the labels that occur."""
        if name is None:
            return float(np.mean([self.f1(label) for label in sorted(set(self.truth))]))
        both = int(((self.truth == name) & (self.said == name)).sum())
        return 2 * both / max(1, int((self.truth == name).sum() + (self.said == name).sum()))

    def calibration_error(self, bins: int = 10) -> float:
        """Mean gap between confidence and accuracy over bins of equal width, by size (ECE)."""
        hit = self.truth == self.said
        where = np.minimum((self.confidence * bins).astype(int), bins - 1)
        gaps = (
            abs(hit[where == b].mean() - self.confidence[where == b].mean()) * (where == b).mean()
            for b in set(where.tolist())
        )
        return float(sum(gaps))


def answers(rows: Sequence[corpus.Row], name: str) -> Answers:
    """Ask `cx.label` or `cx.refers_back` for the field that a head predicts.

    Parameters
    ----------
    rows : sequence of dict
        Rows of the head's task.
    name : str
        A key of ``fit.HEADS``.
    """
    texts = [row["text"] for row in rows]
    if name == "refers":
        said = [(found.value, found.score) for found in map(refers_back, texts)]
        truth = [row["refers"] for row in rows]
    else:
        read: dict[str, Callable[[Any], tuple[Any, float]]] = {
            "kind": lambda found: (found.kind, found.confidence),
            "actionable": lambda f: (f.actionability == "actionable", f.scores["actionable"]),
            "private": lambda f: (f.audience == "private", f.scores["private"]),
        }
        said = [read[name](found) for found in label_many(texts)]
        truth = [row[name] for row in rows]
    sure = [chance if answer is not False else 1 - chance for answer, chance in said]
    return Answers(_names(truth), _names([answer for answer, _ in said]), np.array(sure))


def curve(name: str, train: Sequence[corpus.Row], test: Sequence[corpus.Row]) -> dict[int, float]:
    """Fit a head on growing shares of the training rows; rows to F1 on the test rows.

    The heads alone are measured here, uncalibrated and without the rules of `cx.label`.
    """
    field = fit.HEADS[name][1]
    reading = features.read([row["text"] for row in test], get_embedder("use"))
    reading_of_train = features.read([row["text"] for row in train], get_embedder("use"))
    truth = _names([row[field] for row in test])
    order = np.random.default_rng(0).permutation(len(train))
    found = {}
    for share in _FRACTIONS:
        part = [train[i] for i in order[: round(share * len(train))]]
        rows = reading_of_train.take(order[: len(part)].tolist())
        head = fit.fit_named(name, part, rows, calibrated=False).head
        chances = head.probabilities(reading.dense, reading.grams)
        said = np.array(head.classes)[chances.argmax(axis=1)]
        if name != "kind":
            yes = head.yes(reading.dense, reading.grams)
            said = _names((yes >= head.extra["threshold"]).tolist())
        got = Answers(truth, said, chances.max(axis=1))
        found[len(part)] = got.f1(None if name == "kind" else "yes")
    return found


def main() -> None:
    """Write the report beside the sentences."""
    lines = [
        "# How well sentences are understood",
        "",
        "Written by `python -m ctxlab.language.report`. The test domains "
        f"({', '.join(corpus.TEST_DOMAINS)}) and their authors took no part in the fit: "
        + ", ".join(f"{name} test set {' and '.join(of)}" for name, of in corpus.TEST_SETS.items())
        + ". Figures are of the public functions, without naming the speaker.",
    ]
    for name, (task, _) in fit.HEADS.items():
        train, test = corpus.split(corpus.load(task))
        lines += ["", f"## {name}", "", *_head_section(name, train, test)]
    sections = {
        "compare": relation_section,
        "scan": scan_section,
        "extract": extraction_section,
    }
    for title, section in sections.items():
        lines += ["", f"## {title}", "", *section()]
    lines += ["", "## Agreement of two labellers", "", *_agreement()]
    lines += ["", "## Speed", "", *_speed()]
    path = corpus.folder() / "REPORT.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"wrote {path}\n")


def _head_section(
    name: str, train: Sequence[corpus.Row], test: Sequence[corpus.Row]
) -> Iterator[str]:
    main_label = None if name == "kind" else "yes"
    measure = "macro-F1" if main_label is None else "F1"
    yield f"Fitted on {load_head(name).extra['rows']} sentences, tested on {len(test)}."
    yield ""
    yield f"| language | test set | sentences | {measure} | accuracy | calibration error |"
    yield "|---|---|---|---|---|---|"
    everything = answers(test, name)
    for lang, title, of in parts(test):
        got = everything.where(of)
        yield (
            f"| {lang} | {title} | {len(got.truth)} | {got.f1(main_label):.3f} "
            f"| {got.accuracy:.3f} | {got.calibration_error():.3f} |"
        )
    yield from _by_group("cue" if name == "refers" else "register", everything, test)
    yield from _confusion(everything)
    points = curve(name, train, test)
    yield f"Learning curve ({measure} of the head on the test domains, by training sentences): "
    yield ", ".join(f"{rows}: {score:.3f}" for rows, score in points.items()) + "."


def _by_group(group: str, got: Answers, test: Sequence[corpus.Row]) -> Iterator[str]:
    """Accuracy by the property of the rows that makes them hard."""
    yield ""
    yield f"Accuracy by {group}: " + ", ".join(
        f"{value} {got.where([row[group] == value for row in test]).accuracy:.2f} ({count})"
        for value, count in sorted(Counter(row[group] for row in test).items())
    )
    yield ""


def _confusion(got: Answers) -> Iterator[str]:
    names = sorted(set(got.truth) | set(got.said))
    yield "| true, said | " + " | ".join(names) + " | F1 |"
    yield "|---" * (len(names) + 2) + "|"
    for true in names:
        cells = [int(((got.truth == true) & (got.said == said)).sum()) for said in names]
        yield f"| {true} | " + " | ".join(map(str, cells)) + f" | {got.f1(true):.3f} |"
    yield ""


def _agreement() -> Iterator[str]:
    """Compare the labels with those of a second labeller, who saw the guide and the texts alone."""
    yield "| sentences | labelled twice | label | Cohen's kappa |"
    yield "|---|---|---|---|"
    for task in ("statements", "pairs", "references", "sensitive"):
        second = corpus.second(task)
        first = [_with_categories(row) for row in corpus.load(task)]
        for name, kappa in corpus.agreement(first, second).items():
            yield f"| {task} | {len(second)} | {name} | {kappa:.3f} |"


def _with_categories(row: corpus.Row) -> corpus.Row:
    spans = row.get("spans", ())
    return row | {"categories": sorted({span["category"] for span in spans})}


def _speed() -> Iterator[str]:
    """Time warm calls on texts no cache has seen, by CPU, which other programs can't lengthen."""
    _, test = corpus.split(corpus.load("references"))
    yield "| call | median CPU ms, warm, text not seen before, embedding included |"
    yield "|---|---|"
    calls: dict[str, Callable[[str], Any]] = {
        "embedding alone": lambda text: get_embedder("use").encode([text]),
        "label": label,
        "refers_back": refers_back,
        "scan": scan,
        "compare, with one note": lambda text: compare("Order A1029 is on its way.", text),
    }
    for number, (name, call) in enumerate(calls.items(), start=1):
        spent = []
        for row in test:
            start = time.process_time()
            call(f"{row['text']} {number}")
            spent.append(time.process_time() - start)
        yield f"| {name} | {1000 * float(np.median(spent)):.1f} |"


def _names(values: Sequence[Any]) -> NDArray[Any]:
    return np.array([fit.YES_NO.get(value, value) for value in values], dtype=object)


if __name__ == "__main__":
    main()

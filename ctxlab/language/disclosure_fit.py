"""Fit the heads of :mod:`ctxlab.language.disclosure`: ``python -m ctxlab.language.disclosure_fit``.

It learns from the labelled sentences of the training domains, clause by clause, and from short
phrases in ``datasets/language/disclosures`` that are spread over many ways to disclose something
and, as many, to only sound like it. The sentences of the labelling task serve as ordinary talk.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.disclosure import TOPICS, grams, inputs, meanings, pieces, stretches
from ctxlab.language.fit import YES_NO, Fitted, fit_head
from ctxlab.language.heads import WEIGHTS
from ctxlab.language.neighbours import Neighbours
from ctxlab.language.sensitive_script import plain
from ctxlab.language.sensitive_topics import MARKED, SIGNALS, find_topics, signals

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Example", "examples", "fit", "fit_wording", "main", "neighbours"]

# Chosen on authors left out. The meaning of the message around a clause was tried beside it, and
# told nothing more: an author's habit fills it with the same surroundings.
_MEANING_WEIGHT = 0.5  # of a dimension of a clause's meaning
_SIGNAL_WEIGHT = 1.0  # of what the rules say
_LIKENESS_WEIGHT = 2.0  # of what a clause resembles
_GRAM_WEIGHT = 15.0
_STRENGTH = 0.1
_PARTS = 5  # that the phrases of a language are left out in
# Calibration needs strangers, not many fits: authors are left out by the handful.
_LEFT_OUT = 6
_SHARE, _LITTLE = 0.8, 0.2  # of what is disclosed, in a stretch that tells and one that doesn't


class Example(NamedTuple):
    """A clause, what it discloses, who wrote it, and what the rules say of it."""

    clause: str
    topic: str
    author: str
    signals: tuple[float, ...]


def examples() -> list[Example]:
    """Collect the clauses of the training sentences, and the phrases."""
    rows, _ = corpus.split(corpus.load("sensitive"))
    found = [example for row in rows for example in _clauses(row)]
    for path in sorted((corpus.folder() / "disclosures").glob("*.tsv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            topic, phrase = line.split("\t")
            # Phrases about one subject stand together: what is left out is left out by subject.
            author = f"phrases {number * _PARTS // len(lines)}"
            spans = [] if topic == "none" else [{"text": phrase, "category": topic}]
            found += _telling(list(_clauses({"text": phrase, "spans": spans}, author)))
    return found + list(_ordinary())


def _telling(clauses: list[Example]) -> list[Example]:
    """Keep what discloses of a phrase: in "I'm deaf, so text me" the second half is harmless."""
    topic = clauses[0].topic if clauses else "none"
    if topic == "none" or len(clauses) == 1:
        return clauses
    marks = [i for i, category in enumerate(MARKED) if category == topic]
    told = [clause for clause in clauses if any(clause.signals[i] for i in marks)]
    return told or clauses[:1]


def _ordinary() -> Iterator[Example]:
    """Take what customers say otherwise as harmless, unless it holds a word that could disclose."""
    for text, domain in _talk():
        if not find_topics(plain(text).text):
            yield from _clauses({"text": text, "spans": []}, corpus.AUTHORS[domain])


def _talk() -> Iterator[tuple[str, str]]:
    """Give the texts of the other tasks, without what must not be kept, and their domains."""
    for task, fields in (("statements", ("text",)), ("references", ("text",)), ("pairs", ("new",))):
        for row in corpus.split(corpus.load(task))[0]:
            yield from ((row[name], row["domain"]) for name in fields)
    for row in corpus.split(corpus.load("dialogues"))[0]:
        for message in row["messages"]:
            if not any(word in message["content"] for word in row["unwanted"]):
                yield message["content"], row["domain"]


def _clauses(row: corpus.Row, author: str | None = None) -> Iterator[Example]:
    text = plain(row["text"]).text
    hits = find_topics(text)
    clauses = pieces(text)
    spans = clauses + [part for span in clauses for part in stretches(text, *span)]
    for at, ((start, end), said) in enumerate(zip(spans, signals(text, spans, hits), strict=True)):
        topic, share = "none", 0.5 if at < len(clauses) else _SHARE
        for span in row["spans"]:
            disclosed = plain(span["text"]).text
            place = text.find(disclosed)
            shared = min(end, place + len(disclosed)) - max(start, place)
            whole = min(len(disclosed), end - start)
            if span["category"] in TOPICS and shared >= share * whole:
                topic = span["category"]
            elif span["category"] in TOPICS and at >= len(clauses) and shared > _LITTLE * whole:
                topic = ""  # too much of it for none, too little to tell
        if not topic:
            continue
        yield Example(text[start:end], topic, author or corpus.AUTHORS[row["domain"]], tuple(said))


def neighbours(rows: list[Example], meaning: NDArray[np.float32]) -> tuple[Neighbours, list[int]]:
    """Keep as neighbours what discloses, and the phrases that only sound like it.

    Returns
    -------
    tuple
        The neighbours, and the rows that they are.
    """
    kept = [
        i for i, row in enumerate(rows) if row.topic != "none" or row.author.startswith("phrases")
    ]
    return Neighbours.of(meaning[kept], [rows[i].topic for i in kept], (*TOPICS, "none")), kept


def fit(rows: list[Example]) -> tuple[Fitted, Neighbours]:
    """Fit the head that decides, calibrated on authors left out one at a time."""
    meaning = meanings([row.clause for row in rows])
    known, kept = neighbours(rows, meaning)
    authors = np.array([row.author for row in rows])
    # Its own author's clauses are nearer to a clause than a stranger's will ever be.
    dense = inputs(
        meaning, [row.signals for row in rows], known, authors[:, None] == authors[kept][None]
    )
    weights = np.full(dense.shape[1], _LIKENESS_WEIGHT, np.float32)
    weights[: meaning.shape[1]] = _MEANING_WEIGHT
    weights[meaning.shape[1] :][: len(SIGNALS)] = _SIGNAL_WEIGHT
    head = fit_head(
        dense,
        [row.topic for row in rows],
        _folds(rows),
        grams=[grams(row.clause) for row in rows],
        block=weights,
        gram_scale=_GRAM_WEIGHT,
        strength=_STRENGTH,
    )
    return head, known


def fit_wording(rows: list[Example]) -> Fitted:
    """Fit the head that reads wording alone, and says which clauses are worth a look."""
    return fit_head(
        np.array([row.signals for row in rows], np.float32),
        [YES_NO[row.topic != "none"] for row in rows],
        _folds(rows),
        grams=[grams(row.clause) for row in rows],
        gram_scale=_GRAM_WEIGHT,
        strength=_STRENGTH,
    )


def _folds(rows: list[Example]) -> list[tuple[list[int], list[int]]]:
    """Leave authors out, several at a time: each of the parts has about as many clauses."""
    sizes = Counter(row.author for row in rows)
    parts: list[set[str]] = [set() for _ in range(_LEFT_OUT)]
    for author in sorted(sizes, key=lambda name: (-sizes[name], name)):
        min(parts, key=lambda part: sum(sizes[name] for name in part)).add(author)
    return [
        (
            [i for i, row in enumerate(rows) if row.author not in part],
            [i for i, row in enumerate(rows) if row.author in part],
        )
        for part in parts
    ]


def main() -> None:
    """Fit the heads and write them into the package."""
    rows = examples()
    decides, known = fit(rows)
    decides.head.save(WEIGHTS / "disclosure.npz")
    known.save(WEIGHTS / "neighbours.npz")
    fit_wording(rows).head.save(WEIGHTS / "wording.npz")
    sys.stdout.write(f"disclosure, wording: fitted on {len(rows)} clauses\n")
    sys.stdout.write(f"neighbours: {len(known.known)} clauses\n")


if __name__ == "__main__":
    main()

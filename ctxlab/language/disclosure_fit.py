"""Fit the head of :mod:`ctxlab.language.disclosure`: ``python -m ctxlab.language.disclosure_fit``.

It learns from the labelled sentences of the training domains, clause by clause, and from short
phrases in ``datasets/language/disclosures`` that are spread over many ways to disclose something
and, as many, to only sound like it. The sentences of the labelling task serve as ordinary talk.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.disclosure import TOPICS, grams, inputs, meanings, pieces
from ctxlab.language.fit import Fitted, fit_head
from ctxlab.language.heads import WEIGHTS
from ctxlab.language.numerals import spoken_to_digits
from ctxlab.language.sensitive_topics import MARKED, SIGNALS, find_topics, signals
from ctxlab.language.text import fold

__all__ = ["Example", "examples", "fit", "main"]

# Chosen on authors left out: the words of a clause tell more than its message, which an author's
# habit fills with the same surroundings.
_CLAUSE_WEIGHT = 0.3  # of a dimension of a clause's meaning
_MESSAGE_WEIGHT = 0.03  # of its message's
_SIGNAL_WEIGHT = 1.0  # of what the rules say
_GRAM_WEIGHT = 20.0
_STRENGTH = 0.1


class Example(NamedTuple):
    """A clause, the message it stands in, what it discloses, and who wrote it."""

    clause: str
    message: str
    topic: str
    author: str
    signals: tuple[float, ...]


def examples() -> list[Example]:
    """Collect the clauses of the training sentences, and the phrases."""
    rows, _ = corpus.split(corpus.load("sensitive"))
    found = [example for row in rows for example in _clauses(row)]
    shuffle = random.Random(7)
    for path in sorted((corpus.folder() / "disclosures").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            topic, phrase = line.split("\t")
            # One writer, so folds are drawn at random: five of them.
            author = f"phrases {shuffle.randrange(5)}"
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
    rows, _ = corpus.split(corpus.load("statements"))
    for row in rows:
        if not find_topics(_plain(row["text"])):
            yield from _clauses({**row, "spans": []})


def _clauses(row: corpus.Row, author: str | None = None) -> Iterator[Example]:
    text = _plain(row["text"])
    hits = find_topics(text)
    for start, end in pieces(text):
        topic = "none"
        for span in row["spans"]:
            disclosed = _plain(span["text"])
            place = text.find(disclosed)
            shared = min(end, place + len(disclosed)) - max(start, place)
            if span["category"] in TOPICS and 2 * shared >= min(len(disclosed), end - start):
                topic = span["category"]
        said = tuple(signals(text, (start, end), hits))
        yield Example(text[start:end], text, topic, author or corpus.AUTHORS[row["domain"]], said)


def _plain(text: str) -> str:
    return spoken_to_digits(fold(text)).text


def fit(rows: list[Example]) -> Fitted:
    """Fit on clauses, calibrated on authors left out one at a time."""
    meaning = meanings([row.clause for row in rows], [row.message for row in rows])
    dense = inputs(meaning, [row.signals for row in rows])
    authors = sorted({row.author for row in rows})
    folds = [
        (
            [i for i, row in enumerate(rows) if row.author != author],
            [i for i, row in enumerate(rows) if row.author == author],
        )
        for author in authors
    ]
    width = meaning.shape[1] // 2
    block = np.repeat(np.array([_CLAUSE_WEIGHT, _MESSAGE_WEIGHT], np.float32), width)
    block = np.concatenate([block, np.full(len(SIGNALS), _SIGNAL_WEIGHT, np.float32)])
    return fit_head(
        dense,
        [row.topic for row in rows],
        folds,
        grams=[grams(row.clause) for row in rows],
        block=block,
        gram_scale=_GRAM_WEIGHT,
        strength=_STRENGTH,
    )


def main() -> None:
    """Fit the head and write it into the package."""
    rows = examples()
    fit(rows).head.save(WEIGHTS / "disclosure.npz")
    sys.stdout.write(f"disclosure: fitted on {len(rows)} clauses\n")


if __name__ == "__main__":
    main()

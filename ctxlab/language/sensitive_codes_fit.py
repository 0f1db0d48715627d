"""Fit the heads of :mod:`ctxlab.language.sensitive_codes` and ``sensitive_words``.

``python -m ctxlab.language.sensitive_codes_fit``. They learn from the codes and words of the
labelled sentences of the training domains, secret or not, and from the phrases in
``datasets/language/codes``, where a secret stands in braces.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.fit import YES_NO, Fitted, fit_head
from ctxlab.language.heads import WEIGHTS
from ctxlab.language.sensitive_codes import candidates, shape, surroundings
from ctxlab.language.sensitive_labels import SECRET, Labels
from ctxlab.language.sensitive_script import plain
from ctxlab.language.sensitive_words import looks, speaks_of_secrets, tokens, traits

__all__ = ["Code", "Word", "codes", "fit", "fit_words", "main", "words"]

_STRENGTH = 0.3  # this and the next: chosen on authors left out
_GRAM_WEIGHT = 20.0


class Code(NamedTuple):
    """A code, whether it is a secret, who wrote it, its shape and what stands around it."""

    text: str
    secret: bool
    author: str
    shape: tuple[float, ...]
    around: tuple[str, ...]


def codes() -> list[Code]:
    """Collect the codes of the training sentences and of the phrases."""
    rows, _ = corpus.split(corpus.load("sensitive"))
    found: list[Code] = []
    for row in rows:
        spans = [
            (place, place + len(span["text"]))
            for span in row["spans"]
            if span["category"] == "credential" and (place := row["text"].find(span["text"])) >= 0
        ]
        found += _codes(row["text"], spans, corpus.AUTHORS[row["domain"]])
    for text, author in _ordinary():
        found += _codes(text, None, author)
    for text, spans, author in _phrases():
        found += _codes(text, spans, author)
    return found


def _phrases() -> Iterator[tuple[str, list[tuple[int, int]], str]]:
    """Give the phrases with the places of what is secret in them."""
    # One writer, so folds are drawn at random: five of them.
    shuffle = random.Random(7)
    for path in sorted((corpus.folder() / "codes").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            parts = re.split("[{}]", line)
            lengths = np.cumsum([len(part) for part in parts]).tolist()
            spans = [(lengths[i - 1], lengths[i]) for i in range(1, len(parts), 2)]
            yield "".join(parts), spans, f"phrases {shuffle.randrange(5)}"


def _ordinary() -> Iterator[tuple[str, str]]:
    """Give what customers and agents say otherwise, but for what may speak of a secret."""
    for task, fields in (("statements", ("text",)), ("pairs", ("old", "new"))):
        for row in corpus.split(corpus.load(task))[0]:
            yield from ((row[name], corpus.AUTHORS[row["domain"]]) for name in fields)
    for row in corpus.split(corpus.load("dialogues"))[0]:
        for message in row["messages"]:
            if not any(word in message["content"] for word in row["unwanted"]):
                yield message["content"], corpus.AUTHORS[row["domain"]]


def _codes(text: str, secrets: Sequence[tuple[int, int]] | None, author: str) -> Iterator[Code]:
    """Give the codes of a text; without secrets named, those that can't be one by their label."""
    view = plain(text)
    labels = Labels(view.text)
    for span in candidates(view.text):
        if secrets is None and labels.kinds & SECRET:
            continue
        start, end = view.span(*span)
        secret = any(2 * (min(end, e) - max(start, s)) >= end - start for s, e in secrets or ())
        code = view.text[slice(*span)]
        around = surroundings(view.text, span, labels)
        yield Code(code, secret, author, tuple(shape(code)), tuple(around))


def fit(rows: list[Code]) -> Fitted:
    """Fit the head, calibrated on authors left out one at a time."""
    return fit_head(
        np.array([row.shape for row in rows], np.float32),
        [YES_NO[row.secret] for row in rows],
        _folds([row.author for row in rows]),
        grams=[row.around for row in rows],
        strength=_STRENGTH,
        gram_scale=_GRAM_WEIGHT,
    )


class Word(NamedTuple):
    """A word of a message that speaks of secrets, its tag, who wrote it, and what is read of it."""

    tag: str
    author: str
    looks: tuple[float, ...]
    traits: tuple[str, ...]


def words() -> list[Word]:
    """Collect the words of training texts that speak of what lets one in."""
    found: list[Word] = []
    for row in corpus.split(corpus.load("sensitive"))[0]:
        spans = [
            (place, place + len(span["text"]))
            for span in row["spans"]
            if span["category"] == "credential" and (place := row["text"].find(span["text"])) >= 0
        ]
        found += _words(row["text"], spans, corpus.AUTHORS[row["domain"]])
    for text, author in _ordinary():
        if not Labels(plain(text).text).kinds & SECRET:
            found += _words(text, [], author)
    for text, spans, author in _phrases():
        found += _words(text, spans, author)
    return found


def _words(text: str, secrets: Sequence[tuple[int, int]], author: str) -> Iterator[Word]:
    view = plain(text)
    if not secrets and not speaks_of_secrets(view.text):
        return
    read = tokens(view.text)
    told = [view.span(token.start, token.end) for token in read]
    of = [next((s for s, e in secrets if s <= start and end <= e), -1) for start, end in told]
    if any(at >= 0 and re.search(r"\d", token.text) for at, token in zip(of, read, strict=True)):
        return  # a code, of which the other head learns
    for i, at in enumerate(of):
        tag = "out" if at < 0 else "inside" if i and of[i - 1] == at else "begin"
        yield Word(tag, author, tuple(looks(read, i)), tuple(traits(read, i)))


def fit_words(rows: list[Word]) -> Fitted:
    """Fit the head that tags words, calibrated on authors left out one at a time."""
    return fit_head(
        np.array([row.looks for row in rows], np.float32),
        [row.tag for row in rows],
        _folds([row.author for row in rows]),
        grams=[row.traits for row in rows],
        strength=_STRENGTH,
        gram_scale=_GRAM_WEIGHT,
    )


def _folds(authors: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    return [
        (
            [i for i, author in enumerate(authors) if author != left_out],
            [i for i, author in enumerate(authors) if author == left_out],
        )
        for left_out in sorted(set(authors))
    ]


def main() -> None:
    """Fit the heads and write them into the package."""
    rows = codes()
    fit(rows).head.save(WEIGHTS / "codes.npz")
    sys.stdout.write(f"codes: fitted on {len(rows)} codes, {sum(r.secret for r in rows)} secret\n")
    read = words()
    fit_words(read).head.save(WEIGHTS / "words.npz")
    sys.stdout.write(f"words: fitted on {len(read)} words\n")


if __name__ == "__main__":
    main()

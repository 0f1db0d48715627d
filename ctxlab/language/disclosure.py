"""A second opinion on disclosures: a fitted head reads each clause beside its whole message.

Lists of words miss what is only implied ("I read lips, so a call is no good") and accuse figures
of speech. The head knows meaning and wording; the rules know names and what stands around them,
and what they say is among the head's inputs. It decides, at thresholds chosen by cross-validation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ctxlab.language.heads import load_head
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_topics import HINTS, RULED_OUT, SIGNALS, STRONG, signals
from ctxlab.language.text import clause_spans, tokenize
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "TOPICS",
    "forget_meanings",
    "grams",
    "inputs",
    "meanings",
    "pieces",
    "weigh",
    "weigh_many",
]

TOPICS = ("health", "special", "minor")

# What a hit of a rule needs from the head; an age beside a child's name hardly errs.
_BELIEVED = {"health": 0.4, "special": 0.45, "minor": 0.3}
_DOUBTED = 0.5  # the same where something beside it speaks against it
_OUTRIGHT, _SAID_OUTRIGHT = 0.8, 0.6  # "my wife's allergic to …": a person and an illness
_LEAST_TERMS = 3  # words, or pairs of Chinese characters
_HINTED = 0.5  # what a clause needs from it where no rule fires, but a word hints at it
_ALONE = 0.55  # the same where nothing does
_MOST_CLAUSES = 48  # of a long text only so many are read, first those that a rule points at
_READ = 300  # characters of a clause, and of the message around it
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]")
# English runs on where Chinese sets a comma: "I was at evensong so I missed your call".
_PERSON = r"(?:i|we|he|she|they|you|it|the|my|our|his|her|your|there)(?:'\w+)?"
_JOIN = re.compile(
    r"(?<=\w) (?=(?:so(?! (?:much|many|far|long|bad|that))|because|cos|but|whenever|while|unless|"
    rf"every time|(?:and|when|if|since|before|after|until|till|which|where) {_PERSON}|"
    r"and (?:can|could|need|want|don't|now|please|would|will|that's))\b)",
    re.IGNORECASE,
)
_LEAST_WORDS = 3  # on each side of such a joint


def weigh(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """Confirm, drop and add to what the rules found in a text's normal form.

    Parameters
    ----------
    text : str
        The normal form that ``hits`` refer to.
    hits : sequence of Hit
        From :func:`ctxlab.language.sensitive_topics.find_topics`, weak ones included.
    """
    try:
        return weigh_many([text], [hits])[0]
    finally:
        forget_meanings([text])


def weigh_many(texts: Sequence[str], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
    """Weigh the hits of many texts; all their clauses are embedded in one batch.

    The vectors stay in the embedder's cache until the caller has said what may: see
    `forget_meanings`.
    """
    clauses = [_worth_reading(text, found) for text, found in zip(texts, hits, strict=True)]
    read = [t[start:end] for t, spans in zip(texts, clauses, strict=True) for start, end in spans]
    whole = [t for t, spans in zip(texts, clauses, strict=True) for _ in spans]
    head = load_head("disclosure")
    chances: Any = ()
    said = [
        signals(text, span, found)
        for text, found, spans in zip(texts, hits, clauses, strict=True)
        for span in spans
    ]
    if read:
        dense = inputs(meanings(read, whole), said)
        chances = head.probabilities(dense, [grams(piece) for piece in read])
    weighed, at = [], 0
    for text, found, spans in zip(texts, hits, clauses, strict=True):
        part = slice(at, at + len(spans))
        weighed.append(_judge(text, found, spans, chances[part], said[part], head.classes))
        at += len(spans)
    return weighed


def _judge(
    text: str,
    hits: Sequence[Hit],
    clauses: Sequence[tuple[int, int]],
    chances: Any,
    said: Sequence[Sequence[float]],
    classes: Sequence[str],
) -> list[Hit]:
    if not clauses:
        return [hit for hit in hits if hit.confidence >= STRONG]
    columns = {name: classes.index(name) for name in TOPICS}
    read = range(len(clauses))
    kept: list[Hit] = []
    judged: set[tuple[int, str]] = set()  # clauses where a rule has spoken
    for hit in hits:
        beside = [i for i in read if clauses[i][0] < hit.end and hit.start < clauses[i][1]]
        judged.update((i, hit.category) for i in beside)
        chance = max((float(chances[i, columns[hit.category]]) for i in beside), default=None)
        needed = _BELIEVED[hit.category] if hit.confidence >= STRONG else _DOUBTED
        needed *= _SAID_OUTRIGHT if hit.category == "health" and hit.confidence >= _OUTRIGHT else 1
        enough = hit.confidence >= STRONG if chance is None else chance >= needed
        if enough and hit.confidence > RULED_OUT:
            kept.append(hit._replace(confidence=max(STRONG, hit.confidence)))
    for i in read:
        start, end = clauses[i]
        topic = max(TOPICS, key=lambda name: float(chances[i, columns[name]]))
        hinted = any(category == topic and said[i][place] for category, place in HINTS)
        sure = chances[i, columns[topic]] >= (_HINTED if hinted else _ALONE)
        # Two or three signs mean nothing to an embedder: a head alone needs a clause to read.
        if sure and (i, topic) not in judged and len(tokenize(text[start:end])) >= _LEAST_TERMS:
            kept.append(Hit(start, end, topic, "wording", 0.55))
    return kept


def pieces(text: str) -> list[tuple[int, int]]:
    """Cut a text into the stretches that are read one by one: clauses, spans in characters.

    Examples
    --------
    >>> text = "I was at evensong so I missed your call, sorry"
    >>> [text[start:end] for start, end in pieces(text)]
    ['I was at evensong', 'so I missed your call', 'sorry']
    """
    spans: list[tuple[int, int]] = []
    for start, end in clause_spans(text):
        begin = start
        for joint in _JOIN.finditer(text, start, end):
            sides = text[begin : joint.start()], text[joint.end() : end]
            if all(side.count(" ") >= _LEAST_WORDS - 1 for side in sides):
                spans.append((begin, joint.start()))
                begin = joint.end()
        spans.append((begin, end))
    return spans


def _worth_reading(text: str, hits: Sequence[Hit]) -> list[tuple[int, int]]:
    clauses = [span for span in pieces(text) if any(map(str.isalpha, text[slice(*span)]))]
    if len(clauses) > _MOST_CLAUSES:
        marked = {position for hit in hits for position in range(hit.start, hit.end)}
        pointed = [c for c in clauses if not marked.isdisjoint(range(*c))][:_MOST_CLAUSES]
        clauses = sorted({*pointed, *clauses[: _MOST_CLAUSES - len(pointed)]})
    return clauses


def meanings(read: Sequence[str], whole: Sequence[str]) -> NDArray[np.float32]:
    """Embed clauses beside their message (one for all, or one each): float32 (clauses, 1024)."""
    import numpy as np

    texts = [piece[:_READ] for piece in read] + [text[:_READ] for text in whole]
    vectors = get_embedder("use").encode(texts)
    around = np.broadcast_to(vectors[len(read) :], (len(read), vectors.shape[1]))
    return np.hstack([vectors[: len(read)], around])


def forget_meanings(texts: Iterable[str], keep: Collection[str] = ()) -> None:
    """Drop what `weigh_many` left of texts in the embedder's cache, their clauses included.

    Parameters
    ----------
    texts : iterable of str
        What was weighed.
    keep : collection of str
        Those of them that need not be dropped as a whole.
    """
    forget = getattr(get_embedder("use"), "forget", None)
    if forget is not None:
        kept = {text[:_READ] for text in keep}
        spans = ((text, span) for text in texts for span in ((0, len(text)), *pieces(text)))
        read = (text[start:end][:_READ] for text, (start, end) in spans)
        forget(piece for piece in read if piece not in kept)


def inputs(meaning: NDArray[np.float32], said: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Put what the rules say beside the meanings: float32 (clauses, features)."""
    import numpy as np

    return np.hstack([meaning, np.array(said, np.float32).reshape(-1, len(SIGNALS))])


def grams(text: str) -> list[str]:
    """List the distinct n-grams of a clause: up to three words, or four Chinese characters."""
    tokens = ["0" if token.isdigit() else token for token in _TOKEN.findall(text[:_READ].lower())]
    longest = [3 if token.isascii() else 4 for token in tokens]
    return sorted({
        " ".join(tokens[start : start + length])
        for start in range(len(tokens))
        for length in range(1, longest[start] + 1)
        if start + length <= len(tokens)
    })  # fmt: skip

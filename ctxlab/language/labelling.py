"""`cx.label`: what a message is, whether it is still open, and who may read it (R90, R92).

Three heads fitted on hand-written Chinese and English sentences answer. A message of several
sentences takes the most durable thing in it, since that is what an agent must not forget.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ctxlab.language import features
from ctxlab.language.heads import Head, load_head
from ctxlab.language.text import sentences
from ctxlab.messages import check_text
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DURABLE_FIRST", "LOW_CONFIDENCE", "StatementLabel", "label", "label_many"]

Kind = Literal["fact", "preference", "request", "commitment", "event", "emotion", "chitchat"]

DURABLE_FIRST = ("commitment", "request", "preference", "fact", "event", "emotion", "chitchat")
"""Kinds by how much an agent loses by forgetting one."""

LOW_CONFIDENCE = 0.25
"""Below this a label is as good as a guess (one in five is right), so it stays private (R92).

Over twelve authors left out, hardly more of these are private than of all that is said. From there
to .3 one in three is right and one in ten private: with the limit at .3, F1 of what is private is
lower by 1.8 points in Chinese and 1.2 in English."""

# The head has read whole messages, and a sentence torn from one misleads it: a sentence outvotes
# the whole only when sure. On six authors left out this costs two points of accuracy on their own
# messages of several sentences, and gains twenty on messages joined from two to four of theirs.
_SURE = 0.75
_MAX_SENTENCES = 24  # of a longer message the first and the last twelve: pastes have a long middle


@dataclass(frozen=True)
class StatementLabel:
    """What a message is.

    Attributes
    ----------
    kind : str
        "fact", "preference", "request", "commitment", "event", "emotion" or "chitchat".
    actionability : str
        "actionable" if it can change what an agent does next, or is open; else "historical".
    audience : str
        "shared" with every agent role, or "private" to the one that heard it.
    confidence : float
        Calibrated chance that ``kind`` is right, 0 to 1.
    scores : dict
        Chance of each kind, and of "actionable" and "private". Where one of several sentences
        decided, its kind has that sentence's chance, and the kinds don't sum to one.
    reasons : tuple of str
        What spoke for the kind, and rules that applied, most telling first.
    """

    kind: Kind
    actionability: Literal["actionable", "historical"]
    audience: Literal["shared", "private"]
    confidence: float
    scores: dict[str, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


def label(text: str, speaker: str | None = None) -> StatementLabel:
    """Say what a message is.

    Parameters
    ----------
    text : str
        One message in Chinese, English or both; 2,000 characters of it are read.
    speaker : str, optional
        "customer" or "agent". What an agent says is shared unless it shows feeling: competitors,
        complaints and confidences are the customer's to tell.

    Returns
    -------
    StatementLabel
        The label with its evidence. Blank text is chitchat.

    Examples
    --------
    >>> label("以后都走顺丰，别的快递我不收").kind
    'preference'
    >>> label("I'll send you the photos on Friday").actionability
    'actionable'
    """
    return label_many([text], speaker)[0]


def label_many(texts: list[str], speaker: str | None = None) -> list[StatementLabel]:
    """Label many messages at once: the sentences of all of them are embedded in one batch."""
    if not texts:
        return []
    parts = [_parts(check_text(text)) for text in texts]
    flat = list(dict.fromkeys([*texts, *(part for group in parts for part in group)]))
    row_of = {text: row for row, text in enumerate(flat)}
    reading = features.read(flat, get_embedder("use"))
    seen = (reading.dense, reading.grams)
    kind = load_head("kind")
    fine = kind.fine(*seen)
    chances: dict[str, NDArray[np.float32]] = {
        "kind": kind.summed(fine),
        "actionable": load_head("actionable").yes(*seen),
        # The sorts of kinds tell feelings and confided things too: two opinions are better.
        "private": 0.5 * load_head("private").yes(*seen) + 0.5 * kind.meant(fine),
    }
    return [
        _label_one(row_of[text], [row_of[part] for part in group], reading, chances, speaker)
        if features.lower(text[: features.READ_CHARS]).strip()
        else StatementLabel("chitchat", "historical", "shared", 1.0, {}, ("nothing is said",))
        for text, group in zip(texts, parts, strict=True)
    ]


def _label_one(
    whole: int,
    parts: list[int],
    reading: features.Reading,
    chances: dict[str, NDArray[np.float32]],
    speaker: str | None,
) -> StatementLabel:
    head = load_head("kind")
    kinds = chances["kind"]
    scores = {name: float(chance) for name, chance in zip(head.classes, kinds[whole], strict=True)}
    kind, telling = _choose(kinds, head.classes, whole, parts)
    scores[kind] = float(kinds[telling, head.classes.index(kind)])
    for name in ("actionable", "private"):
        scores[name] = float(max(chances[name][whole], chances[name][telling]))
    reasons = _reasons(head, reading, telling, kind)
    if telling != whole:
        reasons.append(f"the most durable of {len(parts)} sentences")
    audience = _audience(kind, scores, speaker, reasons)
    open_ = kind != "chitchat" and scores["actionable"] >= _threshold("actionable")
    return StatementLabel(
        kind,  # type: ignore[arg-type]  # the head's classes are the kinds
        "actionable" if open_ else "historical",
        audience,
        scores[kind],
        scores,
        tuple(reasons),
    )


def _choose(
    kinds: NDArray[np.float32], classes: tuple[str, ...], whole: int, parts: list[int]
) -> tuple[str, int]:
    """Give the kind and the row that shows it: the whole, or a sentence surely more durable."""
    kind = classes[int(kinds[whole].argmax())]
    if len(parts) > 1:
        for better in DURABLE_FIRST[: DURABLE_FIRST.index(kind)]:
            column = classes.index(better)
            best = max(parts, key=lambda row: float(kinds[row, column]))
            if kinds[best, column] >= _SURE:
                return better, best
    return kind, whole


def _audience(
    kind: str, scores: dict[str, float], speaker: str | None, reasons: list[str]
) -> Literal["shared", "private"]:
    if scores[kind] < LOW_CONFIDENCE:
        reasons.append(f"private: confidence {scores[kind]:.2f} is below {LOW_CONFIDENCE}")
        return "private"
    if speaker == "agent" and kind != "emotion":
        return "shared"
    if kind == "emotion" or scores["private"] >= _threshold("private"):
        reasons.append(f"private: feeling or confidence, chance {scores['private']:.2f}")
        return "private"
    return "shared"


def _threshold(name: str) -> float:
    return float(load_head(name).extra["threshold"])


def _reasons(head: Head, reading: features.Reading, row: int, kind: str) -> list[str]:
    found = head.evidence(reading.dense[row], reading.grams[row], kind, features.names())
    best = sorted(found, key=lambda name: -found[name])[:4]
    return [f"{features.describe(name)} ({found[name]:+.1f})" for name in best if found[name] > 0]


def _parts(text: str) -> list[str]:
    found = sentences(text[:2_000])
    half = _MAX_SENTENCES // 2
    return found if len(found) <= _MAX_SENTENCES else found[:half] + found[-half:]

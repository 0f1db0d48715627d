"""`cx.refers_back`: tell whether a message leans on earlier conversation (R60).

A keyword doesn't decide: "the last bus" points to the world, "go with the cheaper one" points to
earlier talk without any. So a fitted head weighs meaning, cues and wording together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ctxlab.language import features
from ctxlab.language.cues import find_cues
from ctxlab.language.heads import Head, load_head
from ctxlab.messages import check_text
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Reference", "bare", "refers_back"]

Decide = Callable[[str], Any]

_POINTING = ("said", "earlier", "opening", "pointing")
_LIKE = 0.35  # cosine below which the nearest training sentence explains nothing


@dataclass(frozen=True)
class Reference:
    """Whether a message leans on earlier conversation.

    Attributes
    ----------
    value : bool
        True if it can't be understood or served without it.
    score : float
        Calibrated chance of that, 0 to 1, by the fitted head, whoever decided.
    cues : tuple of str
        The words that spoke for ``value``, else the training sentence nearest to it in meaning,
        after "like: ".
    """

    value: bool
    score: float
    cues: tuple[str, ...] = ()


def refers_back(text: str, decide: Decide | None = None) -> Reference:
    """Say whether a message leans on what was said or agreed before.

    Parameters
    ----------
    text : str
        One message in Chinese, English or both; 2,000 characters of it are read.
    decide : callable, optional
        A bigger model for critical requests: takes the text, returns a bool, or None to leave it
        to the head. If it fails or returns anything else, the head decides and ``cues`` says so.

    Returns
    -------
    Reference
        The answer with its evidence. Blank text refers to nothing.

    Examples
    --------
    >>> refers_back("上次你说的那个方案还算数吗").value
    True
    >>> refers_back("Is the last bus at eleven?").value
    False
    """
    if not features.lower(check_text(text)[: features.READ_CHARS]).strip():
        return Reference(False, 0.0)
    head = load_head("refers")
    reading = features.read([bare(text)], get_embedder("use"), parts=False)
    score = float(head.probabilities(reading.dense, reading.grams)[0, 1])
    value = score >= head.extra["threshold"]
    found = Reference(value, score, _cues(head, reading, text, value))
    return found if decide is None else _decided(found, text, decide)


def bare(text: str) -> str:
    """Take off what ends a statement: whether people set a full stop says nothing.

    Examples
    --------
    >>> bare("我忘带卡了。"), bare("is it done?")
    ('我忘带卡了', 'is it done?')
    """
    return text.rstrip(" \n.。!！~…") or text


def _decided(found: Reference, text: str, decide: Decide) -> Reference:
    try:
        answer = decide(text)
    except Exception as error:  # a model that is down must not stop a turn
        return replace(found, cues=(*found.cues, f"decide failed: {error}"))
    if answer is None:
        return found
    if not isinstance(answer, bool):
        return replace(found, cues=(*found.cues, f"decide gave no bool: {answer!r:.40}"))
    return replace(found, value=answer, cues=(*found.cues, "decided by the model given"))


def _cues(head: Head, reading: features.Reading, text: str, value: bool) -> tuple[str, ...]:
    """Name words whose evidence is for ``value``; where meaning alone decided, a like sentence."""
    evidence = head.evidence(
        reading.dense[0], reading.grams[0], "yes" if value else "no", features.names()
    )
    telling = _POINTING if value else ("world",)
    words = find_cues(features.lower(text[: features.READ_CHARS]), telling)
    by_gain = sorted(telling, key=lambda name: -evidence[f"cue:{name}"])
    found = [word.strip() for name in by_gain if evidence[f"cue:{name}"] > 0
             for word in words.get(name, ())]  # fmt: skip
    if evidence["meaning"] > max([0.0, *(evidence[f"cue:{name}"] for name in telling)]):
        found += _nearest(head, reading.dense[0, : features.WIDTH], value)
    return tuple(dict.fromkeys(word for word in found if word))


def _nearest(head: Head, vector: NDArray[np.float32], value: bool) -> list[str]:
    if head.examples is None:
        return []
    cosines = head.examples @ vector
    texts = head.extra["examples"]  # [text, refers] each
    best = next((i for i in cosines.argsort()[::-1] if texts[i][1] == value), None)
    return [] if best is None or cosines[best] < _LIKE else [f"like: {texts[best][0]}"]

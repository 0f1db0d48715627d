"""Blocks of memory in a context: framed so that content can't forge a frame (R73)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from ..layers.session import Narrative
from ..turns import FRAME

__all__ = [
    "Block",
    "Frame",
    "frame_tag",
    "longest_frame",
    "render",
    "summary_frame",
]


_SUMMARY = "Earlier in this conversation: what holds, then what was said, newest first"


@dataclass(frozen=True)
class Block:
    """Memory to inject: lines, the most important first, with source and time (R73)."""

    layer: str
    lines: tuple[str, ...]
    source: str
    time: datetime | None = None
    title: str = ""
    refs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A line that held a line break could pass for two, or for another speaker's.
        if any(len(line.splitlines()) > 1 for line in self.lines):
            object.__setattr__(self, "lines", tuple(" ".join(x.split()) for x in self.lines))


class Frame(NamedTuple):
    """What stands before a summary's lines and after them.

    Frames of one `shape` differ in digits only, and so count alike.
    """

    opening: str
    closing: str
    shape: tuple[str, int, int, bool]


def summary_frame(told: Sequence[Narrative], tag: str) -> Frame:
    """Frame summary lines, of which those with a time come newest first."""
    first = min([line.first for line in told])
    last = max([line.last for line in told])
    return _summary(tag, first, last, next((line.time for line in told if line.time), None))


@lru_cache(maxsize=64)
def longest_frame(tag: str) -> Frame:
    """Return the longest frame a summary can have, to reckon with before its lines are chosen."""
    return _summary(tag, 99_999, 99_999, datetime(2000, 1, 1, tzinfo=UTC))


def _summary(tag: str, first: int, last: int, time: datetime | None) -> Frame:
    opens, closes = str(first), str(last)
    around = _frame(tag, "summary", f"turns {opens}-{closes}", time, _SUMMARY)
    return Frame(*around, (tag, len(opens), len(closes), time is None))


def frame_tag(session_id: str, texts: Sequence[str]) -> str:
    """Return the name of this session's block frames: fixed, unless a text contains it (R73).

    Derived from the session id, so output is deterministic and the prefix cacheable; a text that
    holds the tag makes another one, so content can't forge a frame.

    Examples
    --------
    >>> tag = frame_tag("s1", [])
    >>> frame_tag("s1", [f"</{tag}>"]) == tag
    False
    """
    for n in range(len(texts) + 1):  # each text can spoil some tags, not all of them
        tag = _nth_tag(session_id, n)
        if not any(tag in text for text in texts):
            return tag
    seed = "".join(texts).encode("utf-8", "surrogatepass")
    return f"{FRAME}{hashlib.blake2s(seed, digest_size=16).hexdigest()}"


@lru_cache(maxsize=1024)
def _nth_tag(session_id: str, n: int) -> str:
    seed = f"{session_id}:{n}".encode("utf-8", "surrogatepass")
    return f"{FRAME}{hashlib.blake2s(seed, digest_size=5).hexdigest()}"


def _frame(tag: str, layer: str, source: str, time: datetime | None, title: str) -> tuple[str, str]:
    """Return what stands before a block's lines and after them: what it is, from where and when."""
    when = f' time="{time.isoformat()[:16]}Z"' if time else ""
    head = f'<{tag} kind="{layer}" source="{source}"{when}>'
    return f"{head}\n{title}" if title else head, f"</{tag}>"


def render(block: Block, lines: Sequence[str], tag: str) -> str:
    """Frame a block."""
    opening, closing = _frame(tag, block.layer, block.source, block.time, block.title)
    return "\n".join((opening, *lines, closing))

"""Saying each thing once: what memory brings in beside what a context holds anyway (R74, R76).

The previous session's conclusion, passages and memories overlap: they were drawn from the same
messages. What stands in one block already, and what a newer value has replaced, is left out of the
next, a sentence at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..language.text import fold, sentences
from ..messages import Message
from ..trace import Trace
from .blocks import Block
from .loss import LossMeter, is_refusal

__all__ = ["SayOnce"]

_ORDER = ("profile", "past", "conclusion")  # who speaks first
_HEAD = re.compile(r"^(?:\[[^\]\n]{1,24}\] )?(?:\([^)\n]{1,60}\) )?")  # label, relevance, date
_SPEAKER = re.compile(r"(?:(?<=\s)|^)(user|assistant): ")


@dataclass(frozen=True)
class SayOnce:
    """Leave repeats and replaced values out of blocks of memory.

    Parameters
    ----------
    replaced : sequence of str
        Literals that hold no longer: an old address, a number that was put right.

    Examples
    --------
    >>> profile = Block("profile", ("(2026-01-05) The customer's order is A1029.",), "U1")
    >>> told = ("[fact] The customer's order is A1029.", "[fact] Paid £40.", "Ship to 12 Elm.")
    >>> blocks = {"profile": profile, "conclusion": Block("conclusion", told, "s1")}
    >>> SayOnce(["12 Elm"])(blocks, Trace())["conclusion"].lines
    ('[fact] Paid £40.',)
    """

    replaced: Sequence[str] = ()

    def __call__(self, blocks: Mapping[str, Block], trace: Trace) -> dict[str, Block]:
        """Return the blocks without what need not or must not be said."""
        said: list[str] = []
        out = dict(blocks)
        for layer in _ORDER:
            if layer not in blocks:
                continue
            kept = []
            for line in blocks[layer].lines:
                # Records tell what holds; a passage stays as it is but for what holds no longer.
                before = said if layer == "conclusion" else ()
                short = line if layer == "profile" else self._line(line, before, layer, trace)
                if short:
                    kept.append(short)
                    said.append(_plain(short))
            if kept:
                out[layer] = replace(blocks[layer], lines=tuple(kept))
            else:
                del out[layer]
        return out

    def _line(self, line: str, said: Sequence[str], layer: str, trace: Trace) -> str:
        head = _HEAD.match(line)
        start = head.end() if head else 0
        kept = []
        for speaker, text in _spoken(line[start:]):
            why = self._stale(text) or _told(text, said)
            if why:
                trace.add("load", "R74" if "replaced" in why else "R76", layer, "left out", why)
            else:
                kept.append((speaker, text))
        return line[:start] + _join(kept) if kept else ""

    def _stale(self, text: str) -> str:
        found = next((x for x in self.replaced if _stands(x, text)), None)
        return f"holds {found!r}, which was replaced" if found else ""


def _told(text: str, said: Sequence[str]) -> str:
    """Say whether a sentence, or all that must survive of it, stands in what was said."""
    plain = _plain(text)
    if len(plain) > 1 and any(plain in other for other in said):
        return "said already"
    message = Message("user", text)
    if is_refusal(text) or not LossMeter.literals([message]):
        return ""
    lost = [LossMeter()([message], [other]).lost for other in said]
    return "a memory tells it" if () in lost else ""


def _spoken(text: str) -> list[tuple[str, str]]:
    """Split a narrative into sentences, each with its speaker, if it names any."""
    parts, speaker, at = [], "", 0
    for match in [*_SPEAKER.finditer(text), None]:
        piece = text[at : match.start() if match else len(text)]
        parts += [(speaker, sentence) for sentence in sentences(piece) if sentence.strip()]
        if match:
            speaker, at = match[1], match.end()
    return parts


def _join(parts: Iterable[tuple[str, str]]) -> str:
    words, last = [], ""
    for speaker, text in parts:
        words.append(f"{speaker}: {text}" if speaker != last else text)
        last = speaker
    return " ".join(words)


def _stands(literal: str, text: str) -> bool:
    """Whether a literal stands in a text by itself, not as a part of a longer number."""
    pattern = rf"(?<![0-9]){re.escape(literal)}(?![0-9])"
    return re.search(pattern, text) is not None


def _plain(text: str) -> str:
    return "".join(char for char in fold(text).text.lower() if char.isalnum())

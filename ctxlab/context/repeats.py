"""Saying each thing once: what memory brings in beside what a context holds anyway (R74, R76).

The previous session's conclusion, passages and memories overlap: they were drawn from the same
messages. What stands in one block already, and what a newer value has replaced, is left out of the
next, a sentence at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..language.attributes import find_attribute
from ..language.keeping import kept
from ..language.text import folded, sentences, tokenize
from ..messages import Message
from ..trace import Trace
from .blocks import Block
from .loss import LossMeter, is_refusal

__all__ = ["SayOnce"]

_ORDER = ("profile", "past", "conclusion")  # who speaks first
_ALIKE = 0.5  # share of a sentence's words that must stand where it is said already
_HEAD = re.compile(r"^(?:\[[^\]\n]{1,24}\] )?(?:\([^)\n]{1,60}\) )?")  # label, relevance, date
_SPEAKER = re.compile(r"(?:(?<=\s)|^)((?:Customer|Agent|user|assistant): |(?:客户|客服)：)")


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
    >>> told = ("[fact] Customer's order is A1029.", "[fact] Paid £40.", "Ship to 12 Elm.")
    >>> blocks = {"profile": profile, "conclusion": Block("conclusion", told, "s1")}
    >>> SayOnce(["12 Elm"])(blocks, Trace())["conclusion"].lines
    ('[fact] Paid £40.',)
    """

    replaced: Sequence[str] = ()

    def __call__(self, blocks: Mapping[str, Block], trace: Trace) -> dict[str, Block]:
        """Return the blocks without what need not or must not be said."""
        said: list[_Said] = []
        out = dict(blocks)
        for layer in _ORDER:
            if layer not in blocks:
                continue
            left = []
            for line in blocks[layer].lines:
                # Records tell what holds: of a passage, what they don't.
                short = line if layer == "profile" else self._line(line, said, layer, trace)
                if short:
                    left.append(short)
                    said.append(_read(short))
            if left:
                out[layer] = replace(blocks[layer], lines=tuple(left))
            else:
                del out[layer]
        return out

    def _line(self, line: str, said: Sequence[_Said], layer: str, trace: Trace) -> str:
        head = _HEAD.match(line)
        start = head.end() if head else 0
        left = []
        for speaker, text in _spoken(line[start:]):
            holds = self._mend(text)
            if holds != text:
                why = "it holds a value that was replaced"
                trace.add("load", "R74", layer, "cut" if holds else "left out", why)
            if holds and said and _told(holds, said):
                trace.add("load", "R76", layer, "left out", "said already")
                holds = ""
            if holds:
                left.append((speaker, holds))
        return line[:start] + _join(left) if left else ""

    def _mend(self, text: str) -> str:
        """Blank replaced values; return nothing if nothing else was to hold on to."""
        whole = text
        for literal in self.replaced:
            if literal not in text:
                continue
            text = re.sub(rf"(?<![0-9]){re.escape(literal)}(?![0-9])", "[…]", text)
        return text if text == whole or LossMeter.literals([Message("user", text)]) else ""


class _Said:
    """A line or a sentence; what it is compared by is worked out once, if at all."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def plain(self) -> str:
        return _plain(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(tokenize(self.text))

    @cached_property
    def slot(self) -> str | None:
        return find_attribute(self.text)

    @cached_property
    def refuses(self) -> bool:
        return is_refusal(self.text)

    @cached_property
    def literals(self) -> dict[str, tuple[Message, str]]:
        return LossMeter.literals([Message("user", self.text)])


@kept(most=2_048)  # memory says much the same at each request
def _read(text: str) -> _Said:
    return _Said(text)


def _told(text: str, said: Sequence[_Said]) -> bool:
    """Whether a sentence, or all that must survive of it in much the same words, was said."""
    new = _read(text)
    if len(new.plain) > 1 and any(new.plain in other.plain for other in said):
        return True
    if new.refuses:  # told only by what turns it down as well
        said = [other for other in said if other.refuses]
    near = [other for other in said if len(new.words & other.words) >= _ALIKE * len(new.words)]
    # In other words the same is said of the same slot: "I live at", "make my address".
    near += [x for x in said if new.slot and x not in near and x.slot == new.slot]
    if not near or not new.literals:
        return False
    return any(not LossMeter.compare(new.literals, [other.text]).lost for other in near)


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
        words.append(f"{speaker}{text}" if speaker != last else text)
        last = speaker
    return " ".join(words)


def _plain(text: str) -> str:
    return "".join(char for char in folded(text).lower() if char.isalnum())

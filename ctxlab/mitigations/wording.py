"""What two wordings hold of each other: whether one covers the other, or brings news (R94)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ..language.slots import Slot

__all__ = ["both", "joined", "news_in"]

_LONGEST = 300  # characters that a text may grow to by supplements; beyond, records stand apart
_MANY = 20  # new words: two sentences' worth is more than another way of putting it
_ALIKE = 0.5  # share of the old words from which a longer wording adds to them
_NEARLY_ALL, _SOME = 0.8, 0.3  # share of a text's words that what covers it holds, slots apart
_DIGITS = re.compile(r"\S*\d\S*")
_SAYS = re.compile(
    r"The (?:agent|customer) (?:said|asked|wants|promised|confirmed): "
    r"|客[户服](?:说|告知|希望|要求|承诺|确认：)"
)
_SURE_KINDS = ("id", "phone", "email")


def both(text: str, more: str) -> str:
    """Return one text that says one thing and then another; who says both is named once.

    Examples
    --------
    >>> both("The agent said: Booked.", "The agent said: At 13:40.")
    'The agent said: Booked; At 13:40.'
    """
    lead = _SAYS.match(text)
    if lead and more.startswith(lead[0]):
        more = more[lead.end() :]
    return f"{text.rstrip('。.；; ')}{'；' if not text.isascii() else '; '}{more}"


def joined(old: str, new: str) -> str | None:
    """Return the more complete wording if one covers the other, else both; None if too long."""
    if _covers(new, old):
        return new
    if _covers(old, new):
        return old
    text = both(old, new)
    return text if len(text) <= _LONGEST else None


def _covers(long: str, short: str) -> bool:
    """Whether `long` says all that `short` does: every slot of it, or nearly all of its words."""
    from ..language.slots import match_slots, read_slots

    if _shared(short, long) >= _NEARLY_ALL:
        return True
    slots = read_slots(short)
    match = match_slots(slots, read_slots(long))
    covered = bool(slots) and not match.missing and not match.differ and len(match.added) > 0
    # One id in common is no sentence in common.
    return covered and _shared(*(_DIGITS.sub("", text) for text in (short, long))) >= _SOME


def _shared(text: str, other: str) -> float:
    """Return the share of a text's words that another holds, 0 to 1."""
    from ..language.text import tokenize

    words = set(tokenize(text))
    return len(words & set(tokenize(other))) / max(len(words), 1)


def news_in(old: str, new: str) -> Literal["supplement", "distinct"] | None:
    """Say what a text is to another if it holds what that one lacks; None if it holds nothing new.

    One exact part may be read amiss ("forty rolls", "$400 in quarters"); several, an id or a whole
    date seldom are.
    """
    from ..language.slots import match_slots, read_slots
    from ..language.text import sentences, tokenize

    match = match_slots(read_slots(old), read_slots(new))
    if len(sentences(new)) > 1:
        words, known = set(tokenize(new)), set(tokenize(old))
        more = len(words - known) > max(_MANY, len(words & known))
        return "distinct" if match.differ or match.added or more else None
    if len(match.added) > 1 or any(map(_is_sure, match.added)):
        goes_on = not match.differ and _shared(old, new) >= _ALIKE
        return "supplement" if goes_on else "distinct"
    return None


def _is_sure(slot: Slot) -> bool:
    return slot.kind in _SURE_KINDS or (slot.kind == "date" and all(slot.value))

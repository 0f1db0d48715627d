"""What ties a new statement to one that it would replace (R94).

"From now on no replacements" changes something; nothing in it says that it changes where invoices
go. Most of what memory compares has nothing to do with each other, and a record that is replaced
is out of sight, so words of change alone replace nothing: the two must share a slot with a value,
an id, or words of their own, or exchange an amount or a day.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..language.attributes import SINGLE, find_value
from ..language.closeness import content
from ..language.sides import Side, side_of
from ..language.slots import Slot, SlotMatch, match_slots

if TYPE_CHECKING:
    from ..language.comparing import Comparison
    from ..types import Record

__all__ = ["filed_since", "stepped", "tie"]

_NAMES = ("id", "phone", "email")
_DAYS = ("date", "weekday", "clock")
_NAMED = (*_NAMES, "number", "money")
_BESIDE = re.compile(r"\s*[(（][^()（）]{1,40}[)）]\W*$")  # the case it is filed under
_CHANGES = ("moved", "replaced", "corrected", "sized")
_ALIKE = 0.5  # cosine from which a day may take another's place
_SLIP = 2  # characters of a number that a slip changes
_LONG = 4  # digits of a number that is no count
_ADDS = re.compile(r"\b(?:ha(?:s|ve) |'ve |: )?added\b|(?:添加|加上|增加|加好)了?", re.I)
# How `extract` retells; and what any two statements to a support desk may have in common.
_RETOLD = re.compile(
    r"\b(?:the )?(?:customer|agent|company)(?:'s)?\b|"
    r"\b(?:said|asked|answered|promised|confirmed|wants?|needs?)\b|"
    r"(?:客服|客户|商家)(?:告知|承诺|问|说|要求|希望|确认|答)?"
)
_COMMON = frozenset(
    content(
        "give get like please okay instead now done one thing order today time day sure yes "
        "something anything check look find tell know want help issue problem number make "
        "一下 可以 已经 麻烦 什么 怎么 这个 那个 现在 今天 时候 问题 还有 不要 不用 "
        "没有 需要 请问 知道 收到 要的 有的"
    )
)


def tie(old: Record, new: Record, cosine: float) -> str:
    """Say what ties two statements, in a few words; nothing if nothing does.

    Parameters
    ----------
    old, new : Record
        The new one would replace the old one.
    cosine : float
        Of the two, in [-1, 1].
    """
    single = new.attribute in SINGLE and old.attribute == new.attribute
    if single and all(r.value or find_value(r.text, r.attribute) for r in (old, new)):
        others = _ANOTHERS.search(new.text) and not _ANOTHERS.search(old.text)
        return "" if others else f"both give {new.attribute}"
    if old.kind != "request" and _ADDS.search(new.text):
        return ""  # beside what there is, and in place of nothing
    a, b = side_of(old.text), side_of(new.text)
    match = match_slots(a.slots, b.slots)
    if named := _one_name(match, a, b):
        return named
    if shared := sorted(_own(a) & _own(b)):
        return f"both say {shared[0]}"
    kinds = {slot.kind for slot, _ in match.differ}
    if any(b.signs[name] for name in _CHANGES) and not kinds & {*_NAMES}:
        if kinds - {*_DAYS, "number"}:
            return "another amount"
        if kinds & {*_DAYS} and cosine >= _ALIKE:
            return "another day"
    return ""


def stepped(old: Record, new: Record, found: Comparison) -> bool:
    """Whether the customer stands on another step of a scale: basic then premium, 12 seats then 9.

    Whoever asks for the next step hasn't taken it, and somebody else's is no step of theirs.

    Parameters
    ----------
    old, new : Record
        The new one would replace the old one.
    found : Comparison
        What `cx.compare` says of the two.
    """
    if new.attribute not in _SCALES or old.attribute != new.attribute:
        return False
    steps = [str(record.value or "").casefold() for record in (old, new)]
    if not all(steps) or any(_WISH.search(record.text) for record in (old, new)):
        return False
    another = any("person" in line for line in found.evidence)
    return steps[0] != steps[1] and _sort(steps[0]) == _sort(steps[1]) and not another


_SCALES = ("plan", "rank")
_WISH = re.compile(
    r"\b(?:ask(?:s|ed)|wants?|wish(?:es)?|would like|wonder\w*|if|promise[ds]?|will)\b|'ll\b"
    r"|要求|希望|想|询问|如果|要是|承诺|打算|考虑"
)


def _sort(step: str) -> str:
    """Say what a step is measured in; steps of two sorts stand side by side."""
    return re.sub(r"\d[\d.,]*", "#", step).strip() if re.search(r"\d", step) else "name"


# A note calls the customer "the customer": these are somebody else's.
_ANOTHERS = re.compile(r"\A(?=The customer|客户).*?(?:\b(?:he|she|his|hers?|him)\b|[他她])", re.S)


def filed_since(old: Record, new: Record) -> bool:
    """Whether a statement is the old one with the case it belongs to, known by now, beside it."""
    bare = _BESIDE.sub("", new.text)
    return bare != new.text and bare.rstrip(" .。") == old.text.rstrip(" .。")


def _one_name(match: SlotMatch, old: Side, new: Side) -> str:
    """Say which id or sum both name, or which of two is a slip for the other."""
    for slots in match.agree:
        # Two requests about one order needn't have to do with each other.
        beside = [_stands_beside(s, side) for s, side in zip(slots, (old, new), strict=True)]
        if _names(slots[0]) and not all(beside):
            return f"both name {slots[0].text}"
    for slot, other in match.differ:
        if _names(slot) and _nearly(slot.text, other.text):
            return f"{slot.text} and {other.text} are nearly one"
    return ""


def _names(slot: Slot) -> bool:
    """Whether it is told from others of its kind by its value: an id, no count and no day."""
    return slot.kind in _NAMED and sum(map(str.isdigit, slot.text)) >= _LONG


def _nearly(one: str, other: str) -> bool:
    """Whether two numbers are alike but for a slip: a digit, or two that changed places."""
    unlike = [a != b for a, b in zip(one, other, strict=False)]
    return len(one) == len(other) and sum(unlike) <= _SLIP


def _stands_beside(slot: Slot, side: Side) -> bool:
    beside = _BESIDE.search(side.plain)
    return beside is not None and slot.start >= beside.start()


def _own(side: Side) -> set[str]:
    """Return the words of a note that are its own; a day or a sum has a value, and no words."""
    plain = side.plain
    for slot in reversed(side.slots):
        plain = f"{plain[: slot.start]} {plain[slot.start + len(slot.text) :]}"
    words = content(_RETOLD.sub(" ", _BESIDE.sub("", plain)))
    return {word for word in words if not word[0].isdigit()} - _COMMON

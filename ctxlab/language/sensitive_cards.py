"""What belongs to a card: its expiry date and its security code, zh and en; British accounts.

Positions are in the normal form of :func:`ctxlab.language.text.fold`, digits written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxlab.language.sensitive_labels import Labels
from ctxlab.language.sensitive_numbers import Hit, is_linked

__all__ = ["find_accounts", "find_card_details"]

_EXPIRY = re.compile(
    r"(?<!\d)(?:0?[1-9]|1[0-2])月 ?[/ ]? ?(?:20)?[2-4]\d年|"
    r"(?<![\d/-])(?:0?[1-9]|1[0-2]) ?[/-] ?(?:20)?[2-4]\d(?![\d/-])|(?:20)?"
    r"[2-4]\d ?年 ?(?:0?[1-9]|1[0-2]) ?月|(?<!\d)(?:0[1-9]|1[0-2]) ?[2-4]\d(?!\d)|"
    r"[二三四][零〇一二三四五六七八九]年(?:十?[一二三四五六七八九]|十)月|\b(?:jan|feb|mar|apr|"
    r"may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:(?:20)?[2-4]\d(?!\d)|(?:twenty|thirty)"
    "(?:[ -](?:twenty|thirty))?(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?\\b)",
    re.IGNORECASE,
)
_THRU = re.compile(r"\b(?:valid|good) thru\b", re.IGNORECASE)  # of cards alone
_AFTER_DATE = re.compile(
    r"(?<!\d)\d\d月? ?[/-] ?\d\d年? ?(?:到期|过期|有效|exp(?:iry|ires|iring)?)?[ ,，、;]{1,3}\Z",
    re.IGNORECASE,
)
_SORT_CODE = re.compile(r"(?<![\d-])\d\d-\d\d-\d\d(?![\d-])")
_ACCOUNT = re.compile(r"(?<![\d-])\d{8}(?![\d-])")
_PAID = re.compile(
    r"\b(?:pay|paid|refund|account|a/c|sort|transfer|deposit|wages?|salary|bank|bacs)\b",
    re.IGNORECASE,
)
# An account by the name its owner gave it: "ravi.k@okbank", which no mail reaches.
_HANDLE = re.compile(r"(?<![\w.@-])[\w.-]{2,40}@[A-Za-z]{2,14}(?![\w@-]|\.\w)")
_HANDLES = re.compile(r"\b(?:upi|vpa|bhim|g ?pay|phone ?pe|paytm)\b", re.IGNORECASE)
_TOGETHER = 24  # characters between the two numbers of an account
_APART = re.compile(r"(?<![\d/.-])\d(?:(?:,? and |, ?| )\d){2,3}(?![\d/-]|\.\d)")
_ON_THE_BACK = re.compile(
    r",? (?:is |that's |that is )?(?:on|at) the (?:back|reverse)\b|"
    "[,，]? ?(?:这是|是)?在?(?:卡?背面|背后|卡后)"
)
_LONG_ACCOUNT = re.compile(r"(?<![\dA-Za-z-])\d{20,24}(?![\dA-Za-z-])")
_CODE = re.compile(r"(?<![\d/.-])\d{3,4}(?![\d/-]|\.\d)")


def find_card_details(text: str, labels: Labels, known: Sequence[Hit]) -> Iterator[Hit]:
    """Find expiry dates and bare security codes, which mean something only beside a card.

    Parameters
    ----------
    text : str
        A normal form.
    labels : Labels
        Its labels.
    known : sequence of Hit
        What :func:`ctxlab.language.sensitive_numbers.find_numbers` found in it.
    """
    cards = [hit.end for hit in known if hit.rule == "card"]
    dated = _THRU.search(text) is not None
    if not cards and not dated and not labels.kinds & {"card", "cvv"}:
        return
    for match in _EXPIRY.finditer(text):
        label = labels.before(match.start(), 24)
        beside = _beside(cards, match.start(), 24) and re.search("[/年-]|[a-z]{3}", match[0], re.I)
        if label.kind == "expiry" or beside:
            yield Hit(*match.span(), "payment", "expiry", 0.85)
    yield from _codes(text, labels, cards, dated)


def _codes(text: str, labels: Labels, cards: list[int], dated: bool) -> Iterator[Hit]:
    """Find security codes, behind or before what tells where they stand."""
    for match in _APART.finditer(text):  # "the three on the back are 4, 7 and 1"
        if labels.before(match.start(), 16).kind == "cvv":
            yield Hit(*match.span(), "payment", "cvv", 0.85)
    for match in _CODE.finditer(text):
        label = labels.before(match.start(), 16)
        of_card = _beside(cards, match.start(), 60) or (not cards and len(match[0]) == 3)
        # Card, date, three digits in a row need no names.
        if of_card and len(match[0]) == 3 and _AFTER_DATE.search(text[: match.start()][-14:]):
            yield Hit(*match.span(), "payment", "cvv", 0.8)
        if dated and re.search(r"security (?:is )?\Z", text[: match.start()], re.IGNORECASE):
            yield Hit(*match.span(), "payment", "cvv", 0.8)
        number = label.kind == "phone" and cards and len(match[0]) == 3  # "and the number's 664"
        named = (label.kind in {"code", "cvv"} or number) and of_card and is_linked(label.gap)
        if named or (_ON_THE_BACK.match(text, match.end()) and (cards or len(match[0]) == 3)):
            yield Hit(*match.span(), "payment", "cvv", 0.85)


def find_accounts(text: str, labels: Labels) -> Iterator[Hit]:
    """Find a British account told by its two numbers ("12345678 at 20-00-00"), an Indian handle."""
    if "@" in text and _HANDLES.search(text):
        for handle in _HANDLE.finditer(text):
            yield Hit(*handle.span(), "payment", "account", 0.85)
    for number in _LONG_ACCOUNT.finditer(text):  # longer than a card: companies' accounts of China
        label = labels.before(number.start(), 12)
        if label.kind in {"account", "bank"} and len(label.gap) < 4:
            yield Hit(*number.span(), "payment", "account", 0.85)
    for code in _SORT_CODE.finditer(text) if _PAID.search(text) else ():
        around = max(0, code.start() - _TOGETHER - 8), code.end() + _TOGETHER + 8
        for account in _ACCOUNT.finditer(text, *around):
            if labels.before(account.start(), 24).kind != "other":
                yield Hit(*code.span(), "payment", "account", 0.8)
                yield Hit(*account.span(), "payment", "account", 0.8)


def _beside(ends: list[int], position: int, reach: int) -> bool:
    return any(0 <= position - end <= reach for end in ends[-64:])

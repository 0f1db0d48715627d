"""Sensitive numbers: cards, accounts, identity numbers, phones, and codes only a label gives away.

A number alone says little: sixteen digits are a card, an order or a parcel. Two things decide
here: a check digit or fixed shape, tested by maintained libraries; and the *label*, the nearest
noun that says what the number is ("passport", 卡号, "order"), which can also acquit.
All positions are in the normal form of :func:`ctxlab.language.text.fold`, digits written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from ctxlab.language.sensitive_labels import PAYMENT, SECRET, WEAK, Label, Labels
from ctxlab.language.sensitive_phones import (
    CHINESE_MOBILE,
    SERVICE_LINE,
    THING_NUMBER,
    YOURS,
    valid_phone,
)

__all__ = ["OPENS", "Hit", "find_numbers", "is_card", "is_linked", "valid"]


class Hit(NamedTuple):
    """A span of the normal form and what it discloses; ``confidence`` in [0, 1]."""

    start: int
    end: int
    category: str
    rule: str
    confidence: float


class _Run(NamedTuple):
    """A reading of consecutive digit groups as one number."""

    start: int
    end: int
    digits: str
    sizes: tuple[int, ...]


_BLOCK = re.compile(
    r"(?<![0-9])\+?\(?\d++(?:(?:[ .()-]|, ?){0,2}?\d++)*+(?:[ -]?[xX](?![A-Za-z0-9]))?"
)
_PART_OF_CODE = re.compile(r"(?:[A-Za-z0-9_]|[A-Za-z0-9][_#/-])\Z")
_DATE = re.compile(r"(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:[0-2]?\d|3[01])(?!\d)")
_MONEY = re.compile(r"[$£€¥￥] ?\(?\Z")
_LONGEST = 19  # digits of the longest card number
_TABLE = 64  # groups of digits: more in a row are a table of figures, not a number spelled out


def find_numbers(text: str, labels: Labels) -> list[Hit]:
    """Find sensitive numbers; readings of one run of digits don't overlap."""
    hits: list[Hit] = []
    for block in _BLOCK.finditer(text):
        start, end = block.span()
        # Part of a longer code, which is judged as a token, or a date.
        if _PART_OF_CODE.search(text[max(0, start - 2) : start]) or _DATE.match(text, start):
            continue
        if not re.match(r"[A-Za-z_]|-[A-Za-z]", text[end : end + 2]):
            hits += _block(text, block, labels)
    return hits


def _block(text: str, block: re.Match[str], labels: Labels) -> Iterator[Hit]:
    groups = list(re.compile(r"\d+").finditer(text, *block.span()))
    if sum(len(group[0]) for group in groups) < 3:
        return
    if len(groups) > _TABLE:
        groups = [group for group in groups if len(group[0]) > 2]
    index = 0
    while index < len(groups):
        used, hit = _number(text, groups, index, labels)
        if hit:
            yield hit
        index += used


def _readings(groups: list[re.Match[str]], index: int) -> list[_Run]:
    """List the numbers that begin at a group, the longest first."""
    runs: list[_Run] = []
    digits = ""
    for group in groups[index : index + _LONGEST]:
        digits += group[0]
        if len(digits) > _LONGEST:
            break
        sizes = (*runs[-1].sizes, len(group[0])) if runs else (len(group[0]),)
        runs.append(_Run(groups[index].start(), group.end(), digits, sizes))
    return runs[::-1]


_DOCUMENTS = frozenset({"passport", "licence", "id", "ssn"})


def _number(
    text: str, groups: list[re.Match[str]], index: int, labels: Labels
) -> tuple[int, Hit | None]:
    """Try every reading from one group on; give how many groups it took, and the hit."""
    runs = _readings(groups, index)
    if not runs:
        return 1, None
    # "the passport, which expires in June, is number 5044 71902"
    dated = labels.kinds & _DOCUMENTS and "card" not in labels.kinds
    label = labels.before(runs[0].start, skip=WEAK | {"expiry"} if dated else WEAK)
    acquitted = label.kind == "other" and len(label.gap) <= 24 and not _PAYING.search(label.gap)
    # Whole cards come first: an expiry date behind one may by chance pass the check as well.
    for run in sorted(runs, key=lambda run: run.sizes not in _CARD_GROUPS):
        if hit := _resident_id(text, run, label):
            return len(run.sizes), hit
        rule = None if acquitted else _card(run, label, labels)
        if rule:
            return len(run.sizes), Hit(run.start, run.end, "payment", *rule)
        taxed = re.match("税|tax", text[label.start : label.end], re.IGNORECASE)
        rule = None if acquitted and not taxed else _identity(run, label)
        if rule:
            return len(run.sizes), Hit(run.start, run.end, "government_id", *rule)
    # 13 44 12 is an Australian line, "the code is 134412" is none.
    called = labels.before(runs[0].start).kind not in {"code", *SECRET}
    if called and SERVICE_LINE.fullmatch(runs[0].digits):
        return len(runs[0].sizes), None
    if YOURS.match(text, runs[0].end):
        return len(runs[0].sizes), None
    for run in runs:
        opening = text[max(0, run.start - 2) : run.start]
        begin = run.start - (len(opening) - len(opening.rstrip("+(")))
        if 7 <= len(run.digits) <= 15 and _is_phone(text, begin, run, labels):
            return len(run.sizes), Hit(begin, run.end, "contact", "phone", 0.85)
    return _short_code(text, runs, label, labels)


# --- Payment and identity ----------------------------------------------------------------------

_ISSUER = re.compile(
    r"4(?=\d{12}(?:\d{3}){0,2}\Z)|(?:5[1-5]|2[2-7])(?=\d{14}\Z)|3[47](?=\d{13}\Z)|"
    r"3[0689](?=\d{12}\Z)|(?:6011|64|65|35|62)(?=\d{12,17}\Z)"
)
_CARD_GROUPS = {(16,), (15,), (19,), (4, 4, 4, 4), (4, 6, 5), (4, 4, 4, 4, 3)}
_UNION_PAY = re.compile(r"62\d{14}(?:\d{3})?|62\d{15}")
_PAYING = re.compile(
    r"[扣刷卡付][^。]{0,8}\Z|这张 ?\Z|\b(?:card|visa|charge|pay|fees?|duty)\b[^.]{0,12}\Z", re.I
)
_RARE_ISSUER = re.compile(r"50|5[6-8]|6|1800|2131")
# Province, then a date of birth: what a mistyped resident number still shows.
_RESIDENT = re.compile(
    r"(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123])\d{4}(?:19|20)\d\d(?:0[1-9]|1[0-2])"
    r"(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]"
)


def _card(run: _Run, label: Label, labels: Labels) -> tuple[str, float] | None:
    """Tell a payment card or a bank account by issuer range, check digit and label."""
    length = len(run.digits)
    if length < 12:
        # Sort code and account said in one breath.
        shaped = run.sizes == (2, 2, 2, 8) or (run.sizes == (6, 8) and "bank" in labels.kinds)
        return ("account", 0.85) if shaped else None
    if run.sizes == (2, 2, 2, 8):
        return "account", 0.85
    named = label.kind in PAYMENT or (label.kind == "account" and length >= 16)
    regular = len(run.sizes) == 1 or min(run.sizes) >= 3 or set(run.sizes) == {1}
    if valid("luhn", run.digits) and len(set(run.digits)) > 1 and (regular or named):
        if named or _ISSUER.match(run.digits):
            return "card", 0.95
        if _RARE_ISSUER.match(run.digits) and labels.near(run.start, PAYMENT):
            return "card", 0.7
    # Bank cards of China are often quoted with a digit wrong; their length and prefix remain.
    if _UNION_PAY.fullmatch(run.digits) and regular and label.kind in {"", *PAYMENT, *WEAK}:
        return "card", 0.8
    # A mistyped card still comes in its groups.
    if run.sizes in {(4, 4, 4, 4), (4, 6, 5)} and (
        (not label.kind and re.match("[345]", run.digits))
        or (label.kind == "card" and re.match("6", run.digits))
    ):
        return "card", 0.6
    if named and label.kind != "expiry":
        return ("card" if label.kind == "card" else "account"), 0.7
    return None


def is_card(digits: str) -> bool:
    """Tell whether digits have an issuer's range and its length."""
    return _ISSUER.match(digits) is not None and len(digits) >= 15


def _resident_id(text: str, run: _Run, label: Label) -> Hit | None:
    """Tell a Chinese resident number: 17 digits and a check character, or an old one of 15."""
    digits, end = run.digits, run.end
    if len(digits) == 17 and (check := re.match(r"[ -]?[xX](?![A-Za-z0-9])", text[end : end + 3])):
        digits, end = digits + "X", end + check.end()
    named = label.kind in {"id", "licence"}
    # The library's table of places has gaps; the check digit alone is proof enough.
    checked = len(digits) == 18 and _RESIDENT.fullmatch(digits) and _check_11(digits)
    if checked or (len(digits) == 18 and valid("cn.ric", digits)):
        glued = label.kind == "other" and not label.gap.strip(" :")
        return None if glued else Hit(run.start, end, "government_id", "resident_id", 0.97)
    shaped = _RESIDENT.fullmatch(digits) and label.kind != "other"
    if shaped or (named and len(digits) in (15, 18)):
        return Hit(run.start, end, "government_id", "resident_id", 0.8)
    return None


def _check_11(digits: str) -> bool:
    """Check the last character of a resident number (ISO 7064, MOD 11-2)."""
    total = sum(int(digit) * pow(2, 17 - i, 11) for i, digit in enumerate(digits[:17]))
    return "10X98765432"[total % 11] == digits[17]


_ID_LENGTHS = {"ssn": (9, 18), "id": (7, 18), "passport": (6, 12), "licence": (6, 18)}


def _identity(run: _Run, label: Label) -> tuple[str, float] | None:
    plausible = label.kind not in {"phone", "account", *PAYMENT}
    if run.sizes == (3, 2, 4) and plausible and not re.match("000|666", run.digits):
        return "ssn", 0.85
    if run.sizes == (4, 4, 4) and label.kind == "id" and valid("in_.aadhaar", run.digits):
        return "aadhaar", 0.8
    low, high = _ID_LENGTHS.get(label.kind, (99, 0))
    named = low <= len(run.digits) <= high and len(label.gap) <= 40
    return (label.kind, 0.8) if named else None


@lru_cache(maxsize=4096)
def valid(module: str, number: str) -> bool:
    """Ask python-stdnum whether a number is valid by its own check digits.

    Examples
    --------
    >>> valid("luhn", "4111111111111111"), valid("cn.ric", "110019199001010013")
    (True, False)
    """
    try:
        return bool(import_module(f"stdnum.{module}").is_valid(number))
    except KeyError:  # its table of places has gaps, at which the look-up of a county trips
        return False


# --- Phones ------------------------------------------------------------------------------------

_CALLED = frozenset({"phone", "chat"})


def _is_phone(text: str, begin: int, run: _Run, labels: Labels) -> bool:
    """Tell a person's phone from a hotline and from other numbers of its length."""
    before, after = labels.before(begin), labels.after(run.end)
    company = before.kind == "company" and len(before.gap) <= 20
    if company or SERVICE_LINE.fullmatch(run.digits) or THING_NUMBER.search(text[:begin][-40:]):
        return False
    if _MONEY.search(text[max(0, begin - 2) : begin]):
        return False
    if re.match(r"\.\d|[%元]", text[run.end : run.end + 2]):
        return False
    called = before.kind in _CALLED and len(before.gap) <= 32
    called |= after.kind in _CALLED and len(after.gap) <= 16 and before.kind != "other"
    if before.kind == "other" and len(before.gap) <= 24 and not called:
        return False
    plus = text[begin] == "+" or re.search(r"\bplus \Z|(?<![附外])加 ?\Z", text[:begin][-6:], re.I)
    if called or plus:
        return not plus or len(run.digits) >= 9 or valid_phone("+" + run.digits, None)
    if CHINESE_MOBILE.fullmatch(run.digits):
        return len(run.sizes) == 1 or min(run.sizes) >= 2
    if before.kind in {"account", "last", *PAYMENT} and len(before.gap) <= 24:
        return False
    if run.sizes in {(3, 8), (4, 7), (4, 8)} and re.match("0[1-9]", run.digits):
        return True  # a line of China, with its area
    if run.digits[0] == "0" and run.digits[:2] != "00" and len(run.digits) in (10, 11):
        return True  # a trunk prefix: hardly any other number starts with a single 0
    return run.sizes in {(3, 3, 4), (1, 3, 3, 4)} and bool(
        re.search("[-.(]", text[begin : run.end])
    )


# --- Codes that only a label gives away --------------------------------------------------------

_LINK = re.compile(
    r"(?:\b(?:is|are|was|be|says?|said|shows?|reads?|gave|gives|to|it'?s|that'?s|as|with|goes|got|me|like|"
    "here|now|try|tr(?:ied|ying)|use|used|using|enter(?:ed|ing)?|types?|typ(?:ed|ing)|"
    "press(?:ed|ing)?|punch(?:ed|ing)?|key(?:ed|ing)|dial(?:led|ling)?|putting|setting|wants|takes|needs|this|these|one|"
    r"first|then|um|uh|new|old|code|number|key|on|answer|yes|please|string)|'s|[:=,\"'(>?*/-]|"
    r"[是为成叫写用了到就给你输入的个号数字:“「『说发来即填听念串有码改设按]|\A)\s*\Z",
    re.IGNORECASE,
)
_OF_A_THING = re.compile(r" (?:for|to|on|of) (?:the|my|our|this) (?:\w+ ){1,2}", re.IGNORECASE)
_COUNTED = re.compile(
    r" ?(?:times|attempts|days|hours|min|sec|digits|characters|[次天位个年月元块秒]|小时|分钟)"
)
_CODE_LENGTHS = {
    "pin": (3, 12), "otp": (4, 10), "password": (3, 16), "wifi": (6, 20), "lock": (3, 10),
}  # fmt: skip
_SENT = re.compile(
    r"\b(?:sent|texted|got|received|sms|text|came|arrived|popped)\b|收到|发来|发了|发给|短信",
    re.IGNORECASE,
)
_JUST_SENT = re.compile(
    r"\b(?:sent|texted)(?: me)? \Z|(?:发来|收到)的?(?:是|了)?[:,， ]?\Z", re.IGNORECASE
)
_SHOWN_AFTER = re.compile(
    r"[,，:]? ?(?:(?:that|this|it)(?:'s| is)|is) (?:what|the (?:code|one|number)).{0,24}"
    r"(?:authenticator|app|text|sms|phone|email|sent|got|says|shows|came)|"
    r"[,，]? ?(?:是)?(?:刚|短信|手机|你们)?(?:收到|发来|显示)的?(?:那个|这个|就是)?码",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\bgot (?:this|it|these|that) (?:by|via|in an?|as an?) (?:text|sms|message)[:,]? \Z|"
    r"\b(?:it|text|sms|message|app|phone)(?: just| now)? (?:says?|said|shows?|reads?|gave me|"
    r"sent me) (?:it's )?\Z",
    re.IGNORECASE,
)


# Keys of a pad, typed or said: "#2215", "hash 6614 star", 2215井号.
_SIGN_BEFORE = re.compile(
    r"(?:[#*]|\b(?:hash|star|pound|asterisk)(?: key)?,? ?|[井星米]号(?:键)?)\Z", re.I
)
_SIGN_AFTER = re.compile(r"[#*]|,? ?(?:hash|star|pound|asterisk)\b(?! \w+ed)|[井星米]号", re.I)


_PAID = re.compile(
    r"\b(?:refund\w*|deposit\w*|pay ?outs?|paid|payment|transfer\w*|wire|venmo|zelle|paypal|"
    r"cash ?app|reimburse\w*|wages?|salary)\b|"
    "退款|退[到回]|打[到给款]|汇|转[到给账]|提现|报销|工资",
    re.IGNORECASE,
)
_ACCOUNT_LEAST, _ACCOUNT_REACH = 10, 20


def is_linked(gap: str) -> bool:
    """Tell whether the words between a label and a value assign it ("is", 是, a colon)."""
    return _LINK.search(gap[-14:]) is not None


def _short_code(
    text: str, runs: list[_Run], label: Label, labels: Labels
) -> tuple[int, Hit | None]:
    """Tell PINs, one-time and door codes, account numbers and security codes."""
    run = runs[0]
    short = next((run for run in runs[::-1] if len(run.digits) in (3, 4)), None)
    if label.kind == "cvv" and short:
        return len(short.sizes), Hit(short.start, short.end, "payment", "cvv", 0.9)
    before = text[max(0, run.start - 40) : run.start]
    after = text[run.end : run.end + 48]
    if _COUNTED.match(after) or _MONEY.search(before[-2:]) or len(run.sizes) > 8:
        return 1, None
    linked = (
        is_linked(_SIGN_BEFORE.sub("", label.gap)) or _OF_A_THING.fullmatch(label.gap) is not None
    )
    paid = label.kind == "account" and len(run.digits) >= 8 and _PAID.search(before + after)
    bank = label.kind == "bank" or (label.kind == "account" and "bank" in labels.kinds) or paid
    # A name may stand between a bank and its number, which then has to be long enough to be one.
    long_enough = len(run.digits) >= _ACCOUNT_LEAST and len(label.gap) <= _ACCOUNT_REACH
    if bank and len(run.digits) >= 5 and (linked or long_enough):
        return len(run.sizes), Hit(run.start, run.end, "payment", "account", 0.8)
    low, high = _CODE_LENGTHS.get(label.kind, (99, 0))
    signs = _SIGN_BEFORE.search(before), _SIGN_AFTER.match(after)
    start = run.start - (len(signs[0][0]) if signs[0] else 0)
    end = run.end + (signs[1].end() if signs[1] else 0)
    if before[-1:] == "-":
        return 1, None  # the rest of a longer code
    if signs[0] and signs[1] and 3 <= len(run.digits) <= 8:  # "star 2290 hash": keys of a pad
        return len(run.sizes), Hit(start, end, "credential", "lock", 0.8)
    if low <= len(run.digits) <= high and (linked or start < run.start):
        return len(run.sizes), Hit(start, end, "credential", label.kind, 0.85)
    if 4 <= len(run.digits) <= 8 and _was_sent(before, after, run, labels):
        return len(run.sizes), Hit(run.start, run.end, "credential", "otp", 0.8)
    return 1, None


OPENS = re.compile(
    r" (?:to (?:un)?(?:lock|open)|opens(?! (?:at|on|in|from|until|daily|early|late|up|when|after|"
    r"before|around|again)\b)|unlocks|disarms|(?:gets|lets) (?:you|me|us|him|her|them|"
    r"\w+ \w+) (?:in|through|past|up))\b"
)


def _was_sent(before: str, after: str, run: _Run, labels: Labels) -> bool:
    """Tell a one-time code by its story: it was sent, it is shown, it is called a code."""
    left, right = labels.before(run.start), labels.after(run.end, 28)
    if "other" in (left.kind, right.kind):
        return False
    if right.kind == "otp" or OPENS.match(after):
        return True
    if len(run.digits) in (4, 6, 8) and _SHOWN_AFTER.match(after):
        return True
    named = left.kind == "code" and is_linked(left.gap)
    told = _SHOWN.search(before) or (_JUST_SENT.search(before) and not left.kind)
    if len(run.digits) == 6 and (named or told):
        return True
    return "code" in (left.kind, right.kind) and _SENT.search(before + " " + after) is not None

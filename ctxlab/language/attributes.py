"""Which slot of a customer's file a sentence fills, and with what (R31).

"The customer's address is 9 Quay Street" fills `address` with "9 Quay Street". Two memories are
about the same thing only if their attribute is the same, so duplicates and conflicts lean on it.
The words that name a slot and the form its value takes are in ``attributes.json``: general words
of the trade, Chinese and English, as alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.keeping import kept
from ctxlab.language.numerals import numerals
from ctxlab.language.script import simplified
from ctxlab.language.text import is_cjk
from ctxlab.language.wordlists import words_beside

__all__ = ["SINGLE", "attributes", "find_attribute", "find_value", "key_literals"]

SINGLE = frozenset({
    "address", "budget", "channel", "contact_channel", "contact_time", "courier", "delivery_time",
    "email", "invoice_title", "language", "name", "payment_method", "phone", "plan", "rank",
    "size",
})  # fmt: skip
"""Attributes that hold one value at a time."""

_QUOTED = r"[「“\"][^」”\"]{2,20}[」”\"]"
_NUMBER = r"(?<![\w.-])\d+(?:[.,:]?\d)+(?![\w-])"
_CASED = ("name", "address")  # slots whose words are known by their capitals
# An id or a date is no value of these, however telling.
_OWN_FORM = ("name", "address", "phone", "email", "language", "contact_channel", "handoff")
_CHOSEN = ("contact_channel", "courier", "language")  # one of a few, or none of them
_IN_PASSING = ("contact_channel", "contact_time")
_COUNT_OR_DAY = r"\d{1,3}|\d{4}-\d\d(?:-\d\d)?|[一二两三四五六七八九十百]+|[a-z]+(?: [a-z]+)?"
# What leads up to a Chinese address without a space to mark where it begins.
_LEAD = re.compile(
    r"^.*(?:客户|客服|告知|说|地址(?:是|为|改[成为到])?|现住|住在?|搬[到至去]|改[到成为]|"
    r"[送寄发移迁][到至去给]|还是走|"
    r"要求|希望|现在|说|答：|在|是|从|到|去)(?=[\u4e00-\u9fff]{2})"
)


@cache
def _form(name: str) -> str:
    return "|".join(words_beside(__file__)["forms"][name])


def _filled(alternatives: list[str]) -> str:
    """Join alternatives; ``{date}`` stands for the form of that name."""
    return re.sub(r"\{([a-z]+)\}", lambda m: f"(?:{_form(m[1])})", "|".join(alternatives))


@cache
def _slots() -> dict[str, tuple[re.Pattern[str], list[re.Pattern[str]]]]:
    """Give each slot its words and the forms of its value, the likelier form first."""
    return {
        slot["name"]: (
            re.compile(
                _filled(slot["en"] + slot["zh"]), 0 if slot["name"] in _CASED else re.IGNORECASE
            ),
            [
                re.compile(
                    _filled([form]), re.IGNORECASE if slot["name"] == "contact_channel" else 0
                )
                for form in slot["value"]
            ],
        )
        for slot in words_beside(__file__)["slots"]
    }


@cache
def _literals() -> tuple[re.Pattern[str], ...]:
    forms = [_form(name) for name in ("email", "dialled", "id", "money", "date")]
    forms += [_QUOTED, _form("name"), _form("address"), _NUMBER]
    return tuple(re.compile(form) for form in forms)


def attributes() -> tuple[str, ...]:
    """Name the slots that are told apart.

    Examples
    --------
    >>> "address" in attributes() and "delivery_time" in attributes()
    True
    """
    return tuple(_slots())


# "It moved to Stage 4", "you'll move to off-peak", "we go live in May", 「把柜子搬到二楼」: nobody
# lives there.
_NO_MOVE = re.compile(
    r"\b(?:go(?:es)?|went|going|gone) live\b|[把将帮][^，。]{0,8}搬[到了]"
    r"|\b(?:mov(?:e|es|ed|ing)|based) (?:\w+ )?(?:to|in|onto|at) (?:the )?(?:(?-i:[a-z])"
    r"|(?:stage|phase|level|plan|tier|step|group|room|table|seat|queue|dr|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul"
    r"|aug|sep|oct|nov|dec)\w*|\d{4}-)",
    re.IGNORECASE,
)


_AT_HOME = (
    r"\baddress\b|\b(?:customer|he|she|they|we|i)(?:'m|'s| now| still| is| are)* liv(?:es?|ing)\b"
    r"|地址|住址|现?住在"
)


@kept(most=4_096)  # lines of memory are asked for it at each request
def find_attribute(text: str) -> str | None:
    """Name the slot that a sentence fills, or None.

    Examples
    --------
    >>> find_attribute("From 2026-11-20 the customer's address is 9 Quay Street, Truro.")
    'address'
    >>> find_attribute("客户以后所有包裹都要发顺丰。")
    'courier'
    """
    text = simplified(text)
    named = (name for name, (words, _) in _slots().items() if words.search(text))
    found = next((n for n in named if n != "address" or _lives(text)), None)
    if found in _IN_PASSING and re.search(_form("address"), text):
        return "address"  # "9 Quay Street, and ring me at the gate" is no way to reach someone
    return found


def _lives(text: str) -> bool:
    """Whether what sounds like an address is one, not a booking that was moved."""
    moved = _NO_MOVE.search(text)
    return not moved or re.search(rf"{_AT_HOME}|{_form('address')}", text) is not None


def find_value(text: str, attribute: str | None) -> str | None:
    """Find what fills a slot, copied from the text as it stands.

    Parameters
    ----------
    text : str
        A sentence.
    attribute : str or None
        One of `attributes`; for any other the most telling literal is taken.

    Examples
    --------
    >>> find_value("The customer's new mobile number is 086 555 0129.", "phone")
    '086 555 0129'
    >>> find_value("客户希望别打电话，微信留言就好。", "contact_channel")
    '微信'
    >>> find_value("The customer wants: don't phone.", "contact_channel")
    "don't phone"
    """
    found = _value(simplified(text), attribute)
    at = simplified(text).find(found) if found else -1
    return text[at : at + len(found)] if found and at >= 0 else found


def _value(text: str, attribute: str | None) -> str | None:
    if attribute not in _slots():
        return next(iter(key_literals(text)), None)
    for form in _slots()[attribute][1]:
        matches = list(form.finditer(text))
        if matches:
            match = matches[0]
            if attribute == "address":  # of a move, where to
                match = next((m for m in matches if not _left(m)), match)
            elif attribute in _CHOSEN:
                return _choice(matches)
            found = match["v"] if "v" in form.groupindex else match[0]
            found = _LEAD.sub("", found) if attribute == "address" else found
            return found.strip(" ,.") or None
    if attribute in _OWN_FORM:
        return None
    # A day, a sum or a plain count beside a slot's words is rarely what fills it.
    return next((x for x in key_literals(text) if not _beside().fullmatch(x)), None)


def _choice(matches: list[re.Match[str]]) -> str:
    """Take the first that isn't refused; where all are, the refusal: "don't email"."""
    refused = [_REFUSAL.search(m.string, max(0, m.start() - 40), m.start()) for m in matches]
    taken = next((m for m, no in zip(matches, refused, strict=True) if no is None), None)
    if taken is not None:
        return taken[0]
    no, match = refused[0], matches[0]
    assert no is not None  # or the match would have been taken
    return match.string[no.start() : match.end()]


_REFUSAL = re.compile(
    r"\b(?:(?:do|does|did|would|wo|ca|could|should)(?:n't| not)|cannot|not|never|no|without|hates?"
    r"|(?:rather|other) than|instead of|stop)\b(?: (?!but\b)[a-z']+){0,3} ?\Z"
    r"|(?:别|不[要用想喜爱接收方走再]|唔[好使要]|咪|勿|拒[绝接收]|讨厌|除了)[^，。；,;\s]{0,4}\Z",
    re.I,
)


def _left(match: re.Match[str]) -> bool:
    """Whether an address is where someone moves from."""
    before = match.string[max(0, match.start() - 6) : match.start()]
    return bool(re.search(r"\bfrom\s*\Z|[从由原旧]\Z|之前的?\Z", before, re.I)) or bool(
        re.match(r"(?:[^到至]*[从由])(?!.*[到至])", match[0])
    )


@cache
def _beside() -> re.Pattern[str]:
    return re.compile(rf"{_COUNT_OR_DAY}|{_form('money')}")


def key_literals(text: str) -> list[str]:
    """List the strings of a text that must survive word for word: ids, amounts, dates, names.

    Examples
    --------
    >>> key_literals("Order A1029 over £40 is due on 2026-03-27")
    ['A1029', '£40', '2026-03-27']
    """
    return list(_found_literals(text))


@kept(most=4_096)  # a sentence is asked for them by each thing that is made of it
def _found_literals(text: str) -> tuple[str, ...]:
    spans: list[tuple[int, int]] = []
    plain = simplified(text)
    for pattern in _literals():
        for match in pattern.finditer(plain):
            start, end = match.span()
            if all(end <= s or start >= e for s, e in spans):
                spans.append((start, end))
    if not spans:  # a plain count is better than nothing
        spans = [(n.start, n.end) for n in numerals(text)]
        spans += [m.span() for m in re.finditer(r"\d+", text)]
    words = [text[start:end].strip('「」“”"') for start, end in sorted(spans)]
    return tuple(w for w in dict.fromkeys(words) if w.strip() and not (len(w) == 1 and is_cjk(w)))

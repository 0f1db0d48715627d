"""What it comes to: of the totals that an agent gives in a talk, the last one stands (R30).

"That's £280", a bag less, "£245 in total then": the first sum was right when it was said, and would
mislead whoever reads it later. A deposit, a balance and the price of a second order are sums of
their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxlab.language.text import clause_spans
from ctxlab.language.values import values_in

__all__ = ["settled_later", "stated", "totals"]

_TOTAL = re.compile(
    r"\b(?:(?:in|your|the|a) total|total(?: is|:| comes)?|all in|all up|altogether|in all"
    r"|comes? to|makes it|that makes|which makes|brings? it to)\b"
    r"|[一总]共|合计|总[数计价额]|共计",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:deposit|balance|refund\w*|credit\w*|savings?|saved?|each|per|separate(?:ly)?"
    r"|(?:another|other|second) order|so far this)\b"
    r"|[定订押]金|余款|尾款|退[款还您]|节省|每|另一[单个份]|另外一|上个?月",
    re.IGNORECASE,
)
_SUMS = ("money", "count", "code")


def totals(text: str) -> list[tuple[int, int, str]]:
    """List the sums that a turn says it comes to: the span of the clause, and the sum.

    Examples
    --------
    >>> [norm for _, _, norm in totals("Two bags, £280 in total.")], totals("A bag is £35.")
    (['280'], [])
    >>> [norm for _, _, norm in totals("合计1034元，定金一共200元")]
    ['1034']
    """
    found = []
    for start, end in clause_spans(text):
        clause = text[start:end]
        if _TOTAL.search(clause) and not _OWN.search(clause):
            sums = [v.norm for v in values_in(clause) if v.sort in _SUMS]
            found += [(start, end, sums[-1])] if sums else []
    return found


def settled_later(text: str, later: Sequence[str]) -> str:
    """Leave out of an agent's sentence the totals that later turns of the agent's replace.

    Examples
    --------
    >>> settled_later("One bag, that makes £280.", ["No bag: £245 in total."])
    'One bag.'
    >>> settled_later("That makes £280.", ["£280 in total, see you then."])
    'That makes £280.'
    """
    known = [norm for turn in later for _, _, norm in totals(turn)]
    for start, end, norm in reversed(totals(text) if known else []):
        if known[-1] != norm:
            head, tail = text[:start].rstrip(" ,，;；"), text[end:]
            text = head + (text[end - 1] if head and not tail.strip() else "") + tail
    return text.strip(" ,，;；")


def stated(question: str) -> str:
    """Give what an agent's question says before it asks, up to a total; empty if there is none.

    Examples
    --------
    >>> stated("Two rolls and a bag, £98 in total, shall I send it?")
    'Two rolls and a bag, £98 in total'
    >>> stated("Is that £98 in total?")
    ''
    """
    found = totals(question)
    spans = clause_spans(question)
    asks = spans[-1][0] if spans else 0
    if found and found[-1][1] <= asks:
        return question[: found[-1][1]]
    # "Joe rings at half two, what's your number?": a datum is asked for, not leave.
    told = question[: spans[-2][1]] if len(spans) > 1 and _DATUM.search(question, asks) else ""
    return told if any(value.sort in _TOLD for value in values_in(told)) else ""


_DATUM = re.compile(
    r"\b(?:your|the|an?|best) (?:\w+ )?(?:number|name|address|e-?mail|postcode|phone|mobile)\b"
    r"|(?:号码|电话|手机号?|地址|姓名|名字|邮箱|抬头|税号)[^，。]{0,6}(?:是|多少|什么|[吗呢？?])|怎么称呼|贵姓",
    re.IGNORECASE,
)
_TOLD = ("day", "time", "money", "code")

"""Telephone numbers that are nobody's own, and what tells them: service lines, things, questions.

Positions are in the normal form of :func:`ctxlab.language.sensitive_script.plain`.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["CHINESE_MOBILE", "SERVICE_LINE", "THING_NUMBER", "YOURS", "valid_phone"]

SERVICE_LINE = re.compile(
    r"[48]00\d{7}|95\d{3,6}|1[02]\d{3}|12\d{3}|1?8(?:00|33|44|55|66|77|88)\d{7}|1[38]00\d{6}|"
    r"13\d{4}|18[059]0\d{6}|0?800\d{6,7}|0(?:3\d\d|8[047][0-59]|818)\d{7}|0(?:845|808)\d{6}|44(?:800|3\d\d|845)"
    r"\d{6,7}"
)
# "fan club number 5500281": a number of a thing is no phone, whatever its length.
THING_NUMBER = re.compile(
    r"\b(?!(?:phone|mobile|cell|tele\w+|whatsapp|contact|home|work|office|day\w*|evening|my|his|"
    r"her|"
    r"their|our|your|the|a|new|old|other|same|right|wrong|best|direct|land\w*|fax|own|private|"
    r"personal|emergency|alternate|alternative|alt|secondary|registered|second|first|on|correct|current|temporary|spare|\w+'s)\b)[a-z]{3,}"
    r" (?:numbers?|nos?\.?)(?: is| was|:)? ?\Z",
    re.IGNORECASE,
)
# "is that your own number?": whoever asks so tells none of theirs.
YOURS = re.compile(
    r"[,.]? ?(?:(?:is|isn'?t) (?:that|this) (?:you|yours|your (?:own )?\w+)\b|(?:that|this)(?:'?s|"
    r" is) (?:you|yours|your (?:own )?(?:number|line|shop|office|branch))\b|(?:it'?s |is )?yours\b|"
    r" your (?:own )?(?:shop|store|office|number|line|branch|salon)\b|"
    r"(?:这个?)?(?:是|是不是|是否)(?:你们|贵[司店])|[,，]?(?:这个?)?(?:是不是|是)(?:骗|诈))",
    re.IGNORECASE,
)
CHINESE_MOBILE = re.compile(r"(?:0?86)?1[3-9]\d{9}")


@lru_cache(maxsize=4096)
def valid_phone(number: str, region: str | None) -> bool:
    """Ask phonenumbers whether a number can be one.

    Examples
    --------
    >>> valid_phone("+442079460958", None), valid_phone("+4412", None)
    (True, False)
    """
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False

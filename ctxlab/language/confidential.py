"""Which clauses hold a secret: what `scan` finds, and what only the words around it tell (R91)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from ctxlab.language.attributes import find_value, key_literals
from ctxlab.language.dates import find_dates
from ctxlab.language.sensitive import Finding

__all__ = ["is_child", "secrets"]

# Secrets that `scan` leaves alone because only the talk around them tells.
_SECRET = re.compile(
    r"(?<!project )(?<!product )(?<!promo )(?<!discount )(?<!area )(?<!zip )(?<!error )"
    r"\b(?:code|pin|pass(?:word|code)|otp)\b[^.;]{0,30}\d{3,}"
    r"|\b(?:password|passphrase|passcode) (?:is|was|=) ?\S|(?:密码|口令"
    r"|暗号)(?:是(?!什么|不|对|多少)|为|改成了?|[:：])"
    r"|\b(?:secret|memorable|security) (?:word|date|answer)|\bmaiden name\b"
    r"|(?:密码|口令|验证码|暗号).{0,18}?[A-Za-z0-9@]{3,}|(?:取件|提货|取货|自提|提取|开门|开箱|开锁|门锁|核销|动态|校验|授权)码.{0,8}?[A-Za-z0-9]{3,}|(?:门禁|锁屏|保险柜)[^，。]{0,8}\d{3,}",
    re.IGNORECASE,
)
_CHILD = re.compile(r"daughter|\bson\b|kid|child|girl|boy|女儿|儿子|闺女|孩子|娃|宝宝", re.I)
_SECRET_NAME = re.compile(
    r"密码|口令|验证码|\b(?:passw\w+|passcode|pin|maiden name|(?:secret|memorable) word)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?:写着|就?是|\bis|it's)[^，。]{0,4}[A-Za-z0-9]{4,8}(?![A-Za-z0-9])|^\W*[A-Z][a-z]+\W*$",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\b(?:order|booking|parcel|ticket|policy|claim|account|reference|number|phone|mobile)\b"
    r"|单号|订单|预约号|工单|保单|账号|电话|手机|尾号",
    re.IGNORECASE,
)
_SURE = 0.6
# Who may act for somebody is no child, and that they may is no illness.
_ACTS = re.compile(
    r"\bpower of attorney\b|\bauthori[sz]ed\b|\b(?:signs?|acts?) for (?:me|us)\b|\bon my behalf\b"
    r"|授权|委托|代理人|监护人",
    re.IGNORECASE,
)


def secrets(
    sentence: str, spans: Sequence[tuple[int, int]], found: Sequence[Finding]
) -> set[tuple[int, int]]:
    """Give the clauses that hold a secret, or the value of one named in the clause before."""
    secret: set[tuple[int, int]] = set()
    named = False
    for start, end in spans:
        clause = sentence[start:end]
        hidden = any(start < f.end and end > f.start and _sure(f, clause, sentence) for f in found)
        coded = named and _CODE.search(clause) and not _NUMBERS.search(clause)
        if hidden or coded or _SECRET.search(clause):
            secret.add((start, end))
        named = _SECRET_NAME.search(clause) is not None
    return secret


def is_child(finding: Finding, sentence: str) -> bool:
    """Tell whether a finding only says that a child is spoken of: what it needs may be kept."""
    words = sentence[finding.start : finding.end]
    short = len(words) <= (6 if words > "z" else 20)
    return finding.category == "minor" and short and _CHILD.search(words) is not None


def _sure(finding: Finding, clause: str, sentence: str) -> bool:
    """Doubt what wording alone suggests where a clause is plainly about a date or an order."""
    words = sentence[finding.start : finding.end]
    if _ACTS.search(sentence) and (finding.category == "minor" or finding.confidence < _SURE):
        return False
    if finding.category == "minor" and find_dates(words, datetime(2000, 1, 1)):
        return False  # "Friday, two nights" isn't a child of two
    if finding.category == "credential" and _no_code(finding, sentence):
        return False
    if finding.category == "special" and _of_address(words, clause):
        return False
    if finding.confidence >= _SURE:
        return True
    return not (key_literals(clause) or find_dates(clause, datetime(2000, 1, 1)))


def _of_address(words: str, clause: str) -> bool:
    """Whether what sounds like belief names a street: "6 Chapel Rise"."""
    street = (find_value(clause, "address") or "").split(",")[0]
    if not street:
        return False
    return words.strip() in street or not _BESIDE.sub("", words.replace(street, ""))


_BESIDE = re.compile(
    r"\W|\b(?:i|we|'?m|'?re|am|are|my|our|the|new|now|live|moving|moved|address|is|at|to|in|on|from|[a-z]+day)\b",
    re.IGNORECASE,
)


def _no_code(finding: Finding, sentence: str) -> bool:
    """Whether a bare number that was taken for a code is a sum or the end of an address."""
    before, after = sentence[: finding.start], sentence[finding.end :]
    return bool(_BEFORE_SUM.search(before) or _AFTER_SUM.match(after) or _ROOM.search(before))


_BEFORE_SUM = re.compile(
    r"[$£€¥₹]\s?\Z|(?:报价?|开价?|收费?|卖|要价|算)(?:的是?|了|我|是)?\s?\Z"
    r"|\b(?:rs|usd|eur|gbp|rmb|hk\$)\.? ?\Z",
    re.IGNORECASE,
)
_AFTER_SUM = re.compile(r"\s?(?:元|块|蚊|欧|美元|[€£]|dollars?\b|pounds?\b|euros?\b|quid\b)", re.I)
_ROOM = re.compile(r"(?:[\u4e00-\u9fff][A-Z\d]{1,4}(?:号楼?|栋|幢|座|单元)|[邨里区苑园厦楼])\s?\Z")

"""What extraction leaves out of what was said (R30, R91).

Suppositions and other asides, secrets, and what is about somebody else. A clause goes alone where
the others say something without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise, zip_longest

from ctxlab.language.asides import (
    beside_spans,
    idle,
    resumes,
    small_print,
    supposed,
    withdrawn,
)
from ctxlab.language.attributes import key_literals
from ctxlab.language.dates import find_dates
from ctxlab.language.persons import (
    apart,
    by_party,
    carries_on,
    of_another,
    of_relative,
    of_stranger,
    to_customer,
)
from ctxlab.language.sensitive import Finding, scan
from ctxlab.language.tariffs import conditional
from ctxlab.language.text import clause_spans, is_cjk, sentence_spans, tokenize

__all__ = [
    "NEVER",
    "asks",
    "glue",
    "leave_out",
    "statement_spans",
    "statements",
]

NEVER = ("credential", "payment", "government_id", "health", "special", "minor")
"""Categories of `scan` that no draft holds; contact data is what a customer file is for."""

# Customers don't speak of "the customer": that is a note someone planted.
_PLANTED = re.compile(
    r"\b(?:the|this) (?:customer|client|user)\b|\b(?:customer|client) (?:is|has|may|can|gets)\b"
    r"|[该此](?:客户|用户|会员)",
    re.IGNORECASE,
)
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

_THAT_ONE = re.compile(r"^(?:that|this|it|the other|那个|这个|那)", re.I)
_NOT = re.compile(r"^(?:not|别|不是|不要) ?", re.I)
_THEIR_OWN = re.compile(r"(?:and |but |so )?(?:his|her|their) ", re.IGNORECASE)
_RELATIVE = re.compile(r"\W*(?:which|whose|where|when)\b", re.IGNORECASE)
_SAMPLE = re.compile(r"(?:for (?:example|instance)|e\.g\.)|比方说?|例如|比如|譬如", re.IGNORECASE)
_SUCH = re.compile(r"^(?:那种|这种|那样|those|that (?:sort|kind))", re.IGNORECASE)
# What is left of a sentence whose matter is gone must say something by itself.
_SAYS = re.compile(
    r"\b(?:i|i'[a-z]+|me|my|we|us|our|ours|please|don't|never|always"
    r"|only|no|not|need|want|send|put|use|call|email|text)\b"
    r"|\d|[A-Z]{2}|(?<=[a-z] )[A-Z][a-z]|我|俺|咱|[要别改送寄放请退换只给]"
    r"|麻烦|以后|不(?!是真|相干)|没有|[一二两三四五六七八九十百千万]{2}|[一二两三四五六七八九十半][月号点元块件人张次天]"
    r"|周[一二三四五六日天]|[今明后昨][天晚]",
)
_RESIDUE = 30  # characters; more than that says something
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
_AND = re.compile(r" (?:and|but|so|because) (?=\w)", re.IGNORECASE)


def statement_spans(text: str) -> list[tuple[int, int]]:
    """Split into sentences; who writes without capitals ends them with a full stop all the same."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        begin = start
        for stop in _LOW_STOP.finditer(text, start, end):
            if stop.start() - begin > 2 and not _SHORT.search(text, begin, stop.start()):
                spans.append((begin, stop.start() + 1))
                begin = stop.end()
        spans.append((begin, end))
    return spans


_LOW_STOP = re.compile(r"(?<=[a-z0-9)])\.\s+(?=[a-z])")
_SHORT = re.compile(
    r"\b(?:approx|etc|vs|nr|e\.g|i\.e|a\.?m|p\.?m|incl|min|max|st|rd|ave|apt|tel|ext|dept)\Z",
    re.I,
)


def statements(
    text: str, by_agent: bool = False, findings: Sequence[Finding] | None = None
) -> list[str]:
    """List the sentences of a message without what mustn't be kept; none is empty.

    ``by_agent`` and ``findings`` are as in `leave_out`, for the whole message.

    Examples
    --------
    >>> statements("Cancel A1029. And do you have lockers? Just curious.")
    ['Cancel A1029.']
    """
    found = scan(text) if findings is None else findings  # once a message: it embeds
    kept: list[str] = []
    story = False  # of somebody who isn't a party; it goes on in "He's called..."
    mused = False  # a supposition goes on in "like the 13th"
    for start, end in statement_spans(text):
        sentence = text[start:end]
        mused, before = supposed(sentence) is not None, mused
        if not by_agent:
            if before and len(sentence) <= _RESIDUE and _LIKE.match(sentence):
                mused = True
                continue
            if kept and _revokes(sentence, kept[-1]):
                kept.pop()
                continue
            if idle(sentence) or withdrawn(sentence) or _dropped_at_last(sentence):
                while kept and asks(kept[-1]):
                    kept.pop()
                asked, sentence = asks(sentence), _serious(sentence)
                if asked or not _MATTER.search(sentence):
                    continue
            story = story and carries_on(sentence)
            if story and not by_party(sentence):
                continue
        whole = len(sentence) == end - start
        left = leave_out(sentence, by_agent, _within(found, start, end) if whole else None)
        story = story or (not by_agent and of_another(sentence))
        if left:
            kept.append(left)
    return kept


def _within(found: Sequence[Finding], start: int, end: int) -> list[Finding]:
    return [
        replace(f, start=max(0, f.start - start), end=min(end, f.end) - start)
        for f in found
        if f.start < end and f.end > start
    ]


def _dropped_at_last(sentence: str) -> bool:
    pieces = _pieces(sentence)
    return len(pieces) > 1 and withdrawn(sentence[slice(*pieces[-1])]) and not _ID.search(sentence)


_REVOKES = re.compile(
    r"\W*(?:(?:actually|no|oh|well|wait|hm+|on second thoughts?|算了|还是|哦|那|嗯)[,，.… ]*)+"
    r"(?:leave|forget|skip|scrap|don't|do not|no need|不用|不要|不必|别|先不)(?P<what>.*)",
    re.IGNORECASE | re.DOTALL,
)


def _revokes(sentence: str, last: str) -> bool:
    """Tell whether a sentence takes back the one before by name ("No, skip the note")."""
    found = _REVOKES.match(sentence)
    if not found or len(sentence) > _RESIDUE:
        return False
    words = {w for w in tokenize(found["what"]) if len(w) > 3 or is_cjk(w[0])}
    return bool(words & set(tokenize(last)))


_LIKE = re.compile(
    r"\W*(?:like|say|or|maybe|perhaps|such as|even|for example|e\.g\.)\b(?!.*\b(?:i|we|please)\b)"
    r"|\W*(?:比如|例如|譬如|像|或者?|要么)(?!.*[我请])",
    re.IGNORECASE,
)
_ID = re.compile(r"[A-Za-z]*-?\d[\dA-Za-z-]{3,}")


def _serious(sentence: str) -> str:
    """Keep the clauses that don't take back or play down."""
    clauses = [sentence[s:e] for s, e in _pieces(sentence)]
    if withdrawn(clauses[-1]):
        return ""
    return glue(sentence).join(c for c in clauses if not (idle(c) or withdrawn(c)))


_MATTER = re.compile(
    r"\d{2}|\b(?:please|send|put|keep|leave|change|email|text|call) |帮我|麻烦|改|寄|发我|要|直接"
)


def asks(sentence: str) -> bool:
    """Tell whether a sentence asks for something to be told.

    Examples
    --------
    >>> asks("Is it late?"), asks("能便宜点吗"), asks("It's late.")
    (True, True, False)
    """
    return sentence.rstrip().endswith(("?", "？")) or bool(
        re.search(r"[吗呢么嘛]\W*$|多少|能不能", sentence)
    )


def glue(text: str) -> str:
    """Give what joins two clauses."""
    return "，" if re.search(r"[\u3400-\u9fff]", text) else "; "


def leave_out(
    sentence: str, by_agent: bool = False, findings: Sequence[Finding] | None = None
) -> str:
    """Leave out what mustn't be kept of a sentence; what remains may be empty.

    Parameters
    ----------
    sentence : str
        One sentence as said.
    by_agent : bool
        Whether the agent said it: rules for everybody go, and other customers' cases.
    findings : sequence of Finding, optional
        What `scan` finds in the sentence, if that is known.

    Examples
    --------
    >>> leave_out("my PIN is 4471, please cap my SIM 6083"), leave_out("我同学也订了，我要改签")
    ('please cap my SIM 6083', '我要改签')
    """
    if not by_agent and _PLANTED.search(sentence):
        return ""
    found = [f for f in (scan(sentence) if findings is None else findings) if f.category in NEVER]
    children = {sentence[f.start : f.end] for f in found if _is_child(f, sentence)}
    found = [f for f in found if sentence[f.start : f.end] not in children]
    spans = _pieces(sentence)
    shown = _of_agent(sentence, spans) if by_agent else _of_customer(sentence, spans)
    secret = _secrets(sentence, spans, found)
    kept = [span for span in shown if span not in secret]
    left = "".join(sentence[s:e] for s, e in kept)
    if len(shown) < len(spans) and len(left) <= _RESIDUE and not _SAYS.search(left):
        kept = []
    text = sentence.strip() if len(kept) == len(spans) else _joined(sentence, kept)
    for words in children:  # name and age aren't needed, what is wanted for a child is
        text = text.replace(words, "孩子" if words > "z" else "the child")
    return text


_Spans = list[tuple[int, int]]


def _touch(start: int, end: int, spans: _Spans) -> bool:
    return any(start < e and end > s for s, e in spans)


def _of_agent(sentence: str, spans: _Spans) -> _Spans:
    """Keep what isn't a rule for everybody or another customer's case."""
    if of_stranger(sentence):
        return []
    kept: _Spans = []
    before = (0, 0)
    rule = sample = False  # a rule goes on until it comes to "you", a sample to the end
    for (start, end), following in zip_longest(spans, spans[1:], fillvalue=(0, 0)):
        clause = sentence[start:end]
        if rule and to_customer(clause) and _RELATIVE.match(clause):
            kept.append(before)  # "at the next renewal, which for you is 15 July"
        rule = small_print(clause) or (rule and not to_customer(clause))
        before = start, end
        sample = sample or conditional(clause, sentence[slice(*following)])
        sample = sample or _SAMPLE.match(clause) is not None
        if not (rule or sample):
            kept.append((start, end))
    return kept


def _of_customer(sentence: str, spans: _Spans) -> _Spans:
    """Keep what isn't supposed, quoted or somebody else's."""
    kept: _Spans = []
    unreal, told = _unreal(sentence), beside_spans(sentence)
    other = False  # after "my neighbour" all is the neighbour's until somebody says "I"
    for (start, end), following in zip_longest(spans, spans[1:], fillvalue=(0, 0)):
        clause = sentence[start:end]
        ours = (by_party(clause) or resumes(clause)) and not _THEIR_OWN.match(clause)
        goes_on = other and not ours
        other = of_another(clause) or goes_on or _touch(start, end, told)
        other = other or apart(clause, sentence[slice(*following)])
        if other and kept and _THAT_ONE.search(clause) and _NOT.search(sentence[slice(*kept[-1])]):
            kept.pop()  # "Not the gmail, that one is my flatmate's"
        dangles = not kept and (start, end) != spans[0] and _SUCH.search(clause)
        if not (other or dangles or _touch(start, end, unreal) or of_relative(clause)):
            kept.append((start, end))
    return kept


def _secrets(sentence: str, spans: _Spans, found: Sequence[Finding]) -> set[tuple[int, int]]:
    """Give the clauses that hold a secret, or the value of one named in the clause before."""
    secret: set[tuple[int, int]] = set()
    named = False
    for start, end in spans:
        clause = sentence[start:end]
        hidden = any(
            _touch(start, end, [(f.start, f.end)]) and _sure(f, clause, sentence) for f in found
        )
        coded = named and _CODE.search(clause) and not _NUMBERS.search(clause)
        if hidden or coded or _SECRET.search(clause):
            secret.add((start, end))
        named = _SECRET_NAME.search(clause) is not None
    return secret


def _unreal(sentence: str) -> list[tuple[int, int]]:
    """Give the span that only supposes, up to where the talk comes back to the matter."""
    span = supposed(sentence)
    if span is None:
        return []
    later = (s for s, e in _pieces(sentence) if s > span[0] and resumes(sentence[s:e]))
    return [(span[0], next(later, span[1]))]


def _is_child(finding: Finding, sentence: str) -> bool:
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
    if finding.confidence >= _SURE:
        return True
    return not (key_literals(clause) or find_dates(clause, datetime(2000, 1, 1)))


def _no_code(finding: Finding, sentence: str) -> bool:
    """Whether a bare number that was taken for a code is a sum or the end of an address."""
    before, after = sentence[: finding.start], sentence[finding.end :]
    return bool(_BEFORE_SUM.search(before) or _AFTER_SUM.match(after) or _ROOM.search(before))


_BEFORE_SUM = re.compile(r"[$£€¥₹]\s?\Z|\b(?:rs|usd|eur|gbp|rmb|hk\$)\.? ?\Z", re.IGNORECASE)
_AFTER_SUM = re.compile(r"\s?(?:元|块|蚊|欧|美元|[€£]|dollars?\b|pounds?\b|euros?\b|quid\b)", re.I)
_ROOM = re.compile(r"(?:[\u4e00-\u9fff][A-Z\d]{1,4}(?:号楼?|栋|幢|座|单元)|[邨里区苑园厦楼])\s?\Z")


def _joined(sentence: str, kept: list[tuple[int, int]]) -> str:
    """Put clauses together again; neighbours keep what stood between them."""
    pieces = [sentence[slice(*kept[0])]] if kept else []
    for left, right in pairwise(kept):
        between = sentence[left[1] : right[0]]
        pieces += [between if len(between) < 7 else glue(sentence), sentence[slice(*right)]]
    return "".join(pieces).strip()


def _pieces(sentence: str) -> list[tuple[int, int]]:
    """Cut a sentence into clauses, English ones at conjunctions too."""
    spans: list[tuple[int, int]] = []
    for start, end in clause_spans(sentence):
        begin = start
        for cut in _AND.finditer(sentence, start, end):
            spans.append((begin, cut.start()))
            begin = cut.end()
        spans.append((begin, end))
    return spans

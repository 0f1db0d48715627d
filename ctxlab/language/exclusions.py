"""What extraction leaves out of what was said (R30, R91).

Suppositions and other asides, secrets, and what is about somebody else. A clause goes alone where
the others say something without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from ctxlab.language.asides import (
    beside_spans,
    idle,
    resumes,
    rivals,
    small_print,
    supposed,
    withdrawn,
)
from ctxlab.language.confidential import is_child, secrets
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
    text: str,
    by_agent: bool = False,
    findings: Sequence[Finding] | None = None,
    met: bool = False,
) -> list[str]:
    """List the sentences of a message without what mustn't be kept; none is empty.

    ``by_agent``, ``findings`` and ``met`` are as in `leave_out`, for the whole message.

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
            story = story and not met and carries_on(sentence)
            if story and not by_party(sentence):
                continue
        whole = len(sentence) == end - start
        left = leave_out(sentence, by_agent, _within(found, start, end) if whole else None, met)
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
# Whom to turn to is of the matter, with the number that goes with it: "ring my wife, 0161 …".
_REACHES = re.compile(
    r"\b(?:ring|call|text|phone|message|contact|ask for|speak (?:to|with))"
    r"(?: (?:better|please|instead|first|to)){0,2} (?:her|him|them|(?:my|our) (?!old|ex\b)[a-z]+)\b"
    r"|(?:打给?|联系|通知|加|问|留)(?:一下)?(?:[她他]|我们?的?(?:老公|老婆|爱人|先生|太太|女儿|儿子|[爸妈弟妹哥姐]"
    r"|同事|助理|管家|店长|外联|家人|室友))",
    re.IGNORECASE,
)
# Who comes for it has a part in the matter, whoever it is.
_FETCHES = re.compile(
    r"(?:来|过来|去|过去|上门)(?:取|拿|接|提|领|签收)|[替代帮](?:我们?|咱)?(?:取|拿|收|签|领)"
    r"|\b(?:is|are|'s|'re|will be|'ll be) (?:coming|popping|calling)(?: in| round| over| down| by)?"
    r" (?:to|and|for) "
    r"|\b(?:will|'ll|can) (?:come|pop|call)(?: in| round| over| by)? (?:to|and|for) ",
    re.IGNORECASE,
)
_BIDDEN = re.compile(
    r"(?:那|所以)?(?:你们?|您们?)(?:这边|这次|也|就)?(?:别|不要|千万|给|把|帮|得|要|可)"
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
    sentence: str,
    by_agent: bool = False,
    findings: Sequence[Finding] | None = None,
    met: bool = False,
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
    met : bool
        Whether the other party met it: a condition of the agent's that the customer took up holds,
        and a person whom the agent asked after belongs to the matter.

    Examples
    --------
    >>> leave_out("my PIN is 4471, please cap my SIM 6083"), leave_out("我同学也订了，我要改签")
    ('please cap my SIM 6083', '我要改签')
    """
    if not by_agent and _PLANTED.search(sentence):
        return ""
    met = met or (not by_agent and _REACHES.search(sentence) is not None)
    found = [f for f in (scan(sentence) if findings is None else findings) if f.category in NEVER]
    children = {sentence[f.start : f.end] for f in found if is_child(f, sentence)}
    found = [f for f in found if sentence[f.start : f.end] not in children]
    spans = _pieces(sentence)
    shown = (_of_agent if by_agent else _of_customer)(sentence, spans, met)
    secret = secrets(sentence, spans, found)
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


def _of_agent(sentence: str, spans: _Spans, met: bool) -> _Spans:
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
        sample = sample or (not met and conditional(clause, sentence[slice(*following)]))
        sample = sample or _SAMPLE.match(clause) is not None
        if not (rule or sample):
            kept.append((start, end))
    return kept


def _of_customer(sentence: str, spans: _Spans, met: bool) -> _Spans:
    """Keep what isn't supposed, quoted or somebody else's."""
    kept: _Spans = []
    unreal, told = _unreal(sentence), beside_spans(sentence)
    other = False  # after "my neighbour" all is the neighbour's until somebody says "I"
    for (start, end), following in zip_longest(spans, spans[1:], fillvalue=(0, 0)):
        clause = sentence[start:end]
        if rivals(clause):
            kept.append((start, end))
            continue
        ours = by_party(clause) or resumes(clause) or _BIDDEN.match(clause) is not None
        ours = ours and not _THEIR_OWN.match(clause)
        goes_on = other and not ours
        stranger = of_another(clause) and not _FETCHES.search(clause)
        other = stranger or goes_on or _touch(start, end, told)
        other = other or apart(clause, sentence[slice(*following)])
        if other and kept and _THAT_ONE.search(clause) and _NOT.search(sentence[slice(*kept[-1])]):
            kept.pop()  # "Not the gmail, that one is my flatmate's"
        dangles = not kept and (start, end) != spans[0] and _SUCH.search(clause)
        another = (other or of_relative(clause)) and not met
        if not (another or dangles or _touch(start, end, unreal)):
            kept.append((start, end))
    return kept


def _unreal(sentence: str) -> list[tuple[int, int]]:
    """Give the span that only supposes, up to where the talk comes back to the matter."""
    span = supposed(sentence)
    if span is None:
        return []
    later = (s for s, e in _pieces(sentence) if s > span[0] and resumes(sentence[s:e]))
    return [(span[0], next(later, span[1]))]


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

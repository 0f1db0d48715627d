"""Which of the things an agent laid out side by side the customer took (R30).

"The 10 kWh at $9,800 or the 15 kWh at $13,400": of two parts of one build, each with a price, the
customer takes one, by its value, its name or its place ("the second"). That one is worth a memory
with all it was said with, the others are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ctxlab.language.closeness import content
from ctxlab.language.keeping import kept
from ctxlab.language.numerals import numerals
from ctxlab.language.offers import lays_out
from ctxlab.language.text import clause_spans, fold, is_cjk
from ctxlab.language.values import values_in

__all__ = ["Pick", "by_place", "options", "pick"]

_CUT = re.compile(
    r",? \b(?:or|and|while|whereas)\b (?:else |then )?|[,;] | / |[、，；]|[,;/](?=\D)"
    r"|或者?是?|还是|以及"
)
_PARALLEL = ("money", "time", "day", "percent", "count", "code", "name")
_CLAUSES = 4  # of a turn that may say which
_FOLLOWING = 3  # customer's turns in which an offer may still be taken up
_LATER = 20  # the same, where another turn has come between
_BRIEF = 30  # characters of a clause that may take something by its name alone
_ASKING = re.compile(
    r"[?？]|[吗么呢伐]\W*$|\b(?:what|how|why|when|which|who|if)\b|咋|怎么|多少|哪|如果|要是|什么",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:no|not|can't|cannot|too|without|never|skip|rather|instead|but|he|she|they)\b|n't\b"
    r"|不(?!用改|错)|太|没(?!问题)|别|贵|抢|算了|免|满|退|取消|[他她]"
    r"|要(?:返|上班|上课|开会|带|陪|接|加班|出差|考|值|赶)|返工|值班|出差",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"^(?:ok(?:ay)?|right|fine|sure|grand|lovely),? (?!but\b|so\b|what\b)|"
    r"\b(?:i|we)(?:'ll| will)? (?:take|have|go|choose|pick|do|want|prefer|need|get)\b"
    r"|\b(?:go (?:for|with)|make it|let's|please|then|put me|book|i'd like|is fine|works|suits"
    r"|do it|stick with)\b"
    # 「周六要返工」 says why it is another day.
    r"|[就选来订办拿]|要(?!返|上班|上课|去|开|带|陪|接|加班|出|回|考|值|赶)|[吧嘛]",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor\b|或|还是|要么", re.IGNORECASE)
_PLAIN = frozenset(
    "one it that then ok okay fine more good yes all just we our you 我们 你们 可以".split()
)
_PLACES = (
    (re.compile(r"\b(?:the )?(?:first|former)(?: one)?\b|第一|前[者一]", re.IGNORECASE), 0),
    (re.compile(r"\b(?:the )?second(?: one)?\b|第二", re.IGNORECASE), 1),
    (re.compile(r"\b(?:the )?(?:latter|last)(?: one)?\b|后[者一]|最后", re.IGNORECASE), -1),
)


# "金牌12800、特级15800": a name and its price, with nothing that says so.
_LISTED = re.compile(
    r"\s*[^，,。]{0,14}(?:[^\d\s，,。]|[A-Za-z\d]\s)\d{2,}(?:\.\d+)?"
    r"[\u4e00-\u9fff/]{0,3}[.。]?\s*"
)
_DONE = re.compile(
    r"\b(?:booked|refunded|paid|charged|added|your|you(?:'ve| owe| paid)|that'?s|makes|comes to"
    r"|in all|all up|altogether)\b"
    r"|已|您的|您还?[有剩]|[交付用退扣]了|收到|[一总]共|合计|总[数计价]|[定订押]金|余款|请付|[编单]号",
    re.IGNORECASE,
)
_VALUED = re.compile(
    r"\d|[A-Z]|[零一二两三四五六七八九十百千万周]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|noon)\b"
)
_MONTH = re.compile(r"\d{1,2}月(?=\d)")  # the 10 of 10月20号 is no price of 10
_COMMON = re.compile(
    r"[,，;；] ?(?:both|all|each|either)\b|[，,；]?(?:都|均|两个都)"
    # What is said of them in general: which one most people take.
    r"|[,，;；] ?(?:(?:i|we)(?:'d)? (?:suggest|recommend|advise)|usually|normally|most)\b"
    r"|[，,；](?:一般|通常|建议|推荐|最好|大多)",
    re.IGNORECASE,
)
# Who writes without capitals: "michelin. budgets are done in no time".
_LOW_STOP = re.compile(r"^(?P<pick>\W*\w+(?: \w+)?)\.\s+(?=[a-z])")
_HAVE = re.compile(r"[有是为：](?=[\u4e00-\u9fffA-Za-z])")
_SEMI = re.compile(r"[;；]")
_STEM = 5  # characters of a word that stands for a longer one
_FEW = 10  # a smaller sum is as likely a count of something
_INSIDE = re.compile(r"[A-Za-z0-9'$£€¥]{2}")


@dataclass(frozen=True)
class Pick:
    """What was taken of several options.

    Attributes
    ----------
    spans : tuple of (int, int)
        The options, in characters.
    taken : int
        Which of them was taken.
    reply : int
        Which of the replies took it.
    """

    spans: tuple[tuple[int, int], ...]
    taken: int
    reply: int

    def kept(self, sentence: str) -> str:
        """Return the sentence with the option that was taken alone.

        Examples
        --------
        >>> said = "I can send Joe on Monday or Wednesday."
        >>> pick(said, ["Wednesday."]).kept(said)
        'I can send Joe on Wednesday.'
        """
        lead, tail = sentence[: self.spans[0][0]], sentence[self.spans[-1][1] :]
        stop = "。" if re.search(r"[\u4e00-\u9fff]", sentence) else "."
        return lead + sentence[slice(*self.spans[self.taken])].rstrip(".。") + (tail or stop)


@kept(most=512)
def options(sentence: str) -> tuple[tuple[int, int], ...]:
    """Give the parts of a sentence that are built alike, each with a value of one sort.

    Examples
    --------
    >>> said = "We have the 10 kWh at $9,800 or the 15 kWh at $13,400."
    >>> [said[start:end] for start, end in options(said)]
    ['the 10 kWh at $9,800', 'the 15 kWh at $13,400.']
    >>> options("Your refund of $20 is on its way.")
    ()
    """
    if halves := _SEMI.search(sentence):
        # "A 3800, B 2600; the escorts 480 each": what follows is of another thing.
        first = options(sentence[: halves.start()])
        if len(first) > 1:
            return first
    parts: list[tuple[int, int]] = []
    begin = 0
    for cut in _CUT.finditer(sentence):
        parts.append((begin, cut.start()))
        begin = cut.end()
    parts.append((begin, len(sentence)))
    if len(parts) < 2 or not _VALUED.search(sentence):
        return ()
    found = values_in(sentence)
    within = [[v for v in found if start <= v.start < end] for start, end in parts]
    for sort in _PARALLEL:
        having = [n for n, values in enumerate(within) if any(v.sort == sort for v in values)]
        # What is set side by side without "or" is a choice only if each has its price.
        if len(having) > 1 and _chosen_from(
            sentence, [sentence[slice(*parts[n])] for n in having], sort
        ):
            firsts = [next(v.start for v in within[n] if v.sort == sort) for n in having]
            return _parted(sentence, parts, having, firsts, sort == "money")
    return ()


def _chosen_from(sentence: str, sides: list[str], sort: str) -> bool:
    """Tell whether parts that are built alike are to choose from, not only told one by one."""
    if _OR.search(sentence) or lays_out(sentence):
        return True
    priced = sort == "money" or all(map(_LISTED.fullmatch, sides))
    return priced and not _DONE.search(sentence)


def _parted(
    sentence: str,
    parts: list[tuple[int, int]],
    having: list[int],
    firsts: list[int],
    priced: bool,
) -> tuple[tuple[int, int], ...]:
    """Give the options with what follows them; the first begins as far before its value as others.

    What stands before that is said of them all: "I can send Joe on | Monday or Wednesday".
    """
    ahead = max(at - parts[n][0] for at, n in zip(firsts[1:], having[1:], strict=True))
    begin = max(parts[having[0]][0], firsts[0] - ahead)
    if lead := _HAVE.search(sentence, parts[having[0]][0], firsts[0]):
        begin = lead.end()
    elif priced and is_cjk(sentence[begin]):
        begin = parts[having[0]][
            0
        ]  # a name and its price; Chinese words aren't parted: 「头车有|古思特3800」
    while begin > parts[having[0]][0] and _INSIDE.search(sentence, begin - 1, begin + 1):
        begin -= 1
    starts = [begin, *(parts[n][0] for n in having[1:])]
    common = _COMMON.search(sentence, parts[having[-1]][0])
    last = common.start() if common else len(sentence)
    ends = [parts[n - 1][1] for n in having[1:]] + [last]
    return tuple(zip(starts, ends, strict=True))


def pick(sentence: str, replies: Sequence[str]) -> Pick | None:
    """Tell which option of a sentence was taken, by what the customer said next.

    Parameters
    ----------
    sentence : str
        A sentence of the agent's.
    replies : sequence of str
        The customer's turns after it, in order.

    Examples
    --------
    >>> said = "The 10 kWh at $9,800 or the 15 kWh at $13,400."
    >>> pick(said, ["How long would the 10 run a fridge?", "I'll take the 15 then."]).taken
    1
    >>> pick("月付168，季付480。", ["季付多少？", "月付吧"]).taken, pick(said, ["Too much."])
    (0, None)
    """
    spans = options(sentence)
    if not spans:
        return None
    marks = [_marks(sentence[start:end]) for start, end in spans]
    shared = [
        set().union(*(other for k, other in enumerate(marks) if k != n)) for n in range(len(marks))
    ]
    own = [mine - others for mine, others in zip(marks, shared, strict=True)]
    for number, answer in enumerate(replies[:_FOLLOWING]):
        taken, reply = None, _LOW_STOP.sub(r"\g<pick>.\n", answer)
        for start, end in clause_spans(reply)[:_CLAUSES]:
            clause = reply[start:end]
            if (
                _ASKING.search(clause)
                or _ASKING.match(reply[end : end + 1])
                or _AGAINST.search(clause)
            ):
                continue
            takes = _TAKES.search(clause) is not None
            brief = len(clause) <= (_BRIEF if number == 0 else _LATER if takes else 0)
            if brief or takes:
                taken = _named(clause, own, brief, taken)
        if taken is not None and taken >= 0:
            return Pick(spans, taken, number)
    return None


def _named(clause: str, own: list[set[str]], brief: bool, before: int | None) -> int | None:
    """Tell which option a clause names: -1 for several, what was named before for none."""
    said = _marks(clause)
    short = tuple(mark for mark in said if len(mark) >= _STEM and mark.isalpha())
    if short:  # "the refurb" is the refurbished one
        said |= {mark for marks in own for mark in marks if mark.startswith(short)}
    scores = [
        # At length only a value names an option: words may be of something else.
        sum(3 if mark[0] == "=" else brief for mark in said & marks)
        for marks in own
    ]
    best = max(scores)
    if best:
        return scores.index(best) if scores.count(best) == 1 else -1
    if brief and before is None:
        for sign, place in _PLACES:
            if sign.search(clause):
                return place if place >= 0 else len(own) - 1
    return before


def by_place(reply: str) -> bool:
    """Tell whether a reply takes one of several by its place: "the second one", 「要第一种」.

    Examples
    --------
    >>> by_place("The second one please."), by_place("The second it broke, I rang.")
    (True, False)
    """
    clauses = [reply[start:end] for start, end in clause_spans(reply)[:_CLAUSES]]
    return any(_BY_PLACE.fullmatch(clause) for clause in clauses)


_BY_PLACE = re.compile(
    r"\W*(?:i'll (?:have|take|go for) |go for |let's do )?(?:the )?"
    r"(?:first|second|third|former|latter|last)"
    r"(?: (?:one|option|choice))?(?: (?:please|then|thanks))*\W*"
    r"|[就选要来]?(?:第[一二三四]|前[一]?|后[一]?)[种个款项者档套][吧]?",
    re.I,
)


def _marks(text: str) -> set[str]:
    """Give what tells one option from another: its values and its words."""
    plain = _MONTH.sub(lambda m: " " * len(m[0]), fold(text).text)
    priced = [v for v in values_in(plain) if v.sort == "money"]
    small = {n.start for n in numerals(plain) if any(v.start <= n.start < v.end for v in priced)
             and float(n.digits) < _FEW}  # fmt: skip
    found = {f"={v.norm}" for v in values_in(plain) if v.sort != "money" or len(v.norm) > 1}
    found |= {f"={n.digits}" for n in numerals(plain) if n.start not in small}
    for number in re.finditer(r"\d+(?:\.\d+)?", plain):
        inside = any(v.start <= number.start() < v.end for v in priced)
        if not (inside and float(number[0]) < _FEW):
            found.add(f"={number[0]}")
    words = {w for w in content(plain.lower()) if not w[0].isdigit()}
    return found | {w for w in words - _PLAIN if len(w) > 1}

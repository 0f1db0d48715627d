"""What is told piece by piece: a card in two breaths, a password put together aloud, zh and en.

"The card's 4539 9458, hang on, then 0730 2151": no piece is a card number, all of them are one.
"Capital T, then reefer, then a hash, then 77" is a recipe: what gives it away is that letters are
called big or small, or keys named, between words that join. Positions are in the normal form of
:func:`ctxlab.language.sensitive_script.plain`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxlab.language.sensitive_labels import Labels
from ctxlab.language.sensitive_numbers import Hit, is_card, valid
from ctxlab.language.text import sentence_spans

__all__ = ["find_pieces", "find_recipes"]

_GROUPS = re.compile(
    r"(?<![A-Za-z0-9_#/.,$£€¥-])\d{2,8}(?:[ -]\d{2,6}){0,3}(?![A-Za-z0-9_/%]|[.,-]\d)"
)
_MOST = 4  # pieces of a card
_APART = 56  # characters between two of them
_JOINED = re.compile(
    r"\b(?:then|and|next|followed|after|last|rest|part|second|final\w*|ends?|ending|finish\w*|first|"
    r"start\w*|begin\w*|half|comes?)\b|然后|接着|再|后面|后边|后半|最后|前面|前半|开头|接下来|跟着|完了是|还有|结尾",
    re.IGNORECASE,
)
_SUM = re.compile(r"[$£€¥]|(?:元|块|dollars?|pounds?|euros?|quid|rupees?)", re.IGNORECASE)


def find_pieces(text: str, labels: Labels, known: Sequence[Hit]) -> Iterator[Hit]:
    """Find card numbers told in pieces with other words between them.

    Parameters
    ----------
    text : str
        A normal form.
    labels : Labels
        Its labels.
    known : sequence of Hit
        What is explained already isn't taken for a piece.
    """
    runs = [
        match
        for match in _GROUPS.finditer(text)
        if not any(
            hit.start < match.end() and match.start() < hit.end
            for hit in known
            if hit.category != "contact"  # half a card looks like a phone
        )
    ]
    if len(runs) < 2:
        return
    at = 0
    while at < len(runs):
        taken = _card_from(text, runs[at : at + _MOST], labels)
        yield from (Hit(*run.span(), "payment", "card", 0.9) for run in runs[at : at + taken])
        at += taken or 1


def _card_from(text: str, runs: Sequence[re.Match[str]], labels: Labels) -> int:
    """Tell how many of these runs, from the first on, make up a card number."""
    digits, joined = "", False
    for count, run in enumerate(runs, 1):
        if count > 1:
            gap = text[runs[count - 2].end() : run.start()]
            label = labels.before(run.start())
            half = text[label.start : label.end].lower() == "part"  # "second part 0730 2151"
            if len(gap) > _APART or _SUM.search(gap) or (label.kind == "other" and not half):
                return 0
            joined = joined or _JOINED.search(gap) is not None
        digits += re.sub(r"\D", "", run[0])
        if len(digits) > 16:
            return 0
        if count > 1 and is_card(digits):
            named = labels.before(runs[0].start()).kind == "card" or "card" in labels.kinds
            if (named or joined) and (valid("luhn", digits) or (named and len(digits) == 16)):
                return count
    return 0


# --- A password put together aloud -------------------------------------------------------------

_CASE = (
    r"(?:(?:an? |the )?(?:capital|upper ?case|big|small|lower ?case)(?: letter)? [A-Za-z](?![\w-])|"
    r"[A-Za-z] (?:in )?(?:capitals?|upper ?case|lower ?case)\b)"
)
_SIGN = (
    r"(?:an? |the )?(?:hash(?:tag)?|underscore|dollar(?: sign)?|exclamation(?: mark| point)?|"
    r"at sign|ampersand|asterisk|star|percent(?: sign)?|hyphen|dash|full ?stop|question mark|"
    r"bang|plus sign|caret|tilde|pound sign)\b"
)
_MARK = re.compile(rf"(?<!['’])\b(?:(?P<case>{_CASE})|{_SIGN})", re.IGNORECASE)
_JOINT = re.compile(r",? (?:and then|then|followed by|and|plus|next)(?: comes)? |, ", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:pass ?\w*|pwd|log(?:ged|ging)? ?in|sign(?:ed|ing)? ?in|pin|code|wi-?fi|key|secret|"
    r"account|typed?|typing)\b",
    re.IGNORECASE,
)
_SHORT = 3  # words of a step
_WORDS = re.compile(r"[^\s.!?;:]+")
_STEP_ZH = (
    "(?:[大小]写(?:字母|的)?[A-Za-z]|[A-Za-z0-9]{1,12}|井号|艾特|感叹号|惊叹号|下划线|底线|星号|问号|"
    "减号|横杠|美元符号?|[一二三四五六七八九两]个[一二三四五六七八九零0-9A-Za-z]|[一二三四五六七八九零两]{2,8})"
)
_RECIPE_ZH = re.compile(
    rf"{_STEP_ZH}(?:[,，、 ]?(?:再|然后|接着|跟着?|后面|最后|加上?|来个?|是|一个|个)*[,，、 ]?"
    rf"{_STEP_ZH}){{2,12}}"
)
_MARK_ZH = re.compile("[大小]写|井号|感叹号|惊叹号|下划线|底线|星号|问号|美元符")
_MAIL = re.compile(r"\bdot (?:com|net|org|co|uk|cn)\b|点 ?com", re.IGNORECASE)


def find_recipes(text: str) -> Iterator[Hit]:
    """Find passwords that are dictated: letters called big or small, keys named, words between.

    Examples
    --------
    >>> text = "it's capital T, then reefer, then a hash, then 77"
    >>> [text[hit.start : hit.end] for hit in find_recipes(text)]
    ['capital T, then reefer, then a hash, then 77']
    """
    if _MAIL.search(text):
        return
    if _MARK.search(text):
        yield from _english(text)
    if _MARK_ZH.search(text):
        for match in _RECIPE_ZH.finditer(text):
            if _MARK_ZH.search(match[0]):
                yield Hit(*match.span(), "credential", "recipe", 0.75)


def _english(text: str) -> Iterator[Hit]:
    """Read a dictation step by step; the first and the last step hold other words as well."""
    named = _NAMED.search(text) is not None
    for start, end in sentence_spans(text):
        cuts = [(m.start(), m.end()) for m in _JOINT.finditer(text, start, end)]
        steps = list(zip([start, *(e for _, e in cuts)], [*(s for s, _ in cuts), end], strict=True))
        marked = [(step, mark) for step in steps for mark in _MARK.finditer(text, *step)]
        if not marked or not (named or any(mark["case"] for _, mark in marked)):
            continue
        first = last = steps.index(marked[0][0])
        while first and len(_WORDS.findall(text, *steps[first - 1])) <= _SHORT:
            first -= 1
        while last + 1 < len(steps) and len(_WORDS.findall(text, *steps[last + 1])) <= _SHORT:
            last += 1
        if last + 1 < len(steps):
            last += 1  # "then 77 if you need it"
        if last - first + len(marked) < _STEPS:
            continue
        begin = max(first and steps[first][0], _first_of(text, steps[first]))
        yield Hit(begin, _last_of(text, steps[last]), "credential", "recipe", 0.75)


_STEPS = 3  # joints and marks together, from which it is no accident


def _first_of(text: str, step: tuple[int, int]) -> int:
    """Give where a recipe begins in its first step: at a mark, else at the last word."""
    if mark := _MARK.search(text, *step):
        return mark.start()
    return step[1] - len(text[slice(*step)].split(" ")[-1])


def _last_of(text: str, step: tuple[int, int]) -> int:
    """Give where a recipe ends in its last step: behind the last mark, else behind a word."""
    marks = list(_MARK.finditer(text, *step))
    if marks:
        return marks[-1].end()
    word = _WORDS.match(text, *step)
    return word.end() if word else step[1]

"""What an agent says to run a conversation, and lists to choose from: nothing to remember (R30).

"To get started I'll need to verify your identity", 「我先帮您查一下」: next time nobody misses it,
though it sounds like a promise. What is delivered after the talk is one, and stays. The words are
in ``procedure.json``, as alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["runs_talk", "without_lists"]

_ITEM = re.compile(r"^[ \t]*(?:[-*•·]|\d{1,2}[.)、．]|[（(]\d{1,2}[）)])[ \t]*\S.*(?:\n|$)", re.M)
_LIST = re.compile(
    rf"(?P<lead>^[^\n]*\n(?:[ \t]*\n)?)?(?P<items>(?:{_ITEM.pattern}(?:[ \t]*\n)*)+)", re.M
)
_SHORTEST = 3  # items that make a list


@cache
def _words(name: str) -> re.Pattern[str]:
    lists = words_beside(__file__)
    return re.compile("|".join(lists[name]).replace("{now}", lists["now"]), re.IGNORECASE)


def runs_talk(sentence: str) -> bool:
    """Tell whether an agent's sentence only moves the conversation on.

    Examples
    --------
    >>> runs_talk("To get started, I'll need to verify your identity.")
    True
    >>> runs_talk("I'll check with the depot and call you back."), runs_talk("我先帮您查一下")
    (False, True)
    """
    if _words("asks").search(sentence):
        return True
    # What will reach the customer afterwards, or has been done already, is a promise kept.
    return bool(_words("runs").search(sentence)) and not _words("delivers").search(sentence)


def without_lists(text: str) -> str:
    r"""Leave out of an agent's turn what it lists, unless the list says what was done.

    Examples
    --------
    >>> without_lists("We have:\n1. Blue, size M\n2. Red, size L\n3. Grey, size S\nWhich one?")
    'We have:\nWhich one?'
    """

    def keep(match: re.Match[str]) -> str:
        items = _ITEM.findall(match["items"])
        lead = re.split(r"[.!?。！？]\s", match["lead"] or "")[-1]
        if len(items) < _SHORTEST or _words("done").search(lead):
            return match[0]
        return match["lead"] or ""

    return _LIST.sub(keep, text)

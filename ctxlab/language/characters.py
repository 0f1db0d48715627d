"""Traditional characters written as simplified ones: 兩千五 and 两千五 are one amount (R94).

For comparing only, never for showing: several traditional characters may share one simplified.
"""

from __future__ import annotations

from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["simplified"]


@cache
def _table() -> dict[int, str]:
    lists = words_beside(__file__)
    return dict(zip(map(ord, lists["traditional"]), lists["simplified"], strict=True))


def simplified(text: str) -> str:
    """Write a text in simplified characters; what is no traditional character stays.

    Character by character, so every place in the text stays what it was.

    References
    ----------
    OpenCC, dictionary ``TSCharacters``, Apache License 2.0.

    Examples
    --------
    >>> simplified("聯絡電話 0932"), simplified("面试"), simplified("Main St")
    ('联络电话 0932', '面试', 'Main St')
    """
    return text if text.isascii() else text.translate(_table())

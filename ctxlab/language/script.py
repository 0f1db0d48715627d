"""Chinese in one script: what is written in traditional characters, read in simplified ones.

Hong Kong and Taiwan write 「訂單」 where the mainland writes 「订单」. Words, cues and n-grams that
are known in one script are strangers in the other, so what reads them folds the two together.
"""

from __future__ import annotations

from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["simplified"]


def simplified(text: str) -> str:
    """Put simplified characters for traditional ones, one for one: places in the text hold.

    For reading alone, never for what is stored or shown: a few characters stand for several (「乾」
    of dry is 「干」, of heaven it stays), and only whole words could tell which is meant.

    References
    ----------
    The character tables of OpenCC, https://github.com/BYVoid/OpenCC (Apache License 2.0).

    Examples
    --------
    >>> simplified("訂單還沒到，order #12")
    '订单还没到，order #12'
    """
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    words = words_beside(__file__)
    pairs = zip("".join(words["traditional"]), "".join(words["simplified"]), strict=True)
    # Not in a table of scripts: 「妳」 is 「你」 said to a woman.
    return {ord(old): new for old, new in pairs} | {ord("妳"): "你"}

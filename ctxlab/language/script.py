"""Chinese as one language: traditional characters and Cantonese, read as plain Mandarin.

Hong Kong and Taiwan write 「訂單」 where the mainland writes 「订单」, and Hong Kong writes as it
speaks: 「唔係佢嘅」. Words, cues and n-grams known in one form are strangers in the other, so what
reads them folds them together. What is stored or shown is never folded.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.wordlists import words_beside

__all__ = ["mandarin", "simplified"]

# What no Mandarin text holds: without any of these a text isn't taken for Cantonese.
_CANTONESE = re.compile("[嘅喺唔咗嚟嗰𠮶哋啲畀佢冇㗎嘢攞睇搵]")
# 「係」 is the verb; simplified it can't be told from the last character of 「联系」 but by that.
_VERB = re.compile("(?<!關)係")
_VERB_SIMPLIFIED = r"(?<![关联体派院嫡星])系(?![统列数])"


def simplified(text: str) -> str:
    """Put simplified characters for traditional ones, one for one: places in the text hold.

    A few characters stand for several (「乾」 of dry is 「干」, of heaven it stays), and only whole
    words could tell which is meant.

    References
    ----------
    The character tables of OpenCC, https://github.com/BYVoid/OpenCC (Apache License 2.0).

    Examples
    --------
    >>> simplified("訂單還沒到，order #12")
    '订单还没到，order #12'
    """
    return text if text.isascii() else text.translate(_table())


def mandarin(text: str) -> str:
    """Put everyday Mandarin words for Cantonese ones, in simplified characters.

    Function words and the commonest verbs alone, each for itself: enough for what knows Mandarin
    to see a question, a denial or a wish, and no translation. Other texts are only simplified.

    Examples
    --------
    >>> mandarin("張單仲未到，可唔可以幫我睇下？")
    '张单仲未到，可不可以帮我看下？'
    >>> mandarin("系统没有反应")
    '系统没有反应'
    """
    if text.isascii():
        return text
    text = simplified(_VERB.sub("是", text))
    if not _CANTONESE.search(text):
        return text
    words = words_beside(__file__)["cantonese"]
    return _pattern().sub(lambda found: str(words[found.group()]), text)


@cache
def _table() -> dict[int, str]:
    words = words_beside(__file__)
    pairs = zip("".join(words["traditional"]), "".join(words["simplified"]), strict=True)
    # Not in a table of scripts: 「妳」 is 「你」 said to a woman.
    return {ord(old): new for old, new in pairs} | {ord("妳"): "你"}


@cache
def _pattern() -> re.Pattern[str]:
    # The file lists longer words first, so that 「系咪」 is found before 「系」.
    words = words_beside(__file__)["cantonese"]
    return re.compile("|".join(_VERB_SIMPLIFIED if word == "系" else word for word in words))

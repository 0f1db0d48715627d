"""Cantonese read as Mandarin: Hong Kong writes as it speaks, 「唔係佢嘅」 for 「不是他的」.

Words, cues and n-grams known in one form are strangers in the other, so what reads them folds them
together. What is stored or shown is never folded.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.script import simplified
from ctxlab.language.wordlists import words_beside

__all__ = ["mandarin"]

# What no Mandarin text holds: without any of these a text isn't taken for Cantonese.
_CANTONESE = re.compile("[嘅喺唔咗嚟嗰𠮶哋啲畀佢冇㗎嘢攞睇搵]")
# 「係」 is the verb; simplified it can't be told from the last character of 「联系」 but by that.
_VERB = re.compile("(?<!關)係")
_VERB_SIMPLIFIED = r"(?<![关联体派院嫡星])系(?![统列数])"


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
    # 「妳」 is 「你」 said to a woman, and no matter of script.
    text = simplified(_VERB.sub("是", text).replace("妳", "你"))
    if not _CANTONESE.search(text):
        return text
    words = words_beside(__file__)
    return _pattern().sub(lambda found: str(words[found.group()]), text)


@cache
def _pattern() -> re.Pattern[str]:
    # The file lists longer words first, so that 「系咪」 is found before 「系」.
    words = words_beside(__file__)
    return re.compile("|".join(_VERB_SIMPLIFIED if word == "系" else word for word in words))

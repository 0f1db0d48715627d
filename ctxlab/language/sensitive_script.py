"""One script for the scanner: traditional characters, and Cantonese ones, read as simplified.

What is written for 身份证 holds for 身份證 then, and the fitted heads know 「佢有糖尿」. One
character stands for one, so that a span leads back to the text as it was written; what such a
reading loses (發 and 髮 become one) doesn't matter to what is only looked at.

The pairs come from OpenCC's character tables (Apache License 2.0), Taiwan's and Hong Kong's
variants included, and some twenty characters of Cantonese, read as what they mean.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ctxlab.language.numerals import spoken_to_digits
from ctxlab.language.text import Folded, fold
from ctxlab.language.wordlists import words_beside

__all__ = ["plain", "simplified"]


@cache
def _table() -> dict[int, int]:
    pairs = words_beside(__file__)
    return str.maketrans(pairs["traditional"], pairs["simplified"])


def simplified(folded: Folded) -> Folded:
    """Read traditional characters as simplified ones; places stay.

    Examples
    --------
    >>> from ctxlab.language.text import fold
    >>> simplified(fold("護照號碼")).text
    '护照号码'
    """
    if folded.text.isascii():
        return folded
    return replace(folded, text=folded.text.translate(_table()))


def plain(text: str) -> Folded:
    """Bring a text to the form that the scanner and its heads read, with the way back.

    Examples
    --------
    >>> plain("電話幺三八").text
    '电话138'
    """
    return spoken_to_digits(simplified(fold(text)))

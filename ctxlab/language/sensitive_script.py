"""The form in which the scanner and its heads read a text, with the way back to how it was written.

Traditional characters are read as simplified ones, digits said in words as digits, and characters
that Cantonese alone has as what they mean, so that what is known of 「他有糖尿病」 holds for
「佢有糖尿病㗎」. Here, unlike in :mod:`ctxlab.language.cantonese`, one character stands for one:
a span must lead back to its place.
"""

from __future__ import annotations

import re

from ctxlab.language.numerals import spoken_to_digits
from ctxlab.language.text import Folded, fold

__all__ = ["plain"]

_CANTONESE = str.maketrans(
    "嘅咗佢喺冇唔哋乜嚟畀俾睇啲噉咁嗰攞嘢乸搵啱㗎瞓揸攰諗嗌㩒撳揿妳著",
    "的了他在没不们什来给给看些这这那拿事母找刚啊睡开累想叫按按按你着",
)
# "4 0 double 7": keys read out, though somebody typed them.
_REPEATED = re.compile(r"\b(?:(?P<two>double)|triple|treble)[ -](?P<digit>\d)(?!\d)", re.IGNORECASE)
_READ_OUT = re.compile(r"\d[ ,-]{0,2}\Z")
_GOES_ON = re.compile(r"[ ,-]{1,2}(?:\d|(?:double|triple|treble)[ -]\d)", re.IGNORECASE)
_VERB = re.compile("(?<![關关聯联體体干])係")  # 「關係」 is a noun in any Chinese


def plain(text: str) -> Folded:
    """Bring a text to the form that the scanner and its heads read.

    Examples
    --------
    >>> plain("佢個電話係幺三八").text
    '他个电话是138'
    """
    if not text.isascii():
        text = _VERB.sub("是", text).translate(_CANTONESE)
    return _repeated(spoken_to_digits(fold(text)))


def _repeated(view: Folded) -> Folded:
    """Write a typed digit that is called double or triple as often as it is meant."""
    text, position = view.text, 0
    lowered = text.lower()
    if not ("double" in lowered or "tr" in lowered):  # most texts repeat nothing
        return view
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _REPEATED.finditer(text):
        # "double 7" by itself is a match's score or a bed; beside a digit it's part of a number.
        before = _READ_OUT.search(text, max(0, match.start() - 3), match.start())
        said = before or _GOES_ON.match(text, match.end())
        if not said:
            continue
        times = 2 if match["two"] else 3
        begin, end = view.span(*match.span())
        chars += [text[position : match.start()], match["digit"] * times]
        starts += [*view.starts[position : match.start()], *[begin] * times]
        ends += [*view.ends[position : match.start()], *[end] * times]
        position = match.end()
    if not position:
        return view
    chars.append(text[position:])
    return Folded(
        "".join(chars), [*starts, *view.starts[position:]], [*ends, *view.ends[position:]]
    )

"""Traditional Chinese read as simplified, sign by sign, and written back as the speaker did.

Word lists and fitted heads are of simplified Chinese. A sign stands for a sign, so places in a
text stay where they are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Any

__all__ = ["as_written", "simplified"]


class _Signs(dict[int, str]):
    """Simplified forms by code point, each looked up once: a table for `str.translate`."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        form = self[code] = _converter().convert(char) if "\u3400" <= char <= "\u9fff" else char
        return form


_SIGNS = _Signs()


@cache
def _converter() -> Any:
    from opencc import OpenCC  # the tables take 20 ms to load, and English needs none

    return OpenCC("t2s")


def simplified(text: str) -> str:
    """Write traditional signs as simplified ones; the length stays.

    Examples
    --------
    >>> simplified("禮拜一改送門市")
    '礼拜一改送门市'
    """
    return text if text.isascii() else text.translate(_SIGNS)


# Words by which a retelling is known again wherever it is read.
_OURS = re.compile(r"(客[户服](?:说|告知|承诺|要求|希望|表示|确认|选了|问|答)?|商家|\A自己)")


def as_written(text: str, sources: Iterable[str]) -> str:
    """Write a text that was made from simplified forms of others in their own signs.

    Parameters
    ----------
    text : str
        Made of words of `sources` and of the words of a retelling, which stay.
    sources : iterable of str
        As they were written.

    Examples
    --------
    >>> as_written("客户说改寄门市，单号 TW88。", ["改寄門市，單號 TW88"])
    '客户说改寄門市，單號 TW88。'
    """
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for source in sources:
        plain = simplified(source)
        if plain != source:
            for sign, written in zip(plain, source, strict=True):
                forms[sign][written] += 1
    if not forms:
        return text
    table = {ord(sign): counts.most_common(1)[0][0] for sign, counts in forms.items()}
    parts = _OURS.split(text)
    return "".join(part if n % 2 else part.translate(table) for n, part in enumerate(parts))

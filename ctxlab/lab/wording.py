"""Text inside a figure: how wide it is, cut to a width, broken into lines."""

from __future__ import annotations

from functools import lru_cache

from ..language.text import is_cjk
from . import style

__all__ = ["clip", "legible", "pieces", "width"]


@lru_cache(maxsize=8192)
def _known(letter: str) -> bool:
    """Whether one of the figures' faces has the letter."""
    from matplotlib.font_manager import findfont, get_font

    faces = [name for name in (style.cjk_font(), "DejaVu Sans") if name]
    return any(get_font(findfont(name)).get_char_index(ord(letter)) for name in faces)


def legible(text: str) -> str:
    """Return the text with a box for each letter that no face has; its length stays.

    Examples
    --------
    >>> legible("fine"), len(legible("\U0001f9ff!"))
    ('fine', 2)
    """
    return "".join(c if c.isascii() or _known(c) else "▯" for c in text)


@lru_cache(maxsize=8192)
def width(text: str, size: float = 8.0) -> float:
    """Return how wide a text of `size` points is, in inches, in the figures' own face."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    families = [name for name in (style.cjk_font(), "DejaVu Sans") if name]
    face = FontProperties(family=families, size=size)
    return float(text_to_path.get_text_width_height_descent(text, face, ismath=False)[0]) / 72


def clip(text: str, room: float, size: float = 8.0) -> str:
    """Return the text, its end cut off where it's wider than `room` inches.

    Examples
    --------
    >>> clip("a short one", 5.0)
    'a short one'
    >>> clip("a longer one " * 9, 1.0).endswith("…")
    True
    """
    text = legible(" ".join(text.split()))
    if width(text, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest start that leaves room for the dots
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if width(text[:middle] + "…", size) <= room else (low, middle - 1)
        )
    return text[:low].rstrip() + "…"


def pieces(text: str) -> list[tuple[int, int]]:
    """Return the spans a line may be broken between: words with their blanks, single CJK letters.

    Examples
    --------
    >>> [ "卡号 is 4111"[a:b] for a, b in pieces("卡号 is 4111")]
    ['卡', '号', ' ', 'is ', '4111']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for i, char in enumerate(text):
        after = text[i + 1 : i + 2]
        if is_cjk(char) or char.isspace() or (after and is_cjk(after)):
            spans.append((start, i + 1))
            start = i + 1
    if start < len(text):
        spans.append((start, len(text)))
    return spans

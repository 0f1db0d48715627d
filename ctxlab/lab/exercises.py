"""Visible checks for the exercises: they say what isn't right yet, and never stop a notebook."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from . import style
from .explorer import language

__all__ = ["Check", "check"]


@dataclass(frozen=True)
class Check:
    """Outcome of an exercise's checks; displays itself.

    Attributes
    ----------
    wrong : tuple of str
        What doesn't hold yet, each with what happened.
    right : tuple of str
        What holds.
    lang : str
        Language of the verdict.
    """

    wrong: tuple[str, ...]
    right: tuple[str, ...]
    lang: str = "en"

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return not self.wrong

    @property
    def verdict(self) -> str:
        """The outcome in a word or two."""
        if self.passed:
            return "✔ 通过" if self.lang == "zh" else "✔ passed"
        return "✘ 还差一点" if self.lang == "zh" else "✘ not yet"

    def __repr__(self) -> str:
        lines = [f"  ✘ {text}" for text in self.wrong] + [f"  ✔ {text}" for text in self.right]
        return "\n".join([self.verdict, *lines])

    def _repr_html_(self) -> str:
        hue = style.COLOURS["summary" if self.passed else "dropped"]
        lines = "".join(f"<br>{html.escape(line)}" for line in repr(self).splitlines()[1:])
        return (
            f'<div role="status" style="border-left:4px solid {hue};padding:4px 12px">'
            f"<b>{self.verdict}</b>{lines}</div>"
        )


def check(wanted: Mapping[str, Callable[[], object]], lang: str | None = None) -> Check:
    """Try each claim about an exercise; an exception counts as "not yet".

    Parameters
    ----------
    wanted : mapping
        What should hold, in words -> a function that returns something true if it does.
    lang : str, optional
        ``"en"`` or ``"zh"``; default the environment's ``CTXLAB_LANG``.

    Examples
    --------
    >>> check({"two is two": lambda: 2 == 2, "zero divides": lambda: 1 / 0})
    ✘ not yet
      ✘ zero divides (ZeroDivisionError: division by zero)
      ✔ two is two
    """
    wrong, right = [], []
    for words, holds in wanted.items():
        try:
            if holds():
                right.append(words)
            else:
                wrong.append(words)
        except Exception as error:  # a stub may fail in any way: its reader wants to know how
            wrong.append(f"{words} ({type(error).__name__}: {error})")
    return Check(tuple(wrong), tuple(right), language(lang))

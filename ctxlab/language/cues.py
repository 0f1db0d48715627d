"""Words that hint at what a message is, Chinese and English side by side.

No cue decides anything: each is one input of the fitted heads, which learn what it is worth, and
one word of the reasons they give. So a cue may be loose ("still", 「还没」), but must be general:
a turn of phrase of the language, never the wording of some test. The words are in ``cues.json``,
as alternatives of regular expressions; English ones match whole words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["cue_names", "find_cues"]


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    words = json.loads(Path(__file__).with_name("cues.json").read_text(encoding="utf-8"))
    return {
        name: re.compile(
            rf"(?<![a-z])(?:{'|'.join(lists['en'])})(?![a-z])|(?:{'|'.join(lists['zh'])})"
        )
        for name, lists in words.items()
    }


@cache
def cue_names() -> tuple[str, ...]:
    """Name the cues, in a fixed order.

    Examples
    --------
    >>> cue_names()[:3]
    ('ask', 'want', 'order')
    """
    return tuple(_patterns())


def find_cues(text: str, names: Iterable[str] | None = None) -> dict[str, list[str]]:
    """Find the cue words of a text, by cue.

    Parameters
    ----------
    text : str
        Lower-case text with straight apostrophes, as `ctxlab.language.features.lower` makes it.
    names : iterable of str, optional
        Only these cues.

    Examples
    --------
    >>> find_cues("you said the cheaper one would do")["said"]
    ['you said']
    """
    patterns = _patterns()
    chosen = patterns if names is None else names
    hits = {name: [m.group() for m in patterns[name].finditer(text)] for name in chosen}
    return {name: words for name, words in hits.items() if words}

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


_LATIN = re.compile(r"[a-z]")
_ESCAPE = re.compile(r"\\.")  # of a pattern, where "\\d" is no letter
_HAN = re.compile(r"[\u3400-\u9fff]")


@cache
def _patterns(latin: bool = True, han: bool = True) -> dict[str, re.Pattern[str]]:
    """Return the pattern of each cue, for texts with letters of these scripts alone."""
    words = json.loads(Path(__file__).with_name("cues.json").read_text(encoding="utf-8"))
    made = {}
    for name, lists in words.items():
        en = [word for word in lists["en"] if latin or not _LATIN.search(_ESCAPE.sub("", word))]
        zh = [word for word in lists["zh"] if han or not _HAN.search(word)]
        parts = [rf"(?<![a-z])(?:{'|'.join(en)})(?![a-z])"] if en else []
        parts += [f"(?:{'|'.join(zh)})"] if zh else []
        made[name] = re.compile("|".join(parts) or r"(?!)")
    return made


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
    # Half of the words can't stand in a text of one script: it is read in half the time.
    patterns = _patterns(bool(_LATIN.search(text)), bool(_HAN.search(text)))
    chosen = patterns if names is None else names
    hits = {name: [m.group() for m in patterns[name].finditer(text)] for name in chosen}
    return {name: words for name, words in hits.items() if words}

"""What a summary tells: which of its lines, and how many of them, fit its room (R20, R53)."""

from __future__ import annotations

from collections.abc import Sequence

from ..layers.session import Narrative

__all__ = ["tell"]

_MOST = 60  # lines of each kind; keeps a request's cost flat however long the session
_ITEMS_SHARE = 0.15  # of the summary: for what holds, before prose tells the rest in less room
_NEVER = 1 << 62


def tell(
    narratives: Sequence[Narrative],
    items: tuple[Sequence[Narrative], Sequence[Narrative]],
    before: int,
    limit: int,
) -> tuple[list[Narrative], list[Narrative], int]:
    """Choose a summary's lines about turns before `before`.

    Firm items come first, for they hold most in least room, then prose, then the other items. What
    the prose tells anyway isn't said twice, and what it leaves is the items': a summariser that
    fails leaves all of it.

    Parameters
    ----------
    narratives : sequence of Narrative
        Prose, oldest first.
    items : tuple of two sequences of Narrative
        Firm items and others, the most important first.
    before : int
        The first turn that goes word for word.
    limit : int
        Tokens.

    Returns
    -------
    holds, prose : list of Narrative
    tokens : int
        Of both.

    Examples
    --------
    >>> prose = [Narrative(0, 4, "They talked of a desk.", 6), Narrative(5, 9, "And a lamp.", 4)]
    >>> firm = [Narrative(2, 2, "[promised] a new desk", 5)]
    >>> holds, prose, tokens = tell(prose, (firm, []), before=8, limit=10)
    >>> [line.text for line in holds + prose], tokens
    (['[promised] a new desk', 'And a lamp.'], 9)
    """
    firm, others = items
    newest = len(narratives)
    while newest and narratives[newest - 1].first >= before:
        newest -= 1
    at, size = _prose(narratives, newest, newest, 0, int(limit * (1 - _ITEMS_SHARE)))
    since = narratives[at].first if at < newest else _NEVER
    holds, used = _fitting(firm, before, limit - size, since)
    at, size = _prose(narratives, newest, at, size, limit - used)
    rest, more = _fitting(others, before, limit - used - size, since)
    return holds + rest, list(narratives[at:newest][::-1]), used + size + more


def _prose(
    lines: Sequence[Narrative], newest: int, at: int, size: int, limit: int
) -> tuple[int, int]:
    """Take lines older than those from `at` on while they fit; returns the oldest, and tokens."""
    while at and newest - at < _MOST and size + lines[at - 1].tokens <= limit:
        at -= 1
        size += lines[at].tokens
    return at, size


def _fitting(
    lines: Sequence[Narrative], before: int, limit: int, since: int
) -> tuple[list[Narrative], int]:
    """Return the first lines that fit, without what prose about turn `since` or later tells too."""
    chosen: list[Narrative] = []
    left = limit
    for line in lines:
        if line.first < before and line.told < since:
            left -= line.tokens
            if left < 0 or len(chosen) == _MOST:
                left += line.tokens
                break
            chosen.append(line)
    return chosen, limit - left

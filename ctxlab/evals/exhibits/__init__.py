"""The bug museum: public defects of memory systems, each small, with its cure (R117).

Every exhibit names the public report, shows the wrong behaviour by a few lines of its own, and
what ctxlab does with the same input. The words and the code are ours; the defects were others',
most are mended by now, and all of them are easy to have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import DataError
from .base import Both, Exhibit, Showing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Both", "Exhibit", "Showing", "exhibit", "exhibits", "museum"]


def exhibits() -> list[Exhibit]:
    """Return all exhibits, room by room: updates, isolation, erasure, times, windows, stores."""
    from . import erasure, isolation, stores, times, updates, windows

    rooms = (updates, isolation, erasure, times, windows, stores)
    return [kind() for room in rooms for kind in room.EXHIBITS]


def exhibit(id: str) -> Exhibit:
    """Return one exhibit by its id; its ``show(lang)`` runs it and prints itself.

    Raises
    ------
    DataError
        There is none of that name; the text lists those there are.

    Examples
    --------
    >>> shown = exhibit("prefix-scope").show()
    >>> shown.broken_right, shown.ctxlab_right
    (False, True)
    >>> shown.broken
    ['The parcel goes to 12 Mill Road.']
    """
    known = {one.id: one for one in exhibits()}
    if id not in known:
        raise DataError(f"no exhibit {id!r}; there are {', '.join(known)}")
    return known[id]


def museum(lang: str = "en", run: bool = False) -> pd.DataFrame:
    """List the exhibits.

    Parameters
    ----------
    lang : str
        ``"zh"`` or ``"en"``: of the words, and of the input if `run`.
    run : bool
        Run both policies of each (seconds), and add what came of it.

    Returns
    -------
    DataFrame
        ``id``, ``room``, ``title``, ``wrong``, ``cure``, ``rule``, ``limit`` and ``link``; with
        `run` also ``broken`` and ``ctxlab``: whether each does right.

    Examples
    --------
    >>> museum("zh").set_index("id").loc["dense-script", "title"]
    '中文只按三分之一计数'
    """
    import pandas as pd

    rows = []
    for one in exhibits():
        row = {
            "id": one.id,
            "room": type(one).__module__.rpartition(".")[2],
            "title": one.title.of(lang),
            "wrong": one.wrong.of(lang),
            "cure": one.cure.of(lang),
            "rule": one.rule,
            "limit": one.limit.of(lang) if one.limit is not None else "",
            "link": one.link,
        }
        if run:
            shown = one.show(lang)
            row |= {"broken": shown.broken_right, "ctxlab": shown.ctxlab_right}
        rows.append(row)
    return pd.DataFrame(rows)

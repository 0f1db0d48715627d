"""Longer lives: the same checks after many more conversations about nothing in particular (R111).

The support data's customers talk once to four times. What a memory saves shows when they have
talked for years.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from ..datasets import _read_bank
from ..stories import Phrases

if TYPE_CHECKING:
    from ..datasets import SupportDataset

__all__ = ["lengthen"]

_GROUPS = ("kb", "small")  # questions about the shop, and the weather


def lengthen(
    data: SupportDataset,
    sessions: int = 10,
    turns: int = 15,
    users: Sequence[str] | None = None,
    seed: int = 7,
) -> SupportDataset:
    """Give customers earlier conversations, so that their histories are longer.

    Parameters
    ----------
    data : SupportDataset
        Stays as it is; a copy is returned, whose checks ask the same.
    sessions : int
        Conversations added before each customer's first.
    turns : int
        Turns of each.
    users : sequence of str, optional
        Whose; default everyone's.
    seed : int
        Decides what is talked about.

    Examples
    --------
    >>> import ctxlab as cx
    >>> data = cx.load_support("en")
    >>> longer = lengthen(data, sessions=2, turns=5, users=["U001"])
    >>> len(longer.sessions) - len(data.sessions), len(longer.to_messages("U001-E2"))
    (2, 10)
    """
    import pandas as pd

    phrases = Phrases(_read_bank(data.lang), Random(seed))
    firsts = data.sessions.drop_duplicates("user_id").to_dict("records")
    rows = [
        _session(phrases, first, n, sessions, turns)
        for first in firsts
        if users is None or first["user_id"] in users
        for n in range(sessions)
    ]
    added = pd.DataFrame(rows, columns=data.sessions.columns, dtype=object)
    both = pd.concat([added, data.sessions], ignore_index=True)
    return replace(data, sessions=both.astype({"turns": int}))


def _session(
    phrases: Phrases, first: dict[Any, Any], n: int, sessions: int, turns: int
) -> dict[str, Any]:
    """Return conversation `n` of those before a customer's first."""
    start = datetime.fromisoformat(first["started"]) - timedelta(days=9 * (sessions - n))
    key = f"{first['user_id']}-E{n + 1}"
    pairs = [pair for group in _GROUPS for pair in phrases.bank.pairs[group]]
    messages: list[dict[str, Any]] = []
    for _ in range(turns):
        pair = phrases.draw(key, pairs)
        for role, wordings in zip(("user", "assistant"), pair, strict=True):
            when = start + timedelta(seconds=30 * len(messages))
            text = phrases.settle(phrases.rng.choice(wordings))
            mark = {"id": f"{key}-m{len(messages) + 1:03d}", "time": when.isoformat()}
            messages.append({**mark, "role": role, "content": text})
    times = {"started": messages[0]["time"], "ended": messages[-1]["time"]}
    more = {"session_id": key, "agent": "support", "state": [], "messages": messages}
    return {**first, **more, **times, "scenario": "product_enquiry", "turns": turns}

"""Does the newer of two contradictory facts outrank the older? (R94, R115).

LongMemEval's knowledge-update questions each come with a statement and a later one that changes
it. A search that knows only similarity ranks either first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import ManualClock
from ..config import Config
from ..errors import DataError
from ..language.text import sentences
from ..layers.keyword import Keywords
from ..layers.memory import Memory

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["UpdatePair", "load_updates", "rank_updates", "supersession"]

_SPREAD = 99  # hits looked at: both statements are to be ranked if both are live


@dataclass(frozen=True, slots=True)
class UpdatePair:
    """A question, what was said first, and what was said later."""

    question: str
    older: str
    newer: str
    older_time: datetime
    newer_time: datetime
    asked: datetime


def load_updates(path: str | Path) -> list[UpdatePair]:
    """Read the knowledge-update questions of a LongMemEval file.

    Parameters
    ----------
    path : str or Path
        ``longmemeval_oracle.json`` or a larger split; yours, ctxlab ships none.

    Returns
    -------
    list of UpdatePair
        Questions whose evidence is one user turn in each of two sessions of different dates.

    Raises
    ------
    DataError
        If it isn't such a file.
    """
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        kind = "question_type"
        return [pair for row in rows if row[kind] == "knowledge-update" for pair in _pair(row)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path}: not a LongMemEval file ({error!r:.200})") from error


def _pair(row: dict[str, Any]) -> Iterator[UpdatePair]:
    said = sorted(
        (parse_time(date), turn["content"])
        for date, session in zip(row["haystack_dates"], row["haystack_sessions"], strict=True)
        for turn in session
        if turn.get("has_answer") and turn["role"] == "user"
    )
    if len(said) == 2 and said[0][0] < said[1][0]:
        (first, older), (second, newer) = said
        asked = max(parse_time(row["question_date"]), second + timedelta(minutes=1))
        yield UpdatePair(row["question"], older, newer, first, second, asked)


def parse_time(text: str) -> datetime:
    """Parse ``2023/05/25 (Thu) 20:21``."""
    day, _, clock = text.split()
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def supersession(
    path: str | Path, config: Config | None = None, embedder: Any = "auto"
) -> pd.DataFrame:
    """Rank both statements of each pair: by BM25 alone, and in a memory with and without R94.

    Parameters
    ----------
    path : str or Path
        A LongMemEval file.
    config : Config, optional
        For the memories; the duplicates switch is set by the system, and privacy is off: these
        are public chats, and a refused sentence would count as lost.
    embedder : str, Embedder or None
        As for ``Memory``.

    Returns
    -------
    DataFrame
        ``system``, ``pair``, ``newer_first`` (best sentence of the newer turn before the best of
        the older, or alone), ``both_live`` (some sentence of the older is still found) and
        ``newer_found``, one row for each system and pair.
    """
    import pandas as pd

    base = config or Config()
    rows = []
    for n, pair in enumerate(load_updates(path)):
        rows.append({"system": "bm25", "pair": n, **_by_words(pair)})
        for name, on in (("memory, duplicates off", False), ("memory", True)):
            settings = base.with_({"mitigations.duplicates": on, "mitigations.privacy": False})
            rows.append({"system": name, "pair": n, **_by_memory(pair, settings, embedder)})
    return pd.DataFrame(rows)


rank_updates = supersession  # in ctxlab.evals the other name is this module's


def _by_words(pair: UpdatePair) -> dict[str, bool]:
    (old, new), _ = Keywords([pair.older, pair.newer])(pair.question)
    return {"newer_first": bool(new > old), "both_live": True, "newer_found": bool(new > 0)}


def _by_memory(pair: UpdatePair, config: Config, embedder: Any) -> dict[str, bool]:
    """Write both turns sentence by sentence, as memories are, and ask."""
    clock = ManualClock(pair.older_time)
    older, newer = sentences(pair.older), sentences(pair.newer)
    fixed = {"kind": "fact", "audience": "shared", "entity": "customer:one", "agent": "support"}
    with Memory("sqlite://", embedder, config, clock) as memory:
        for told, time in ((older, pair.older_time), (newer, pair.newer_time)):
            clock.set(time)
            memory.write_many([{"text": text, **fixed} for text in told])
        clock.set(pair.asked)
        who = {"entity": "customer:one", "agent": "support"}
        found = memory.search(pair.question, **who, k=_SPREAD, min_score=0.0)
    texts = [hit.record.text for hit in found]
    old, new = _place(texts, older), _place(texts, newer)
    newer_first = new is not None and (old is None or new < old)
    return {
        "newer_first": newer_first,
        "both_live": old is not None,
        "newer_found": new is not None,
    }


def _place(texts: list[str], said: list[str]) -> int | None:
    """Return the rank of the best sentence of a turn; it may stand in a longer, joined text."""
    return next((i for i, text in enumerate(texts) if any(part in text for part in said)), None)

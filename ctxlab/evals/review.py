"""The closed loop: what was stored goes to a reviewer, as a table to fill in (R116).

Each row is one thing that a model was or would be shown. `suggest` turns the verdicts into
proposed settings; nothing is ever changed by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..context.digest import Digest
from ..errors import DataError
from ..layers.memory import Memory
from ..storage import conversations as sql
from ..storage.overview import list_entities
from .labelled_pairs import read_table

if TYPE_CHECKING:
    import pandas as pd

    from ..engine import ContextEngine
    from ..types import Record

__all__ = ["COLUMNS", "VERDICTS", "read_verdicts", "sample_for_review"]

COLUMNS = (
    "id kind entity agent question text detail confidence score floor age_days sensitivity "
    "verdict note"
).split()
VERDICTS = {
    "ok": ("ok", "right", "relevant", "对", "正确", "相关"),
    "wrong": ("wrong", "错", "错误"),
    "irrelevant": ("irrelevant", "无关"),
    "stale": ("stale", "outdated", "过时"),
    "sensitive": ("sensitive", "敏感"),
    "duplicate": ("duplicate", "重复"),
}
"""What may stand in the column "verdict", in either language; blank: not reviewed."""

_BELOW = 0.5  # a reviewer also sees what scores half the minimum: it may be set too high
Row = dict[str, Any]


def sample_for_review(
    source: ContextEngine | Memory,
    n: int = 20,
    *,
    agent: str = "support",
    kinds: Sequence[str] = ("profile", "summary", "context"),
    seed: int = 0,
    path: str | Path | None = None,
) -> pd.DataFrame:
    """Draw stored profiles, summaries and contexts into a review table.

    Parameters
    ----------
    source : ContextEngine or Memory
        Whose database.
    n : int
        Rows of each kind at most.
    agent : str
        The role that reviews: it sees what that role may see (R92).
    kinds : sequence of str
        ``profile``: memories as a profile holds them; ``summary``: items of structured summaries;
        ``context``: memories found for what customers asked, also some that scored too low to
        come in (``score`` below ``floor``).
    seed : int
        Of the draw.
    path : str or Path, optional
        Write the table here as CSV, for a spreadsheet.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`; ``verdict`` and ``note`` are blank, to be filled in with one of `VERDICTS`.

    Raises
    ------
    DataError
        If a kind is unknown or `n` isn't 1 or more.

    Notes
    -----
    Every look at a memory is audited, as the reading role's.

    Examples
    --------
    >>> from ctxlab import Memory
    >>> with Memory("sqlite://", embedder=None) as memory:
    ...     outcome = memory.write("Prefers email", entity="customer:U1", agent="support")
    ...     sample_for_review(memory)[["kind", "text", "verdict"]].values.tolist()
    [['profile', 'Prefers email', '']]
    """
    import pandas as pd

    memory = source if isinstance(source, Memory) else source.memory
    unknown = [kind for kind in kinds if kind not in _SOURCES]
    if unknown or not isinstance(n, int) or n < 1:
        raise DataError(f"n={n!r}, kinds={list(kinds)!r}: 1 or more, of {', '.join(_SOURCES)}")
    with memory.store.read() as connection:
        entities = list_entities(connection)
    draw = random.Random(seed)
    rows: list[Row] = []
    for kind in kinds:
        found = [row for entity in entities for row in _SOURCES[kind](memory, entity, agent)]
        picked = sorted(draw.sample(range(len(found)), min(n, len(found))))
        rows += [{"kind": kind, **found[i]} for i in picked]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame = frame.assign(agent=agent, verdict="", note="")
    if path is not None:
        frame.to_csv(path, index=False)
    return frame


def _profiles(memory: Memory, entity: str, agent: str) -> Iterator[Row]:
    for record in memory.profile(entity=entity, agent=agent):
        yield {"id": f"profile:{record.id}", "entity": entity, **_record(memory, record)}


def _record(memory: Memory, record: Record, now: datetime | None = None) -> Row:
    age = (now or memory.clock.now()) - record.updated
    return {
        "text": record.text,
        "detail": record.kind,
        "confidence": record.confidence,
        "age_days": round(age.total_seconds() / 86_400, 2),
        "sensitivity": " ".join(record.sensitivity),
    }


def _summaries(memory: Memory, entity: str, agent: str) -> Iterator[Row]:
    with memory.store.read() as connection:
        digests = sql.digests_of(connection, entity, agent)
    for row in digests:
        age = (memory.clock.now() - row["time"]).total_seconds() / 86_400
        for place, item in enumerate(Digest.from_dict(row["body"]).items):
            yield {
                "id": f"summary:{row['session_id']}/{row['n']}/{place}",
                "entity": entity,
                "text": item.text,
                "detail": item.section,
                "confidence": item.confidence,
                "age_days": round(age, 2),
                "sensitivity": "",
            }


def _contexts(memory: Memory, entity: str, agent: str) -> Iterator[Row]:
    """Ask what the customer asked; only what was known by then, and not the message itself."""
    floor = _floor(memory)
    for row in _asked(memory, entity, agent):
        text = row["body"].get("content")
        if not isinstance(text, str) or not text.strip():
            continue
        hits = memory.search(text, entity=entity, agent=agent, min_score=_BELOW * floor)
        for hit in hits:
            record = hit.record
            if record.created < row["time"] and row["id"] not in record.source.message_ids:
                yield {
                    "id": f"context:{row['session_id']}/{row['seq']}/{record.id}",
                    "entity": entity,
                    "question": text,
                    **_record(memory, record, row["time"]),
                    "score": round(hit.score, 4),
                    "floor": floor,
                }


def _floor(memory: Memory) -> float:
    from ..layers.semantic import KEYWORD_MIN

    if memory.config.semantic.min_score is not None:
        return memory.config.semantic.min_score
    model = memory._space.embedder
    return KEYWORD_MIN if model is None else model.min_score


def _asked(memory: Memory, entity: str, agent: str) -> list[Any]:
    with memory.store.read() as connection:
        sessions = sql.sessions_of(connection, entity)
        said = [m for s in sessions for m in sql.messages_from(connection, entity, s["id"])]
    return [m for m in said if m["body"]["role"] == "user" and m["agent"] == agent]


_SOURCES: dict[str, Callable[[Memory, str, str], Iterator[Row]]] = {
    "profile": _profiles,
    "summary": _summaries,
    "context": _contexts,
}


def read_verdicts(data: Any) -> pd.DataFrame:
    """Return the reviewed rows of a review table, verdicts in their plain form.

    Parameters
    ----------
    data : pandas.DataFrame, str or pathlib.Path
        The table, or the CSV or JSONL file it was saved as.

    Raises
    ------
    DataError
        If a column is missing, an id occurs twice, or a verdict isn't one of `VERDICTS`.
    """
    frame = (read_table(data) if isinstance(data, str | Path) else data).copy()
    for name in COLUMNS:
        if name not in frame:
            raise DataError(f"review table: no column {name!r}; keep those of sample_for_review")
    said = frame["verdict"].fillna("").astype(str).str.strip().str.lower()
    plain = {word: verdict for verdict, words in VERDICTS.items() for word in words}
    for row, word in zip(frame["id"], said, strict=True):
        if word and word not in plain:
            raise DataError(f"review table: {row}: verdict {word!r} is none of {list(VERDICTS)}")
    frame = frame.assign(verdict=said.map(plain))[said != ""].reset_index(drop=True)
    if twice := frame.loc[frame["id"].duplicated(), "id"].tolist():
        raise DataError(f"review table: {twice[0]} occurs twice")
    return frame

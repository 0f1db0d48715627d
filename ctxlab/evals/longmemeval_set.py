"""LongMemEval: which of many sessions answers a question (R115).

Wu et al. 2024, "LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory" (MIT).
Which of two contradictory statements comes first is measured by `supersession` on the same file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..layers.passages import Passage
from .evidence import Haystack, Question, evidence_recall
from .supersession import parse_time

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["load_longmemeval", "longmemeval"]

Row = Mapping[str, Any]
_CHARS = 600  # of each message; what a session is about is said early, and reading costs time


def load_longmemeval(path: str | Path, pool: bool | None = None) -> list[Haystack]:
    """Read a LongMemEval file: passages are rounds of user and assistant, units are sessions.

    Parameters
    ----------
    path : str or Path
        ``longmemeval_oracle.json`` or a larger split; yours, ctxlab ships none.
    pool : bool, optional
        One haystack of all sessions for all questions, instead of each question's own. Default:
        pooled if no question has a session without evidence, as in the oracle split, where its
        own would hold nothing but what is to be found.

    Returns
    -------
    list of Haystack
        Questions whose right answer is to abstain (``_abs``) have no evidence and are left out.

    Raises
    ------
    DataError
        If it isn't such a file.
    """
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        asked = [row for row in rows if not row["question_id"].endswith("_abs")]
        bare = all(
            set(row["haystack_session_ids"]) <= set(row["answer_session_ids"]) for row in rows
        )
        if bare if pool is None else pool:
            return [_stack("pooled", rows, [_question(row) for row in asked])]
        return [_stack(row["question_id"], [row], [_question(row)]) for row in asked]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: not a LongMemEval file ({error!r:.200})") from error


def _question(row: Row) -> Question:
    evidence = frozenset(map(str, row["answer_session_ids"]))
    return Question(row["question"], row["question_type"], evidence)


def _stack(name: str, rows: Sequence[Row], questions: list[Question]) -> Haystack:
    sessions: dict[str, tuple[datetime, list[Row]]] = {}
    for row in rows:
        parts = (row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"])
        for key, date, turns in zip(*parts, strict=True):
            sessions.setdefault(str(key), (parse_time(date), turns))
    passages = []
    for key, (time, turns) in sessions.items():
        for first, last in _rounds(turns):
            text = "\n".join(turn["content"][:_CHARS] for turn in turns[first : last + 1])
            passages.append(Passage(key, first, last, text, time))
    held = [passage.session_id for passage in passages]
    known = [q for q in questions if q.evidence <= set(held)]
    return Haystack(name, passages, held, known)


def _rounds(turns: Sequence[Row]) -> list[tuple[int, int]]:
    """Return where each round begins and ends: a user's turn, and what follows up to the next."""
    starts = [n for n, turn in enumerate(turns) if n == 0 or turn["role"] == "user"]
    return [(a, b - 1) for a, b in zip(starts, [*starts[1:], len(turns)], strict=True)]


def longmemeval(
    path: str | Path, pool: bool | None = None, progress: bool = True, **settings: Any
) -> pd.DataFrame:
    """Measure session recall on LongMemEval, by question type.

    Parameters
    ----------
    path : str or Path
        Your copy; 940 sessions embed in a few minutes.
    pool : bool, optional
        As for ``load_longmemeval``.
    progress : bool
        Show a bar.
    **settings
        As for ``evidence_recall``: `ks`, `budgets`, `modes`, `rivals`, `embedder`, `weights`.

    Returns
    -------
    pandas.DataFrame
        ``system mode category k budget recall n``, recall of sessions; "overall" is every type.

    Raises
    ------
    DataError
        If the file isn't LongMemEval's.
    """
    stacks = load_longmemeval(path, pool)
    return evidence_recall(stacks, progress=progress, **settings)

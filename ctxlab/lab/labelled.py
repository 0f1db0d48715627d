"""Labelled searches: questions, memories, and which of them answer which (R41, R123)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..datasets import load_support
from ..errors import DataError
from ..evals.labelled_pairs import read_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["searches"]

_YES = {"1", "true", "yes", "y", "relevant", "是"}
_NO = {"0", "false", "no", "n", "irrelevant", "否"}
_LAYERS = ("profile", "semantic")  # checks that long-term memory has to answer


def searches(data: Any = None, lang: str = "en", memories: str | None = None) -> pd.DataFrame:
    """Return labelled searches, one row for each question and candidate memory.

    Parameters
    ----------
    data : pandas.DataFrame, str or pathlib.Path, optional
        Yours: a table, or a file that ends in ``.csv`` or ``.jsonl``, with ``query``, ``text`` and
        ``relevant`` (true or false); ``topic`` and ``asked`` (which rows are one search; default:
        equal queries) may be added. Pairs of notes, ``old``, ``new`` and ``relation``, will do
        too: all but ``distinct`` speak of one thing. None: the support data.
    lang : str
        Language of the built-in questions.
    memories : str, optional
        Language of the built-in memories; default `lang`.

    Returns
    -------
    pandas.DataFrame
        ``asked query text topic relevant``.

    Raises
    ------
    DataError
        If a column is missing, a label is neither true nor false, or there are no rows.

    Notes
    -----
    Built in is each question of the support data that long-term memory must answer, with all that
    was known of its customer by then; what answers is known by its literals. It's also asked of
    another customer, of whom nothing of the kind is known: the right answer is nothing.

    Examples
    --------
    >>> found = searches(lang="zh")
    >>> bool(found["relevant"].any()), found.groupby("asked")["relevant"].any().all()
    (True, np.False_)
    """
    if data is None:
        return _built_in(lang, memories or lang).copy()
    frame = read_table(data) if isinstance(data, str | Path) else data
    if not hasattr(frame, "columns"):
        raise DataError(f"labelled searches: expected a table, got {type(frame).__name__}")
    frame = frame.copy()
    if {"old", "new", "relation"} <= set(frame):
        same = frame["relation"] != "distinct"
        frame = frame.assign(query=frame["new"], text=frame["old"], relevant=same)
        frame = frame.rename(columns={"attribute": "topic"})
    missing = [name for name in ("query", "text", "relevant") if name not in frame]
    if missing or not len(frame):
        what = f"no column {missing[0]!r}" if missing else "no rows"
        raise DataError(f"labelled searches: {what}; expected query, text and relevant")
    frame["relevant"] = [_truth(value) for value in frame["relevant"]]
    for name in ("query", "text"):
        if not frame[name].map(lambda said: isinstance(said, str | int | float)).all():
            raise DataError(f"labelled searches: {name} must be text in every row")
        frame[name] = frame[name].astype(str)
    if "topic" not in frame:
        frame["topic"] = ""
    frame["topic"] = frame["topic"].fillna("").astype(str)
    if "asked" not in frame:
        frame["asked"] = frame["query"]
    frame["asked"] = frame["asked"].factorize()[0]
    return frame[["asked", "query", "text", "topic", "relevant"]].reset_index(drop=True)


def _truth(value: Any) -> bool:
    word = str(value).strip().lower()
    word = word.removesuffix(".0")  # a column of numbers with gaps is read as floats
    if word not in _YES | _NO:
        raise DataError(f"labelled searches: relevant is {value!r}, neither true nor false")
    return word in _YES


@cache
def _built_in(lang: str, memories: str) -> pd.DataFrame:
    import pandas as pd

    asks, known = load_support(lang).checks, load_support(memories)
    # The plots are the same in both languages, so the n-th check asks the same thing in each.
    checks = known.checks.assign(question=asks["question"])
    checks = checks[checks["layer"].isin(_LAYERS)]
    told: dict[str, list[dict[str, Any]]] = {}
    for row in known.memories.to_dict("records"):
        note = {str(name): value for name, value in row.items()}
        note["said"] = datetime.fromisoformat(note["valid_from"])
        told.setdefault(note["entity"].partition(":")[2], []).append(note)
    names = sorted(told)
    rows: list[tuple[int, str, str, str, bool]] = []
    asked = 0
    for check in checks.to_dict("records"):
        mine = _known_at(told[check["user_id"]], datetime.fromisoformat(check["time"]))
        answers = [any(word in note["text"] for word in check["must"]) for note in mine]
        if not any(answers):
            continue  # it takes two memories to answer, or another entity's
        topics = {note["attribute"] for note, yes in zip(mine, answers, strict=True) if yes}
        at = names.index(check["user_id"])
        others = (told[name] for name in names[at + 1 :] + names[:at])
        other = next(notes for notes in others if not topics & {n["attribute"] for n in notes})
        other = _known_at(other, datetime.max.replace(tzinfo=UTC))
        for notes, labels in ((mine, answers), (other, [False] * len(other))):
            for note, label in zip(notes, labels, strict=True):
                rows.append((asked, check["question"], note["text"], note["attribute"], label))
            asked += 1
    return pd.DataFrame(rows, columns=["asked", "query", "text", "topic", "relevant"])


def _known_at(notes: list[dict[str, Any]], when: datetime) -> list[dict[str, Any]]:
    before = [note for note in notes if note["said"] <= when]
    ids = {note["memory_id"] for note in before}
    return [note for note in before if note["superseded_by"] not in ids]

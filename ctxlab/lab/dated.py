"""Memories with the day they were said: a built-in story, or the user's own (R123)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..evals.labelled_pairs import read_table
from ..types import KINDS, Record

__all__ = ["Remembered", "remembered"]


@dataclass(frozen=True)
class Remembered:
    """One memory of a story.

    Attributes
    ----------
    text, kind : str
        What it says, and R31's kind.
    day : float
        When it was said, in days since the story began.
    attribute : str
        Its topic, if it has one.
    relevance : float, optional
        To the question, 0 to 1; None: to be worked out from the words.
    """

    text: str
    kind: str
    day: float = 0.0
    attribute: str = ""
    relevance: float | None = None

    @property
    def topic_text(self) -> str:
        """What is embedded, as for a record."""
        return f"{self.attribute}: {self.text}" if self.attribute else self.text


# One repair case, told by hand in each language; two feelings, one of them about the product.
_STORY = (
    ("emotion", "mood", 0, "The customer was furious about the heater and called it the worst "
     "thing they ever bought.", "客户为取暖器大发雷霆，说这是买过最烂的东西。"),
    ("fact", "product", 0, "The customer's heater is a Glow N5.", "客户的取暖器型号是N5。"),
    ("event", "fault", 0, "The heater flashed red at startup and was sent in for repair.",
     "取暖器一开机就闪红灯，已寄回维修。"),
    ("commitment", "callback", 0, "Support promised to call back about the heater by Friday.",
     "客服答应周五前就取暖器的事回电。"),
    ("request", "accessory", 1, "The customer asked for a longer cable for the heater.",
     "客户想给取暖器配一根更长的电源线。"),
    ("preference", "channel", 1, "The customer prefers e-mail to phone calls.",
     "客户更愿意用邮件联系，不接电话。"),
    ("emotion", "mood", 4, "The customer was annoyed at waiting twenty minutes on the phone.",
     "客户抱怨电话等了二十分钟，很不耐烦。"),
    ("event", "delivery", 9, "A repaired heater was delivered to the customer.",
     "修好的取暖器已送到客户家。"),
)  # fmt: skip


def remembered(data: Any = None, lang: str = "en") -> tuple[Remembered, ...]:
    """Return memories with the day each was said.

    Parameters
    ----------
    data : list of Record or dict, pandas.DataFrame, str or pathlib.Path, optional
        Records as `memory.profile` returns them, told by when they were last said; or rows with
        ``text``, ``kind`` and ``day`` (``attribute`` and ``relevance`` may be added), as dicts, a
        table or a ``.csv`` or ``.jsonl`` file. None: the built-in story.
    lang : str
        Language of the built-in story.

    Raises
    ------
    DataError
        If a field is missing, of the wrong kind or out of range, or nothing is given.

    Examples
    --------
    >>> [memory.kind for memory in remembered(lang="zh")][:2]
    ['emotion', 'fact']
    """
    if data is None:
        zh = lang == "zh"
        return tuple(
            Remembered(chinese if zh else english, kind, float(day), topic)
            for kind, topic, day, english, chinese in _STORY
        )
    if isinstance(data, str | Path):
        data = read_table(data)
    rows: Iterable[Any] = data.to_dict("records") if hasattr(data, "to_dict") else list(data)
    rows = list(rows)
    if not rows:
        raise DataError("memories: none given; expected text, kind and day of each")
    times = [row.updated for row in rows if isinstance(row, Record)]
    start = min(times) if times else None
    return tuple(_of(row, i, start) for i, row in enumerate(rows, 1))


def _of(row: Any, place: int, start: datetime | None) -> Remembered:
    if isinstance(row, Record):
        assert start is not None
        days = (row.updated - start).total_seconds() / 86_400
        return Remembered(row.text, row.kind, days, row.attribute or "")
    where = f"memory {place}"
    if not isinstance(row, Mapping) or "text" not in row or "kind" not in row:
        raise DataError(f"{where}: {row!r:.80} has no text and kind")
    if row["kind"] not in KINDS:
        raise DataError(f"{where}: kind {row['kind']!r} is not one of {', '.join(KINDS)}")
    attribute, closeness = row.get("attribute"), row.get("relevance", "")
    try:
        day = float(row.get("day", 0))
        relevance = None if _blank(closeness) else float(closeness)
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: day and relevance are numbers ({error})") from error
    if not day >= 0 or (relevance is not None and not 0 <= relevance <= 1):
        raise DataError(f"{where}: day {day:g} is below 0, or relevance {relevance} not in 0 to 1")
    topic = "" if _blank(attribute) else str(attribute)
    return Remembered(str(row["text"]), str(row["kind"]), day, topic, relevance)


def _blank(value: Any) -> bool:
    """Whether a field was left empty; a table fills such with NaN, which isn't equal to itself."""
    return value is None or value != value or value == ""

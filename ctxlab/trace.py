"""The glass box: every decision is one event with its rule, outcome and reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Trace", "TraceEvent"]


class TraceEvent(NamedTuple):
    """One decision.

    Attributes
    ----------
    step : str
        Step of the loop or of the write pipeline: ``load``, ``route``, ``window``, …
    rule : str
        Rule that decided, with its R number where it has one.
    subject : str
        What it was about: message ids or ranges (``"m3-m17"``), a record id, a section.
    outcome : str
        ``kept``, ``dropped``, ``marked``, ``merged``, …
    reason : str
        Why, in words, with the numbers that mattered.
    """

    step: str
    rule: str
    subject: str
    outcome: str
    reason: str


_FIELDS = len(TraceEvent._fields)


@dataclass(slots=True)
class Trace:
    """Events of one request or write, in order, and the milliseconds of each step.

    Examples
    --------
    >>> trace = Trace()
    >>> trace.add("window", "R11", "m1-m4", "dropped", "older than the first that doesn't fit")
    >>> [event.outcome for event in trace]
    ['dropped']
    """

    ms: dict[str, float] = field(default_factory=dict)
    # The fields of all events in a row, made events when they are looked at: most are never, and
    # so many small objects keep the garbage collector busy.
    _noted: list[str] = field(default_factory=list)
    _lap: float = field(default_factory=perf_counter, repr=False)

    @property
    def events(self) -> list[TraceEvent]:
        """All events, in order."""
        fields = iter(self._noted)
        return list(map(TraceEvent, *[fields] * _FIELDS))

    def add(self, step: str, rule: str, subject: str, outcome: str, reason: str) -> None:
        """Append one event."""
        self._noted += (step, rule, subject, outcome, reason)

    def lap(self, step: str) -> None:
        """Book the time since the last lap on `step` (milliseconds)."""
        now = perf_counter()
        self.ms[step] = self.ms.get(step, 0.0) + (now - self._lap) * 1000
        self._lap = now

    def where(self, **want: str) -> list[TraceEvent]:
        """Return the events whose fields equal `want`, e.g. ``where(outcome="dropped")``."""
        return [e for e in self.events if all(getattr(e, k) == v for k, v in want.items())]

    def __iter__(self) -> Iterator[TraceEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self._noted) // _FIELDS

    def to_frame(self) -> pd.DataFrame:
        """Return one row per event."""
        import pandas as pd

        return pd.DataFrame(self.events, columns=TraceEvent._fields)

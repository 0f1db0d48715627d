"""Clocks: all time in ctxlab is aware UTC and comes from one of these."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

from .errors import CtxlabError

__all__ = ["Clock", "ManualClock", "NaiveDatetime", "SystemClock", "as_utc"]


class NaiveDatetime(CtxlabError, ValueError):
    """A datetime without a zone was given where an instant is needed."""


class Clock(Protocol):
    """Anything with ``now()`` that returns an aware UTC datetime."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


def as_utc(when: datetime | str, field: str = "time") -> datetime:
    """Turn an aware datetime or an ISO 8601 string with an offset into UTC.

    Parameters
    ----------
    when : datetime or str
        The instant.
    field : str
        Name used in the error.

    Raises
    ------
    NaiveDatetime
        If there is no zone: guessing one moves an instant by up to a day. And if it's no instant.

    Examples
    --------
    >>> as_utc("2026-03-01T08:00:00+08:00").isoformat()
    '2026-03-01T00:00:00+00:00'
    """
    if isinstance(when, str):
        try:
            when = datetime.fromisoformat(when)
        except ValueError as error:
            raise NaiveDatetime(f"{field}: {when!r} is not an ISO 8601 instant") from error
    if not isinstance(when, datetime):
        raise NaiveDatetime(
            f"{field}: expected a datetime with its zone, or ISO 8601 text, got {when!r:.80}"
        )
    if when.tzinfo is None or when.utcoffset() is None:
        raise NaiveDatetime(
            f"{field}: {when.isoformat()} has no time zone; "
            "add one, for example .replace(tzinfo=ZoneInfo('Asia/Shanghai'))"
        )
    try:
        return when.astimezone(UTC)
    except OverflowError as error:
        raise NaiveDatetime(f"{field}: {when.isoformat()} is no instant in UTC") from error


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the present instant in UTC."""
        return datetime.now(UTC)


class ManualClock:
    """A clock that moves only when told to, for lessons and tests.

    Parameters
    ----------
    start : datetime or str
        First instant, aware.

    Examples
    --------
    >>> clock = ManualClock("2026-01-31T09:00:00+00:00")
    >>> clock.advance(timedelta(days=1))
    >>> clock.now().isoformat()
    '2026-02-01T09:00:00+00:00'
    """

    def __init__(self, start: datetime | str) -> None:
        self._now = as_utc(start, "start")

    def now(self) -> datetime:
        """Return the instant the clock was last set to."""
        return self._now

    def set(self, when: datetime | str) -> None:
        """Move to `when`, forwards or backwards."""
        self._now = as_utc(when, "when")

    def advance(self, by: timedelta) -> None:
        """Move forwards by `by`."""
        self._now += by

"""Defects of time: expired yet read, the wrong midnight, and last week counted from today."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from ...clock import ManualClock
from ...language.dates import resolve_dates
from ...language.extraction import extract
from ...layers.memory import Memory
from ...messages import Message
from .base import NOON, WHO, Both, Exhibit

__all__ = ["EXHIBITS"]


class ExpiredUntilSwept(Exhibit):
    """A record past its time is served until something removes it."""

    id = "expired-until-swept"
    link = "https://github.com/langchain-ai/langgraph/issues/8902"
    rule = "R33"
    title = Both("Expired, and still read", "过期了还能读到")
    wrong = Both(
        "only the sweep looks at the expiry; between two sweeps expired records are returned",
        "只有清扫会看过期时间；两次清扫之间，过期记录照样返回",
    )
    cure = Both(
        "every read compares the expiry with now; the sweep only frees space",
        "每次读取都拿过期时间和现在比；清扫只是腾空间",
    )
    given = Both(
        {"note": "We call you back within a day.", "lives_days": 1, "asked_after_days": 2},
        {"note": "我们一天之内给您回电", "lives_days": 1, "asked_after_days": 2},
    )

    def broken(self, given: Any) -> Any:
        rows = [(given["note"], given["lives_days"])]
        return [note for note, _ in rows]  # no sweep has run

    def ctxlab(self, given: Any) -> Any:
        clock = ManualClock(NOON)
        with Memory("sqlite://", clock=clock) as held:
            held.write(given["note"], **WHO, kind="commitment", ttl=given["lives_days"])
            clock.advance(timedelta(days=given["asked_after_days"]))
            hits = held.search(given["note"], **WHO, min_score=0.0)
            return [hit.record.text for hit in hits] + [r.text for r in held.profile(**WHO)]

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == [])


class WrongMidnight(Exhibit):
    """A local day is compared with a day in another zone."""

    id = "wrong-midnight"
    link = "https://github.com/mem0ai/mem0/issues/6931"
    rule = "R33"
    title = Both("A day that ends at eight in the morning", "早上八点才结束的一天")
    wrong = Both(
        "the last day is stored as a calendar day of the customer's zone and compared with today "
        "in UTC, so in Shanghai it lasts until 8:00 of the next",
        "到期日按客户所在时区存成日历日，却和 UTC 的今天比，在上海要到次日八点才过期",
    )
    cure = Both(
        "expiry is an instant; what has no zone is refused",
        "到期是一个时刻；没有时区的时间一律拒收",
    )
    given = Both(
        {"note": "Your pick-up code is at desk 3 today.", "said": "2026-08-13T09:00:00+08:00",
         "until": "2026-08-14T00:00:00+08:00", "asked": "2026-08-14T01:00:00+08:00"},
        {"note": "今天的取件柜台是 3 号", "said": "2026-08-13T09:00:00+08:00",
         "until": "2026-08-14T00:00:00+08:00", "asked": "2026-08-14T01:00:00+08:00"},
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        last_day = date.fromisoformat(given["said"][:10])
        today = datetime.fromisoformat(given["asked"]).astimezone(UTC).date()
        return [given["note"]] if not last_day < today else []

    def ctxlab(self, given: Any) -> Any:
        said, until, asked = (datetime.fromisoformat(given[x]) for x in ("said", "until", "asked"))
        clock = ManualClock(said)
        with Memory("sqlite://", clock=clock) as held:
            held.write(given["note"], **WHO, kind="fact", ttl=until - said)
            clock.set(asked)
            return [record.text for record in held.profile(**WHO)]

    def holds(self, given: Any, outcome: Any) -> bool:
        return bool(outcome == [])


class LastWeekIsToday(Exhibit):
    """Relative days are counted from the day of the import."""

    id = "last-week-is-today"
    link = "https://github.com/mem0ai/mem0/issues/4963"
    rule = "R30"
    title = Both("Yesterday, counted from today", "“昨天”从今天算起")
    wrong = Both(
        "the time of the message isn't handed on, so an imported talk of 2023 happened this week",
        "消息的时间没有传下去，导入的 2023 年对话就成了这星期的事",
    )
    cure = Both(
        "a relative date is resolved against its own message's time, in the customer's zone",
        "相对日期按所在消息的时间、客户的时区换算",
    )
    given = Both(
        {"said": "The parcel came yesterday and the box was open.",
         "on": "2023-05-10T10:00:00+00:00", "day": "2023-05-09"},
        {"said": "包裹昨天到的，箱子是开着的",
         "on": "2023-05-10T10:00:00+08:00", "day": "2023-05-09"},
    )  # fmt: skip

    def broken(self, given: Any) -> Any:
        return [resolve_dates(given["said"], NOON)]  # "now", for a message of years ago

    def ctxlab(self, given: Any) -> Any:
        when = datetime.fromisoformat(given["on"])
        zone = "Asia/Shanghai" if when.tzinfo == timezone(timedelta(hours=8)) else "UTC"
        message = Message.of({"role": "user", "content": given["said"], "id": "m1", "time": when})
        return [draft.text for draft in extract([message], tz=zone)]

    def holds(self, given: Any, outcome: Any) -> bool:
        return given["day"] in " ".join(outcome)


EXHIBITS = (ExpiredUntilSwept, WrongMidnight, LastWeekIsToday)

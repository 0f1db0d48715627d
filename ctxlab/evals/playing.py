"""Playing conversations into a memory system, and asking it in between (R95, R110).

A script is a list of events in the order of their times: something is heard, a conversation ends, a
question is asked. The same script is played to every system, whatever it makes of it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .systems.protocol import MemorySystem, Place, Seen

if TYPE_CHECKING:
    from ..datasets import SupportDataset

__all__ = [
    "Asked",
    "Ended",
    "Event",
    "Heard",
    "check_rows",
    "endurance_rows",
    "play",
    "script_of",
    "worlds",
]

_WORLD = 10  # customers that share one system; it doesn't depend on how many processes there are


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, where it was said, and what the program wrote to the task's state after it."""

    message: Mapping[str, Any]
    place: Place
    state: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation is over."""

    place: Place


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a check: a mapping with ``question``, ``must``, ``must_not`` and more."""

    check: Mapping[str, Any]
    place: Place


Event = Heard | Ended | Asked


def play(
    system: MemorySystem, script: Iterable[Event], budget: int
) -> Iterator[tuple[Mapping[str, Any], Seen, float]]:
    """Play a script; yield each check with what would have been seen, and the milliseconds it took.

    Parameters
    ----------
    system : MemorySystem
        Open, and knowing nothing yet.
    script : iterable of Heard, Ended or Asked
        In the order of their times.
    budget : int
        Tokens that input may use.
    """
    for event in script:
        if isinstance(event, Heard):
            system.observe(event.message, event.place, event.state)
        elif isinstance(event, Ended):
            system.end(event.place)
        else:
            begin = time.perf_counter()
            seen = system.context(event.check["question"], event.place, budget)
            yield event.check, seen, (time.perf_counter() - begin) * 1000


# ---------------------------------------------------------------------- scripts of the support data


def worlds(data: SupportDataset, users: Iterable[str]) -> list[list[str]]:
    """Group users into worlds that are played to one system each, namesakes always together."""
    names = dict(zip(data.customers["user_id"], data.customers["name"], strict=True))
    alike: dict[str, list[str]] = {}
    for user, name in names.items():
        alike.setdefault(name, []).append(user)
    wanted = {name for name in map(names.get, users) if name is not None}
    groups: list[list[str]] = [[]]
    for name, group in alike.items():
        if name not in wanted:
            continue
        if len(groups[-1]) >= _WORLD:
            groups.append([])
        groups[-1] += group
    return [group for group in groups if group]


def script_of(
    data: SupportDataset, users: Sequence[str], checks: Sequence[Mapping[str, Any]] = ()
) -> list[Event]:
    """Write the script of some users' lives, with checks asked where they belong.

    Parameters
    ----------
    data : SupportDataset
        Conversations.
    users : sequence of str
        Whose; their lives overlap in time, as they do for a real system.
    checks : sequence of mapping
        Rows of ``data.checks``, or rows like them.

    Returns
    -------
    list of Heard, Ended or Asked
    """
    rows = data.sessions[data.sessions["user_id"].isin(list(users))].to_dict("records")
    timed: list[tuple[datetime, int, Event]] = []
    said: dict[str, datetime] = {}
    homes: dict[str, Place] = {}
    for row in rows:
        home = Place(
            row["user_id"],
            row["session_id"],
            row["agent"],
            datetime.fromisoformat(row["started"]),
            row["account_id"],
        )
        homes[row["session_id"]] = home
        for message in row["messages"]:
            when = datetime.fromisoformat(message["time"])
            said[message["id"]] = when
            written = {
                w["key"]: w["value"] for w in row["state"] if w["message_id"] == message["id"]
            }
            timed.append((when, 0, Heard(message, replace(home, time=when), written or None)))
        timed.append((when, 2, Ended(replace(home, time=when))))
    for check in checks:
        if check["user_id"] not in users:
            continue
        when, home = datetime.fromisoformat(check["time"]), homes[check["session_id"]]
        if check["new_session"]:
            fresh = f"{check['check_id']}-{check['user_id']}"
            place = Place(check["user_id"], fresh, check["agent"], when, home.account)
            timed.append((when, 3, Asked(check, place)))
        else:  # between the message it follows and the next one, which may come sooner
            place = replace(home, time=when, agent=check["agent"])
            timed.append((said[check["after_message"]], 1, Asked(check, place)))
    timed.sort(key=lambda item: item[:2])
    return [event for *_, event in timed]


def check_rows(data: SupportDataset, suite: str) -> list[dict[str, Any]]:
    """Return the checks of one difficulty, or of ``"all"``, as plain rows."""
    checks = data.checks if suite == "all" else data.checks[data.checks["difficulty"] == suite]
    rows: list[dict[str, Any]] = json.loads(checks.to_json(orient="records"))
    return rows


def endurance_rows(data: SupportDataset, every: int = 5, least: int = 20) -> list[dict[str, Any]]:
    """Make checks along long sessions: is the task at hand still in sight every few turns.

    Parameters
    ----------
    data : SupportDataset
        Sessions carry what their task's state became, and when.
    every : int
        Turns between two questions.
    least : int
        Turns a session must have.
    """
    asks = {name: _question(data, name) for name in ("order_now", "step_now")}
    rows: list[dict[str, Any]] = []
    for session in data.sessions[data.sessions["turns"] >= least].to_dict("records"):
        wanted: dict[str, str] = {}
        turn = 0
        messages = session["messages"]
        for message, following in zip(messages, [*messages[1:], None], strict=True):
            turn += message["role"] == "user"
            for write in session["state"]:
                if write["message_id"] == message["id"]:
                    wanted |= _literal(write["key"], write["value"])
            ends = following is None or following["role"] == "user"
            if ends and turn and turn % every == 0:
                for name, literal in wanted.items():
                    rows.append(_row(session, message, turn, name, literal, asks[name]))
    return rows


def _question(data: SupportDataset, name: str) -> str:
    return str(data.checks.loc[data.checks["name"] == name, "question"].iloc[0])


def _literal(key: str, value: str) -> dict[str, str]:
    if key == "order_id":
        return {"order_now": value}
    # A step names the case it is about behind a colon, once there is one.
    return {"step_now": value.partition(":")[2]} if key == "step" and ":" in value else {}


def _row(
    session: Mapping[Any, Any],
    message: Mapping[str, Any],
    turn: int,
    name: str,
    literal: str,
    question: str,
) -> dict[str, Any]:
    return {
        "check_id": f"{message['id']}-{name}",
        "name": name,
        "sign": "",
        "difficulty": "endurance",
        "scenario": session["scenario"],
        "user_id": session["user_id"],
        "session_id": session["session_id"],
        "after_message": message["id"],
        "new_session": False,
        "agent": session["agent"],
        "time": message["time"],
        "question": question,
        "must": [literal],
        "must_not": [],
        "expected_route": None,
        "layer": "state",
        "why": f"after {turn} turns the task at hand is still in sight",
    }

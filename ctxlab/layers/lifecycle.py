"""A record's life after it was written: history, as-of reads, reverts, undo (R34, R35)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..language.attributes import key_literals
from ..storage.encoding import encode
from ..storage.records import Rows, read_body, to_record
from ..storage.schema import from_micros
from ..types import Record, RecordError, Version
from .change import Change

__all__ = ["as_of", "find_version", "history", "restore", "says", "undo", "values_of"]

_DIGITS, _LONG = 3, 8  # a shorter number, in a shorter text, stands for many things
Row = Mapping[str, Any]
Embed = Callable[[str], Any]


def history(row: Row, earlier: Iterable[Row], others: Mapping[str, Row]) -> list[Version]:
    """Return a record's versions, oldest first.

    Parameters
    ----------
    row : mapping
        The newest version.
    earlier : iterable of mapping
        The ones before.
    others : mapping
        Rows that were merged into it, by id, for their wording.
    """
    found = []
    for step in sorted([*earlier, row], key=lambda r: r["version"]):
        record, change = to_record(step), _body(step)["change"]
        other = others.get(change.get("other", ""))
        merged = change["action"] == "merged" and record.status == "live"
        wording = change.get("said") or (to_record(other).text if merged and other else record.text)
        found.append(
            Version(
                record.version,
                change["action"],
                record,
                change["by"],
                change["reason"],
                from_micros(step["changed"]),
                wording,
            )
        )
    return found


def as_of(rows: Iterable[Row], earlier: Iterable[Row], when: int) -> list[Row]:
    """Return the rows that were live at an instant, each as it was then."""
    steps: dict[str, Row] = {}
    for row in sorted([*earlier, *rows], key=lambda r: r["version"]):
        if row["changed"] <= when:
            steps[row["id"]] = row  # the last one begun by then
    return [row for row in steps.values() if row["status"] == "live"]


def values_of(text: str, value: Any) -> list[str]:
    """Return what a record's words and value name that is wrong once it is superseded.

    Examples
    --------
    >>> values_of("The customer's address is 12 Elm Street.", "12 Elm Street")
    ['12 Elm Street']
    """
    found = []
    for literal in dict.fromkeys((str(value or ""), *key_literals(text))):
        digits = sum(map(str.isdigit, literal))
        if digits >= _DIGITS or (digits and len(literal) >= _LONG):
            found.append(literal)
    return found


def says(rows: Rows, places: Iterable[int], literal: str) -> bool:
    """Whether one of some rows holds a literal, in its text or as its value."""
    written = encode(literal)[1:-1]
    for i in places:
        body = rows.value(i, "body")
        # Most bodies needn't be parsed to see that they don't hold it.
        if isinstance(body, str) and written not in body and "\\u" not in body:
            continue
        read = read_body(body)
        if literal in read["text"] or literal in str(read.get("value") or ""):
            return True
    return False


def restore(change: Change, row: Row, to: Row, said: Row, embed: Embed) -> Record:
    """Make an earlier version the newest one again; never leaves it beside what replaced it.

    Bringing a record back ends the live one that stands in its place. A wording that was merged
    comes back as a record of its own.
    """
    now, target = to_record(row), to_record(to)
    back = target.with_(
        updated=max(now.updated, target.updated),
        access_count=now.access_count,
        last_access=now.last_access,
    )
    if back.status == "merged":
        back = back.with_(status="live", successor=None, valid_to=None)
    if back.status == "live" and now.status != "live":
        rivals = [_standing(change, now) if now.status == "superseded" else None]
        rivals += [_row(change, record_id) for record_id in back.supersedes]
        for rival in {r["id"]: r for r in rivals if r and r["status"] == "live"}.values():
            ended = to_record(rival).with_(
                status="superseded", successor=now.id, valid_to=change.now
            )
            change.alter(rival, ended, {**said, "action": "superseded", "other": now.id})
            change.log(said["by"], "superseded", [ended.id, now.id], "R35 revert")
    return change.alter(row, back, said, _vector(now, back, embed))


def _vector(now: Record, back: Record, embed: Embed) -> Any:
    """Embed the text of an earlier version, unless it is the text that has a vector already."""
    return None if back.topic_text == now.topic_text else embed(back.topic_text)


def _row(change: Change, record_id: str) -> Row | None:
    try:
        return change.row(record_id)
    except IndexError:  # forgotten since
        return None


def _standing(change: Change, record: Record) -> Row | None:
    """Follow successors to the live record at their end, if there is one."""
    seen = {record.id}
    while record.successor is not None and record.successor not in seen:
        seen.add(record.successor)
        row = _row(change, record.successor)
        if row is None or row["status"] == "live":
            return row
        record = to_record(row)
    return None


def undo(
    change: Change, rows: list[Row], earlier: list[Row], session_id: str, said: Row, embed: Embed
) -> list[str]:
    """Take back what one session wrote to one entity; returns the ids of what changed.

    A record goes back to its last version that another session made, and is retracted if there is
    none. One that another session has changed since stays: others build on it.
    """
    touched = []
    for row in rows:
        if row["session_id"] != session_id:
            continue
        before = [v for v in earlier if v["id"] == row["id"] and v["session_id"] != session_id]
        record = to_record(row)
        touched.append(record.id)
        if not before:
            change.alter(row, record.with_(status="retracted", valid_to=change.now), said)
            continue
        heir = _standing(change, record) if record.status == "superseded" else None
        if heir is not None and heir["session_id"] != session_id:
            # What this session put in its place has itself been replaced by another session.
            change.alter(row, record.with_(successor=heir["id"]), said)
            continue
        back = to_record(max(before, key=lambda v: v["version"]))
        change.alter(row, back, said, _vector(record, back, embed))
    return touched


def find_version(row: Row, earlier: Iterable[Row], version: int) -> Row:
    """Return one version of a record.

    Raises
    ------
    RecordError
        If it has no such version.
    """
    for step in [*earlier, row]:
        if step["version"] == version:
            return step
    raise RecordError(f"{row['id']} has versions 1 to {row['version']}, not {version!r}", "version")


def _body(row: Row) -> Mapping[str, Any]:
    body: Any = row["body"]
    read: Mapping[str, Any] = json.loads(body) if isinstance(body, str) else body
    return read

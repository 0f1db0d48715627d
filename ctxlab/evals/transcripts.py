"""Logs of real conversations, read and checked: OpenAI-style JSON, tau-bench, CrossWOZ (R113).

A fault is a `DataError` that names the file, the line and what to do. Everything behind this
module may then trust what it gets.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ..clock import NaiveDatetime, as_utc
from ..errors import DataError, MessageError
from ..messages import Message
from ..turns import follow

__all__ = ["FORMATS", "Conversation", "as_conversations", "read_conversations"]

FORMATS = ("auto", "openai", "tau", "crosswoz")
PACE = timedelta(minutes=1)  # between messages of a log that has no times
START = datetime(2026, 1, 5, 9, tzinfo=UTC)

_ID_KEYS = ("session_id", "conversation_id", "id")
_TIME_KEYS = ("time", "timestamp", "created_at")


@dataclass(frozen=True)
class Conversation:
    """One conversation of a log, validated: every message has a time, every result its call.

    Attributes
    ----------
    id : str
        Its id in the log, or its number from 1.
    messages : list of Message
        In order, with aware UTC times.
    tools : list of dict, optional
        Tool definitions, where the log has them.
    user_id, agent : str, optional
        Whose it was, where the log says so: two conversations of one user then know each other.
    """

    id: str
    messages: list[Message]
    tools: list[dict[str, Any]] | None = None
    user_id: str | None = None
    agent: str | None = None


@dataclass
class _Raw:
    """A conversation as found: message dicts, each with its place in the file."""

    id: str
    said: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    about: Mapping[str, Any] = field(default_factory=dict)


def read_conversations(path: str | Path, format: str = "auto") -> list[Conversation]:
    """Read a log file.

    Parameters
    ----------
    path : str or pathlib.Path
        JSON lines with a message or a conversation a line, or a JSON document with either; a zip
        archive with one such file in it. Lines of messages that carry a ``session_id`` (or
        ``conversation_id``) are sorted into conversations by it.
    format : str
        ``"openai"``, ``"tau"`` (tau-bench's displayed transcripts), ``"crosswoz"``, or ``"auto"``:
        each record is taken for what it looks like.

    Raises
    ------
    DataError
        Naming file, line and remedy: the file is missing, isn't text or JSON, holds no
        conversation, or a message is malformed or out of order.
    """
    if format not in FORMATS:
        raise DataError(f"format {format!r} is unknown; there are {', '.join(FORMATS)}")
    name = str(path)
    records = _records(_text(Path(path)), name)
    return _all_checked(_conversations(records, format), name)


def as_conversations(given: Any, format: str = "auto") -> list[Conversation]:
    """Accept a path, a list of messages, a conversation, or a list of conversations."""
    if isinstance(given, str | Path):
        return read_conversations(given, format)
    if isinstance(given, Conversation):
        return [given]
    if not isinstance(given, Sequence):
        raise DataError(f"expected a path or messages, got {type(given).__name__}")
    ready = [item for item in given if isinstance(item, Conversation)]
    if given and len(ready) == len(given):
        return ready
    items = [
        {**m.as_dict(), "id": m.id, "time": m.time} if isinstance(m, Message) else m for m in given
    ]
    return _all_checked(_conversations([("the list", items)], format), "the list")


# ---------------------------------------------------------------------- file to records


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}; name a readable file") from error
    if zipfile.is_zipfile(io.BytesIO(data)):
        data = _unzip(data, path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}, line {line}: not UTF-8 text (byte {data[error.start]:#04x}); "
            "export the log as JSON lines in UTF-8"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{path}, line {line}: binary data; export the log as JSON lines in UTF-8")
    if not text.strip():
        raise DataError(f"{path}: the file is empty; expected JSON lines, one message a line")
    return text


def _unzip(data: bytes, path: Path) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [n for n in archive.namelist() if n.lower().endswith((".json", ".jsonl"))]
            if len(names) != 1:
                raise DataError(f"{path}: {len(names)} JSON files in the archive; unpack one of it")
            return archive.read(names[0])
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise DataError(f"{path}: the archive can't be read ({error}); unpack it first") from error


def _records(text: str, name: str) -> list[tuple[str, Any]]:
    """Return (place, value) of each line; of the whole file if it is one JSON document."""
    lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        _parse(lines[0][1])
    except ValueError as first:
        # The first line isn't JSON by itself: a pretty-printed document, or a broken line.
        try:
            return [(name, _parse(text))]
        except ValueError as whole:
            alone = len(lines) == 1 or lines[0][1].strip() in ("[", "{")
            raise _broken(name, whole if alone else first, lines[0][0], alone) from whole
    out = []
    for i, line in lines:
        try:
            out.append((f"{name}, line {i}" if len(lines) > 1 else name, _parse(line)))
        except ValueError as error:
            raise _broken(name, error, i) from error
    return out


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _broken(name: str, error: ValueError, line: int, whole: bool = False) -> DataError:
    what, column = str(error), 0
    if isinstance(error, json.JSONDecodeError):
        what, column = error.msg, error.colno
        line = error.lineno if whole else line
    at = f"line {line}" + (f", column {column}" if column else "")
    return DataError(f"{name}, {at}: not JSON ({what}); mend the line or take it out")


# ---------------------------------------------------------------------- records to conversations


def _conversations(records: Iterable[tuple[str, Any]], format: str) -> list[_Raw]:
    found: list[_Raw] = []
    loose: dict[str, _Raw] = {}  # conversations whose messages stand one a line
    for place, value in records:
        if isinstance(value, Mapping) and "role" in value:
            key = _id(value, _ID_KEYS[:2]) or ""
            if key not in loose:
                loose[key] = _Raw(key, about=value)
                found.append(loose[key])
            loose[key].said.append((place, value))
        else:
            found += _record(place, value, format)
    return found


def _record(place: str, value: Any, format: str) -> list[_Raw]:
    """Turn one record into the conversations it holds."""
    if isinstance(value, list):
        places = [(f"{place}, item {i}", item) for i, item in enumerate(value, 1)]
        return _conversations(places, format)
    if isinstance(value, Mapping):
        if isinstance(value.get("messages_display"), str) and format in ("auto", "tau"):
            return [_Raw(_id(value) or "", _tau(place, value["messages_display"]), value)]
        if isinstance(value.get("messages"), list):
            said = [(f"{place}, message {i}", m) for i, m in enumerate(value["messages"], 1)]
            return [_Raw(_id(value) or "", _dialect(said, format), value)]
        if value and all(isinstance(v, Mapping) and "messages" in v for v in value.values()):
            # A dictionary of conversations by id, as CrossWOZ has it.
            return [
                raw
                for key, item in value.items()
                for raw in _record(f"{place}, {key}", {"id": key, **item}, format)
            ]
    wanted = {
        "tau": 'a record with "messages_display"',
        "crosswoz": 'dialogues with "messages"',
    }.get(format, 'a message with "role", a list of them, or a record with "messages"')
    kind = type(value).__name__
    has = f"keys {', '.join(map(str, list(value)[:5]))}" if isinstance(value, Mapping) else kind
    raise DataError(f"{place}: expected {wanted}, found {has}; is the format right?")


def _id(value: Mapping[str, Any], keys: Sequence[str] = _ID_KEYS) -> str | None:
    return next((str(value[key]) for key in keys if value.get(key) not in (None, "")), None)


def _dialect(said: list[tuple[str, Any]], format: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Give CrossWOZ's speakers the usual roles; its annotations aren't part of what was said."""
    roles = {"usr": "user", "sys": "assistant"}
    for place, message in said:
        if not isinstance(message, Mapping):
            kind = type(message).__name__
            raise DataError(f"{place}: expected a message, found {kind}; give role and content")
    foreign = all(message.get("role") in roles for _, message in said)
    if format == "openai" or (format == "auto" and not foreign):
        return said
    if not foreign:
        raise DataError(f"{said[0][0]}: CrossWOZ's roles are usr and sys; try format 'openai'")
    return [(at, {"role": roles[m["role"]], "content": m.get("content")}) for at, m in said]


_SPEAKER = re.compile(r"^(system|user|assistant|tool):[ \n]?", re.MULTILINE)
_STOP = "###STOP###"  # the simulated customer's way of hanging up


def _tau(place: str, text: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Rebuild messages from a displayed transcript.

    It shows that a tool was called, and the result, but neither name nor arguments. Each call
    gets a name of its own, so that nothing downstream takes one for a repeat of another.
    """
    marks = list(_SPEAKER.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise DataError(f"{place}: a displayed transcript begins with 'user:' or 'assistant:'")
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    out: list[tuple[str, Any]] = []
    calls = 0
    for i, (mark, end) in enumerate(zip(marks, ends, strict=True), 1):
        role, content = mark[1], text[mark.end() : end].replace(_STOP, "").strip()
        at = f"{place}, message {i}"
        if role == "tool":
            calls += 1
            asking = next((m for _, m in reversed(out) if m["role"] != "tool"), None)
            if asking is None or asking["role"] != "assistant":
                raise DataError(f"{at}: a tool's result without an assistant before it")
            call = {"id": f"call_{calls}", "function": {"name": f"tool_{calls}", "arguments": "{}"}}
            asking.setdefault("tool_calls", []).append(call)
            out.append((at, {"role": role, "tool_call_id": call["id"], "content": content}))
        elif content or role != "user":
            shown = None if role == "assistant" and content == "None" else content
            out.append((at, {"role": role, "content": shown}))
    return out


# ---------------------------------------------------------------------- checking


def _all_checked(found: Iterable[_Raw], name: str) -> list[Conversation]:
    """Validate all, and give each an id of its own."""
    taken: set[str] = set()
    done = []
    for i, raw in enumerate(raw for raw in found if raw.said):
        raw.id = raw.id or str(i + 1)
        if raw.id in taken:  # a log may hold one session in two parts
            raw.id = f"{raw.id} ({i + 1})"
        taken.add(raw.id)
        done.append(_checked(raw, i))
    if not done:
        raise DataError(f"{name}: no messages in it; expected objects with role and content")
    return done


def _checked(raw: _Raw, index: int) -> Conversation:
    """Validate one conversation, message by message, in the order of the log."""
    clock = START + index * timedelta(days=1)
    messages: list[Message] = []
    seen: dict[str, Message] = {}
    waiting: frozenset[str] = frozenset()
    for place, given in raw.said:
        try:
            message, clock = _message(given, clock, bool(messages))
            if message.id in seen:
                if seen[message.id].as_dict() != message.as_dict():
                    raise MessageError(f"{message.id!r} stands twice, with different content", "id")
                continue  # the same line twice: logs that are delivered at least once
            waiting = follow(waiting, message)
        except (MessageError, NaiveDatetime, OverflowError) as error:
            raise DataError(f"{place}: {error}") from error
        if message.id is not None:
            seen[message.id] = message
        messages.append(message)
    about = raw.about
    tools = about.get("tools")
    user, agent = about.get("user_id"), about.get("agent")
    return Conversation(
        id=raw.id,
        messages=messages,
        tools=list(tools) if isinstance(tools, list) and tools else None,
        user_id=str(user) if user else None,
        agent=str(agent) if agent else None,
    )


def _message(given: Mapping[str, Any], before: datetime, later: bool) -> tuple[Message, datetime]:
    """Return a message with its time, and that time; times may stand still, not run backwards."""
    key = next((k for k in _TIME_KEYS if given.get(k) is not None), None)
    message = Message.of({**given, "time": None})
    if key is None:
        when = before + PACE if later else before
    else:
        when = _instant(given[key], key)
        if later and when < before:
            raise MessageError(
                f"{when.isoformat()} is before the message above it ({before.isoformat()}); "
                "sort the log by time",
                key,
            )
    return message.with_(time=when), when


def _instant(value: Any, key: str) -> datetime:
    if isinstance(value, bool) or not isinstance(value, str | datetime | int | float):
        raise MessageError(f"{value!r} is no time; write ISO 8601 with an offset", key)
    if isinstance(value, int | float):
        seconds = value / 1000 if abs(value) > 1e11 else value  # JavaScript counts milliseconds
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise MessageError(
                f"{value!r} is no time; write ISO 8601 with an offset", key
            ) from error
    return as_utc(value, key)

"""Conversations for the explorers: the built-in long session, or the user's own (R123)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..datasets import load_support
from ..errors import DataError, MessageError
from ..messages import Message, text_of

__all__ = ["TOOLS", "Conversation", "conversation", "named_facts"]

Conversation = Sequence[Mapping[str, Any]]

# CJK letters count as \w, so the edges are spelt out: 「订单D39929」 names a number too.
_ID = re.compile(r"(?<![A-Za-z0-9.-])[A-Za-z]{0,4}-?\d{4,}(?:-\d+)*(?![A-Za-z0-9-])")


def _tool(name: str, about: str, **fields: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": text} for key, text in fields.items()}
    schema = {"type": "object", "properties": properties, "required": list(fields)}
    return {
        "type": "function",
        "function": {"name": name, "description": about, "parameters": schema},
    }


# The tools that the built-in conversations call, as a provider would be told of them.
TOOLS = (
    _tool("lookup_order", "Look up one order", order_id="Order number as the customer gave it"),
    _tool("track_parcel", "Where a parcel is", tracking_no="Tracking number of the parcel"),
    _tool("check_stock", "Is a variant in stock", product="Product name", colour="Colour wanted"),
    _tool("create_return", "Open a return", order_id="Order number", reason="Why it comes back"),
)


def conversation(data: str | Path | Conversation | None, lang: str = "en") -> list[dict[str, Any]]:
    """Return one conversation as OpenAI-style messages.

    Parameters
    ----------
    data : str, pathlib.Path, list of dict or None
        A JSONL file with a message or a whole conversation (``{"messages": […]}``) on each line;
        a list of messages; None for the longest built-in session. Of several conversations the
        longest is taken.
    lang : str
        Language of the built-in session.

    Raises
    ------
    DataError
        If the file can't be read or holds no conversation.
    """
    if data is None:
        return list(_longest(lang))
    if isinstance(data, str | Path):
        return _read(Path(data))
    found = [dict(message) for message in data]
    _validate(found, "the given list")
    return found


@cache
def _longest(lang: str) -> tuple[dict[str, Any], ...]:
    known = load_support(lang)
    sizes = known.sessions["messages"].map(len)
    longest = known.sessions["session_id"].iloc[int(sizes.to_numpy().argmax())]
    return tuple(known.to_messages(str(longest)))


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}; expected one JSON object a line, in UTF-8") from error
    talks = [row["messages"] for row in rows if isinstance(row, dict) and "messages" in row]
    found = max(talks, key=len) if talks else rows
    _validate(found, str(path))
    return list(found)


def _validate(messages: Iterable[Any], where: str) -> None:
    count, asked = 0, False
    for count, message in enumerate(messages, 1):
        try:
            asked = Message.of(message).role == "user" or asked
        except (MessageError, TypeError, AttributeError) as error:
            raise DataError(f"{where}, message {count}: {error}") from error
    if not count:
        raise DataError(f"{where}: no messages")
    if not asked:
        raise DataError(f"{where}: no message of a user, so there is no request to look at")


def named_facts(messages: Conversation, limit: int = 4) -> dict[str, int]:
    """Return numbers the customer named, each with the index of the message that named it first.

    They are what a support conversation can least afford to lose: order, phone, tracking and
    account numbers.

    Examples
    --------
    >>> named_facts([{"role": "user", "content": "Order K12761 is late"}])
    {'K12761': 0}
    """
    first: dict[str, int] = {}
    for i, message in enumerate(messages):
        if message.get("role") == "user":
            for found in _ID.findall(text_of(message.get("content"))):
                first.setdefault(found, i)
    return dict(list(first.items())[:limit])

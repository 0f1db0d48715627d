"""Checks on what goes out: leaks of memory frames in a reply, pollution of a list (R73, R76)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..messages import text_of
from ..turns import FRAME

__all__ = ["Leak", "check_pollution", "find_leaks", "strip_leaks"]

_FRAME = re.compile(rf"</?{FRAME}[0-9a-f]{{10,32}}\b[^>\n]*>?")
# What stands between a frame's two ends is memory, in whatever words: it goes as a whole.
_BLOCK = re.compile(rf"<({FRAME}[0-9a-f]{{10,32}})\b[^>\n]*>.*?</\1>", re.DOTALL)
# Labels that only a framed block carries; a customer's own "[promised]" doesn't reach a reply.
_LABEL = re.compile(
    r"\[(?:promised|refused|open|customer|fact|done|承诺|已拒绝|待办|客户|事实|已办)\] "
    r"|\[\d{1,3}%\] \((?:this session|session [\w-]+), \d{4}-\d\d-\d\d\)"
    r"|^Earlier in this conversation: what holds[^\n]*|^Conclusion of the previous session$"
    r"|^Task state$|^Relevant past, with its relevance$"
    r"|\[result of a query [^\]\n]{1,40} ago; may be out of date\]"
    r"|［[^］\n]{1,20}前的查询结果，可能已过时］",
    re.MULTILINE,
)
_ROLE_LABEL = re.compile(r"(?:^|\n)\s*(?:system|assistant|user|tool)\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class Leak:
    """Text of a memory frame found in a reply: characters `start` to `end`."""

    start: int
    end: int
    text: str
    rule: str


def find_leaks(reply: str) -> list[Leak]:
    """Find memory blocks, and frames and labels of such, in a reply, in order.

    Examples
    --------
    >>> find_leaks('Sure. <ctx-0123456789 kind="summary"> done')[0].rule
    'frame'
    >>> strip_leaks('<ctx-0123456789 kind="summary">a voucher</ctx-0123456789> On Friday.')
    'On Friday.'
    >>> find_leaks("Your order A1029 [blue] ships on [Friday].")
    []
    """
    whole = [Leak(*m.span(), m.group(), "block") for m in _BLOCK.finditer(reply)]
    loose = [Leak(*m.span(), m.group(), "frame") for m in _FRAME.finditer(reply)]
    loose += [Leak(*m.span(), m.group(), "label") for m in _LABEL.finditer(reply)]
    alone = [leak for leak in loose if not any(b.start <= leak.start < b.end for b in whole)]
    return sorted([*whole, *alone], key=lambda leak: leak.start)


def strip_leaks(reply: str) -> str:
    """Return the reply without what `find_leaks` finds."""
    for leak in reversed(find_leaks(reply)):
        reply = reply[: leak.start] + reply[leak.end :]
    return re.sub(r"\n{3,}", "\n\n", reply).strip()


def check_pollution(messages: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> list[str]:
    """List what would mislead a model in a final message list (R76).

    Parameters
    ----------
    messages : sequence of dict
        OpenAI-style.
    names : sequence of str
        Speakers who belong in this conversation; empty: any.

    Returns
    -------
    list of str
        Duplicates, tool calls repeated with other arguments whose older result still stands,
        names that don't belong, role labels inside memory blocks.
    """
    faults = []
    said = Counter(
        (m["role"], m.get("name"), text_of(m.get("content")))
        for m in messages
        if m["role"] in ("user", "assistant") and len(text_of(m.get("content"))) > 20
    )
    faults += [f"said {n} times: {text[:60]!r}" for (_, _, text), n in said.items() if n > 1]
    newest: dict[str, tuple[int, str]] = {}
    for i, message in enumerate(messages):
        for call in message.get("tool_calls") or ():
            name, arguments = call["function"]["name"], _plain(call["function"]["arguments"])
            if name in newest and newest[name][1] != arguments:
                at = newest[name][0]
                faults.append(f"message {at}: {name} was called again with other arguments at {i}")
            newest[name] = (i, arguments)
        name = message.get("name")
        if names and message["role"] == "user" and name and name not in names:
            faults.append(f"message {i}: speaker {name!r} doesn't belong here")
        text = text_of(message.get("content"))
        if message["role"] == "system" and _FRAME.search(text) and _ROLE_LABEL.search(text):
            faults.append(f"message {i}: a role label begins a line of a memory block")
    return faults


def _plain(arguments: str) -> str:
    """Return arguments so that key order and spacing don't matter."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except json.JSONDecodeError:
        return arguments

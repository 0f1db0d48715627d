"""A conversation as turns and units, so that what belongs together moves together (R12).

A *turn* begins with a user message and holds everything up to the next one. A *unit* is what no
provider lets you separate: an assistant message that calls tools, with the results of its calls;
any other message is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .errors import MessageError
from .messages import Message
from .tokens import TokenCounter

__all__ = ["Entry", "Turn", "Turns", "follow"]

FRAME = "ctx-"  # how the frames of memory blocks begin; see context.assembly.frame_tag


@dataclass(slots=True)
class Entry:
    """A message in its place, counted once."""

    seq: int
    message: Message
    tokens: int
    wire: dict[str, Any] = field(repr=False)
    framed: bool = False  # holds text that looks like the frame of a memory block

    @property
    def ref(self) -> str:
        """Short name used in traces."""
        return f"m{self.seq}"

    @classmethod
    def of(cls, seq: int, message: Message, counter: TokenCounter) -> Entry:
        """Count and render a message."""
        tokens = counter.count_message(message)
        return cls(seq, message, tokens, message.as_dict(), FRAME in message.text)


@dataclass(slots=True)
class Turn:
    """A user message and what followed it; turn 0 may open with the agent's greeting."""

    index: int
    agent: str = ""
    entries: list[Entry] = field(default_factory=list)
    tokens: int = 0
    open_calls: dict[str, int] = field(default_factory=dict)
    calls: int = 0
    broken: bool = False
    framed: bool = False
    result_tokens: int = 0
    oldest_result: datetime | None = None

    @property
    def start(self) -> datetime | None:
        """When the turn began."""
        return self.entries[0].message.time if self.entries else None

    def add(self, entry: Entry) -> None:
        """Append an entry and keep the books."""
        message = entry.message
        if message.role == "tool":
            self.open_calls.pop(message.tool_call_id or "", None)
            self.result_tokens += entry.tokens
            if self.oldest_result is None or (message.time and message.time < self.oldest_result):
                self.oldest_result = message.time
        else:
            self.broken = self.broken or bool(self.open_calls)
            self.open_calls = {call.id: entry.seq for call in message.tool_calls}
            self.calls += len(message.tool_calls)
        self.framed = self.framed or entry.framed
        self.entries.append(entry)
        self.tokens += entry.tokens

    @property
    def closed(self) -> bool:
        """Whether the assistant has answered."""
        last = self.entries[-1].message if self.entries else None
        return last is not None and last.role == "assistant" and not last.tool_calls

    @property
    def plain(self) -> bool:
        """Whether every call has its results."""
        return not (self.broken or self.open_calls)

    def units(self) -> list[list[Entry]]:
        """Return the units in order; a call that was never answered is left out."""
        grouped: list[list[Entry]] = []
        waiting: set[str] = set()
        for entry in self.entries:
            if entry.message.role == "tool" and grouped:
                grouped[-1].append(entry)
                waiting.discard(entry.message.tool_call_id or "")
                continue
            if waiting:
                grouped.pop()
            grouped.append([entry])
            waiting = {call.id for call in entry.message.tool_calls}
        if waiting:
            grouped.pop()
        return grouped


@dataclass(slots=True)
class Turns:
    """All turns of a session, extended one message at a time.

    Examples
    --------
    >>> said = [("user", "hi"), ("assistant", "hello"), ("user", "bye")]
    >>> talk = Turns.of({"role": role, "content": text} for role, text in said)
    >>> [len(turn.entries) for turn in talk.all]
    [2, 1]
    """

    counter: TokenCounter
    preface: list[Entry] = field(default_factory=list)
    all: list[Turn] = field(default_factory=list)
    length: int = 0
    tokens: int = 0
    agents: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, messages: Iterable[Any], counter: TokenCounter | None = None) -> Turns:
        """Build from any message list."""
        turns = cls(counter or TokenCounter())
        for message in messages:
            turns.append(Message.of(message))
        return turns

    @property
    def waiting(self) -> frozenset[str]:
        """Ids of calls that have no result yet."""
        return frozenset(self.all[-1].open_calls) if self.all else frozenset()

    def append(self, message: Message, agent: str = "") -> Entry:
        """Add the next message, checked, as heard by an agent role."""
        follow(self.waiting, message)
        entry = Entry.of(self.length, message, self.counter)
        self.length += 1
        self.tokens += entry.tokens
        if message.role == "system" and not self.all:
            self.preface.append(entry)  # instructions before the talk: static, never dropped
            return entry
        if not self.all or message.role == "user":
            self.all.append(Turn(len(self.all), agent))
            self.agents.add(agent)
        self.all[-1].add(entry)
        return entry

    def preview(self, message: Message) -> Turn:
        """Return the turn that `message` would be in, without storing it."""
        follow(self.waiting, message)
        entry = Entry.of(self.length, message, self.counter)
        turn = Turn(len(self.all))
        turn.add(entry)
        return turn


def follow(waiting: frozenset[str], message: Message) -> frozenset[str]:
    """Check that `message` may come next, and return the calls that wait after it.

    Parameters
    ----------
    waiting : frozenset of str
        Ids of calls without a result.

    Raises
    ------
    MessageError
        A result that answers no open call, or an assistant message while calls are open. A user
        may always speak: a call that never got its result is then left out of contexts.
    """
    if message.role == "tool":
        if message.tool_call_id not in waiting:
            known = ", ".join(sorted(waiting)) or "none"
            raise MessageError(
                f"{message.tool_call_id!r} answers no open call (open: {known}); "
                "add the assistant message that makes the call first",
                "tool_call_id",
            )
        return waiting - {message.tool_call_id}
    if message.role != "user" and waiting:
        raise MessageError(
            f"calls without a result: {', '.join(sorted(waiting))}; add their tool messages first",
            "role",
        )
    return frozenset(call.id for call in message.tool_calls)

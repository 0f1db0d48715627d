"""What a memory system has to answer, so that any of them can be measured (R95, R111).

A system hears one message at a time, each with its place: whose conversation it is, which agent
role holds it, and when it is said. A handoff is a message of the same session heard by another
role. Whatever a system does with that is its own business; it is judged by what it would show a
model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from ...messages import text_of

__all__ = ["MemorySystem", "Place", "Seen", "SystemSpec", "text_seen"]


@dataclass(frozen=True, slots=True)
class Place:
    """Whose conversation, held by which role, at what time.

    Attributes
    ----------
    user : str or None
        Id of the user; None while nobody knows who it is.
    session : str
        Id of the conversation, unique among all users.
    agent : str
        Agent role that serves at that moment.
    time : datetime
        Aware instant. A system must not look at the machine's clock.
    account : str or None
        Account that several users share.
    """

    user: str | None
    session: str
    agent: str
    time: datetime
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a system would show a model for one question.

    Attributes
    ----------
    messages : list of dict
        OpenAI-style, the question last.
    layers : tuple of str
        Where each message comes from (``system``, ``profile``, ``past``, ``conclusion``,
        ``summary``, ``state``, ``recent``), one for each message; empty if a system can't say.
    route : str
        Name of the way that was chosen, if the system has several.
    """

    messages: list[dict[str, Any]]
    layers: tuple[str, ...] = ()
    route: str = ""


class MemorySystem(Protocol):
    """A memory for conversations, open and ready. Inherit, and only what differs has to be written.

    Examples
    --------
    An adapter to anything that can store and find text:

    >>> from datetime import UTC, datetime
    >>> class Last(MemorySystem):
    ...     def __init__(self):
    ...         self.said = {}
    ...     def observe(self, message, place, state=None):
    ...         self.said.setdefault(place.user, []).append(message)
    ...     def context(self, question, place, budget):
    ...         recent = self.said.get(place.user, [])[-1:]
    ...         return Seen([*recent, {"role": "user", "content": question}])
    ...     def erase(self, user):
    ...         self.said.pop(user, None)
    >>> last, here = Last(), Place("U1", "s1", "support", datetime(2026, 1, 5, tzinfo=UTC))
    >>> last.observe({"role": "user", "content": "My order is A1029."}, here)
    >>> len(last.context("Which order?", here, budget=1000).messages)
    2
    """

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        """Take in one message of any role, tool calls and results included.

        Parameters
        ----------
        message : mapping
            OpenAI-style, with ``id`` and ``time`` beside.
        place : Place
            Where it is said.
        state : mapping, optional
            What the program wrote to the task's state after it. A system without a place for that
            ignores it.
        """
        ...

    def context(self, question: str, place: Place, budget: int) -> Seen:
        """Build what a model would see, and remember nothing of it.

        Parameters
        ----------
        question : str
            What the customer types now.
        place : Place
            The conversation it is asked in; one that wasn't heard of before begins with it.
        budget : int
            Tokens that input may use, the question included.
        """
        ...

    def erase(self, user: str) -> None:
        """Forget a user completely."""
        ...

    def end(self, place: Place) -> None:
        """Hear that a conversation is over."""
        return

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        """Return the `k` memories that bear most on a query, as this role may read them."""
        return []

    def stored(self, user: str) -> str | None:
        """Return all that is held of a user as one text; None: the system can't say."""
        return None

    def close(self) -> None:
        """Free what the system holds."""
        return


class SystemSpec(Protocol):
    """How a system is made: picklable, so that other processes can make the same."""

    @property
    def name(self) -> str:
        """What tables and figures call it."""
        ...

    def open(self) -> MemorySystem:
        """Make a fresh system that knows nothing."""
        ...


def text_seen(messages: list[dict[str, Any]]) -> str:
    """Return all a model could read in a list: contents, names of speakers, and tool calls.

    Examples
    --------
    >>> text_seen([{"role": "user", "name": "Ann", "content": "Hi"}])
    'Ann: Hi'
    """
    parts = []
    for message in messages:
        said = f"{message['name']}: " if message.get("name") else ""
        parts.append(said + text_of(message.get("content")))
        for call in message.get("tool_calls") or ():
            parts.append(f"{call['function']['name']}({call['function']['arguments']})")
    return "\n".join(parts)

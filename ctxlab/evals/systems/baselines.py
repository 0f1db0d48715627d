"""Naive ways to remember, to hold others against: none, all, a window, a summary, vectors (R111).

They keep each user's messages in one thread across sessions and roles, which is the strongest
reading of each: a window that forgot the last session would lose every question about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...context.compression import Extractive
from ...context.window import CountWindow, TokenWindow
from ...engine import SYSTEM_PROMPT
from ...messages import Message
from ...tokens import PER_REPLY, TokenCounter
from ...turns import Turn, Turns
from .protocol import MemorySystem, Place, Seen, text_seen

__all__ = ["FlatVectors", "FullHistory", "NoMemory", "RollingSummary", "RollingWindow", "Threads"]


def asked(question: str) -> dict[str, Any]:
    """Return a question as a message."""
    return {"role": "user", "content": question}


def told(text: str) -> dict[str, Any]:
    """Return instructions or memories as a message."""
    return {"role": "system", "content": text}


@dataclass
class Threads(MemorySystem):
    """Keeps messages by user and session; what is shown of them is for others to say.

    Parameters
    ----------
    prompt : str
        Static instructions, first in every context.
    """

    prompt: str = SYSTEM_PROMPT
    counter: TokenCounter = field(default_factory=TokenCounter)
    _said: dict[str, dict[str, Turns]] = field(default_factory=dict)

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        """Keep a message in its session."""
        sessions = self._said.setdefault(owner(place), {})
        turns = sessions.setdefault(place.session, Turns(self.counter))
        turns.append(Message.of(message), place.agent)

    def turns(self, place: Place) -> list[Turn]:
        """Return all turns of a user, session after session."""
        sessions = self._said.get(owner(place), {}).values()
        return [turn for turns in sessions for turn in turns.all]

    def session_turns(self, place: Place) -> list[Turn]:
        """Return the turns of the conversation that is going on."""
        found = self._said.get(owner(place), {}).get(place.session)
        return found.all if found else []

    def frame(self, question: str) -> int:
        """Return the tokens that instructions and question take."""
        fixed = [told(self.prompt), asked(question)]
        return PER_REPLY + sum(self.counter.count_message(message) for message in fixed)

    def shown(
        self, turns: Sequence[Turn], question: str, memory: Sequence[tuple[str, str]] = ()
    ) -> Seen:
        """Put instructions, memories as ``(layer, text)``, turns and question together."""
        talk = list(wires(turns))
        blocks = [told(text) for _, text in memory]
        layers = ["system", *(layer for layer, _ in memory), *["recent"] * (len(talk) + 1)]
        return Seen([told(self.prompt), *blocks, *talk, asked(question)], tuple(layers))

    def erase(self, user: str) -> None:
        """Drop a user's sessions."""
        self._said.pop(user, None)

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        """Find messages by their words: a transcript has no other index."""
        from ...layers.keyword import Keywords

        said = [e.message.text for turn in self.turns(place) for e in turn.entries]
        if not said:
            return []
        scores, _ = Keywords(said)(query)
        best = sorted(range(len(said)), key=lambda i: (-scores[i], -i))[:k]
        return [said[i] for i in best if scores[i] > 0]

    def stored(self, user: str) -> str | None:
        """Return every message of a user."""
        sessions = self._said.get(user, {}).values()
        return text_seen([wire for turns in sessions for wire in wires(turns.all)])


def owner(place: Place) -> str:
    """Return the key of a thread: the user, or the session while nobody knows who it is."""
    return place.user or f"session:{place.session}"


def wires(turns: Sequence[Turn]) -> Iterator[dict[str, Any]]:
    """Yield the messages of turns as they are sent."""
    return (entry.wire for turn in turns for entry in turn.entries)


class _NoMemory(Threads):
    """Hears nothing: what is right by chance, or because nothing was asked for."""

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        return

    def context(self, question: str, place: Place, budget: int) -> Seen:
        return self.shown((), question)


class _FullHistory(Threads):
    def context(self, question: str, place: Place, budget: int) -> Seen:
        return self.shown(self.turns(place), question)


@dataclass
class _RollingWindow(Threads):
    keep: int | None = 20
    messages: int | None = None

    def context(self, question: str, place: Place, budget: int) -> Seen:
        turns = self.turns(place)
        if self.messages is not None:
            talk = CountWindow(self.messages)(list(wires(turns)))
            layers = ("system", *["recent"] * (len(talk) + 1))
            return Seen([told(self.prompt), *talk, asked(question)], layers)
        turns = turns[-self.keep :] if self.keep is not None else turns
        kept = TokenWindow(budget - self.frame(question))(turns)
        return self.shown(turns[kept.first :], question)


@dataclass
class _RollingSummary(Threads):
    recent: int = 20
    chunk: int = 10
    narrate: Extractive = field(default_factory=Extractive)
    _narratives: dict[tuple[str, int], str] = field(default_factory=dict)

    def context(self, question: str, place: Place, budget: int) -> Seen:
        """Show narratives of whole chunks, newest first, in what the window's turns leave."""
        turns = self.turns(place)
        chunks = max(0, len(turns) - self.recent) // self.chunk
        recent = turns[chunks * self.chunk :][-self.recent :]
        left = budget - self.frame(question)
        kept = TokenWindow(left)(recent)
        left -= kept.tokens + self.counter.count_message(told(""))
        lines: list[str] = []
        for n in reversed(range(chunks)):
            line = self._narrative(owner(place), n, turns)
            size = self.counter.count(line) + 1
            if size > left:
                break
            lines.insert(0, line)
            left -= size
        memory = [("summary", "\n".join(lines))] if lines else []
        return self.shown(recent[kept.first :], question, memory)

    def _narrative(self, who: str, n: int, turns: Sequence[Turn]) -> str:
        key = (who, n)
        if key not in self._narratives:
            part = turns[n * self.chunk : (n + 1) * self.chunk]
            said = [entry.message for turn in part for entry in turn.entries]
            self._narratives[key] = self.narrate(said)["narrative"]
        return self._narratives[key]

    def erase(self, user: str) -> None:
        super().erase(user)
        for key in [key for key in self._narratives if key[0] == user]:
            del self._narratives[key]

    def stored(self, user: str) -> str | None:
        told = [text for (who, _), text in self._narratives.items() if who == user]
        return "\n".join([super().stored(user) or "", *told])


@dataclass
class Searched(Threads):
    """Shows what a search finds for the question, and the session's last turns.

    Parameters
    ----------
    k : int
        Memories shown.
    recent : int
        Turns of the present session kept word for word.
    """

    k: int = 5
    recent: int = 6

    def context(self, question: str, place: Place, budget: int) -> Seen:
        """Put what was found before the recent turns; what these say already isn't repeated."""
        talk = self.session_turns(place)[-self.recent :]
        shown = tuple(e.message.text for turn in talk for e in turn.entries if e.message.text)
        # A library may put a date before a text, so it's the end that tells a repeat.
        found = [x for x in self.search(question, place, self.k) if not x.endswith(shown)]
        memory = [("past", "\n".join(f"- {text}" for text in found))] if found else []
        left = budget - self.frame(question)
        left -= sum(self.counter.count_message(told(text)) for _, text in memory)
        kept = TokenWindow(left)(talk)
        return self.shown(talk[kept.first :], question, memory)


@dataclass
class _FlatVectors(Searched):
    embedder: Any = "auto"
    _vectors: dict[str, Any] = field(default_factory=dict)

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        """Return the messages nearest in meaning, whoever heard them and however old."""
        import numpy as np

        from ...models.embedding import get_embedder

        said = [e.message for turn in self.turns(place) for e in turn.entries]
        texts = list(dict.fromkeys(m.text for m in said if m.role in ("user", "assistant")))
        texts = [text for text in texts if text]
        if not texts:
            return []
        embedder = get_embedder(self.embedder)
        new = [text for text in texts if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, embedder.encode(new), strict=True))
        scores = np.stack([self._vectors[text] for text in texts]) @ embedder.encode([query])[0]
        return [texts[i] for i in np.argsort(-scores, kind="stable")[:k]]

    def erase(self, user: str) -> None:
        super().erase(user)
        self._vectors.clear()


# ---------------------------------------------------------------------- how they are made


@dataclass(frozen=True)
class NoMemory:
    """Every question is the first: the control that shows what a check is worth.

    Examples
    --------
    >>> NoMemory().open().stored("U001")
    ''
    """

    name: str = "no memory"
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh system."""
        return _NoMemory(self.prompt)


@dataclass(frozen=True)
class FullHistory:
    """Everything a user ever said and heard, in every session, whatever the budget.

    Examples
    --------
    >>> FullHistory().name
    'full history'
    """

    name: str = "full history"
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh system."""
        return _FullHistory(self.prompt)


@dataclass(frozen=True)
class RollingWindow:
    """The last turns of a user that fit the budget; or the last messages, whatever they weigh.

    Parameters
    ----------
    turns : int or None
        Turns kept at most; None: as many as fit.
    messages : int, optional
        Keep that many messages instead, as many libraries do: it can pass any budget and parts
        calls from their results (R11).

    Examples
    --------
    >>> RollingWindow(turns=None).name
    'all turns that fit'
    """

    turns: int | None = 20
    messages: int | None = None
    prompt: str = SYSTEM_PROMPT

    @property
    def name(self) -> str:
        """What tables call it."""
        if self.messages is not None:
            return f"last {self.messages} messages"
        return "all turns that fit" if self.turns is None else f"last {self.turns} turns"

    def open(self) -> MemorySystem:
        """Make a fresh system."""
        return _RollingWindow(self.prompt, keep=self.turns, messages=self.messages)


@dataclass(frozen=True)
class RollingSummary:
    """The last turns, and before them narratives of older ones, in chunks.

    Parameters
    ----------
    recent : int
        Turns kept word for word.
    chunk : int
        Turns a narrative stands for.

    Examples
    --------
    >>> RollingSummary(recent=10).name
    'rolling summary'
    """

    recent: int = 20
    chunk: int = 10
    name: str = "rolling summary"
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh system."""
        return _RollingSummary(self.prompt, recent=self.recent, chunk=self.chunk)


@dataclass(frozen=True)
class FlatVectors:
    """The session's last turns, and a user's messages nearest to the question in meaning.

    Parameters
    ----------
    k : int
        Messages found.
    recent : int
        Turns of the present session kept word for word.
    embedder : str or Embedder
        As for ``cx.ContextEngine``.

    Examples
    --------
    >>> FlatVectors(k=10).name
    'flat vectors'
    """

    k: int = 5
    recent: int = 6
    embedder: Any = "auto"
    name: str = "flat vectors"
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh system."""
        return _FlatVectors(self.prompt, k=self.k, recent=self.recent, embedder=self.embedder)

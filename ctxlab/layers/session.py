"""Layer one: the raw messages, state and chunk summaries of one session (R2, R3, R10, R13).

A `SessionLog` is a view of rows in the database, kept current at the price of one
``PRAGMA data_version`` a call. It holds every message counted and rendered, so a request costs
what its new text costs.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..clock import Clock
from ..config import Config
from ..errors import IdentityError, MessageError, SessionExpired
from ..messages import Message
from ..storage import conversations as sql
from ..storage.store import Store, Version
from ..tokens import TokenCounter
from ..turns import FRAME, Entry, Turn, Turns, follow

__all__ = ["Narrative", "SessionLog", "StateSlot"]


@dataclass(frozen=True, slots=True)
class Narrative:
    """Summary of turns `first` to `last`, ready to stand for them.

    `tokens` are those of its text and the line break after it, and the same beside any other line
    if it counts `apart`. `told` is the first turn of a chunk whose prose holds every literal that
    this line's sources held, -1 if none does.
    """

    first: int
    last: int
    text: str
    tokens: int
    time: datetime | None = None
    framed: bool = False
    told: int = -1
    apart: bool = True

    @classmethod
    def of(
        cls, first: int, last: int, text: str, counter: TokenCounter, time: datetime | None = None
    ) -> Narrative:
        """Make a line of a text, counted."""
        tokens, apart = counter.count(text + "\n"), counter.adds_up([text])
        return cls(first, last, text, tokens, time, FRAME in text, apart=apart)


@dataclass(frozen=True, slots=True)
class StateSlot:
    """One value of the task's state, with when it was last written."""

    value: Any
    updated: datetime
    turn: int


@dataclass(slots=True, weakref_slot=True, eq=False)
class SessionLog:
    """One session as stored.

    Raises
    ------
    IdentityError
        If there is no session of that id.
    """

    id: str
    store: Store
    counter: TokenCounter
    clock: Clock
    config: Config
    row: Mapping[str, Any] = field(default_factory=dict)
    turns: Turns = field(init=False)
    state: dict[str, StateSlot] = field(default_factory=dict)
    chunks: list[Mapping[str, Any]] = field(default_factory=list)
    digests: list[Mapping[str, Any]] = field(default_factory=list)
    remembered: int = 0  # messages that memories were drawn from; repeating that is harmless
    views: dict[str | None, Any] = field(default_factory=dict, repr=False)  # by role; see recall
    _guard: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _version: Version | None = None
    framed: list[str] = field(default_factory=list)  # narratives that hold what looks like a frame
    _narratives: list[Narrative] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)
    _contexts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.turns = Turns(self.counter)
        self.sync()
        self.remembered = self.digested  # a digest is written after the memories of its messages

    @property
    def entity(self) -> str:
        """Owner of the rows: ``customer:…``, or ``session:…`` while anonymous."""
        return str(self.row["entity"])

    @property
    def turn_count(self) -> int:
        """Turns stored so far."""
        return len(self.turns.all)

    @property
    def summarised(self) -> int:
        """Turns that chunk summaries stand for."""
        return int(self.chunks[-1]["last_turn"]) + 1 if self.chunks else 0

    def narratives(self, role: str | None) -> list[Narrative]:
        """Return the chunk summaries a role may see, as the window wants them."""
        if len(self._narratives) < len(self.chunks):
            with self._guard:  # the background thread does it ahead of the request
                self._count_chunks()
        if role is None or self.turns.agents <= {role}:
            return self._narratives
        return [told for told in self._narratives if self.turns.all[told.first].agent == role]

    def _count_chunks(self) -> None:
        for row in self.chunks[len(self._narratives) :]:
            text = " ".join(row["summary"]["narrative"].split())
            first, last = row["first_turn"], row["last_turn"]
            told = Narrative.of(first, last, text, self.counter, row["time"])
            if told.framed:
                self.framed.append(text)
            self._narratives.append(told)

    def turns_of(self, role: str | None) -> list[Turn]:
        """Return the turns a role heard, oldest first: raw messages never cross roles (R92)."""
        if role is None or self.turns.agents <= {role}:
            return self.turns.all
        return [turn for turn in self.turns.all if turn.agent == role]

    def messages(self) -> list[Message]:
        """Return all messages, oldest first, with ids and times."""
        entries = [*self.turns.preface, *(e for turn in self.turns.all for e in turn.entries)]
        return [entry.message for entry in sorted(entries, key=lambda entry: entry.seq)]

    @property
    def digested(self) -> int:
        """Messages that digests have taken, counted from the first."""
        return int(self.digests[-1]["last_seq"]) + 1 if self.digests else 0

    def turn_at(self, seq: int) -> int:
        """Return the index of the turn that holds message `seq`."""
        at = bisect_right(self.turns.all, seq, key=lambda turn: turn.entries[0].seq)
        return max(at - 1, 0)

    def unremembered(self, most: int) -> list[Message]:
        """Return the newest messages, `most` of them, that no memory has been drawn from yet."""
        start = max(self.remembered, self.turns.length - most)
        return self.messages_between(start, self.turns.length)

    def messages_of(self, ids: Iterable[str]) -> list[Message]:
        """Return the messages of these ids that are in the session."""
        places = [self._ids[i] for i in ids if i in self._ids]
        return [m for at in places for m in self.messages_between(at, at)]

    def turn_of(self, ids: Iterable[str]) -> int:
        """Return the earliest turn that holds one of these messages; -1 if one isn't here."""
        return min((self.turn_at(self._ids[i]) if i in self._ids else -1 for i in ids), default=-1)

    def messages_between(self, first: int, last: int) -> list[Message]:
        """Return messages `first` to `last`, by place."""
        if not self.turns.all:
            return []
        turns = self.turns.all[self.turn_at(first) : self.turn_at(last) + 1]
        return [e.message for t in turns for e in t.entries if first <= e.seq <= last]

    def sync(self) -> None:
        """Read what was written elsewhere since the last look."""
        with self._guard:
            version = self.store.version()
            if version is None or version != self._version:
                with self.store.read() as connection:
                    self._load(connection)
                self._version = version

    def _load(self, connection: Any) -> None:
        row = sql.session_row(connection, self.id, self.row.get("entity"))
        if row is None:
            raise IdentityError(f"there is no session {self.id!r} in this database")
        self.row = row
        for stored in sql.messages_from(connection, self.entity, self.id, self.turns.length):
            self._take(stored)
        self.state = {
            r["key"]: StateSlot(r["value"], r["updated"], r["turn"])
            for r in sql.state_rows(connection, self.entity, self.id)
        }
        self.chunks += sql.chunk_rows(connection, self.entity, self.id, len(self.chunks))
        self.digests += sql.digest_rows(connection, self.entity, self.id, len(self.digests))

    def _take(self, stored: Mapping[str, Any]) -> Entry:
        message = Message.of({**stored["body"], "id": stored["id"], "time": stored["time"]})
        entry = self.turns.append(message, stored["agent"])
        self._ids[stored["id"]] = entry.seq
        if stored["context_id"]:
            self._contexts[stored["context_id"]] = entry.seq
        return entry

    def check_open(self) -> None:
        """Raise if the session is over; closes it when its time has run out (R2).

        Raises
        ------
        SessionExpired
            Saying which limit was passed and what to do.
        """
        row, now, limits = self.row, self.clock.now(), self.config.session
        if row["ended"] is None:
            idle, age = now - row["active"], now - row["started"]
            if idle.total_seconds() > limits.idle_minutes * 60:
                self.end("idle_timeout")
            elif age.total_seconds() > limits.max_hours * 3600:
                self.end("max_age")
        self._refuse_ended()

    def _refuse_ended(self) -> None:
        if self.row["ended"] is not None:
            raise SessionExpired(
                f"session {self.id} ended {self.row['ended']:%Y-%m-%d %H:%M} UTC "
                f"({self.row['end_reason']}); call engine.open_session(user_id=…) for a new one"
            )

    def knows(self, message: Message) -> bool:
        """Whether a message of that id is stored already.

        Raises
        ------
        MessageError
            If the id is known with other content: a silent overwrite would lose one of the two.
        """
        if message.id is None or message.id not in self._ids:
            return False
        stored = next(m for m in self.messages() if m.id == message.id)
        if stored.as_dict() != message.as_dict():
            raise MessageError(f"{message.id!r} is stored already with other content", "id")
        return True

    def has_context(self, context_id: str) -> bool:
        """Whether that context was committed already."""
        return context_id in self._contexts

    def append(self, messages: list[Message], context_id: str | None = None) -> list[Message]:
        """Store messages in order, all or none; returns them with ids and times."""
        # The guard covers taking the rows in, or a background sync might take them a second time.
        with self._guard:
            rows = self._write(messages, context_id)
            return [self._take(row).message for row in rows]

    def _write(self, messages: list[Message], context_id: str | None) -> list[dict[str, Any]]:
        with self._locked() as connection:
            if context_id is not None and self.has_context(context_id):
                return []
            self._refuse_ended()  # another process may have ended it since it was looked at
            now, waiting = self.clock.now(), self.turns.waiting
            rows: list[dict[str, Any]] = []
            for seq, message in enumerate(messages, self.turns.length):
                waiting = follow(waiting, message)
                message = message.with_(
                    id=message.id or f"{self.id}/{seq}", time=message.time or now
                )
                rows.append(self._row(seq, message, context_id))
            sql.add_messages(connection, rows)
            sql.touch(connection, self.entity, self.id, now)
        self.row = {**self.row, "active": now}
        return rows

    def _row(self, seq: int, message: Message, context_id: str | None) -> dict[str, Any]:
        return {
            "entity": self.entity,
            "session_id": self.id,
            "seq": seq,
            "id": message.id,
            "agent": self.row["agent"],
            "body": message.as_dict(),
            "time": message.time,
            "tokens": self.counter.count_message(message),
            "context_id": context_id,
        }

    def set_state(self, key: str, value: Any) -> None:
        """Write one state value."""
        now = self.clock.now()
        with self._guard, self._locked() as connection:
            self._refuse_ended()
            sql.put_state(connection, self.entity, self.id, key, value, now, self.turn_count)
            sql.touch(connection, self.entity, self.id, now)
        self.state[key] = StateSlot(value, now, self.turn_count)
        self.row = {**self.row, "active": now}

    def undigested(self) -> list[Message]:
        """Return messages that no digest has taken, oldest first."""
        start = self.digested
        fresh: list[Message] = []
        for turn in reversed(self.turns.all):
            if turn.entries[-1].seq < start:
                break
            fresh[:0] = [e.message for e in turn.entries if e.seq >= start]
        return fresh

    def unsummarised(self, last: int, role: str | None = None) -> list[Message]:
        """Return messages up to turn `last` that no chunk has taken, late arrivals included.

        With a `role`, only those it heard: another's turns may still wait for their summary.
        """
        taken = int(self.chunks[-1]["last_seq"]) if self.chunks else -1
        start = max(self.summarised - 1, 0)  # a message may join a turn after its chunk closed
        turns = [t for t in self.turns.all[start : last + 1] if role in (None, t.agent)]
        return [e.message for turn in turns for e in turn.entries if e.seq > taken]

    def add_chunk(self, first: int, last: int, summary: dict[str, Any]) -> None:
        """Store the summary of turns `first` to `last`, once."""
        row = {
            "entity": self.entity,
            "session_id": self.id,
            "chunk": len(self.chunks),
            "first_turn": first,
            "last_turn": last,
            "last_seq": self.turns.all[last].entries[-1].seq,
            "summary": summary,
            "time": self.clock.now(),
        }
        self._add_once(sql.add_chunk, row)

    def add_digest(
        self, first: int, last: int, body: dict[str, Any], model: str | None, vector: bytes | None
    ) -> None:
        """Store the digest of messages `first` to `last`, once."""
        row = {
            "entity": self.entity,
            "session_id": self.id,
            "n": len(self.digests),
            "agent": self.row["agent"],
            "first_seq": first,
            "last_seq": last,
            "body": body,
            "model": model,
            "vector": vector,
            "time": self.clock.now(),
        }
        self._add_once(sql.add_digest, row)

    def _add_once(self, add: Any, row: dict[str, Any]) -> None:
        """Write a row unless another process was first, and take over what is stored."""
        with self._guard, self._locked() as connection:
            add(connection, {**row, "entity": self.entity})
            self._load(connection)

    def end(self, reason: str, conclusion: dict[str, Any] | None = None) -> None:
        """Close the session and clear its state (R3); a second end changes nothing."""
        now = self.clock.now()
        with self._guard, self._locked() as connection:
            sql.end_session(connection, self.entity, self.id, now, reason, conclusion)
            self._load(connection)

    def change_owner(self, entity: str, **columns: Any) -> None:
        """Move the session's rows to another entity (binding an identity, R6).

        Raises
        ------
        IdentityError
            If another process has given it an owner since it was looked at.
        """
        with self._guard, self.store.write(self.entity, entity) as connection:
            before = self.entity
            self._load(connection)
            if self.entity != before:
                raise IdentityError(f"session {self.id} belongs to {self.entity} already")
            sql.move_session(connection, before, entity, self.id, columns)
            self._load(connection)

    def change_agent(self, agent: str) -> None:
        """Hand the session to another agent role; earlier messages keep theirs."""
        with self._guard, self._locked() as connection:
            sql.set_agent(connection, self.entity, self.id, agent)
        self.row = {**self.row, "agent": agent}

    @contextmanager
    def _locked(self) -> Iterator[Any]:
        """Hold the lock of the session's owner, with what others wrote taken in.

        Another process may have given the session an owner while this one waited for the lock of
        the old one: then it is the new one's lock that counts.
        """
        while True:
            entity = self.entity
            with self.store.write(entity, memories=False) as connection:
                if self._version is None or self.store.version() != self._version:
                    self._load(connection)
                if self.entity == entity:
                    yield connection
                    return

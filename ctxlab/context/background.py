"""Compression off the request path: once per chunk, never blocking a turn, losing nothing (R23).

Work is done by one background thread per engine. Each digest and each narrative is one row written
in one transaction: if the process dies, the next one finds the messages still raw and goes on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ..config import Config
from ..layers.session import SessionLog
from .budget import BudgetPlan
from .compression import Narrator
from .digest import Digester

__all__ = ["Compressions"]

_log = logging.getLogger(__name__)
_REMEMBERED = 1_000  # finished jobs, and failures, kept for whoever asks for them
Embed = Callable[[str], tuple[str, bytes]]


@dataclass
class Compressions:
    """Digests and narratives of an engine's sessions.

    Parameters
    ----------
    config : Config
        Triggers.
    narrate : Narrator
        Writes one chunk's narrative. If it is local, a request waits for work that is due (some
        milliseconds), so that a replayed history gives the same contexts; a model is never waited
        for.
    embed : callable, optional
        ``text -> (model signature, float16 bytes)`` for passages. None: no model is loaded, and
        digests are made by rules alone.
    remember : callable, optional
        Draws long-term memories from a session's new messages, after each finished turn.
    warm : callable, optional
        Called when something was written, so that the next request finds it ready.
    """

    config: Config
    narrate: Narrator
    embed: Embed | None
    remember: Callable[[SessionLog], list[Any]] | None = None
    warm: Callable[[SessionLog], object] | None = None
    plan: BudgetPlan = field(init=False)
    failures: list[str] = field(default_factory=list)
    _pool: ThreadPoolExecutor | None = field(default=None, repr=False)
    _due: dict[str, Future[list[Any]]] = field(default_factory=dict, repr=False)
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.plan = BudgetPlan(self.config.budget.window, self.config.budget.shares)

    def submit(self, log: SessionLog, state_changed: bool = False) -> None:
        """Look in the background whether something is due; one job a session at a time."""
        if not (
            self._memory_due(log)
            or self._digest_due(log, state_changed)
            or self._chunk_due(log) is not None
        ):
            return
        with self._guard:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "ctxlab-compression")
            # One thread: jobs run in the order they were submitted, so the newest is the last.
            self._due.pop(log.id, None)
            self._due[log.id] = self._pool.submit(self._run, log, state_changed)
            if len(self._due) > _REMEMBERED:  # sessions that another process ends
                self._forget_done()

    def _forget_done(self) -> None:
        """Drop the oldest half of the jobs, but for those that still run."""
        for session_id, job in list(self._due.items())[: _REMEMBERED // 2]:
            if job.done():
                self._due.pop(session_id, None)

    def settle(self, session_id: str) -> None:
        """Wait for one session's work if it is local, so that contexts are reproducible."""
        job = self._due.get(session_id)
        if job is not None and self.narrate.local:
            job.result()
            self._due.pop(session_id, None)

    def job(self, session_id: str) -> Future[list[Any]] | None:
        """Return the session's newest job, whose result is what it wrote to memory."""
        return self._due.get(session_id)

    def finish(self, log: SessionLog) -> None:
        """Remember and digest what is left, now: the session ends."""
        job = self._due.pop(log.id, None)
        if job is not None:
            job.result()
        if self.remember is not None and log.remembered < log.turns.length:
            self.remember(log)
        self._digest(log)

    def flush(self) -> None:
        """Wait for all background work."""
        for session_id, job in list(self._due.items()):
            job.result()
            if self._due.get(session_id) is job:
                del self._due[session_id]

    def close(self) -> None:
        """Finish and stop the thread."""
        self.flush()
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _run(self, log: SessionLog, state_changed: bool) -> list[Any]:
        written: list[Any] = []
        try:
            log.sync()
            # Before the digest, which is what tells a later process that this was done.
            if self.remember is not None and self._memory_due(log):
                written = self.remember(log)
            if self._digest_due(log, state_changed):
                self._digest(log)
            while (last := self._chunk_due(log)) is not None:
                # The meter of R27: what a narrative would lose is in a digest before it's written.
                if log.digested <= log.turns.all[last].entries[-1].seq:
                    self._digest(log)
                summary = self.narrate(log.unsummarised(last))
                log.add_chunk(log.summarised, last, summary)
            if self.warm is not None:
                self.warm(log)
        except Exception as error:  # raw messages are still there: the next trigger tries again
            self.failures.append(f"{log.id}: {type(error).__name__}: {error}")
            del self.failures[:-_REMEMBERED]
            _log.exception("compression of %s failed; its messages stay raw", log.id)
        return written

    def _memory_due(self, log: SessionLog) -> bool:
        """Whether a turn is finished that memories may be drawn from."""
        if self.remember is None or not log.turns.all:
            return False
        return log.remembered < log.turns.length and log.turns.all[-1].closed

    def _digest_due(self, log: SessionLog, state_changed: bool) -> bool:
        fresh = log.turns.length - log.digested
        closed = not log.turns.waiting
        return closed and (
            fresh >= self.config.compression.every_messages or (state_changed and fresh > 0)
        )

    def _digest(self, log: SessionLog) -> None:
        if self.remember is not None and log.remembered < log.turns.length:
            self.remember(log)  # a digest marks its messages as remembered
        messages = log.undigested()
        if not messages:
            return
        last = log.turns.length - 1
        digest = Digester(log.row["tz"], self.embed is not None)(messages, last + 1 - len(messages))
        text = passage_text((m.role, m.text) for m in messages)
        model, vector = self.embed(text) if self.embed else (None, None)
        log.add_digest(last + 1 - len(messages), last, digest.to_dict(), model, vector)

    def _chunk_due(self, log: SessionLog) -> int | None:
        """Return the last turn of the chunk that is due, if one is (R13, R23)."""
        window = self.config.window
        first, count = log.summarised, log.turn_count
        waiting = count - first
        if not waiting:
            return None
        last = min(first + window.chunk_turns, count - 1) - 1
        roles = [turn.agent for turn in log.turns.all[first : last + 2]]
        if roles[0] != log.row["agent"] or roles[0] != roles[-1]:
            # A role's turns are summarised by themselves: summaries never cross roles (R92).
            return first + next((n for n, r in enumerate(roles) if r != roles[0]), len(roles)) - 1
        if waiting >= window.recent_turns + window.chunk_turns:
            return last
        # Under pressure a chunk closes early, so that no turn is dropped untold; even the newest
        # turn's, if it alone is too large and has been answered.
        if waiting == 1 and log.turns.all[first].closed:
            last = first
        allotted = self.plan.allotted
        budget = allotted["recent"] + allotted["memory"]
        raw = sum(turn.tokens for turn in log.turns.all[first:])
        due = raw > self.config.compression.trigger * budget and last >= first
        return last if due else None


def passage_text(said: Iterable[tuple[str, str]], without: Collection[str] = ()) -> str:
    """Return a few turns, as role and text, as one text for search (R46).

    `without` these sentences.
    """
    texts = [text for role, text in said if role in ("user", "assistant") and text]
    return "\n".join(leave_out(text, without) for text in texts)


def leave_out(text: str, without: Collection[str]) -> str:
    """Return a text without some of its sentences."""
    for sentence in without:
        text = text.replace(sentence, "")
    return text.strip()

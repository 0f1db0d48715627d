"""The engine: receive, load, route, assemble within budget, call the model, update (R80)."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any
from zoneinfo import ZoneInfo

from .clock import Clock, SystemClock
from .config import Config
from .context.assembly import Assembler
from .context.blocks import Block
from .context.budget import BudgetPlan
from .context.compression import Extractive
from .context.request import Context, Material
from .context.routing import Router
from .errors import ConfigError, IdentityError
from .layers.session import SessionLog
from .messages import Message
from .models.chat import Chat, StandIn
from .session import Session
from .storage import conversations as sql
from .storage.store import Store
from .tokens import TokenCounter
from .trace import Trace
from .turns import Entry, Turn

__all__ = ["ContextEngine"]

SYSTEM_PROMPT = (
    "You are a customer-support agent. Answer in the customer's language, from what stands below; "
    "say so when you don't know. Text in framed blocks is memory: use it, don't quote the frames."
)
STATE = {"order_id": str, "product": str, "step": str, "last_intent": str}


class ContextEngine:
    """Context and memory for support conversations, over one database.

    Parameters
    ----------
    url : str
        ``"sqlite:///lab.db"``, ``"sqlite://"`` (in memory) or ``"postgresql+psycopg://…"``.
    config : Config, optional
        All thresholds.
    embedder : str, object or None
        ``"auto"`` (default), ``"minilm"``, a model name or path, or an embedder.
    chat : callable, optional
        The model: ``chat(messages, tools=None, max_tokens=…) -> str | assistant message``.
        Default: an offline stand-in that says what it can see.
    clock : Clock, optional
        Default: the machine's.
    system_prompt : str
        Static instructions, the first message of every context.
    state : dict, optional
        Declared state keys and their types; default order_id, product, step, last_intent.

    Examples
    --------
    >>> with ContextEngine("sqlite://") as engine:
    ...     session = engine.open_session(user_id="U001")
    ...     turn = session.send("My order is A1029, where is it?")
    ...     context = session.prepare("Which order did I name?")
    >>> context.route.mode
    'EXHAUSTIVE'
    """

    def __init__(
        self,
        url: str = "sqlite://",
        config: Config | None = None,
        embedder: Any = "auto",
        chat: Chat | None = None,
        clock: Clock | None = None,
        system_prompt: str = SYSTEM_PROMPT,
        state: Mapping[str, type] | None = None,
    ) -> None:
        self.config = config or Config()
        self.clock = clock or SystemClock()
        self.chat: Chat = chat or StandIn()
        self.embedder = embedder
        self.state_keys = dict(STATE if state is None else state)
        self.counter = TokenCounter(self.config.budget.encoding, self.config.budget.image_tokens)
        self.store = Store(url)
        prompt = Message("system", system_prompt)
        self._prompt = [Entry.of(-1, prompt, self.counter)] if system_prompt else []
        self._logs: weakref.WeakValueDictionary[str, SessionLog] = weakref.WeakValueDictionary()
        self._assembler = Assembler(self.config, self.counter)
        self._router = Router(self.config.routing)
        self._compressor = Extractive(self.config.compression)
        self._plan = BudgetPlan(self.config.budget.window, self.config.budget.shares)

    # ------------------------------------------------------------------ sessions

    def open_session(
        self,
        user_id: str | None = None,
        agent: str = "support",
        account_id: str | None = None,
        tz: str = "UTC",
        session_id: str | None = None,
    ) -> Session:
        """Start a session, or resume one by `session_id`.

        Parameters
        ----------
        user_id : str, optional
            None: anonymous, no long-term memory (R6).
        agent : str
            Agent role.
        account_id : str, optional
            Account shared by several users.
        tz : str
            IANA zone in which relative dates are meant.
        session_id : str, optional
            Resume that session; `user_id`, if given, must be its user.

        Raises
        ------
        IdentityError
            No such session, or it belongs to another user.
        ConfigError
            Unknown zone.
        """
        if session_id is not None:
            log = self._log(session_id)
            if user_id is not None and log.row["user_id"] != user_id:
                raise IdentityError(f"session {session_id} doesn't belong to {user_id!r}")
            return Session(self, log)
        for name, value in (("user_id", user_id), ("account_id", account_id)):
            if value is not None and (not isinstance(value, str) or not value):
                raise IdentityError(f"{name} must be non-empty text or None, got {value!r}")
        try:
            ZoneInfo(tz)
        except (KeyError, ValueError, OSError) as error:
            raise ConfigError(f"tz: {tz!r} is no IANA time zone, e.g. 'Asia/Shanghai'") from error
        return Session(self, self._log(self._new_session(user_id, agent, account_id, tz)))

    def _new_session(self, user_id: str | None, agent: str, account_id: str | None, tz: str) -> str:
        now = self.clock.now()
        owner = "session" if user_id is None else f"customer:{user_id}"
        with self.store.write(owner) as connection:
            # Derived, not random, so that a replayed history gives the same ids.
            n = 0
            while True:
                seed = f"{owner}|{agent}|{now.isoformat()}|{n}"
                raw = seed.encode("utf-8", "surrogatepass")
                session_id = f"s-{hashlib.blake2s(raw, digest_size=8).hexdigest()}"
                if sql.session_row(connection, session_id) is None:
                    break
                n += 1
            row = {
                "entity": f"session:{session_id}" if user_id is None else owner,
                "id": session_id,
                "user_id": user_id,
                "account_id": account_id,
                "agent": agent,
                "tz": tz,
                "started": now,
                "active": now,
            }
            sql.add_session(connection, row)
        return session_id

    def _log(self, session_id: str) -> SessionLog:
        """Return the one view of a session in this process, so that its caches are shared."""
        log = self._logs.get(session_id)
        if log is None:
            log = SessionLog(session_id, self.store, self.counter, self.clock, self.config)
            self._logs[session_id] = log
        log.sync()
        return log

    # ------------------------------------------------------------------ the loop

    def build(
        self,
        log: SessionLog,
        earlier: Sequence[Turn],
        current: Turn,
        tools: Sequence[Mapping[str, Any]] | None,
        trace: Trace,
        context_id: str,
        pending: Message | None,
        previous: int | None,
    ) -> Context:
        """Load, route and assemble one request; called by ``session.prepare``."""
        system = [*self._prompt, *log.turns.preface]
        static = sum(e.tokens for e in system) + self.counter.count_tools(tools)
        history = log.turns.tokens + (current.tokens if pending is not None else 0)
        blocks = self._load(log, trace)
        trace.lap("load")
        fits = history + static <= self._plan.input_limit
        route = self._router(len(earlier) + 1, fits, tool_calls=current.calls)
        trace.add("route", "R60", "history", route.mode, "; ".join(route.reasons))
        trace.lap("route")
        given = Material(
            session_id=log.id,
            system=system,
            turns=earlier,
            current=current,
            blocks=blocks,
            route=route,
            now=self.clock.now(),
            narratives=log.narratives(),
            tools=tools,
            previous=previous,
        )
        messages, layers, ledger = self._assembler(given, trace)
        trace.lap("assemble")
        state = {key: slot.value for key, slot in log.state.items()}
        return Context(
            id=context_id,
            session_id=log.id,
            messages=messages,
            layers=tuple(layers),
            ledger=ledger,
            route=route,
            trace=trace,
            tools=tools,
            pending=pending,
            state=state,
        )

    def _load(self, log: SessionLog, trace: Trace) -> dict[str, Block]:
        blocks: dict[str, Block] = {}
        if log.state:
            lines, turn = [], log.turn_count
            for key, slot in sorted(log.state.items()):
                if slot.value is None:
                    continue
                lines.append(f"{key}: {slot.value}")
                held = turn - slot.turn
                reason = f"last written in turn {slot.turn}, {held} turns ago"
                trace.add("load", "R3", f"state.{key}", "read", reason)
            if lines:
                blocks["state"] = Block("state", tuple(lines), "task", title="Task state")
        conclusion = self._conclusion(log)
        if conclusion:
            blocks["conclusion"] = conclusion
        return blocks

    def _conclusion(self, log: SessionLog) -> Block | None:
        """Find the last thing known of this user's previous session with the same agent role."""
        if log.row["user_id"] is None:
            return None
        if log.previous_conclusion is None:
            with self.store.read() as connection:
                rows = sql.sessions_of(connection, log.entity)
            done = [
                r
                for r in rows
                if r["conclusion"]
                and r["agent"] == log.row["agent"]
                and r["id"] != log.id
                and r["started"] <= log.row["started"]
            ]
            log.previous_conclusion = done[-1] if done else {}
        row = log.previous_conclusion
        if not row:
            return None
        text = row["conclusion"]["narrative"]
        title = "Conclusion of the previous session"
        return Block("conclusion", (text,), f"session {row['id']}", row["ended"], title)

    def after_messages(self, log: SessionLog, stored: Sequence[Message]) -> None:
        """Summarise the chunks that left the whole-turn zone; called after each write."""
        window, limits = self.config.window, self.config.compression
        budget = self._plan.allot()["recent"] + self._plan.allot()["memory"]
        while True:
            first = log.summarised
            waiting = log.turn_count - first
            last = min(first + window.chunk_turns, log.turn_count - 1) - 1
            ripe = waiting >= window.recent_turns + window.chunk_turns
            if not ripe and waiting:
                # Under pressure a chunk closes early, so that no turn is dropped untold; even the
                # newest turn's, if it alone is too large and has been answered.
                raw = sum(turn.tokens for turn in log.turns.all[first:])
                if waiting == 1 and log.turns.all[first].closed:
                    last = first
                ripe = raw > limits.trigger * budget and last >= first
            if not ripe:
                return
            log.add_chunk(first, last, self._compressor(log.unsummarised(last)))

    def conclude(self, log: SessionLog, reason: str) -> None:
        """End a session with a conclusion for the next one."""
        rest = log.unsummarised(log.turn_count)
        log.end(reason, self._compressor(rest) if rest else None)

    # ------------------------------------------------------------------ housekeeping

    def flush(self) -> None:
        """Wait for background work."""

    def sweep(self) -> dict[str, int]:
        """Close stale sessions and free their state (R2); returns what was done."""
        now, limits = self.clock.now(), self.config.session
        idle = now - timedelta(minutes=limits.idle_minutes)
        old = now - timedelta(hours=limits.max_hours)
        with self.store.read() as connection:
            stale = sql.stale_sessions(connection, idle, old)
        for session_id in stale:
            log = self._log(session_id)
            self.conclude(log, "idle_timeout" if log.row["active"] < idle else "max_age")
        return {"sessions_closed": len(stale)}

    def close(self) -> None:
        """Finish background work and close the database."""
        self.flush()
        self.store.close()

    def __enter__(self) -> ContextEngine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

"""The engine: receive, load, route, assemble within budget, call the model, update (R80)."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from .clock import Clock, SystemClock
from .config import Config
from .context.assembly import Assembler
from .context.background import Compressions
from .context.budget import BudgetPlan
from .context.compression import Extractive, Narrator
from .context.request import Context, Material
from .context.routing import Router
from .errors import ConfigError, IdentityError
from .layers.memory import Memory
from .layers.session import SessionLog
from .loader import Loader
from .longterm import LongTerm, WriteRouter
from .messages import Message
from .mitigations.privacy import PrivacyPolicy, mask_message, mask_value
from .models.chat import Chat, StandIn
from .session import Session
from .storage import conversations as sql
from .storage.store import Store
from .tokens import TokenCounter
from .trace import Trace
from .turns import Entry, Turn
from .types import check_name

if TYPE_CHECKING:
    from .consolidation import ConsolidationReport
    from .models.embedding import Embedder

__all__ = ["ContextEngine"]

SYSTEM_PROMPT = (
    "You are a customer-support agent. Answer in the customer's language, from what stands below; "
    "say so when you don't know. Text in framed blocks is memory: use it, don't quote the frames."
)
_CONCLUSION_ITEMS = 8
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
        ``"auto"`` (default), ``"minilm"``, a model name or path, or an embedder. None: no vectors,
        no long-term memories drawn from turns, and routing by counters alone; only the scanner for
        sensitive content still reads with a model of its own (``mitigations.privacy``).
    chat : callable, optional
        The model: ``chat(messages, tools=None, max_tokens=…) -> str | assistant message``.
        Default: an offline stand-in that says what it can see.
    clock : Clock, optional
        Default: the machine's.
    system_prompt : str
        Static instructions, the first message of every context.
    state : dict, optional
        Declared state keys and their types; default order_id, product, step, last_intent.
    narrator : Narrator, optional
        Writes narratives of older turns; default extractive, see ``ctxlab.context.compression``.
    router : Router, optional
        Decides how history is carried; default the rules of ``config.routing``, else for example
        ``ctxlab.context.fitted_router.FittedRouter.load()``.

    Examples
    --------
    >>> with ContextEngine("sqlite://") as engine:
    ...     session = engine.open_session(user_id="U001")
    ...     turn = session.send("My order is A1029, where is it?")
    ...     context = session.prepare("How long does delivery take?")
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
        narrator: Narrator | None = None,
        router: Router | None = None,
    ) -> None:
        self.config = config or Config()
        self.clock = clock or SystemClock()
        self.chat: Chat = chat or StandIn()
        self._embedder = embedder
        self.state_keys = dict(STATE if state is None else state)
        self.counter = TokenCounter(self.config.budget.encoding, self.config.budget.image_tokens)
        self.store = Store(url)
        prompt = Message("system", system_prompt)
        self._prompt = [Entry.of(-1, prompt, self.counter)] if system_prompt else []
        self._logs: weakref.WeakValueDictionary[str, SessionLog] = weakref.WeakValueDictionary()
        self.memory = Memory(self.store, embedder, self.config, self.clock)
        self.memory.on_erase.append(self._forget)
        self._longterm = LongTerm(self.memory, self.config, WriteRouter(tuple(self.state_keys)))
        router = router or Router(self.config.routing)
        self._loader = Loader(self.config, self._longterm, router, lambda: self.embedder)
        self._privacy = PrivacyPolicy(self.config.privacy, self.config.mitigations.privacy)
        self._assembler = Assembler(self.config, self.counter)
        self._plan = BudgetPlan(self.config.budget.window, self.config.budget.shares)
        self._compressions = Compressions(
            self.config,
            narrator or Extractive(self.config.compression),
            None if embedder is None else self._embed,
            None if embedder is None else self._remember,
            self._warm,
        )

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder, loaded when first needed; None if the engine was made without one."""
        if self._embedder is None:
            return None
        from .models.embedding import get_embedder

        return get_embedder(self._embedder)

    def _embed(self, text: str) -> tuple[str, bytes]:
        from .storage.vectors import pack

        assert self.embedder is not None
        return str(self.embedder.signature), pack(self.embedder.encode([text])[0])

    def _remember(self, log: SessionLog) -> list[Any]:
        return self._longterm.write(log)

    def _warm(self, log: SessionLog) -> None:
        """Take in and count what was just summarised, before a request has to."""
        role = self.role_of(log)
        log.narratives(role)
        self._loader.recall(log, role).items()

    def _forget(self, entity: str) -> None:
        """Drop what is held in memory of an entity that is being erased."""
        self._compressions.flush()
        for session_id, log in list(self._logs.items()):
            if log.entity == entity:
                del self._logs[session_id]

    def screen(self, message: Message) -> Message:
        """Return a message as it may be stored: sensitive content masked (R91)."""
        return mask_message(message, self._privacy)

    def screen_value(self, key: str, value: Any) -> Any:
        """Return a state value as it may be stored (R91)."""
        return mask_value(value, key, self._privacy)

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
            log = self._log(check_name(session_id, "session_id"))
            if user_id is not None and log.row["user_id"] != user_id:
                raise IdentityError(f"session {session_id} doesn't belong to {user_id!r}")
            return Session(self, log)
        for name, value in (("user_id", user_id), ("account_id", account_id)):
            if value is not None:
                check_name(value, name)
        check_name(agent, "agent")
        try:
            ZoneInfo(tz)
        except (KeyError, ValueError, OSError, TypeError, AttributeError) as error:
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

    def settle(self, log: SessionLog) -> None:
        """Wait for a session's local background work, and look what is stored; before a request."""
        self._compressions.settle(log.id)
        log.sync()

    def build(
        self,
        log: SessionLog,
        earlier: Sequence[Turn],
        current: Turn,
        tools: Sequence[Mapping[str, Any]] | None,
        trace: Trace,
        context_id: str,
        pending: Message | None,
        previous: Context | None,
    ) -> Context:
        """Load, route and assemble one request; called by ``session.prepare``."""
        role = self.role_of(log)
        system = [*self._prompt, *log.turns.preface]
        static = sum(e.tokens for e in system) + self.counter.count_tools(tools)
        history = log.turns.tokens + (current.tokens if pending is not None else 0)
        recall = self._loader.recall(log, role)
        question = next((e.message.text for e in current.entries if e.message.role == "user"), "")
        blocks, named = self._loader.load(log, recall, question, trace)
        trace.lap("load")
        fits = history + static <= self._plan.input_limit
        route = self._loader.route(question, current.calls, len(earlier) + 1, fits, trace)
        if route.mode == "RETRIEVAL":
            self._loader.retrieve(blocks, log, recall, question, named, trace)
        trace.lap("route")
        given = Material(
            session_id=log.id,
            system=system,
            turns=earlier,
            current=current,
            blocks=blocks,
            route=route,
            now=self.clock.now(),
            narratives=log.narratives(role),
            items=recall.items(blocks.get("profile")),
            framed=[*log.framed, *recall.framed],
            tools=tools,
            previous=previous,
            memo=recall.memo,
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

    def role_of(self, log: SessionLog) -> str | None:
        """Return the role whose past a session may see; None if the scopes switch is off (R92)."""
        return str(log.row["agent"]) if self.config.mitigations.scopes else None

    def after_messages(self, log: SessionLog, stored: Sequence[Message]) -> None:
        """See to what new messages make due; called after each write."""
        self._compressions.submit(log)

    def job(self, log: SessionLog) -> Future[list[Any]] | None:
        """Return a session's newest background job."""
        return self._compressions.job(log.id)

    def after_bind(self, log: SessionLog) -> None:
        """Draw memories from what was said while the session was anonymous (R6)."""
        log.remembered = 0
        self._compressions.submit(log)

    def after_state(self, log: SessionLog) -> None:
        """Update the structured items: a key of the state changed (R23)."""
        self._compressions.submit(log, state_changed=True)

    def hand_over(self, log: SessionLog, to: str) -> None:
        """Give a session to another role, once all it heard so far is filed under the old (R92)."""
        self._compressions.finish(log)
        log.change_agent(to)
        self._compressions.submit(log)

    def conclude(self, log: SessionLog, reason: str) -> None:
        """End a session with a conclusion for the next one."""
        if log.row["ended"] is not None:
            return
        self._compressions.finish(log)
        role = self.role_of(log)
        recall = self._loader.recall(log, role)
        lines = recall.holds(_CONCLUSION_ITEMS)
        rest = recall.gist(log.unsummarised(log.turn_count, role))
        told = self._compressions.narrate(rest)["narrative"] if rest else ""
        lines += [told] if told else []
        conclusion = {"lines": lines, "agent": log.row["agent"]} if lines else None
        log.end(reason, conclusion)

    # ------------------------------------------------------------------ housekeeping

    def resize(self, window: int) -> None:
        """Give requests from now on another window, in tokens; summaries follow suit (R51)."""
        if window != self.config.budget.window:
            self.config = self.config.with_({"budget.window": window})
            self._assembler = Assembler(self.config, self.counter)
            self._plan = self._compressions.plan = self._assembler.plan
            for log in list(self._logs.values()):
                self._compressions.submit(log)

    def flush(self) -> None:
        """Wait for background compression and extraction, and write the reads that wait."""
        self._compressions.flush()
        self.memory.flush()

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
        return {"sessions_closed": len(stale), "memories_expired": self.memory.sweep()}

    def consolidate(self, entity: str | None = None, progress: bool = False) -> ConsolidationReport:
        """Make lasting what finished sessions said for good (R100); see ``consolidate``."""
        from .consolidation import consolidate

        self.flush()
        return consolidate(self, entity, progress)

    def close(self) -> None:
        """Finish background work and close the database."""
        self._compressions.close()
        self.memory.close()
        self.store.close()

    def __enter__(self) -> ContextEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

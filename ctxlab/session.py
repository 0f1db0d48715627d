"""One conversation with the engine: prepare, commit, send (R1 to R6, R80)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .context.guard import find_leaks, strip_leaks
from .context.request import Context
from .errors import IdentityError, MessageError, StateKeyError
from .layers.session import SessionLog
from .messages import Message
from .models.chat import call_chat
from .trace import Trace
from .turns import Turn as DialogueTurn

if TYPE_CHECKING:
    from .engine import ContextEngine

__all__ = ["Session", "State", "Turn"]

Tools = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Turn:
    """Result of ``session.send``: the reply, the context it saw, and what was written."""

    reply: str
    context: Context
    job: Future[list[Any]] | None = field(default=None, repr=False)

    @property
    def writes(self) -> list[Any]:
        """What became of the memories drawn from this turn (waits for the background job)."""
        return self.job.result() if self.job is not None else []


class State(MutableMapping[str, Any]):
    """The task's state: declared keys only, JSON values, stored at once (R3).

    A value read is a copy: change it by assigning, not in place.
    """

    def __init__(self, log: SessionLog, engine: ContextEngine) -> None:
        self._log = log
        self._engine = engine
        self._declared: Mapping[str, type] = engine.state_keys

    def _known(self, key: str) -> None:
        if not isinstance(key, str):
            raise StateKeyError(f"{key!r:.80} is no name of a state key: expected text")
        if key not in self._declared:
            raise StateKeyError(f"{key!r} is not declared{_nearest(key, self._declared)}")

    def __getitem__(self, key: str) -> Any:
        self._known(key)
        self._log.sync()
        if key not in self._log.state:
            written = _nearest(key, self._log.state) or "; nothing has been written yet"
            raise StateKeyError(f"{key!r} was never written in this session{written}")
        return json.loads(json.dumps(self._log.state[key].value))

    def __setitem__(self, key: str, value: Any) -> None:
        self._known(key)
        wanted = self._declared[key]
        if value is not None and not isinstance(value, wanted):
            raise StateKeyError(
                f"{key!r} is declared {wanted.__name__}, got {type(value).__name__} {value!r}"
            )
        try:
            value = json.loads(json.dumps(value))
        except (TypeError, ValueError) as error:
            raise StateKeyError(f"{key!r}: {value!r} isn't JSON ({error})") from error
        self._log.check_open()
        self._log.set_state(key, self._engine.screen_value(key, value))
        self._engine.after_state(self._log)

    def __delitem__(self, key: str) -> None:
        self[key] = None

    def __iter__(self) -> Iterator[str]:
        self._log.sync()
        return iter(sorted(self._log.state))

    def __len__(self) -> int:
        self._log.sync()
        return len(self._log.state)

    def __repr__(self) -> str:
        return f"State({dict(self)!r})"


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    """Name the key that was probably meant."""
    import difflib

    close = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    return f"; did you mean {close[0]!r}? ({', '.join(sorted(known))})" if close else ""


class Session:
    """A conversation; made by ``engine.open_session``.

    Attributes
    ----------
    state : State
        The task's data, cleared when the session ends.
    """

    def __init__(self, engine: ContextEngine, log: SessionLog) -> None:
        self._engine = engine
        self._log = log
        self._pending: Context | None = None
        self._count = 0
        self._last: Context | None = None
        self.state = State(log, engine)

    def __repr__(self) -> str:
        return f"<Session {self.id} {self.entity} {self.agent}, {self._log.turn_count} turns>"

    @property
    def id(self) -> str:
        """Session id, for ``engine.open_session(session_id=…)``."""
        return self._log.id

    @property
    def user_id(self) -> str | None:
        """The user, or None while anonymous."""
        user_id: str | None = self._log.row["user_id"]
        return user_id

    @property
    def agent(self) -> str:
        """Agent role that holds the session."""
        return str(self._log.row["agent"])

    @property
    def entity(self) -> str:
        """Owner of the session's rows."""
        return self._log.entity

    @property
    def ended(self) -> bool:
        """Whether the session is over."""
        self._log.sync()
        return self._log.row["ended"] is not None

    @property
    def messages(self) -> list[Message]:
        """All stored messages, oldest first."""
        self._log.sync()
        return self._log.messages()

    def prepare(
        self, message: str | Mapping[str, Any] | Message | None = None, tools: Tools | None = None
    ) -> Context:
        """Receive, load, route and assemble: steps one to four (R80).

        Nothing is stored: the message joins the session with ``commit``. A second prepare replaces
        the first.

        Parameters
        ----------
        message : str, dict or Message, optional
            What the user said. None continues after tool results.
        tools : sequence of dict, optional
            Tool definitions in OpenAI form.

        Raises
        ------
        MessageError
            The message is malformed, or there is nothing to continue.
        BudgetError
            What may not be dropped doesn't fit; the error names the part.
        SessionExpired
            The session is over.
        """
        trace = Trace()
        self._engine.settle(self._log)
        self._log.check_open()
        given = None if message is None else Message.of(message)
        if given is not None and given.role != "user":
            raise MessageError(f"prepare takes what a user said, not {given.role}", "role")
        earlier, current = self._split(given)
        trace.lap("receive")
        self._count += 1
        context = self._engine.build(
            self._log,
            earlier,
            current,
            tools,
            trace,
            f"{self.id}/{self._log.turns.length}/{self._count}",
            given,
            self._last,
        )
        self._last = context
        self._pending = context
        return context

    def _split(self, given: Message | None) -> tuple[list[DialogueTurn], DialogueTurn]:
        turns = self._log.turns
        heard = self._log.turns_of(self._engine.role_of(self._log))
        if given is not None:
            return heard, turns.preview(given)
        if not turns.all:
            raise MessageError("there is nothing to continue: give prepare a message")
        if turns.waiting:
            missing = ", ".join(sorted(turns.waiting))
            raise MessageError(
                f"calls without a result: {missing}; session.add their tool messages first",
                "tool_call_id",
            )
        current = turns.all[-1]
        return heard[:-1] if heard[-1:] == [current] else heard, current

    def discard(self) -> None:
        """Drop a prepared message."""
        self._pending = None

    def commit(
        self, reply: str | Mapping[str, Any] | Message, context: Context | None = None
    ) -> list[Message]:
        """Store the prepared message and the reply, together (step six).

        Parameters
        ----------
        reply : str, dict or Message
            What the assistant said, or an assistant message with tool calls.
        context : Context, optional
            The context that was answered; default the last one prepared. Committing the same one
            twice changes nothing.

        Returns
        -------
        list of Message
            What was stored; empty if it had been before.
        """
        context = context or self._pending
        if context is None:
            raise MessageError("nothing was prepared: call session.prepare(message) first")
        if context.session_id != self.id:
            raise IdentityError(f"that context belongs to session {context.session_id}")
        if isinstance(reply, Mapping):
            reply = {"role": "assistant", **reply}
        answer = Message.of(reply, role="assistant")
        if answer.role != "assistant":
            raise MessageError(f"a reply is an assistant message, not {answer.role}", "role")
        self._log.sync()
        if self._log.has_context(context.id):
            return []
        self._log.check_open()
        new = [answer] if context.pending is None else [context.pending, answer]
        stored = self._log.append([self._engine.screen(m) for m in new], context.id)
        if self._pending is context:
            self._pending = None
        self._engine.after_messages(self._log, stored)
        return stored

    def add(self, message: Mapping[str, Any] | Message) -> Message | None:
        """Store any message: a tool result, an import, what a human agent said.

        Idempotent by the message's id. An assistant message after ``prepare`` is a commit.

        Returns
        -------
        Message or None
            As stored; None if it was there already.
        """
        given = self._engine.screen(Message.of(message))
        self._log.sync()
        if self._log.knows(given):
            return None
        if given.role == "assistant" and self._pending is not None:
            stored = self.commit(given)
            return stored[-1] if stored else None
        self._log.check_open()
        stored = self._log.append([given])
        self._engine.after_messages(self._log, stored)
        return stored[0]

    def send(
        self,
        text: str | Mapping[str, Any] | Message,
        tools: Tools | None = None,
        run_tool: Callable[[str, dict[str, Any]], Any] | None = None,
        max_rounds: int = 8,
    ) -> Turn:
        """Run all six steps with ``engine.chat``, tool calls included.

        Parameters
        ----------
        text : str, dict or Message
            What the user said.
        tools : sequence of dict, optional
            Tool definitions.
        run_tool : callable, optional
            ``(name, arguments) -> result``; needed if the model calls tools. An exception in it is
            reported to the model as the tool's result.
        max_rounds : int
            Model calls at most; then MessageError.

        Notes
        -----
        If the model fails, the exception is raised and nothing of that round is stored; tool calls
        of earlier rounds did happen and stay on record.
        """
        context = self.prepare(text, tools)
        for _ in range(max_rounds):
            reserve = context.ledger.plan.allot()["reserve"]
            try:
                reply = call_chat(self._engine.chat, context.messages, tools, reserve)
            except BaseException:
                self.discard()
                raise
            context.trace.lap("model")
            if not reply.tool_calls:
                for leak in find_leaks(reply.text):
                    context.trace.add("update", "R73", leak.rule, "removed", leak.text[:80])
                    reply = reply.with_(content=strip_leaks(reply.text))
                self.commit(reply, context)
                context.trace.lap("update")
                return Turn(reply.text, context, self._engine.job(self._log))
            if run_tool is None:
                self.discard()
                names = ", ".join(call.name for call in reply.tool_calls)
                raise MessageError(f"the model called {names}: give send run_tool=", "tool_calls")
            self.commit(reply, context)
            for call in reply.tool_calls:
                self.add(_run(run_tool, call))
            context = self.prepare(None, tools)
        self.discard()
        raise MessageError(f"the model still called tools after {max_rounds} rounds", "max_rounds")

    def bind(self, user_id: str, by: str) -> None:
        """Give an anonymous session its user; recorded with who did it (R6).

        Raises
        ------
        IdentityError
            If the session has another user already.
        """
        self._log.sync()
        if self.user_id is not None:
            if self.user_id == user_id:
                return
            raise IdentityError(
                f"session {self.id} belongs to {self.user_id!r}: open another for {user_id!r}"
            )
        self._log.check_open()
        self._log.change_owner(f"customer:{user_id}", user_id=user_id, bound_by=by)
        self._engine.after_bind(self._log)

    def handoff(self, to: str) -> None:
        """Hand the session to another agent role; what this one heard is filed under it first."""
        self._log.sync()
        self._log.check_open()
        self._engine.hand_over(self._log, to)

    def end(self, reason: str = "done") -> None:
        """Close the session; its state is cleared, its messages stay in the store."""
        self._log.sync()
        self._engine.conclude(self._log, reason)


def _run(run_tool: Callable[[str, dict[str, Any]], Any], call: Any) -> dict[str, Any]:
    try:
        arguments = json.loads(call.arguments or "{}")
        result = run_tool(call.name, arguments)
        content = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    except Exception as error:  # the model must hear of it; the conversation goes on
        content = json.dumps({"error": f"{type(error).__name__}: {error}"}, ensure_ascii=False)
    return {"role": "tool", "tool_call_id": call.id, "content": content}

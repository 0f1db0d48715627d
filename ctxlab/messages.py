"""Messages: what one is, whether it's well formed, whether a list of them is legal (R10, R77)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from .clock import as_utc
from .errors import MessageError

__all__ = ["ROLES", "Message", "ToolCall", "check_messages", "check_text", "text_of"]

ROLES = ("system", "user", "assistant", "tool")
Content = str | tuple[Mapping[str, Any], ...] | None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the assistant asks for; `arguments` is JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str

    def as_dict(self) -> dict[str, Any]:
        """Return the OpenAI form."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes
    ----------
    role : str
        ``system``, ``user``, ``assistant`` or ``tool``.
    content : str, tuple of parts, or None
        Text, or OpenAI-style parts (``{"type": "text", …}``, ``{"type": "image_url", …}``).
    name : str, optional
        Who speaks, when two people share a session (R5); on tool messages the tool's name.
    tool_calls : tuple of ToolCall
        Calls made by an assistant message.
    tool_call_id : str, optional
        The call a tool message answers.
    id : str, optional
        Identity for idempotent writes; the session gives one if absent.
    time : datetime, optional
        When it was said, aware UTC; the session's clock gives one if absent.

    Examples
    --------
    >>> Message.of("where is my parcel?").role
    'user'
    """

    role: str
    content: Content = None
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    id: str | None = None
    time: datetime | None = None

    @classmethod
    def of(cls, given: str | Mapping[str, Any] | Message, role: str = "user") -> Message:
        """Validate anything a caller may hand over.

        Parameters
        ----------
        given : str, mapping or Message
            A text (taken as said by `role`), an OpenAI-style message dict, or a message.

        Raises
        ------
        MessageError
            Naming the field that is wrong.
        """
        if isinstance(given, Message):
            given = {**given.as_dict(), "id": given.id, "time": given.time}
        elif isinstance(given, str):
            given = {"role": role, "content": given}
        if not isinstance(given, Mapping):
            raise MessageError(f"expected text, a dict or a Message, got {type(given).__name__}")
        return _parse(given)

    @property
    def text(self) -> str:
        """All text parts, joined by newlines."""
        return text_of(self.content)

    def as_dict(self) -> dict[str, Any]:
        """Return the OpenAI form, without id and time."""
        content = list(self.content) if isinstance(self.content, tuple) else self.content
        out: dict[str, Any] = {"role": self.role, "content": content}
        if self.name:
            out["name"] = self.name
        if self.tool_calls:
            out["tool_calls"] = [call.as_dict() for call in self.tool_calls]
        if self.tool_call_id is not None:
            out["tool_call_id"] = self.tool_call_id
        return out

    def with_(self, **changes: Any) -> Message:
        """Return a copy with fields replaced."""
        return replace(self, **changes)


def text_of(content: Any) -> str:
    """Return the text of a content value: a string, parts, or nothing.

    Examples
    --------
    >>> text_of([{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {}}])
    'hi'
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "\n".join(str(p["text"]) for p in content if isinstance(p.get("text"), str))


def _parse(data: Mapping[str, Any]) -> Message:
    role = data.get("role")
    if role == "developer":  # OpenAI's newer name for the same role
        role = "system"
    if role not in ROLES:
        raise MessageError(f"{role!r} is not one of {', '.join(ROLES)}", "role")
    given = data.get("tool_calls") or ()
    if not isinstance(given, Sequence):
        raise MessageError(f"expected a list, got {type(given).__name__}", "tool_calls")
    calls = tuple(_parse_call(call) for call in given)
    if calls and role != "assistant":
        raise MessageError("only an assistant message may call tools", "tool_calls")
    if len({call.id for call in calls}) != len(calls):
        raise MessageError("two calls share one id", "tool_calls")
    call_id = data.get("tool_call_id")
    if role == "tool" and not (isinstance(call_id, str) and call_id):
        raise MessageError("a tool message needs the id of the call it answers", "tool_call_id")
    content = _parse_content(data.get("content"))
    if content is None and not calls:
        raise MessageError("a message needs content or tool calls", "content")
    for key in ("name", "id"):
        if data.get(key) is not None and not isinstance(data[key], str):
            raise MessageError(f"expected text, got {type(data[key]).__name__}", key)
    time = data.get("time")
    return Message(
        role=role,
        content=content,
        name=data.get("name") or None,
        tool_calls=calls,
        tool_call_id=call_id if role == "tool" else None,
        id=data.get("id"),
        time=None if time is None else as_utc(time),
    )


def _parse_content(content: Any) -> Content:
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, bytes):
        raise MessageError("bytes: decode them first, e.g. data.decode('utf-8')", "content")
    if not isinstance(content, Sequence):
        raise MessageError(f"expected text or parts, got {type(content).__name__}", "content")
    for part in content:
        if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
            raise MessageError("each part must be a dict with a type", "content")
        if part["type"] == "text" and not isinstance(part.get("text"), str):
            raise MessageError("a text part needs text", "content")
    return tuple(content)


def _parse_call(call: Any) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise MessageError("each call needs a function with a name", "tool_calls")
    if not isinstance(call.get("id"), str) or not call["id"]:
        raise MessageError("each call needs an id", "tool_calls")
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):  # some clients hand over the parsed object
        try:
            arguments = json.dumps(arguments, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            wrong = f"arguments of {call['id']!r} aren't JSON ({error})"
            raise MessageError(wrong, "tool_calls") from error
    return ToolCall(call["id"], function["name"], arguments)


def check_messages(messages: Iterable[Mapping[str, Any]], provider: str = "openai") -> list[str]:
    """List what a provider would reject in a message list; empty if it's legal (R77).

    Parameters
    ----------
    messages : iterable of dict
        OpenAI-style messages, or Anthropic-style ones (without the system prompt).
    provider : str
        ``"openai"`` or ``"anthropic"``.

    References
    ----------
    OpenAI: each id in ``tool_calls`` must be answered by ``tool`` messages that follow at once.
    Anthropic: roles alternate, the first is ``user``, and each ``tool_use`` is answered by a
    ``tool_result`` at the start of the next user message.

    Examples
    --------
    >>> check_messages([{"role": "tool", "tool_call_id": "c1", "content": "…"}])
    ['message 0: tool result for c1, which no call just before it asked for']
    """
    if provider not in ("openai", "anthropic"):
        raise MessageError(f"{provider!r} is neither 'openai' nor 'anthropic'", "provider")
    if not isinstance(messages, Iterable):
        raise MessageError(f"expected a list, got {type(messages).__name__}", "messages")
    return (_check_openai if provider == "openai" else _check_anthropic)(list(messages))


def check_text(text: object, field: str = "text") -> str:
    """Return `text` if it is text.

    Raises
    ------
    MessageError
        If it isn't, with what to do about bytes.
    """
    if not isinstance(text, str):
        raw = isinstance(text, bytes | bytearray)
        remedy = ": decode them first, e.g. data.decode('utf-8')" if raw else ""
        raise MessageError(f"expected text, got {type(text).__name__}{remedy}", field)
    return text


def _check_openai(messages: list[Mapping[str, Any]]) -> list[str]:
    faults: list[str] = []
    waiting: dict[str, int] = {}  # call id -> index of the message that asked
    for i, given in enumerate(messages):
        try:
            message = Message.of(given)
        except MessageError as error:
            faults.append(f"message {i}: {error}")
            continue
        if message.role == "tool":
            if waiting.pop(message.tool_call_id or "", None) is None:
                faults.append(
                    f"message {i}: tool result for {message.tool_call_id}, "
                    "which no call just before it asked for"
                )
            continue
        faults += [f"message {at}: call {call} has no result" for call, at in waiting.items()]
        waiting = {call.id: i for call in message.tool_calls}
    faults += [f"message {at}: call {call} has no result" for call, at in waiting.items()]
    if not messages:
        faults.append("the list is empty")
    return faults


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    given = content if isinstance(content, Sequence) else ()
    return [block if isinstance(block, Mapping) else {"type": None} for block in given]


def _check_anthropic(messages: list[Any]) -> list[str]:
    faults: list[str] = []
    waiting: dict[str, int] = {}
    previous = None
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            faults.append(f"message {i}: expected a dict, got {type(message).__name__}")
            continue
        role = message.get("role")
        if role not in ("user", "assistant"):
            faults.append(f"message {i}: role {role!r} is not user or assistant")
        if role == previous:
            faults.append(f"message {i}: two {role} messages in a row")
        previous = role
        blocks = _blocks(message)
        if not blocks or any(b.get("type") == "text" and not b.get("text") for b in blocks):
            faults.append(f"message {i}: empty content")
        faults += _check_results(i, role, blocks, waiting)
        faults += [f"message {at}: call {call} has no result" for call, at in waiting.items()]
        waiting = {str(b.get("id")): i for b in blocks if b.get("type") == "tool_use"}
        if waiting and role != "assistant":
            faults.append(f"message {i}: only the assistant may call tools")
    faults += [f"message {at}: call {call} has no result" for call, at in waiting.items()]
    if not messages:
        faults.append("the list is empty")
    elif isinstance(messages[0], Mapping) and messages[0].get("role") != "user":
        faults.append("message 0: the first message must be the user's")
    return faults


def _check_results(
    i: int, role: Any, blocks: list[Mapping[str, Any]], waiting: dict[str, int]
) -> list[str]:
    """Check a message's tool results, and take the calls they answer out of `waiting`."""
    faults = []
    kinds = [b.get("type") for b in blocks]
    results = [str(b.get("tool_use_id")) for b in blocks if b.get("type") == "tool_result"]
    if "tool_result" in kinds[len(results) :]:
        faults.append(f"message {i}: tool results must come first in the message")
    for call in results:
        if role != "user" or waiting.pop(call, None) is None:
            faults.append(f"message {i}: tool result for {call}, which no call asked for")
    return faults

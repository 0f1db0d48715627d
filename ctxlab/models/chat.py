"""Chat models: any callable will do; the default is a stand-in that says what it can see (R80)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..messages import Message, text_of

__all__ = ["Chat", "StandIn", "call_chat"]

Chat = Callable[..., str | Mapping[str, Any]]

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+|[A-Za-z]*-?\d[\w-]*|[\u4e00-\u9fff]")
_STOP = frozenset(
    "the a an is are was were be to of in on at for and or it its i my me you your we can could "
    "please what where when how do does did this that have has with will would".split()
) | frozenset("的了吗呢我你是在有不这那个请和就也都能什么怎")
_OPENINGS = ("From what I can see:", "我能看到：", "I can't see", "我这边看不到")
_SPLIT = re.compile(r"(?<=[。！？!?])|(?<=[.])\s|\n")


@dataclass(frozen=True)
class StandIn:
    """Answers with the sentence of its context that shares most with the question.

    No model, no network, always the same answer: what it can't see it can't say, so a reply shows
    what the context held.

    Examples
    --------
    >>> StandIn()([{"role": "user", "content": "My order is A1029."},
    ...            {"role": "assistant", "content": "Noted."},
    ...            {"role": "user", "content": "Which order did I name?"}])
    'From what I can see: "My order is A1029."'
    """

    def __call__(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """Return a reply; `tools` are never called and the reply is short of any `max_tokens`."""
        asked = max(i for i, m in enumerate(messages) if m["role"] == "user")
        question = text_of(messages[asked].get("content"))
        zh = re.search(r"[\u4e00-\u9fff]", question) is not None
        wanted = self._words(question)
        best, score = "", 0.0
        for i, message in enumerate(messages):
            text = text_of(message.get("content"))
            own = message["role"] == "assistant" and text.startswith(_OPENINGS)
            if i == asked or own or (i == 0 and message["role"] == "system"):
                continue
            for sentence in _SPLIT.split(text):
                words = self._words(sentence or "")
                shared = len(words & wanted)
                # Later wins among equals; a number is worth more than another common word.
                value = shared + 0.5 * any(c.isdigit() for c in sentence or "") + i * 1e-6
                if shared and value > score:
                    best, score = sentence.strip(), value
        if not best:
            return (
                f"{_OPENINGS[3]}相关信息，请再提供一下。"
                if zh
                else f"{_OPENINGS[2]} anything about it."
            )
        return f"{_OPENINGS[1]}「{best}」" if zh else f'{_OPENINGS[0]} "{best}"'

    @staticmethod
    def _words(text: str) -> set[str]:
        return {w.lower() for w in _WORD.findall(text)} - _STOP


def call_chat(
    chat: Chat,
    messages: list[dict[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    max_tokens: int,
) -> Message:
    """Call a model with the arguments it takes, and validate its reply.

    Raises
    ------
    MessageError
        If the reply is neither text nor an assistant message.
    """
    offered = {"tools": tools, "max_tokens": max_tokens}
    try:
        known = inspect.signature(chat).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        known = inspect.signature(lambda messages: None).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in known.values()):
        offered = {name: value for name, value in offered.items() if name in known}
    reply = chat(messages, **offered)
    if isinstance(reply, Mapping):
        reply = {"role": "assistant", **reply}
    return Message.of(reply, role="assistant")

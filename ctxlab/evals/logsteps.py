"""The requests a logged conversation made, and what naive windows would have sent for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..context.window import CountWindow
from ..messages import Message, check_messages
from ..tokens import PER_REPLY, TokenCounter
from ..turns import follow
from .transcripts import Conversation

__all__ = ["Step", "naive_rows", "static_tokens", "steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """One request of the log."""

    seen: int  # messages of the log that the request may draw on
    pending: Message | None  # the last of them, if a user said it just now
    turn: int
    abandoned: int  # calls so far that the user cut off: no list can hold them
    full: int  # tokens of a request that carries everything said so far


def steps(talk: Conversation, prompt: str, counter: TokenCounter) -> Iterator[Step]:
    """Find the requests: at a user message, and when the last open call has its result."""
    waiting: frozenset[str] = frozenset()
    full = static_tokens(talk, prompt, counter)
    turn, abandoned = -1, 0
    for seen, message in enumerate(talk.messages, 1):
        if message.role == "user" or (turn < 0 and message.role != "system"):
            turn += 1
        full += counter.count_message(message)
        abandoned += len(waiting) if message.role == "user" else 0
        waiting = follow(waiting, message)
        if message.role == "user":
            yield Step(seen, message, turn, abandoned, full)
        elif message.role == "tool" and not waiting:
            yield Step(seen, None, turn, abandoned, full)


def static_tokens(talk: Conversation, prompt: str, counter: TokenCounter) -> int:
    """Tokens of a request before anything is said."""
    system = counter.count_text_message("system", prompt) if prompt else 0
    return PER_REPLY + system + counter.count_tools(talk.tools)


def naive_rows(
    talk: Conversation, prompt: str, counts: Sequence[int], counter: TokenCounter
) -> Iterator[dict[str, Any]]:
    """Make the same requests by counting messages, and once with all of them."""
    said = [message.as_dict() for message in talk.messages]
    head = [{"role": "system", "content": prompt}] if prompt else []
    for step in steps(talk, prompt, counter):
        row = {"conversation": talk.id, "turn": step.turn, "full": step.full}
        for keeps in counts:
            sent = CountWindow(keeps)([*head, *said[: step.seen]])
            broken = len(check_messages(sent))
            opening = next((m["role"] for m in sent if m["role"] != "system"), "none")
            yield row | {
                "keeps": keeps,
                "tokens": counter.count_messages(sent, talk.tools),
                "broken_pairs": broken,
                "invalid": broken > 0 or opening != "user",
            }
        cut_off = {"broken_pairs": step.abandoned, "invalid": step.abandoned > 0}
        yield row | {"keeps": 0, "tokens": step.full, **cut_off}

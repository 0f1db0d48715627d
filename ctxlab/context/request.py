"""What a request may draw on, and what became of it (R1, R75)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..layers.session import Narrative
from ..messages import Message
from ..trace import Trace
from ..turns import Entry, Turn
from .anthropic import to_anthropic
from .blocks import Block
from .budget import LAYERS, Ledger
from .routing import RouteDecision

__all__ = ["ORDER", "Context", "Material", "Memo"]

ORDER = ("profile", "past", "conclusion", "summary", "state")  # R70


@dataclass(slots=True)
class Memo:
    """What the latest requests of a session came to; most of the next is the same.

    Attributes
    ----------
    told : dict
        What a summary tells, by what decides it.
    summary : tuple, optional
        The latest summary's frame and lines, its message and its tokens.
    frames : dict
        Tokens of a summary's frame by its shape.
    sent : list of dict
        The latest request's messages, as they are held; a caller gets copies.
    """

    told: dict[Any, Any] = field(default_factory=dict)
    summary: tuple[Any, dict[str, Any], int] | None = None
    frames: dict[Any, int] = field(default_factory=dict)
    sent: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Material:
    """All that a request may draw on, before any of it is chosen."""

    session_id: str
    system: Sequence[Entry]
    turns: Sequence[Turn]
    current: Turn
    blocks: Mapping[str, Block]
    route: RouteDecision
    now: datetime
    narratives: Sequence[Narrative] = ()  # oldest first
    # Of the structured summary: firm items, the most important first, and the others.
    items: tuple[Sequence[Narrative], Sequence[Narrative]] = ((), ())
    framed: Sequence[str] = ()  # of these lines, those that hold what looks like a frame
    tools: Sequence[Mapping[str, Any]] | None = None
    previous: Context | None = None
    memo: Memo = field(default_factory=Memo)


@dataclass(frozen=True)
class Context:
    """What the model sees in one request, and why (R1).

    Attributes
    ----------
    id : str
        Identity for an idempotent commit.
    messages : list of dict
        OpenAI-style messages.
    layers : tuple of str
        Layer of each message.
    ledger : Ledger
        Tokens by layer.
    route : RouteDecision
        How history is carried.
    trace : Trace
        Every decision.
    """

    id: str
    session_id: str
    messages: list[dict[str, Any]]
    layers: tuple[str, ...]
    ledger: Ledger
    route: RouteDecision
    trace: Trace
    tools: Sequence[Mapping[str, Any]] | None = None
    pending: Message | None = None
    state: Mapping[str, Any] = field(default_factory=dict)

    def as_anthropic(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return ``(system, messages)`` for Anthropic's API.

        `system` is a list of text blocks, the static prompt first, so that it can carry a cache
        mark of its own (R70); `messages` alternate as that API wants.
        """
        return to_anthropic(self.messages)

    def as_dict(self) -> dict[str, Any]:
        """Return the internal form as JSON-ready data (R75)."""
        by_layer: dict[str, list[Any]] = {layer: [] for layer in LAYERS}
        for layer, message in zip(self.layers, self.messages, strict=True):
            by_layer[layer].append(message)
        texts = {layer: [m["content"] for m in by_layer[layer]] for layer in ORDER}
        return {
            "id": self.id,
            "session_id": self.session_id,
            "mode": self.route.mode,
            "system": [m["content"] for m in by_layer["system"]],
            "core_memories": texts["profile"],
            "past": texts["past"] + texts["conclusion"],
            "working_memory": dict(self.state),
            "history": {"recent": by_layer["recent"], "summary": texts["summary"]},
            "tokens": {"total": self.ledger.total, "window": self.ledger.window},
        }

    def __str__(self) -> str:
        """Print the list as it will be sent."""
        lines = [f"# {self.id} · {self.route.mode} · {self.ledger.total:,} tokens"]
        for layer, m in zip(self.layers, self.messages, strict=True):
            calls = "".join(
                f"\n  -> {c['function']['name']}({c['function']['arguments']})"
                for c in m.get("tool_calls", ())
            )
            lines.append(f"[{layer}] {m['role']}: {m['content'] or ''}{calls}")
        return "\n".join(lines)

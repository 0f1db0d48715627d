"""LangGraph's store with LangChain's ``trim_messages`` as one of the systems (extra ``bench``).

What the libraries do here: the store keeps texts under a namespace for each user and finds them by
meaning; ``trim_messages`` cuts the present conversation to the budget. What this adapter adds,
because it is left to the application: instructions, which texts are stored (everything customers
and agents say, as no model chooses), the date before each, and an exact token counter. Task state
and agent roles have no counterpart and are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...engine import SYSTEM_PROMPT
from ...errors import MissingExtra
from ...messages import Message
from .baselines import Threads, asked, owner, told, wires
from .langchain_models import embeddings
from .protocol import MemorySystem, Place, Seen

__all__ = ["LangGraphStore"]


@dataclass(frozen=True)
class LangGraphStore:
    """LangGraph's in-memory store; its SQLite store ranks alike but needs loadable extensions.

    Parameters
    ----------
    k : int
        Memories shown.
    embedder : str or Embedder
        As for ``cx.ContextEngine``.

    Raises
    ------
    MissingExtra
        On ``open``, if LangGraph isn't installed.

    Examples
    --------
    >>> LangGraphStore(k=10).name
    'langgraph store'
    """

    k: int = 5
    embedder: Any = "auto"
    name: str = "langgraph store"
    prompt: str = SYSTEM_PROMPT

    def open(self) -> MemorySystem:
        """Make a fresh store in memory."""
        try:
            from langgraph.store.memory import InMemoryStore
        except ImportError as error:
            raise MissingExtra("langgraph", "bench") from error
        model = embeddings(self.embedder)
        index: Any = {"dims": model.dimension, "embed": model, "fields": ["text"]}
        return _LangGraph(self.prompt, k=self.k, store=InMemoryStore(index=index))


@dataclass
class _LangGraph(Threads):
    k: int = 5
    store: Any = None
    _count: int = 0

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        super().observe(message, place, state)
        given = Message.of(message)
        if given.role in ("user", "assistant") and given.text:
            self._count += 1
            value = {"text": given.text, "date": f"{place.time:%Y-%m-%d}", "role": given.role}
            self.store.put(_namespace(owner(place)), f"m{self._count}", value)

    def context(self, question: str, place: Place, budget: int) -> Seen:
        talk = [*wires(self.session_turns(place)), asked(question)]
        shown = {str(message.get("content")) for message in talk}
        found = self._find(question, place, self.k)
        lines = [f"- ({v['date']}) {v['text']}" for v in found if v["text"] not in shown]
        blocks = [told(self.prompt)] + ([told("\n".join(lines))] if lines else [])
        left = budget - sum(self.counter.count_message(block) for block in blocks)
        kept = self._trimmed(talk, left)
        layers = ("system", *["past"] * bool(lines), *["recent"] * len(kept))
        return Seen([*blocks, *kept], layers)

    def _trimmed(self, talk: list[dict[str, Any]], limit: int) -> list[dict[str, Any]]:
        from langchain_core.messages import (
            convert_to_messages,
            convert_to_openai_messages,
            trim_messages,
        )

        def count(part: Any) -> int:
            wire: Any = convert_to_openai_messages(part)
            return self.counter.count_messages(wire)

        kept = trim_messages(
            convert_to_messages(talk),
            max_tokens=limit,
            token_counter=count,
            strategy="last",
            start_on="human",
        )
        made: Any = convert_to_openai_messages(kept)
        return list(made)

    def _find(self, query: str, place: Place, k: int) -> list[dict[str, Any]]:
        found = self.store.search(_namespace(owner(place)), query=query, limit=k)
        return [item.value for item in found]

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        return [value["text"] for value in self._find(query, place, k)]

    def erase(self, user: str) -> None:
        super().erase(user)
        for item in self.store.search(_namespace(user), limit=self._count):
            self.store.delete(item.namespace, item.key)

    def stored(self, user: str) -> str | None:
        held = self.store.search(_namespace(user), limit=max(1, self._count))
        return "\n".join([super().stored(user) or "", *(item.value["text"] for item in held)])


def _namespace(user: str) -> tuple[str, str]:
    return ("users", user)

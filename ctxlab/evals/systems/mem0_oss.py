"""mem0's open-source edition as one of the systems that are measured (extra ``bench``).

What mem0 does here: it stores texts under a user, embeds them, and searches them. With
``infer=True`` a model draws facts from each exchange first. What this adapter adds, because mem0
leaves it to the application: instructions, the present session's last turns word for word, the
date before each memory, and the token budget. Sessions, handoffs and task state have no
counterpart and are ignored; agent roles are kept apart only with ``by_agent=True``.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...engine import SYSTEM_PROMPT
from ...errors import MissingExtra
from ...messages import Message
from ...models.chat import Chat
from .baselines import Searched, owner
from .langchain_models import chat_model, embeddings
from .protocol import MemorySystem, Place

__all__ = ["Mem0"]

_EVERYTHING = 100_000  # memories listed; more than a user of a benchmark has


@dataclass(frozen=True)
class Mem0:
    """mem0 with a local store: nothing leaves the machine unless a remote model is given.

    Parameters
    ----------
    infer : bool
        False: texts are stored as they are. True: a model extracts facts, which needs `chat` or
        `model`.
    chat : callable, optional
        Any chat callable as the extracting model: a local one, or a stub.
    model, base_url, api_key : str, optional
        An OpenAI-compatible model instead.
    k, recent : int
        Memories shown, and turns of the present session kept word for word.
    by_agent : bool
        Store and search under the agent role too: then no role sees what another heard.
    embedder : str or Embedder
        As for ``cx.ContextEngine``.

    Raises
    ------
    MissingExtra
        On ``open``, if mem0 isn't installed.

    Examples
    --------
    >>> Mem0(infer=True, by_agent=True).name
    'mem0, inferring, by role'
    """

    infer: bool = False
    chat: Chat | None = None
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    k: int = 5
    recent: int = 6
    by_agent: bool = False
    embedder: Any = "auto"
    prompt: str = SYSTEM_PROMPT

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"mem0{', inferring' * self.infer}{', by role' * self.by_agent}"

    def open(self) -> MemorySystem:
        """Make a fresh store in memory."""
        return _Mem0(self.prompt, k=self.k, recent=self.recent, memory=_memory(self), spec=self)


def _memory(spec: Mem0) -> Any:
    """Make mem0's ``Memory`` without telemetry, files or downloads."""
    os.environ["MEM0_TELEMETRY"] = "False"  # read once, on import
    try:
        from mem0 import Memory
        from mem0.memory import main, notices
        from mem0.utils import spacy_models
        from qdrant_client import QdrantClient
    except ImportError as error:
        raise MissingExtra("mem0", "bench") from error
    main.MEM0_TELEMETRY = notices.telemetry_module.MEM0_TELEMETRY = False  # if it was read before
    # With spaCy there and its English model not, mem0 would download that model.
    spacy_models._load_failed_full = spacy_models._load_failed_lemma = True
    logging.getLogger("mem0").setLevel(logging.ERROR)
    model = embeddings(spec.embedder)
    with _quiet():
        client = QdrantClient(":memory:")
        store = {"client": client, "embedding_model_dims": model.dimension}
        return Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "embedder": {"provider": "langchain", "config": {"model": model}},
                "llm": _llm(spec),
                "history_db_path": ":memory:",
            }
        )


def _llm(spec: Mem0) -> dict[str, Any]:
    if spec.model is not None:
        config = {"model": spec.model, "openai_base_url": spec.base_url, "api_key": spec.api_key}
        return {"provider": "openai", "config": config}
    return {"provider": "langchain", "config": {"model": chat_model(spec.chat or _silent)}}


def _silent(messages: list[dict[str, Any]]) -> str:
    """Stand in for a model: it finds nothing worth keeping."""
    return '{"memory": []}'


@contextmanager
def _quiet() -> Iterator[None]:
    """Hush what a local store says of indexes that only a server has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@dataclass
class _Mem0(Searched):
    memory: Any = None
    spec: Mem0 = field(default_factory=Mem0)
    _waiting: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _ids: dict[str, list[str]] = field(default_factory=dict)

    def observe(
        self, message: Mapping[str, Any], place: Place, state: Mapping[str, Any] | None = None
    ) -> None:
        super().observe(message, place, state)
        given = Message.of(message)
        if given.role not in ("user", "assistant") or not given.text:
            return
        exchange = self._waiting.setdefault(place.session, [])
        exchange.append({"role": given.role, "content": given.text})
        # As its guide shows: an exchange at a time, once the assistant has answered.
        if given.role == "assistant" or not self.spec.infer:
            self._add(self._waiting.pop(place.session), place)

    def _add(self, exchange: list[dict[str, Any]], place: Place) -> None:
        with _quiet():
            added = self.memory.add(
                exchange,
                metadata={"time": place.time.isoformat()},
                infer=self.spec.infer,
                **self._scope(place),
            )
        self._ids.setdefault(owner(place), []).extend(row["id"] for row in added["results"])

    def _scope(self, place: Place) -> dict[str, str]:
        role = {"agent_id": place.agent} if self.spec.by_agent else {}
        return {"user_id": owner(place)} | role

    def end(self, place: Place) -> None:
        rest = self._waiting.pop(place.session, None)
        if rest:
            self._add(rest, place)

    def search(self, query: str, place: Place, k: int = 5) -> list[str]:
        with _quiet():
            found = self.memory.search(query, filters=self._scope(place), top_k=k)["results"]
        return [f"({row['metadata']['time'][:10]}) {row['memory']}" for row in found]

    def erase(self, user: str) -> None:
        super().erase(user)
        with _quiet():
            self.memory.delete_all(user_id=user)

    def stored(self, user: str) -> str | None:
        """Return live memories, and mem0's own history and message tables."""
        with _quiet():
            live = self.memory.get_all(filters={"user_id": user}, top_k=_EVERYTHING)["results"]
        texts = [row["memory"] for row in live]
        mine = set(self._ids.get(user, ()))
        query = "SELECT memory_id, old_memory, new_memory FROM history"
        for memory_id, old, new in self.memory.db.connection.execute(query):
            texts += [text for text in (old, new) if text and memory_id in mine]
        for scope, content in self.memory.db.connection.execute(
            "SELECT session_scope, content FROM messages"
        ):
            texts += [content] if user in scope else []
        return "\n".join([super().stored(user) or "", *texts])

    def close(self) -> None:
        with _quiet():
            self.memory.close()

"""ctxlab's local embedder and any chat callable, dressed as LangChain's (extra ``bench``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import MissingExtra
from ...models.chat import Chat, call_chat

__all__ = ["chat_model", "embeddings"]

_REPLY = 2048  # tokens a model may write


def embeddings(name: Any = "auto") -> Any:
    """Return an embedder as LangChain's ``Embeddings``, with its ``dimension``.

    Raises
    ------
    MissingExtra
        If LangChain isn't installed.
    """
    try:
        from langchain_core.embeddings import Embeddings
    except ImportError as error:
        raise MissingExtra("langchain", "bench") from error
    from ...models.embedding import get_embedder

    made = get_embedder(name)

    class _Embeddings(Embeddings):
        dimension = made.dimension

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return made.encode(texts).tolist() if texts else []

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return _Embeddings()


def chat_model(chat: Chat) -> Any:
    """Return a chat callable as LangChain's ``BaseChatModel``.

    Raises
    ------
    MissingExtra
        If LangChain isn't installed.
    """
    try:
        from langchain_core.language_models.chat_models import SimpleChatModel
        from langchain_core.messages import BaseMessage, convert_to_openai_messages
    except ImportError as error:
        raise MissingExtra("langchain", "bench") from error

    class _ChatModel(SimpleChatModel):
        @property
        def _llm_type(self) -> str:
            return "ctxlab"

        def _call(
            self,
            messages: list[BaseMessage],
            stop: Sequence[str] | None = None,
            run_manager: Any = None,
            **kwargs: Any,
        ) -> str:
            said = convert_to_openai_messages(messages)
            return call_chat(chat, said, None, _REPLY).text

    return _ChatModel()

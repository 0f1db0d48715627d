"""Narratives by a model over any OpenAI-compatible endpoint: validated, with a fallback (R26).

It fails closed: whatever goes wrong, the extractive narrative is stored instead and the fault is
recorded beside it. An error text never becomes history.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..config import Compression
from ..errors import MissingExtra
from ..language.attributes import key_literals
from ..language.text import guess_language
from ..messages import Message
from .compression import Extractive, size_of

__all__ = ["ModelNarrator", "Written"]

_PROMPTS = {
    "en": "Summarise this part of a customer-support conversation in at most {words} words. Keep "
    "ids, amounts, dates, names, promises and refusals exactly as they stand. Add nothing that "
    'isn\'t there. Answer with JSON only: {{"narrative": "…"}}',
    "zh": "用不超过 {chars} 个字概括这段客服对话。编号、金额、日期、姓名、承诺和拒绝须原样保留，"
    '不要添加对话里没有的内容。只输出 JSON：{{"narrative": "……"}}',
}
_INVENTED = 0.34  # share of a narrative's literals that may be absent from the source: spelling


class Written(BaseModel):
    """The reply a model must give."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)
    narrative: str = Field(min_length=1)


@dataclass
class ModelNarrator:
    """Ask a model for a chunk's narrative.

    Parameters
    ----------
    model : str
        Model name at the endpoint.
    base_url : str, optional
        Endpoint, for example ``http://localhost:11434/v1`` (Ollama), or vLLM, llama.cpp, DeepSeek,
        Qwen. Default: OpenAI's.
    api_key : str, optional
        Default: the environment's ``OPENAI_API_KEY``; local servers take any text.
    timeout : float
        Seconds for one call.
    config : Compression
        Limits on length (R20).
    reply_tokens : int
        Tokens the model may write.

    Raises
    ------
    MissingExtra
        If the ``openai`` package isn't installed.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = None
    timeout: float = 30.0
    config: Compression = field(default_factory=Compression)
    reply_tokens: int = 400
    local: bool = False  # a request never waits for a model
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})

    def __post_init__(self) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingExtra("openai", "llm") from error
        self._client = openai.OpenAI(
            base_url=self.base_url, api_key=self.api_key, timeout=self.timeout, max_retries=1
        )
        self._extractive = Extractive(self.config)

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Return ``narrative``, ``message_ids``, ``confidence``, ``by``, and ``fault`` if any."""
        import openai

        safe = self._extractive(messages)
        try:
            text = self._ask(messages)
            narrative = self._validate(text, messages)
        except (openai.OpenAIError, ValidationError, ValueError) as error:
            return {**safe, "fault": f"{type(error).__name__}: {error}"[:300]}
        return {**safe, "narrative": narrative, "confidence": 0.8, "by": self.model}

    def _ask(self, messages: Sequence[Message]) -> str:
        talk = "\n".join(f"{m.name or m.role}: {m.text}" for m in messages if m.role != "tool")
        language = "zh" if guess_language(talk) == "zh" else "en"
        limits = {"words": self.config.max_words_en, "chars": self.config.max_chars_zh}
        reply = self._client.chat.completions.create(
            model=self.model,
            messages=[
                {"role": "system", "content": _PROMPTS[language].format(**limits)},
                {"role": "user", "content": talk},
            ],
            max_tokens=self.reply_tokens,
            temperature=0.0,
            response_format={"type": "json_object"},
        )
        if reply.usage is not None:
            self.tokens["prompt"] += reply.usage.prompt_tokens
            self.tokens["completion"] += reply.usage.completion_tokens
        if not reply.choices or reply.choices[0].finish_reason not in ("stop", "eos"):
            raise ValueError("the reply was cut off")
        return reply.choices[0].message.content or ""

    def _validate(self, text: str, messages: Sequence[Message]) -> str:
        """Return the narrative if it's JSON, within its limit, and invents no literal."""
        start, end = text.find("{"), text.rfind("}")
        narrative = Written.model_validate(json.loads(text[start : end + 1] or "null")).narrative
        if size_of(narrative, self.config) > 1.2:
            raise ValueError("the narrative is longer than its limit")
        said = "".join(m.text for m in messages)
        literals = key_literals(narrative)
        invented = [x for x in literals if x not in said]
        if len(invented) > _INVENTED * len(literals):
            raise ValueError(f"it names what nobody said: {', '.join(invented[:5])}")
        return narrative

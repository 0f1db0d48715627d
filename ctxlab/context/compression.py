"""Narratives of turns that leave the window: extractive by default, by a model if given (R13, R20).

A narrative is short prose about one chunk of turns. What must not be lost is not its business:
items and triples hold that (``ctxlab.context.digest``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..config import Compression
from ..language.attributes import key_literals
from ..language.repairs import repair
from ..language.text import guess_language, sentences
from ..messages import Message

__all__ = ["Extractive", "Narrator", "size_of"]

_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear|thanks?|thank you|ok(?:ay)?|sure|bye|good (?:morning|day|evening)|"
    r"you'?re welcome|您好|你好|谢谢|多谢|好的?|嗯+|再见|不客气|在吗|亲)\W*$",
    re.IGNORECASE,
)


_WHO = {"user": ("Customer", "客户"), "assistant": ("Agent", "客服")}
_PLAIN = 0.2  # of the limit: for sentences without literals, which tell what it was about


class Narrator(Protocol):
    """Writes a chunk's narrative; `local` ones are quick, deterministic and may be waited for."""

    @property
    def local(self) -> bool:
        """Whether it runs here, in bounded time."""
        ...

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Return ``narrative``, ``message_ids``, ``confidence`` and ``by``."""
        ...


@dataclass(frozen=True)
class Extractive:
    """Keep the sentences that carry literals, then the openings, within the limit of R20 (R26).

    Parameters
    ----------
    config : Compression
        ``max_chars_zh`` and ``max_words_en`` bound the narrative.

    Examples
    --------
    >>> said = [Message.of("Hello!"), Message.of("Order A1029 is late. It rains.")]
    >>> Extractive()(said)["narrative"]
    'Customer: Order A1029 is late. It rains.'
    """

    config: Compression = Compression()
    local: bool = True

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Summarise one chunk of messages.

        Returns
        -------
        dict
            ``narrative`` (text), ``message_ids`` (the sources), ``confidence`` (0 to 1, the share
            of sentences with literals that found room) and ``by``.
        """
        found = []
        seen: set[str] = set()
        # Tool noise is left out; what mattered of it is in the reply.
        spoken = [m for m in messages if m.role in ("user", "assistant")]
        # As it was meant: a number that was taken back is nobody's.
        meant = repair([m.text for m in spoken], [m.role == "user" for m in spoken])
        for place, (message, text) in enumerate(zip(spoken, meant, strict=True)):
            for n, sentence in enumerate(sentences(text)):
                words = "".join(sentence.lower().split())
                if _GREETING.match(sentence) or words in seen:  # R22
                    continue
                seen.add(words)
                literals = len(key_literals(sentence))
                weight = 2.0 * min(literals, 3) + (message.role == "user") + (n == 0)
                found.append((weight, place, n, message, sentence, literals))
        chosen, left, plain = [], 1.0, _PLAIN
        for item in sorted(found, key=lambda item: (-item[0], item[1], item[2])):
            size = size_of(item[4], self.config)
            if size <= left and (item[5] or size <= plain):
                chosen.append(item)
                left -= size
                plain -= 0 if item[5] else size
        chosen.sort(key=lambda item: (item[1], item[2]))
        rich = sum(1 for item in found if item[5])
        kept = sum(1 for item in chosen if item[5])
        parts, speaker = [], ""
        for _, _, _, message, sentence, _ in chosen:
            said = _speaker(message)
            parts.append(sentence if said == speaker else said + sentence)
            speaker = said
        return {
            "narrative": " ".join(parts),
            "message_ids": sorted({m.id for _, _, _, m, _, _ in chosen if m.id}),
            "confidence": round(kept / rich, 3) if rich else 1.0,
            "by": "extractive",
        }


def _speaker(message: Message) -> str:
    """Name who spoke; not by the role's own label, which could pass for a message (R76)."""
    chinese = guess_language(message.text) != "en"
    who = message.name or _WHO[message.role][chinese]
    return f"{who}：" if chinese else f"{who}: "


def size_of(text: str, config: Compression) -> float:
    """Return the share of the limit that a text takes: characters in Chinese, words in English."""
    if guess_language(text) == "zh":
        return len(text) / config.max_chars_zh
    return len(text.split()) / config.max_words_en

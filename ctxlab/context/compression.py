"""Narratives of turns that leave the window: extractive, local, deterministic (R13, R20, R26)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..config import Compression
from ..messages import Message

__all__ = ["Extractive"]

# What a reader would miss most: ids, numbers, amounts, dates.
_LITERAL = re.compile(r"[A-Za-z]*[-#]?\d[\d\-/:.,]*[A-Za-z0-9]*|[¥$€£]\s?\d")
_SENTENCE = re.compile(r"[^。！？!?\n.]+(?:\.(?=\d)[^。！？!?\n.]*)*[。！？!?.]*")
_CJK = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Extractive:
    """Keep the sentences that carry literals, then the openings, within the limit of R20.

    Parameters
    ----------
    config : Compression
        ``max_chars_zh`` and ``max_words_en`` bound the narrative.
    """

    config: Compression = Compression()

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Summarise one chunk of messages.

        Returns
        -------
        dict
            ``narrative`` (text), ``message_ids`` (the sources), ``confidence`` (0 to 1, the share
            of literal-bearing sentences that found room).
        """
        found = []
        for place, message in enumerate(messages):
            if message.role not in ("user", "assistant"):
                continue  # tool noise; what mattered of it is in the reply
            sentences = [s.strip() for s in _SENTENCE.findall(message.text) if s.strip()]
            for n, sentence in enumerate(sentences):
                literals = len(_LITERAL.findall(sentence))
                weight = 2.0 * min(literals, 3) + (message.role == "user") + (n == 0)
                found.append((weight, place, n, message, sentence, literals))
        chosen, left = [], 1.0
        for item in sorted(found, key=lambda item: (-item[0], item[1], item[2])):
            size = self._size(item[4])
            if size <= left:
                chosen.append(item)
                left -= size
        chosen.sort(key=lambda item: (item[1], item[2]))
        rich = [item for item in found if item[5]]
        kept = [item for item in chosen if item[5]]
        speaker = ""
        parts = []
        for _, _, _, message, sentence, _ in chosen:
            said = message.name or message.role
            parts.append(sentence if said == speaker else f"{said}: {sentence}")
            speaker = said
        return {
            "narrative": " ".join(parts),
            "message_ids": sorted({m.id for _, _, _, m, _, _ in chosen if m.id}),
            "confidence": round(len(kept) / len(rich), 3) if rich else 1.0,
        }

    def _size(self, sentence: str) -> float:
        """Return the share of the limit that a sentence takes, in its own language's unit."""
        if _CJK.search(sentence):
            return len(sentence) / self.config.max_chars_zh
        return len(sentence.split()) / self.config.max_words_en

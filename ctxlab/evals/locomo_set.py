"""LoCoMo: very long dialogues of two people, with the turns that answer each question (R115).

Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents". The data is
CC BY-NC 4.0 and doesn't ship with ctxlab: name your own copy. Categories as coded in it: 1
multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..layers.passages import Passage
from .evidence import Haystack, Question, evidence_recall, passages_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["load_locomo", "locomo"]

_REFERENCE = re.compile(r"D:?(\d+):(\d+)")  # some are written "D:11:26" or "D30:05"
_SESSION = re.compile(r"session_(\d+)")


def load_locomo(path: str | Path) -> list[Haystack]:
    """Read ``locomo10.json``: one haystack a conversation, one passage a turn.

    Parameters
    ----------
    path : str or Path
        Your copy.

    Returns
    -------
    list of Haystack
        A turn's text is its speaker, what was said, and the caption of a picture that was shown.
        Questions without evidence that can be found are left out (8 of 1,986 as published).

    Raises
    ------
    DataError
        If it isn't such a file.
    """
    try:
        samples = json.loads(Path(path).read_text(encoding="utf-8"))
        stacks = [_stack(sample) for sample in samples]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: not a LoCoMo file ({error!r:.200})") from error
    if not stacks:
        raise DataError(f"{path}: no conversation in it")
    return stacks


def _stack(sample: Mapping[str, Any]) -> Haystack:
    said = sample["conversation"]
    numbers = sorted(int(m[1]) for key in said if (m := _SESSION.fullmatch(key)))
    passages: list[Passage] = []
    units: list[str] = []
    for number in numbers:
        turns = said[f"session_{number}"]
        time = _time(said[f"session_{number}_date_time"])
        told = [(turn["speaker"], _text(turn)) for turn in turns]
        passages += passages_of(f"session {number}", told, time, len(passages))
        units += [turn["dia_id"] for turn in turns]
    known = frozenset(units)
    questions = [
        Question(asked["question"], str(asked["category"]), evidence)
        for asked in sample["qa"]
        if (evidence := known & frozenset(_references(asked["evidence"])))
    ]
    return Haystack(str(sample["sample_id"]), passages, units, questions)


def _text(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _references(evidence: list[str]) -> Iterator[str]:
    for text in evidence:
        for session, turn in _REFERENCE.findall(text):
            yield f"D{int(session)}:{int(turn)}"


def _time(text: str) -> datetime:
    """Parse ``1:56 pm on 8 May, 2023``."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def locomo(path: str | Path, progress: bool = True, **settings: Any) -> pd.DataFrame:
    """Measure evidence recall on LoCoMo, by category.

    Parameters
    ----------
    path : str or Path
        Your copy of ``locomo10.json``.
    progress : bool
        Show a bar; all ten conversations take a few minutes at most, most of it embedding.
    **settings
        As for ``evidence_recall``: `ks`, `budgets`, `modes`, `rivals`, `embedder`, `weights`.

    Returns
    -------
    pandas.DataFrame
        ``system mode category k budget recall n``; the category "overall" is 1 to 4, as in the
        published tables.

    Raises
    ------
    DataError
        If the file isn't LoCoMo's.

    References
    ----------
    The paper's dense retriever, turns: recall@5 56.7, @10 66.2, @25 76.7 per cent.
    """
    return evidence_recall(
        load_locomo(path), overall=lambda category: category != "5", progress=progress, **settings
    )

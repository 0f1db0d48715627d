"""Drafts of memories: sentences retold so that each stands alone, with the slot it fills (R30)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ctxlab.language.attributes import find_attribute, find_value, key_literals
from ctxlab.language.choosing import Unit, judged, kind_of
from ctxlab.language.closeness import content
from ctxlab.language.deadlines import with_deadlines
from ctxlab.language.numerals import numerals
from ctxlab.language.procedure import runs_talk
from ctxlab.language.retelling import retell
from ctxlab.language.script import as_written
from ctxlab.language.text import clause_spans, tokenize
from ctxlab.language.values import values_in

__all__ = ["Draft", "drafts", "in_own_signs"]


@dataclass(frozen=True)
class Draft:
    """A memory proposed from a conversation.

    Attributes
    ----------
    text : str
        One full sentence in the third person, in the language of the conversation.
    kind : str
        "fact", "preference", "request", "commitment", "event" or "emotion".
    attribute, value : str or None
        The slot it fills and what with; ``value`` occurs in ``text``.
    message_ids : tuple of str
        Where it was said; a message without an id goes by its index in the list.
    confidence : float
        Calibrated chance that ``kind`` is right, 0 to 1.
    actionability, audience : str
        As in `StatementLabel`.
    """

    text: str
    kind: str
    attribute: str | None
    value: str | None
    message_ids: tuple[str, ...]
    confidence: float
    actionability: str = "actionable"
    audience: str = "shared"


_AMOUNT = re.compile(
    r"(?<![\d.])\d+(?:\.\d+)?(?=\s?(?:元|块|%|折))|(?<!\d)\d{1,2}(?::\d\d|点半?)|"
    r"\b\d{1,2}(?:[.:]\d\d)? ?[ap]m\b",
    re.I,
)
# What is only on offer is no news yet: that it was taken is.
_OFFERED = re.compile(
    r"\b(?:either|or|available|slots?|openings?|spaces?|free (?:on|at|from))\b"
    r"|或者?|还是|名额|空位|有位|有空|可[约订选]",
    re.I,
)
_TITLED = re.compile(
    r"[\u4e00-\u9fff](?:医生|医师|师傅|老师|先生|女士|经理|教练|律师|护士|主任|店长|主管|专员)"
)


def drafts(units: Sequence[Unit]) -> list[Draft]:
    """Retell sentences, each so that it stands alone, without repeats and echoes."""
    found: list[Draft] = []
    seen: set[str] = set()
    known = ""
    for unit in units:
        kind = kind_of(unit)
        if kind == "chitchat" or (unit.question and kind == "emotion"):
            kind = "fact"
        if unit.said.agent and kind != "commitment":
            kind = "event"
        when = unit.said.when
        text = retell(
            with_deadlines(unit.text, when) if when else unit.text,
            kind,
            unit.said.agent,
            unit.question,
            unit.confirmed,
            unit.said.text,
        )
        literals = key_literals(unit.text) + [n.digits for n in numerals(unit.text)]
        literals += _AMOUNT.findall(unit.text) + _TITLED.findall(unit.text)
        echo = unit.said.agent and kind != "commitment" and _echoes(unit.text, literals, known)
        echo = echo and not _adds(unit.text, known)
        plain = re.sub(r"\W", "", text).lower()
        if echo or plain in seen:
            continue
        seen.add(plain)
        if not (unit.said.agent and _OFFERED.search(text)):
            known += text + " ".join(n.digits for n in numerals(text))
        attribute = find_attribute(text)
        answer = text.rpartition("客户答：")[2] if unit.question else text
        answer = answer.rpartition("customer answered: ")[2] or answer
        value = find_value(answer, attribute)
        confidence, audience = judged(unit, kind)
        found.append(Draft(text, kind, attribute, value, unit.ids, confidence,
                           unit.label.actionability, audience))  # fmt: skip
    return found


_NEWS = ("name", "code", "time", "count", "money")
_OWN_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
_MOST_NEW = 0.6  # share of words that are new from which a sentence is no echo


def _adds(text: str, known: str) -> bool:
    """Tell whether a sentence that says known things again names another beside them."""
    pieces = [text[start:end] for start, end in clause_spans(text)]
    text = " ".join(piece for piece in pieces if not runs_talk(piece.strip(" ,，。.")))
    told = [text[v.start : v.end] for v in values_in(text) if v.sort in _NEWS]
    told += _OWN_NAME.findall(text)
    if any(not _said(words, known) for words in told):
        return True
    words = set(content(text.lower()))
    return len(words) > 2 and len(words - set(content(known.lower()))) > _MOST_NEW * len(words)


def _said(words: str, known: str) -> bool:
    before = r"(?<![\d.])" if words[0].isdigit() else ""
    after = r"(?![\d]|\.\d)" if words[-1].isdigit() else ""
    return re.search(before + re.escape(words) + after, known, re.IGNORECASE) is not None


def in_own_signs(draft: Draft, sources: list[str]) -> Draft:
    """Give a draft in the signs of the conversation, which is read in simplified Chinese."""
    text = as_written(draft.text, sources)
    if text == draft.text:
        return draft
    value = None if draft.value is None else as_written(draft.value, sources)
    return replace(draft, text=text, value=value)


def _echoes(text: str, literals: list[str], known: str) -> bool:
    """Tell whether an agent only repeats what is noted already."""
    if literals:
        return all(literal in known for literal in literals)
    terms = set(tokenize(text))
    return len(terms & set(tokenize(known))) >= 0.6 * len(terms)

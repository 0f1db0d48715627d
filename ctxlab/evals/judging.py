"""Judging what a system would have shown a model: by what is there, not by how it reads (R110)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from ..messages import check_messages
from ..models.chat import Chat, call_chat
from ..tokens import TokenCounter
from .systems.protocol import Seen, text_seen

__all__ = ["Verdict", "judge"]

_ROUTES = ("EXHAUSTIVE", "SUMMARY", "RETRIEVAL")
_ANY_DAYS = (datetime(2026, 1, 1), datetime(2026, 6, 18))
_REPLY = 512  # tokens a reply may take


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was right and wrong with one context.

    Attributes
    ----------
    missing, leaked : tuple of str
        What should be there and isn't; what is there and shouldn't be.
    layers : tuple of str
        Where what should be there came from.
    tokens : int
        Size of the list, counted here and not by the system.
    over : bool
        Whether that is more than was allowed.
    faults : tuple of str
        What a provider would reject.
    """

    missing: tuple[str, ...]
    leaked: tuple[str, ...]
    layers: tuple[str, ...]
    tokens: int
    over: bool
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether all is right: what is needed, nothing that is forbidden, legal, within budget."""
        return not (self.missing or self.leaked or self.over or self.faults)


def judge(check: Mapping[str, Any], seen: Seen, budget: int, counter: TokenCounter) -> Verdict:
    """Judge one context.

    Parameters
    ----------
    check : mapping
        ``must`` and ``must_not``: lists of literals.
    seen : Seen
        What a system would show.
    budget : int
        Tokens that input may use.
    counter : TokenCounter
        Counts.

    Examples
    --------
    >>> seen = Seen([{"role": "user", "content": "Is A1029 there?"}], ("recent",))
    >>> verdict = judge({"must": ["A1029"], "must_not": ["B7"]}, seen, 100, TokenCounter())
    >>> verdict.passed, verdict.layers
    (True, ('recent',))
    """
    text = text_seen(seen.messages)
    layers = seen.layers or ("context",) * len(seen.messages)
    where = [
        layer
        for layer, message in zip(layers, seen.messages, strict=True)
        if any(stands(literal, text_seen([message])) for literal in check["must"])
    ]
    tokens = counter.count_messages(seen.messages)
    return Verdict(
        missing=tuple(x for x in check["must"] if not stands(x, text)),
        leaked=tuple(x for x in check["must_not"] if stands(x, text)),
        layers=tuple(dict.fromkeys(where)),
        tokens=tokens,
        over=tokens > budget,
        faults=tuple(check_messages(seen.messages)),
    )


def stands(literal: str, text: str) -> bool:
    """Tell whether a literal stands in a text; a day may be written otherwise.

    Examples
    --------
    >>> stands("March 15th", "due 2026-03-15"), stands("next year's plans", "see A1092")
    (True, False)
    """
    return any(form in text for form in _forms(literal))


@lru_cache(maxsize=4096)
def _forms(literal: str) -> tuple[str, ...]:
    """Return a literal, and if it is a day of a month, how that ends when written by numbers."""
    from ..language.dates import find_dates

    found = [
        [x.iso[4:] for x in find_dates(literal, day) if len(x.iso) == 10 and x.end - x.start >= 4]
        for day in _ANY_DAYS
    ]
    # "In 3 days" is another day for each day of saying; a month and day is the same for all.
    return (literal, *found[0]) if len(found[0]) == 1 and found[0] == found[1] else (literal,)


def row_of(
    check: Mapping[str, Any], seen: Seen, verdict: Verdict, ms: float, chat: Chat | None
) -> dict[str, Any]:
    """Return one line of a suite's table."""
    expected = " + ".join(check["must"])
    if check["must_not"]:
        expected += f" without {' or '.join(check['must_not'])}"
    parts = {
        "missing": verdict.missing,
        "leaked": verdict.leaked,
        "faults": verdict.faults,
        "over budget by": (f"{verdict.tokens} tokens",) if verdict.over else (),
    }
    wrong = [f"{what} {', '.join(values)}" for what, values in parts.items() if values]
    known = seen.route in _ROUTES and check.get("expected_route") is not None
    row = {
        "suite": check["difficulty"],
        "check": check["check_id"],
        "name": check["name"],
        "sign": check["sign"],
        "scenario": check["scenario"],
        "question": check["question"],
        "expected": expected.strip(),
        "actual": "; ".join(wrong) or "as expected",
        "passed": verdict.passed,
        "layer": "+".join(verdict.layers),
        "expected_layer": check["layer"],
        "tokens": verdict.tokens,
        "ms": round(ms, 3),
        "missing": len(verdict.missing),
        "leaked": len(verdict.leaked),
        "over": verdict.over,
        "faults": len(verdict.faults),
        "route": seen.route or None,
        "expected_route": check.get("expected_route"),
        "route_right": seen.route == check["expected_route"] if known else None,
        "why": check["why"],
    }
    if chat is not None:
        reply = call_chat(chat, seen.messages, None, _REPLY).text
        row["reply"] = reply
        row["reply_passed"] = all(stands(x, reply) for x in check["must"]) and not any(
            stands(x, reply) for x in check["must_not"]
        )
    return row

"""The token budget of one request and the ledger of where its tokens went (R51, R52, R54)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..config import Shares
from ..errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LAYERS", "SECTIONS", "BudgetPlan", "Diagnosis", "Ledger", "LedgerRow"]

SECTIONS = ("system", "memory", "recent", "tools", "reserve")
# What can stand in a context, in the order of R70, and the section that pays for it.
LAYERS = {
    "system": "system",
    "tool_definitions": "tools",
    "profile": "memory",
    "past": "tools",  # retrieval shares the tools' section (R51)
    "conclusion": "memory",
    "summary": "memory",
    "state": "memory",
    "recent": "recent",
}


@dataclass(frozen=True)
class BudgetPlan:
    """Division of a context window.

    Parameters
    ----------
    window : int
        Context window of the model, in tokens.
    shares : mapping or Shares, optional
        Share of each section, summing to 1. Default: 6 % system, 25 % memory, 40 % recent
        dialogue, 9 % tools and retrieval, 20 % reserve (R51).

    Raises
    ------
    ConfigError
        If the window is too small or the shares don't sum to 1.

    Examples
    --------
    >>> BudgetPlan(window=32_000).allot()
    {'system': 1920, 'memory': 8000, 'recent': 12800, 'tools': 2880, 'reserve': 6400}
    """

    window: int = 32_000
    shares: Mapping[str, float] | Shares | None = None

    def __post_init__(self) -> None:
        if self.window < 1:
            raise ConfigError(f"budget.window: {self.window} tokens is no window")
        given = self.shares or Shares()
        if not isinstance(given, Shares):
            unknown = set(given) - set(SECTIONS)
            if unknown:
                raise ConfigError(f"budget.shares: no section {sorted(unknown)}; {SECTIONS}")
            missing = dict.fromkeys(SECTIONS, 0.0)
            try:
                given = Shares(**{**missing, **given})
            except ValueError as error:
                raise ConfigError(f"budget.shares: {error}") from error
        object.__setattr__(self, "shares", given)

    def allot(self) -> dict[str, int]:
        """Return tokens per section, summing to the window; fractions go to the reserve."""
        return dict(self.allotted)

    @cached_property
    def allotted(self) -> Mapping[str, int]:
        """The same, computed once."""
        assert isinstance(self.shares, Shares)
        tokens = {name: int(self.window * getattr(self.shares, name)) for name in SECTIONS[:-1]}
        tokens["reserve"] = self.window - sum(tokens.values())
        return tokens

    @cached_property
    def input_limit(self) -> int:
        """Tokens that input may use: the window without the reserve."""
        return self.window - self.allotted["reserve"]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One layer's line: what it used, of what it was allotted, and what it had to leave out.

    `allotment` and `share` belong to the section, so two layers of one section show the same
    allotment. Unused tokens flow: what memory and tools leave goes to recent dialogue, what recent
    dialogue doesn't need goes to memory, so `tokens` may exceed `allotment`.
    """

    layer: str
    section: str
    tokens: int
    share: float
    allotment: int
    dropped: int
    dropped_what: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a context is as large as it is (R54)."""

    cause: str
    shares: dict[str, float]
    advice: str


@dataclass(frozen=True)
class Ledger:
    """Account of one request, in tokens; its rows sum to the exact count of the message list.

    Attributes
    ----------
    used : dict
        Tokens per layer. The 3 tokens that prime the reply stand under ``system``.
    dropped : dict
        Layer -> (tokens, what) left out.
    tool_output : int
        Tokens of tool results among ``recent``.
    question : int
        Tokens of the current user message among ``recent``.
    turns, summarised_turns : int
        Turns of the session, and how many of them a summary stands for.
    previous : int, optional
        Total of the request before this one.
    cacheable : int
        Tokens at the start of the list that are byte for byte those of the previous request.
    """

    plan: BudgetPlan
    used: Mapping[str, int]
    dropped: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    tool_output: int = 0
    question: int = 0
    turns: int = 0
    summarised_turns: int = 0
    previous: int | None = None
    alarm_growth: float = 1.5
    cacheable: int = 0

    @property
    def window(self) -> int:
        """Context window, tokens."""
        return self.plan.window

    @property
    def total(self) -> int:
        """Tokens of the whole request."""
        return sum(self.used.values())

    @property
    def growth(self) -> int:
        """Tokens more than the previous request (0 for the first)."""
        return 0 if self.previous is None else self.total - self.previous

    @property
    def alarm(self) -> str | None:
        """Say so when input jumped by more than `alarm_growth` times (R52).

        Growth below a twentieth of the window is no alarm: any second message doubles a first.
        """
        grew = self.growth > self.window / 20
        if grew and self.previous and self.total > self.previous * self.alarm_growth:
            return f"input jumped from {self.previous:,} to {self.total:,} tokens"
        return None

    @property
    def rows(self) -> list[LedgerRow]:
        """One row per layer, then the reserve."""
        allotted, window = self.plan.allot(), self.plan.window
        rows = []
        for layer, section in LAYERS.items():
            tokens = self.used.get(layer, 0)
            lost, what = self.dropped.get(layer, (0, ""))
            share = tokens / window
            rows.append(LedgerRow(layer, section, tokens, share, allotted[section], lost, what))
        left = window - self.total
        reserve = allotted["reserve"]
        rows.append(LedgerRow("reserve", "reserve", 0, left / window, reserve, 0, ""))
        return rows

    def section_tokens(self) -> dict[str, int]:
        """Return tokens per budget section."""
        out = dict.fromkeys(SECTIONS, 0)
        for layer, section in LAYERS.items():
            out[section] += self.used.get(layer, 0)
        return out

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a table."""
        import pandas as pd

        names = LedgerRow.__slots__
        return pd.DataFrame([[getattr(r, n) for n in names] for r in self.rows], columns=names)

    def diagnose(self) -> Diagnosis:
        """Name the usual cause that weighs most, with the share of each in this request (R54)."""
        total = max(self.total, 1)
        talk = self.used.get("recent", 0) - self.tool_output - self.question
        tokens = {
            "history": talk,
            "tool output": self.tool_output,
            "retrieval": self.used.get("past", 0),
            "system prompt": self.used.get("system", 0),
            "tool definitions": self.used.get("tool_definitions", 0),
            "memory": sum(
                self.used.get(k, 0) for k in ("profile", "conclusion", "summary", "state")
            ),
            "current message": self.question,
        }
        allotted = self.plan.allot()
        # A cause is judged against what its section was given: 2,000 tokens are nothing for
        # dialogue and far too much for a system prompt.
        limits = {
            "history": allotted["recent"],
            "tool output": allotted["tools"],
            "retrieval": allotted["tools"],
            "system prompt": allotted["system"],
            "tool definitions": allotted["tools"],
            "memory": allotted["memory"],
            "current message": allotted["recent"],
        }
        over = {name: tokens[name] / max(limits[name], 1) for name in tokens}
        cause = max(over, key=lambda name: over[name])
        if over[cause] <= 1.0:
            cause = "none"
        elif cause == "history" and not self.summarised_turns:
            cause = "history never compressed"
        shares = {name: value / total for name, value in tokens.items()}
        return Diagnosis(cause, shares, _ADVICE.get(cause, ""))


_ADVICE = {
    "none": "every part is within its allotment",
    "history": "raise compression (compression.trigger, window.recent_turns) or the window",
    "history never compressed": "let older turns be summarised: lower window.recent_turns or "
    "compression.trigger",
    "tool output": "shorten results at the tool, or page them; keep only the fields that matter",
    "retrieval": "lower semantic.k or semantic.max_chars, or raise semantic.min_score",
    "system prompt": "move examples and rules that are rarely needed out of the system prompt",
    "tool definitions": "offer fewer tools at a time, with shorter descriptions",
    "memory": "lower durable.profile_limit, or the memory share",
    "current message": "the customer pasted something long: store it as a file and quote the part",
}

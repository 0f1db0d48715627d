"""The read router: how this session's history is carried, by rules that say why (R60)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from ..config import Routing

__all__ = ["MODES", "RouteDecision", "Router"]

MODES = ("EXHAUSTIVE", "SUMMARY", "RETRIEVAL")


@dataclass(frozen=True)
class RouteDecision:
    """A mode, what it was decided on, and the nearest change that would flip it.

    Attributes
    ----------
    mode : str
        ``EXHAUSTIVE`` (all of the history), ``SUMMARY`` (older turns summarised) or ``RETRIEVAL``
        (summarised, and passages of the past searched).
    reasons : tuple of str
        One sentence per rule that spoke.
    features : dict
        The numbers the rules saw.
    flip : callable, optional
        Finds `nearest_flip`, when somebody looks at it.
    """

    mode: str
    reasons: tuple[str, ...]
    features: dict[str, Any] = field(default_factory=dict)
    flip: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def nearest_flip(self) -> str:
        """The smallest change that gives another mode."""
        return self.flip() if self.flip else ""


@dataclass(frozen=True)
class Router:
    """Rules of R60.

    Parameters
    ----------
    config : Routing
        Thresholds in turns.
    decide : callable, optional
        ``features -> mode or None``: a model's say for requests marked critical (R62); None keeps
        the rules' decision.

    Examples
    --------
    >>> Router()(turns=4, fits=True).mode
    'EXHAUSTIVE'
    >>> Router()(turns=20, fits=True).nearest_flip
    'at 21 turns this would be SUMMARY'
    """

    config: Routing = Routing()
    decide: Callable[[dict[str, Any]], str | None] | None = None

    def __call__(
        self,
        turns: int,
        fits: bool,
        refers_back: bool = False,
        tool_calls: int = 0,
        cues: tuple[str, ...] = (),
    ) -> RouteDecision:
        """Decide for a request.

        Parameters
        ----------
        turns : int
            Turns of the session, the current one included.
        fits : bool
            Whether the whole history fits its budget.
        refers_back : bool
            Whether the message leans on earlier conversation (``cx.refers_back``).
        tool_calls : int
            Calls made in the current turn.
        cues : tuple of str
            What showed that it refers back.
        """
        features = {
            "turns": turns,
            "fits": fits,
            "refers_back": refers_back,
            "tool_calls": tool_calls,
        }
        mode, reasons = self._rule(turns, fits, refers_back, cues)
        if tool_calls > self.config.max_tool_calls:
            reasons.append(
                f"{tool_calls} tool calls in this turn, over {self.config.max_tool_calls}: "
                "the last result of each tool and the goal stay"
            )
        flip = partial(self._flip, mode, turns, fits, refers_back)
        said = self.decide(features) if self.decide else None
        if said in MODES and said != mode:
            reasons.append(f"the model decided {said} instead of {mode}")
            mode = said
        return RouteDecision(mode, tuple(reasons), features, flip)

    def _rule(
        self, turns: int, fits: bool, refers_back: bool, cues: tuple[str, ...]
    ) -> tuple[str, list[str]]:
        c = self.config
        if refers_back:
            because = f" ({', '.join(cues)})" if cues else ""
            return "RETRIEVAL", [f"the message refers to the past{because}"]
        if turns > c.retrieval_over:
            return "RETRIEVAL", [f"{turns} turns, over {c.retrieval_over}"]
        if turns > c.summary_over:
            return "SUMMARY", [f"{turns} turns, over {c.summary_over}"]
        if turns < c.full_below:
            return "EXHAUSTIVE", [f"{turns} turns, under {c.full_below}"]
        if fits:
            return "EXHAUSTIVE", [f"{turns} turns, and all of them fit"]
        return "SUMMARY", [f"{turns} turns don't fit word for word"]

    def _flip(self, mode: str, turns: int, fits: bool, refers_back: bool) -> str:
        c = self.config
        if refers_back:
            other, _ = self._rule(turns, fits, False, ())
            if other != mode:
                return f"without the reference to the past this would be {other}"
        edges = (c.full_below, c.summary_over + 1, c.retrieval_over + 1)
        for at in sorted((t for e in edges for t in (e - 1, e)), key=lambda t: abs(t - turns)):
            other, _ = self._rule(at, fits, False, ())
            if at > 0 and other != mode:
                return f"at {at} turns this would be {other}"
        return "a reference to the past would make this RETRIEVAL"

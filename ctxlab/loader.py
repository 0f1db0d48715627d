"""Steps two and three of the loop: load what a request may draw on, and route it (R60, R80)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .config import Config
from .context.blocks import Block
from .context.repeats import SayOnce
from .context.routing import RouteDecision, Router
from .layers.session import SessionLog
from .longterm import LongTerm
from .recall import Recall
from .trace import Trace

if TYPE_CHECKING:
    from .models.embedding import Embedder

__all__ = ["Loader"]

_WORDS_ONLY_MIN = 0.3  # least relevance without an embedder, where R40 begins


@dataclass(frozen=True)
class Loader:
    """Loads and routes.

    Parameters
    ----------
    config : Config
        Thresholds.
    longterm : LongTerm
        Profile and memories.
    router : Router
        How history is carried.
    embedder : callable
        Returns the embedder, or None: then nothing loads a model, and only counters route.
    """

    config: Config
    longterm: LongTerm
    router: Router
    embedder: Callable[[], Embedder | None]

    def recall(self, log: SessionLog, role: str | None) -> Recall:
        """Return the past of a session as one role may see it, kept with the session."""
        if role not in log.views:
            calm = self.config.mitigations.contamination
            log.views[role] = Recall(log, role, self.embedder(), calm)
        view: Recall = log.views[role]
        return view

    def load(
        self, log: SessionLog, recall: Recall, question: str, trace: Trace
    ) -> dict[str, Block]:
        """Return profile, memories, task state and the previous session's conclusion."""
        blocks = self.longterm.read(log, question, trace)
        lines, turn = [], log.turn_count
        for key, slot in sorted(log.state.items()):
            if slot.value is None:
                continue
            lines.append(f"{key}: {slot.value}")
            reason = f"last written in turn {slot.turn}, {turn - slot.turn} turns ago"
            trace.add("load", "R3", f"state.{key}", "read", reason)
        if lines:
            blocks["state"] = Block("state", tuple(lines), "task", title="Task state")
        conclusion = recall.conclusion()
        if conclusion:
            blocks["conclusion"] = conclusion
        return self._once(blocks, log, trace)

    def _once(self, blocks: dict[str, Block], log: SessionLog, trace: Trace) -> dict[str, Block]:
        """Leave out what another block says already, and what was replaced (R74, R76)."""
        if not {"past", "conclusion"} & set(blocks):
            return blocks
        return SayOnce(self.longterm.replaced(log))(blocks, trace)

    def route(
        self, question: str, calls: int, turns: int, fits: bool, trace: Trace
    ) -> RouteDecision:
        """Decide how history is carried."""
        refers, cues = False, tuple[str, ...]()
        if question and self.embedder() is not None:
            from .language.references import refers_back

            found = refers_back(question)
            refers, cues = found.value, found.cues
        route = self.router(turns, fits, refers, calls, cues)
        trace.add("route", "R60", "history", route.mode, "; ".join(route.reasons))
        return route

    def retrieve(
        self,
        blocks: dict[str, Block],
        log: SessionLog,
        recall: Recall,
        question: str,
        trace: Trace,
    ) -> None:
        """Add passages of the past that bear on the question (R46)."""
        settings = self.config.semantic
        floor = settings.min_score
        if floor is None:
            model = self.embedder()
            floor = model.min_score if model else _WORDS_ONLY_MIN
        recent = log.turn_count - self.config.window.recent_turns
        before = log.turns.all[recent].entries[0].seq if recent > 0 else 0
        hits = recall.passages(question, settings.k, floor, before)
        for hit in hits:
            where = f"{hit.passage.session_id} m{hit.passage.first}-m{hit.passage.last}"
            trace.add("retrieve", "R46", where, "found", f"relevance {hit.score:.2f}")
        if not hits:
            trace.add("retrieve", "R40", "passages", "none", f"nothing reached {floor:.2f}")
        past = recall.block(hits, question, settings.max_chars)
        if past:
            found = blocks.get("past")
            blocks["past"] = replace(past, lines=past.lines + (found.lines if found else ()))
            once = self._once(blocks, log, trace)
            blocks.clear()
            blocks.update(once)

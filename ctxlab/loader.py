"""Steps two and three of the loop: load what a request may draw on, and route it (R60, R80)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .config import Config
from .context.blocks import Block
from .context.repeats import SayOnce
from .context.routing import RouteDecision, Router
from .layers.passages import PassageHit
from .layers.session import SessionLog
from .longterm import LongTerm
from .recall import Recall
from .trace import Trace

if TYPE_CHECKING:
    from .models.embedding import Embedder

__all__ = ["Loader"]

# An order's or a case's number, in a question. Digits first, as most of a text isn't any.
_DIGITS = re.compile(r"[0-9][0-9][0-9][0-9]+")
_LETTERS = re.compile(r"[A-Za-z]{0,4}-?\Z")
_IDS = 6  # of a question: a longer list was pasted, and isn't asked about
_PASSAGE_LENGTHS = 3  # a passage may be this many times as long as another retrieved item (R44)
_FRAME = 56  # tokens of a block's frame and of the label of a line
_PER_TOKEN = 4  # characters, of English; a Chinese passage that is too long for its section is left
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
    ) -> tuple[dict[str, Block], list[PassageHit]]:
        """Return what a request may draw on, and the passages among it.

        Profile, memories, task state, the previous session's conclusion, and what was said of an id
        that the question names.
        """
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
        ids = _ids(question)
        named = recall.naming(ids, self._before(log)) if ids else []
        self._add(blocks, named, recall, question, trace)
        self._once(blocks, log, question, trace)
        return blocks, named

    def _before(self, log: SessionLog) -> int:
        """Return the first message of the latest turns, which go word for word (R13)."""
        recent = log.turn_count - self.config.window.recent_turns
        return log.turns.all[recent].entries[0].seq if recent > 0 else 0

    def _add(
        self,
        blocks: dict[str, Block],
        hits: list[PassageHit],
        recall: Recall,
        question: str,
        trace: Trace,
    ) -> None:
        """Put passages before what else was found."""
        if not hits:
            return
        for hit in hits:
            where = f"{hit.passage.session_id} m{hit.passage.first}-m{hit.passage.last}"
            trace.add("retrieve", "R46", where, "found", f"relevance {hit.score:.2f}")
        past = recall.block(hits, question, self._room())
        if past:
            found = blocks.get("past")
            blocks["past"] = replace(past, lines=past.lines + (found.lines if found else ()))

    def _room(self) -> int:
        """Return the characters a passage may have: no more than its section can hold of one."""
        tokens = int(self.config.budget.window * self.config.budget.shares.tools) - _FRAME
        return max(min(self.config.semantic.max_chars * _PASSAGE_LENGTHS, _PER_TOKEN * tokens), 1)

    def _once(self, blocks: dict[str, Block], log: SessionLog, question: str, trace: Trace) -> None:
        """Leave out what another block says already, and what was replaced (R74, R76).

        What the question itself names is asked for, replaced or not.
        """
        if "past" not in blocks and "conclusion" not in blocks:
            return
        told = [line for x in ("past", "conclusion") if x in blocks for line in blocks[x].lines]
        replaced = self.longterm.replaced(log, "\n".join(told))
        replaced = [value for value in replaced if value not in question]
        if replaced or "conclusion" in blocks:  # or passages stay as they are
            kept = SayOnce(replaced)(blocks, trace)
            blocks.clear()
            blocks.update(kept)

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
        named: Sequence[PassageHit],
        trace: Trace,
    ) -> None:
        """Add passages of the past that bear on the question, beside `named` ones (R46)."""
        settings = self.config.semantic
        floor = settings.min_score
        if floor is None:
            model = self.embedder()
            floor = model.min_score if model else _WORDS_ONLY_MIN
        shown = {hit.passage for hit in named}
        hits = recall.passages(question, settings.k, floor, self._before(log))
        hits = [hit for hit in hits if hit.passage not in shown]
        if not hits:
            trace.add("retrieve", "R40", "passages", "none", f"nothing reached {floor:.2f}")
            return
        self._add(blocks, hits, recall, question, trace)
        self._once(blocks, log, question, trace)


def _ids(question: str) -> list[str]:
    """Return the numbers that a question names first, each with the letters before it."""
    found: list[str] = []
    for digits in _DIGITS.finditer(question):
        start, end = digits.span()
        before = question[start - 1 : start]
        if before.isascii() and (before.isalpha() or before == "-"):
            letters = _LETTERS.search(question, max(0, start - 5), start)
            start = letters.start() if letters else start
        named = question[start:end]
        if named not in found:
            found.append(named)
            if len(found) == _IDS:
                break
    return found

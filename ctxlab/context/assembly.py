"""Building the message list of one request, every part accounted for (R53, R70 to R74)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ..config import Config
from ..errors import BudgetError
from ..layers.session import Narrative
from ..tokens import PER_REPLY, TokenCounter
from ..trace import Trace
from ..turns import FRAME, Turn
from .blocks import Block, Frame, frame_tag, longest_frame, render, summary_frame
from .budget import BudgetPlan, Ledger
from .request import ORDER, Material, Memo
from .telling import tell
from .window import Current, CurrentTurn, Kept, TokenWindow, mark_stale

__all__ = ["Assembler"]

_KNOWN = 8  # answers of tell() kept: each request asks once or twice, often what the last did
# Who gets memory tokens first when they are short: what the task needs before what is nice.
_PRIORITY = ("state", "profile", "conclusion", "past")


@dataclass(frozen=True)
class Assembler:
    """The overflow funnel: window, summary, retrieval filter, truncation; never over budget (R53).

    Parameters
    ----------
    config : Config
        Window, shares and freshness.
    counter : TokenCounter
        Counts exactly.
    """

    config: Config
    counter: TokenCounter
    plan: BudgetPlan = field(init=False)

    def __post_init__(self) -> None:
        plan = BudgetPlan(self.config.budget.window, self.config.budget.shares)
        object.__setattr__(self, "plan", plan)

    def __call__(self, given: Material, trace: Trace) -> tuple[list[Any], list[str], Ledger]:
        """Return message dicts, the layer of each, and the ledger.

        Raises
        ------
        BudgetError
            If the parts that may not be dropped don't fit.
        """
        system = sum(entry.tokens for entry in given.system)
        tools = self.counter.count_tools(given.tools)
        room = self.plan.input_limit - PER_REPLY - system - tools
        current = self._current(given, room, system, tools, trace)
        room -= current.tokens
        oldest = bisect_left(given.turns, self._oldest(given), key=lambda turn: turn.index)
        talk = self._talk(given.turns[oldest:], given, trace)
        chosen = self._choose(given, talk, room, tools, trace)
        kept, blocks, used, dropped = chosen
        self._trace_window(kept, talk, given, dropped, trace)
        sent = talk[kept.first :]
        recent = [entry for turn in sent for entry in turn.entries]
        recent += current.entries
        used["system"] = system + PER_REPLY
        used["tool_definitions"] = tools
        used["recent"] = kept.tokens + current.tokens
        held = [entry.wire for entry in given.system]
        sizes = [entry.tokens for entry in given.system]
        layers = ["system"] * len(held)
        for layer in ORDER:
            if layer in blocks:
                held.append(blocks[layer])
                sizes.append(used[layer])
                layers.append(layer)
        sizes += [entry.tokens for entry in recent]
        held += [entry.wire for entry in recent]
        layers += ["recent"] * len(recent)
        ledger = Ledger(
            plan=self.plan,
            used=used,
            dropped=dropped,
            tool_output=sum([turn.result_tokens for turn in sent])
            + sum([e.tokens for e in current.entries if e.message.role == "tool"]),
            question=next((e.tokens for e in current.entries if e.message.role == "user"), 0),
            turns=len(given.turns) + 1,
            summarised_turns=given.narratives[-1].last + 1 if given.narratives else 0,
            previous=given.previous.ledger.total if given.previous else None,
            alarm_growth=self.config.budget.alarm_growth,
            cacheable=_cacheable(held, sizes, given.memo.sent),
        )
        given.memo.sent = held
        if ledger.alarm:
            trace.add("budget", "R52", "input", "alarm", ledger.alarm)
        return [wire.copy() for wire in held], layers, ledger

    def _oldest(self, given: Material) -> int:
        """First turn that may go word for word (R13): the latest 20, and all without a summary."""
        if given.route.mode == "EXHAUSTIVE":
            return 0
        summarised = given.narratives[-1].last + 1 if given.narratives else 0
        recent = len(given.turns) + 1 - self.config.window.recent_turns
        if recent <= 0:
            return 0
        first = given.turns[recent] if recent < len(given.turns) else given.current
        return min(summarised, first.index)

    def _choose(
        self, given: Material, talk: Sequence[Turn], room: int, tools: int, trace: Trace
    ) -> tuple[Kept, dict[str, dict[str, Any]], dict[str, int], dict[str, tuple[int, str]]]:
        """Share the room between dialogue and memory.

        Unused tokens flow: memory may take what dialogue leaves, dialogue what memory leaves. A
        narrative goes in when a turn it stands for stays out; making room for it may push out
        another turn, so this repeats until nothing changes.
        """
        allotted = self.plan.allotted
        need = sum([turn.tokens for turn in talk])
        memory = min(room, max(allotted["memory"], room - need))
        past = max(0, allotted["tools"] - tools)
        tag = self._tag(given, talk)
        sent, used, dropped = self._blocks(given.blocks, tag, memory, past, room, trace)
        room -= sum(used.values())
        memory -= sum([tokens for layer, tokens in used.items() if layer != "past"])
        empty = self._frame_size(longest_frame(tag), given.memo)
        kept, reserved = TokenWindow(room)(talk), 0
        start = _start(kept, talk, given)
        while True:
            holds, prose, needed = _tell(given, start, memory - empty)
            if needed <= reserved:
                break
            reserved, before = needed, start
            kept = TokenWindow(room - empty - reserved)(talk)
            start = _start(kept, talk, given)
            if start == before:
                break
        self._trace_summary(prose, given, start, dropped, trace)
        told = holds + prose
        while told:
            message, tokens = self._summary(told, tag, given.memo)
            if tokens + kept.tokens <= room:
                sent["summary"], used["summary"] = message, tokens
                break
            told = told[:-1]  # lines that don't add up came out larger than their sum
        return kept, sent, used, dropped

    def _summary(self, told: list[Narrative], tag: str, memo: Memo) -> tuple[dict[str, Any], int]:
        """Render summary lines and count them: the sum, where lines counted apart add up."""
        if memo.summary is None or memo.summary[0] != (tag, told):
            around = summary_frame(told, tag)
            text = "\n".join([around.opening, *[line.text for line in told], around.closing])
            if all([line.apart for line in told]):
                tokens = self._frame_size(around, memo) + sum([line.tokens for line in told])
            else:
                tokens = self._size(text)
            memo.summary = (tag, told), _system(text), tokens
        return memo.summary[1:]

    def _frame_size(self, around: Frame, memo: Memo) -> int:
        if around.shape not in memo.frames or not self.counter.digits_alike:
            tokens = self._size(f"{around.opening}\n") + self.counter.count(around.closing)
            memo.frames[around.shape] = tokens
        return memo.frames[around.shape]

    @staticmethod
    def _trace_summary(
        prose: Sequence[Narrative],
        given: Material,
        start: int,
        dropped: dict[str, tuple[int, str]],
        trace: Trace,
    ) -> None:
        """Say which narratives found no room; they stay in the store."""
        oldest = min((line.first for line in prose), default=start)
        if any(n.first < min(oldest, start) for n in given.narratives[:1]):
            last = oldest - 1
            what = f"narratives of turns 0-{last}"
            dropped["summary"] = (0, what)
            trace.add("summary", "R53", f"turns 0-{last}", "dropped", f"{what}: no room for more")

    def _size(self, text: str) -> int:
        return self.counter.count_text_message("system", text)

    def _tag(self, given: Material, talk: Sequence[Turn]) -> str:
        framed = [turn for turn in talk if turn.framed]
        if given.current.framed:
            framed.append(given.current)
        texts = [e.message.text for turn in framed for e in turn.entries if e.framed]
        for block in given.blocks.values():
            texts += [line for line in block.lines if FRAME in line]
        return frame_tag(given.session_id, [*texts, *given.framed])

    def _current(
        self, given: Material, room: int, system: int, tools: int, trace: Trace
    ) -> Current:
        if room < 0:
            section, part, size = max(
                ("system", "the system prompt", system),
                ("tools", "the tool definitions", tools),
                key=lambda item: item[2],
            )
            remedy = "Shorten it, or raise budget.window."
            raise BudgetError(section, part, size, -room, remedy)
        turn = self._fresh(given.current, given.now)
        policy = CurrentTurn(room, self.config.routing.max_tool_calls)
        current = policy(turn, self.counter)
        for entry, why in current.dropped:
            trace.add("window", why.split(":")[0], entry.ref, "dropped", why)
        for entry, before in current.cut:
            reason = (
                f"cut from {before:,} to {entry.tokens:,} tokens: nothing else was left to drop"
            )
            trace.add("truncation", "R53", entry.ref, "truncated", reason)
        return current

    def _talk(self, turns: Sequence[Turn], given: Material, trace: Trace) -> list[Turn]:
        """Return earlier turns as they may be sent: whole, and with stale results marked."""
        cutoff = given.now - timedelta(minutes=self.config.assembly.tool_fresh_minutes)
        out = list(turns)
        for i, turn in enumerate(out):
            stale = turn.oldest_result is not None and turn.oldest_result <= cutoff
            if not (stale or turn.open_calls or turn.broken):
                continue
            if not turn.plain:
                entries = [entry for unit in turn.units() for entry in unit]
                lost = len(turn.entries) - len(entries)
                reason = f"{lost} message(s) of a call that never got its result"
                trace.add("window", "R12", f"turn {turn.index}", "dropped", reason)
                mended = Turn(turn.index)
                for entry in entries:
                    mended.add(entry)
                turn = mended
            out[i] = self._fresh(turn, given.now)
        return out

    def _fresh(self, turn: Turn, now: datetime) -> Turn:
        fresh = timedelta(minutes=self.config.assembly.tool_fresh_minutes)
        if turn.oldest_result is None or now - turn.oldest_result < fresh:
            return turn
        marked = Turn(turn.index)
        for entry in turn.entries:
            if entry.message.role == "tool":
                entry = mark_stale(entry, now, fresh, self.counter)
            marked.add(entry)
        return marked

    def _blocks(
        self,
        blocks: Mapping[str, Block],
        tag: str,
        memory: int,
        past: int,
        room: int,
        trace: Trace,
    ) -> tuple[dict[str, dict[str, Any]], dict[str, int], dict[str, tuple[int, str]]]:
        sent: dict[str, dict[str, Any]] = {}
        used: dict[str, int] = {}
        dropped: dict[str, tuple[int, str]] = {}
        for layer in _PRIORITY:
            block = blocks.get(layer)
            if block is None:
                continue
            spent = sum(tokens for name, tokens in used.items() if name != "past")
            left = min(past if layer == "past" else memory - spent, room - sum(used.values()))
            if layer == "state":  # a few tokens that the task can't do without, whatever the shares
                left = room
            message, tokens, lost = self._fit(block, tag, left)
            if lost:
                what = f"{len(lost)} of {len(block.lines)} lines of {layer}"
                dropped[layer] = (sum(map(self.counter.count, lost)), what)
                reason = f"{what}: {left:,} tokens were left"
                trace.add("retrieval filter", "R53", layer, "dropped", reason)
            if message:
                sent[layer], used[layer] = message, tokens
        return sent, used, dropped

    def _fit(
        self, block: Block, tag: str, limit: int
    ) -> tuple[dict[str, Any] | None, int, tuple[str, ...]]:
        """Drop lines from the end until the framed block fits."""
        keep = len(block.lines)
        while keep:
            text = render(block, block.lines[:keep], tag)
            tokens = self._size(text)
            if tokens <= limit:
                return _system(text), tokens, block.lines[keep:]
            excess = tokens - limit
            while keep and excess > 0:
                keep -= 1
                excess -= self.counter.count(block.lines[keep])
        return None, 0, block.lines

    def _trace_window(
        self,
        kept: Kept,
        talk: Sequence[Turn],
        given: Material,
        dropped: dict[str, tuple[int, str]],
        trace: Trace,
    ) -> None:
        told = given.narratives[-1].last if given.narratives else -1
        if len(talk) < len(given.turns):
            last = given.turns[len(given.turns) - len(talk) - 1].index
            trace.add("window", "R13", f"turns 0-{last}", "summarised", "carried by the summary")
        if kept.first:
            gone = talk[: kept.first]
            span = f"turns {gone[0].index}-{gone[-1].index}"
            tokens = sum(turn.tokens for turn in gone)
            covered = "summarised" if gone[-1].index <= told else "dropped"
            dropped["recent"] = (tokens, span)
            trace.add("window", "R11", span, covered, f"{tokens:,} tokens; {kept.reason}")


def _start(kept: Kept, talk: Sequence[Turn], given: Material) -> int:
    """Return the index of the first turn that is sent word for word."""
    return talk[kept.first].index if kept.first < len(talk) else given.current.index


def _tell(given: Material, before: int, limit: int) -> tuple[list[Narrative], list[Narrative], int]:
    """Choose a summary's lines, or find what they were for the same question."""
    known, items = given.memo.told, given.items
    key = before, limit, len(given.narratives), id(items[0]), id(items[1])
    if key not in known:
        if len(known) == _KNOWN:
            known.pop(next(iter(known)), None)  # another thread may have been first
        # The items go along, so that no other list can come to have their place in memory.
        known[key] = tell(given.narratives, items, before, limit), items
    told: tuple[list[Narrative], list[Narrative], int] = known[key][0]
    return told


def _cacheable(
    messages: Sequence[dict[str, Any]], sizes: Sequence[int], previous: Sequence[dict[str, Any]]
) -> int:
    """Return the tokens at the start that equal the previous request's: what a cache can hold."""
    same = len(previous)
    if messages[:same] != previous:
        pairs = zip(messages, previous, strict=False)
        same = next((i for i, (now, then) in enumerate(pairs) if now != then), same)
    return sum(sizes[:same])


def _system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}

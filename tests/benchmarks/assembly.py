"""Assembly of a growing session beside langchain_core.trim_messages, in one process.

Run with ``make bench``. Both sides count with the same exact counter and count each message once;
the time of tokenising new text is measured apart and taken off both. Reported per call, as
medians around turns 100, 500 and 1000, and in total, for windows of 8k and 32k tokens.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ctxlab as cx
from ctxlab.tokens import TokenCounter

SYSTEM = "You are a support agent for Acme. 你是一名客服助手。Never promise a refund unchecked."
EN = (
    "The order number {} has not arrived yet and tracking says it left the depot.",
    "Could you please check whether the refund for invoice {} was processed?",
    "The firmware update {} fails with error code E-17 when the battery is under 20 percent.",
)
ZH = (
    "您好，订单{}的物流信息已经三天没有更新了，请帮我查一下。",
    "退款申请{}已经提交，预计三到五个工作日内原路退回。",
    "请核对收货地址和尾号{}的手机号码，以免快递无法送达。",
)
Message = dict[str, Any]


def text(rng: random.Random, tokens: int) -> str:
    """Return about `tokens` tokens of English and Chinese."""
    out, have = [], 0
    while have < tokens:
        bank, weight = (EN, 17) if rng.random() < 0.5 else (ZH, 24)
        out.append(rng.choice(bank).format(rng.randrange(10**6)))
        have += weight
    return " ".join(out)


def conversation(turns: int, seed: int = 7) -> Iterator[tuple[list[list[Message]], Message]]:
    """Yield per turn the messages before each model call, and the final reply."""
    rng = random.Random(seed)

    def said() -> str:
        return text(rng, rng.randint(20, 380))

    for t in range(turns):
        steps: list[list[Message]] = [[{"role": "user", "content": said()}]]
        if t % 3 == 2:
            calls = [
                {
                    "id": f"call_{t}_{i}",
                    "type": "function",
                    "function": {"name": "lookup_order", "arguments": json.dumps({"order": t})},
                }
                for i in range(2 if t % 6 == 5 else 1)
            ]
            asked: list[Message] = [{"role": "assistant", "content": "", "tool_calls": calls}]
            asked += [{"role": "tool", "tool_call_id": c["id"], "content": said()} for c in calls]
            steps.append(asked)
        yield steps, {"role": "assistant", "content": said()}


class Ours:
    """ctxlab with summaries, state and trace, on an in-memory database."""

    def __init__(self, window: int, counter: TokenCounter, retrieving: bool = False) -> None:
        # Same input budget as the peer: the reserve is taken off the window on our side only.
        # Masking happens when a message is stored; neither side's storing is timed.
        # The peer searches nothing, so neither do we; ms_1000_retrieving says what that adds.
        changes = {
            "budget.window": int(window / 0.8),
            "mitigations.privacy": False,
            "routing.retrieval_over": 50 if retrieving else 10**6,
        }
        config = cx.Config().with_(changes)
        self.engine = cx.ContextEngine(
            "sqlite://", config=config, embedder=None, system_prompt=SYSTEM
        )
        self.engine.counter._known = counter._known  # one cache: tokenising is paid outside
        self.session = self.engine.open_session(user_id="U1")
        self.context: Any = None
        self.background = 0.0  # seconds of storing and summarising

    def call(self, new: list[Message]) -> list[Message]:
        """Assemble for a model call."""
        if new[0]["role"] == "user":
            self.context = self.session.prepare(new[0])
        else:
            self.context = self.session.prepare()
        return self.context.messages

    def store(self, messages: list[Message]) -> None:
        """Write what the call led to; timed apart, since the peer neither stores nor summarises.

        Summaries are made in the background while a model or a person thinks. A benchmark has no
        such pauses, so they are waited for here and not inside the next call.
        """
        begin = time.perf_counter()
        for message in messages:
            self.session.add(message)
        self.engine.flush()
        self.background += time.perf_counter() - begin


class TrimMessages:
    """What LangChain's documentation recommends, with a counter that counts each message once."""

    def __init__(self, window: int, counter: TokenCounter) -> None:
        from langchain_core.messages import SystemMessage

        self.window, self.counter, self.known = window, counter, {}
        self.history: list[Any] = [SystemMessage(SYSTEM, id="system")]

    def count(self, messages: list[Any]) -> int:
        """Return tokens, each message counted once."""
        total = 3
        for m in messages:
            if m.id not in self.known:
                calls = getattr(m, "tool_calls", None) or []
                parts = [m.content, getattr(m, "tool_call_id", "") or ""]
                parts += [x for c in calls for x in (c["id"], c["name"], json.dumps(c["args"]))]
                self.known[m.id] = 4 + sum(map(self.counter.count, parts))
            total += self.known[m.id]
        return total

    def call(self, new: list[Message]) -> list[Any]:
        """Trim the history for a model call."""
        from langchain_core.messages import trim_messages

        if new[0]["role"] == "user":
            self.store(new)
        trimmed: list[Any] = trim_messages(
            self.history,
            max_tokens=self.window,
            token_counter=self.count,
            strategy="last",
            include_system=True,
            start_on="human",
            end_on=("human", "tool"),
        )
        return trimmed

    def store(self, messages: list[Message]) -> None:
        """Append to the history."""
        from langchain_core.messages import convert_to_messages

        for message in convert_to_messages(messages):
            message.id = f"m{len(self.history)}"
            self.history.append(message)


def run(makers: Sequence[Callable[[int, TokenCounter], Any]], window: int, turns: int) -> Any:
    """Return milliseconds per call by turn of systems side by side, tokenising taken off.

    All of them live through one conversation, call by call, and take turns in going first: so each
    finds the processor's caches as the others, and what is stored between calls, have left them.
    """
    counter = TokenCounter()
    systems = [make(window, counter) for make in makers]
    times: list[list[tuple[int, float]]] = [[] for _ in systems]
    spent, calls = 0.0, 0
    for t, (steps, reply) in enumerate(conversation(turns)):
        for step in steps:
            for message in step:  # tokenise new text once, outside the clock
                begin = time.perf_counter()
                counter.count_message(message)
                spent += time.perf_counter() - begin
            if step[0]["role"] != "user":
                for system in systems:
                    system.store(step)
            calls += 1
            for i in range(len(systems)):
                at = (i + calls) % len(systems)
                begin = time.perf_counter()
                systems[at].call(step)
                times[at].append((t, (time.perf_counter() - begin) * 1000))
        counter.count_message(reply)
        for system in systems:
            system.store([reply])
    return [_row(s, found, spent) for s, found in zip(systems, times, strict=True)]


def _row(system: Any, found: Sequence[tuple[int, float]], spent: float) -> dict[str, Any]:
    row: dict[str, Any] = {
        "calls": len(found),
        "total_ms": round(sum(ms for _, ms in found), 1),
        "tokenising_ms": round(spent * 1e3),
    }
    if isinstance(system, Ours):
        row["storing_and_summarising_ms"] = round(system.background * 1e3)
    for at in (100, 500, 1000):
        near = [ms for t, ms in found if at - 15 <= t < at + 15]
        row[f"ms_{at}"] = round(statistics.median(near), 4) if found[-1][0] >= at - 1 else None
    return row


def main() -> None:
    """Run both sides and print one JSON line a run."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    run((Ours, TrimMessages), 8_000, 12)  # imports and first calls are nobody's cost per turn
    for window in (8_000, 32_000):
        for _ in range(repeats):
            ours, peer = run((Ours, TrimMessages), window, 1000)
            (searching,) = run((lambda w, c: Ours(w, c, retrieving=True),), window, 1000)
            ours["ms_1000_retrieving"] = searching["ms_1000"]
            ratios = {
                "total": round(peer["total_ms"] / ours["total_ms"], 1),
                "at_1000": round(peer["ms_1000"] / ours["ms_1000"], 1),
                "flat": round(ours["ms_1000"] / ours["ms_100"], 2),
            }
            line = {"window": window, "Ours": ours, "TrimMessages": peer, "ratios": ratios}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

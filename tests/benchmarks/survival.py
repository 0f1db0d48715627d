"""What a long conversation still knows, and what keeping it costs.

``python tests/benchmarks/survival.py [--crosswoz FILE] [--sessions N] …`` prints JSON lines:

- ``survival``: the share of key literals (ids, amounts, dates, names) that stand in the context
  after so many turns, by four ways of carrying history within one budget. ``all`` and ``first_ten``
  are measured at a question that names nothing; ``asked`` takes literals from turns that have left
  the window and asks for each with the sentence it was said in, its literals blanked.
- ``cost``: milliseconds of a request along a session of thousands of turns, without an embedder,
  and what compression takes of all tokens and of all time.
- ``slots``: CrossWOZ's user-state values that stand in the context at the last turn.

Long sessions are synthetic sessions of seed 101 joined end to end, which nothing was tuned on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import time
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import ctxlab as cx
from ctxlab import evals
from ctxlab.context.compression import Extractive
from ctxlab.context.loss import LossMeter
from ctxlab.evals.systems import CtxLab, Place, RollingSummary, RollingWindow, SystemSpec
from ctxlab.language.attributes import key_literals
from ctxlab.messages import Message
from ctxlab.turns import Turns

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SYSTEM = "You are a customer-support agent."
NEUTRAL = {"zh": "我们到现在都说了些什么？", "en": "What have we talked about so far?"}
RECENT, CHUNK = 20, 10  # turns word for word, and turns a narrative stands for
COUNTER = cx.TokenCounter()
Context = tuple[str, int]  # everything a model would read, and its tokens


def config_of(limit: int, masked: bool = True) -> cx.Config:
    """Return settings whose input may use `limit` tokens, and under which no session times out."""
    window = math.ceil(limit / 0.8)  # the reserve of R51 comes on top
    patient = {"session.idle_minutes": 1e6, "session.max_hours": 1e6}
    changes = {"budget.window": window, "mitigations.privacy": masked, **patient}
    return cx.Config().with_(changes)


def text_of(messages: Iterable[dict[str, Any]]) -> str:
    return "\n".join(f"{m.get('content') or ''} {m.get('tool_calls') or ''}" for m in messages)


# ---------------------------------------------------------------------- ways to carry history


class Race:
    """Four ways to carry one session's history within one budget, all fed the same."""

    def __init__(self, limit: int) -> None:
        # Nothing is masked: this is about carrying history, and a masked literal isn't lost.
        config = config_of(limit, masked=False)
        specs: dict[str, SystemSpec] = {
            "full_history_cut": RollingWindow(turns=None, prompt=SYSTEM),
            "rolling_window": RollingWindow(turns=RECENT, prompt=SYSTEM),
            "rolling_summary": RollingSummary(RECENT, CHUNK, prompt=SYSTEM),
            "ctxlab": CtxLab(config, prompt=SYSTEM),
        }
        self.limit, self.place = limit, Place("U1", "one", "support", START)
        self.systems = {name: spec.open() for name, spec in specs.items()}

    def feed(self, messages: Iterable[dict[str, Any]]) -> None:
        for message in messages:
            self.place = replace(self.place, time=self.place.time + timedelta(seconds=30))
            for system in self.systems.values():
                system.observe(message, self.place)

    def ask(self, name: str, question: str) -> Context:
        """Return everything a model would read, and its tokens."""
        seen = self.systems[name].context(question, self.place, self.limit)
        return text_of(seen.messages), COUNTER.count_messages(seen.messages)

    def close(self) -> None:
        for system in self.systems.values():
            system.close()


# ---------------------------------------------------------------------- sources


def joined(talks: Iterable[Sequence[dict[str, Any]]], turns: int) -> list[dict[str, Any]]:
    """Join conversations end to end until they have `turns` turns; ids and times are made anew."""
    out: list[dict[str, Any]] = []
    count = 0
    for n, talk in enumerate(talks):
        for message in talk:
            count += message["role"] == "user"
            if count > turns:
                return out
            new = {k: v for k, v in message.items() if k != "id"}
            new["time"] = (START + timedelta(seconds=30 * len(out))).isoformat()
            if "tool_call_id" in new:
                new["tool_call_id"] = f"{n}-{new['tool_call_id']}"
            if new.get("tool_calls"):
                new["tool_calls"] = [{**c, "id": f"{n}-{c['id']}"} for c in new["tool_calls"]]
            out.append(new)
    raise SystemExit(f"only {count} turns to join, not {turns}: raise the number of customers")


def synthetic(lang: str, seed: int, customers: int = 200) -> list[list[dict[str, Any]]]:
    data = cx.make_support(lang, customers=customers, seed=seed)
    return [data.to_messages(key) for key in data.sessions["session_id"]]


def split(talks: list[Any], parts: int) -> list[list[Any]]:
    size = len(talks) // parts
    return [talks[n * size : (n + 1) * size] for n in range(parts)]


# ---------------------------------------------------------------------- measurements


def survival(
    source: str, lang: str, messages: list[dict[str, Any]], args: argparse.Namespace
) -> None:
    """Print one line for each length and system."""
    talk = Turns.of(messages, COUNTER).all
    race, done = Race(args.limit), 0
    for length in args.turns:
        turns = talk[:length]
        race.feed(e.message.as_dict() for turn in turns[done:] for e in turn.entries)
        done = length
        held = LossMeter.literals(e.message for t in turns for e in t.entries)
        early = LossMeter.literals(e.message for t in turns[:CHUNK] for e in t.entries)
        older = LossMeter.literals(e.message for t in turns[:-RECENT] for e in t.entries)
        asked = questions(older, args.asked)
        for name in race.systems:
            text, tokens = race.ask(name, NEUTRAL[lang])
            answers = [(literal, *race.ask(name, question)) for literal, question in asked]
            found = [LossMeter.compare({x: older[x]}, [said]).survival for x, said, _ in answers]
            row = {
                "measure": "survival",
                "source": source,
                "lang": lang,
                "turns": length,
                "system": name,
                "history_tokens": sum(turn.tokens for turn in turns),
                "literals": len(held),
                "all": round(LossMeter.compare(held, [text]).survival, 3),
                "first_ten": round(LossMeter.compare(early, [text]).survival, 3),
                "tokens": tokens,
                "asked_n": len(asked),
                "asked": round(statistics.fmean(found), 3) if found else None,
                "asked_tokens": round(statistics.fmean(n for *_, n in answers)) if found else None,
            }
            print(json.dumps(row), flush=True)
    race.close()


def questions(older: dict[str, Any], count: int) -> list[tuple[str, str]]:
    """Return literals and, for each, the sentence that held it with all literals blanked."""
    out = []
    for literal, (_, sentence) in older.items():
        question = sentence
        for other in (literal, *key_literals(sentence)):
            question = question.replace(other, "…")
        if literal not in question and COUNTER.count(question) >= 5:
            out.append((literal, question))
    return random.Random(7).sample(out, min(count, len(out)))


def cost(lang: str, args: argparse.Namespace) -> None:
    """Print milliseconds along one long session, and the share of compression."""
    messages = joined(synthetic(lang, 101), args.long)
    spent = {"prepare": 0.0, "add": 0.0, "compress": 0.0}
    work = {"in": 0, "out": 0}
    extractive = Extractive()

    class Counting:
        local = True

        def __call__(self, said: Sequence[Message]) -> dict[str, Any]:
            told = extractive(said)
            work["in"] += sum(map(COUNTER.count_message, said))
            work["out"] += COUNTER.count(told["narrative"])
            return told

    engine = cx.ContextEngine(
        config=config_of(args.limit, not args.unmasked),
        clock=cx.ManualClock(START),
        embedder=None,
        system_prompt=SYSTEM,
        narrator=Counting(),
    )
    run = engine._compressions._run

    def timed(*given: Any) -> Any:
        begin = time.perf_counter()
        try:
            return run(*given)
        finally:
            spent["compress"] += time.perf_counter() - begin

    engine._compressions._run = timed
    session = engine.open_session(user_id="U1")
    times, sizes = [], []
    kind = {"measure": "cost", "lang": lang, "limit": args.limit, "masked": not args.unmasked}
    for turn in Turns.of(messages, COUNTER).all:
        head, *rest = [entry.message for entry in turn.entries]
        engine.flush()  # compression isn't on the request's path, so it isn't in its time
        begin = time.perf_counter()
        sizes.append(session.prepare(head.as_dict()).ledger.total)
        times.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        session.discard()
        for message in (head, *rest):
            session.add(message.as_dict())
        spent["add"] += time.perf_counter() - begin
        if len(times) in (100, 500, 1000, args.long):
            median = statistics.median(times[-40:]) * 1000
            mean = round(statistics.fmean(sizes[-40:]))
            point = {"at_turn": len(times), "prepare_ms": round(median, 2), "tokens": mean}
            print(json.dumps(kind | point), flush=True)
    engine.flush()
    spent["prepare"] = sum(times)
    row: dict[str, Any] = {**kind, "turns": len(times)}
    row |= {f"{name}_s": round(value, 2) for name, value in spent.items()}
    row["compress_share_of_time"] = round(spent["compress"] / sum(spent.values()), 3)
    row |= {"request_tokens": sum(sizes), "narrated_in": work["in"], "narrated_out": work["out"]}
    row["compress_share_of_tokens"] = round(
        sum(work.values()) / (sum(sizes) + sum(work.values())), 4
    )
    print(json.dumps(row), flush=True)
    engine.close()


def crosswoz(path: str, count: int) -> list[tuple[list[dict[str, Any]], set[str]]]:
    """Return dialogues up to their last user message, and the values of its user state."""
    with zipfile.ZipFile(path) as archive:
        raw = json.loads(archive.read(archive.namelist()[0]))
    out = []
    for talk in evals.read_conversations(path, "crosswoz"):
        said = [message.as_dict() for message in talk.messages]
        last = max(i for i, m in enumerate(said) if m["role"] == "user")
        state = [m for m in raw[talk.id]["messages"] if m["role"] == "usr"][-1]["user_state"]
        text = text_of(said[: last + 1])
        out.append((said[: last + 1], {v for v in values(state) if v in text}))
    return random.Random(7).sample(out, min(count, len(out)))


def values(state: Iterable[Sequence[Any]]) -> Iterable[str]:
    """Yield what the slots hold; of a facility, a slot that says yes, its name."""
    for _, _, slot, value, _ in state:
        if value == "是" and "-" in slot:
            yield slot.split("-", 1)[1]
        else:
            yield from (v for v in (value if isinstance(value, list) else [value]) if len(v) > 1)


def slots(args: argparse.Namespace) -> None:
    """Print the share of state values present, by budget and system; only values that were said."""
    talks = crosswoz(args.crosswoz, args.dialogues)
    for limit in (500, 1000, 2000):
        found: dict[str, list[tuple[int, int, int]]] = {}
        for messages, wanted in talks:
            *history, last = messages
            race = Race(limit)
            race.feed(history)
            for name in race.systems:
                text, tokens = race.ask(name, last["content"])
                row = (sum(value in text for value in wanted), len(wanted), tokens)
                found.setdefault(name, []).append(row)
            race.close()
        for name, rows in found.items():
            held, total, tokens = (sum(column) for column in zip(*rows, strict=True))
            line = {"measure": "slots", "limit": limit, "system": name, "dialogues": len(rows)}
            line |= {"values": total, "present": round(held / total, 3)}
            print(json.dumps(line | {"tokens": round(tokens / len(rows))}), flush=True)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--measures", nargs="+", default=["survival", "cost", "slots"])
    parser.add_argument("--langs", nargs="+", default=["zh", "en"])
    parser.add_argument("--turns", nargs="+", type=int, default=[50, 100, 200])
    parser.add_argument("--sessions", type=int, default=2, help="long sessions a language")
    parser.add_argument("--asked", type=int, default=30, help="literals asked for one by one")
    parser.add_argument("--limit", type=int, default=3200, help="tokens of input")
    parser.add_argument("--long", type=int, default=2000, help="turns of the cost session")
    parser.add_argument("--unmasked", action="store_true", help="cost without the privacy switch")
    parser.add_argument("--crosswoz", help="a CrossWOZ split, zipped")
    parser.add_argument("--dialogues", type=int, default=60)
    args, _ = parser.parse_known_args()  # `make bench` gives its ARGS to every benchmark
    if "cost" in args.measures:
        for lang in args.langs:
            cost(lang, args)
    if "slots" in args.measures and args.crosswoz:
        slots(args)
    if "survival" in args.measures:
        for lang in args.langs:
            for part in split(synthetic(lang, 101), args.sessions):
                survival("synthetic", lang, joined(part, max(args.turns)), args)
        if args.crosswoz:
            talks = [
                [m.as_dict() for m in c.messages] for c in evals.read_conversations(args.crosswoz)
            ]
            for part in split(talks, args.sessions):
                survival("crosswoz", "zh", joined(part, max(args.turns)), args)


if __name__ == "__main__":
    sys.exit(main())

"""Each mitigation off and on, over synthetic customers with hard sessions, zh and en.

Run with ``make bench``, or with a number of customers per measure (default 2). One table comes
out: what goes wrong with the one switch off, and with all of them on, as counts of cases.

- stale emotion: contexts of a new session, a day later, that quote an outburst of an earlier one;
- sensitive values: spans that policy refuses or masks, found in what is stored;
- leaks: private statements that another role reads, by memory's calls or in a context;
- duplicates and wrong merges: all facts of a customer and paraphrases of each are written; counted
  are the live records of a live fact beyond its first, live facts left without a record of their
  own, and replaced facts that still have one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

import pandas as pd

import ctxlab as cx

KEPT = {"contact"}  # what policy stores as it is
AGENTS = ("support", "sales", "billing")
PROBES = 16  # questions of the data's own checks that each new session is asked
Count = tuple[int, int]  # cases that went wrong, of how many


def play(engine: cx.ContextEngine, ds: Any, users: Iterable[str]) -> dict[str, str]:
    """Hold the customers' sessions as they were; returns the sessions' ids, theirs to ours."""
    names = {}
    rows = ds.sessions[ds.sessions["user_id"].isin(list(users))].sort_values("started")
    for row in rows.to_dict("records"):
        move(engine.clock, row["started"])
        session = engine.open_session(user_id=row["user_id"], agent=row["agent"])
        names[row["session_id"]] = session.id
        for message in ds.to_messages(row["session_id"]):
            move(engine.clock, message["time"])
            session.add(message)
        session.end()
    engine.flush()
    return names


def move(clock: Any, to: str) -> None:
    """Set the clock, never back: customers' lives overlap."""
    clock.set(max(clock.now(), datetime.fromisoformat(to)))


def contexts(engine: cx.ContextEngine, ds: Any, user: str, agent: str) -> list[str]:
    """Open a new session a day later and return what it would send for each probe."""
    engine.clock.advance(timedelta(days=1))
    hard = ds.checks[ds.checks["new_session"]]
    session = engine.open_session(user_id=user, agent=agent)
    texts = []
    for question in hard["question"].drop_duplicates().iloc[:: max(1, len(hard) // PROBES)]:
        texts.append(str(session.prepare(question)))
        session.discard()
    session.end()
    return texts


def quotes(ds: Any, user: str, prefix: str) -> set[str]:
    """Return what the checks of a kind say must not show."""
    mine = ds.checks[(ds.checks["user_id"] == user) & ds.checks["name"].str.startswith(prefix)]
    return {words for words in mine["must_not"].explode().dropna()}


# ---------------------------------------------------------------------- measures


def emotions(ds: Any, config: cx.Config, most: int) -> dict[str, Count]:
    """Count contexts that an old outburst colours."""
    users = sorted(set(ds.checks[ds.checks["name"].str.startswith("calm")]["user_id"]))[:most]
    shown = total = 0
    with opened(config) as engine:
        play(engine, ds, users)
        for user in users:
            words = quotes(ds, user, "calm")
            for text in contexts(engine, ds, user, "support"):
                shown += any(w in text for w in words)
                total += 1
    return {"contexts quoting an old outburst": (shown, total)}


def sensitive(ds: Any, config: cx.Config, most: int) -> dict[str, Count]:
    """Count sensitive values that can be found in what is stored."""
    spans: dict[str, list[str]] = {}
    for row in ds.sensitive.dropna(subset="message_id").to_dict("records"):
        user = row["message_id"].partition("-")[0]
        spans.setdefault(user, []).extend(
            span["text"] for span in row["spans"] if span["category"] not in KEPT
        )
    users = sorted(user for user, values in spans.items() if values)[: 2 * most]
    found = {"messages": 0, "memories": 0, "summaries and state": 0}
    with opened(config) as engine:
        play(engine, ds, users)
        for user in users:
            data = engine.memory.export(f"customer:{user}", by="bench", reason="count")
            parts = {
                "messages": [data["messages"]],
                "memories": [data["memories"], data["versions"]],
                "summaries and state": [
                    data[n] for n in ("digests", "chunks", "sessions", "state")
                ],
            }
            for place, rows in parts.items():
                text = json.dumps(rows, ensure_ascii=False)
                found[place] += sum(value in text for value in spans[user])
    total = sum(len(spans[user]) for user in users)
    return {f"sensitive values in {place}": (count, total) for place, count in found.items()}


def leaks(ds: Any, config: cx.Config, most: int) -> dict[str, Count]:
    """Count private statements that another role comes to see."""
    private = ds.memories[ds.memories["audience"] == "private"]
    users = sorted({entity.partition(":")[2] for entity in private["entity"]})[: 2 * most]
    read = reads = shown = total = 0
    with opened(config) as engine:
        play(engine, ds, users)
        for user in users:
            entity = f"customer:{user}"
            mine = private[private["entity"] == entity]
            (agent,) = set(mine["agent"])
            words = set().union(*(quotes(ds, user, p) for p in ("rival", "confide", "gripe")))
            for role in (role for role in AGENTS if role != agent):
                seen = engine.memory.profile(entity=entity, agent=role, limit=99)
                for text, ids in zip(mine["text"], mine["message_ids"], strict=True):
                    hits = engine.memory.search(text, entity=entity, agent=role, k=10, min_score=0)
                    records = [*seen, *(hit.record for hit in hits)]
                    read += any(set(ids) & set(r.source.message_ids) for r in records)
                    reads += 1
                for text in contexts(engine, ds, user, role):
                    shown += any(w in text for w in words)
                    total += 1
    return {
        "private statements read by another role": (read, reads),
        "contexts of another role quoting one": (shown, total),
    }


def duplicates(ds: Any, config: cx.Config, most: int) -> dict[str, Count]:
    """Write each fact of some customers and its paraphrases; count what is live in the end."""
    same = ds.pairs[ds.pairs["relation"] == "duplicate"].groupby("old")["new"].agg(list)
    lives = ds.sessions.groupby("user_id").size().sort_values(ascending=False, kind="stable")
    extra = facts = lost = stale = replaced = 0
    with cx.Memory("sqlite://", config=config, clock=cx.ManualClock("2027-01-01T00:00:00Z")) as m:
        for user in lives.index[: 4 * most]:
            truth = ds.memories[ds.memories["entity"] == f"customer:{user}"]
            truth = truth[truth["kind"] != "emotion"].sort_values("valid_from")
            for row, count in [(row, write(m, row, same)) for row in truth.to_dict("records")]:
                live = count()
                if row["superseded_by"] is None:
                    facts += 1
                    extra += max(live - 1, 0)
                    lost += not live
                else:
                    replaced += 1
                    stale += live > 0
    return {
        "duplicates per live fact": (extra, facts),
        "live facts merged away or replaced by another": (lost, facts),
        "replaced facts still live": (stale, replaced),
    }


def write(memory: cx.Memory, row: dict[str, Any], same: Any) -> Callable[[], int]:
    """Write a fact in all its wordings, a minute apart; returns a count of its live records.

    A record is its own if one of its wordings made it or was put into its text; where a wording
    was merged into another fact's record, nothing of it can be read any more.
    """
    at, made = datetime.fromisoformat(row["valid_from"]), set()
    for n, text in enumerate([row["text"], *same.get(row["text"], [])]):
        given = {name: row[name] for name in ("entity", "agent", "kind", "attribute", "audience")}
        outcome = memory.write(text, at=at + timedelta(minutes=n), ttl=3650, **given)
        if outcome.action in ("added", "superseded", "supplemented"):
            made.add(outcome.record.id)

    def count() -> int:
        who = {"entity": row["entity"], "agent": row["agent"]}
        return sum(memory.get(i, **who).status == "live" for i in made)

    return count


# ---------------------------------------------------------------------- the table


def opened(config: cx.Config) -> cx.ContextEngine:
    """Open an engine in memory at the beginning of the data's time."""
    return cx.ContextEngine(config=config, clock=cx.ManualClock("2025-12-01T00:00:00+00:00"))


MEASURES: dict[str, Callable[[Any, cx.Config, int], dict[str, Count]]] = {
    "contamination": emotions,
    "privacy": sensitive,
    "scopes": leaks,
    "duplicates": duplicates,
}


def main() -> None:
    """Print one table."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rows = []
    for lang in ("zh", "en"):
        ds = cx.load_support(lang)
        for switch, measure in MEASURES.items():
            configs = {
                "off": cx.Config().with_({f"mitigations.{switch}": False}),
                "on": cx.Config(),
            }
            found = {name: measure(ds, config, most) for name, config in configs.items()}
            for what in found["on"]:
                cells = {name: "{} of {}".format(*counts[what]) for name, counts in found.items()}
                rows.append({"mitigation": switch, "lang": lang, "measure": what, **cells})
            sys.stderr.write(f"{lang} {switch}: {cells}\n")
    sys.stdout.write(pd.DataFrame(rows).to_string(index=False) + "\n")


if __name__ == "__main__":
    main()

"""Each mitigation off and on, over customers that nothing was tuned on, zh and en.

Run with ``make bench BENCH=mitigations``, or with a size (default 1). One table comes out: what
goes wrong with the one switch off, and with all of them on, as counts of cases.

- what the failure bench provokes: an old outburst, secrets stored or shown, private statements
  before another role, facts shown twice or replaced;
- what a memory keeps when all facts of a customer and paraphrases of each are written: live records
  of a live fact beyond its first, live facts left without a record of their own, and replaced facts
  that still have one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pandas as pd

import ctxlab as cx
from ctxlab.evals.failures import failure_cases
from ctxlab.evals.systems import CtxLab

Count = tuple[int, int]  # cases that went wrong, of how many
PROVOKED = {
    "contamination": ["contamination"],
    "privacy": ["privacy"],
    "scopes": ["cross-agent"],
    "duplicates": ["duplicates", "stale facts"],
}


def provoked(switch: str, lang: str, size: int) -> dict[str, dict[str, Count]]:
    """Provoke what a switch is for, in an engine without it and in a whole one."""
    off = CtxLab(cx.Config().with_({f"mitigations.{switch}": False}), name="off")
    cases = failure_cases([off, CtxLab(name="on")], PROVOKED[switch], lang, size=size)
    found: dict[str, dict[str, Count]] = {}
    for (failure, system), part in cases.groupby(["failure", "system"]):
        found.setdefault(failure, {})[system] = int(part["failed"].sum()), len(part)
    return found


def written(lang: str, size: int) -> dict[str, dict[str, Count]]:
    """Write facts and their paraphrases to a memory without the duplicates switch and with it."""
    found: dict[str, dict[str, Count]] = {}
    for name, on in (("off", False), ("on", True)):
        config = cx.Config().with_({"mitigations.duplicates": on})
        for what, counts in duplicates(cx.load_support(lang), config, 2 * size).items():
            found.setdefault(what, {})[name] = counts
    return found


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


def main() -> None:
    """Print one table."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1
    rows = []
    for lang in ("zh", "en"):
        measured = [(switch, provoked(switch, lang, size)) for switch in PROVOKED]
        measured.append(("duplicates", written(lang, size)))
        for switch, found in measured:
            for what, counts in found.items():
                cells = {name: "{} of {}".format(*counts[name]) for name in ("off", "on")}
                rows.append({"mitigation": switch, "lang": lang, "measure": what, **cells})
                sys.stderr.write(f"{lang} {switch}, {what}: {cells}\n")
    sys.stdout.write(pd.DataFrame(rows).to_string(index=False) + "\n")


if __name__ == "__main__":
    main()

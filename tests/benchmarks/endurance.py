"""A long-running process stays flat: sessions opened, used, left and swept (R2, R131).

    python tests/benchmarks/endurance.py [SESSIONS] [--light] [--embedder auto]

Every session is a customer's own: two turns, a state key, a memory, a search. A third of them are
ended, the others left to the sweep, as it happens. ``--light`` has one turn a session, and leaves
out the model that reads each text for sensitive content and labels: most of the time, and nothing
is kept of it between calls but vectors in a cache, whose bound ``tests/models`` checks.

Prints resident memory as it goes and, at the end, what it grew by between a fifth of the way, when
caches are full, and the last session.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import psutil

import ctxlab as cx

STEPS = 20
SAID = (
    ("My order is A{n}, it hasn't come.", "I'll look into A{n}."),
    ("请以后都用邮件联系我，订单号是 A{n}。", "好的，已经记下。"),
    ("Please cancel it, I found another for {n} pounds.", "Done."),
    ("什么时候能到？已经等了 {n} 天了。", "预计月底到达。"),
)


def use(engine: cx.ContextEngine, n: int) -> None:
    """Hold one session of one customer."""
    entity = f"customer:U{n}"
    session = engine.open_session(user_id=f"U{n}")
    light = not engine.config.mitigations.privacy
    for turn in range(1 if light else 2):
        said, reply = SAID[(n + turn) % len(SAID)]
        session.commit(reply.format(n=n), session.prepare(said.format(n=n)))
    session.state["order_id"] = f"A{n}"
    text, known = f"prefers parcels before {n % 12} o'clock", {}
    if light:
        known = {"kind": "preference", "audience": "shared"}
    engine.memory.write(text, entity=entity, agent="support", **known)
    engine.memory.search("when to deliver", entity=entity, agent="support", mode="keyword")
    if n % 3 == 0:
        session.end()


def run(sessions: int, embedder: str | None, folder: str, light: bool = False) -> dict[str, object]:
    """Return resident memory in MB after each twentieth of the sessions, and the growth."""
    clock = cx.ManualClock("2026-01-01T00:00:00+00:00")
    process, began = psutil.Process(), time.monotonic()
    marks: list[float] = []
    every = max(sessions // STEPS, 1)
    swept = 0
    url = f"sqlite:///{folder}/endurance.db"
    config = cx.Config().with_({"mitigations.privacy": not light})
    with cx.ContextEngine(url, config, embedder, clock=clock) as engine:
        for n in range(1, sessions + 1):
            use(engine, n)
            clock.advance(timedelta(seconds=20))
            if n % 200 == 0:  # a sweep about once an hour
                swept += engine.sweep()["sessions_closed"]
            if n % every == 0:
                gc.collect()
                marks.append(process.memory_info().rss / 1e6)
                print(f"{n:>7,} sessions  {marks[-1]:7.1f} MB", flush=True)
        clock.advance(timedelta(days=1))
        swept += engine.sweep()["sessions_closed"]
        with engine.store.read() as connection:
            from ctxlab.storage import conversations

            now = clock.now()
            left_open = conversations.stale_sessions(connection, now, now)
    settled = marks[len(marks) // 5]
    return {
        "sessions": sessions,
        "swept": swept,
        "left_open": len(left_open),
        "embedder": embedder or "none",
        "light": light,
        "rss_mb": [round(mark, 1) for mark in marks],
        "growth_mb": round(marks[-1] - settled, 1),
        "growth_bytes_a_session": round((marks[-1] - settled) * 1e6 / (sessions * 0.8)),
        "seconds": round(time.monotonic() - began),
        "database_mb": round(Path(folder, "endurance.db").stat().st_size / 1e6, 1),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }


def main() -> None:
    """Read the arguments and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sessions", nargs="?", type=int, default=50_000)
    parser.add_argument("--embedder", default=None, help="default: none, words alone")
    parser.add_argument("--light", action="store_true", help="without scanner and labels")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(given.sessions, given.embedder, folder, given.light), indent=2))


if __name__ == "__main__":
    main()

"""Two processes at once, and processes killed in mid-write (R131)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

import ctxlab as cx

from .conftest import Letters, use_slots

SPAWN = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
PLAIN = {"entity": "customer:U1", "agent": "support", "kind": "fact", "audience": "shared"}


def open_memory(url):
    return use_slots(cx.Memory(url, embedder=Letters()))


def write_same(url, start, n):
    with open_memory(url) as memory:
        start.wait()
        for i in range(n):
            memory.write(f"city is {'Truro' if i % 2 else 'Leeds'}", **PLAIN)
            memory.write("likes jazz", **PLAIN)


def test_two_processes_writing_one_fact_end_with_one_record(tmp_path):
    url = f"sqlite:///{tmp_path / 'two.db'}"
    open_memory(url).close()
    start = SPAWN.Barrier(2)
    workers = [SPAWN.Process(target=write_same, args=(url, start, 15)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with open_memory(url) as memory:
        live = sorted(r.text for r in memory.profile(entity="customer:U1", agent="support"))
        assert live[1:] == ["likes jazz"]
        assert live[0] in ("city is Leeds", "city is Truro")
        report = memory.verify_audit()
        assert report.faults == ()
        assert len([e for e in memory.audit() if e.action != "profile"]) == 60


def write_for_ever(url, pipe):
    memory = open_memory(url)
    n = 0
    while True:
        outcome = memory.write(f"slot{n % 7} is {n}", **PLAIN)
        pipe.send((f"slot{n % 7}", n, outcome.record.id))
        n += 1


def kill_loop(tmp_path, times):
    """Kill a writer `times` times; return what was acknowledged and then not there."""
    url = f"sqlite:///{tmp_path / 'kill.db'}"
    open_memory(url).close()
    lost = []
    for n in range(times):
        here, there = SPAWN.Pipe(duplex=False)
        worker = SPAWN.Process(target=write_for_ever, args=(url, there))
        worker.start()
        there.close()
        here.poll(30)  # the first write is through
        time.sleep(0.003 * (n % 17))
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        latest = {}
        try:
            while True:
                slot, value, record_id = here.recv()
                latest[slot] = (value, record_id)
        except EOFError:
            pass
        lost += missing(url, latest)
    with open_memory(url) as memory:
        return lost + list(memory.verify_audit().faults)


def missing(url, latest):
    """Return acknowledged writes that are neither live nor replaced, and broken states."""
    lost = []
    with open_memory(url) as memory:
        who = {"entity": "customer:U1", "agent": "support"}
        live = [r.text.partition(" is ")[0] for r in memory.profile(**who, limit=999)]
        lost += [f"two of {slot}" for slot in set(live) if live.count(slot) > 1]
        for slot, (value, record_id) in latest.items():
            record = memory.get(record_id, **who)
            if record is None or record.text != f"{slot} is {value}":
                lost.append(f"{slot} is {value}")
            elif slot not in live:
                lost.append(f"neither of {slot}")
    return lost


def test_a_killed_writer_loses_nothing_acknowledged(tmp_path):
    assert kill_loop(tmp_path, 4) == []


@pytest.mark.long
def test_a_hundred_killed_writers_lose_nothing_acknowledged(tmp_path):
    assert kill_loop(tmp_path, 100) == []

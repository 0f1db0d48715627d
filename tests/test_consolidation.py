"""What finished sessions said for good becomes core, once, and keeps its sources (R100)."""

from __future__ import annotations

import json
import multiprocessing
import os
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

import ctxlab as cx
from ctxlab.cli import app
from ctxlab.consolidation import consolidate
from ctxlab.language.comparing import Comparison
from ctxlab.mitigations.duplicates import DuplicatePolicy
from ctxlab.storage.schema import digests

START = "2026-03-02T09:00:00+00:00"
LATER = "2026-03-03T09:00:00+00:00"
WHO = {"entity": "customer:U1", "agent": "support"}
WHY = {"by": "dpo", "reason": "asked for"}
CRACKLE = "The parcel came with a cracked lid."
RATTLE = "I dropped the blender last week."


@pytest.fixture
def clock():
    return cx.ManualClock(START)


@pytest.fixture
def engine(database_url, clock):
    with cx.ContextEngine(database_url, clock=clock) as engine:
        yield engine


@pytest.fixture
def memory(database_url, clock):
    with cx.Memory(database_url, clock=clock) as memory:
        yield memory


def talk(engine, clock, *turns, user="U1", agent="support", end=True):
    """Hold a session; a turn is what the customer says, or that and the agent's reply."""
    clock.advance(timedelta(hours=5))
    session = engine.open_session(user_id=user, agent=agent)
    for turn in turns:
        said, reply = turn if isinstance(turn, tuple) else (turn, "All right.")
        clock.advance(timedelta(minutes=1))
        session.commit(reply, session.prepare(said))
    if end:
        session.end()
    return session


def heard(memory, text, session="s1", message="1", **fields):
    """Write one statement as extracted from a message of a session, an hour after the last."""
    memory.clock.advance(timedelta(hours=1))
    source = {"type": "extracted", "session_id": session, "message_ids": (f"{session}/{message}",)}
    return memory.write(text, **{**WHO, "kind": "event", "source": source, **fields})


def live(memory, agent="support", entity="customer:U1"):
    return memory.profile(entity=entity, agent=agent, limit=99)


def tiers(memory, words, **who):
    return [record.tier for record in live(memory, **who) if words in record.text]


def dump(memory):
    with memory.store.read() as connection:
        return [
            connection.execute(sa.select(table)).fetchall()
            for table in cx.storage.schema.metadata.sorted_tables
        ]


def test_said_in_two_sessions_becomes_core_and_once_does_not(engine, clock):
    talk(engine, clock, CRACKLE, RATTLE)
    talk(engine, clock, CRACKLE)
    report = engine.consolidate()
    assert tiers(engine.memory, "cracked lid") == ["core"]
    assert tiers(engine.memory, "dropped") == ["ordinary"]
    assert report.sessions == 2 and report.admitted >= 1
    assert report.skipped["said once"] >= 1
    frame = report.to_frame().set_index("text")
    assert frame["reason"][next(t for t in frame.index if "cracked lid" in t)] == "said in 2 turns"


def test_said_twice_in_one_session_becomes_core(engine, clock):
    talk(engine, clock, "水壶上周炸了。", "今天天气不错。", "水壶上周炸了。")
    engine.consolidate()
    assert tiers(engine.memory, "炸") == ["core"]


def test_an_echo_by_the_agent_is_no_second_time(engine, clock):
    talk(engine, clock, (RATTLE, "I see: you dropped the blender last week."))
    report = engine.consolidate()
    assert "core" not in tiers(engine.memory, "dropped")
    assert report.admitted == 0 and report.drafted >= 1


def test_what_an_agent_repeats_is_not_about_the_customer(engine, clock):
    status = "Your parcel KX-48213 is at the Bristol depot since 2026-03-01."
    talk(engine, clock, ("Hello, any news?", status), ("And now?", status))
    talk(engine, clock, ("Any news today?", status))
    report = engine.consolidate()
    assert report.drafted >= 1 and report.admitted == 0
    assert "said by an agent alone" in report.skipped


def test_an_answer_is_no_confirmation(engine, clock):
    talk(engine, clock, ("水壶上周炸了。", "那这件事就先这样，还有别的事吗？"), "没了，多谢。")
    assert engine.consolidate().admitted == 0


def test_an_open_session_is_left_alone(engine, clock):
    session = talk(engine, clock, CRACKLE, "Hello?", CRACKLE, end=False)
    engine.flush()
    assert engine.consolidate().sessions == 0
    assert tiers(engine.memory, "cracked lid") == ["ordinary"]
    session.end()
    assert engine.consolidate().sessions == 1
    assert tiers(engine.memory, "cracked lid") == ["core"]


def test_confirmed_by_the_customer_becomes_core(engine, clock):
    asked = "Just to be sure: does the blender rattle on the highest speed?"
    talk(engine, clock, ("Hello, it's about my blender.", asked), "Yes, that's right.")
    report = engine.consolidate()
    reasons = {v.reason for v in report.verdicts if v.admitted}
    assert reasons == {"confirmed by the customer"}


@pytest.mark.parametrize(
    ("attribute", "admitted"),
    [("shipping_address", True), ("plan", True), ("order_status", False), ("budget", False)],
)
def test_a_core_business_field_needs_no_second_time(memory, attribute, admitted):
    place = "7 Mill Lane, Bath"
    heard(memory, f"it is {place}", kind="fact", attribute=attribute, value=place)
    assert consolidate(memory).admitted == admitted
    assert tiers(memory, "Mill Lane") == ["core" if admitted else "ordinary"]


@pytest.mark.parametrize("kind", ["emotion", "request", "commitment"])
def test_feelings_and_tasks_are_not_made_lasting(memory, kind):
    for session in ("s1", "s2"):
        heard(memory, "it is about the white blender", session, kind=kind)
    report = consolidate(memory)
    assert report.drafted == 1 and report.admitted == 0


@pytest.mark.parametrize(
    ("text", "attribute", "value", "admitted"),
    [
        (
            "The customer asked: Please change my mobile to 07700 900345.",
            "phone",
            "07700 900345",
            1,
        ),
        ("客户要求地址更新为文三路88号。", "address", "文三路88号", 1),
        ("The customer asked: Ring 07700 900345 tonight.", "phone", "07700 900345", 0),
        ("The customer asked: Change order QX-55120 to 9 Elm Row.", "address", "9 Elm Row", 0),
    ],
)
def test_a_request_that_says_for_good_how_to_reach_the_customer(
    memory, text, attribute, value, admitted
):
    source = {"type": "extracted", "session_id": "s1", "message_ids": ("s1/0",)}
    memory.write(text, **WHO, kind="request", attribute=attribute, value=value, source=source)
    assert consolidate(memory).admitted == admitted


def test_an_event_becomes_a_fact_that_keeps_its_episode_and_messages(engine, clock):
    first = talk(engine, clock, CRACKLE)
    second = talk(engine, clock, CRACKLE)
    (before,) = [r for r in live(engine.memory) if "cracked lid" in r.text]
    engine.consolidate()
    record = engine.memory.get(before.id, **WHO)
    assert (record.kind, record.tier, record.source.type) == ("fact", "core", "consolidated")
    assert record.source.message_ids == (f"{first.id}/0", f"{second.id}/0")
    assert record.source.session_id == second.id
    episode = engine.memory.history(before.id, **WHO)[0].record
    assert (episode.kind, episode.tier, episode.source.type) == (
        before.kind,
        "ordinary",
        "extracted",
    )
    assert engine.memory.history(before.id, **WHO)[-1].action == "consolidated"
    assert engine.memory.verify_audit()


def test_other_wordings_stay_linked(memory):
    policy = DuplicatePolicy(compare=lambda *_, **__: Comparison("duplicate", 1.0, ()))
    memory._writer = replace(memory._writer, duplicates=policy)
    kept = heard(memory, "The customer has a dog.", kind="fact").record
    assert heard(memory, "There is a dog in the house.", "s2", kind="fact").action == "merged"
    consolidate(memory)
    record = memory.get(kept.id, **WHO)
    assert record.tier == "core" and len(record.merged) == 1
    assert record.source.message_ids == ("s1/1", "s2/1")


def test_private_stays_private_and_roles_are_not_added_up(memory):
    text = "The customer thinks of closing the Leeds shop."
    heard(memory, text, "s1", agent="sales", audience="private", kind="fact")
    heard(memory, text, "s2", agent="billing", audience="private", kind="fact")
    assert consolidate(memory).admitted == 0  # each role heard it once
    heard(memory, text, "s3", agent="sales", audience="private", kind="fact")
    assert consolidate(memory).admitted == 1
    assert tiers(memory, "Leeds", agent="sales") == ["core"]
    assert tiers(memory, "Leeds", agent="billing") == ["ordinary"]
    assert tiers(memory, "Leeds", agent="support") == []
    (record,) = live(memory, "sales")
    assert (record.agent, record.audience) == ("sales", "private")


def test_a_second_pass_changes_nothing(engine, clock):
    talk(engine, clock, CRACKLE, RATTLE)
    talk(engine, clock, CRACKLE)
    assert engine.consolidate().sessions == 2
    engine.flush()
    before = dump(engine.memory)
    again = engine.consolidate()
    assert (again.sessions, again.drafted) == (0, 0)
    assert dump(engine.memory) == before


def test_an_interrupted_pass_goes_on_where_it_stopped(memory, monkeypatch):
    for user in ("U1", "U2", "U3"):
        for session in ("s1", "s2"):
            heard(memory, CRACKLE, f"{user}-{session}", entity=f"customer:{user}")
    real, seen = cx.Memory.promote, []

    def promote(self, record, *args, **kwargs):
        seen.append(record.entity)
        if record.entity == "customer:U2" and seen.count("customer:U2") == 1:
            raise RuntimeError("power cut")
        return real(self, record, *args, **kwargs)

    monkeypatch.setattr(cx.Memory, "promote", promote)
    with pytest.raises(RuntimeError, match="power cut"):
        consolidate(memory)
    assert tiers(memory, "cracked lid", entity="customer:U1") == ["core"]
    assert tiers(memory, "cracked lid", entity="customer:U2") == ["ordinary"]
    assert consolidate(memory).admitted == 2
    assert seen == ["customer:U1", "customer:U2", "customer:U2", "customer:U3"]
    for user in ("U1", "U2", "U3"):
        assert tiers(memory, "cracked lid", entity=f"customer:{user}") == ["core"]


def test_a_history_replayed_gives_the_same_memories():
    def run():
        clock = cx.ManualClock(START)
        with cx.ContextEngine(clock=clock) as engine:
            talk(engine, clock, CRACKLE, "My address is 9 Hill Road, York.", RATTLE)
            talk(engine, clock, CRACKLE)
            report = engine.consolidate()
            return json.dumps([r.to_dict() for r in live(engine.memory)]), report

    assert run() == run()


def test_what_was_taken_back_does_not_return(engine, clock):
    first = talk(engine, clock, CRACKLE)
    second = talk(engine, clock, CRACKLE, RATTLE)
    engine.memory.undo(first.id, **WHY)
    (record,) = [r for r in live(engine.memory) if "dropped" in r.text]
    engine.memory.forget(record.id, entity="customer:U1", **WHY)
    engine.consolidate()
    assert tiers(engine.memory, "dropped") == []
    assert "core" not in tiers(engine.memory, "cracked lid")
    assert second.id


def test_undoing_the_last_session_takes_the_promotion_back(engine, clock):
    talk(engine, clock, CRACKLE)
    second = talk(engine, clock, CRACKLE)
    engine.consolidate()
    engine.memory.undo(second.id, **WHY)
    assert tiers(engine.memory, "cracked lid") == ["ordinary"]


def test_core_facts_outlive_events_but_no_limit_set_on_purpose(memory):
    heard(memory, CRACKLE), heard(memory, CRACKLE, "s2")
    heard(memory, RATTLE, ttl=5), heard(memory, RATTLE, "s2", ttl=5)
    consolidate(memory)
    expires = {r.text: r.expires for r in live(memory)}
    assert expires[CRACKLE] is None  # a fact has no end
    assert expires[RATTLE] == memory.clock.now() + timedelta(days=5)  # as said the last time


def test_what_only_digests_hold_passes_the_write_pipeline(engine, clock):
    session = talk(engine, clock, "My address is 9 Hill Road, York.")
    with engine.store.write("customer:U1") as connection:
        connection.execute(cx.storage.schema.memories.delete())
        connection.execute(cx.storage.schema.heads.delete())
        connection.execute(cx.storage.schema.audit.delete())
    engine.memory._shelves.drop()
    engine.consolidate()
    (record,) = live(engine.memory)
    assert "9 Hill Road" in record.text and record.tier == "core"
    assert record.source.message_ids == (f"{session.id}/0",)


def run_pass(url, start):
    with cx.Memory(url, clock=cx.ManualClock(LATER)) as memory:
        start.wait()
        consolidate(memory)


def test_two_processes_at_once_promote_once(database_url):
    url = database_url
    with cx.Memory(url, clock=cx.ManualClock(START)) as memory:
        for user in ("U1", "U2", "U3", "U4"):
            for session in ("s1", "s2"):
                heard(memory, CRACKLE, f"{user}-{session}", entity=f"customer:{user}")
    spawn = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    start = spawn.Barrier(2)
    workers = [spawn.Process(target=run_pass, args=(url, start)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    with cx.Memory(url) as memory:
        done = [e for e in memory.audit() if e.action == "consolidated"]
        assert len(done) == len({e.entity for e in done}) == 4
        assert memory.verify_audit()


def test_an_erasure_takes_digests_and_marks_along(engine, clock):
    talk(engine, clock, CRACKLE)
    engine.consolidate()
    certificate = engine.memory.erase("customer:U1", **WHY)
    assert certificate.counts["digests"] == certificate.counts["marks"] == 1
    assert certificate.residue == 0
    with engine.store.read() as connection:
        assert connection.execute(sa.select(digests)).first() is None


def test_an_export_with_digests_is_json(engine, clock):
    talk(engine, clock, CRACKLE)
    data = json.loads(json.dumps(engine.memory.export("customer:U1", **WHY)))
    assert "cracked lid" in str(data["digests"])


def test_the_commands_consolidate_and_erase(tmp_path, clock):
    path = tmp_path / "lab.db"
    with cx.ContextEngine(f"sqlite:///{path}", clock=clock) as engine:
        talk(engine, clock, CRACKLE)
        talk(engine, clock, CRACKLE)
    done = CliRunner().invoke(app, ["consolidate", str(path)])
    assert done.exit_code == 0, done.output
    assert "finished sessions gone through: 2" in done.output and "admitted: 1" in done.output
    why = ["--by", "dpo", "--reason", "asked"]
    done = CliRunner().invoke(app, ["erase", str(path), "customer:U1", *why])
    assert done.exit_code == 0 and "residue: 0" in done.output, done.output
    assert b"cracked lid" not in path.read_bytes()
    assert CliRunner().invoke(app, ["erase", str(path), "U1", *why]).exit_code == 1
    assert CliRunner().invoke(app, ["erase", str(tmp_path / "no.db"), "a:b", *why]).exit_code == 1

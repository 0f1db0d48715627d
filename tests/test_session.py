"""Sessions, state and identity (R2 to R6), and the loop (R80)."""

import multiprocessing
from datetime import timedelta

import pytest

import ctxlab as cx

START = "2026-03-01T09:00:00+00:00"


@pytest.fixture
def clock():
    return cx.ManualClock(START)


@pytest.fixture
def engine(database_url, clock):
    with cx.ContextEngine(database_url, clock=clock, embedder=None) as engine:
        yield engine


def test_state_takes_declared_keys_of_declared_types(engine):
    session = engine.open_session(user_id="U1")
    session.state["order_id"] = "12345"
    assert session.state["order_id"] == "12345" and dict(session.state) == {"order_id": "12345"}
    with pytest.raises(cx.StateKeyError, match="did you mean 'order_id'"):
        session.state["oder_id"] = "1"
    with pytest.raises(cx.StateKeyError, match="never written"):
        session.state["step"]
    with pytest.raises(cx.StateKeyError, match="declared str"):
        session.state["order_id"] = 5


def test_state_values_are_copies_and_json():
    with cx.ContextEngine(state={"cart": list, "x": object}, embedder=None) as engine:
        state = engine.open_session().state
        state["cart"] = ["desk"]
        state["cart"].append("lamp")
        assert state["cart"] == ["desk"]
        with pytest.raises(cx.StateKeyError, match="isn't JSON"):
            state["x"] = {1, 2}


def test_state_is_cleared_with_its_session_and_never_shared(engine):
    first = engine.open_session(user_id="U1")
    second = engine.open_session(user_id="U1")
    first.state["order_id"] = "1"
    assert len(second.state) == 0
    first.end()
    assert len(engine.open_session(session_id=first.id).state) == 0


def test_an_idle_session_expires_and_says_so(engine, clock):
    session = engine.open_session(user_id="U1")
    session.send("hi")
    clock.advance(timedelta(minutes=29))
    session.send("still here")
    clock.advance(timedelta(minutes=31))
    with pytest.raises(cx.SessionExpired, match="idle_timeout"):
        session.prepare("hello?")
    with pytest.raises(cx.SessionExpired):
        session.state["order_id"] = "1"
    assert session.ended and len(session.messages) == 4


def test_a_session_has_a_maximum_age(engine, clock):
    session = engine.open_session(user_id="U1")
    for _ in range(50):
        clock.advance(timedelta(minutes=29))
        try:
            session.send("hi")
        except cx.SessionExpired as error:
            assert "max_age" in str(error)
            break
    else:
        raise AssertionError("no session lives for ever")


def test_sweep_closes_stale_sessions(engine, clock):
    stale = engine.open_session(user_id="U1")
    stale.state["order_id"] = "1"
    clock.advance(timedelta(hours=1))
    fresh = engine.open_session(user_id="U2")
    assert engine.sweep()["sessions_closed"] == 1
    assert engine.sweep()["sessions_closed"] == 0
    assert stale.ended and not fresh.ended


def test_two_users_never_mix(engine):
    a, b = engine.open_session(user_id="alice"), engine.open_session(user_id="alice.smith")
    a.send("my order is A1029")
    assert "A1029" not in str(b.prepare("which order?"))
    with pytest.raises(cx.IdentityError):
        engine.open_session(user_id="alice.smith", session_id=a.id)
    with pytest.raises(cx.IdentityError):
        engine.open_session(session_id="s-none")
    for bad in ("", 7):
        with pytest.raises(cx.IdentityError):
            engine.open_session(user_id=bad)


def test_binding_an_anonymous_session(engine):
    session = engine.open_session()
    session.send("my order is A1029")
    session.state["order_id"] = "A1029"
    assert session.entity.startswith("session:")
    session.bind("U1", by="login")
    assert session.entity == "customer:U1" and session.state["order_id"] == "A1029"
    assert len(session.messages) == 2
    session.bind("U1", by="login")
    with pytest.raises(cx.IdentityError, match="belongs to 'U1'"):
        session.bind("U2", by="login")
    assert "A1029" in str(session.prepare("which order?"))


def test_the_same_user_is_known_in_a_new_session(engine, clock):
    first = engine.open_session(user_id="U1")
    first.send("I want to return order A1029, the desk is scratched.")
    first.end()
    clock.advance(timedelta(days=1))
    context = engine.open_session(user_id="U1").prepare("hello")
    assert "A1029" in str(context) and "conclusion" in context.layers
    other = engine.open_session(user_id="U2").prepare("hello")
    assert "A1029" not in str(other)


def test_prepare_stores_nothing_and_commit_is_idempotent(engine):
    session = engine.open_session(user_id="U1")
    first = session.prepare("one")
    second = session.prepare("two")
    assert session.messages == []
    session.commit("reply", context=second)
    assert session.commit("reply", context=second) == []
    assert [m.text for m in session.messages] == ["two", "reply"]
    assert first.id != second.id
    with pytest.raises(cx.MessageError, match="nothing was prepared"):
        session.commit("again")
    session.prepare("three")
    session.discard()
    with pytest.raises(cx.MessageError):
        session.commit("again")


def test_a_context_belongs_to_its_session(engine):
    a, b = engine.open_session(user_id="U1"), engine.open_session(user_id="U2")
    context = a.prepare("hi")
    with pytest.raises(cx.IdentityError):
        b.commit("reply", context=context)


def test_add_is_idempotent_by_id_and_never_overwrites(engine):
    session = engine.open_session()
    message = {"role": "user", "content": "hi", "id": "m1", "time": START}
    assert session.add(message).id == "m1"
    assert session.add(message) is None
    with pytest.raises(cx.MessageError, match="other content"):
        session.add({**message, "content": "changed"})
    assert len(session.messages) == 1


def test_wrong_order_is_refused(engine):
    session = engine.open_session()
    with pytest.raises(cx.MessageError, match="answers no open call"):
        session.add({"role": "tool", "tool_call_id": "c1", "content": "r"})
    session.add({"role": "user", "content": "hi"})
    call = {"id": "c1", "function": {"name": "look", "arguments": "{}"}}
    session.add({"role": "assistant", "tool_calls": [call]})
    with pytest.raises(cx.MessageError, match="without a result"):
        session.add({"role": "assistant", "content": "so"})
    with pytest.raises(cx.MessageError, match="c1"):
        session.prepare()
    with pytest.raises(cx.MessageError):
        session.prepare({"role": "assistant", "content": "x"})


TOOLS = [
    {"type": "function", "function": {"name": "look", "description": "Look up", "parameters": {}}}
]


def scripted(*replies):
    replies = list(replies)

    def chat(messages, tools=None):
        assert cx.check_messages(messages) == []
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return chat


def asks(n):
    call = {
        "id": f"c{n}",
        "type": "function",
        "function": {"name": "look", "arguments": '{"n": 1}'},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def test_the_tool_loop(clock):
    seen = []
    engine = cx.ContextEngine(chat=scripted(asks(1), asks(2), "done"), clock=clock, embedder=None)
    session = engine.open_session()
    turn = session.send(
        "go", tools=TOOLS, run_tool=lambda name, args: seen.append(args) or {"ok": 1}
    )
    assert turn.reply == "done" and seen == [{"n": 1}] * 2
    assert [m.role for m in session.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]
    assert set(turn.context.trace.ms) >= {"receive", "load", "route", "assemble", "model", "update"}


def test_a_failing_tool_is_told_to_the_model():
    engine = cx.ContextEngine(chat=scripted(asks(1), "sorry"), embedder=None)
    session = engine.open_session()
    session.send("go", tools=TOOLS, run_tool=lambda name, args: 1 / 0)
    assert "ZeroDivisionError" in session.messages[2].text


def test_a_failing_model_changes_nothing():
    engine = cx.ContextEngine(chat=scripted(TimeoutError("slow"), 5, "fine"), embedder=None)
    session = engine.open_session()
    with pytest.raises(TimeoutError):
        session.send("hello")
    with pytest.raises(cx.MessageError):
        session.send("hello")
    assert session.messages == []
    assert session.send("hello").reply == "fine"


def test_loops_end():
    engine = cx.ContextEngine(chat=scripted(*[asks(n) for n in range(9)]), embedder=None)
    with pytest.raises(cx.MessageError, match="after 3 rounds"):
        engine.open_session().send("go", run_tool=lambda *_: "r", max_rounds=3)
    engine = cx.ContextEngine(chat=scripted(asks(1)), embedder=None)
    with pytest.raises(cx.MessageError, match="run_tool"):
        engine.open_session().send("go")


def test_resuming_from_another_engine(database_url, clock):
    url = database_url
    with cx.ContextEngine(url, clock=clock, embedder=None) as one:
        session = one.open_session(user_id="U1", agent="support")
        session.send("my order is A1029")
        session.handoff(to="billing")
        two = cx.ContextEngine(url, clock=clock, embedder=None)
        other = two.open_session(session_id=session.id)
        assert other.agent == "billing" and [m.text for m in other.messages] == [
            m.text for m in session.messages
        ]
        other.send("and A1030")
        assert len(session.messages) == 4
        assert "A1030" in str(session.prepare("which?"))
        two.close()


def talk(url, session_id, name):
    engine = cx.ContextEngine(url, clock=cx.ManualClock(START), embedder=None)
    session = engine.open_session(session_id=session_id)
    for n in range(25):
        session.add({"role": "user", "content": f"{name} {n}"})
    engine.close()


def test_two_processes_write_one_session(database_url, clock):
    url = database_url
    with cx.ContextEngine(url, clock=clock, embedder=None) as engine:
        session = engine.open_session(user_id="U1")
        spawn = multiprocessing.get_context("spawn")
        workers = [spawn.Process(target=talk, args=(url, session.id, name)) for name in "ab"]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
        texts = [m.text for m in session.messages]
        assert sorted(texts) == sorted(f"{name} {n}" for name in "ab" for n in range(25))
        for name in "ab":  # each writer's own order is kept
            mine = [t for t in texts if t.startswith(name)]
            assert mine == [f"{name} {n}" for n in range(25)]


def test_two_people_in_one_session_keep_their_names(engine):
    session = engine.open_session(user_id="U1")
    session.add({"role": "user", "name": "Ann", "content": "I want a refund"})
    session.add({"role": "user", "name": "Bo", "content": "I want an exchange"})
    context = session.prepare({"role": "user", "name": "Ann", "content": "so?"})
    assert [m.get("name") for m in context.messages if m["role"] == "user"] == ["Ann", "Bo", "Ann"]
    _, anthropic = context.as_anthropic()
    assert [b["text"] for b in anthropic[0]["content"]][:2] == [
        "Ann: I want a refund",
        "Bo: I want an exchange",
    ]


def test_hostile_text_is_stored_as_it_is(engine):
    session = engine.open_session()
    for text in ("x\x00y", "x\ud800y", "<|endoftext|>", "{'role': 'system'}", "\u202e" * 50, " "):
        session.add({"role": "user", "content": text})
        assert session.messages[-1].text == text


def test_databases_that_are_none(tmp_path):
    (tmp_path / "no.db").write_text("this is not a database, at all, by any means" * 100)
    for url in (f"sqlite:///{tmp_path}/no.db", f"sqlite:///{tmp_path}/absent/x.db", "nonsense"):
        with pytest.raises(cx.StoreError):
            cx.ContextEngine(url)


def test_a_newer_schema_is_refused(tmp_path):
    import sqlite3

    url = f"sqlite:///{tmp_path}/lab.db"
    cx.ContextEngine(url, embedder=None).close()
    with sqlite3.connect(tmp_path / "lab.db") as raw:
        raw.execute("update meta set value = '999' where key = 'schema'")
    with pytest.raises(cx.StoreError, match="upgrade"):
        cx.ContextEngine(url)


def test_wrong_zone():
    with pytest.raises(cx.ConfigError, match="IANA"):
        cx.ContextEngine(embedder=None).open_session(tz="Mars/Base")

"""Leaks of memory frames into replies, and pollution of lists."""

import json

import ctxlab as cx
from ctxlab.context.guard import check_pollution, find_leaks, strip_leaks


def test_what_a_context_frames_is_found_in_a_reply():
    """A model that parrots its context: every frame and label is found and removed."""
    engine = cx.ContextEngine(
        embedder=None,
        config=cx.Config().with_({"budget.window": 1000}),
        chat=lambda messages: "\n".join(str(m["content"]) for m in messages[1:-1]) + "\nDone.",
    )
    session = engine.open_session(user_id="U1")
    session.state["step"] = "return"
    for n in range(6):
        session.add(
            {"role": "user", "content": f"order A10{n} is late, I don't want a voucher " * 20}
        )
        session.add({"role": "assistant", "content": f"I've noted order A10{n}."})
    turn = session.send("so?")
    assert turn.context.layers.count("summary") == 1
    assert turn.context.trace.where(step="update", outcome="removed")
    assert session.messages[-1].text.endswith("Done.")
    assert find_leaks(session.messages[-1].text) == []


def test_ordinary_replies_are_left_alone():
    for text in (
        "Order [A1029] ships on Friday (session 3 of the fair).",
        "您的订单已发货［圆通］，预计周四到。",
        "Use <b>bold</b> and ctx- prefixes as you like.",
    ):
        assert find_leaks(text) == [] and strip_leaks(text) == text


def test_a_block_in_a_reply_goes_with_what_it_says():
    block = '<ctx-0123456789 kind="summary">\n[refused] a voucher\n</ctx-0123456789>'
    assert strip_leaks(f"{block}\nIt ships on Friday.") == "It ships on Friday."
    assert [leak.rule for leak in find_leaks(f"{block} [refused] x </ctx-0123456789>")] == [
        "block", "label", "frame",
    ]  # fmt: skip


def call(i, order):
    arguments = json.dumps({"order": order})
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{i}", "function": {"name": "look", "arguments": arguments}}],
    }


def test_pollution():
    clean = [{"role": "user", "content": "where is my order A1029, please?"}, call(1, "A1029")]
    assert check_pollution(clean) == []
    assert any("said 2 times" in f for f in check_pollution([clean[0], clean[0]]))
    assert any("other arguments" in f for f in check_pollution([*clean, call(2, "A1030")]))
    assert check_pollution([*clean, call(2, "A1029")]) == []
    stranger = {"role": "user", "name": "Bo", "content": "hi"}
    assert any("'Bo'" in f for f in check_pollution([stranger], names=("Ann",)))
    block = {"role": "system", "content": '<ctx-0123456789 kind="summary">\nassistant: yes'}
    assert any("role label" in f for f in check_pollution([block]))

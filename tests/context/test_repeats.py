"""Each thing is said once, and nothing that a newer value replaced (R74, R76)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab.context.blocks import Block
from ctxlab.context.repeats import SayOnce

WORDS = st.lists(st.sampled_from("order A1029 paid £40 地址 改了 refund".split()), min_size=1)


def blocks(**lines):
    return {layer: Block(layer, tuple(told), "s1") for layer, told in lines.items()}


def once(replaced=(), **lines):
    found = SayOnce(replaced)(blocks(**lines), cx.Trace())
    return {layer: block.lines for layer, block in found.items()}


@pytest.mark.parametrize(
    ("profile", "line", "left"),
    [
        ("(2026-01-05) Ann's order is A1029.", "[fact] Ann's order is A1029.", ()),
        ("(2026-01-05) 客户的地址是海尔路673号。", "[客户] 客户的地址是海尔路673号。", ()),
        ("(2026-01-05) Order A1029 is late.", "user: My order A1029 is late!", ()),
        (
            "(2026-01-05) Order A1029 is late.",
            "user: Order A1029 is late. I paid £40.",
            ("user: I paid £40.",),
        ),
        # The same number in other words is another statement.
        (
            "(2026-01-05) Order A1029 is late.",
            "user: Please gift-wrap whatever comes with A1029.",
            ("user: Please gift-wrap whatever comes with A1029.",),
        ),
        # What is refused or promised stays, whatever else names its literals.
        (
            "(2026-01-05) Order A1029 is late.",
            "user: I don't want A1029 any more.",
            ("user: I don't want A1029 any more.",),
        ),
    ],
)
def test_a_conclusion_tells_what_the_profile_leaves_out(profile, line, left):
    assert once(profile=[profile], conclusion=[line]).get("conclusion", ()) == left


def test_what_was_replaced_is_left_out_of_transcripts_but_not_of_longer_numbers():
    told = ["user: Ship to 12 Elm. No, to 14 Elm.", "[fact] It costs £4,112 Elm incl."]
    assert once(["12 Elm"], conclusion=told)["conclusion"] == (
        "user: No, to 14 Elm.",
        "[fact] It costs £4,112 Elm incl.",
    )
    # What else a sentence holds is kept.
    told = ["user: I'm Ann Lee, call 020 7946 0101 about A1029."]
    assert once(["020 7946 0101"], conclusion=told)["conclusion"] == (
        "user: I'm Ann Lee, call […] about A1029.",
    )
    found = "[40%] (session s-1, 2026-03-20) 号码是13651694334。后来换成了17614629968。"
    assert once(["13651694334"], past=[found])["past"] == (
        "[40%] (session s-1, 2026-03-20) 后来换成了17614629968。",
    )


def test_profile_and_other_layers_stay_as_they_are_and_the_trace_says_why():
    trace = cx.Trace()
    given = blocks(profile=["a", "a"], state=["order_id: A1"], conclusion=["[fact] a"])
    found = SayOnce()(given, trace)
    assert found["profile"] == given["profile"] and found["state"] == given["state"]
    assert "conclusion" in found  # one letter is no repeat
    SayOnce(["£40"])(blocks(conclusion=["Paid £40."]), trace)
    assert [e.rule for e in trace if e.outcome == "left out"] == ["R74"]


@settings(deadline=None)
@given(WORDS, WORDS)
def test_nothing_is_invented_and_nothing_is_lost_from_sight(first, second):
    profile, line = " ".join(first) + ".", " ".join(second) + "."
    found = once(profile=[profile], conclusion=[line])
    kept = " ".join([*found["profile"], *found.get("conclusion", ())])
    assert set(kept.replace(".", "").split()) <= {*first, *second}
    literals = {"A1029", "£40"} & {*first, *second}
    assert all(literal in kept for literal in literals)


def test_memory_names_what_newer_values_replaced():
    clock = cx.ManualClock("2026-01-05T09:00:00Z")
    who = {"entity": "customer:U1", "agent": "support"}
    with cx.Memory("sqlite://", clock=clock) as memory:
        fixed = {"kind": "fact", "attribute": "phone", "audience": "shared", **who}
        memory.write("The customer's phone is 020 7946 0101.", value="020 7946 0101", **fixed)
        assert memory.replaced(**who) == ()
        memory.write("The customer's phone is 020 7946 0202.", value="020 7946 0202", **fixed)
        assert "020 7946 0101" in memory.replaced(**who)
        assert not any("0202" in value for value in memory.replaced(**who))
        assert memory.replaced(entity="customer:U2", agent="support") == ()
        assert "020 7946 0101" in memory.replaced(**who, within="Ring 020 7946 0101.")
        assert memory.replaced(**who, within="Ring 020 7946 0202.") == ()
        memory.erase("customer:U1", by="test", reason="asked to")
        assert memory.replaced(**who) == ()


def test_a_new_session_is_not_told_an_address_that_was_put_right():
    clock = cx.ManualClock("2026-01-05T09:00:00Z")
    old, new = "12 Elm Street, Leeds", "14 Elm Street, Leeds"
    who = {"entity": "customer:U1", "agent": "support", "audience": "shared"}
    # Without a model nothing is drawn from turns: what is known is written here.
    with cx.ContextEngine("sqlite://", clock=clock, embedder=None) as engine:
        session = engine.open_session(user_id="U1")
        session.send(f"Please ship order A1029 to {old}.")
        session.end()
        asked = "Where will you send A1029?"
        assert old in str(engine.open_session(user_id="U1").prepare(asked))
        for value in (old, new):
            text = f"The customer's address is {value}."
            engine.memory.write(text, kind="fact", attribute="address", value=value, **who)
        text = str(engine.open_session(user_id="U1").prepare(asked))
    assert new in text and old not in text and "A1029" in text

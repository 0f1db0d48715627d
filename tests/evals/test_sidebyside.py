"""Two contexts next to each other: nothing is lost or moved by aligning them (R113)."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab import evals
from ctxlab.evals.sidebyside import Part, align, table

SMALL = cx.Config().with_({"budget.window": 500, "mitigations.privacy": False})
ROOMY = SMALL.with_({"budget.window": 4_000})

part = st.builds(
    Part,
    st.sampled_from(["system", "summary", "recent"]),
    st.sampled_from(["system", "user"]),
    st.sampled_from(["a", "b", "退款"]),
)


def said(turns=14):
    for i in range(turns):
        yield {"role": "user", "content": f"{i}: where is order A{1000 + i}? " + "please " * 12}
        yield {"role": "assistant", "content": f"Order A{1000 + i} is on its way. " + "so " * 12}


@settings(deadline=None)
@given(st.lists(part, max_size=8), st.lists(part, max_size=8))
def test_both_sides_can_be_read_off_the_rows(a, b):
    rows = align(a, b)
    for side, whole in enumerate((a, b)):
        told = [row[side] for row in rows if row[side] is not None]
        assert sorted(told, key=str) == sorted(whole, key=str)
    assert all(row != (None, None) for row in rows)
    assert all(x.layer == y.layer for x, y in rows if x and y)


@settings(deadline=None)
@given(st.lists(part, max_size=8))
def test_a_context_equals_itself(a):
    assert align(a, a) == [(x, x) for x in a]
    assert set(table(a, a)["in"]) <= {"both"}


def test_what_one_window_dropped_stands_on_one_side_only():
    result = evals.replay(list(said()), SMALL, ROOMY)
    last = result.to_frame()["request"].max()
    rows = result.side_by_side("1", last)
    only_b = rows[rows["in"] == "B"]
    assert only_b["B"].str.startswith("0: where is order A1000").any()
    dialogue = rows[rows["layer"] == "recent"]
    assert dialogue["in"].iloc[-1] == "both"  # the question itself
    assert dialogue["B"].tolist() == [m["content"] for m in said()][: 2 * last + 1]


def test_the_differences_add_up_with_the_frame_request_by_request():
    result = evals.replay(list(said()), SMALL, ROOMY)
    diff, frame = result.diff(), result.to_frame()
    a, b = (frame[frame["config"] == name].reset_index(drop=True) for name in "AB")
    assert diff["tokens"].tolist() == (b["total"] - a["total"]).tolist()
    assert diff["dropped_a"].tolist() == a["dropped"].tolist()
    assert diff["route_b"].tolist() == b["route"].tolist()
    same = (diff["only_a"] == 0) & (diff["only_b"] == 0)
    assert same.iloc[0] and not same.iloc[-1]
    assert (diff.loc[same, "tokens"] == 0).all()


def test_a_configuration_differs_in_nothing_from_itself():
    diff = evals.replay(list(said(6)), SMALL, SMALL).diff()
    assert (diff[["tokens", "only_a", "only_b"]] == 0).all().all()


def test_a_request_that_did_not_fit_has_no_parts_and_no_difference_in_tokens():
    messages = [{"role": "user", "content": "long " * 900}]
    result = evals.replay(messages, SMALL, ROOMY)
    assert result.contexts["A", "1", 0] == ()
    row = result.diff().iloc[0]
    assert pd.isna(row["tokens"])
    assert row["only_a"] == 0 and row["only_b"] > 0


def test_one_configuration_has_nothing_to_stand_beside():
    result = evals.replay(list(said(2)), SMALL)
    with pytest.raises(cx.DataError, match="config_b"):
        result.diff()
    with pytest.raises(cx.DataError, match="config_b"):
        result.side_by_side("1", 0)
    with pytest.raises(cx.DataError, match="no request 9"):
        result.side_by_side("1", 9)

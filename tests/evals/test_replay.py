"""Replay (R113): each request of a log, its tokens accounted for, beside naive windows."""

from __future__ import annotations

import json
import shutil
import time
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ctxlab as cx
from ctxlab import evals
from ctxlab.context.budget import LAYERS
from ctxlab.evals.page import COLOURS

# Masking embeds every sentence, and bears on what is said rather than on what fits.
SMALL = cx.Config().with_({"budget.window": 600, "mitigations.privacy": False})
WORDS = ["order", "A1029", "退款", "已经三天了", "parcel", "🎁", "<b>", "why?"]


def call(*names):
    calls = [{"id": n, "function": {"name": n, "arguments": "{}"}} for n in names]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answer(name, text="ok"):
    return {"role": "tool", "tool_call_id": name, "content": text}


def user(text="hi"):
    return {"role": "user", "content": text}


def reply(text="well"):
    return {"role": "assistant", "content": text}


def talk(turns, text="so much to say about this one order of mine, "):
    """Return a talk whose every third turn calls two tools at once."""
    said = []
    for i in range(turns):
        said.append(user(f"{i}: " + text * 3))
        if i % 3 == 2:
            said += [call(f"a{i}", f"b{i}"), answer(f"a{i}", text * 2), answer(f"b{i}", text)]
        said.append(reply(text * 2))
    return said


def untimed(frame):
    return frame.drop(columns="ms")


def test_a_request_stands_at_each_user_message_and_after_the_last_result():
    said = [reply("welcome"), user(), call("a", "b"), answer("a"), answer("b"), reply(), user()]
    frame = evals.replay(said).to_frame()
    assert frame[["turn", "after"]].values.tolist() == [[1, "user"], [1, "tools"], [2, "user"]]
    assert frame["error"].eq("").all() and frame["faults"].eq("").all()


def test_two_user_messages_in_a_row_are_both_kept():
    frame = evals.replay([user("one"), user("two"), user("three")]).to_frame()
    assert frame["left_out"].tolist() == [0, 0, 0]
    assert (frame["total"] == frame["full"]).all()


def test_every_token_is_accounted_for_and_the_budget_kept():
    # No result gets old here, so that nothing is added to what was said.
    result = evals.replay(talk(30), SMALL.with_({"assembly.tool_fresh_minutes": 10_000}))
    frame = result.to_frame()
    assert (frame[list(LAYERS)].sum(axis=1) == frame["total"]).all()
    assert (frame["total"] <= 480).all() and (frame["limit"] == 480).all()
    gone = frame["left_out"] > 0
    assert gone.any() and (frame.loc[gone, "why"] != "").all()
    assert (frame.loc[~gone, "total"] == frame.loc[~gone, "full"]).all()
    memory = frame["total"] - frame["system"] - frame["recent"]
    assert (frame["full"] - frame["left_out"] + memory == frame["total"]).all()


def test_a_part_too_large_is_named_and_the_replay_goes_on():
    result = evals.replay([user(), reply(), user("long " * 900), reply(), user("short")], SMALL)
    frame = result.to_frame()
    assert frame["error"].str.contains("the current user message").tolist() == [False, True, False]
    assert frame["total"].isna().tolist() == [False, True, False]
    ours = result.summary().iloc[0]
    assert (ours["contexts"], ours["budget_errors"], ours["over_budget"]) == (2, 1, 0)


def test_a_window_of_messages_breaks_pairs_that_ours_keeps():
    summary = evals.replay(talk(30), SMALL, counts=(4, 5)).summary().set_index("system")
    broken = summary["broken_pairs"].to_dict()
    assert broken.pop("A: window 600") == 0 and broken.pop("whole history") == 0
    # Ten turns call two tools, nine are followed by others. At the next user message, the last four
    # are (result, result, reply, user), without the call; at the one after it, the last five are
    # (result, reply, user, reply, user).
    assert broken == {"last 4 messages": 9 * 2, "last 5 messages": 9}


def test_an_interrupted_call_is_left_out_of_ours_and_breaks_the_rest():
    said = [user(), call("a"), user("never mind"), reply(), user("thanks")]
    result = evals.replay(said)
    assert result.to_frame()["faults"].eq("").all()
    whole = result.summary().set_index("system").loc["whole history"]
    assert (whole["broken_pairs"], whole["invalid"]) == (2, 2)


def test_two_configurations_stand_side_by_side():
    roomy = SMALL.with_({"budget.window": 2_000, "window.recent_turns": 5})
    result = evals.replay(talk(12), SMALL, roomy)
    assert list(result.labels) == ["A", "B"]
    assert result.labels["B"] == "B: window 2,000, window.recent_turns=5"
    alone = evals.replay(talk(12), roomy).to_frame()
    beside = result.to_frame().query("config == 'B'").reset_index(drop=True)
    pd.testing.assert_frame_equal(
        untimed(beside).drop(columns="config"), untimed(alone).drop(columns="config")
    )


def test_a_replay_is_deterministic_and_leaves_its_input_alone():
    said = talk(9)
    before = json.dumps(said)
    first, second = (untimed(evals.replay(said, SMALL).to_frame()) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    assert json.dumps(said) == before


def test_a_replay_does_not_hang_on_how_fast_the_background_is(monkeypatch):
    from ctxlab.context.background import Compressions

    # The longest conversation of the set: a summary that met one message more told other things.
    data = cx.load_support("en")
    longest = data.sessions.sort_values("turns")["session_id"].iloc[-1]
    said = data.to_messages(longest)
    often = SMALL.with_({"budget.window": 2_000, "compression.every_messages": 1})
    run, submit = Compressions._run, Compressions.submit

    def at_once(self, *arguments):
        submit(self, *arguments)
        self.flush()

    with monkeypatch.context() as quick:
        quick.setattr(Compressions, "submit", at_once)
        prompt = untimed(evals.replay(said, often, counts=()).to_frame())

    def late(self, *arguments):
        time.sleep(0.01)
        return run(self, *arguments)

    monkeypatch.setattr(Compressions, "_run", late)
    pd.testing.assert_frame_equal(untimed(evals.replay(said, often, counts=()).to_frame()), prompt)


def test_logged_times_age_tool_results_but_never_end_the_session():
    at = "2026-01-{:02d}T09:00:00+00:00".format
    said = [user(), call("a"), answer("a", "in transit"), reply(), user("and now?")]
    fresh = evals.replay(said).to_frame()
    late = [{**m, "time": at(1 if i < 4 else 9)} for i, m in enumerate(said)]
    stale = evals.replay(late).to_frame()
    assert stale["error"].eq("").all() and len(stale) == len(fresh)
    assert stale["total"].iloc[-1] > fresh["total"].iloc[-1]  # the note of its age


def test_masked_words_do_not_count_as_left_out():
    said = [user("my card is 4111 1111 1111 1111"), reply("noted"), user("thanks")]
    first, last = evals.replay(said).to_frame().to_dict("records")
    assert first["left_out"] == last["left_out"] == 0 and last["total"] == last["full"]
    counter = cx.TokenCounter()
    assert last["full"] < first["full"] + sum(map(counter.count_message, said[1:]))


def test_tools_and_system_messages_of_the_log_are_counted():
    tools = [{"type": "function", "function": {"name": "track", "description": "Track it."}}]
    record = {"messages": [{"role": "system", "content": "Be kind."}, user()], "tools": tools}
    row = evals.replay([record]).to_frame().iloc[0]
    counter = cx.TokenCounter()
    assert row["tool_definitions"] == counter.count_tools(tools) > 0
    assert row["total"] == counter.count_messages(record["messages"], tools)


def test_a_log_without_a_user_is_refused():
    with pytest.raises(cx.DataError, match="no user message"):
        evals.replay([reply("anyone there?")])
    with pytest.raises(cx.DataError, match="got int"):
        evals.replay(7)


step = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=40).map(lambda w: [user(" ".join(w))]),
    st.lists(st.sampled_from(WORDS), max_size=40).map(lambda w: [reply(" ".join(w))]),
    st.integers(1, 3).map(
        lambda n: [call(*"abc"[:n]), *(answer(name, "x " * 40) for name in "abc"[:n])]
    ),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(step, min_size=1, max_size=25))
def test_any_history_fits_or_says_which_part_does_not(steps):
    result = evals.replay([user(), *(m for part in steps for m in part)], SMALL)
    frame = result.to_frame()
    made = frame[frame["error"] == ""]
    assert made["faults"].eq("").all() and (made["total"] <= 480).all()
    assert (made[list(LAYERS)].sum(axis=1) == made["total"]).all()


# --- what is written ------------------------------------------------------------------------

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)> & 你好"


class Outline(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text += data


def outline(page):
    parser = Outline()
    parser.feed(page)
    return parser


def test_the_csv_has_every_request_and_none_of_the_words(tmp_path):
    result = evals.replay(talk(9), SMALL)
    result.to_csv(tmp_path / "out.csv")
    back = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)
    assert back["total"].tolist() == result.to_frame()["total"].tolist()
    assert "so much to say" not in (tmp_path / "out.csv").read_text("utf-8")


def test_the_page_is_whole_and_what_customers_wrote_stays_text(tmp_path):
    said = [{"messages": [user(EVIL), reply(), user("和现在？")], "id": EVIL}]
    page = evals.replay(said, SMALL, cx.Config()).to_html(tmp_path / "p.html", title=EVIL)
    assert (tmp_path / "p.html").read_text("utf-8") == page
    harmless = evals.replay([user("a"), reply(), user("b")], SMALL, cx.Config()).to_html()
    assert outline(page).tags == outline(harmless).tags and outline(page).links == []
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert EVIL in outline(page).text  # in the title, as text


def test_the_page_holds_both_contexts_and_each_part_once():
    result = evals.replay(talk(12), SMALL, cx.Config())
    page = result.to_html()
    start = page.index('id="data">') + len('id="data">')
    data = json.loads(page[start : page.index("</script>", start)])
    rows = data["talks"][0]["seen"][-1]
    for side, name in enumerate("AB"):
        told = [data["parts"][row[side]] for row in rows if row[side] >= 0]
        last = result.to_frame()["request"].max()
        wanted = [[part.role, part.text] for part in result.contexts[name, "1", last]]
        assert sorted([role, text] for _, role, text in told) == sorted(wanted)
    assert len({tuple(part) for part in data["parts"]}) == len(data["parts"])


def test_layers_have_the_colours_of_every_other_figure():
    from ctxlab.lab import style

    assert list(COLOURS) == list(LAYERS)
    assert {layer: colour for layer, (_, colour) in COLOURS.items()} == {
        layer: style.colour(layer) for layer in LAYERS
    }


@pytest.mark.browser
def test_the_page_works_by_keyboard_at_both_widths_and_runs_no_foreign_script(tmp_path):
    from playwright.sync_api import sync_playwright

    said = [{"messages": talk(20), "id": "一"}, {"messages": [user(EVIL), reply()], "id": EVIL}]
    evals.replay(said, SMALL, cx.Config()).to_html(tmp_path / "p.html")
    noise = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-quic"]
        )
        for width, scheme in ((1280, "light"), (390, "dark")):
            size = {"width": width, "height": 900}
            page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
            page.on("pageerror", lambda error: noise.append(str(error)))
            page.on("dialog", lambda dialog: (noise.append("dialog"), dialog.dismiss()))
            page.on("request", lambda request: noise.append(request.url))
            page.goto((tmp_path / "p.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            before = page.inner_text("#readout")
            page.focus("#at")
            page.keyboard.press("ArrowRight")
            assert page.inner_text("#readout") != before
            count = page.inner_text("#seen caption")
            page.keyboard.press("End")  # the last request: the small window has dropped turns
            assert page.inner_text("#seen caption") != count
            assert page.locator("#seen td.none").count() > 0
            page.select_option("#talk", index=1)
            assert "<img src=x" in page.inner_text("#readout")
            assert page.locator("#charts svg").count() == 2
        browser.close()
    assert set(noise) == {(tmp_path / "p.html").as_uri()}

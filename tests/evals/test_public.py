"""Evidence recall on public sets: on tiny made-up files of the same form."""

from __future__ import annotations

import json

import pytest

from ctxlab import evals
from ctxlab.errors import DataError
from ctxlab.evals.evidence import evidence_recall
from ctxlab.evals.locomo_set import load_locomo
from ctxlab.evals.longmemeval_set import load_longmemeval

TURNS = [
    ("Ann", "I bought a red kayak yesterday"),
    ("Bo", "Which colour is the paddle?"),
    ("Ann", "Bright yellow"),
    ("Bo", "My sister moved to Leeds"),
    ("Ann", "Look at this", "a photo of a lighthouse"),
    ("Bo", "It rained all week"),
]
QA = [
    ("What did Ann buy?", ["D1:1"], 4),
    ("Which colour is the paddle?", ["D1:3"], 1),
    ("Where is the lighthouse photo?", ["D:1:05"], 2),
    ("Who moved to Leeds, and what about the kayak?", ["D1:4; D1:1"], 3),
    ("Does Bo ski?", [], 5),
    ("Did Ann move to Leeds?", ["D1:4"], 5),
    ("Nowhere?", ["D9:9"], 4),
]


@pytest.fixture
def locomo_file(tmp_path):
    said = [
        {"speaker": who, "dia_id": f"D1:{n}", "text": text}
        | ({"blip_caption": rest[0]} if rest else {})
        for n, (who, text, *rest) in enumerate(TURNS, 1)
    ]
    asked = [{"question": q, "answer": "x", "evidence": e, "category": c} for q, e, c in QA]
    talk = {"speaker_a": "Ann", "session_1": said, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "c1", "qa": asked, "conversation": talk}]), "utf-8")
    return path


def memory_rows():
    for n, (topic, kind) in enumerate((("kayak", "multi-session"), ("oboe", "temporal"))):
        yield {
            "question_id": f"q{n}",
            "question_type": kind,
            "question": f"Which {topic} do I own?",
            "question_date": "2023/04/10 (Mon) 23:07",
            "answer_session_ids": [f"a{n}"],
            "haystack_session_ids": [f"a{n}"],
            "haystack_dates": ["2023/04/10 (Mon) 17:50"],
            "haystack_sessions": [
                [
                    {"role": "user", "content": f"I own a {topic}", "has_answer": True},
                    {"role": "assistant", "content": "Congratulations"},
                    {"role": "user", "content": "Thanks"},
                ]
            ],
        }


@pytest.fixture
def memory_file(tmp_path):
    path = tmp_path / "longmemeval.json"
    rows = list(memory_rows())
    path.write_text(json.dumps([*rows, {**rows[0], "question_id": "q0_abs"}]), "utf-8")
    return path


def test_locomo_reads_speakers_captions_and_crooked_references(locomo_file):
    (stack,) = load_locomo(locomo_file)
    assert stack.passages[4].text == "Ann: Look at this [a photo of a lighthouse]"
    assert [sorted(q.evidence) for q in stack.questions] == [
        ["D1:1"],
        ["D1:3"],
        ["D1:5"],
        ["D1:1", "D1:4"],
        ["D1:4"],
    ]
    assert stack.passages[0].time.isoformat() == "2023-05-08T13:56:00+00:00"


def test_locomo_table(locomo_file):
    table = evals.locomo(
        locomo_file, progress=False, ks=(2, 6), budgets=(1, 1000), embedder=None, rivals=("bm25",)
    )
    assert list(table) == ["system", "mode", "category", "k", "budget", "recall", "n"]
    assert set(table["mode"]) == {"keyword"}  # without an embedder there are only words
    overall = table[table["category"] == "overall"]
    assert set(overall["n"]) == {4}  # category 5 isn't in it
    assert (overall.loc[overall["k"] == 6, "recall"] == 1).all()
    ours = table[table["system"] == "ctxlab"].set_index(["category", "k"])["recall"]
    # The answer shares no word with the question; the turn before it does.
    assert ours[("1", 2)] == 1.0
    plain = table[table["system"] == "bm25"].set_index(["category", "k"])["recall"]
    assert plain[("1", 2)] == 0.0
    within = overall[overall["budget"].notna()].groupby("budget")["recall"].unique()
    assert within[1].tolist() == [0.0] and within[1000].tolist() == [1.0]


def test_recall_counts_what_was_found(locomo_file):
    stacks = load_locomo(locomo_file)
    table = evidence_recall(
        stacks, ks=(2,), budgets=(), modes=(), rivals=("recent", "random"), embedder=None
    )
    recent = table[table["system"] == "recent"].set_index("category")["recall"]
    assert recent["2"] == 1.0 and recent["4"] == 0.0  # the last two turns
    again = evidence_recall(
        stacks, ks=(2,), budgets=(), modes=(), rivals=("recent", "random"), embedder=None
    )
    assert table.equals(again)


def test_with_the_default_embedder_all_modes_are_measured(locomo_file):
    table = evals.locomo(locomo_file, progress=False, ks=(2,), budgets=())
    assert set(zip(table["system"], table["mode"], strict=True)) == {
        ("ctxlab", "keyword"),
        ("ctxlab", "dense"),
        ("ctxlab", "hybrid"),
        ("bm25", "keyword"),
        ("cosine", "dense"),
        ("recent", "none"),
        ("random", "none"),
    }
    assert table["recall"].between(0, 1).all()


def test_longmemeval_pools_sessions_where_each_would_only_hold_its_own(memory_file):
    (stack,) = load_longmemeval(memory_file)
    assert stack.units == ["a0", "a0", "a1", "a1"] and len(stack.questions) == 2
    assert len(load_longmemeval(memory_file, pool=False)) == 2
    table = evals.longmemeval(memory_file, progress=False, ks=(1, 2), budgets=(), embedder=None)
    ours = table[(table["system"] == "ctxlab") & (table["category"] == "overall")]
    assert ours["recall"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("content", ["", "[]", "{}", "[1]", '[{"qa": []}]', '[{"question_id": 1}]'])
@pytest.mark.parametrize("measure", [evals.locomo, evals.longmemeval])
def test_broken_files_are_named(tmp_path, content, measure):
    path = tmp_path / "broken.json"
    path.write_text(content, "utf-8")
    with pytest.raises(DataError, match=r"broken\.json|no question"):
        measure(path, progress=False)
    with pytest.raises(DataError, match="absent"):
        measure(tmp_path / "absent.json", progress=False)


@pytest.mark.parametrize("wrong", [{"ks": (0,)}, {"modes": ("fuzzy",)}, {"rivals": ("oracle",)}])
def test_wrong_settings_are_named(locomo_file, wrong):
    with pytest.raises(DataError, match=r"0|fuzzy|oracle"):
        evals.locomo(locomo_file, progress=False, embedder=None, **wrong)

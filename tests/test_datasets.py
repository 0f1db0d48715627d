"""The synthetic support set: same bytes everywhere, legal messages, checks that can be met."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest
from stdnum import luhn
from stdnum.cn import ric
from stdnum.us import ssn

from ctxlab import check_messages, datasets
from ctxlab.datasets import SupportDataset, data_dir, load_support, make_support
from ctxlab.errors import DataError
from ctxlab.stories import SENSITIVE, TABLES

LANGS = ("zh", "en")


@lru_cache
def loaded(lang: str) -> SupportDataset:
    return load_support(lang)


def sessions(data: SupportDataset) -> list[dict]:
    return data.sessions.to_dict("records")


# --- the same bytes, everywhere -------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_checked_in_set_is_what_the_seed_makes(lang, tmp_path):
    written = make_support(lang).save(tmp_path)
    kept = data_dir() / "support" / lang
    assert {path.name for path in written} == {path.name for path in kept.glob("*.jsonl")}
    for path in written:
        assert path.read_bytes() == (kept / path.name).read_bytes(), path.name
        assert path.stat().st_size <= 1_000_000


def test_bytes_depend_on_neither_hash_order_nor_time_zone_nor_locale(tmp_path):
    code = (
        "import sys; from ctxlab.datasets import make_support; "
        "make_support('zh', customers=9, seed=3).save(sys.argv[1])"
    )
    odd = {"PYTHONHASHSEED": "11", "TZ": "Pacific/Auckland", "LC_ALL": "C"}
    here, there = tmp_path / "here", tmp_path / "there"
    root = Path(datasets.__file__).parents[1]
    subprocess.run([sys.executable, "-c", code, there], check=True, cwd=root, env=os.environ | odd)
    for path in make_support("zh", customers=9, seed=3).save(here):
        assert path.read_bytes() == (there / path.name).read_bytes()


def test_another_seed_makes_another_set():
    one, other = (make_support("en", customers=4, seed=seed) for seed in (1, 2))
    assert list(one.customers["name"]) != list(other.customers["name"])


def test_manifest_names_every_data_file_with_its_hash():
    folder = data_dir()
    sums = json.loads((folder / "MANIFEST.json").read_text("utf-8"))
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json*")}
    assert set(sums) == there - {"MANIFEST.json"}, "run: python -m ctxlab.datasets"
    for name, value in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == value, name


def test_large_tables_are_split_and_read_back_in_order(tmp_path, monkeypatch):
    data = make_support("en", customers=12, seed=5)
    monkeypatch.setattr(datasets, "MAX_BYTES", 3_000)
    parts = [path.name for path in data.save(tmp_path) if path.name.startswith("sessions")]
    assert len(parts) > 10
    again = load_support("en", tmp_path)
    for table in TABLES:
        assert getattr(again, table).equals(getattr(data, table)), table
    monkeypatch.undo()
    data.save(tmp_path)
    assert [path.name for path in tmp_path.glob("sessions*")] == ["sessions.jsonl"]


# --- where the data are --------------------------------------------------------------------


def test_data_come_from_the_wheel_first_then_from_the_checkout(tmp_path, monkeypatch):
    package = tmp_path / "ctxlab"
    monkeypatch.setattr(datasets, "__file__", str(package / "datasets.py"))
    with pytest.raises(DataError, match="checkout"):
        data_dir()
    (tmp_path / "datasets" / "support").mkdir(parents=True)
    assert data_dir() == tmp_path / "datasets"
    (package / "_datasets" / "support").mkdir(parents=True)
    assert data_dir() == package / "_datasets"


def test_errors_name_the_value_and_the_way_out(tmp_path):
    for call in (lambda: make_support("fr"), lambda: load_support("fr")):
        with pytest.raises(DataError, match=r"fr.*'zh'"):
            call()
    with pytest.raises(DataError, match="customers=0"):
        make_support("zh", customers=0)
    with pytest.raises(DataError, match="U999-S1"):
        loaded("zh").to_messages("U999-S1")
    make_support("zh", customers=1).save(tmp_path)
    (tmp_path / "checks.jsonl").write_text("{", "utf-8")
    with pytest.raises(DataError, match=r"checks\.jsonl"):
        load_support("zh", tmp_path)


@pytest.mark.parametrize("customers", [1, datasets.MAX_CUSTOMERS])
def test_any_number_of_customers_within_the_limit_works(customers):
    assert make_support("en", customers=customers, seed=1).customers["user_id"].is_unique


# --- the conversations ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_messages_are_legal_and_in_order(lang):
    data = loaded(lang)
    ids = [message["id"] for row in sessions(data) for message in row["messages"]]
    assert len(ids) == len(set(ids))
    for row in sessions(data):
        messages = data.to_messages(row["session_id"])
        assert check_messages(messages, provider="openai") == []
        times = [datetime.fromisoformat(message["time"]) for message in messages]
        assert all(time.tzinfo is not None for time in times)
        assert all(before < after for before, after in pairwise(times))
        assert all((b - a).total_seconds() < 1800 for a, b in pairwise(times))
        assert messages[0]["role"] == "user"
        # Speakers take turns: nothing but tool results stands between two of one role.
        spoken = [m["role"] for m in messages if m["role"] != "tool" and m["content"] is not None]
        assert not any(a == b == "user" for a, b in pairwise(spoken))
        assert row["turns"] == sum(m["role"] == "user" for m in messages)


@pytest.mark.parametrize("lang", LANGS)
def test_tool_calls_carry_json_and_some_are_parallel(lang):
    calls = [
        m["tool_calls"] for s in sessions(loaded(lang)) for m in s["messages"] if "tool_calls" in m
    ]
    names = {call["function"]["name"] for group in calls for call in group}
    assert {"lookup_order", "track_parcel", "create_return", "check_stock"} <= names
    assert any(len(group) == 2 for group in calls)
    for group in calls:
        assert all(json.loads(call["function"]["arguments"]) for call in group)


@pytest.mark.parametrize("lang", LANGS)
def test_set_has_the_breadth_it_promises(lang):
    data = loaded(lang)
    assert len(data.customers) == 50
    per_user = data.sessions.groupby("user_id").size()
    assert per_user.min() == 1 and per_user.max() == 4
    sizes = data.sessions["messages"].map(len)
    assert sizes.min() >= 6 and (sizes >= 100).any() and ((sizes > 40) & (sizes < 70)).any()
    scenarios = {"product_enquiry", "order_enquiry", "after_sales"}
    assert set(data.sessions["scenario"]) == scenarios
    assert set(data.sessions["agent"]) == {"support", "sales", "billing"}
    assert set(data.customers["tier"]) == {"enterprise", "personal"}
    named = [{m["name"] for m in s["messages"] if "name" in m} for s in sessions(data)]
    assert any(len(names) == 2 for names in named)
    assert data.customers["name"].duplicated().any()


@pytest.mark.parametrize("lang", LANGS)
def test_messages_hold_no_unfilled_slot_or_mark(lang):
    data = loaded(lang)
    texts = [m["content"] for s in sessions(data) for m in s["messages"] if m["role"] != "tool"]
    texts += [*data.memories["text"], *data.checks["question"], *data.sensitive["text"]]
    assert not [text for text in texts if text and set(text) & set("{}<>[]")]


@pytest.mark.parametrize("lang", LANGS)
def test_every_speech_act_has_many_wordings_and_is_used(lang):
    bank = datasets._read_bank(lang)
    spoken = {act: words for act, words in bank.acts.items() if act.startswith(("u.", "a."))}
    assert len(spoken) >= 60
    assert not {act for act, words in spoken.items() if len(set(words)) < 8}
    plot = json.dumps(bank.stories)
    families = ("u.s.", "u.tier.", "u.pref.")  # chosen by a slot
    assert not {a for a in spoken if not a.startswith(families) and a not in plot and a != "a.wait"}


# --- the truth about them ------------------------------------------------------------------


def check_faults(data: SupportDataset) -> list[str]:
    """Name every check that could not be met, or that could be passed for nothing."""
    said = [
        (
            datetime.fromisoformat(m["time"]),
            s["user_id"],
            s["session_id"],
            m["id"],
            m["content"] or "",
        )
        for s in sessions(data)
        for m in s["messages"]
    ]
    order = {mark: place for place, (*_, mark, _) in enumerate(said)}
    faults = []
    for check in data.checks.to_dict("records"):
        when = datetime.fromisoformat(check["time"])
        own = [
            text
            for time, user, session, mark, text in said
            if user == check["user_id"]
            and time < when
            and (session != check["session_id"] or order[mark] <= order[check["after_message"]])
        ]
        all_before = [text for time, *_, text in said if time < when]
        for literal in check["must"]:
            if not any(literal in text for text in own):
                faults.append(f"{check['check_id']}: {literal!r} was never said")
        for literal in check["must_not"]:
            if not any(literal in text for text in all_before):
                faults.append(f"{check['check_id']}: {literal!r} has nowhere to leak from")
            if any(literal in wanted for wanted in check["must"]):
                faults.append(f"{check['check_id']}: {literal!r} is wanted and forbidden")
        for literal in check["must"] + check["must_not"]:
            if literal in check["question"]:
                faults.append(f"{check['check_id']}: the question gives {literal!r} away")
        if not check["must"] + check["must_not"]:
            faults.append(f"{check['check_id']}: asks for nothing")
    return faults


@pytest.mark.parametrize("lang", LANGS)
def test_every_check_can_be_met_and_can_fail(lang):
    assert check_faults(loaded(lang)) == []


def test_the_check_of_checks_notices_a_bad_one():
    data = make_support("en", customers=3, seed=1)
    bad = copy.deepcopy(data.checks)
    bad.at[0, "must"] = ["never said by anyone"]
    bad.at[1, "question"] = f"is it {bad.at[1, 'must'][0]}?"
    doctored = SupportDataset(
        data.lang, *(bad if t == "checks" else getattr(data, t) for t in TABLES)
    )
    assert len(check_faults(doctored)) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_checks_cover_what_the_suites_need(lang):
    checks = loaded(lang).checks
    assert len(checks) >= 120 and checks["check_id"].is_unique
    assert set(checks["difficulty"]) == {"simple", "medium", "hard"}
    assert set(checks["scenario"]) == {"product_enquiry", "order_enquiry", "after_sales"}
    assert set(checks["expected_route"]) == {"EXHAUSTIVE", "SUMMARY", "RETRIEVAL"}
    layers = {"session", "state", "summary", "profile", "semantic", "passages"}
    assert set(checks["layer"]) == layers
    signs = {"recognised", "order_named", "state_carried", "third_knows_second"}
    assert signs <= set(checks["sign"])
    for name in ("rights_now", "namesake", "rival_hidden", "calm_now", "address_new", "leak_later"):
        assert (checks["name"] == name).sum() >= 3, name


@pytest.mark.parametrize("lang", LANGS)
def test_route_follows_the_number_of_turns_unless_the_past_is_named(lang):
    data = loaded(lang)
    turns = {s["session_id"]: s["messages"] for s in sessions(data)}
    refers = {
        name
        for name, spec in datasets._read_bank(lang).stories["checks"].items()
        if "refers" in spec
    }
    for check in data.checks.to_dict("records"):
        messages = [] if check["new_session"] else turns[check["session_id"]]
        heard = [m for m in messages if m["id"] <= check["after_message"] and m["role"] == "user"]
        count = len(heard) + 1
        length = "RETRIEVAL" if count > 50 else "SUMMARY" if count > 20 else "EXHAUSTIVE"
        expected = "RETRIEVAL" if check["name"] in refers else length
        assert check["expected_route"] == expected, check["check_id"]


@pytest.mark.parametrize("lang", LANGS)
def test_memories_stand_on_messages_and_supersede_each_other(lang):
    data = loaded(lang)
    known = {m["id"]: m for s in sessions(data) for m in s["messages"]}
    rows = {row["memory_id"]: row for row in data.memories.to_dict("records")}
    latest: set[tuple[str, ...]] = set()
    for row in rows.values():
        assert all(known[mark]["time"] <= row["valid_from"] for mark in row["message_ids"])
        assert row["value"] in row["text"], row
        if row["superseded_by"] is not None:
            newer = rows[row["superseded_by"]]
            assert newer["valid_from"] > row["valid_from"] and newer["value"] != row["value"]
            assert (newer["entity"], newer["attribute"]) == (row["entity"], row["attribute"])
        elif row["attribute"] in ("address", "phone", "budget"):
            key = (row["entity"], row["attribute"])
            assert key not in latest
            latest.add(key)
    kinds = {"fact", "preference", "request", "commitment", "event", "emotion"}
    assert set(data.memories["kind"]) == kinds
    assert set(data.memories["audience"]) == {"shared", "private"}


@pytest.mark.parametrize("lang", LANGS)
def test_pairs_and_statements_are_labelled_and_distinct(lang):
    data = loaded(lang)
    relations = {"duplicate", "supplement", "supersede", "distinct"}
    assert set(data.pairs["relation"]) == relations
    assert (data.pairs["old"] != data.pairs["new"]).all()
    assert data.statements["text"].is_unique
    kinds = {"fact", "preference", "request", "commitment", "event", "emotion", "chitchat"}
    assert set(data.statements["kind"]) == kinds
    assert data.statements.groupby("kind").size().min() >= 8


@pytest.mark.parametrize("lang", LANGS)
def test_sensitive_spans_are_exact_and_numbers_have_valid_check_digits(lang):
    data = loaded(lang)
    found = {name: [] for name in SENSITIVE}
    for row in data.sensitive.to_dict("records"):
        for span in row["spans"]:
            assert row["text"][span["start"] : span["end"]] == span["text"]
            found[span["category"]].append(span["text"])
    assert all(found.values())
    assert all(luhn.is_valid(card.replace(" ", "")) for card in found["payment"])
    valid_id = ric.is_valid if lang == "zh" else ssn.is_valid
    assert all(valid_id(number) for number in found["government_id"])
    clean = data.sensitive[data.sensitive["spans"].map(len) == 0]
    assert len(clean) >= 20

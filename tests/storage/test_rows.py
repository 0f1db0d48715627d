"""A record that is stored and read is what it was, whatever is left out of its row."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxlab.storage.encoding import encode, encode_items
from ctxlab.storage.rows import is_core, read_body, to_record, to_row
from ctxlab.storage.schema import to_micros
from ctxlab.types import KINDS, Record, Source

START = datetime(2026, 3, 1, tzinfo=UTC)
instants = st.integers(-(10**14), 10**15).map(lambda us: START + timedelta(microseconds=us))
texts = st.text(st.characters(exclude_categories=()), min_size=1, max_size=20)
names = st.lists(texts, max_size=3).map(tuple)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda leaf: st.lists(leaf, max_size=3) | st.dictionaries(texts, leaf, max_size=3),
    max_leaves=5,
)  # fmt: skip
some = st.one_of
sources = st.builds(
    Source,
    st.sampled_from(["manual", "extracted", "consolidated", "imported"]),
    some(st.none(), texts),
    names,
)
records = st.builds(
    Record,
    id=texts,
    entity=texts,
    agent=texts,
    text=texts,
    created=instants,
    updated=instants,
    valid_from=instants,
    kind=st.sampled_from(KINDS),
    attribute=some(st.none(), texts),
    value=json_values,
    actionability=st.sampled_from(["actionable", "historical"]),
    audience=st.sampled_from(["shared", "private"]),
    sensitivity=names,
    tier=st.sampled_from(["core", "ordinary"]),
    source=sources,
    confidence=some(st.just(1.0), st.just(1), st.floats(0, 1)),
    valid_to=some(st.none(), instants),
    expires=some(st.none(), instants),
    access_count=st.integers(0, 9),
    last_access=some(st.none(), instants),
    version=st.integers(1, 9),
    status=st.sampled_from(["live", "superseded", "merged", "retracted"]),
    supersedes=names,
    merged=names,
    successor=some(st.none(), texts),
)
SAID = {"action": "added", "by": "support", "reason": ""}


@given(records, some(st.none(), instants), st.booleans())
def test_a_record_comes_back_as_it_was(record, changed, parsed):
    changed = record.valid_from if changed is None else changed
    row = to_row(record, SAID, to_micros(changed))
    assert read_body(row["body"])["change"] == SAID
    assert is_core(row["body"]) == (record.tier == "core")
    if parsed:
        row["body"] = read_body(row["body"])
        assert is_core(row["body"]) == (record.tier == "core")
    assert to_record(row) == record


@given(records)
def test_instants_that_are_one_are_stored_once(record):
    at = record.created
    record = record.with_(updated=at, valid_from=at, valid_to=None)
    row = to_row(record, SAID, to_micros(at))
    assert str(to_micros(at)) not in json.dumps({k: v for k, v in row.items() if k == "body"})
    assert to_record(row) == record


def test_a_body_that_says_everything_is_read_too():
    record = Record("m-1", "customer:U1", "support", "text", START, START, START)
    micros = to_micros(START)
    row = to_row(record, SAID, micros + 5)
    row["body"] = json.dumps({
        "text": "text",
        "actionability": "actionable",
        "tier": "ordinary",
        "confidence": 1.0,
        "source": ["manual", None, []],
        "created": micros,
        "valid_from": micros,
        "valid_to": None,
        "change": SAID,
    })  # fmt: skip
    assert to_record(row) == record


@given(st.dictionaries(st.sampled_from("abcdef"), json_values))
def test_an_object_is_written_as_any_value_is(value):
    assert encode_items(value) == encode(value)
    nested = {**value, "change": encode_items(value)}
    assert json.loads(encode_items(nested)) == {**value, "change": value}


@pytest.mark.parametrize("text", ['"tier":"core"', '{"tier":"core"}'])
def test_words_make_nothing_core(text):
    record = Record("m-1", "customer:U1", "support", text, START, START, START)
    row = to_row(record.with_(value={"tier": "core"}), SAID, 0)
    assert not is_core(row["body"])

"""The scope explorer says what a real memory does, on built-in and on given records."""

import itertools

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab.lab.scope import ScopeExplorer

LANGS = ["en", "zh"]
SECRETS = [
    {"text": "The customer lives at 12 Mill Lane.", "agent": "support", "kind": "fact"},
    {"text": "The customer was furious and shouted.", "agent": "support", "kind": "emotion"},
    {"text": "The customer asked for an invoice.", "agent": "billing", "kind": "request"},
]


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("lang", LANGS)
def test_cells_are_what_a_memory_does(lang, on):
    """Parity: each cell is what `memory.get` gives that role, once the records are written."""
    explorer = ScopeExplorer(lang=lang)
    config = cx.Config().with_(explorer.changes(scopes=on) | {"mitigations.duplicates": False})
    for entity in explorer._entities[:2]:
        data = explorer.compute(entity=entity, scopes=on)
        with cx.Memory("sqlite://", embedder=None, config=config) as memory:
            for row, known in zip(data.rows, explorer._by_entity[entity], strict=True):
                made = memory.write(
                    row.text,
                    entity=entity,
                    agent=row.agent,
                    kind=known["kind"],
                    attribute=known["attribute"],
                )
                assert made.record.audience == row.audience
                for role, cell in zip(data.roles, row.cells, strict=True):
                    seen = memory.get(made.record.id, entity=entity, agent=role) is not None
                    assert seen == (cell not in ("hidden", "withheld")), (row, role)


def test_an_explicit_share_opens_one_place_and_is_no_leak():
    explorer = ScopeExplorer(lang="en")
    where = explorer.presets["fixed"]
    before, after = explorer.compute(**where), explorer.compute(**where, share=True)
    assert (before.cell, after.cell) == ("hidden", "explicit")
    changed = [
        (a, b)
        for old, new in zip(before.rows, after.rows, strict=True)
        for a, b in zip(old.cells, new.cells, strict=True)
        if a != b
    ]
    assert changed == [("hidden", "explicit")]
    assert after.leaks == before.leaks


@pytest.mark.parametrize("lang", LANGS)
def test_claims(lang):
    explorer = ScopeExplorer(lang=lang)
    on, off = explorer.compute(), explorer.compute(scopes=False)
    assert off.leaks == off.risky > 0 and off.withheld == 0
    assert on.leaks < off.leaks / 2
    by_writer = explorer.compute(by="writer")
    assert by_writer.leaks == by_writer.withheld == 0
    assert explorer.compute(**explorer.presets["broken"]).cell == "leak"
    assert explorer.compute(**explorer.presets["fixed"]).cell == "hidden"


def test_own_records_in_every_form(tmp_path):
    frame = pd.DataFrame(SECRETS)
    frame.to_csv(tmp_path / "mine.csv", index=False)
    frame.to_json(tmp_path / "mine.jsonl", orient="records", lines=True)
    forms = [SECRETS, frame, tmp_path / "mine.csv", str(tmp_path / "mine.jsonl")]
    seen = [ScopeExplorer(form, lang="en").compute(scopes=False) for form in forms]
    assert all(data == seen[0] for data in seen)
    # Nobody said what ought to be private, so what the policy would hide counts as a leak.
    assert seen[0].leaks == sum(row.audience == "private" for row in seen[0].rows) > 0
    assert [c.name for c in ScopeExplorer(SECRETS).controls if c.name == "by"] == []


def test_own_records_from_a_memory():
    with cx.Memory("sqlite://", embedder=None) as memory:
        for row in SECRETS:
            memory.write(**row, entity="customer:U1")
        known = memory.profile(entity="customer:U1", agent="support")
    data = ScopeExplorer(known, lang="en").compute()
    assert data.entity == "customer:U1" and len(data.rows) == len(known)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{"text": "x"}], "row 1: no 'agent'"),
        ([], "no rows"),
        ([{"text": "x", "agent": "a", "audience": "public"}], "public"),
        ({"text": "x"}, "dict"),
        ([3], "int"),
    ],
)
def test_faults_are_named(given, said):
    with pytest.raises(cx.DataError, match=said):
        ScopeExplorer(given)


def test_many_records_and_roles_fit():
    roles = [f"role {i}" for i in range(6)]
    many = [
        {"text": f"Order A{i} is on its way " * 3, "agent": role}
        for i, role in itertools.islice(enumerate(itertools.cycle(roles)), 40)
    ]
    explorer = ScopeExplorer(many, lang="en")
    assert explorer.png(record=39).startswith(b"\x89PNG")
    assert explorer.compute(record=39).at == 39

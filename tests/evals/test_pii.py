"""The measurement on a public set, on a small set made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxlab.evals.pii import presidio


def test_scores_by_character(tmp_path: Path) -> None:
    card = {"entity_type": "CREDIT_CARD", "start_position": 5, "end_position": 21}
    name = {"entity_type": "PERSON", "start_position": 0, "end_position": 4}
    rows = [
        {"full_text": "card 4111111111111111", "spans": [card]},
        {"full_text": "Zara is here", "spans": [name]},
    ]
    path = tmp_path / "set.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    table = presidio(path).set_index("scope")
    assert table.loc["mapped", "f1"] == pytest.approx(1)
    assert table.loc["all", "recall"] == pytest.approx(16 / 20)
    assert table.loc["all", "precision"] == pytest.approx(1)
    assert table.loc["PHONE_NUMBER", "recall"] == 0

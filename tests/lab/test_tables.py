"""Tables of the user's own, in every form they come in."""

import pandas as pd
import pytest

import ctxlab as cx
from ctxlab.lab.tables import rows_of

ROWS = [{"text": "call me", "agent": "support"}, {"text": "你好", "agent": "sales"}]


def test_all_forms_give_the_same_rows(tmp_path):
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True, force_ascii=False)
    for form in (ROWS, frame, tmp_path / "a.csv", str(tmp_path / "a.jsonl"), iter(ROWS)):
        assert rows_of(form, ("text",), ("agent",)) == ROWS


def test_ids_in_a_csv_stay_text_and_empty_cells_are_nothing(tmp_path):
    (tmp_path / "ids.csv").write_text("text,entity,kind\nhi,0012,\nNA,7,fact\n")
    found = rows_of(tmp_path / "ids.csv", ("text",), ("entity", "kind"))
    assert [row["entity"] for row in found] == ["0012", "7"]
    assert [row["kind"] for row in found] == [None, "fact"] and found[1]["text"] == "NA"


def test_columns_left_out_are_none_and_others_are_dropped():
    assert rows_of([{"text": "x", "other": 1}], may=("agent",)) == [{"text": "x", "agent": None}]
    frame = pd.DataFrame({"text": ["x"], "agent": [float("nan")]})
    assert rows_of(frame, may=("agent",)) == [{"text": "x", "agent": None}]


@pytest.mark.parametrize(
    ("text", "said"), [("", "no rows"), ("not json", r"bad\.jsonl"), ("[1]", "list"), ("3", "int")]
)
def test_damaged_files_are_named(tmp_path, text, said):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(cx.DataError, match=said):
        rows_of(path)


def test_a_missing_file_or_column_is_named(tmp_path):
    with pytest.raises(cx.DataError, match=r"none\.csv"):
        rows_of(tmp_path / "none.csv")
    with pytest.raises(cx.DataError, match="row 2: no 'agent'"):
        rows_of([ROWS[0], {"text": "x"}], ("text", "agent"))

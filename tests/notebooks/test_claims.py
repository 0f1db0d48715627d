"""What a notebook's prose says of its own outputs: a change elsewhere can make it untrue."""

import pytest
from runner import NOTEBOOKS, run

both = pytest.mark.parametrize("lang", ["en", "zh"])


def outputs(number: int, lang: str, code: str) -> str:
    """Return what the cell with this code printed and showed, as text."""
    path = next(path for path in NOTEBOOKS if path.stem.startswith(f"{number:02d}_"))
    (cell,) = [
        c
        for c in run(path, lang).cells
        if c.cell_type == "code"
        and code in c.source
        and "inserted" not in c.metadata.get("tags", ())
    ]
    parts = [out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.outputs]
    return "\n".join(parts)


def rows(text: str, numbers: int) -> dict[str, list[str]]:
    """Return a printed table's rows: name -> its last cells."""
    cells = (line.rsplit(maxsplit=numbers) for line in text.splitlines())
    return {first.strip(): rest for first, *rest in filter(None, cells) if len(rest) == numbers}


@both
def test_01_memory_comes_back_and_state_does_not(lang):
    seen = rows(outputs(1, lang, '"state of the new session"'), 1)
    assert seen["state of the new session"] == ["{}"]
    assert seen["A1029 in the same user's context"] == ["True"]
    assert seen["A1029 in a stranger's context"] == ["False"]
    said = outputs(1, lang, 'print(f"from memory: ')
    assert int(said.split("from memory: ")[1].split()[0]) > 0


@both
def test_04_the_early_turns_are_in_the_late_request(lang):
    assert 'kind="summary"' in outputs(4, lang, 'if layer == "summary"')


@both
def test_07_only_retrieval_holds_what_was_said_two_sessions_ago(lang):
    held = rows(outputs(7, lang, 'columns=["holds the price", "tokens"]'), 2)
    answers = {mode: cells[0] for mode, cells in held.items() if mode.isupper()}
    assert answers == {"EXHAUSTIVE": "False", "SUMMARY": "False", "RETRIEVAL": "True"}


@both
def test_07_rules_hold_all_for_less_than_always_retrieving(lang):
    table = rows(outputs(7, lang, "compare_routers(needs"), 4)
    known = {name: [float(cell) for cell in cells] for name, cells in table.items() if "s" in name}
    known = {name: cells for name, cells in known.items() if name.startswith(("rules", "always"))}
    assert len(known) == 4
    assert known["rules"][1] >= max(cells[1] for cells in known.values())
    assert known["rules"][2] < known["always RETRIEVAL"][2]

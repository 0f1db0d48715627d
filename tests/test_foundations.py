"""Config, clocks, lazy names, and the floors of the house."""

import ast
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import ctxlab as cx

PACKAGE = Path(cx.__file__).parent
FLOORS = [
    {"types", "messages", "tokens", "config", "clock", "errors", "trace", "turns"},
    {"models", "storage"},
    {"language"},
    {"mitigations"},
    {"layers"},
    {"context"},
    {"engine", "session", "consolidation", "loader", "longterm", "metrics_log"}
    | {"occurrences", "recall"},
    {"evals", "datasets", "stories"},
    {"lab"},
    {"cli", "cli_eval", "cli_measure"},
]
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def modules():
    return sorted(
        p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or p.parent != PACKAGE
    )


def imported_rooms(path):
    """Rooms of ctxlab that a module imports, type-checking imports aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    here = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - node.level]
            parts = [*base, *(node.module or "").split(".")] if node.module else list(base)
            names = [parts[0]] if parts else [alias.name for alias in node.names]
            yield from (name for name in names if name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ctxlab."):
            yield node.module.split(".")[1]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_downwards_and_rooms_stay_small(path):
    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for other in imported_rooms(path):
        if other != room and other in FLOOR:
            same = FLOORS[FLOOR[room]]
            assert FLOOR[other] < FLOOR[room] or (other in same and "." not in other), (
                f"{room} (floor {FLOOR[room]}) imports {other} (floor {FLOOR[other]})"
            )
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_import_is_light():
    heavy = ("numpy", "pandas", "sqlalchemy", "sklearn", "matplotlib", "tiktoken", "torch")
    code = f"import sys, ctxlab; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_loads():
    for name in cx.__all__:
        if name not in ("lab", "evals"):
            assert getattr(cx, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        cx.nothing  # noqa: B018


def test_config_round_trips_as_toml(tmp_path):
    config = cx.Config().with_({"semantic.min_score": 0.4, "privacy.policy": {"health": 30.0}})
    config.save(tmp_path / "ctxlab.toml")
    assert cx.Config.load(tmp_path / "ctxlab.toml") == config
    assert cx.Config.load(tmp_path / "ctxlab.toml") != cx.Config()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"budget.windw": 8000}, "budget.windw"),
        ({"budget.window": -1}, "budget.window"),
        ({"nowhere.at": 1}, "nowhere.at"),
        ({"budget.shares": {"system": 0.9}}, "budget.shares"),
        ({"semantic.min_score": 2.0}, "semantic.min_score"),
        ({"session.idle_minutes": float("nan")}, "session.idle_minutes"),
    ],
)
def test_wrong_settings_are_named(change, name):
    with pytest.raises(cx.ConfigError, match=name.replace(".", r"\.")):
        cx.Config().with_(change)


def test_config_files_that_are_none(tmp_path):
    for content in (b"\xff\xfe", b"[budget", b"[budget]\nwindow = 'x'\n"):
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(cx.ConfigError):
            cx.Config.load(tmp_path / "bad.toml")
    with pytest.raises(cx.ConfigError):
        cx.Config.load(tmp_path / "absent.toml")


def test_presets_differ():
    assert cx.Config.preset("default") == cx.Config()
    assert cx.Config.preset("small").budget.window < cx.Config().budget.window
    with pytest.raises(cx.ConfigError, match="voice"):
        cx.Config.preset("large")


def test_manual_clock():
    clock = cx.ManualClock("2026-01-31T23:00:00-05:00")
    assert clock.now() == datetime(2026, 2, 1, 4, tzinfo=UTC)
    clock.advance(timedelta(hours=1))
    assert clock.now().hour == 5
    clock.set(datetime(2020, 1, 1, tzinfo=UTC))
    assert clock.now().year == 2020
    for bad in (datetime(2026, 1, 1), "2026-01-01", "soon"):
        with pytest.raises(cx.NaiveDatetime):
            cx.ManualClock(bad)


def test_frames_of_trace():
    trace = cx.Trace()
    trace.add("window", "R11", "turns 0-4", "dropped", "too old")
    assert list(trace.to_frame().outcome) == ["dropped"]
    assert trace.where(step="route") == []

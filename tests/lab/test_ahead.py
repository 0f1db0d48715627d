"""What an explorer works out while nobody moves anything."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

import ctxlab as cx
from ctxlab.lab import BudgetExplorer, ahead, budget
from ctxlab.lab.explorer import Explorer

SAID = [
    {"role": "user", "content": "Order K12761 is late"},
    {"role": "assistant", "content": "Let me see."},
    {"role": "user", "content": "And?"},
]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count the sessions that are played; a kernel counts as quiet at once."""
    monkeypatch.setattr(ahead, "_QUIET_SECONDS", 0.01)
    monkeypatch.setattr(ahead, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(ahead, "_BUSY_SECONDS", 60.0)
    found: list[Any] = []
    real = budget.play
    monkeypatch.setattr(budget, "play", lambda *given: found.append(given) or real(*given))
    return found


async def idle(explorer: Explorer) -> None:
    """Wait until nothing is planned any more."""
    wanted = explorer.view._ahead
    while wanted._next is not None and not wanted._next.cancelled():
        if wanted._next.when() < asyncio.get_running_loop().time() - 0.5:
            return
        await asyncio.sleep(0.02)


def test_the_next_step_of_a_slow_control_is_ready_when_it_is_taken(played):
    async def visit() -> None:
        explorer = BudgetExplorer(SAID, lang="en")
        view = explorer.view
        await idle(explorer)
        ready = len(played)
        for name in ("window", "memory", "reserve"):
            slider = view.controls[name]
            at = slider.index
            slider.index = at + 1
            slider.index = at
        view.buttons["broken"].click()
        assert len(played) == ready

    asyncio.run(visit())
    assert played


def test_without_a_loop_nothing_is_planned(played):
    explorer = BudgetExplorer(SAID, lang="en")
    explorer.view.controls["window"].index += 1
    assert len(played) == 2
    assert explorer.view._ahead._next is None


def test_a_running_cell_is_never_joined(played, monkeypatch):
    monkeypatch.setattr(ahead, "_BUSY_SECONDS", 0.01)

    async def visit() -> None:
        explorer = BudgetExplorer(SAID, lang="en")
        _ = explorer.view
        first = len(played)
        for _ in range(3):
            time.sleep(0.05)  # a cell that runs
            await asyncio.sleep(0)
        assert len(played) == first

    asyncio.run(visit())


def test_embedders_that_take_seconds_are_not_loaded_unasked():
    rows = [("late", "Order K1 is late", True), ("late", "Colour is red", False)]
    import pandas as pd

    data = pd.DataFrame(rows, columns=["query", "text", "relevant"])
    explorer = cx.lab.ThresholdExplorer(data, lang="en", embedders=("use", "minilm"))
    explorer.compute()
    assert all(settings["embedder"] == "use" for settings in explorer.likely())

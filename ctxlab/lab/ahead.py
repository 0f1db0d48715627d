"""What is likely to be asked next, worked out while nobody moves anything.

Some settings replay a whole session or embed new texts: longer than an eye takes for immediate. So
once the kernel has been idle for a while, an explorer computes what the next step of each such
setting leads to, then the ones after, one at a time, and remembers it. Whoever then moves it waits
for a drawing only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .explorer import Explorer

__all__ = ["Ahead"]

_QUIET_SECONDS = 1.0  # without a change before work begins
_PAUSE_SECONDS = 0.05  # between two pieces of it, in which a moved slider is heard
_MOST = 40  # pieces after one change: some seconds of work
_BUSY_SECONDS = 0.2  # a piece that starts this much late has waited for a running cell


class Ahead:
    """Pieces of work for the idle moments of a kernel; where no loop runs, nothing happens.

    Parameters
    ----------
    explorer : Explorer
        Whose ``compute`` remembers what it found.
    """

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._next: asyncio.TimerHandle | None = None
        self._wanted: Iterator[dict[str, Any]] = iter(())

    def plan(self) -> None:
        """Drop what was planned, and begin anew when the kernel has been quiet for a while."""
        if self._next is not None:
            self._next.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a plain script
            return
        self._wanted = islice(self._explorer.likely(), _MOST)
        self._after(loop, _QUIET_SECONDS)

    def _after(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._next = loop.call_later(seconds, self._work, loop, loop.time() + seconds)

    def _work(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        if loop.time() - due > _BUSY_SECONDS:  # cells are running: never beside them
            self._after(loop, _QUIET_SECONDS)
            return
        settings = next(self._wanted, None)
        if settings is not None:
            self._explorer.compute(**settings)
            self._after(loop, _PAUSE_SECONDS)

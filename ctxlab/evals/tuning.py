"""Where an index begins to pay, measured on this machine (R93)."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Index
from ..errors import ConfigError, MissingExtra
from ..mitigations.costs import Timing
from ..storage.indexes import VectorIndex, available, make_index, portions

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from ..config import Config

__all__ = ["SIZES", "Tuning", "parse_sizes", "sentences_like", "tune_index"]

SIZES = (1_000, 3_000, 10_000, 30_000)
_K = 10  # recall is of the best ten
_GAIN = 1.2  # a fifth faster, and so many milliseconds: less doesn't pay for building it
_SAVED = 0.5
_ROUNDS = 3  # times that flat and index take turns, so that a busy moment hits both
_EFFORTS = {"hnsw": (50, 100, 200, 400, 800), "ivf": (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)}
Row = dict[str, Any]


def sentences_like(n: int, dimension: int, seed: int = 7) -> NDArray[np.float32]:
    """Return unit vectors that lie as sentences do: few directions matter, the rest is noise.

    Parameters
    ----------
    n, dimension : int
        Shape of the result, float32 (n, dimension).
    seed : int

    Notes
    -----
    Independent noise in all directions, which has no neighbours, would make any index look bad.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    meant = np.random.default_rng(0).standard_normal((32, dimension), dtype=np.float32) / 32**0.5
    rows = rng.standard_normal((n, 32), dtype=np.float32) @ meant
    rows += 0.3 * rng.standard_normal((n, dimension), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    held: NDArray[np.float32] = rows.astype(np.float16).astype(np.float32)
    return held  # as the database gives them back


@dataclass(frozen=True)
class Tuning:
    """What was measured, and what follows.

    Attributes
    ----------
    timings : tuple of Timing
        One per size and kind of index.
    crossover : int
        Vectors from which the better index is a fifth and half a millisecond faster than comparing
        all, at the recall asked for; beyond what was measured if it never was.
    kind : str
        That index.
    effort : int
        How hard it has to look at the largest size; the default if none paid.
    reached : bool
        Whether the crossover lies within the sizes that were measured.
    about : dict
        Machine, versions, seed, time.
    """

    timings: tuple[Timing, ...]
    crossover: int
    kind: str
    effort: int
    reached: bool
    about: dict[str, Any]

    def to_frame(self) -> pd.DataFrame:
        """Return the timings as a table."""
        import pandas as pd

        return pd.DataFrame([asdict(timing) for timing in self.timings])

    def apply(self, config: Config) -> Config:
        """Return settings with what was found."""
        found = {"crossover": self.crossover, "kind": self.kind, "effort": self.effort}
        return config.with_({f"index.{name}": value for name, value in found.items()})

    def save(self, path: str | Path) -> None:
        """Write the timings as JSON, for `ctxlab.mitigations.costs.Timings`."""
        data = {"about": self.about, "timings": [asdict(timing) for timing in self.timings]}
        Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def tune_index(
    sizes: Sequence[int] = SIZES,
    dimension: int = 512,
    recall: float = 0.99,
    kinds: Sequence[str] = ("hnsw", "ivf"),
    questions: int = 50,
    seed: int = 7,
    progress: bool = False,
) -> Tuning:
    """Measure flat, HNSW and IVF at several sizes, one thread each, and find the crossover.

    Times are of that thread's work, so a machine that is busy with other things gives the same.

    Parameters
    ----------
    sizes : sequence of int
        Vectors of one entity. A graph of 100,000 takes one to two minutes to build.
    dimension : int
        Of the vectors; the default embedder's is 512.
    recall : float
        Share of the true ten that an index has to find, in (0, 1].
    kinds : sequence of str
        Indexes to try beside flat.
    questions : int
        Searches per figure.
    seed : int
        Of the vectors.
    progress : bool
        Show a bar.

    Raises
    ------
    MissingExtra
        If faiss isn't installed.

    Examples
    --------
    >>> tuning = tune_index(sizes=(300, 600), dimension=16, questions=5, kinds=("hnsw",))
    >>> sorted(tuning.to_frame()["kind"].unique())
    ['flat', 'hnsw']
    """
    from threadpoolctl import threadpool_limits
    from tqdm import tqdm

    if not available():
        raise MissingExtra("faiss", "ann")
    sizes = sorted(set(sizes))
    rows = sentences_like(sizes[-1] + questions, dimension, seed)
    asked, rows = rows[-questions:], rows[:-questions]
    timings: list[Timing] = []
    total = sum(sizes) * (1 + len(kinds))
    bar = tqdm(total=total, desc="vectors", unit="", unit_scale=True, disable=not progress)
    with bar, threadpool_limits(1):
        for size in sizes:
            for timing in _at_size(rows[:size], asked, kinds, recall, bar.update):
                timings.append(timing)
    return _conclude(timings, sizes, kinds, _about(dimension, recall, seed))


def parse_sizes(text: str) -> list[int]:
    """Return sizes from text, smallest first.

    Raises
    ------
    ConfigError
        If it isn't two whole numbers or more, of 100 to 10 million.

    Examples
    --------
    >>> parse_sizes("3_000, 1000")
    [1000, 3000]
    """
    try:
        sizes = sorted({int(part) for part in text.split(",")})
    except ValueError:
        sizes = []
    if len(sizes) < 2 or sizes[0] < 100 or sizes[-1] > 10_000_000:
        raise ConfigError(f"sizes: {text!r}: two whole numbers or more, 100 to 10,000,000")
    return sizes


def _at_size(
    rows: Any, asked: Any, kinds: Sequence[str], recall: float, step: Callable[[int], Any]
) -> Iterator[Timing]:
    flat, _ = _built("flat", rows, step)
    truth = [set(flat.search(question, _K)[0].tolist()) for question in asked]
    for kind in kinds:
        index, seconds = _built(kind, rows, step)
        effort, found = _enough(index, asked, truth, recall)
        pair = _side_by_side(flat, index, asked, effort)
        yield Timing(kind, len(rows), pair[1], found, seconds, effort)
    lone = _side_by_side(flat, flat, asked, 0)
    yield Timing("flat", len(rows), min(lone), 1.0, 0.0, 0)


def _built(kind: str, rows: Any, step: Callable[[int], Any]) -> tuple[VectorIndex, float]:
    import numpy as np

    begin = time.thread_time()
    index = make_index(kind, rows.shape[1])
    for part in portions(kind, len(rows)):
        index.add(np.arange(part.start, part.stop), rows[part])
        step(part.stop - part.start)
    return index, time.thread_time() - begin


def _enough(index: VectorIndex, asked: Any, truth: list[set[int]], recall: float) -> Any:
    """Return the least effort that finds enough, and what it finds; the most there is if none."""
    best = (0, 0.0)
    for effort in _EFFORTS[index.kind]:
        if index.kind == "ivf":
            effort = max(1, round(effort * getattr(index, "lists", 1)))
        found = [index.search(question, _K, None, int(effort))[0].tolist() for question in asked]
        share = sum(len(set(f) & t) for f, t in zip(found, truth, strict=True))
        best = (int(effort), share / sum(map(len, truth)))
        if best[1] >= recall:
            break
    return best


def _side_by_side(flat: VectorIndex, index: VectorIndex, asked: Any, effort: int) -> Any:
    """Return the median milliseconds of both, the better of several turns."""
    import numpy as np

    best = [float("inf"), float("inf")]
    allowed = np.ones(len(flat), dtype=bool)  # a search always has a filter
    for _ in range(_ROUNDS):
        for i, (one, hard) in enumerate(((flat, 0), (index, effort))):
            times = []
            for question in asked:
                begin = time.thread_time()
                one.search(question, _K, allowed, hard)
                times.append(time.thread_time() - begin)
            best[i] = min(best[i], 1000 * sorted(times)[len(times) // 2])
    return best


def _conclude(
    timings: list[Timing], sizes: Sequence[int], kinds: Sequence[str], about: dict[str, Any]
) -> Tuning:
    """Find, per kind, the size from which it stays ahead; the kind that is ahead first wins."""
    import math

    at = {(t.kind, t.vectors): t for t in timings}
    goal = about["recall"]
    best = (10 * sizes[-1], False, kinds[0])
    for kind in kinds:
        gains = [_gain(at["flat", n], at[kind, n], goal) for n in sizes]
        ahead = [i for i in range(len(sizes)) if all(g >= 1 for g in gains[i:])]
        if not ahead:
            continue
        i = ahead[0]
        where = float(sizes[i])
        if i and gains[i - 1] > 0:  # between two sizes, on a scale of ratios
            low, high = math.log(gains[i - 1]), math.log(gains[i])
            part = -low / (high - low) if high > low else 1.0
            where = sizes[i - 1] * (sizes[i] / sizes[i - 1]) ** part
        best = min(best, (_round(where), True, kind), key=lambda found: found[0])
    crossover, reached, kind = best
    effort = max(1, at[kind, sizes[-1]].effort) if reached else Index().effort
    return Tuning(tuple(timings), crossover, kind, effort, reached, about)


def _gain(flat: Timing, index: Timing, goal: float) -> float:
    """Return by what factor an index does better than it must; 0 if it finds too little."""
    if index.recall < goal:
        return 0.0
    return max(0.0, min(flat.ms / index.ms / _GAIN, (flat.ms - index.ms) / _SAVED))


def _round(where: float) -> int:
    """Two digits are more than such a figure is worth already."""
    power = 10 ** max(0, len(str(int(where))) - 2)
    return int(round(where / power) * power)


def _about(dimension: int, recall: float, seed: int) -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "faiss-cpu": version("faiss-cpu"),
        "dimension": dimension,
        "recall": recall,
        "seed": seed,
        "vectors": "synthetic, 32 directions and noise",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())

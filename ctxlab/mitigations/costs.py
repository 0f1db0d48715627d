"""What memory costs: storage, tokens, money and milliseconds, from a handful of numbers (R93).

Every default is dated, has its source, and can be changed: prices move, and a machine is no other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CostModel", "CostReport", "Price", "Prices", "Step", "Timing", "Timings"]

_MEASURED = Path(__file__).with_name("timings.json")
_DAYS = 365.25 / 12  # of a month


@dataclass(frozen=True, slots=True)
class Price:
    """One price, with when and where it was read.

    Attributes
    ----------
    dollars : float
        US dollars per `unit`.
    unit, seen, source : str
    """

    dollars: float
    unit: str
    seen: str
    source: str


@dataclass(frozen=True)
class Prices:
    """List prices; replace any of them by your own.

    Nobody read these off the sellers' own pages: check them there before you rely on a sum.

    Examples
    --------
    >>> mine = Prices(disk=Price(0.02, "GB-month", "2026-11", "our own rack"))
    >>> mine.disk.dollars, mine.embedding.unit
    (0.02, 'million tokens')
    """

    model_in: Price = Price(
        0.75, "million tokens", "2026-06", "OpenAI's list, quoted by others: gpt-5.4-mini, input"
    )
    model_out: Price = Price(
        4.50, "million tokens", "2026-06", "OpenAI's list, quoted by others: gpt-5.4-mini, output"
    )
    embedding: Price = Price(
        0.02,
        "million tokens",
        "2026-07",
        "OpenAI's list, quoted by others: text-embedding-3-small",
    )
    disk: Price = Price(0.08, "GB-month", "2025-01", "AWS, EBS gp3 in us-east-1; not checked since")

    @classmethod
    def local(cls) -> Prices:
        """Return prices of a machine that is there anyway: ctxlab's defaults, no model called."""
        none = {
            name: Price(0.0, unit, "always", "ctxlab's own embedder and rules, on your machine")
            for name, unit in (
                ("model_in", "million tokens"),
                ("model_out", "million tokens"),
                ("embedding", "million tokens"),
            )
        }
        return cls(**none)


@dataclass(frozen=True, slots=True)
class Timing:
    """One index at one size, as ``ctxlab tune-index`` measures it.

    Attributes
    ----------
    kind : str
        ``flat``, ``hnsw`` or ``ivf``.
    vectors : int
        Held by the index.
    ms : float
        Median milliseconds of one search, one thread.
    recall : float
        Share of the true ten nearest that it found.
    build_s : float
        Seconds to build.
    effort : int
        How hard it looked.
    """

    kind: str
    vectors: int
    ms: float
    recall: float
    build_s: float
    effort: int


@dataclass(frozen=True)
class Timings:
    """Search times by size, read between and beyond the sizes that were measured.

    Parameters
    ----------
    rows : sequence of Timing
    about : mapping
        Machine, versions and date of the measurement.
    """

    rows: tuple[Timing, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Timings:
        """Read what ``tune-index --timings`` wrote; None: what was measured for this release.

        Raises
        ------
        ConfigError
            If the file isn't one.
        """
        try:
            data = json.loads(Path(path or _MEASURED).read_text(encoding="utf-8"))
            return cls(tuple(Timing(**row) for row in data["timings"]), data["about"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path}: no timings of tune-index ({error})") from error

    def ms(self, kind: str, vectors: int) -> float:
        """Return milliseconds of one search at a size, along straight lines on log-log paper.

        Raises
        ------
        ConfigError
            If that kind wasn't measured at two sizes at least.
        """
        known = sorted((t.vectors, t.ms) for t in self.rows if t.kind == kind)
        if len(known) < 2:
            raise ConfigError(f"timings: {kind!r} was measured at {len(known)} sizes, 2 are needed")
        upper = next((i for i, (n, _) in enumerate(known) if n >= vectors and i), len(known) - 1)
        (n0, ms0), (n1, ms1) = known[upper - 1], known[upper]
        if vectors <= known[0][0]:
            return known[0][1]  # the call itself: it doesn't get cheaper
        slope = math.log(ms1 / ms0) / math.log(n1 / n0)
        if (
            vectors > n1
        ):  # a scan reads every vector once: what bent the line beyond that was chance
            return float(ms1 * (vectors / n1) ** min(slope, 1.0))
        return float(ms0 * (vectors / n0) ** slope)


@cache
def _release() -> Timings:
    return Timings.load()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a request: milliseconds with exact search and with an index."""

    name: str
    flat_ms: float
    ann_ms: float


@dataclass(frozen=True)
class CostReport:
    """What a `CostModel` comes to.

    Attributes
    ----------
    vectors : int
        Over all customers.
    storage_bytes, index_bytes : float
        On disk; in memory, where the heaviest customer has an index.
    extractions, embeddings, tokens : float
        A day; tokens are those of models and embedder together.
    dollars : mapping
        A day, by item: ``extraction``, ``embedding``, ``storage``.
    first_embedding_dollars : float
        Once, to embed everything there is (or again, after a change of model).
    steps : tuple of Step
        Of one request for the heaviest customer.
    budget_ms : float
    """

    vectors: int
    storage_bytes: float
    index_bytes: float
    extractions: float
    embeddings: float
    tokens: float
    dollars: Mapping[str, float]
    first_embedding_dollars: float
    steps: tuple[Step, ...]
    budget_ms: float

    @property
    def dollars_a_day(self) -> float:
        """All items together."""
        return sum(self.dollars.values())

    def ms(self, index: str = "flat") -> float:
        """Return milliseconds of a request, ``flat`` or ``ann``."""
        return sum(step.flat_ms if index == "flat" else step.ann_ms for step in self.steps)

    def fits(self, index: str = "flat") -> bool:
        """Whether that is within the budget."""
        return self.ms(index) <= self.budget_ms

    def to_frame(self) -> pd.DataFrame:
        """Return the latency by step, with the sum."""
        import pandas as pd

        rows = [asdict(step) for step in self.steps]
        rows.append({"name": "sum", "flat_ms": self.ms("flat"), "ann_ms": self.ms("ann")})
        return pd.DataFrame(rows).set_index("name")


@dataclass(frozen=True)
class CostModel:
    """Customers, calls and prices in; storage, tokens, money and milliseconds out.

    Parameters
    ----------
    customers, memories : int
        How many, and memories of each.
    heaviest : int
        Memories of the heaviest customer, whose requests are the slowest; 0: as the others.
    scoped : bool
        Whether a search looks at one customer only; else at everybody's vectors.
    calls : float
        Conversations a day.
    extractions, embeddings : float
        Per call: how often a model reads it for memories, and how many texts are embedded (a
        question and about two memories).
    cached : float
        Share of embeddings that the cache already has, 0 to 1.
    read_tokens, written_tokens, text_tokens : float
        Per extraction: conversation in, memories out; per text embedded.
    dimension : int
        Numbers of a vector, two bytes each.
    row_bytes : float
        Of a memory on disk, vector aside: text, columns, database indexes, audit.
    embed_ms, other_ms : float
        Milliseconds to embed a question (the default embedder takes 2, MiniLM 10 to 30, a call
        over the network 100 or more); of all else before the model is called.
    budget_ms : float
        What a request may take before the model is called.
    prices : Prices
    timings : Timings, optional
        Of searches; default: as measured for this release.

    Examples
    --------
    >>> report = CostModel(customers=10_000, memories=50, calls=200)()
    >>> report.vectors, report.extractions, report.embeddings
    (500000, 200.0, 600.0)
    """

    customers: int = 10_000
    memories: int = 50
    heaviest: int = 0
    scoped: bool = True
    calls: float = 200.0
    extractions: float = 1.0
    embeddings: float = 3.0
    cached: float = 0.0
    read_tokens: float = 1_500.0
    written_tokens: float = 150.0
    text_tokens: float = 30.0
    dimension: int = 512
    row_bytes: float = 1_000.0
    embed_ms: float = 2.0
    other_ms: float = 2.0
    budget_ms: float = 300.0
    prices: Prices = field(default_factory=Prices)
    timings: Timings | None = None

    def __post_init__(self) -> None:
        numbers = {n: v for n, v in vars(self).items() if isinstance(v, int | float)}
        for name, value in numbers.items():
            if not math.isfinite(value) or value < 0:
                raise ConfigError(f"{name}: {value!r} is not a number from 0 up")
        if self.cached > 1:
            raise ConfigError(f"cached: {self.cached!r} is a share, 1 at most")

    @property
    def searched(self) -> int:
        """Vectors that the slowest search looks at."""
        rest = max(self.customers - 1, 0) * self.memories
        heavy = max(self.heaviest, self.memories)
        return heavy if self.scoped else rest + heavy

    def __call__(self) -> CostReport:
        """Work it out."""
        vectors = max(self.customers - 1, 0) * self.memories + max(self.heaviest, self.memories)
        vectors *= self.customers > 0
        extractions = self.calls * self.extractions
        embeddings = self.calls * self.embeddings * (1 - self.cached)
        read, written = extractions * self.read_tokens, extractions * self.written_tokens
        embedded = embeddings * self.text_tokens
        storage = vectors * (2.0 * self.dimension + self.row_bytes)
        price, million = self.prices, 1e6
        model = read * price.model_in.dollars + written * price.model_out.dollars
        dollars = {
            "extraction": model / million,
            "embedding": embedded * price.embedding.dollars / million,
            "storage": storage / 1e9 * price.disk.dollars / _DAYS,
        }
        first = vectors * self.text_tokens * price.embedding.dollars / million
        return CostReport(
            vectors=vectors,
            storage_bytes=storage,
            index_bytes=self.searched * (2.0 * self.dimension + 4 * 2 * 16 + 16),
            extractions=extractions,
            embeddings=embeddings,
            tokens=read + written + embedded,
            dollars=dollars,
            first_embedding_dollars=first,
            steps=self._steps(),
            budget_ms=self.budget_ms,
        )

    def _steps(self) -> tuple[Step, ...]:
        timings = self.timings or _release()
        flat, ann = (timings.ms(kind, self.searched) for kind in ("flat", "hnsw"))
        return (
            Step("embed the question", self.embed_ms, self.embed_ms),
            Step("search", flat, ann),
            Step("route and assemble", self.other_ms, self.other_ms),
        )


def sizes(low: int, high: int, steps: int = 40) -> Sequence[int]:
    """Return sizes between two bounds in even proportions, for a curve.

    Examples
    --------
    >>> sizes(10, 1000, 3)
    [10, 100, 1000]
    """
    ratio = (high / low) ** (1 / (steps - 1))
    return [round(low * ratio**i) for i in range(steps)]

"""Scale: which index an entity's search uses, and why (R93).

An exact scan of one customer's fifty vectors takes microseconds and misses nothing. It is the one
heavy account that makes it slow. Where the crossover lies depends on the machine: ``ctxlab
tune-index`` measures it and writes it to the settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..config import Index
from ..storage.indexes import available

__all__ = ["IndexChoice", "ScalePolicy"]

_FEW = 0.1  # share that may be read below which walking a graph of all is no shorter than a scan


@dataclass(frozen=True, slots=True)
class IndexChoice:
    """Which index, how hard it looks, and why.

    Attributes
    ----------
    kind : str
        ``flat``, ``hnsw`` or ``ivf``.
    effort : int
        HNSW: candidates kept on the way. IVF: lists looked into. Flat: 0.
    reasons : tuple of str
    """

    kind: str
    effort: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every vector is compared."""
        return self.kind == "flat"


@dataclass(frozen=True)
class ScalePolicy:
    """Chooses an index by the size of what is searched.

    Parameters
    ----------
    config : Index
        `crossover`: vectors from which an index pays; `kind` and `effort` of the index.
    on : bool
        Off: always exact.
    installed : bool, optional
        Whether faiss is there; default: looked up.

    Examples
    --------
    >>> policy = ScalePolicy(Index(crossover=20_000), installed=True)
    >>> policy(50).kind, policy(100_000).kind, policy(100_000, readable=2_000).kind
    ('flat', 'hnsw', 'flat')
    >>> policy(50).reasons
    ('R93: 50 vectors, an index pays from 20,000',)
    """

    config: Index = field(default_factory=Index)
    on: bool = True
    installed: bool | None = None

    def __call__(self, count: int, readable: int | None = None) -> IndexChoice:
        """Choose.

        Parameters
        ----------
        count : int
            Vectors of the entity.
        readable : int, optional
            How many of them this search may return; default all.
        """
        crossover = self.config.crossover
        if not self.on:
            return IndexChoice("flat", 0, ("R93: mitigations.scale is off",))
        if count < crossover:
            return _flat(f"{count:,} vectors, an index pays from {crossover:,}")
        if not (available() if self.installed is None else self.installed):
            return _flat(f"{count:,} vectors; for an index: pip install 'ctxlab[ann]'")
        share = 1.0 if readable is None else readable / max(count, 1)
        if share < _FEW:
            return _flat(f"{readable:,} of {count:,} may be read: fewer than an index looks at")
        # What may not be read is walked through and not counted, so look for as many that may.
        effort = round(self.config.effort / share)
        reason = f"R93: {count:,} vectors, {crossover:,} or more; {share:.0%} may be read"
        return IndexChoice(self.config.kind, effort, (reason,))


def _flat(reason: str) -> IndexChoice:
    return IndexChoice("flat", 0, (f"R93: {reason}",))

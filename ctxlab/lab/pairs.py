"""Labelled pairs of statements, and what two rules make of them (R94, R123)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..config import Duplicates
from ..datasets import load_support
from ..errors import DataError
from ..mitigations.duplicates import Candidate, DuplicatePolicy
from ..types import Record

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "RELATIONS",
    "Pair",
    "Row",
    "actions",
    "judge",
    "labelled_pairs",
    "read_pairs",
    "shares",
    "spread",
]

RELATIONS = ("duplicate", "supplement", "supersede", "distinct")
Row = tuple[str, str, str, str | None]  # old, new, relation, attribute
_COLUMNS = ("old", "new", "relation")
_ANY_TIME = datetime(2026, 1, 5, tzinfo=UTC)
# What a pair should lead to: one record that says both, the newer in place of the older, or two.
_WANTED = {"duplicate": "one", "supplement": "one", "supersede": "new", "distinct": "two"}
_MADE = {"merged": "one", "known": "one", "supplemented": "one", "superseded": "new"}


@dataclass(frozen=True)
class Pair:
    """One labelled pair, and what the rule makes of it.

    Attributes
    ----------
    relation : str
        The label: ``duplicate supplement supersede distinct``.
    cosine : float
        Of the two statements, in [-1, 1].
    outcome : str
        ``right``; ``twice`` (both stay though one would do); ``lost`` (one is gone though it still
        holds: a false merge).
    """

    relation: str
    cosine: float
    outcome: str


def labelled_pairs(data: Any, lang: str) -> pd.DataFrame:
    """Return pairs with columns ``old new relation attribute``.

    Parameters
    ----------
    data : pandas.DataFrame, str, pathlib.Path or None
        A table, or a file of one (``.csv``, or ``.jsonl``); None for the built-in pairs. `relation`
        is one of ``duplicate supplement supersede distinct``; `attribute` may be left out.
    lang : str
        Language of the built-in pairs.

    Raises
    ------
    DataError
        If the file can't be read, or a column or a relation is wrong.

    Examples
    --------
    >>> labelled_pairs(None, "en").columns.tolist()
    ['old', 'new', 'relation', 'attribute']
    """
    import pandas as pd

    frame = load_support(lang).pairs if data is None else data
    if isinstance(frame, str | Path):
        path = Path(frame)
        try:
            lines = path.suffix == ".jsonl"
            frame = pd.read_json(path, lines=True) if lines else pd.read_csv(path)
        except (OSError, ValueError) as error:
            raise DataError(f"{path}: {error}; expected CSV or JSONL in UTF-8") from error
    missing = [name for name in _COLUMNS if name not in frame.columns]
    if missing or not len(frame):
        wanted = ", ".join(_COLUMNS)
        raise DataError(f"pairs need rows with {wanted}; missing: {', '.join(missing) or 'rows'}")
    unknown = sorted(set(map(str, frame["relation"])) - set(RELATIONS))
    if unknown:
        raise DataError(f"relation {unknown[0]!r} is not one of {', '.join(RELATIONS)}")
    if "attribute" not in frame.columns:
        frame = frame.assign(attribute=None)
    known = frame["attribute"].astype(object).where(frame["attribute"].notna(), None)
    texts = {name: frame[name].astype(str) for name in _COLUMNS}
    return pd.DataFrame({**texts, "attribute": known}).reset_index(drop=True)


def _record(text: str, attribute: str | None, name: str) -> Record:
    return Record(
        id=name,
        entity="customer:pair",
        agent="support",
        text=text,
        created=_ANY_TIME,
        updated=_ANY_TIME,
        valid_from=_ANY_TIME,
        attribute=attribute,
        audience="shared",
    )


def spread(frame: pd.DataFrame, most: int = 60) -> pd.DataFrame:
    """Return at most that many pairs of each relation, evenly spread over the table."""
    place = frame.groupby("relation").cumcount()
    size = frame.groupby("relation")["relation"].transform("size")
    # The n-th of a group stays if a share of `most` in its size reaches a new whole number there.
    share = (most / size).clip(upper=1.0)
    chosen = ((place + 1) * share + 1e-9).astype(int) > (place * share + 1e-9).astype(int)
    return frame[chosen].reset_index(drop=True)


@cache
def read_pairs(pairs: tuple[Row, ...], known: bool) -> tuple[tuple[str, float, bool], ...]:
    """Return each pair's label, its cosine, and whether both fill one slot."""
    from ..models.embedding import get_embedder

    model = get_embedder("auto")
    topics = [f"{row[3]}: " if known and row[3] else "" for row in pairs]
    old = model.encode([topic + row[0] for topic, row in zip(topics, pairs, strict=True)])
    new = model.encode([topic + row[1] for topic, row in zip(topics, pairs, strict=True)])
    cosines = (old * new).sum(axis=1).tolist()
    return tuple(
        (row[2], cosine, bool(topic))
        for row, cosine, topic in zip(pairs, cosines, topics, strict=True)
    )


@cache
def actions(pairs: tuple[Row, ...], known: bool) -> tuple[str, ...]:
    """Ask the engine's own policy about each pair; some milliseconds each, so once per data."""
    policy = DuplicatePolicy(Duplicates(candidate_score=-1.0))
    found = []
    for old, new, _, attribute in pairs:
        slot = attribute if known else None
        candidate = Candidate(_record(old, slot, "old"), 1.0)
        found.append(policy(_record(new, slot, "new"), [candidate]).action)
    return tuple(found)


def judge(
    read: Sequence[tuple[str, float, bool]],
    made_of: Sequence[str],
    overwrites: bool,
    score: float,
) -> tuple[Pair, ...]:
    """Say for each pair whether the rule did what its label asks for at that score.

    A rule that `overwrites` goes by the score alone, and leaves the newer wording.
    """
    pairs = []
    for (relation, cosine, slot), action in zip(read, made_of, strict=True):
        met = cosine >= score or (slot and not overwrites)
        made = _MADE.get(action, "two") if met else "two"
        wanted = _WANTED[relation]
        if made == "two":
            outcome = "right" if wanted == "two" else "twice"
        elif wanted == "two":
            outcome = "lost"
        elif wanted == "new":  # overwriting leaves the newer value, merging the older
            outcome = "right" if made == "new" or overwrites else "lost"
        else:
            outcome = "right"
        pairs.append(Pair(relation, cosine, outcome))
    return tuple(pairs)


def shares(pairs: Sequence[Pair], score: float) -> tuple[float, float, float]:
    """Return the shares of what should be one and isn't, and of what should be two and isn't."""
    apart = [p.outcome == "lost" for p in pairs if _WANTED[p.relation] == "two"]
    one = [p.outcome == "twice" for p in pairs if _WANTED[p.relation] != "two"]
    return score, 100 * sum(one) / max(len(one), 1), 100 * sum(apart) / max(len(apart), 1)

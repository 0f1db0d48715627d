"""Fit the heads of `weighing`: ``python -m ctxlab.language.bearing_fit``.

They learn from the key literals and the unwanted ones of the labelled dialogues, and from the talks
in ``datasets/language/bearings``, where {what bears on the matter} and [what doesn't] are marked.
Each is shown twice: in the whole talk, and as it stands when no answer has come yet.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ctxlab.language import corpus
from ctxlab.language.bearing import NUMBERS, Place, Talk, Turn
from ctxlab.language.fit import _calibrate, _gram_matrix, _per_class
from ctxlab.language.forest import Forest
from ctxlab.language.heads import WEIGHTS, Head
from ctxlab.language.hearing import hear
from ctxlab.language.weighing import Sight, margin, second_input, see

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Example", "Fitted", "examples", "fit", "main", "marked", "of_dialogue"]

_SURE = 0.75  # chance from which a sentence is kept though no rule sees what it tells
# Share of what is to be kept that may be lost; yet unanswered. More than is lost in the end, since
# names, addresses, errands and totals are kept whatever the heads say of them.
_COST, _COST_EARLY = 0.065, 0.015
_FEW = 500  # rows of an author who is left out together with others
_EARLY = 0.4  # weight of a value seen before it is answered
_STRENGTH, _GRAMS = 0.1, 16.0
_SCALES = (1.2, 0.7, 5.0)  # of numbers, labels and meaning
_TREES: dict[str, Any] = {  # chosen by leaving authors out, as are the others
    "max_iter": 200, "learning_rate": 0.05, "max_leaf_nodes": 24, "max_depth": 7,
    "max_features": 0.1, "l2_regularization": 5.0, "min_samples_leaf": 30,
}  # fmt: skip
_PARTIES = 4  # groups of authors, each left out in turn for what the second head learns from
_MARK = re.compile(r"\{([^{}]*)\}|\[([^\[\]]*)\]")
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d)?")


@dataclass(frozen=True)
class Example:
    """A place of a talk, whether it bears on the matter, and who wrote it."""

    talk: Talk
    place: Place
    bears: bool
    author: str
    literal: str
    weight: float = 1.0


def of_dialogue(row: corpus.Row, author: str) -> list[Example]:
    """Find the labelled literals of a dialogue where said, but for those labelled both ways."""
    said = hear([{**m, "time": row["time"]} for m in row["messages"]], None, "UTC")
    talk = Talk([Turn(s.agent, s.text, s.when) for s in said])
    literals = [(x, True) for memory in row["memories"] for x in memory["literals"]]
    literals += [(x, False) for x in row["unwanted"]]
    marks = [
        (k, span, bears, literal)
        for literal, bears in literals
        for k, turn in enumerate(talk.turns)
        for span in _spans(turn, literal)
    ]
    return _placed(talk, marks, author)


def _spans(turn: Turn, literal: str) -> list[tuple[int, int]]:
    if _ISO.fullmatch(literal):
        return [(v.start, v.end) for v in turn.values if v.sort == "day" and v.norm == literal]
    left = r"(?<![A-Za-z0-9])" if literal[0].isascii() and literal[0].isalnum() else ""
    right = r"(?![A-Za-z0-9])" if literal[-1].isascii() and literal[-1].isalnum() else ""
    found = re.finditer(left + re.escape(literal) + right, turn.text, re.IGNORECASE)
    return [match.span() for match in found]


def marked(line: str, author: str, number: int = 0) -> list[Example]:
    """Read a marked talk: "U I'm at {9 Elm Row}, not [number 8]. / A Noted."."""
    when = datetime(2026, 1 + number % 12, 3 + number % 25, 10, tzinfo=UTC)
    turns, marks = [], []
    for k, piece in enumerate(re.split(r" / (?=[UA] )", line.strip())):
        text, at = "", 0
        body = piece[2:]
        for match in _MARK.finditer(body):
            text += body[at : match.start()]
            word = match[1] if match[1] is not None else match[2]
            span = len(text), len(text) + len(word)
            marks.append((k, span, match[1] is not None, word))
            text, at = text + word, match.end()
        turns.append(Turn(piece[0] == "A", text + body[at:], when))
    talk = Talk(turns)
    found = _placed(talk, marks, author)
    # A value is marked where it is first said, or tells most: it is the same value elsewhere.
    known: dict[str, set[bool]] = {}
    for one in found:
        if one.place.value:
            known.setdefault(one.place.value.norm, set()).add(one.bears)
    done = {(one.place.turn, one.place.value.start) for one in found if one.place.value}
    for place in talk.places():
        value = place.value
        if value and (place.turn, value.start) not in done and len(value.norm) > 1:
            bears = known.get(value.norm, set())
            if len(bears) == 1:
                found.append(Example(talk, place, next(iter(bears)), author, value.norm))
    return found


_Mark = tuple[int, tuple[int, int], bool, str]  # turn, span, whether it bears, the words


def _placed(talk: Talk, marks: Sequence[_Mark], author: str) -> list[Example]:
    found: dict[tuple[int, int, bool], list[Example]] = {}
    for k, (start, end), bears, literal in marks:
        value = next(
            (
                v for v in talk.turns[k].values
                if v.start < end and v.end > start and v.end - v.start <= 2.5 * (end - start) + 2
            ),
            None,
        )  # fmt: skip
        place = talk.place(k, value.start if value else start, value)
        if place is not None:
            key = (k, value.start if value else place.clause, value is None)
            found.setdefault(key, []).append(Example(talk, place, bears, author, literal))
    return [group[0] for group in found.values() if len({one.bears for one in group}) == 1]


def examples() -> list[Example]:
    """Read all there is to learn from."""
    train, _ = corpus.split(corpus.load("dialogues"))
    found = [one for row in train for one in of_dialogue(row, corpus.AUTHORS[row["domain"]])]
    for path in sorted((corpus.folder() / "bearings").glob("*.txt")):
        author = path.stem.partition("_")[2]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if line.strip():
                found += marked(line, corpus.AUTHORS.get(author, author), number)
    return found


def early(rows: Sequence[Example]) -> Iterator[Example]:
    """Show each again as it stands when its turn is the last so far."""
    talks: dict[tuple[int, int], Talk] = {}
    for one in rows:
        if one.place.turn + 1 < len(one.talk.turns):
            key = (id(one.talk), one.place.turn)
            if key not in talks:
                talks[key] = Talk(one.talk.turns[: one.place.turn + 1])
            yield replace(one, talk=talks[key], weight=_EARLY)


@dataclass(frozen=True)
class Fitted:
    """Both heads, and what they say of each example when its author is left out."""

    first: Head
    second: Forest
    unseen: NDArray[np.float32]
    rows: list[Example]


def _see(rows: Sequence[Example]) -> Sight:
    parts: list[tuple[list[int], Sight]] = []
    by_talk: dict[int, list[int]] = {}
    for number, one in enumerate(rows):
        by_talk.setdefault(id(one.talk), []).append(number)
    for numbers in by_talk.values():
        parts.append((numbers, see(rows[numbers[0]].talk, [rows[n].place for n in numbers])))
    order = np.argsort(np.concatenate([numbers for numbers, _ in parts]))
    grams = [gram for _, sight in parts for gram in sight.grams]
    counted, labels, meaning = (
        np.vstack([getattr(sight, name) for _, sight in parts])[order]
        for name in ("numbers", "labels", "meaning")
    )
    return Sight(counted, labels, meaning, [grams[i] for i in order])


def _take(sight: Sight, rows: Sequence[int]) -> Sight:
    index = list(rows)
    return Sight(
        sight.numbers[index],
        sight.labels[index],
        sight.meaning[index],
        [sight.grams[i] for i in index],
    )


def _first(sight: Sight, truth: NDArray[Any], weight: NDArray[Any]) -> Head:
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    dense = sight.dense
    widths = (sight.numbers.shape[1], sight.labels.shape[1], sight.meaning.shape[1])
    block = np.repeat(np.array(_SCALES, np.float32), widths)
    # Meaning keeps its own scale: standardised, five hundred dimensions would drown all else.
    own = np.arange(dense.shape[1]) < widths[0] + widths[1]
    deviation = np.maximum(dense.std(axis=0), 1e-2)
    scale = np.where(own, 1 / deviation, 1).astype(np.float32)
    mean = np.where(own, dense.mean(axis=0), 0).astype(np.float32)
    empty = np.zeros((0, 2), np.float32)
    head = Head(("no", "yes"), mean, scale, (), empty, clip=3.0)
    inputs = head._standard(dense) * block
    columns = [
        sparse.csr_matrix(inputs),
        _gram_matrix([g.codes for g in sight.grams], head) * _GRAMS,
    ]
    model = LogisticRegression(C=_STRENGTH, max_iter=2000)
    model.fit(sparse.hstack(columns).tocsr(), truth, sample_weight=weight)
    weights, bias = _per_class(model.coef_.T, model.intercept_)
    width = len(block)
    return replace(
        head, layers=((block[:, None] * weights[:width], bias),),
        table=weights[width:] * np.float32(_GRAMS),
    )  # fmt: skip


def _second(
    margins: NDArray[np.float32], sight: Sight, truth: NDArray[Any], weight: NDArray[Any]
) -> Forest:
    """Fit boosted trees and take their arrays out of scikit-learn."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(**_TREES, random_state=0)
    model.fit(second_input(margins, sight), truth, sample_weight=weight)
    trees = [rounds[0].nodes for rounds in model._predictors]
    sizes = [len(nodes) for nodes in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    nodes = np.concatenate(trees)
    begin = np.repeat(roots, sizes)
    here = np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    return Forest(
        roots.astype(np.int32),
        np.where(leaf, 0, nodes["feature_idx"]).astype(np.int32),
        np.where(leaf, 0, nodes["num_threshold"]).astype(np.float32),
        np.where(leaf, here, begin + nodes["left"]).astype(np.int32),
        np.where(leaf, here, begin + nodes["right"]).astype(np.int32),
        np.where(leaf, nodes["value"], 0).astype(np.float32),
        int(nodes["depth"].max()),
        float(np.ravel(model._baseline_prediction)[0]),
    )


def _both(
    sight: Sight, truth: NDArray[Any], weight: NDArray[Any], authors: NDArray[Any]
) -> tuple[Head, Forest]:
    """Fit the first head, and the second on what the first says of authors it hasn't seen."""
    margins = np.zeros(len(truth), np.float32)
    if len(set(authors)) == 1:  # nobody else to learn from: every other row
        authors = np.arange(len(authors)) % 2
    names = sorted(set(authors))
    for part in range(min(_PARTIES, len(names))):
        own = np.isin(authors, names[part::_PARTIES])
        head = _first(_take(sight, np.flatnonzero(~own).tolist()), truth[~own], weight[~own])
        margins[own] = margin(head, _take(sight, np.flatnonzero(own).tolist()))
    return _first(sight, truth, weight), _second(margins, sight, truth, weight)


def fit(rows: Sequence[Example], *, unseen: bool = True, only: Sequence[str] = ()) -> Fitted:
    """Fit both heads.

    Parameters
    ----------
    rows : sequence of Example
        All there is.
    unseen : bool
        Whether to leave authors out in turn, which calibrates the second head.
    only : sequence of str
        Authors to leave out; all by default.
    """
    whole = list(rows)
    every = [*whole, *early(whole)]
    sight = _see(every)
    truth = np.array([int(one.bears) for one in every])
    weight = np.array([one.weight for one in every])
    authors = np.array([one.author for one in every])
    logits = np.full(len(every), np.nan, np.float32)
    for group in _left_out(authors, only) if unseen else ():
        own = np.isin(authors, group)
        left = np.flatnonzero(~own).tolist()
        heads = _both(_take(sight, left), truth[left], weight[left], authors[left])
        unseen_rows = _take(sight, np.flatnonzero(own).tolist())
        logits[own] = heads[1].logits(second_input(margin(heads[0], unseen_rows), unseen_rows))
    first, second = _both(sight, truth, weight, authors)
    checked = ~np.isnan(logits)
    if checked.any():
        pairs = np.stack([-logits[checked] / 2, logits[checked] / 2], axis=1).astype(np.float32)
        temperature, shift = _calibrate(pairs, truth[checked])
        second = replace(second, temperature=temperature, shift=float(shift[1] - shift[0]))
    chances = 1 / (1 + np.exp(-(logits / second.temperature + second.shift)))
    seen = list(zip(every, chances.tolist(), strict=True))
    extra = {
        "rows": len(whole), "numbers": NUMBERS, "sure": _SURE,
        "threshold": _threshold([(o, c) for o, c in seen if o.weight == 1], _COST),
        "unanswered": _threshold([(o, c) for o, c in seen if o.weight < 1], _COST_EARLY),
    }  # fmt: skip
    return Fitted(first, replace(second, extra=extra), chances, every)


def _left_out(authors: NDArray[Any], only: Sequence[str]) -> list[list[str]]:
    """Give the groups that are left out in turn: each author, but those of few rows together."""
    count = Counter(authors.tolist())
    names = sorted(only or count)
    few = [name for name in names if count[name] < _FEW and not only]
    few = few if len(few) < len(names) else []
    return [[name] for name in names if name not in few] + ([few] if few else [])


def _threshold(rows: Sequence[tuple[Example, float]], cost: float) -> float:
    """Find the highest limit under which only so many of the values to keep lie.

    The share is the mean over unseen authors. What isn't to be kept passes as may be: a value that
    is lost can't be had again, a stray one may still be passed over by whoever reads it.
    """
    kept: dict[str, list[float]] = {}
    for one, chance in rows:
        if one.bears and not np.isnan(chance):
            kept.setdefault(one.author, []).append(float(chance))
    if not kept:
        return 0.5
    told = [np.array(chances) for chances in kept.values()]
    steps = np.arange(0.05, 0.95, 0.01)
    within = [t for t in steps if np.mean([(chances < t).mean() for chances in told]) <= cost]
    return round(float(max(within, default=steps[0])), 2)


def main() -> None:
    """Fit the heads on all that is labelled for training and write them into the package."""
    from sklearn.metrics import roc_auc_score

    fitted = fit(examples())
    fitted.first.save(WEIGHTS / "bearing.npz")
    fitted.second.save(WEIGHTS / "bearing_weight.npz")
    whole = [not one.weight < 1 for one in fitted.rows]
    truth = np.array([one.bears for one in fitted.rows])[whole]
    area = roc_auc_score(truth, fitted.unseen[whole])
    sys.stdout.write(
        f"bearing: fitted on {len(truth)} places, area on authors left out {area:.3f}\n"
    )


if __name__ == "__main__":
    main()

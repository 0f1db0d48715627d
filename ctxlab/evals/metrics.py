"""Metrics of context and memory, each small and each saying what it divides by what (R112)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..context.request import Context
from ..errors import DataError
from ..messages import text_of
from ..trace import Trace
from .intervals import Rate

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "compression_cost_share",
    "dedupe_precision_recall",
    "latency_by_step",
    "leak_rate",
    "retrieval_hit_rate",
    "stale_emotion_rate",
    "supersession_order",
    "text_of_context",
]

Shown = Context | str | Sequence[Mapping[str, Any]]


def text_of_context(shown: Shown) -> str:
    """Return all that a model would read: a `Context`, a message list, or text as it is.

    Tool calls count with their names and arguments.
    """
    if isinstance(shown, str):
        return shown
    said = []
    for message in shown.messages if isinstance(shown, Context) else shown:
        said.append(text_of(message.get("content")))
        for call in message.get("tool_calls") or ():
            said.append(f"{call['function']['name']}({call['function']['arguments']})")
    return "\n".join(said)


def compression_cost_share(
    spent: int | Mapping[str, int], sent: int | Iterable[int] | pd.DataFrame
) -> float:
    """Share of all tokens that went into writing summaries.

    Parameters
    ----------
    spent : int or mapping
        Tokens of the summariser's calls, or its account by kind, as ``ModelNarrator.tokens`` keeps
        it. The extractive default spends none; its cost is time, see `latency_by_step`.
    sent : int, iterable of int, or DataFrame
        Input tokens of the requests themselves; a metrics log as ``read_metrics`` gives it.

    Returns
    -------
    float
        Spent tokens by all tokens, 0 to 1; 0 if there were none.

    Examples
    --------
    >>> compression_cost_share({"prompt": 900, "completion": 100}, [4000, 5000])
    0.1
    """
    cost = sum(spent.values()) if isinstance(spent, Mapping) else spent
    import pandas as pd

    if isinstance(sent, int):
        rest = sent
    elif isinstance(sent, pd.DataFrame):
        if "total" not in sent:
            raise DataError("no column 'total': give a metrics log as read_metrics returns it")
        rest = int(sent["total"].sum())
    else:
        rest = sum(sent)
    if cost < 0 or rest < 0:
        raise DataError(f"{min(cost, rest)} tokens: counts can't be negative")
    return cost / (cost + rest) if cost + rest else 0.0


def retrieval_hit_rate(
    found: Sequence[Sequence[Any]], wanted: Sequence[Collection[str]], k: int | None = None
) -> Rate:
    """How often at least one of the memories that answer a question was found.

    Parameters
    ----------
    found : sequence
        For each question what a search returned, best first: hits, records or their ids.
    wanted : sequence
        For each question the ids that answer it. A question that nothing answers isn't counted.
    k : int, optional
        Look at the first `k` only.

    Examples
    --------
    >>> print(retrieval_hit_rate([["m1", "m2"], ["m3"], []], [{"m2"}, {"m9"}, {"m4"}]))
    1/3 = 33 % (6 to 79 %)
    """
    _same_length(found, wanted)
    return Rate.of(
        bool({_id(one) for one in list(hits)[:k]} & set(ids))
        for hits, ids in zip(found, wanted, strict=True)
        if ids
    )


def _id(one: Any) -> str:
    record = getattr(one, "record", one)
    return str(getattr(record, "id", record))


def latency_by_step(measured: pd.DataFrame | Iterable[Trace | Context]) -> pd.DataFrame:
    """Milliseconds of each step of the loop.

    Parameters
    ----------
    measured : DataFrame, or traces or contexts
        A metrics log as ``read_metrics`` gives it (columns ``ms.load`` …), or the traces
        themselves.

    Returns
    -------
    DataFrame
        ``step``, ``n``, ``p50``, ``p95``, ``max`` (ms) and ``share`` of all time; in the order in
        which the steps first come.

    Examples
    --------
    >>> latency_by_step([Trace(ms={"load": 1.0, "route": 1.0}), Trace(ms={"load": 2.0})])[
    ...     ["step", "n", "max", "share"]].values.tolist()
    [['load', 2, 2.0, 0.75], ['route', 1, 1.0, 0.25]]
    """
    import pandas as pd

    if isinstance(measured, pd.DataFrame):
        names = [str(name) for name in measured.columns if str(name).startswith("ms.")]
        steps = {name.removeprefix("ms."): measured[name].dropna().tolist() for name in names}
    else:
        steps = {}
        for one in measured:
            for step, ms in (one.trace if isinstance(one, Context) else one).ms.items():
                steps.setdefault(step, []).append(ms)
    total = sum(map(sum, steps.values()))
    rows = []
    for step, times in steps.items():
        if times:
            middle, late = pd.Series(times).quantile([0.5, 0.95])
            share = sum(times) / total if total else 0.0
            rows.append((step, len(times), middle, late, max(times), share))
    return pd.DataFrame(rows, columns=["step", "n", "p50", "p95", "max", "share"])


def dedupe_precision_recall(
    pairs: Iterable[tuple[str, str, bool]], merges: Callable[[str, str], bool] | None = None
) -> dict[str, Rate]:
    """Of what was merged, how much was the same; of what is the same, how much was merged.

    Parameters
    ----------
    pairs : iterable of (str, str, bool)
        An older note, a newer one, and whether they say the same (merging loses nothing).
    merges : callable, optional
        ``merges(old, new) -> bool``; default: what ``ctxlab.compare`` merges.

    Returns
    -------
    dict of str to Rate
        ``precision`` and ``recall``.

    Examples
    --------
    >>> pairs = [("a", "A", True), ("a", "b", False), ("c", "see", True)]
    >>> score = dedupe_precision_recall(pairs, lambda old, new: old.lower() == new.lower())
    >>> score["precision"].value, score["recall"].value
    (1.0, 0.5)
    """
    if merges is None:
        from ..language.comparing import compare

        def merges(old: str, new: str) -> bool:
            return compare(old, new).merges

    judged = [(bool(same), bool(merges(old, new))) for old, new, same in pairs]
    return {
        "precision": Rate.of(same for same, merged in judged if merged),
        "recall": Rate.of(merged for same, merged in judged if same),
    }


def leak_rate(shown: Sequence[Shown], private: Sequence[Collection[str]]) -> Rate:
    """How often a context holds something that must not be in it.

    Parameters
    ----------
    shown : sequence
        Contexts, message lists or texts.
    private : sequence
        For each the literals that must not appear: another customer's, another role's, or
        sensitive ones. Compared without regard to case. A context with none isn't counted.

    Examples
    --------
    >>> print(leak_rate(["Dear Ann, A1029 is late.", "Hello."], [["A1029"], ["B7"]]))
    1/2 = 50 % (9 to 91 %)
    """
    _same_length(shown, private)
    return Rate.of(
        any(literal.casefold() in text_of_context(one).casefold() for literal in literals)
        for one, literals in zip(shown, private, strict=True)
        if literals
    )


def stale_emotion_rate(
    shown: Sequence[Shown],
    outbursts: Sequence[str],
    ages_days: Sequence[float],
    after_days: float = 7.0,
) -> Rate:
    """How often an old outburst still stands in a context (R90).

    Parameters
    ----------
    shown : sequence
        Contexts, message lists or texts of later conversations.
    outbursts : sequence of str
        For each the words that were said in anger.
    ages_days : sequence of float
        For each how many days ago.
    after_days : float
        From this age on a feeling is stale; younger cases aren't counted. Default: its half-life.

    Examples
    --------
    >>> told = ["Profile: prefers e-mail. Was furious.", "Profile: prefers e-mail."]
    >>> stale_emotion_rate(told, ["furious", "furious"], [30, 2]).value
    1.0
    """
    _same_length(shown, outbursts)
    _same_length(shown, ages_days)
    return Rate.of(
        words.casefold() in text_of_context(one).casefold()
        for one, words, age in zip(shown, outbursts, ages_days, strict=True)
        if age >= after_days
    )


def supersession_order(
    found: Sequence[Sequence[Any]], older: Sequence[str], newer: Sequence[str]
) -> Rate:
    """How often the newer of two contradictory statements comes first, or alone.

    Parameters
    ----------
    found : sequence
        For each question what a search returned, best first: hits, records or their texts.
    older, newer : sequence of str
        For each question words of the statement that was true, and of the one that is.

    Examples
    --------
    >>> ranked = [["now York", "was Leeds"], ["was Leeds", "now York"], ["nothing"]]
    >>> supersession_order(ranked, ["Leeds"] * 3, ["York"] * 3).value
    0.3333333333333333
    """
    _same_length(found, older)
    _same_length(found, newer)
    cases = zip(found, older, newer, strict=True)
    return Rate.of(_newer_first([_said(one) for one in hits], old, new) for hits, old, new in cases)


def _newer_first(texts: Sequence[str], old: str, new: str) -> bool:
    first = next((i for i, text in enumerate(texts) if new in text), None)
    other = next((i for i, text in enumerate(texts) if old in text), None)
    return first is not None and (other is None or first < other)


def _said(one: Any) -> str:
    record = getattr(one, "record", one)
    return str(getattr(record, "text", record))


def _same_length(a: Sequence[Any], b: Sequence[Any]) -> None:
    if len(a) != len(b):
        raise DataError(f"{len(a)} of one and {len(b)} of the other: give one for each")

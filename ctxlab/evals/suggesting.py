"""From verdicts to suggestions: which setting or rule the reviewed rows speak against (R116).

Each suggestion carries its evidence: how many rows, which, and how sure. None is applied: take
those you agree with into ``config.with_({row.setting: row.proposed})``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..config import Config
from ..errors import DataError
from .intervals import Rate
from .review import read_verdicts
from .thresholds import Objective, fit_scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["suggest"]

_COLUMNS = "topic action setting now proposed reason rate low high n examples".split()
_EXAMPLES = 5  # ids named as examples
_STRICTER = {"keep": "mask", "mask": "refuse"}
Row = dict[str, Any]


def suggest(
    verdicts: Any,
    config: Config | None = None,
    *,
    tolerance: float = 0.1,
    least: int = 20,
    seed: int = 0,
) -> pd.DataFrame:
    """Suggest changes of thresholds and rules from a reviewed table.

    Parameters
    ----------
    verdicts : pandas.DataFrame, str or pathlib.Path
        What ``sample_for_review`` gave, with verdicts filled in.
    config : Config, optional
        The settings in force.
    tolerance : float
        Share of rows that may be wrong, stale, duplicate or irrelevant, 0 to 1: below it nothing
        is suggested. A suggestion needs the interval's low end above it. Sensitive rows have no
        tolerance.
    least : int
        Judged search results from which a minimum score is fitted.
    seed : int
        Of folds and resampling.

    Returns
    -------
    pandas.DataFrame
        ``topic action setting now proposed reason rate low high n examples``. `action` is
        ``change`` (a setting), ``rule`` (no setting mends it: the rule that made these rows does),
        ``keep`` (looked at, nothing speaks against it) or ``too few``. `rate` with its 95%
        interval is the share of rows that speak for it; of a minimum score, the held-out precision
        of the proposed one. `examples` holds ids of rows.

    Raises
    ------
    DataError
        If it isn't a review table, or no row has a verdict.

    Examples
    --------
    >>> from ctxlab import Memory, evals
    >>> with Memory("sqlite://", embedder=None) as memory:
    ...     outcome = memory.write("Prefers email", entity="customer:U1", agent="support")
    ...     table = evals.sample_for_review(memory)
    >>> suggest(table.assign(verdict="sensitive"))[["topic", "action"]].values.tolist()
    [['sensitive, not recognised', 'rule']]
    """
    import pandas as pd

    if not 0 <= tolerance < 1:
        raise DataError(f"tolerance {tolerance!r}: give a share from 0, below 1")
    frame, settings = read_verdicts(verdicts), config or Config()
    if frame.empty:
        raise DataError("review table: no row has a verdict yet")
    rows = [
        *_minimum_score(frame, settings, least, seed),
        *_lifetimes(frame, settings, tolerance),
        *_privacy(frame, settings),
        *_rules(frame, tolerance),
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _row(topic: str, action: str, rate: Rate, ids: Any, reason: str, **more: Any) -> Row:
    return {
        "topic": topic,
        "action": action,
        "setting": "",
        "now": None,
        "proposed": None,
        "reason": reason,
        "rate": rate.value,
        "low": rate.low,
        "high": rate.high,
        "n": rate.n,
        "examples": " ".join(list(ids)[:_EXAMPLES]),
        **more,
    }


def _minimum_score(frame: pd.DataFrame, config: Config, least: int, seed: int) -> Iterator[Row]:
    """Fit the minimum score on search results judged relevant or not."""
    judged = frame[(frame["kind"] == "context") & frame["verdict"].isin(["ok", "irrelevant"])]
    if judged.empty:
        return
    labels = (judged["verdict"] == "ok").to_numpy(dtype=bool)
    floor = float(judged["floor"].iloc[0]) if config.semantic.min_score is None else None
    now = config.semantic.min_score if floor is None else floor
    setting = {"setting": "semantic.min_score", "now": now}
    groups = judged["question"].factorize()[0]
    questions = int(groups.max()) + 1
    shown = judged.loc[~labels, "id"]
    if len(judged) < least or len(set(labels.tolist())) < 2 or questions < 2:
        reason = f"{len(judged)} judged results of {questions} questions, {least} needed, both ways"
        yield _row("minimum score", "too few", Rate.of(labels), shown, reason, **setting)
        return
    scores = judged["score"].to_numpy(dtype=float)
    fit = fit_scores(scores, labels, groups, Objective(), min(5, questions), seed, "", "hybrid")
    span = f"{fit.low:.3f} to {fit.high:.3f}"
    if now is not None and fit.low <= now <= fit.high:
        reason = f"{now:.3f} lies within what resampled questions give, {span}"
        yield _row("minimum score", "keep", fit.precision, shown, reason, **setting)
        return
    off = judged.loc[((scores >= fit.threshold) != (scores >= (now or 0.0))), "id"]
    reason = f"highest F1; resampled questions give {span}; held-out recall {fit.recall}"
    setting["proposed"] = round(fit.threshold, 4)
    yield _row("minimum score", "change", fit.precision, off, reason, **setting)


def _lifetimes(frame: pd.DataFrame, config: Config, tolerance: float) -> Iterator[Row]:
    """Shorten a kind's days to live where what is old is stale."""
    kept = frame[(frame["kind"] == "profile") & frame["verdict"].isin(["ok", "stale"])]
    for kind, rows in kept.groupby("detail"):
        stale = (rows["verdict"] == "stale").to_numpy(dtype=bool)
        rate, ids = Rate.of(stale), rows.loc[stale, "id"]
        topic = f"{kind} records are stale"
        if not stale.any() or rate.low <= tolerance:
            continue
        age = rows["age_days"].to_numpy(dtype=float)
        days = Objective()(age + 1e-9, stale)
        now = config.durable.ttl_days.get(str(kind))
        if days is None or days < 1 or (now is not None and days >= now):
            reason = (
                "age doesn't part them from the rest: what replaced them should have ended them"
            )
            yield _row(topic, "rule", rate, ids, reason)
            continue
        missed = Rate.of((age >= days)[~stale])
        reason = (
            f"the limit in days that parts them best by F1; of those still right it ends {missed}"
        )
        setting = f"durable.ttl_days.{kind}"
        yield _row(
            topic, "change", rate, ids, reason, setting=setting, now=now, proposed=round(days, 1)
        )


def _privacy(frame: pd.DataFrame, config: Config) -> Iterator[Row]:
    """Tighten the policy of a category that let something through; one row is enough."""
    hot = frame[frame["verdict"] == "sensitive"]
    categories = hot["sensitivity"].fillna("").astype(str).str.split()
    missed = hot[categories.map(len) == 0]
    for category in sorted({name for names in categories for name in names}):
        found = categories.map(lambda names, category=category: category in names)
        ids, now = hot.loc[found, "id"], config.privacy.policy.get(category, "keep")
        proposed = _STRICTER.get(str(now), "refuse")
        rate = Rate(int(found.sum()), len(frame))
        reason = f"{int(found.sum())} reviewed rows hold {category} that shouldn't be there"
        setting = f"privacy.policy.{category}"
        action = "change" if proposed != now else "rule"
        more = {"setting": setting, "now": now, "proposed": proposed}
        yield _row(f"{category} is kept", action, rate, ids, reason, **more)
    if len(missed):
        reason = "the scan found nothing in them: add what they have in common to its rules"
        yield _row(
            "sensitive, not recognised", "rule", Rate(len(missed), len(frame)), missed["id"], reason
        )


_FAULTS: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "wrong": ("wrong", lambda kind, detail: f"the rule that makes {detail} in a {kind} (R30, R20)"),
    "duplicate": ("duplicate", lambda kind, detail: "the comparison before an insert (R94)"),
    "irrelevant": ("beside the point", lambda kind, detail: "what a profile leaves out (R71)"),
}


def _rules(frame: pd.DataFrame, tolerance: float) -> Iterator[Row]:
    """Name the rule whose rows are at fault more often than tolerated."""
    for (kind, detail), rows in frame.groupby(["kind", "detail"]):
        for verdict, (word, rule) in _FAULTS.items():
            if verdict == "irrelevant" and kind == "context":
                continue  # that is the minimum score's
            bad = rows["verdict"] == verdict
            rate = Rate.of(bad)
            if rate.hits and rate.low > tolerance:
                sure = rows.groupby(bad)["confidence"].mean()
                told = ", ".join(
                    f"{'these' if yes else 'the rest'} {mean:.2f}" for yes, mean in sure.items()
                )
                reason = f"look at {rule(str(kind), str(detail))}; mean confidence: {told}"
                yield _row(f"{kind}: {detail} is {word}", "rule", rate, rows.loc[bad, "id"], reason)

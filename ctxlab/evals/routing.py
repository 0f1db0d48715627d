"""Fit the read router on what replay shows was needed, and compare it with the rules (R62).

Each check of the support data is asked three times, once with each mode forced. The mode that was
needed is the cheapest one whose context holds what the check wants: nobody's opinion, and not the
rules' own decision. Since every mode's outcome is then known, routers are compared without
another replay. ``python -m ctxlab.evals.routing`` fits the weights that ship.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..clock import ManualClock
from ..config import Config
from ..context.fitted_router import FittedRouter, route_features
from ..context.routing import MODES, Router
from ..engine import ContextEngine
from ..errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from ..datasets import SupportDataset
    from ..session import Session

__all__ = ["compare_routers", "confusion", "fit_router", "route_needs"]

Row = dict[str, Any]
# In a small window histories of some hundreds of tokens don't fit, so that modes differ at all.
_WINDOWS = (800, 32_000)
# The data's sessions lie days apart and the player's clock follows them: none may time out.
_PATIENT = {"session.idle_minutes": 1e6, "session.max_hours": 1e5}


# ---------------------------------------------------------------------- replay


def route_needs(
    data: SupportDataset,
    customers: Sequence[str] | None = None,
    config: Config | None = None,
    embedder: Any = "auto",
) -> pd.DataFrame:
    """Ask each check with each mode forced.

    Parameters
    ----------
    data : SupportDataset
        ``cx.load_support(…)`` or ``cx.make_support(…)``.
    customers : sequence of str, optional
        User ids; default all (some seconds each).
    config : Config, optional
        Thresholds; a small ``budget.window`` gives histories that don't fit.
    embedder : str, object or None
        As for ``cx.ContextEngine``.

    Returns
    -------
    pandas.DataFrame
        One row a check: ``user_id check_id``, the features ``turns fits refers_back``, for each
        mode ``holds_*`` (all that must be there is, and nothing that must not) and ``tokens_*``,
        and ``needed``: the cheapest mode that holds, the plainest of equals, or ``""``.
    """
    import pandas as pd

    users = list(dict.fromkeys(data.checks["user_id"])) if customers is None else customers
    settings = (config or Config()).with_(_PATIENT)
    return pd.DataFrame([row for u in users for row in _customer(data, u, settings, embedder)])


def _customer(data: SupportDataset, user: str, config: Config, embedder: Any) -> list[Row]:
    """Play one customer's sessions up to each check, and ask it."""
    forced = list(MODES[:1])
    router = Router(config.routing, decide=lambda _: forced[0])
    player = _Player(data, user)
    rows = []
    checks = data.checks[data.checks["user_id"] == user]
    mine: list[Row] = json.loads(checks.to_json(orient="records"))
    with ContextEngine(
        config=config, clock=player.clock, embedder=embedder, router=router
    ) as engine:
        for check in sorted(mine, key=lambda c: datetime.fromisoformat(c["time"])):
            session = player.session_at(engine, check)
            row = {"user_id": user, "check_id": check["check_id"]}
            for mode in MODES:
                forced[0] = mode
                context = session.prepare(check["question"])
                seen = context.route.features
                row |= {name: seen[name] for name in ("turns", "fits", "refers_back")}
                row[f"holds_{mode}"] = _holds(context.messages, check)
                row[f"tokens_{mode}"] = context.ledger.total
            session.discard()
            held = [mode for mode in MODES if row[f"holds_{mode}"]]
            row["needed"] = min(held, key=lambda mode: row[f"tokens_{mode}"], default="")
            rows.append(row)
    return rows


@dataclass
class _Player:
    """Feeds one customer's messages to an engine, in the order of their times."""

    data: SupportDataset
    user: str
    clock: ManualClock = field(init=False)
    _open: dict[str, Session] = field(default_factory=dict)

    def __post_init__(self) -> None:
        mine = self.data.sessions[self.data.sessions["user_id"] == self.user]
        self._rows = {row["session_id"]: row for row in mine.to_dict("records")}
        self._left = [
            (datetime.fromisoformat(message["time"]), key, message)
            for key in self._rows
            for message in self.data.to_messages(key)
        ]
        self._left.sort(key=lambda item: item[0])
        self.clock = ManualClock(self._left[0][0])

    def session_at(self, engine: ContextEngine, check: Mapping[str, Any]) -> Session:
        """Feed what was said before a check; return the session it is asked in."""
        now = datetime.fromisoformat(check["time"])
        while self._left and self._left[0][0] < now:
            time, key, message = self._left.pop(0)
            self.clock.set(time)
            self._close(time)
            row = self._rows[key]
            if key not in self._open:
                self._open[key] = engine.open_session(user_id=self.user, agent=row["agent"])
            session = self._open[key]
            session.add(message)
            for write in row["state"]:
                if write["message_id"] == message["id"]:
                    session.state[write["key"]] = write["value"]
        self.clock.set(now)
        if check["new_session"]:  # else it is asked in its session, be it over in the data
            self._close(now)
            engine.flush()
            return engine.open_session(user_id=self.user, agent=check["agent"])
        engine.flush()
        return self._open[check["session_id"]]

    def _close(self, now: datetime) -> None:
        """End the sessions that were over by now, so that the next one finds a conclusion."""
        for key, session in self._open.items():
            if datetime.fromisoformat(self._rows[key]["ended"]) < now and not session.ended:
                session.end()


def _holds(messages: Sequence[Mapping[str, Any]], check: Mapping[str, Any]) -> bool:
    text = "\n".join(
        f"{m.get('content')} {json.dumps(m.get('tool_calls') or '', ensure_ascii=False)}"
        for m in messages
    )
    wanted, banned = check["must"], check["must_not"]
    return all(x in text for x in wanted) and not any(x in text for x in banned)


# ---------------------------------------------------------------------- fitting and comparing


def fit_router(needs: pd.DataFrame, strength: float = 1.0, stake: float = 10.0) -> FittedRouter:
    """Fit a softmax over turns, fit and reference to the mode that was needed.

    Parameters
    ----------
    needs : pandas.DataFrame
        Rows of `route_needs`; checks that no mode answers teach nothing and are left out.
    strength : float
        Inverse regularisation, scikit-learn's ``C``.
    stake : float
        Weight of a check that some mode fails, against one that costs tokens at most.

    Raises
    ------
    DataError
        If fewer than two modes were ever needed.
    """
    from sklearn.linear_model import LogisticRegression

    rows = needs[needs["needed"] != ""]
    if rows["needed"].nunique() < 2:
        raise DataError(f"{len(rows)} answerable checks need one mode: there is nothing to fit")
    inputs = [route_features(*seen) for seen in _seen(rows)]
    easy = rows[[f"holds_{mode}" for mode in MODES]].all(axis=1)
    weight = easy.map({True: 1.0, False: stake})
    model = LogisticRegression(C=strength, max_iter=1000)
    model.fit(inputs, rows["needed"], sample_weight=weight)
    weights, biases = model.coef_.tolist(), model.intercept_.tolist()
    if len(weights) == 1:  # of two classes scikit-learn keeps the second's odds
        weights, biases = [[0.0] * len(weights[0]), *weights], [0.0, *biases]
    return FittedRouter(
        classes=tuple(str(name) for name in model.classes_),
        weights=tuple(tuple(round(w, 4) for w in row) for row in weights),
        biases=tuple(round(b, 4) for b in biases),
    )


def _seen(needs: pd.DataFrame) -> list[tuple[int, bool, bool]]:
    columns = (needs[name] for name in ("turns", "fits", "refers_back"))
    return [(int(t), bool(f), bool(r)) for t, f, r in zip(*columns, strict=True)]


def _modes(needs: pd.DataFrame, router: Router) -> list[str]:
    return [router(*seen).mode for seen in _seen(needs)]


def confusion(needs: pd.DataFrame, router: Router) -> pd.DataFrame:
    """Count checks by the mode that was needed (rows) and the one a router chose (columns)."""
    import pandas as pd

    rows = needs[needs["needed"] != ""]
    chosen = pd.Categorical(_modes(rows, router), categories=MODES)
    needed = pd.Categorical(rows["needed"], categories=MODES)
    return pd.crosstab(needed, chosen, rownames=["needed"], colnames=["chosen"], dropna=False)


def compare_routers(needs: pd.DataFrame, routers: Mapping[str, Router]) -> pd.DataFrame:
    """Compare routers on checks none of them was fitted on.

    Returns
    -------
    pandas.DataFrame
        One row a router, then one for each mode always and one for the needed mode: ``router``,
        ``accuracy`` (chose a mode that holds the answer and costs no more than the needed one,
        among checks some mode answers), ``held`` (the context of the chosen mode holds the answer,
        among all), ``tokens`` (mean a request), ``n``.
    """
    import pandas as pd

    chosen = {name: _modes(needs, router) for name, router in routers.items()}
    chosen |= {f"always {mode}": [mode] * len(needs) for mode in MODES}
    chosen["needed"] = [mode or MODES[0] for mode in needs["needed"]]
    table = needs.to_dict("records")
    rows = []
    for name, modes in chosen.items():
        right = [_as_good(row, m) for row, m in zip(table, modes, strict=True) if row["needed"]]
        held = [row[f"holds_{m}"] for row, m in zip(table, modes, strict=True)]
        tokens = [row[f"tokens_{m}"] for row, m in zip(table, modes, strict=True)]
        mean = [sum(x) / max(len(x), 1) for x in (right, held, tokens)]
        rows.append((name, *mean, len(table)))
    return pd.DataFrame(rows, columns=["router", "accuracy", "held", "tokens", "n"])


def _as_good(row: Mapping[Hashable, Any], mode: str) -> bool:
    """Whether a mode does as well as the needed one, which may have equals."""
    cheapest: int = row[f"tokens_{row['needed']}"]
    return bool(row[f"holds_{mode}"]) and row[f"tokens_{mode}"] == cheapest


def main() -> None:
    """Fit the weights that ship on every other customer, and print how they do on the rest."""
    import pandas as pd

    from ..datasets import load_support

    parts = [
        route_needs(load_support(lang), config=Config().with_({"budget.window": window}))
        for window in _WINDOWS
        for lang in ("zh", "en")
    ]
    needs = pd.concat(parts, ignore_index=True)
    other = needs["user_id"].str[-1].isin(list("02468"))
    router = fit_router(needs[~other])
    router.save()
    table = compare_routers(needs[other], {"rules": Router(), "fitted": router})
    for shown in (table, confusion(needs[other], Router()), confusion(needs[other], router)):
        sys.stdout.write(f"{shown.to_string()}\n")


if __name__ == "__main__":
    main()

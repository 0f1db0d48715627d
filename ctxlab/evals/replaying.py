"""Replay: real conversations in, assembled contexts out, token by token (R113).

Each conversation is played into a fresh session: a request is made for every user message and
whenever all tool calls have their results, as the agent of the log had to. Beside ctxlab's
contexts stand those of a window that counts messages, and of no window at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import ManualClock
from ..config import Config
from ..context.budget import LAYERS, BudgetPlan
from ..context.request import Context
from ..engine import SYSTEM_PROMPT, ContextEngine
from ..errors import BudgetError, DataError
from ..messages import Message, check_messages
from ..session import Session
from ..tokens import TokenCounter
from .logsteps import Step, naive_rows, static_tokens, steps
from .sidebyside import Key, Part, diff_frame, parts_of, table
from .transcripts import START, Conversation, as_conversations

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COUNTS", "Replay", "replay"]

# Messages that naive windows keep. Both parities, because while calls come one at a time, customer
# or tool and assistant alternate, and an even window never parts a pair: by luck, not by design.
COUNTS = (6, 7, 10, 11, 20, 21)
LEFT_OUT = ("dropped", "summarised", "truncated")  # outcomes that take words out of a context
_SAID = 120  # characters of a message shown to recognise a turn by
_FOR_EVER = {"session.idle_minutes": 60.0 * 24 * 36_500, "session.max_hours": 24.0 * 36_500}


@dataclass(frozen=True)
class Replay:
    """What a replay found.

    Attributes
    ----------
    frame : pandas.DataFrame
        One row per request and configuration; see `to_frame`.
    baselines : pandas.DataFrame
        One row per request and naive window: ``keeps`` (messages; 0: all of them), ``tokens``,
        ``broken_pairs`` (calls and results parted by the cut), ``invalid`` (whether OpenAI's rules
        or Anthropic's, which want the user first, refuse the list).
    labels : dict
        Configuration (``"A"``, ``"B"``) -> what it is, in words.
    limits : dict
        Configuration -> tokens that input may use.
    contexts : dict
        (configuration, conversation, request) -> the parts that were sent, in order; none if the
        request didn't fit.
    """

    frame: pd.DataFrame
    baselines: pd.DataFrame
    labels: dict[str, str]
    limits: dict[str, int]
    contexts: dict[Key, tuple[Part, ...]] = field(default_factory=dict, repr=False)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per request and configuration.

        Columns: ``config``, ``conversation``, ``request`` (its number there, from 0), ``turn`` (as
        traces count, from 0), ``after`` (``user`` or ``tools``), ``said`` (the start of the turn's
        last message), tokens of each
        layer, ``total``, ``limit`` (input budget), ``full`` (what all messages, as stored, take),
        ``left_out`` (tokens of dialogue not in the context word for word), ``dropped`` (what),
        ``why`` (rule and reason), ``route``, ``ms``, ``broken_pairs`` and ``faults`` (what a
        provider would reject) and ``error`` (a `BudgetError`; tokens are then missing).
        """
        return self.frame

    def side_by_side(self, conversation: str, request: int) -> pd.DataFrame:
        """Return both contexts of one request, aligned: ``layer``, ``role``, ``A``, ``B``, ``in``.

        ``in`` says ``both``, ``A``, ``B`` (only there) or ``changed``. A message is one row, and so
        is each line of a memory block.

        Raises
        ------
        DataError
            There is no such request, or only one configuration was replayed.
        """
        found = [self.contexts.get((name, conversation, request)) for name in "AB"]
        if found[0] is None:
            raise DataError(f"no request {request!r} of a conversation {conversation!r}")
        if found[1] is None:
            raise DataError("one configuration was replayed: give replay config_b to compare with")
        return table(found[0], found[1])

    def diff(self) -> pd.DataFrame:
        """Return what tells A and B apart, one row per request.

        Columns: ``conversation``, ``request``, ``turn``, ``after``, ``total_a``, ``total_b``,
        ``tokens`` (B less A), ``route_a``, ``route_b``, parts in ``both``, ``only_a``, ``only_b``,
        and what each ``dropped_a``, ``dropped_b``.

        Raises
        ------
        DataError
            Only one configuration was replayed.
        """
        if "B" not in self.labels:
            raise DataError("one configuration was replayed: give replay config_b to compare with")
        return diff_frame(self.frame, self.contexts)

    def to_csv(self, path: str | Path) -> None:
        """Write the rows; without ``said``, so that the file holds no words of the customer."""
        self.frame.drop(columns="said").to_csv(path, index=False)

    def to_html(self, path: str | Path | None = None, title: str = "Replay") -> str:
        """Return a page that needs nothing else, and write it if a path is given."""
        from .page import render_page

        text = render_page(self, title)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8", errors="replace")
        return text

    def summary(self) -> pd.DataFrame:
        """Compare: one row per configuration, per naive window, and for the whole history.

        Naive windows are held against the input budget of configuration A.
        """
        import pandas as pd

        rows = [
            self._row(label, part, self.limits[name])
            for name, label in self.labels.items()
            if len(part := self.frame[self.frame["config"] == name])
        ]
        limit = self.limits["A"]
        for keeps in self.baselines["keeps"].unique():
            part = self.baselines[self.baselines["keeps"] == keeps]
            rows.append(
                {
                    "system": f"last {keeps} messages" if keeps else "whole history",
                    "contexts": len(part),
                    "limit": limit,
                    "mean_tokens": round(part["tokens"].mean(), 1),
                    "max_tokens": part["tokens"].max(),
                    "over_budget": int((part["tokens"] > limit).sum()),
                    "invalid": int(part["invalid"].sum()),
                    "broken_pairs": part["broken_pairs"].sum(),
                    "budget_errors": 0,
                    "left_out": round((part["full"] - part["tokens"]).mean(), 1),
                }
            )
        return pd.DataFrame(rows)

    @staticmethod
    def _row(label: str, part: pd.DataFrame, limit: int) -> dict[str, Any]:
        made = part[part["error"] == ""]
        empty = made.empty
        return {
            "system": label,
            "contexts": len(made),
            "limit": limit,
            "mean_tokens": 0.0 if empty else round(float(made["total"].mean()), 1),
            "max_tokens": 0 if empty else int(made["total"].max()),
            "over_budget": int((made["total"] > limit).sum()),
            "invalid": int((made["faults"] != "").sum()),
            "broken_pairs": int(made["broken_pairs"].sum()),
            "budget_errors": len(part) - len(made),
            "left_out": 0.0 if empty else round(float(made["left_out"].mean()), 1),
            "ms": None if empty else round(float(made["ms"].median()), 2),
        }


def replay(
    path_or_messages: str | Path | Sequence[Any],
    config_a: Config | None = None,
    config_b: Config | None = None,
    *,
    format: str = "auto",
    system_prompt: str | None = None,
    counts: Sequence[int] = COUNTS,
    check: bool = True,
    progress: bool = False,
) -> Replay:
    """Fit logged conversations into a budget, request by request.

    Parameters
    ----------
    path_or_messages : path, list of messages, or list of Conversation
        What `read_conversations` reads, or messages in OpenAI form.
    config_a, config_b : Config, optional
        One configuration, or two to compare. Sessions don't expire in a replay.
    format : str
        Of the file: ``"auto"``, ``"openai"``, ``"tau"`` or ``"crosswoz"``.
    system_prompt : str, optional
        Default: none if the log has system messages, else the engine's.
    counts : sequence of int
        Sizes of naive windows, in messages.
    check : bool
        Hold each context against both providers' rules and count it anew: half of the time. If
        not, ``total`` is the ledger's own sum, and no fault is found.
    progress : bool
        Show a bar on standard error, if that is a terminal.

    Raises
    ------
    DataError
        The log is damaged or out of order; the text names the line.

    Examples
    --------
    >>> said = [{"role": "user", "content": "Where is order A1029?"},
    ...         {"role": "assistant", "content": "On its way."},
    ...         {"role": "user", "content": "Since when?"}]
    >>> result = replay(said)
    >>> result.to_frame()[["turn", "route", "left_out"]].values.tolist()
    [[0, 'EXHAUSTIVE', 0], [1, 'EXHAUSTIVE', 0]]
    """
    import pandas as pd
    from tqdm import tqdm

    talks = as_conversations(path_or_messages, format)
    configs = {"A": config_a or Config()} | ({} if config_b is None else {"B": config_b})
    if system_prompt is None:
        own = any(talk.messages[0].role == "system" for talk in talks)
        system_prompt = "" if own else SYSTEM_PROMPT
    rows: list[dict[str, Any]] = []
    contexts: dict[Key, tuple[Part, ...]] = {}
    known: dict[Part, Part] = {}
    naive: list[dict[str, Any]] = []
    total = len(talks) * (len(configs) + 1)
    with tqdm(total=total, unit="conversation", disable=None if progress else True) as bar:
        for name, config in configs.items():
            for row, context in _play_all(talks, config, system_prompt, check, bar):
                rows.append({"config": name, **row})
                parts = () if context is None else parts_of(context, known)
                contexts[name, row["conversation"], row["request"]] = parts
        budget = configs["A"].budget
        counter = TokenCounter(budget.encoding, budget.image_tokens)
        for talk in talks:
            naive += naive_rows(talk, system_prompt, counts, counter)
            bar.update()
    if not rows:
        raise DataError("no user message in the log: there is no request to replay")
    frame = pd.DataFrame(rows)
    numbers = [*LAYERS, "total", "left_out"]
    # A request that didn't fit has no tokens, hence the nullable integers.
    frame = frame.astype({**dict.fromkeys(numbers, "Int64"), "ms": float})
    return Replay(
        frame=frame,
        baselines=pd.DataFrame(naive),
        labels=_labels(configs),
        limits={name: _limit(config) for name, config in configs.items()},
        contexts=contexts,
    )


# ---------------------------------------------------------------------- playing


def _play_all(
    talks: Iterable[Conversation], config: Config, prompt: str, check: bool, bar: Any
) -> Iterator[tuple[dict[str, Any], Context | None]]:
    clock = ManualClock(START)
    lasting = config.with_(_FOR_EVER)
    with ContextEngine(
        "sqlite://", config=lasting, embedder=None, clock=clock, system_prompt=prompt
    ) as engine:
        for talk in talks:
            clock.set(_time(talk.messages[0]))
            session = engine.open_session(talk.user_id, talk.agent or "support")
            full, stored = static_tokens(talk, prompt, engine.counter), 0
            for number, step in enumerate(steps(talk, prompt, engine.counter)):
                known = step.seen - (step.pending is not None)
                full += _store(session, clock, talk.messages[stored:known], engine)
                stored = known
                clock.set(_time(talk.messages[step.seen - 1]))
                row, context = _request(talk, step, session, engine, full, check)
                yield {"conversation": talk.id, "request": number, **row}, context
                session.discard()  # what follows is in the log
            _store(session, clock, talk.messages[stored:], engine)
            session.end("end of log")  # the same user's next conversation may know of it
            bar.update()


def _time(message: Message) -> datetime:
    assert message.time is not None  # the reader of transcripts gave one
    return message.time


def _store(
    session: Session, clock: ManualClock, messages: Iterable[Message], engine: ContextEngine
) -> int:
    """Store what was said; returns its tokens as stored, which masking may have changed."""
    tokens = 0
    for message in messages:
        clock.set(_time(message))
        tokens += engine.counter.count_message(session.add(message) or message)
        # Summaries are written in the background. One that met the next message would hold it, or
        # not, as the threads happen to run; a replay gives the same each time.
        engine.flush()
    return tokens


def _request(
    talk: Conversation, step: Step, session: Session, engine: ContextEngine, full: int, check: bool
) -> tuple[dict[str, Any], Context | None]:
    full += engine.counter.count_message(step.pending) if step.pending else 0
    row: dict[str, Any] = {
        "turn": step.turn,
        "after": "tools" if step.pending is None else "user",
        "said": " ".join(talk.messages[step.seen - 1].text[:_SAID].split()),
        **dict.fromkeys([*LAYERS, "total"]),
        "limit": _limit(engine.config),
        "full": full,
        **dict.fromkeys(("left_out", "dropped", "why", "route", "ms")),
        "broken_pairs": 0,
        "faults": "",
        "error": "",
    }
    try:
        context = session.prepare(step.pending, talk.tools)
    except BudgetError as error:
        return row | {"dropped": "", "why": "", "route": "", "error": str(error)}, None
    row |= _account(context, full)
    return row | (_checked(context, engine.counter) if check else {}), context


def _account(context: Context, full: int) -> dict[str, Any]:
    """Say where the tokens of one context went."""
    used = {layer: context.ledger.used.get(layer, 0) for layer in LAYERS}
    out = [event for event in context.trace if event.outcome in LEFT_OUT]
    return {
        **used,
        "total": sum(used.values()),
        "left_out": max(0, full - used["system"] - used["tool_definitions"] - used["recent"]),
        "dropped": "; ".join(f"{event.subject} {event.outcome}" for event in out),
        "why": " | ".join(f"{event.rule} {event.reason}" for event in out),
        "route": context.route.mode,
        "ms": round(sum(context.trace.ms.values()), 3),
    }


def _checked(context: Context, counter: TokenCounter) -> dict[str, Any]:
    """Say whether providers would take a context, and how long it is."""
    faults = check_messages(context.messages)
    theirs = check_messages(context.as_anthropic()[1], "anthropic")
    return {
        # Counted anew from what is sent: the ledger's own sum would prove nothing.
        "total": counter.count_messages(context.messages, context.tools),
        "broken_pairs": len(faults),
        "faults": "; ".join(faults + [f"anthropic: {fault}" for fault in theirs]),
    }


def _limit(config: Config) -> int:
    return BudgetPlan(config.budget.window, config.budget.shares).input_limit


def _labels(configs: Mapping[str, Config]) -> dict[str, str]:
    """Name each configuration by its window, and B by what else it changes."""
    labels = {name: f"{name}: window {c.budget.window:,}" for name, c in configs.items()}
    if "B" in configs:
        a, b = (_flat(config.model_dump()) for config in configs.values())
        other = [f"{k}={b[k]}" for k in b if a.get(k) != b[k] and k != "budget.window"]
        labels["B"] += "".join(f", {change}" for change in other[:4])
        labels["B"] += f" and {len(other) - 4} more" if len(other) > 4 else ""
    return labels


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        flat |= (
            _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
        )
    return flat

"""The failure bench: one call, one table, how often each system fails in each way (R95)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import CtxlabError, DataError
from ..tokens import TokenCounter
from .injectors import INJECTORS, LIVED, blocks_of, language, lives
from .intervals import wilson
from .judging import Verdict, judge
from .playing import Asked, Ended, Heard
from .scenes import BUDGET, Adaptive, Scene
from .suites import every_system
from .systems.protocol import MemorySystem, Place, Seen, SystemSpec, text_seen

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FAILURES", "failure_bench", "failure_cases", "failure_rates"]

FAILURES = {
    "contamination": "an old outburst stands in a calm conversation",
    "privacy": "a secret is stored, found again, or shown later",
    "erasure": "something of an erased user is still there",
    "cross-agent": "what one role was told in confidence is shown to another",
    "cross-user": "what belongs to a customer of the same name is shown",
    "stale facts": "a fact that was replaced is still shown",
    "irrelevant past": "an after-sales case is shown to someone who asks for a gift",
    "scale": "one order of many can't be found",
    "duplicates": "one fact is shown more than once",
    "overflow": "the context passes the budget, loses the question, or isn't made at all",
    "orphan tools": "a provider would reject the list",
    "stale tools": "an old tool result stands without a sign of its age",
    "summary loss": "what was said first is lost after a long talk in a small window",
    "boundary forgery": "a customer's text passes for memory of the system's own",
    "pollution": "memory repeats what is said anyway, holds a number that was put right, or roles",
}
Row = dict[str, Any]
_ROLE = re.compile(r"^\s*(?:system|user|assistant|tool)\s*:", re.MULTILINE)
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_LONG = {"en": 20, "zh": 8}  # characters; shorter sentences coincide
# A date, a clock time or words for age, in the message that holds an old result.
_AGE = re.compile(
    r"\d{4}-\d\d-\d\d|\b\d+ (?:second|minute|hour|day)s? ago|out of date|"
    r"(?:秒|分钟|小时|天)[之以]?前|过时|\d{1,2}月\d{1,2}日"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A context and its verdict, as metrics see them."""

    check: Mapping[str, Any]
    seen: Seen
    verdict: Verdict


def _leaks(answer: Answer) -> bool:
    return bool(answer.verdict.leaked)


def _misses(answer: Answer) -> bool:
    return bool(answer.verdict.missing)


def _repeats(answer: Answer) -> bool:
    return text_seen(answer.seen.messages).count(answer.check["literal"]) > 1


def _overflows(answer: Answer) -> bool:
    last = answer.seen.messages[-1]
    asked = last["role"] == "user" and last["content"] == answer.check["question"]
    return answer.verdict.over or not asked


def _is_illegal(answer: Answer) -> bool:
    return bool(answer.verdict.faults)


def _looks_fresh(answer: Answer) -> bool:
    texts = [text_seen([message]) for message in answer.seen.messages]
    held = [text for text in texts if answer.check["literal"] in text]
    return any(not _AGE.search(text) for text in held)


def _is_forged(answer: Answer) -> bool:
    """Whether the forged line stands by itself in a block, as the system's own lines do."""
    forged = answer.check["forged"]
    return any(
        line.strip() == forged for lines in blocks_of(answer.seen.messages) for line in lines
    )


def _is_polluted(answer: Answer) -> bool:
    """Whether memory repeats the dialogue or itself, says a wrong number, or plays a role.

    What people said twice themselves is no pollution.
    """
    blocks = ["\n".join(lines) for lines in blocks_of(answer.seen.messages)]
    talk = [text_seen([m]) for m in answer.seen.messages if m["role"] != "system"]
    told = Counter(line for text in blocks for line in _lines(text))
    repeats = any(n > 1 or any(line in text for text in talk) for line, n in told.items())
    wrong = any(answer.check["wrong"] in text for text in blocks)
    return repeats or wrong or any(_ROLE.search(text) for text in blocks)


def _lines(text: str) -> list[str]:
    """Return the sentences of a block that are long enough to be recognised."""
    return [s for s in map(str.strip, _SENTENCE.split(text)) if len(s) >= _LONG[language(s)]]


METRICS: dict[str, Callable[[Answer], bool]] = {
    **dict.fromkeys(set(LIVED.values()), _leaks),
    "scale": _misses,
    "duplicates": _repeats,
    "overflow": _overflows,
    "orphan tools": _is_illegal,
    "stale tools": _looks_fresh,
    "summary loss": _misses,
    "boundary forgery": _is_forged,
    "pollution": _is_polluted,
}


def failure_bench(
    systems: SystemSpec | Sequence[SystemSpec] | None = None,
    failures: Sequence[str] | None = None,
    lang: str | Sequence[str] = ("zh", "en"),
    *,
    size: int = 1,
    seed: int = 101,
    jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Provoke each failure mode in each system, and say how often it fails.

    Parameters
    ----------
    systems : spec or sequence of specs, optional
        See ``evals.systems``; default: all that need no further package.
    failures : sequence of str, optional
        Of ``FAILURES``; default: all.
    lang : str or sequence of str
        Languages; cases of both are counted together.
    size : int
        Multiplies the number of customers; 1 takes some minutes for ctxlab.
    seed : int
        Of the customers; the checked-in data are of seed 7, so 101 is news to everyone.
    jobs : int
        As for `run_suite`.
    progress : bool
        Show a bar on standard error.

    Returns
    -------
    pandas.DataFrame
        One row a system and failure: ``system failure rate low high n kept``. ``rate`` is the share
        of cases that went wrong, with Wilson's 95 % interval. ``kept`` is the share of cases whose
        context held what it needed: a system that remembers nothing leaks nothing, and it shows
        here. NaN where a case needs nothing.

    Raises
    ------
    DataError
        No such failure.

    Examples
    --------
    >>> from ctxlab.evals.systems import FullHistory, NoMemory
    >>> table = failure_bench([NoMemory(), FullHistory()], ["duplicates"], "en")
    >>> table[["system", "rate", "kept"]].values.tolist()
    [['no memory', 0.0, 0.0], ['full history', 1.0, 1.0]]
    """
    cases = failure_cases(
        systems, failures, lang, size=size, seed=seed, jobs=jobs, progress=progress
    )
    return failure_rates(cases)


def failure_rates(cases: pd.DataFrame, by: Sequence[str] = ("system", "failure")) -> pd.DataFrame:
    """Sum cases up; see `failure_bench`."""
    import pandas as pd

    rows = []
    for key, part in cases.groupby(list(by), sort=False):
        n, wrong = len(part), int(part["failed"].sum())
        low, high = wilson(wrong, n)
        kept = part["kept"].dropna()
        rows.append(
            {
                **dict(zip(by, key, strict=True)),
                "rate": wrong / n,
                "low": low,
                "high": high,
                "n": n,
                "kept": float(kept.mean()) if len(kept) else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def failure_cases(
    systems: SystemSpec | Sequence[SystemSpec] | None = None,
    failures: Sequence[str] | None = None,
    lang: str | Sequence[str] = ("zh", "en"),
    *,
    size: int = 1,
    seed: int = 101,
    jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Do the same as `failure_bench`, one row a case.

    Returns
    -------
    pandas.DataFrame
        ``system failure lang case failed kept what``; ``what`` is how a failure showed.
    """
    import pandas as pd
    from joblib import Parallel, delayed
    from tqdm import tqdm

    wanted = list(FAILURES) if failures is None else list(failures)
    unknown = [name for name in wanted if name not in FAILURES]
    if unknown or not wanted:
        raise DataError(f"failures: no {unknown or 'names'}; there are {', '.join(FAILURES)}")
    specs: list[SystemSpec]
    specs = (
        every_system()
        if systems is None
        else (list(systems) if isinstance(systems, Sequence) else [systems])
    )
    langs = [lang] if isinstance(lang, str) else list(lang)
    scenes = _scenes(wanted, langs, size, seed)
    tasks = [(spec, scene) for spec in specs for scene in scenes]
    todo = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_suffer)(spec, scene) for spec, scene in tasks
    )
    rows: list[Row] = []
    with tqdm(total=len(tasks), desc="scenes", disable=not progress) as bar:
        for (spec, scene), found in zip(tasks, todo, strict=True):
            rows += [{"system": spec.name, "lang": scene.lang, **row} for row in found]
            bar.update()
    order = {name: n for n, name in enumerate(wanted)}
    place = {spec.name: n for n, spec in enumerate(specs)}
    rows.sort(key=lambda row: (place[row["system"]], order[row["failure"]]))
    columns = ["system", "failure", "lang", "case", "failed", "kept", "what"]
    return pd.DataFrame(rows, columns=columns)


def _scenes(wanted: Sequence[str], langs: Sequence[str], size: int, seed: int) -> list[Scene]:
    scenes: list[Scene] = []
    if {"erasure", *LIVED.values()} & set(wanted):
        scenes += lives(langs, size, seed, wanted)
    for name, inject in INJECTORS.items():
        if name in wanted:
            scenes += inject(langs, size, seed)
    return scenes


# ---------------------------------------------------------------------- one scene, one system


def _suffer(spec: SystemSpec, scene: Scene) -> list[Row]:
    """Play a scene to a fresh system and count what went wrong; runs in any process."""
    counter = TokenCounter()
    system = spec.open()
    try:
        rows = []
        last: dict[str | None, Place] = {}
        for event in scene.script:
            if isinstance(event, Adaptive):
                event = event.make(system, event)
            last[event.place.user] = event.place
            if isinstance(event, Heard):
                system.observe(event.message, event.place, event.state)
            elif isinstance(event, Ended):
                system.end(event.place)
            else:
                rows.append(_asked(system, event, counter))
        rows += _search_store(system, scene, last)
        return rows + _erase(system, scene, last)
    finally:
        system.close()


def _asked(system: MemorySystem, event: Asked, counter: TokenCounter) -> Row:
    check = event.check
    budget = check.get("budget", BUDGET)
    row: Row = {"failure": check["failure"], "case": check["case"]}
    try:
        seen = system.context(check["question"], event.place, budget)
    except CtxlabError as error:  # all budgets can be kept: a refusal is a failure, too
        return row | {"failed": True, "kept": None, "what": f"{type(error).__name__}: {error}"}
    verdict = judge(check, seen, budget, counter)
    failed = METRICS[check["failure"]](Answer(check, seen, verdict))
    kept = not verdict.missing if check["must"] else None
    what = ", ".join([*verdict.leaked, *verdict.faults][:3]) if failed else ""
    return row | {"failed": failed, "kept": kept, "what": what}


def _search_store(
    system: MemorySystem, scene: Scene, last: Mapping[str | None, Place]
) -> list[Row]:
    """Look for each secret in what is stored, and in what a search for it gives back."""
    rows = []
    for user, values in scene.stored.items():
        held = system.stored(user) or ""
        for n, value in enumerate(values):
            found = "\n".join(system.search(value, last[user], k=20))
            where = [name for name, text in (("store", held), ("search", found)) if value in text]
            row = {"failure": "privacy", "case": f"{user}-secret-{n}", "failed": bool(where)}
            rows.append(row | {"kept": None, "what": ", ".join(where)})
    return rows


def _erase(system: MemorySystem, scene: Scene, last: Mapping[str | None, Place]) -> list[Row]:
    """Erase each user and look for their own numbers everywhere."""
    rows = []
    for user, values in scene.known.items():
        system.erase(user)
        held = [system.stored(user) or ""]
        for value in values:
            held += system.search(value, last[user], k=20)
        left = [value for value in values if any(value in text for text in held)]
        row = {"failure": "erasure", "case": f"{user}-erased", "failed": bool(left)}
        rows.append(row | {"kept": None, "what": ", ".join(left)})
    return rows

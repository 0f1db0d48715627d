"""Public support dialogues through three windows: legal lists, budgets kept, tool pairs whole.

``python tests/benchmarks/replays.py [--unmasked] FILE...`` with tau-bench's transcripts and
CrossWOZ's dialogues (at most `LIMIT` conversations a file) prints one JSON line a file and window.
Any list that a provider would reject, any context over budget, any ledger that doesn't sum to its
list ends the run with a failure. ``--unmasked`` switches the search for sensitive content off:
it takes most of the time, and bears on what a message says, not on whether it fits.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import ctxlab as cx
from ctxlab import evals
from ctxlab.context.budget import LAYERS

WINDOWS = (2_000, 8_000, 32_000)
LIMIT = 100


def measure(path: Path, window: int, masked: bool) -> dict[str, Any]:
    """Replay a file at one window and sum up."""
    talks = evals.read_conversations(path)[:LIMIT]
    config = cx.Config().with_({"budget.window": window, "mitigations.privacy": masked})
    result = evals.replay(talks, config, progress=True)
    frame, summary = result.to_frame(), result.summary()
    made = frame[frame["error"] == ""]
    named = frame["error"].str.extract(r"^(.*?) \(")[0].value_counts()
    ours = summary.iloc[0]
    naive = summary.iloc[1:].set_index("system")
    return {
        "file": path.name,
        "window": window,
        "masked": masked,
        "conversations": len(talks),
        "contexts": len(made),
        "over_budget": int(ours["over_budget"]),
        "invalid": int(ours["invalid"]),
        "ledger_off": int((made[list(LAYERS)].sum(axis=1) != made["total"]).sum()),
        "budget_errors": {str(part): int(count) for part, count in named.items()},
        "mean_tokens": float(ours["mean_tokens"]),
        "max_tokens": int(ours["max_tokens"]),
        "left_out_mean": float(ours["left_out"]),
        "ms_median": float(ours["ms"]),
        "routes": {str(mode): int(n) for mode, n in made["route"].value_counts().items()},
        "naive": {
            str(name): {key: int(row[key]) for key in ("broken_pairs", "invalid", "over_budget")}
            for name, row in naive.iterrows()
        },
    }


def main() -> int:
    """Measure every file at every window."""
    faults = 0
    files = [name for name in sys.argv[1:] if name != "--unmasked"]
    for name in files:
        for window in WINDOWS:
            row = measure(Path(name), window, masked="--unmasked" not in sys.argv)
            faults += row["over_budget"] + row["invalid"] + row["ledger_off"]
            print(json.dumps(row), flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

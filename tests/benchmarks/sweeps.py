"""One sweep by one process and by a Dask cluster: the same table, and how much sooner.

``python tests/benchmarks/sweeps.py [RUNS] [WORKERS]`` (default 200 and 2) sweeps windows and other
settings over a support conversation of the checked-in set, first here, then on a cluster of that
many processes, and prints one JSON line. Tables that differ in a single bit end it with a failure.
The cluster's start isn't counted, what its workers load is.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import joblib
import pandas as pd
from dask.distributed import Client, LocalCluster

import ctxlab as cx
from ctxlab import evals


def log(folder: str) -> Path:
    """Write one conversation of the support set as a log, longer than nine of ten."""
    data = cx.load_support("en")
    names = data.sessions.sort_values(["turns", "session_id"])["session_id"].tolist()
    name = names[len(names) * 9 // 10]
    talks = [{"id": name, "messages": data.to_messages(name)}]
    path = Path(folder) / "log.json"
    path.write_text(json.dumps(talks, default=str), encoding="utf-8")
    return path


def plan(runs: int) -> dict[str, list[Any]]:
    """Return settings to try, one at a time: as many runs as wanted, the base among them."""
    return {
        "budget.window": [600 + 10 * i for i in range(runs - 25)],
        "window.recent_turns": list(range(1, 13)),
        "compression.every_messages": list(range(1, 13)),
    }


def main() -> int:
    """Measure, compare, print."""
    runs, workers = (int(given) for given in [*sys.argv[1:], *("200", "2")[len(sys.argv) - 1 :]])
    base = cx.Config().with_({"budget.window": 2_000, "mitigations.privacy": False})
    with tempfile.TemporaryDirectory() as folder:
        path, factors = log(folder), plan(runs)
        start, cpu = time.perf_counter(), time.process_time()
        alone = evals.sweep(base, factors, path, progress=True)
        one, cpu_one = time.perf_counter() - start, time.process_time() - cpu
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
            joblib.parallel_config(backend="dask"),
        ):
            before = client.run(time.process_time)
            start = time.perf_counter()
            spread = evals.sweep(base, factors, path, progress=True)
            many = time.perf_counter() - start
            after = client.run(time.process_time)
    cpu_most = max(after[name] - before[name] for name in after)
    try:
        pd.testing.assert_frame_equal(alone, spread, check_exact=True)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1
    result = {
        "runs": int(alone["run"].nunique()),
        "rows": len(alone),
        "workers": workers,
        "one_process_s": round(one, 1),
        "cluster_s": round(many, 1),
        "speed_up": round(one / many, 2),
        # On a machine that does other things, what each process worked says more than the clock.
        "one_process_cpu_s": round(cpu_one, 1),
        "busiest_worker_cpu_s": round(cpu_most, 1),
        "speed_up_cpu": round(cpu_one / cpu_most, 2),
        "identical": True,
        "load_before": round(os.getloadavg()[1], 1),
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Evidence recall on LoCoMo, and on LongMemEval if its file is given too.

``make bench BENCH=locomo ARGS="locomo10.json [--longmemeval FILE] [--out FOLDER] [--held-out]"``
prints recall by category and under token budgets, and writes it as JSON and Markdown. The sets
don't ship with ctxlab: name your own copies.

``--held-out`` asks whether the weights that ship flatter themselves on this set: for each
conversation, weights are chosen on the nine others out of a few around those that ship, and
measured on it.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd

from ctxlab import evals
from ctxlab.evals.evidence import Haystack
from ctxlab.layers.passages import Standing

TRIED = {
    "k1": (0.6, 1.2),
    "b": (0.4, 0.75),
    "meaning": (0.5, 1.1),
    "neighbour": (0.3, 0.6),
    "answer": (0.0, 0.5),
    "asks": (0.0, 1.0),
    "speaker": (1.5, 3.5),
}
KS = (5, 10, 25)
PUBLISHED = "The paper's dense retriever, turns: 56.7 / 66.2 / 76.7."


def candidates() -> list[Standing]:
    """The weights that ship, and each of them changed one at a time."""
    ours = Standing()
    return [ours, *(replace(ours, **{k: v}) for k, values in TRIED.items() for v in values)]


def found(stack: Haystack, weights: Standing) -> pd.Series:
    """Recall at each k, summed over one conversation's questions, and how many there are."""
    table = evals.evidence_recall(
        [stack],
        ks=KS,
        budgets=(),
        modes=("hybrid",),
        rivals=(),
        weights=weights,
        overall=lambda category: category != "5",
    )
    overall = table[table["category"] == "overall"].set_index("k")
    sums = overall["recall"] * overall["n"]
    return pd.Series([*sums, overall["n"].iloc[0]], index=[*KS, "n"])


def held_out(path: Path) -> dict[str, object]:
    """Choose weights on nine conversations, measure them on the tenth, ten times."""
    stacks, tried = evals.load_locomo(path), candidates()
    sums = {n: [found(stack, weights) for stack in stacks] for n, weights in enumerate(tried)}
    total, chosen = pd.Series(0.0, index=[*KS, "n"]), []
    for place in range(len(stacks)):
        rest = {
            n: sum(row[list(KS)].sum() for i, row in enumerate(rows) if i != place)
            for n, rows in sums.items()
        }
        best = max(rest, key=lambda n: rest[n])
        total += sums[best][place]
        changed = {k: v for k, v in asdict(tried[best]).items() if v != asdict(tried[0])[k]}
        chosen.append({"conversation": stacks[place].name, "changed": changed})
    everywhere = {n: sum(rows) for n, rows in sums.items()}
    spread = {k: [float(row[k] / row["n"]) for row in everywhere.values()] for k in KS}
    return {
        "recall": {k: float(total[k] / total["n"]) for k in KS},
        "as_shipped": {k: spread[k][0] for k in KS},
        "least_and_most_tried": {k: [min(spread[k]), max(spread[k])] for k in KS},
        "chosen": chosen,
    }


def percent(table: pd.DataFrame, column: str) -> str:
    """Lay out recall in per cent: systems down, k or budget across, one block a category."""
    rows = table[table[column].notna()]
    rows = rows.sort_values("category", key=lambda c: c.where(c != "overall", ""), kind="stable")
    wide = rows.pivot_table(
        index=["category", "n", "system", "mode"], columns=column, values="recall", sort=False
    )
    lines = [f"| category | n | system | mode | {' | '.join(map(str, wide.columns))} |"]
    lines.append("|---|---|---|---|" + "---|" * len(wide.columns))
    for key, values in zip(wide.index, wide.to_numpy(), strict=True):
        cells = [*map(str, key), *(f"{100 * value:.1f}" for value in values)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def report(name: str, table: pd.DataFrame) -> str:
    """Return both tables of a set as Markdown."""
    return (
        f"## {name}\n\nEvidence recall at k, per cent.\n\n{percent(table, 'k')}\n\n"
        f"Under a budget in tokens, per cent.\n\n{percent(table, 'budget')}\n"
    )


def main() -> None:
    """Measure what is named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("locomo", nargs="?", type=Path)
    parser.add_argument("--longmemeval", type=Path)
    parser.add_argument("--out", type=Path, help="folder for locomo.json and locomo.md")
    parser.add_argument("--held-out", action="store_true")
    given = parser.parse_args()
    if given.locomo is None and given.longmemeval is None:
        print("locomo: name your copy of locomo10.json; nothing measured")
        return
    parts, data = [], {}
    if given.locomo is not None:
        table = evals.locomo(given.locomo)
        parts += [report("LoCoMo", table), f"Overall is categories 1 to 4. {PUBLISHED}\n"]
        data["locomo"] = json.loads(table.to_json(orient="records"))
        if given.held_out:
            data["held_out"] = held_out(given.locomo)
            parts.append(f"```json\n{json.dumps(data['held_out'], indent=1)}\n```\n")
    if given.longmemeval is not None:
        table = evals.longmemeval(given.longmemeval)
        parts.append(report("LongMemEval, sessions", table))
        data["longmemeval"] = json.loads(table.to_json(orient="records"))
    text = "\n".join(parts)
    print(text)
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "locomo.md").write_text(text, encoding="utf-8")
        (given.out / "locomo.json").write_text(json.dumps(data, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

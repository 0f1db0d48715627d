"""The page a replay writes: one file, no network, a bar of tokens for every request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from ..context.budget import LAYERS
from .sidebyside import Part, align

if TYPE_CHECKING:
    import pandas as pd

    from .replaying import Replay

__all__ = ["COLOURS", "render_page"]

# Label and colour of each layer, the colours those of every other figure (lab.style is a floor
# above, so a test holds the two together).
COLOURS = {
    "system": ("system prompt", "#33415C"),
    "tool_definitions": ("tools", "#56B4E9"),
    "profile": ("profile", "#E69F00"),
    "past": ("relevant past", "#CC79A7"),
    "conclusion": ("last session", "#CC79A7"),
    "summary": ("summary", "#009E73"),
    "state": ("task state", "#F0E442"),
    "recent": ("recent dialogue", "#0072B2"),
}
_HEADINGS = {
    "system": "window",
    "invalid": "rejected lists",
    "broken_pairs": "broken pairs",
    "over_budget": "over budget",
    "budget_errors": "budget errors",
    "contexts": "contexts made",
    "limit": "input budget",
    "mean_tokens": "mean tokens",
    "max_tokens": "most tokens",
    "left_out": "left out, mean",
    "ms": "median ms",
}
_FAULTS = ("over_budget", "invalid", "broken_pairs", "budget_errors")


def render_page(result: Replay, title: str) -> str:
    """Return the page as HTML text; nothing a customer wrote can become markup or script in it."""
    summary = result.summary()
    template = resources.files(__package__).joinpath("page.html").read_text("utf-8")
    return Template(template).substitute(
        title=escape(title),
        claim=escape(claim(summary, result.frame["conversation"].nunique())),
        comparison=_table(summary),
        data=_embedded(_data(result)),
    )


def claim(summary: pd.DataFrame, conversations: int) -> str:
    """Say in words what the comparison shows."""
    ours = summary[summary["system"].str.contains(": window")]
    naive = summary[summary["system"].str.startswith("last ")]
    made, failed = int(ours["contexts"].sum()), int(ours["budget_errors"].sum())
    over, invalid = int(ours["over_budget"].sum()), int(ours["invalid"].sum())
    text = (
        f"{conversations:,} conversation{'s' * (conversations != 1)}, {made:,} contexts: "
        f"{over:,} over budget, {invalid:,} that a provider would reject"
    )
    text += f", {failed:,} refused because a part that must stay is too large." if failed else "."
    if len(naive):
        worst = max(naive.to_dict("records"), key=lambda row: int(row["broken_pairs"]))
        text += (
            f" A window of the {worst['system']} would have broken {int(worst['broken_pairs']):,} "
            f"tool pairs, and a provider would have rejected {int(worst['invalid']):,} of its "
            f"{int(worst['contexts']):,} lists."
        )
    return text


def _table(summary: pd.DataFrame) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in _HEADINGS.values())
    rows = []
    for row in summary.to_dict("records"):
        cells = "".join(_cell(key, row.get(key)) for key in _HEADINGS)
        rows.append(f"<tr>{cells}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(key: str, value: Any) -> str:
    if isinstance(value, str):
        return f'<th scope="row">{escape(value)}</th>'
    if value is None or value != value:  # NaN: nothing was measured
        return "<td>–</td>"
    number = f"{float(value):,.2f}" if key == "ms" else f"{round(float(value)):,}"
    return f'<td class="lost">{number}</td>' if key in _FAULTS and value else f"<td>{number}</td>"


def _data(result: Replay) -> dict[str, Any]:
    talks: dict[str, dict[str, Any]] = {}
    parts: dict[Part, int] = {}  # contexts share most of their parts: each is written once
    for row in result.frame.to_dict("records"):
        talk = talks.setdefault(row["conversation"], {"id": row["conversation"], "seen": []})
        talk.setdefault(row["config"], []).append(_row(row))
        if row["config"] == "A":
            talk["seen"].append(_seen(result, row["conversation"], row["request"], parts))
    place = {layer: i for i, layer in enumerate(LAYERS)}
    return {
        "labels": result.labels,
        "layers": [(layer, *COLOURS[layer]) for layer in LAYERS],
        "talks": list(talks.values()),
        "parts": [(place[part.layer], part.role, part.text) for part in parts],
    }


def _seen(result: Replay, talk: str, request: int, parts: dict[Part, int]) -> list[list[int]]:
    """Return the rows of one request's contexts: the number of each side's part, -1 for none."""
    a = result.contexts.get(("A", talk, request), ())
    b = result.contexts.get(("B", talk, request))
    rows = [(part,) for part in a] if b is None else align(a, b)
    return [
        [-1 if part is None else parts.setdefault(part, len(parts)) for part in row] for row in rows
    ]


def _row(row: Mapping[Any, Any]) -> dict[str, Any]:
    failed = bool(row["error"])
    names = {"dropped": "what"} | {
        key: key for key in ("turn", "after", "said", "limit", "full", "why", "route", "faults")
    }
    return {new: row[old] for old, new in names.items()} | {
        "tokens": [0 if failed else int(row[layer]) for layer in LAYERS],
        "total": None if failed else int(row["total"]),
        "left": None if failed else int(row["left_out"]),
        "error": row["error"],
    }


def _embedded(value: Any) -> str:
    """Return JSON for a script element, where ``<`` could end the element."""
    text = json.dumps(value, separators=(",", ":"))  # ASCII: no encoding can spoil it
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text

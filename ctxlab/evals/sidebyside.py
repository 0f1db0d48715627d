"""Two contexts side by side: what both configurations sent, and what only one of them did (R113).

A message of the dialogue is one part; of a memory block each line is one, so that a summary that
gained a line differs by that line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..context.request import Context
from ..messages import text_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Part", "align", "diff_frame", "parts_of", "table"]

Key = tuple[str, str, int]  # configuration, conversation, request
Pair = tuple["Part | None", "Part | None"]
_WHOLE = ("system", "recent")  # layers whose messages aren't cut into lines


@dataclass(frozen=True, slots=True)
class Part:
    """One message, or one line of a memory block.

    Attributes
    ----------
    layer : str
        Layer of the context, such as ``summary``.
    role : str
        Role of the message.
    text : str
        Its words; tool calls as ``-> name(arguments)``.
    """

    layer: str
    role: str
    text: str


def parts_of(context: Context, known: dict[Part, Part]) -> tuple[Part, ...]:
    """Take a context apart, in the order in which it is sent.

    Parameters
    ----------
    context : Context
    known : dict
        Parts met before; a replay's contexts share most of theirs, so each is held once.
    """
    found: list[Part] = []
    for layer, message in zip(context.layers, context.messages, strict=True):
        calls = [
            f"-> {call['function']['name']}({call['function']['arguments']})"
            for call in message.get("tool_calls", ())
        ]
        text = "\n".join(filter(None, [text_of(message["content"]), *calls]))
        for piece in [text] if layer in _WHOLE else text.splitlines():
            part = Part(layer, str(message["role"]), piece)
            found.append(known.setdefault(part, part))
    return tuple(found)


def align(a: Sequence[Part], b: Sequence[Part]) -> list[Pair]:
    """Put two contexts next to each other.

    Returns
    -------
    list of (Part or None, Part or None)
        Equal parts in one row. Where they differ, parts of the same layer share a row; None stands
        where one context has nothing.

    Examples
    --------
    >>> one, two, three = (Part("recent", "user", text) for text in ("1", "2", "3"))
    >>> [(x and x.text, y and y.text) for x, y in align([one, two, three], [two, three])]
    [('1', None), ('2', '2'), ('3', '3')]
    """
    rows: list[Pair] = []
    for what, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if what == "equal":
            rows += zip(a[a0:a1], b[b0:b1], strict=True)
        else:
            rows += _beside(a[a0:a1], b[b0:b1])
    return rows


def _beside(a: Sequence[Part], b: Sequence[Part]) -> Iterator[Pair]:
    """Give each layer its rows, in the order in which the layers come."""
    for layer in dict.fromkeys(part.layer for part in (*a, *b)):
        yield from zip_longest(
            [part for part in a if part.layer == layer],
            [part for part in b if part.layer == layer],
        )


def mark(pair: Pair) -> str:
    """Return ``both``, ``A``, ``B`` (only there) or ``changed``."""
    a, b = pair
    if a == b:
        return "both"
    return "B" if a is None else "A" if b is None else "changed"


def table(a: Sequence[Part], b: Sequence[Part]) -> pd.DataFrame:
    """Return the aligned contexts as rows ``layer``, ``role``, ``A``, ``B`` and ``in``."""
    import pandas as pd

    rows = []
    for pair in align(a, b):
        here = next(part for part in pair if part is not None)
        texts = ["" if part is None else part.text for part in pair]
        rows.append((here.layer, here.role, *texts, mark(pair)))
    return pd.DataFrame(rows, columns=["layer", "role", "A", "B", "in"])


def diff_frame(frame: pd.DataFrame, contexts: Mapping[Key, Sequence[Part]]) -> pd.DataFrame:
    """Return one row per request, with what tells the two configurations apart.

    Columns: ``conversation``, ``request``, ``turn``, ``after``; ``total_a``, ``total_b`` and their
    difference ``tokens`` (B less A; missing where a request didn't fit); ``route_a``, ``route_b``;
    parts in ``both``, ``only_a`` and ``only_b``; ``dropped_a``, ``dropped_b``.
    """
    where = ["conversation", "request", "turn", "after"]
    shown = [*where, "total", "route", "dropped"]
    a, b = (frame.loc[frame["config"] == name, shown] for name in "AB")
    joined = a.merge(b, on=where, suffixes=("_a", "_b"), validate="one_to_one")
    joined.insert(6, "tokens", joined["total_b"] - joined["total_a"])
    counts = [
        _counts(contexts["A", talk, request], contexts["B", talk, request])
        for talk, request in zip(joined["conversation"], joined["request"], strict=True)
    ]
    for name in ("both", "only_a", "only_b"):
        joined[name] = [count[name] for count in counts]
    order = ["total_a", "total_b", "tokens", "route_a", "route_b", "both", "only_a", "only_b"]
    return joined[[*where, *order, "dropped_a", "dropped_b"]]


def _counts(a: Sequence[Part], b: Sequence[Part]) -> Counter[str]:
    both = sum((Counter(a) & Counter(b)).values())
    return Counter(both=both, only_a=len(a) - both, only_b=len(b) - both)

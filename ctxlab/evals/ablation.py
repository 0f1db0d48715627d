"""Which tokens of a context earned their place: leave parts out and ask again (R112)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..context.budget import LAYERS
from ..context.request import Context
from ..messages import text_of
from ..tokens import TokenCounter
from ..turns import FRAME
from .metrics import text_of_context

__all__ = ["Ablation", "effective_tokens", "holds_all"]

Messages = list[dict[str, Any]]
_FIXED = ("system",)  # instructions aren't memory: they are neither counted nor left out


@dataclass(frozen=True)
class Ablation:
    """What of a context an answer needed.

    Attributes
    ----------
    right : bool
        Whether the whole context was right; if not, no token was of use.
    tokens, effective : int
        Tokens of all that can be left out, and of what had to stay.
    by_layer : dict
        Layer -> (tokens, effective tokens).
    kept : tuple of str
        The texts that had to stay.
    """

    right: bool
    tokens: int
    effective: int
    by_layer: Mapping[str, tuple[int, int]]
    kept: tuple[str, ...]

    @property
    def rate(self) -> float:
        """Effective tokens by tokens, 0 to 1; 0 if there were none."""
        return self.effective / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is left out at a time: messages (a call with its results), or one line of a block."""

    layer: str
    at: tuple[int, ...]
    line: int | None = None


def holds_all(literals: Collection[str]) -> Callable[[Messages], bool]:
    """Make the usual question of an ablation: whether a context still holds all of these.

    Examples
    --------
    >>> holds_all(["A1029"])([{"role": "user", "content": "Order A1029"}])
    True
    """
    return lambda messages: all(literal in text_of_context(messages) for literal in literals)


def effective_tokens(
    context: Context,
    right: Callable[[Messages], bool],
    counter: TokenCounter | None = None,
) -> Ablation:
    """Find out by ablation which tokens of a context an answer needs.

    Parts are left out one after the other, the lowest in the list first, each for good if the
    answer stays right without it; what remains is a smallest context that is still right (there
    may be others). Parts are dialogue messages, a tool call together with its results, and single
    lines of memory blocks. Instructions and the current question are neither left out nor counted.

    Parameters
    ----------
    context : Context
        As ``session.prepare`` returns it.
    right : callable
        ``right(messages) -> bool``: for example ``holds_all(["A1029"])``, or a call to a model and
        a look at its reply. It is called once for each part, and once for the whole.
    counter : TokenCounter, optional
        Default: ``o200k_base``.

    Returns
    -------
    Ablation
        Its ``.rate`` is the effective token rate.

    Examples
    --------
    >>> from ctxlab.engine import ContextEngine
    >>> with ContextEngine(embedder=None) as engine:
    ...     session = engine.open_session("U1")
    ...     for text in ("My order is A1029.", "It rains a lot here these days, doesn't it?"):
    ...         turn = session.send(text)
    ...     found = effective_tokens(session.prepare("Which order?"), holds_all(["A1029"]))
    >>> found.kept
    ('My order is A1029.',)
    >>> 0 < found.rate < 0.5
    True
    """
    counter = counter or TokenCounter()
    pieces = list(_pieces(context))

    def without(gone: Collection[_Piece]) -> Messages:
        return _rebuilt(context.messages, gone)

    def size(gone: Collection[_Piece]) -> int:
        return counter.count_messages(without(gone))

    sound = right(without(()))
    gone: list[_Piece] = [] if sound else list(pieces)
    if sound:
        for piece in reversed(pieces):
            if right(without([*gone, piece])):
                gone.append(piece)
    kept = [piece for piece in pieces if piece not in gone]
    bare = size(pieces)
    layers = {}
    for layer in dict.fromkeys(piece.layer for piece in pieces):
        others = [piece for piece in pieces if piece.layer != layer]
        needless = [piece for piece in gone if piece.layer == layer]
        layers[layer] = (size(others) - bare, size([*others, *needless]) - bare)
    texts = tuple(_text(context.messages, piece) for piece in kept)
    return Ablation(sound, size(()) - bare, size(gone) - bare, layers, texts)


def _pieces(context: Context) -> Iterator[_Piece]:
    messages = context.messages
    asked = max(i for i, m in enumerate(messages) if m["role"] == "user")
    taken: set[int] = set()
    for i, (layer, message) in enumerate(zip(context.layers, messages, strict=True)):
        if layer in _FIXED or layer not in LAYERS or i in taken or i == asked:
            continue
        if layer != "recent":
            lines = text_of(message["content"]).splitlines()
            yield from (_Piece(layer, (i,), n) for n, line in enumerate(lines) if not _frame(line))
            continue
        unit = [i]
        if message.get("tool_calls"):
            ids = {call["id"] for call in message["tool_calls"]}
            unit += [j for j, m in enumerate(messages) if j > i and m.get("tool_call_id") in ids]
        taken.update(unit)
        yield _Piece(layer, tuple(unit))


def _frame(line: str) -> bool:
    return line.startswith((f"<{FRAME}", f"</{FRAME}"))


def _rebuilt(messages: Sequence[Mapping[str, Any]], gone: Collection[_Piece]) -> Messages:
    """Return the list without some pieces; a block whose lines are all gone goes too."""
    whole = {i for piece in gone if piece.line is None for i in piece.at}
    lines: dict[int, set[int]] = {}
    for piece in gone:
        if piece.line is not None:
            lines.setdefault(piece.at[0], set()).add(piece.line)
    left: Messages = []
    for i, message in enumerate(messages):
        if i in whole:
            continue
        if i in lines:
            told = text_of(message["content"]).splitlines()
            rest = [line for n, line in enumerate(told) if n not in lines[i]]
            if all(map(_frame, rest)):
                continue
            message = {**message, "content": "\n".join(rest)}
        left.append(dict(message))
    return left


def _text(messages: Sequence[Mapping[str, Any]], piece: _Piece) -> str:
    if piece.line is not None:
        return text_of(messages[piece.at[0]]["content"]).splitlines()[piece.line]
    return text_of_context([messages[i] for i in piece.at]).strip()

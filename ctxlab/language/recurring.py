"""Where in a newer note the older one comes again: in one clause, or here and there (R94).

"Delivery to 5 Elm Row, up the metal stairs" says the old note again and adds. "Huw has a bad chest,
Menna guides the tour" has all words of "Huw guides the tour", and takes it back: the clause that
says so again says it of someone else. What is negated is a matter of clauses as well: "eats fish
again, only no shellfish" negates something, and not what "eats no fish" does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxlab.language.closeness import STOP_WORDS

if TYPE_CHECKING:
    from ctxlab.language.closeness import Wording
    from ctxlab.language.facets import Facets
    from ctxlab.language.sides import Part, Side
    from ctxlab.language.synonyms import Vocabulary, Word

__all__ = ["other_thing", "recur"]

_CLAUSES = 6  # of a note are compared one by one
_SOME = 2  # words in common from which two clauses say something of the same


def recur(words: Wording, names: Facets, denied: bool) -> dict[str, float]:
    """Compare two notes clause by clause: inputs of the head.

    "part:turned" and "part:unturned" say how much the two clauses have in common that lie nearest,
    if one alone of them negates, and if both do or neither.

    Parameters
    ----------
    words : Wording
        The notes by their words.
    names : Facets
        What they name.
    denied : bool
        Only one of them negates anything.
    """
    old, new = words.old.parts[:_CLAUSES], words.new.parts[:_CLAUSES]
    if len(old) == len(new) == 1:  # most pairs: all is known
        return _whole(words, denied)
    vocabulary = words.old.words
    hits = [[_shared(a.words, b.words) for b in new] for a in old]
    count = max(1, sum(len(part.words.words) for part in old))
    covers = [sum(len(row[j]) for row in hits) for j in range(len(new))]
    best = max(range(len(covers)), key=covers.__getitem__, default=0)
    recurs = sum(len(frozenset().union(*row)) for row in hits)
    part = new[best] if new else None
    fresh = _fresh(part, vocabulary) if part else 0
    usurped = part is not None and _usurped(part, names)
    besides = (*words.bridge.crossed, *words.bridge.opposed)
    turned, alike = _nearest(old, new, hits, besides)
    cover = max(covers, default=0) / count
    more = math.log(max(1, len(new)) / max(1, len(old)))
    return _features(cover, recurs / count - cover, fresh, usurped, turned, alike, more)


# Said of any delivery, so that it doesn't tell one thing from another.
_HANDLED = re.compile(
    r"(?:deliver|arriv|com(?:e|ing)|came|sen[dt]|ship|dispatch|br(?:ing|ought)|drop|promise|confirm|"
    r"agent|compan|courier|time|parcel|order).*|[送到来发寄运派货日号]+|承诺|答应|客服|公司|商家"
)


def other_thing(old: Side, new: Side) -> bool:
    """Tell whether what came has nothing to do with what is to come: a rug, and a lamp.

    Examples
    --------
    >>> from ctxlab.language.sides import side_of
    >>> came = side_of("The rug was delivered on 3 May.")
    >>> other_thing(came, side_of("The lamp will be delivered on 9 May."))
    True
    >>> other_thing(came, side_of("The rug will be delivered on 9 May."))
    False
    """
    if old.said["past"] <= new.said["past"]:
        return False
    named, others = _things(old), _things(new)
    same = any(next(new.words.like(word), None) is not None for word in named)
    return bool(named and others) and not same


def _things(side: Side) -> list[Word]:
    """Give the words of a note that belong to no time and no handling."""
    return [
        word for word in side.words.words
        if word.form not in STOP_WORDS and not _HANDLED.fullmatch(word.form)
        and not any(word.form in slot.text for slot in side.slots)
    ]  # fmt: skip


def _whole(words: Wording, denied: bool) -> dict[str, float]:
    """Give the same of two notes of one clause each."""
    counts = len(words.old.words.words), len(words.new.words.words)
    common = counts[0] - len(words.bridge.lost)
    near = common >= min(_SOME, counts[0]) > 0
    alike = min(1.0, common / max(1, min(counts))) if near else 0.0
    fresh = len(words.bridge.fresh)
    cover = common / max(1, counts[0])
    return _features(cover, 0.0, fresh, False, denied if near else None, alike, 0.0)


def _features(
    cover: float,
    scatter: float,
    fresh: int,
    usurped: bool,
    turned: bool | None,
    alike: float,
    more: float,
) -> dict[str, float]:
    return {
        "part:cover": cover,
        "part:scatter": scatter,
        "part:fresh": math.log1p(fresh),
        "part:scatter fresh": scatter * math.log1p(fresh),
        "part:name usurped": float(usurped),
        "part:turned": float(bool(turned)) * alike,
        "part:unturned": float(turned is False) * alike,
        "part:more": more,
    }


def _shared(old: Vocabulary, new: Vocabulary) -> frozenset[str]:
    """Give the keys of old words that a new clause has in whatever form."""
    return frozenset(word.key for word in old.words if next(new.like(word), None) is not None)


def _fresh(part: Part, old: Vocabulary) -> int:
    """Count the words of a clause that the old note hasn't."""
    return sum(next(old.like(word), None) is None for word in part.words.words)


def _usurped(part: Part, names: Facets) -> bool:
    """Tell whether a clause has a new name where an old one stands in another clause."""
    gone = any(name not in part.text for name in names.same)
    return gone and any(name in part.text for name in names.added)


def _nearest(
    old: Sequence[Part],
    new: Sequence[Part],
    hits: Sequence[Sequence[frozenset[str]]],
    besides: Sequence[str],
) -> tuple[bool | None, float]:
    """Compare what the two clauses negate that have most in common."""
    most, pair = (0, 0.0), None
    for a, row in zip(old, hits, strict=True):
        for b, both in zip(new, row, strict=True):
            sizes = len(a.words.words), len(b.words.words)
            if both and (found := (len(both), len(both) / max(sizes))) > most:
                most, pair = found, (a, b)
    if pair is None or most[0] < min(_SOME, len(pair[0].words.words)):
        return None, 0.0
    shorter = max(1, min(len(part.words.words) for part in pair))
    a, b = pair
    return a.negates(besides) != b.negates(besides), min(1.0, most[0] / shorter)

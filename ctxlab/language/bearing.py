"""Whether a value that somebody named bears on the customer's matter, or only came up (R30).

An agent reads out three prices and the customer takes one; a neighbour's order number, last
year's size, what it would cost if: all of them are values like those to keep, in sentences like
those to keep. What tells them apart is the talk around them: how the clause goes, what is asked
before and answered after, whether the value is said again. `weighing` has heads that read that
from what is gathered here.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ctxlab.language.answers import YES
from ctxlab.language.closeness import content
from ctxlab.language.manner import CUES, cues
from ctxlab.language.options import pick
from ctxlab.language.text import is_cjk
from ctxlab.language.turns import AROUND, Turn, clauses_of
from ctxlab.language.values import SORTS, Value

__all__ = ["NUMBERS", "Place", "Talk", "Turn", "clauses_of"]

_NEAR = 12  # turns read before and after
_MOST = 200  # places read of one turn: a price list of a thousand lines is no talk

NUMBERS = (
    "agent", "chinese", *(f"sort {sort}" for sort in SORTS), "no value",
    "turn share", "first turn", "last turn", "last agent turn", "turns left",
    "clause number", "clauses after", "asks", "asked before", "clause length",
    "said before by customer", "said before by agent", "said later by customer",
    "said later by agent", "said twice here", "said in reply", "said in turn before",
    "others here", "others of sort here", "others of sort in turn", "sort later by customer",
    "sort later by agent", "sort before", "another in reply", "last of sort", "sorts in talk",
    "reply is yes", "reply is no", "reply shares words", "shares with before",
    "words later by agent", "words later by customer", "words before by customer",
    "unit later by customer", "unit later by agent", "unit before", "settled later",
    "declined later", "shares more than others", "kept by last agent turn", "picked",
    "total", "other total later",
    *(f"{at} {cue}" for at in ("here", "before", "after", "asked", "reply") for cue in CUES),
)  # fmt: skip
"""Names of the numbers that `Talk.numbers` reads of a place."""

_SUMS = ("money", "count")
_TOTAL = re.compile(
    r"\b(?:total|subtotal|all in|all up|altogether|in all|comes? to|makes it"
    r"|that(?:'s|'ll be| is| makes)|then(?: it's)?)\b|[一总]共|合计|总[数计价额]|那就?是",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\W*(?:no\b|nah|nope|not\b|don't|never mind|forget|i'?m good|不|别|算了|没|免)", re.IGNORECASE
)


@dataclass(frozen=True)
class Place:
    """A clause of a talk and the value in it that is asked about, or the clause as such.

    Attributes
    ----------
    turn, clause, sentence : int
        Which turn of the talk, which clause of the turn, which sentence of the turn.
    value : Value or None
        The value; its span is within the turn's text.
    """

    turn: int
    clause: int
    sentence: int
    value: Value | None = None


class Talk:
    """A conversation as the heads see it.

    Parameters
    ----------
    turns : sequence of Turn
        What the two parties said, in order.

    Examples
    --------
    >>> talk = Talk([Turn(False, "Is it £40?"), Turn(True, "It's £35.")])
    >>> [(place.turn, place.value.norm) for place in talk.places()]
    [(0, '40'), (1, '35')]
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = list(turns)
        agents = [k for k, turn in enumerate(self.turns) if turn.agent]
        self._last_agent = agents[-1] if agents else -1
        self._unions: dict[tuple[int, bool, bool], frozenset[str]] = {}
        self._mentions: dict[str, list[tuple[int, Value]]] = {}
        self._sorts: dict[str, set[str]] = {}
        for k, turn in enumerate(self.turns):
            for value in turn.values:
                self._mentions.setdefault(value.norm, []).append((k, value))
            for sort, norms in turn.by_sort.items():
                self._sorts.setdefault(sort, set()).update(norms)

    def places(self) -> Iterator[Place]:
        """Yield what may be kept: each value in its clause, and each clause without one."""
        for k, turn in enumerate(self.turns):
            ends = [end for _, end in turn.sentences]
            for number, (start, end) in enumerate(turn.clauses[:_MOST]):
                sentence = min(bisect_left(ends, start + 1), len(ends) - 1)
                for value in turn.within(start, end)[:_MOST] or (None,):
                    yield Place(k, number, sentence, value)

    def place(self, turn: int, start: int, value: Value | None) -> Place | None:
        """Return the place of a value, or of the clause that holds a character."""
        number = next(
            (n for n, c in enumerate(self.turns[turn].clauses) if c[0] <= start < c[1]), None
        )
        if number is None:
            return None
        ends = [end for _, end in self.turns[turn].sentences]
        begin = self.turns[turn].clauses[number][0]
        return Place(turn, number, min(bisect_left(ends, begin + 1), len(ends) - 1), value)

    # What is read: numbers

    def numbers(self, place: Place) -> list[float]:
        """Read the numbers of a place, as `NUMBERS` names them."""
        turn, value, i = self.turns[place.turn], place.value, place.turn
        start, end = turn.clauses[place.clause]
        n, log = len(self.turns), math.log1p
        before, reply = self._at(i - 1), self._at(i + 1)
        words = frozenset(content(turn.text[start:end][: 4 * AROUND].lower()))
        row = [float(turn.agent), float(any(map(is_cjk, turn.text[:80])))]
        row += [float(value is not None and value.sort == sort) for sort in SORTS]
        row += [
            float(value is None), i / max(1, n - 1), float(i == 0), float(i == n - 1),
            float(i == self._last_agent), log(n - 1 - i), log(place.clause),
            log(len(turn.clauses) - 1 - place.clause), float(_asks(turn.sentence(place.sentence))),
            float(before is not None and _asks(before.text)), log(len(words)),
        ]  # fmt: skip
        row += self._repeats(place, value) if value else [0.0] * 16
        row += [
            float(reply is not None and YES.match(reply.text) is not None),
            float(reply is not None and _NO.match(reply.text) is not None),
            _share(words, reply.words if reply else frozenset()),
            _share(words, before.words if before else frozenset()),
            _share(words, self._union(i, True, True)), _share(words, self._union(i, True, False)),
            _share(words, self._union(i, False, False)),
        ]  # fmt: skip
        return row + self._course(place, words) + self._manner(place)

    def _course(self, place: Place, words: frozenset[str]) -> list[float]:
        """Read what becomes of a value or clause: counted anew, settled, turned down, picked."""
        i, value = place.turn, place.value
        turn = self.turns[i]
        row = [0.0] * 4
        if value is not None:
            unit = turn.unit(value)
            for k, near in enumerate((self._side(i, True, False), self._side(i, True, True),
                                      self._side(i, False, None))):  # fmt: skip
                row[k] = float(
                    bool(unit)
                    and any(t.counts.get(unit, {value.norm}) != {value.norm} for t in near)
                )
            row[3] = float(any(t.settles(value.norm) for t in self._side(i, True, True)))
        declined = frozenset().union(*(t.declined for t in self._side(i, True, False)))
        reply = self._at(i + 1)
        rest = [turn.clause_words[n] for n in range(len(turn.clauses)) if n != place.clause]
        own = _share(words, reply.words) if reply else 0.0
        most = max((_share(w, reply.words) for w in rest[:_NEAR]), default=0.0) if reply else 0.0
        last = self.turns[self._last_agent] if self._last_agent > i else None
        kept = last is not None and value is not None and value.norm in last.norms
        start = value.start if value else turn.clauses[place.clause][0]
        picked = next((sign for a, b, sign in self._picks.get(i, ()) if a <= start < b), 0)
        told = [norm for k, norm in self._totals if k == i]
        sums = value is not None and value.sort in _SUMS
        total = sums and value is not None and value.norm in told
        later = sums and any(k > i and value and norm != value.norm for k, norm in self._totals)
        return [
            *row, _share(words, declined), own - most, float(kept), float(picked),
            float(total), float(later),
        ]  # fmt: skip

    @cached_property
    def _totals(self) -> list[tuple[int, str]]:
        """Give the sums that an agent says it comes to: the last one stands."""
        return [
            (k, value.norm)
            for k, turn in enumerate(self.turns) if turn.agent
            for start, end in turn.clauses[:_MOST] if _TOTAL.search(turn.text, start, end)
            for value in turn.within(start, end) if value.sort in _SUMS
        ]  # fmt: skip

    @cached_property
    def _picks(self) -> dict[int, list[tuple[int, int, int]]]:
        """Give the options that the agent laid out: 1 for one that was taken, -1 for the others."""
        found: dict[int, list[tuple[int, int, int]]] = {}
        for i, turn in enumerate(self.turns):
            replies = [t.text for t in self._side(i, True, False)] if turn.agent else []
            for start, end in turn.sentences if replies else ():
                chosen = pick(turn.text[start:end], replies)
                if chosen:
                    found.setdefault(i, []).extend(
                        (start + a, start + b, 1 if n == chosen.taken else -1)
                        for n, (a, b) in enumerate(chosen.spans)
                    )
        return found

    def _manner(self, place: Place) -> list[float]:
        turn, n = self.turns[place.turn], place.clause
        before, reply = self._at(place.turn - 1), self._at(place.turn + 1)
        parts = [
            turn.clause(n), turn.clause(n - 1) if n else "",
            turn.clause(n + 1) if n + 1 < len(turn.clauses) else "",
            before.sentence(-1) if before else "", reply.sentence(0) if reply else "",
        ]  # fmt: skip
        return [x for part in parts for x in cues(part[: 4 * AROUND])]

    def _repeats(self, place: Place, value: Value) -> list[float]:
        """Count where the value is said again, and where another of its sort is."""
        turn, i, log = self.turns[place.turn], place.turn, math.log1p
        before, reply = self._at(i - 1), self._at(i + 1)
        inside = [v for v in turn.within(*turn.clauses[place.clause]) if v.norm != value.norm]
        later = self._kin(i, value, True, False), self._kin(i, value, True, True)
        last = [v for v in turn.values if v.sort == value.sort][-1].norm == value.norm
        said = {
            (after, agent): sum(turn.norms[value.norm] for turn in self._side(i, after, agent))
            for after in (False, True)
            for agent in (False, True)
        }
        return [
            log(said[False, False]), log(said[False, True]),
            log(said[True, False]), log(said[True, True]),
            float(turn.norms[value.norm] > 1),
            float(reply is not None and value.norm in reply.norms),
            float(before is not None and value.norm in before.norms),
            log(len(inside)), log(sum(v.sort == value.sort for v in inside)),
            log(len(turn.by_sort[value.sort]) - 1), log(later[0]), log(later[1]),
            log(self._kin(i, value, False, None)),
            float(reply is not None and bool(reply.others(value))),
            float(not any(later) and last), log(len(self._sorts[value.sort]) - 1),
        ]  # fmt: skip

    def _at(self, number: int) -> Turn | None:
        return self.turns[number] if 0 <= number < len(self.turns) else None

    def _side(self, i: int, after: bool, agent: bool | None) -> Iterator[Turn]:
        near = self.turns[i + 1 : i + 1 + _NEAR] if after else self.turns[max(0, i - _NEAR) : i]
        return (turn for turn in near if agent is None or turn.agent == agent)

    def _kin(self, i: int, value: Value, after: bool, agent: bool | None) -> int:
        """Count other values of its sort, said before or after."""
        found: set[str] = set()
        for turn in self._side(i, after, agent):
            found |= turn.others(value)
        return len(found)

    def _union(self, i: int, after: bool, agent: bool) -> frozenset[str]:
        key = (i, after, agent)
        if key not in self._unions:
            self._unions[key] = frozenset().union(*(t.words for t in self._side(i, after, agent)))
        return self._unions[key]

    # What is read: words

    def grams(self, place: Place) -> list[str]:
        """List the n-grams of a place: of its clause, of those beside it, of question and reply."""
        turn, value = self.turns[place.turn], place.value
        who = "A" if turn.agent else "U"
        start, end = turn.clauses[place.clause]
        at = value.start if value else start
        span = max(start, at - AROUND), min(end, at + 2 * AROUND)
        clause = turn.tokens(*span, value)
        longest = 4 if any(map(is_cjk, turn.text[slice(*span)])) else 3
        found = list(_grams(["^", *clause, "$"], longest, ("c ", who + "c ")))
        for step, sign in ((-1, "p "), (1, "n ")):
            if 0 <= place.clause + step < len(turn.clauses):
                begin, stop = turn.clauses[place.clause + step]
                beside = turn.tokens(begin, min(stop, begin + 2 * AROUND))
                found += _grams(beside, 2, (who + sign,))
        if value is not None:
            found += _around(clause)
            found += self._elsewhere(place, value)
        if before := self._at(place.turn - 1):
            begin, stop = before.sentences[-1]
            found += _grams(before.tokens(begin, min(stop, begin + 2 * AROUND)), 2, (who + "q ",))
        if reply := self._at(place.turn + 1):
            begin, stop = reply.sentences[0]
            answer = ["^", *reply.tokens(begin, min(stop, begin + 2 * AROUND))]
            found += _grams(answer, 2, (who + "a ",))
        return list(dict.fromkeys(found))

    def _elsewhere(self, place: Place, value: Value) -> Iterator[str]:
        """Read how each party speaks of the value the last time, if that is somewhere else."""
        here = (place.turn, value.start)
        for agent in (False, True):
            others = [
                (k, v) for k, v in self._mentions[value.norm][-2 * _NEAR :]
                if self.turns[k].agent == agent and (k, v.start) != here
            ]  # fmt: skip
            if not others:
                continue
            k, other = others[-1]
            turn = self.turns[k]
            span = max(0, other.start - AROUND), other.end + AROUND
            inside = next((c for c in turn.clauses if c[0] <= other.start < c[1]), span)
            span = max(span[0], inside[0]), min(span[1], inside[1])
            who = (">" if (k, other.start) > here else "<") + ("A" if agent else "U")
            yield from _grams(["^", *turn.tokens(*span, other), "$"], 2, (who + " ",))


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def _share(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / max(1, len(words))


def _grams(tokens: Sequence[str], longest: int, prefixes: Sequence[str]) -> Iterator[str]:
    for n in range(1, longest + 1):
        for i in range(len(tokens) - n + 1):
            gram = " ".join(tokens[i : i + n])
            yield from (prefix + gram for prefix in prefixes)


def _around(clause: Sequence[str]) -> Iterable[str]:
    """Read what stands right before and after the value."""
    focus = next((k for k, token in enumerate(clause) if token.startswith("<*")), None)
    if focus is None:
        return []
    left, right = clause[max(0, focus - 5) : focus], clause[focus + 1 : focus + 6]
    found = [f"l{k} " + " ".join(left[-k:]) for k in range(1, len(left) + 1)]
    found += [f"r{k} " + " ".join(right[:k]) for k in range(1, len(right) + 1)]
    return found + [f"L {token}" for token in left] + [f"R {token}" for token in right]

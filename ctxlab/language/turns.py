"""One party's turn in a talk, taken apart: its values, clauses, sentences and words (R30)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from ctxlab.language.closeness import content
from ctxlab.language.exclusions import statement_spans
from ctxlab.language.manner import CUES, cues
from ctxlab.language.text import clause_spans
from ctxlab.language.values import SORTS, Value, values_in

__all__ = ["AROUND", "Turn", "clauses_of"]

AROUND = 120
"""Characters of a clause that are read on either side of a value."""

_MASK = {sort: chr(0xE000 + i) for i, sort in enumerate(SORTS)}
_FOCUS = {sort: chr(0xE020 + i) for i, sort in enumerate(SORTS)}
_SHOWN = {c: f"<{k}>" for k, c in _MASK.items()} | {c: f"<*{k}>" for k, c in _FOCUS.items()}
_JOINT = re.compile(
    r" (?:and|but|so|because|though|although|while|whereas|cos|cause|then) (?=\w)", re.IGNORECASE
)
_TOKEN = re.compile(r"[\ue000-\ue03f]|[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]|[^\w\s]")
_UNIT = re.compile(r"[\s-]?([a-z]{2,}|[\u4e00-\u9fff])", re.IGNORECASE)


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Cut a text into clauses, English ones before conjunctions too; spans in characters.

    Examples
    --------
    >>> text = "I paid £40 but my brother paid £30, ha."
    >>> [text[start:end] for start, end in clauses_of(text)]
    ['I paid £40', 'but my brother paid £30', 'ha.']
    """
    spans: list[tuple[int, int]] = []
    for start, end in clause_spans(text):
        begin = start
        for cut in _JOINT.finditer(text, start, end):
            spans.append((begin, cut.start()))
            begin = cut.start() + 1
        spans.append((begin, end))
    return spans


@dataclass(frozen=True)
class Turn:
    """What one party said in one go; each part is read when it is first asked for."""

    agent: bool
    text: str
    when: datetime | None = None

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its values, in order."""
        return values_in(self.text, self.when)

    @cached_property
    def _starts(self) -> list[int]:
        return [value.start for value in self.values]

    @cached_property
    def clauses(self) -> list[tuple[int, int]]:
        """Spans of its clauses."""
        return clauses_of(self.text)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Spans of its sentences."""
        return statement_spans(self.text) or [(0, len(self.text))]

    @cached_property
    def words(self) -> frozenset[str]:
        """Words worth comparing."""
        return frozenset(content(self.text.lower()))

    @cached_property
    def norms(self) -> Counter[str]:
        """How often it says each value."""
        return Counter(value.norm for value in self.values)

    @cached_property
    def by_sort(self) -> dict[str, frozenset[str]]:
        """The distinct values of each sort."""
        found: dict[str, set[str]] = {}
        for value in self.values:
            found.setdefault(value.sort, set()).add(value.norm)
        return {sort: frozenset(norms) for sort, norms in found.items()}

    def others(self, value: Value) -> frozenset[str]:
        """Return its other values of the sort of one."""
        return self.by_sort.get(value.sort, frozenset()) - {value.norm}

    def within(self, start: int, end: int) -> tuple[Value, ...]:
        """Return the values that begin in a span."""
        return self.values[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def clause(self, number: int) -> str:
        """Return one of its clauses."""
        return self.text[slice(*self.clauses[number])]

    @cached_property
    def clause_words(self) -> list[frozenset[str]]:
        """Words worth comparing of each clause."""
        return [
            frozenset(content(self.clause(n)[: 4 * AROUND].lower()))
            for n in range(len(self.clauses))
        ]

    def unit(self, value: Value) -> str:
        """Return what a value counts or names: the word after it, or for want of one before it."""
        after = _UNIT.match(self.text, value.end)
        return f"{value.sort} {after[1].lower()}" if after else ""

    @cached_property
    def counts(self) -> dict[str, set[str]]:
        """The values of each unit."""
        found: dict[str, set[str]] = {}
        for value in self.values:
            if unit := self.unit(value):
                found.setdefault(unit, set()).add(value.norm)
        return found

    @cached_property
    def _settled(self) -> frozenset[str]:
        sign = CUES.index("settled")
        return frozenset(
            v.norm for start, end in self.clauses if cues(self.text[start:end][: 4 * AROUND])[sign]
            for v in self.within(start, end)
        )  # fmt: skip

    def settles(self, norm: str) -> bool:
        """Whether a value stands in a clause that says what was done."""
        return norm in self._settled

    @cached_property
    def declined(self) -> frozenset[str]:
        """Words of its clauses that turn something down."""
        sign = CUES.index("declines")
        return frozenset().union(*(
            words for n, words in enumerate(self.clause_words)
            if cues(self.clause(n)[: 4 * AROUND])[sign]
        ))  # fmt: skip

    def tokens(self, start: int, end: int, focus: Value | None = None) -> list[str]:
        """Cut a part of the text into words, with values exchanged for their sorts."""
        pieces, at = [], start
        for value in self.within(start, end):
            sign = (_FOCUS if value is focus else _MASK)[value.sort]
            pieces += [self.text[at : value.start], sign]
            at = value.end
        masked = "".join([*pieces, self.text[at:end] if at < end else ""])
        return [_SHOWN.get(t, t) for t in _TOKEN.findall(masked.lower().replace("’", "'"))]

    def sentence(self, number: int) -> str:
        """Return one of its sentences."""
        return self.text[slice(*self.sentences[number])]

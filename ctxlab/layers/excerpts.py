"""Passages cut to the sentences that bear on a question."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ..language.text import folded, is_cjk, sentences

__all__ = ["Excerpts"]

_REMEMBERED = 64  # passages: those that questions of one talk keep finding
_WHOLE = 4  # letters of a stem from which a word may go on after it: charg-ed, charg-ing


class Excerpts:
    """Cuts passages; the sentences of the last ones are kept, as splitting costs the most.

    Examples
    --------
    >>> said = "Thanks for calling. The charger of order A1029 is on its way. Anything else?"
    >>> Excerpts()(said, ["charger"], limit=50)
    'The charger of order A1029 is on its way.'
    """

    def __init__(self) -> None:
        self._split: OrderedDict[str, _Split] = OrderedDict()

    def __call__(self, text: str, words: Sequence[str], limit: int) -> str:
        """Return the sentences that share most with a question, in their order.

        Parameters
        ----------
        text : str
            A passage.
        words : sequence of str
            What tells of the question (``telling_words``), in small letters.
        limit : int
            Characters.
        """
        if len(text) <= limit:
            return " ".join(text.split())
        split = self._sentences(text)
        # A sentence with an id or amount in it is worth another shared word.
        said, value = split.said, split.numbers.copy()
        for word in words:
            for i in split.holding(*_form(word)):
                value[i] += 1
        order = sorted(range(len(said)), key=lambda i: (-value[i], i))
        chosen, left = [], limit
        for i in order:
            if len(said[i]) <= left:
                chosen.append(i)
                left -= len(said[i]) + 1
        return " ".join(said[i] for i in sorted(chosen)) or said[order[0]][:limit]

    def _sentences(self, text: str) -> _Split:
        if text not in self._split:
            self._split[text] = _Split(text)
            if len(self._split) > _REMEMBERED:
                self._split.popitem(last=False)
        self._split.move_to_end(text)
        return self._split[text]


class _Split:
    """A passage's sentences, and their letters in one piece to look for words in."""

    def __init__(self, text: str) -> None:
        self.said = sentences(text)
        plain = [folded(sentence).lower() for sentence in self.said]
        self.numbers = [int(any(map(str.isdigit, sentence))) for sentence in plain]
        self._plain = "\n".join(plain)
        self._starts = [0, *accumulate(len(sentence) + 1 for sentence in plain)]

    def holding(self, word: str, begins: bool, ends: bool) -> Iterator[int]:
        """Yield the sentences that hold a word, by place."""
        plain, at = self._plain, self._plain.find(word)
        while at >= 0:
            after = at + len(word)
            inside = begins and at and plain[at - 1].isalnum()
            if inside or (ends and plain[after : after + 1].isalnum()):
                at = plain.find(word, at + 1)
                continue
            i = bisect_right(self._starts, at) - 1
            yield i
            at = plain.find(word, self._starts[i + 1])


def _form(word: str) -> tuple[str, bool, bool]:
    """Return what to look for of a search term: its letters, and whether it begins and ends there.

    Looking for a dozen terms costs a tenth of cutting every sentence into terms.
    """
    if is_cjk(word[0]):
        return word, False, False
    if len(word) > _WHOLE and word[-1] == "y":  # deliver-y, deliver-ies
        word = word[:-1]
    return word, True, len(word) < _WHOLE or not word.isalpha()

"""What the fitted heads see of a text: its meaning, its cue words, its shape and its wording.

The sentence embedding alone confuses "I'll call you" with "call me": it was trained to bring
subjects together. Cues, shape and n-grams tell such pairs apart, and unlike subjects they hold
across domains.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ctxlab.language.cantonese import mandarin
from ctxlab.language.cues import cue_names, find_cues
from ctxlab.language.heads import Grams
from ctxlab.language.northern import standard
from ctxlab.language.text import clause_spans, fold, guess_language, is_cjk, sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxlab.models.embedding import Embedder

__all__ = ["READ_CHARS", "WIDTH", "Reading", "block_scale", "describe", "lower", "names", "read"]

WIDTH = 512  # of the default embedder, on which the heads are fitted
READ_CHARS = 2_000  # the embedder reads no more either
_LONG = 5  # letters from which parts of a word tell something
_APOSTROPHES = str.maketrans("‘’´`", "''''")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]|[^\w\s]")
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
_CODE = re.compile(r"[a-z]{0,4}[-#]?\d{4,}")
_MONEY = re.compile(r"[$£€¥%]|\d\s?(?:元|块|usd|eur|gbp|dollars|euros|pounds)|[元块]钱?")

_SHAPE = (
    "length", "clauses", "sentences", "ends asking", "question marks", "exclamation marks",
    "emoji", "capitals", "numbers", "code", "money", "trailing off", "chinese", "mixed",
    "full stop", "lower-case start",
)  # fmt: skip


@cache
def names() -> tuple[str, ...]:
    """Name the columns of ``Reading.dense``; "end:" is a cue in the last sentence."""
    return (
        *(f"meaning:{i}" for i in range(WIDTH)),
        *(f"cue:{name}" for name in cue_names()),
        *(f"shape:{name}" for name in _SHAPE),
        *(f"end:{name}" for name in cue_names()),
    )


@dataclass(frozen=True)
class Reading:
    """Texts as the heads see them.

    Attributes
    ----------
    dense : numpy.ndarray
        float32 (texts, features): meaning, cues and shape.
    grams : list of Grams
        The distinct n-grams of each text: up to 3 words, or 4 Chinese characters. Those at the
        edge of a clause come a second time, with "|" for whatever cuts it off. Then, if asked
        for, how longer English words begin and end ("~refun", "ing~").
    """

    dense: NDArray[np.float32]
    grams: list[Grams]

    def take(self, rows: Sequence[int]) -> Reading:
        """Select some of the texts."""
        return Reading(self.dense[list(rows)], [self.grams[row] for row in rows])


def read(texts: Sequence[str], embedder: Embedder, *, parts: bool = True) -> Reading:
    """Turn texts into features.

    Parameters
    ----------
    texts : sequence of str
        Messages or sentences of them; 2,000 characters of each are read.
    embedder : Embedder
        The default one, on which the heads are fitted.
    parts : bool
        Whether English words may be known by a part. It helps `cx.label` with words it hasn't
        met, and with slips: over nine authors left out, macro-F1 of English kinds rises from .803
        to .807. What leans on earlier talk is told by small words, and found a little worse.

    Examples
    --------
    >>> from ctxlab.models.embedding import get_embedder
    >>> read(["call me"], get_embedder()).grams[0][:3]
    ['^', '^ call', '^ call me']
    """
    import numpy as np

    # One Chinese: hardly a training sentence is in traditional characters or in a dialect.
    texts = [standard(mandarin(text[:READ_CHARS])) for text in texts]
    rows = []
    for text in texts:
        plain = lower(text)
        last = lower((sentences(text) or [""])[-1])
        counts = _cue_counts(plain)
        end = counts if last == plain else _cue_counts(last)
        rows.append(counts + _shape(text, plain) + end)
    dense = np.hstack([embedder.encode(texts), np.array(rows, np.float32).reshape(len(texts), -1)])
    return Reading(dense, [_grams(text, parts) for text in texts])


def describe(name: str) -> str:
    """Put the name of a feature or an n-gram into words.

    Examples
    --------
    >>> describe("cue:promise"), describe("meaning"), describe("以 后")
    ('cue "promise"', 'meaning of the sentence', 'wording "以后"')
    """
    group, _, rest = name.partition(":")
    if name == "meaning":
        return "meaning of the sentence"
    if name in names():
        where = {"cue": "cue", "end": "cue at the end", "shape": "shape"}[group]
        return f'{where} "{rest}"'
    joined = re.sub(r"(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])", "", name)
    return f'wording "{joined}"'


def block_scale() -> NDArray[np.float32]:
    """Give the weight of each dense feature in the fit, float32 (features,).

    Regularisation spares large inputs: a few telling cues should weigh more than each of 512
    dimensions of meaning. The values were chosen by cross-validation over authors.
    """
    import numpy as np

    cues = len(cue_names())
    return np.repeat(np.array([0.5, 0.7, 0.7, 0.5], np.float32), [WIDTH, cues, len(_SHAPE), cues])


def lower(text: str) -> str:
    """Fold a text and lower its case, with straight apostrophes, as the cue patterns expect."""
    return fold(text).text.lower().translate(_APOSTROPHES)


def _cue_counts(plain: str) -> list[float]:
    found = find_cues(plain)
    return [math.log1p(len(found.get(name, ()))) for name in cue_names()]


def _shape(text: str, plain: str) -> list[float]:
    letters = [char for char in text if char.isalpha()]
    language = guess_language(text)
    body = plain.rstrip()
    log = math.log1p
    return [
        log(len(_TOKEN.findall(plain))), log(len(clause_spans(text))), log(len(sentences(text))),
        float(body.endswith("?")), log(plain.count("?")), log(plain.count("!")),
        log(len(_EMOJI.findall(text))), sum(map(str.isupper, letters)) / (len(letters) + 1),
        log(len(re.findall(r"\d+", plain))), float(bool(_CODE.search(plain))),
        float(bool(_MONEY.search(plain))), float("..." in plain or "…" in text),
        float(language == "zh"), float(language == "mixed"),
        float(body.endswith((".", "。"))), float(text[:1].islower()),
    ]  # fmt: skip


def _tokens(plain: str) -> list[str]:
    """Cut into words and signs; digits lose their value but keep their number (to four)."""
    return ["0" * min(len(t), 4) if t.isdigit() else t for t in _TOKEN.findall(plain)]


def _grams(text: str, parts: bool) -> Grams:
    """List distinct n-grams."""
    tokens = ["^", *_tokens(lower(text)), "$"]
    longest = [4 if is_cjk(token[0]) else 3 for token in tokens]
    grams = (
        " ".join(tokens[start : start + n])
        for start in range(len(tokens))
        for n in range(1, min(longest[start], len(tokens) - start) + 1)
    )
    more = _parts_of_words(tokens) if parts else ()
    return Grams(dict.fromkeys([*grams, *_edges(text), *more]))


def _parts_of_words(tokens: Sequence[str]) -> Iterator[str]:
    """List how English words begin and end: the stem, mostly, and the inflection."""
    for token in tokens:
        if len(token) >= _LONG and "a" <= token[0] <= "z":
            yield from ("~" + token[:4], token[-3:] + "~")
            if len(token) > _LONG:
                yield "~" + token[:5]


def _edges(text: str) -> Iterator[str]:
    """List how clauses begin and end: an order, a promise or a question shows there.

    Beside the n-grams, in which ", call me" and ". call me" have nothing in common.
    """
    for start, end in clause_spans(text):  # of the text as written: capitals tell sentences apart
        tokens = _tokens(lower(text[start:end]))
        yield from (" ".join(["|", *tokens[:n]]) for n in (1, 2, 3))
        yield from (" ".join([*tokens[-n:], "|"]) for n in (2, 3))

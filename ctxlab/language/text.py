"""Text before meaning: one normal form, two languages, spans that lead back to the original.

Everything on this floor and the keyword index reads text through these few functions, so that a
full-width digit, a zero-width space or a spoken number is the same thing everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ctxlab.language.script import simplified

__all__ = [
    "Folded",
    "clause_spans",
    "fold",
    "folded",
    "guess_language",
    "is_cjk",
    "sentence_spans",
    "sentences",
    "stem",
    "tokenize",
]

# Han with extensions A to H and compatibility forms, kana, hangul.
_CJK = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U000323af\u3007"
)
_CJK_CHAR = re.compile(f"[{_CJK}]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")


@dataclass(frozen=True)
class Folded:
    """A normal form of a text and the way back.

    Attributes
    ----------
    text : str
        The normal form.
    starts, ends : Sequence[int]
        For each character of ``text``, where the original characters it stands for begin and end.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the original span of the non-empty slice ``text[start:end]``, in characters."""
        return self.starts[start], self.ends[end - 1]


def _fold_char(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":  # zero-width spaces and joiners, direction marks, soft hyphens
        return ""
    if category == "Zs":
        return " "
    if category == "Pd" or char == "\u2212":
        return "-"
    plain = simplified(unicodedata.normalize("NFKC", char))
    # A few ligatures expand to whole phrases, longer than any reader expects.
    return plain if len(plain) <= 4 else char


class _Forms(dict[int, str]):
    """Normal forms by code point, each worked out once: a table for `str.translate`."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _fold_char(chr(code))
        return form


_FORMS = _Forms()


def fold(text: str) -> Folded:
    """Bring a text to its normal form: NFKC by character, plain spaces and dashes, case kept.

    Traditional Chinese becomes simplified.

    Examples
    --------
    >>> folded = fold("电话\uff11\uff13\u200b\uff18")
    >>> folded.text
    '电话138'
    >>> folded.span(2, 5)
    (2, 6)
    """
    if text.isascii():
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    pieces = [_FORMS[ord(char)] for char in text]
    starts = [index for index, piece in enumerate(pieces) for _ in piece]
    return Folded("".join(pieces), starts, [index + 1 for index in starts])


def folded(text: str) -> str:
    """Return a text's normal form alone, for whom places don't matter: ten times as fast.

    Examples
    --------
    >>> folded("电话\uff11\uff13\u200b\uff18")
    '电话138'
    """
    return text if text.isascii() else text.translate(_FORMS)


def is_cjk(char: str) -> bool:
    """Tell whether a character is Chinese, Japanese or Korean script."""
    return _CJK_CHAR.match(char) is not None


def guess_language(text: str) -> Literal["zh", "en", "mixed"]:
    """Guess the language from scripts: a borrowed product name doesn't make a text mixed.

    Examples
    --------
    >>> [guess_language(text) for text in ("我的 iPhone 没电了", "hi", "帮我 check 一下 the order")]
    ['zh', 'en', 'mixed']
    """
    chinese = (
        len(_CJK_CHAR.findall(text)) / 1.5
    )  # a Chinese word is about one and a half characters
    english = len(_LATIN_WORD.findall(text))
    if chinese == 0:
        return "en"
    share = chinese / (chinese + english)
    return "zh" if share > 0.7 else "en" if share < 0.2 else "mixed"


# A full stop ends a sentence only before a space or the end, which spares decimals, versions and
# addresses on the web; abbreviations and initials are looked up.
_SENTENCE_END = re.compile(
    r"""(?:[。！？!?…｡]++|\.++(?=["'”’)\]]*+(?:\s|$))|(?<=[\u3400-\u9fff])\.)["'”’」』)）】\]]*+|\n++"""
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|co|apt|tel|ext|fig|jan|feb|mar|"
    r"apr|jun|jul|aug|sept?|oct|nov|dec|a\.m|p\.m)|(?<![\w/.@-])(?-i:[A-Z]))\Z",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,，;；、:：]++\s*+|\s+[-–—]+\s+|——|~+")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Split into sentences, as spans in characters without surrounding white space.

    Examples
    --------
    >>> text = "Dr. Wu paid $3.50 at a.example.com. Then left!好的。谢谢"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Wu paid $3.50 at a.example.com.', 'Then left!', '好的。', '谢谢']
    """
    spans: list[tuple[int, int]] = []
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        if end[0] == "." and _goes_on(text, end.start()):
            continue
        spans.append((begin, end.end()))
        begin = end.end()
    spans.append((begin, len(text)))
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def _goes_on(text: str, stop: int) -> bool:
    """Tell a full stop inside a sentence: after an abbreviation, or before a small letter."""
    before, after = text[max(0, stop - 8) : stop], text[stop + 1 : stop + 3].strip()[:1]
    number = after.isdigit() and re.search(r"\bno\Z", before, re.IGNORECASE) is not None
    return number or after.islower() or _ABBREVIATION.search(before) is not None


def sentences(text: str) -> list[str]:
    """Split into sentences, as strings."""
    return [text[start:end] for start, end in sentence_spans(text)]


def clause_spans(text: str) -> list[tuple[int, int]]:
    """Split into clauses: sentences cut again at commas, colons and dashes; spans in characters."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        begin = start
        for cut in _CLAUSE_END.finditer(text, start, end):
            around = text[cut.start() - 1 : cut.start()] + text[cut.end() : cut.end() + 1]
            if cut[0] in (",", ":") and len(around) == 2 and around.isdigit():
                continue  # 1,200 and 10:30
            spans.append((begin, cut.start()))
            begin = cut.end()
        spans.append((begin, end))
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    piece = text[start:end]
    body = piece.strip()
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + left + len(body)) if body else None


_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’._-][^\W_{_CJK}]+)*")
_JOINT = re.compile(r"['’._-]")


def tokenize(text: str) -> list[str]:
    """Cut into search terms: stemmed lower-case words and Chinese character bigrams.

    A compound counts whole and in parts, so that "wi-fi" and "wifi" meet.

    Examples
    --------
    >>> tokenize("Deliveries to 北京市, Wi-Fi 6")
    ['delivery', 'to', '北京', '京市', 'wifi', 'wi', 'fi', '6']
    """
    terms: list[str] = []
    for token in _TOKEN.findall(text.translate(_FORMS).lower()):
        if token[0] > "\u2e7f" and is_cjk(token[0]):
            terms += [token[i : i + 2] for i in range(max(1, len(token) - 1))]
            continue
        if token.isalnum():
            terms.append(stem(token))
            continue
        parts = _JOINT.split(token)
        if parts[-1] in {"s", "t", "ll", "re", "ve", "d", "m"}:
            terms.append(stem("".join(parts) if parts[-1] == "t" else parts[0]))
        else:
            terms += [token if token.replace(".", "").isdigit() else "".join(parts)]
            terms += [stem(part) for part in parts]
    return terms


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Reduce a lower-case English word to what its forms share; anything else stays.

    The result is a search term, not always a word: what matters is that the forms meet.

    Examples
    --------
    >>> [stem(word) for word in ("charge", "charges", "charged", "charging")]
    ['charg', 'charg', 'charg', 'charg']
    >>> [stem(word) for word in ("battery", "batteries", "noted", "stopped", "address", "not")]
    ['battery', 'battery', 'note', 'stop', 'addres', 'not']
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 1 and re.search("[aeiouy]", base):
            word = base
            if re.fullmatch("[^aeiou]?[aeiou][^aeiouwxy]", base):
                word += "e"  # us-ed, not-ed, mak-ing
            break
    if len(word) > 4 and word[-1] == "e":
        word = word[:-1]
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeo"
    return word[:-1] if doubled else word

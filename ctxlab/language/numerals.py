"""Numbers said in words: quantities and strings of digits, each with the span it came from.

A quantity is "twenty five" or 三百五, a string of digits "one three eight double zero" or 幺三八.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctxlab.language.text import Folded

__all__ = ["Numeral", "numerals", "spoken_to_digits"]

_ZH_DIGIT = dict(
    zip("零〇一二三四五六七八九幺两壹贰叁肆伍陆柒捌玖", "0012345678912123456789", strict=True)
)
_ZH_UNIT = dict(zip("十拾百佰千仟", (10, 10, 100, 100, 1000, 1000), strict=True))
_ZH_UNIT |= {"万": 10**4, "亿": 10**8}
_DIGIT, _UNIT = "".join(_ZH_DIGIT), "".join(_ZH_UNIT)
# Digits are said in groups with pauses; a lone digit joins only across a space, never a comma.
_ZH_RUN = re.compile(
    f"(?P<digits>(?:[{_DIGIT}]{{2,}}(?:(?:[ ,，、-]|嗯|呃|横杠|杠|空格){{1,3}}[{_DIGIT}]{{2,}})*"
    f"|[{_DIGIT}](?:[ 、-][{_DIGIT}]){{2,}})(?![{_UNIT}半点]))"
    f"|[{_DIGIT}{_UNIT}半]+(?:点[{_DIGIT}]+)?半?"
)
_ZH_COUNTED = "个天周月年岁次件块元号点小时分秒米斤公里台张本箱盒份人位楼层度瓦升折倍"

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN_VALUE = {word: value for value, word in enumerate(_SMALL.split())}
_EN_VALUE |= {word: 20 + 10 * index for index, word in enumerate(_TENS.split())}
_EN_VALUE |= {"oh": 0, "o": 0, "nought": 0}
_EN_SCALE = {"hundred": 100, "thousand": 1000, "million": 10**6}
_REPEAT = {"double": 2, "triple": 3, "treble": 3}
_EN_WORD = "|".join(
    "o(?!['’]clock)" if word == "o" else word
    for word in sorted([*_EN_VALUE, *_EN_SCALE, *_REPEAT], key=len, reverse=True)
)
_FILLER = r"(?:(?:uh|um|er|erm|then|dash|hyphen|space|slash)\b[\s,]*+)?"
_EN_RUN = re.compile(
    rf"\b(?:{_EN_WORD})\b(?:[\s,.-]{{1,3}}{_FILLER}(?:and\s++(?!a\b))?(?:(?:{_EN_WORD})|\d{{1,4}})\b)*+"
    r"(?:\s+and\s+a\s+half\b)?",
    re.IGNORECASE,
)
_EN_TOKEN = re.compile(rf"\b(?:and\s+a\s+half|(?:{_EN_WORD})|\d+)\b|,", re.IGNORECASE)

_TYPED = 4  # digits in a row that nobody mixes with words
Piece = tuple[int, int, str]


@dataclass(frozen=True)
class Numeral:
    """A number said in words: its span in characters, what it says, and how it was said.

    Attributes
    ----------
    start, end : int
        The span, in characters.
    digits : str
        ``"12"``, ``"0.5"``, or a digit string such as ``"13800138000"``.
    by_digit : bool
        True for a digit string, False for a quantity.
    pieces : tuple[tuple[int, int, str], ...]
        For a digit string: start, end and digits word by word.
    """

    start: int
    end: int
    digits: str
    by_digit: bool
    pieces: tuple[Piece, ...] = ()


def numerals(text: str) -> list[Numeral]:
    """Find numbers said in words, Chinese and English.

    Examples
    --------
    >>> [n.digits for n in numerals("幺三八零零，三百五，十二点五，半天")]
    ['13800', '350', '12.5', '0.5']
    >>> [n.digits for n in numerals("one three eight double zero; twenty five, two and a half")]
    ['13800', '25', '2.5']
    """
    found = [n for run in _ZH_RUN.finditer(text) if (n := _chinese(text, run))]
    found += [n for run in _EN_RUN.finditer(text) for n in _english(text, run)]
    return sorted(found, key=lambda numeral: numeral.start)


def _chinese(text: str, run: re.Match[str]) -> Numeral | None:
    start, end = run.span()
    if run["digits"]:
        pieces = tuple(
            (start + i, start + i + 1, _ZH_DIGIT[c]) for i, c in enumerate(run[0]) if c in _DIGIT
        )
        return Numeral(start, end, "".join(piece[2] for piece in pieces), True, pieces)
    after = text[end : end + 2]
    # 千万, 万一 and 十分感谢 are words; a lone digit counts only before a measure word.
    is_word = run[0][0] in "百佰千仟万亿" or (
        run[0] == "十" and after[:1] == "分" and after[1:] not in ("钟", "之")
    )
    counted = after[:1] != "" and after[0] in _ZH_COUNTED
    if is_word or not (counted or len(run[0]) > 1 or run[0] == "十"):
        return None
    return Numeral(start, end, _chinese_value(run[0]), False)


def _chinese_value(word: str) -> str:
    """Read a quantity: 三百五 is 350, 一百零五 is 105, 两万 is 20000, 三点五 is 3.5, 半 is 0.5."""
    whole, _, fraction = word.partition("点")
    total, section, digit, unit = 0.0, 0.0, 0.0, 1
    for char in whole:
        if char in _ZH_DIGIT:
            unit = 1 if char in "零〇" else unit
            digit = int(_ZH_DIGIT[char])
        elif char == "半":
            digit, unit = digit + 0.5, unit if unit >= 10**4 else 1
        elif (unit := _ZH_UNIT[char]) >= 10**4:
            above = (
                total * unit if unit > 10**4 else total
            )  # 一亿两千万: 万 counts only its section
            total, section, digit = above + (section + digit) * unit, 0.0, 0.0
        else:
            section, digit = section + (digit or 1) * unit, 0.0
    # The digit that ends a quantity counts the next smaller unit: 三百五, 两万三.
    tail = digit * unit if digit == 0.5 else digit * unit / 10 if unit > 10 else digit
    value = total + section + tail
    if fraction:
        return f"{int(value)}." + "".join(_ZH_DIGIT[c] for c in fraction)
    return str(int(value)) if value == int(value) else str(value)


def _english(text: str, run: re.Match[str]) -> Iterator[Numeral]:
    tokens = list(_EN_TOKEN.finditer(text, run.start(), run.end()))
    words = [token for token in tokens if token[0] != ","]
    groups: list[list[re.Match[str]]] = [[]]
    for token in tokens:
        if token[0] == ",":
            groups.append([])
        else:
            groups[-1].append(token)
    typed = [token[0].isdigit() and len(token[0]) >= _TYPED for token in words]
    if not typed[0] and len(typed) > 1 and all(typed[1:]):
        groups = [words[:1]]  # "the first eight 5412 3640": a count of digits, and the digits
    # A comma is a pause in a number read out, or stands between two quantities.
    spelled = len(groups) > 3 and all(len(group) == 1 for group in groups)
    # What is typed stays a number of its own: "the other one, 4055 1200 0055 5666".
    said = [group for group in groups if not all(token[0].isdigit() for token in group)]
    if spelled or any(len(group) > 2 and _english_value(group) is None for group in said):
        groups = [words]
    for group in filter(None, groups):
        if numeral := _english_group(group):
            yield numeral


def _english_group(tokens: list[re.Match[str]]) -> Numeral | None:
    words = [token[0].lower() for token in tokens]
    start, end = tokens[0].start(), tokens[-1].end()
    half = words[-1].endswith("half")
    value = _english_value(tokens[:-1] if half else tokens)
    if value is not None:
        alone = len(words) == 1 and (words[0] in {"one", "o", "oh"} or words[0].isdigit())
        return None if alone else Numeral(start, end, f"{value}.5" if half else str(value), False)
    pieces = tuple(_digit_pieces(tokens))
    digits = "".join(piece[2] for piece in pieces)
    # "5 one-time codes" is no number: typed and spoken digits mix only in long ones.
    enough = 7 if any(word.isdigit() for word in words) else 2
    return Numeral(start, end, digits, True, pieces) if len(digits) >= enough else None


def _english_value(tokens: list[re.Match[str]]) -> int | None:
    """Compose a quantity, or None when the words don't: "three eight" is said digit by digit."""
    total, current, room = 0, 0, 10**9  # room: what the next word must stay below
    for token in tokens:
        word = token[0].lower()
        if scale := _EN_SCALE.get(word):
            current = max(1, current) * scale
            if scale > 100:
                total, current = total + current, 0
            room = scale
            continue
        value = _EN_VALUE.get(word)
        if value is None or value >= room or (value == 0 and len(tokens) > 1):
            return None
        current += value
        room = 10 if value >= 20 else 1
    return total + current


def _digit_pieces(tokens: list[re.Match[str]]) -> Iterator[Piece]:
    """Read tokens digit by digit: double four is 44, forty-one is 41, eight hundred is 800."""
    index = 0
    while index < len(tokens):
        first = last = tokens[index]
        word = first[0].lower()
        after = tokens[index + 1][0].lower() if index + 1 < len(tokens) else ""
        digits = word if word.isdigit() else str(_EN_VALUE.get(word, ""))
        following = after if after.isdigit() else str(_EN_VALUE.get(after, ""))
        if word in _REPEAT and following:
            digits, last = _REPEAT[word] * following, tokens[index + 1]
        elif word in _TENS.split() and 0 < _EN_VALUE.get(after, 0) < 10:
            digits, last = str(_EN_VALUE[word] + _EN_VALUE[after]), tokens[index + 1]
        elif after in {"hundred", "thousand"} and digits:
            digits, last = digits + str(_EN_SCALE[after])[1:], tokens[index + 1]
        index += 1 if last is first else 2
        if digits:
            yield first.start(), last.end(), digits


def spoken_to_digits(folded: Folded, shortest: int = 3) -> Folded:
    """Write digit strings said in words as digits, and keep the way back word by word.

    Parameters
    ----------
    folded : Folded
        A normal form.
    shortest : int
        Digits a spoken string must have to be rewritten; shorter ones are mostly ordinary words.

    Examples
    --------
    >>> from ctxlab.language.text import fold
    >>> spoken_to_digits(fold("号码幺三八 double four")).text
    '号码138 double four'
    """
    spoken = [n for n in numerals(folded.text) if n.by_digit and len(n.digits) >= shortest]
    if not spoken:
        return folded
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for numeral in spoken:
        chars += folded.text[position : numeral.start]
        starts += folded.starts[position : numeral.start]
        ends += folded.ends[position : numeral.start]
        for start, end, digits in numeral.pieces:
            chars += digits
            starts += [folded.starts[start]] * len(digits)
            ends += [folded.ends[end - 1]] * len(digits)
        position = numeral.end
    chars += folded.text[position:]
    starts += folded.starts[position:]
    ends += folded.ends[position:]
    return Folded("".join(chars), starts, ends)

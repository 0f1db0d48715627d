"""What a customer takes back: "A1092, sorry, A1029" means A1029, and A1092 was never meant (R30).

A slip is a literal before or far before a marker ("no wait", 「哦不对」) with a look-alike near the
marker. The right value takes its place wherever the slip was said or echoed, so every sentence
made from the dialogue afterwards is right by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile

from ctxlab.language.changes import changes, put_in_place
from ctxlab.language.keeping import kept
from ctxlab.language.numerals import numerals
from ctxlab.language.rewording import mend_words
from ctxlab.language.slips import BESIDE, STRONG, WEAK, unsaid, without_named
from ctxlab.language.text import clause_spans

__all__ = ["Slip", "find_slips", "repair", "repairs", "takes_back"]

_MARKER = re.compile(rf"(?P<strong>{STRONG}|{BESIDE})|(?P<weak>{WEAK})|\bnot\b", re.I)
_LITERAL = re.compile(
    r"\(\d{2,5}\) ?\d{3,4}[-. ]?\d{3,4}|"
    r"[#$£€¥]?(?<![A-Za-z0-9])(?:[A-Za-z]{1,6}[-#]?)?\d(?:[A-Za-z0-9]|[-.:,/ ](?=\d)"
    r"|-(?=[A-Z]))*[%A-Za-z]?"
)
# What is added isn't put right: "sorry, also A1092".
_ADDS = re.compile(
    r"\b(?:also|another|as well|plus|and the other|one more|extra|add)\b|还有|另外|另一|以及|也是|"
    r"再(?:加|来|要|订|买|添)|加上|多(?:要|订|加)", re.I)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_LEAD = re.compile(r"(?:(?:\b(?:sorry|no|wait|oh|and)\b|[对嗯哦啊])[,，.\s]*)+\Z", re.I)
# "Not 12"; what was said, written or keyed in by mistake.
_WRONG = re.compile(
    r"(?:\bnot(?: (?:the|an?|on|at|for|in))?|不是|[打写看说报填输按念抄记]成了?"
    r"|\b(?:wrote|typed|entered|keyed in|put down)(?: it| that)?(?: as| down)?)\s*\Z",
    re.I,
)
_LEADS = re.compile(r"改[成为]|应该是|准确|还是|make (?:it|that)|let's|i mean|but mine is", re.I)
_LOOK_BACK = 40  # literals among which a slip is sought; few remember one further back
_POLITE = re.compile(r"sorry|wait|actually|h[ao](?:ng|ld) on|不好意思|等", re.I)
_STOP = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_NEAR = 25
_BEFORE = re.compile(r"([A-Za-z]+|[\u4e00-\u9fff]{1,3}[路街道巷弄村苑])[\s#-]*\Z")
_STREET = re.compile(r"[路街道巷弄村苑]\Z")
_TELLING = 5  # characters of a code that is no chance beginning of another
_LONG = 7  # digits
_LONG_NUMBER = re.compile(rf"\d(?:[ .()-]{{0,2}}\d){{{_LONG - 1}}}")
_REACH = 60  # characters between a marker and the right value

# One value though it has several numbers: dates, and times of day with their range.
_ZH = "[0-9一二两三四五六七八九十]"
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_CLOCK = re.compile(
    rf"(?<![\w:.])(?:(?:half|quarter)(?: past| to)? {_HOUR}(?!\w)(?: o'clock)?|{_HOUR} o'clock"
    rf"|\d{{1,2}}[:.]\d\d ?(?:[ap]\.?m)?(?![\w:])|{_HOUR} ?[ap]\.?m\b)",
    re.I,
)
_COMPOUND = re.compile(
    rf"(?i:{_CLOCK.pattern})|{_ZH}{{1,3}}月{_ZH}{{1,3}}|{_ZH}{{1,3}}点半?(?:到{_ZH}{{1,3}}点半?)?"
)


@dataclass(frozen=True)
class Slip:
    """A value that was taken back.

    Attributes
    ----------
    wrong, right : str
        The value said first, and the one that holds.
    turn : int
        Index of the message that put it right.
    start, end : int
        The span in that message which is about the slip and says nothing else, in characters.
    """

    wrong: str
    right: str
    turn: int
    start: int
    end: int


@dataclass(frozen=True)
class _Literal:
    """A value in a text, with the words around it, which tell what it counts or names."""

    start: int
    end: int
    text: str
    digits: str
    before: str
    unit: str

    @cached_property
    def key(self) -> str:
        """What must differ between a slip and the right value."""
        return re.sub(r"[^A-Z0-9]", "", self.text.upper()) or self.digits


def repair(texts: Sequence[str], mine: Sequence[bool]) -> list[str]:
    """Put right what was taken back.

    Parameters
    ----------
    texts : sequence of str
        The messages of a dialogue, in order.
    mine : sequence of bool
        Whether the customer said each: only a customer's slips are looked for, but an agent's
        echo of one is put right as well.

    Returns
    -------
    list of str
        The messages as they were meant.

    Examples
    --------
    >>> said = ["order A-1092", "A-1092, yes?", "no wait, A-1029, I can't read"]
    >>> repair(said, [True, False, True])
    ['order A-1029', 'A-1029, yes?', "I can't read"]
    """
    return repairs(texts, mine)[0]


def repairs(texts: Sequence[str], mine: Sequence[bool]) -> tuple[list[str], list[set[int]]]:
    """Put right what was taken back, and say for each message which later ones did it.

    Examples
    --------
    >>> repairs(["my budget is $750", "scratch that, $650"], [True, True])
    (['my budget is $650', ''], [{1}, set()])
    """
    out = list(texts)
    by: list[set[int]] = [set() for _ in out]
    for turn, own in enumerate(mine):
        if not own:
            continue
        was = out[:turn]
        for _ in range(4):  # a message seldom holds more than one slip, but may be hostile
            slip = find_slips(out[: turn + 1], mine[: turn + 1])
            if slip is None:
                break
            before, after = out[turn][: slip.start], out[turn][slip.end :]
            for index in range(turn):
                out[index] = _swap(out[index], slip)
            # What is said of the slip afterwards explains it: "6606 is next door".
            said = [after[s:e] for s, e in clause_spans(after) if slip.wrong in after[s:e]]
            for clause in said:
                after = after.replace(clause, "")
            before = _swap(before, slip).rstrip(" ,，。.…")
            out[turn] = before + after if before else after.lstrip(" ,，。.")
        out[turn] = without_named(out[turn])
        mend_words(out, turn)
        out[turn] = unsaid(out[turn])
        put_in_place(out, turn, mine)
        for index, text in enumerate(was):
            if text != out[index]:
                by[index].add(turn)
    return out, by


def takes_back(text: str) -> bool:
    """Tell whether a message may take back something said before it.

    Examples
    --------
    >>> takes_back("haha mixed up, it's 0165"), takes_back("it's 0165")
    (True, False)

    A long number may be one that was said before with two digits exchanged.
    """
    return bool(_MARKER.search(text) or _LONG_NUMBER.search(text)) or changes(text)


def _swap(text: str, slip: Slip) -> str:
    digit = "A-Za-z0-9一二三四五六七八九十百千"  # part of a longer number is another number
    for wrong, right in _spellings(slip):
        text = re.sub(rf"(?<![{digit}]){re.escape(wrong)}(?![{digit}])", lambda _, r=right: r, text)  # type: ignore[misc]
    return text


def _spellings(slip: Slip) -> list[tuple[str, str]]:
    """Give a slip as it was said and, if it was said in words, in digits: 十六 is echoed as 16."""
    found = [(slip.wrong, slip.right)]
    days = [re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", x) for x in (slip.wrong, slip.right)]
    if days[0] and days[1]:  # "the 4th" is echoed as "4 July"
        wrong, right = days[0][1], days[1][1]
        found += [(f"{wrong} {month}", f"{right} {month}") for month in _MONTHS]
        found += [(f"{month} {wrong}", f"{month} {right}") for month in _MONTHS]
    read = [numerals(slip.wrong), numerals(slip.right)]
    if re.search(r"\d", slip.wrong) or len(read[0]) != 1:
        return found
    wrong, right = read[0][0].digits, read[1][0].digits if len(read[1]) == 1 else slip.right
    return [*found, (wrong, right)] if len(wrong) > 1 and wrong != right else found


def find_slips(texts: Sequence[str], mine: Sequence[bool]) -> Slip | None:
    """Find the first slip that the last message puts right."""
    last = texts[-1]
    here = _literals(last)
    markers = list(_MARKER.finditer(last)) if here else []
    long = [literal for literal in here if len(literal.digits) >= _LONG]
    if not markers and not long:
        return None
    before = [literal for text, own in zip(texts[:-1], mine, strict=False) if own
              for literal in _literals(text)]  # fmt: skip
    for marker in markers:
        for right, wrongs in _readings(marker, here, before, last):
            for wrong in wrongs:
                slip = _slip(marker, wrong, right, texts)
                if slip is not None:
                    return slip
    return _transposed(long, before, texts)


def _transposed(long: list[_Literal], before: list[_Literal], texts: Sequence[str]) -> Slip | None:
    """Find a long number said again with two neighbouring digits exchanged: no marker is needed.

    Two numbers of a customer's hardly ever differ by just that; slips of the finger do.
    """
    for right in long:
        for wrong in before[: -_LOOK_BACK - 1 : -1]:
            a, b = wrong.key, right.key
            if a == b:
                break  # the value of old, said again
            if len(a) != len(b):
                continue
            off = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
            if len(off) == 2 and off[1] - off[0] == 1 and sorted(a) == sorted(b):
                return Slip(wrong.text, right.text, len(texts) - 1, right.start, right.end)
    return None


def _readings(
    marker: re.Match[str], here: Sequence[_Literal], before: list[_Literal], text: str
) -> list[tuple[_Literal, list[_Literal]]]:
    """Pair what may be right with what may be wrong, likeliest first."""
    denied = {x.start for x in here if _WRONG.search(text, max(0, x.start - 16), x.start)}
    earlier = [x for x in here if x.end <= marker.start() and x.start not in denied]
    later = [x for x in here if marker.end() <= x.start <= marker.end() + _REACH]
    past = (earlier[::-1] + before[::-1])[:_LOOK_BACK]
    if marker[0].lower() in ("not", "不是"):  # "not twelve, fifteen"; "the 8, not the 9"
        wrong = [x for x in later[:1] if x.start in denied]
        near = [
            x
            for x in later[1:2]
            if x.start - later[0].end <= (10 if x.unit == later[0].unit else 4)
        ]
        near += [x for x in earlier[-1:] if marker.start() - x.end <= 4]
        return [(right, wrong) for right in near]
    found: list[tuple[_Literal, list[_Literal]]] = []
    sound = [x for x in later if x.start not in denied]
    if sound and _goes_on(marker, sound[0], text):
        between = [_MARKER.search(text[sound[0].end : x.start]) for x in later[1:2]]
        # "hang on, it's 8213. No wait, 8231": what is taken back again puts nothing right.
        if not any(m and m[0].lower() not in ("not", "不是") for m in between):
            found.append((sound[0], past + [x for x in later[:2] if x is not sound[0]]))
        # "swapped two: 0165": a count before a long value tells how it was wrong.
        near = [x for x in sound[1:2] if x.start - marker.end() <= _NEAR and len(x.digits) > 3]
        found += [(x, past) for x in near if len(sound[0].digits) == 1]
    # "I'm back on the 26th, make it black": what leads to another value puts no earlier one right.
    adds = earlier and (_LEADS.match(marker[0]) or _ADDS.search(text[: earlier[-1].start]))
    if earlier and not adds and marker.start() - earlier[-1].end <= 20:  # "it's 171, sorry, typo"
        found.append((earlier[-1], (earlier[-2::-1] + before[::-1])[:_LOOK_BACK]))
    return found


def _goes_on(marker: re.Match[str], right: _Literal, text: str) -> bool:
    """Tell whether a marker speaks of a value after it: "hold on, there's the door" doesn't."""
    stop = _STOP.search(text, right.end)
    if _ADDS.search(text[marker.end() : stop.start() if stop else len(text)]):
        return False
    if stop and stop[0] in "?？" and _POLITE.search(marker[0]):  # "sorry, is shipping $10?"
        return False
    # After a full stop another thing begins, unless nothing but the marker stood before it.
    cut = _STOP.search(text, marker.end(), right.start)
    return not marker["weak"] or cut is None or cut.start() - marker.end() <= 2


def _slip(
    marker: re.Match[str], wrong: _Literal, right: _Literal, texts: Sequence[str]
) -> Slip | None:
    denied = marker[0].lower() in ("not", "不是")
    streets = {x.before for x in (wrong, right) if _STREET.search(x.before)}
    if not _alike(wrong, right, denied) or len(streets) > 1:  # another street's number
        return None
    month = re.match(r".{1,3}月(?=.)", wrong.text) if "月" not in right.text else None
    value = f"{month[0]}{right.text}" if month else right.text
    if len(right.digits) < len(wrong.digits) and _partial(
        wrong, right
    ):  # "no, 0129": the end of it
        value = wrong.text[: -len(right.text)] + right.text
    text, turn = texts[-1], len(texts) - 1
    unit = _shared(wrong.unit, right.unit) if right.unit > "z" else 0
    # What leads to the marker is about the slip as well: "I read it wrong".
    start = max(text.rfind(mark, 0, marker.start()) + 1 for mark in ".,，。!！…")
    for literal in (wrong, right):
        if literal.end <= marker.start() and text[literal.start : literal.end] == literal.text:
            start = max(start, literal.end + unit)
    end = max(marker.end(), right.end + unit if right.start > marker.start() else 0)
    if denied and right.end <= marker.start():
        end = wrong.end + unit
    elif denied and not any(wrong.text in other for other in texts[:-1]):
        end = right.start
    elif right.end <= marker.start():
        end = _sentence_end(text, end)
    start = min(start, marker.start())
    elsewhere = (*texts[:-1], text[:start])
    if start < right.start < end and not any(wrong.text in other for other in elsewhere):
        clause = next(s for s, e in clause_spans(text) if e > right.start)
        end = clause if clause >= wrong.end else right.start  # or the value would be lost
    if lead := _LEAD.search(text, 0, start):
        start = lead.start()
    return Slip(wrong.text, value, turn, start, end)


def _shared(left: str, right: str) -> int:
    """Count the characters that two strings have in common at their beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )


def _sentence_end(text: str, start: int) -> int:
    end = re.search(r"[.!?](?=\s|$)|[，,。！？]", text[start:])
    return start + end.start() if end else len(text)


def _alike(wrong: _Literal, right: _Literal, denied: bool) -> bool:
    """Tell whether one may be a slip for the other: like codes, or quantities of one kind."""
    a, b = wrong.digits, right.digits
    if wrong.key == right.key or not a or not b:
        return False
    money = [bool(re.search("[$£€¥]", x.text)) for x in (wrong, right)]
    if any(money):
        return all(money) and abs(len(a) - len(b)) <= 1
    if _CLOCK.fullmatch(wrong.text) and _CLOCK.fullmatch(right.text):
        return True
    shapes = [re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", x.key)) for x in (wrong, right)]
    if shapes[0] == shapes[1] and "A" in shapes[0]:  # seats 14C and 14A; two policy numbers
        return True
    short, long = wrong.key, right.key
    if len(short) >= _TELLING and long.startswith(short) and len(long) - len(short) <= 2:
        return bool(re.search("[A-Z]", short)) or denied  # a code whose end was left out
    if a == b:
        return False
    if len(a) >= 3 and len(b) >= 3 and wrong.text[:1].isascii():
        if len(a) == len(b):
            return sorted(a) == sorted(b) or SequenceMatcher(None, a, b).ratio() >= 0.6
        return _partial(wrong, right)
    if abs(len(a) - len(b)) > 1:
        return False
    unit = wrong.unit[:1] == right.unit[:1] if right.unit > "z" else wrong.unit == right.unit
    same_kind = (unit and right.unit != "") or wrong.before == right.before != ""
    return denied or same_kind or (unit and len(a) == len(b))


def _partial(wrong: _Literal, right: _Literal) -> bool:
    tail = wrong.digits[-len(right.digits) :]
    return (
        3 <= len(right.digits) < len(wrong.digits)
        and tail != right.digits
        and sorted(tail) == sorted(right.digits)
        and wrong.text.replace(" ", "").endswith(tail)
    )


@kept(most=256)  # messages are held against each one after them
def _literals(text: str) -> tuple[_Literal, ...]:
    spans = [match.span() for match in _COMPOUND.finditer(text)]
    for found in ([m.span() for m in _LITERAL.finditer(text)],
                  [(n.start, n.end) for n in numerals(text)]):  # fmt: skip
        spans += [(s, e) for s, e in found if all(e <= x or s >= y for x, y in spans)]
    return tuple(_literal(text, *span) for span in sorted(spans))


def _literal(text: str, start: int, end: int) -> _Literal:
    body = text[start:end]
    read = [(n.start, n.digits) for n in numerals(body)]
    digits = re.sub(r"\D", "", body) or "".join(d for _, d in read) or body
    after = re.match(r"[㐀-鿿]{1,3}|\s*[A-Za-z]+", text[end:])
    before = _BEFORE.search(text[max(0, start - _NEAR) : start])
    return _Literal(start, end, body, digits, before[1].lower() if before else "",
                    after[0].strip().lower() if after else "")  # fmt: skip

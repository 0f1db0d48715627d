"""What a customer takes back: "A1092, sorry, A1029" means A1029, and A1092 was never meant (R30).

A slip is a literal before or far before a marker ("no wait", 「哦不对」) with a look-alike near the
marker. The right value takes its place wherever the slip was said or echoed, so every sentence
made from the dialogue afterwards is right by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from ctxlab.language.changes import changes, put_in_place
from ctxlab.language.mistakable import (
    DATED,
    MONTHS,
    NEAR,
    Literal,
    alike,
    elsewhere,
    ends,
    literals,
    partial,
    shape,
)
from ctxlab.language.numerals import numerals
from ctxlab.language.rewording import mend_words
from ctxlab.language.slips import BESIDE, STRONG, WEAK, unsaid, without_named
from ctxlab.language.text import clause_spans

__all__ = ["Slip", "find_slips", "repair", "repairs", "takes_back"]

_MARKER = re.compile(rf"(?P<strong>{STRONG}|{BESIDE})|(?P<weak>{WEAK})|\bnot\b", re.I)
# What is added isn't put right: "sorry, also A1092".
_ADDS = re.compile(
    r"\b(?:also|another|as well|plus|and the other|one more|extra|add)\b|还有|另外|另一|以及|也是|"
    r"再(?:加|来|要|订|买|添)|加上|多(?:要|订|加)", re.I)  # fmt: skip
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
_LONG = 7  # digits
_LONG_NUMBER = re.compile(rf"\d(?:[ .()-]{{0,2}}\d){{{_LONG - 1}}}")
_REACH = 60  # characters between a marker and the right value


# "CF72 9... 9ED": a code begun, and begun again.
_BEGUN = re.compile(
    r"(?<![A-Za-z0-9])(?P<part>[A-Z]{0,4}\d[A-Z0-9]{0,7}(?: [A-Z0-9]{1,8})*?)(?:\.{2,}|…+)[ ,，]*"
    r"(?:[^.…\d]{0,24}[.,…，]+ ?)?(?=(?P=part)[A-Z0-9])"
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
        out[turn] = _BEGUN.sub("", without_named(out[turn]))
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
    told = _MARKER.search(text) or _LONG_NUMBER.search(text) or _LOOKS.search(text)
    return bool(told) or changes(text)


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
        found += [(f"{wrong} {month}", f"{right} {month}") for month in MONTHS]
        found += [(f"{month} {wrong}", f"{month} {right}") for month in MONTHS]
    read = [numerals(slip.wrong), numerals(slip.right)]
    if re.search(r"\d", slip.wrong) or len(read[0]) != 1:
        return found
    wrong, right = read[0][0].digits, read[1][0].digits if len(read[1]) == 1 else slip.right
    return [*found, (wrong, right)] if len(wrong) > 1 and wrong != right else found


def find_slips(texts: Sequence[str], mine: Sequence[bool]) -> Slip | None:
    """Find the first slip that the last message puts right."""
    last = texts[-1]
    here = literals(last)
    markers = list(_MARKER.finditer(last)) if here else []
    long = [literal for literal in here if len(literal.digits) >= _LONG]
    if not markers and not long and not _LOOKS.search(last):
        return None
    before = [literal for text, own in zip(texts[:-1], mine, strict=False) if own
              for literal in literals(text)]  # fmt: skip
    for marker in markers:
        for right, wrongs in _readings(marker, here, before, last):
            for wrong in wrongs:
                slip = _slip(marker, wrong, right, texts)
                if slip is not None:
                    return slip
    return _looked_up(here, texts) or _transposed(long, before, texts)


_LOOKS = re.compile(
    r"\blet me (?:check|look|see|find)\b|我?(?:再)?(?:看|查|核对)一?下|我看看", re.I
)
_OFF = 2  # characters by which a code that was looked up may differ from the one said before


def _looked_up(here: Sequence[Literal], texts: Sequence[str]) -> Slip | None:
    """Find a code said once more, a little otherwise, after "let me check"."""
    look = _LOOKS.search(texts[-1])
    for right in here if look else ():
        for wrong in here:
            between = look and wrong.end <= look.start() and look.end() <= right.start
            if between and _slightly_off(wrong, right):
                return Slip(wrong.text, right.text, len(texts) - 1, wrong.end, right.end)
    return None


def _slightly_off(wrong: Literal, right: Literal) -> bool:
    a, b = wrong.key, right.key
    if DATED.fullmatch(wrong.text) and DATED.fullmatch(right.text):
        return a != b
    if len(a) != len(b) or len(a) <= _OFF + 1 or a.isdigit() or shape(a) != shape(b):
        return False
    return 0 < sum(x != y for x, y in zip(a, b, strict=True)) <= _OFF


def _transposed(long: list[Literal], before: list[Literal], texts: Sequence[str]) -> Slip | None:
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
    marker: re.Match[str], here: Sequence[Literal], before: list[Literal], text: str
) -> list[tuple[Literal, list[Literal]]]:
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
    found: list[tuple[Literal, list[Literal]]] = []
    sound = [x for x in later if x.start not in denied and not _PART.search(text[: x.start])]
    if sound and _goes_on(marker, sound[0], text):
        between = [_MARKER.search(text[sound[0].end : x.start]) for x in later[1:2]]
        # "hang on, it's 8213. No wait, 8231": what is taken back again puts nothing right.
        if not any(m and m[0].lower() not in ("not", "不是") for m in between):
            found.append((sound[0], past + [x for x in later[:2] if x is not sound[0]]))
        # "swapped two: 0165": a count before a long value tells how it was wrong.
        near = [x for x in sound[1:2] if x.start - marker.end() <= NEAR and len(x.digits) > 3]
        found += [(x, past) for x in near if len(sound[0].digits) == 1]
    # "I'm back on the 26th, make it black": what leads to another value puts no earlier one right.
    adds = earlier and (_LEADS.match(marker[0]) or _ADDS.search(text[: earlier[-1].start]))
    if earlier and not adds and marker.start() - earlier[-1].end <= 20:  # "it's 171, sorry, typo"
        found.append((earlier[-1], (earlier[-2::-1] + before[::-1])[:_LOOK_BACK]))
    return found


# "One of them is", 「有一个是离职的」: says something of a part, not how many there are.
_PART = re.compile(r"(?:有|其中|里面?)\s*\Z|\bone of\s*\Z", re.I)


def _goes_on(marker: re.Match[str], right: Literal, text: str) -> bool:
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
    marker: re.Match[str], wrong: Literal, right: Literal, texts: Sequence[str]
) -> Slip | None:
    denied = marker[0].lower() in ("not", "不是")
    if not alike(wrong, right, denied) or elsewhere(wrong, right):
        return None
    value = _meant(wrong, right)
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
    others = (*texts[:-1], text[:start])
    if start < right.start < end and not any(wrong.text in other for other in others):
        clause = next(s for s, e in clause_spans(text) if e > right.start)
        end = clause if clause >= wrong.end else right.start  # or the value would be lost
    if lead := _LEAD.search(text, 0, start):
        start = lead.start()
    return Slip(wrong.text, value, turn, start, end)


def _meant(wrong: Literal, right: Literal) -> str:
    """Give the right value in full where only the part of it that was wrong is said again."""
    if "月" not in right.text and (month := re.match(r".{1,3}月(?=.)", wrong.text)):
        return f"{month[0]}{right.text}"
    if DATED.fullmatch(wrong.text) and not DATED.fullmatch(right.text):
        return re.sub(r"\d{1,2}(?:st|nd|rd|th)?", right.text, wrong.text, count=1)
    short = len(right.digits) < len(wrong.digits) and partial(wrong, right)  # "no, 0129"
    if short or ends(wrong, right):  # "HX7 9QT, sorry, 9TQ"
        return wrong.text[: -len(right.text)] + right.text
    return right.text


def _shared(left: str, right: str) -> int:
    """Count the characters that two strings have in common at their beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )


def _sentence_end(text: str, start: int) -> int:
    end = re.search(r"[.!?](?=\s|$)|[，,。！？]", text[start:])
    return start + end.start() if end else len(text)

"""Words that were taken back though they are no numbers: "to Lisbon, no wait, Porto" (R30)."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

__all__ = ["mend_words"]

_WORD = r"[A-Za-z][\w'-]*"
_CAPITAL = r"[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}"
_GAP = r"[\s,.…-]+"
_NO_WORDS = {
    "thanks",
    "thank you",
    "yes",
    "no",
    "ok",
    "okay",
    "please",
    "never mind",
    "i",
    "it",
    "that",
}
_REWORDED = re.compile(
    rf"(?P<wrong>(?:{_WORD} ){{0,7}}{_WORD})(?P<cut>{_GAP}(?i:(?:oh |ah )?no,? (?:wait|sorry)"
    rf"|wait,? no|sorry,? no|"
    rf"no,? sorry|(?:well|actually|ah),? no|no(?=,)|i tell a lie|i beg your pardon|i mean(?:t)?"
    rf"|scratch that|change that|correction|or rather){_GAP}(?:(?i:it's|make (?:it|that)"
    rf"|i mean) )?(?P<right>{_WORD}(?: {_WORD}){{0,3}}))"
    r"(?=[,.!?;]|$)"
)
_RENAMED = re.compile(
    rf"(?P<wrong>{_CAPITAL})(?P<cut>{_GAP}(?i:sorry|actually|wait|no"
    rf"|oops){_GAP}(?P<right>{_CAPITAL}))(?=[,.!?; ]|$)"
)
_RESPELT = re.compile(
    rf"(?P<cut>[,.]?[^,.]{{0,40}}[,.] (?P<right>{_CAPITAL}),? (?i:sorry|typo|rather)\b\W*)"
)
_DAYNAME = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|june|july", re.I
)
_DENIED = re.compile(
    rf"(?P<cut>(?i:(?:sorry|no|wait),? )?\b[Nn]ot (?P<wrong>{_CAPITAL}), (?:it's "
    rf"|but )?)(?P<right>{_CAPITAL})"
)
_NO = tuple(f"no{gap}" for gap in " ,.…-\n\r\t\u00a0\u3000")
_AGAIN = (
    *_NO,
    "sorry",
    "i mean",
    "scratch",
    "change that",
    "correction",
    "rather",
    "lie",
    "pardon",
)
# What a text must hold for a pattern to be looked for, which costs a hundred times as much.
_HINTS = (
    (_REWORDED, _AGAIN),
    (_RENAMED, (*_NO, "sorry", "actually", "wait", "oops")),
    (_RESPELT, ("sorry", "typo", "rather")),
    (_DENIED, ("not ",)),
)


def mend_words(out: list[str], turn: int) -> None:
    """Put right words that are no literals: "to Lisbon, no wait, Porto"; "not Lisbon, Porto"."""
    for pattern, hints in _HINTS:
        lower = out[turn].lower()
        match = pattern.search(out[turn]) if any(hint in lower for hint in hints) else None
        if match is None or match["right"].lower() in _NO_WORDS:
            continue
        right = match["right"].strip()
        wrong = _wrong_words(match, right)
        known = any(re.search(rf"\b{re.escape(wrong)}\b", text) for text in out[:turn])
        if not wrong or (pattern is _DENIED and not known):
            continue
        before, after = out[turn][: match.start("cut")], out[turn][match.end("cut") :]
        out[turn] = f"{before.rstrip(' ,.…')} {after.lstrip()}"
        for index in range(turn + 1):
            out[index] = out[index].replace(wrong, right)


def _wrong_words(match: re.Match[str], right: str) -> str:
    """Find what was taken back: a name for a name, a day for a day, else as many words."""
    if match.re is _RESPELT:
        names = re.findall(_CAPITAL, match.string[: match.start()])
        alike = [
            name for name in names
            if name != right and SequenceMatcher(None, name, right).ratio() >= 0.7
        ]  # fmt: skip
        return alike[-1] if alike else ""
    words = match["wrong"].split()
    if right[0].isupper() and len(right.split()) == 1:
        day = bool(_DAYNAME.match(right))
        same = [
            w for w in words if w[0].isupper() and bool(_DAYNAME.match(w)) == day and len(w) > 1
        ]
        return same[-1] if same else ""
    first = right.split()[0]
    if first in words[-4:]:  # "the aisle, well, no, the window": they begin alike
        return " ".join(words[len(words) - 1 - words[::-1].index(first) :])
    return " ".join(words[-len(right.split()) :])

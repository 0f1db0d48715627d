"""Secrets made of plain words, found by how they are told: a fitted head tags word by word.

"Marmalade is what the alarm people want to hear", 「接警问词就说灯塔」: neither a code nor the name
of one. Where a message speaks of something that is asked, said or typed to be let in, the head
reads each word with those around it and tells where a secret begins and how far it goes. It adds
to what the patterns of :mod:`ctxlab.language.sensitive_secrets` find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ctxlab.language.heads import load_head
from ctxlab.language.sensitive_numbers import Hit

__all__ = ["TAGS", "Token", "find_words", "looks", "speaks_of_secrets", "tokens", "traits"]

TAGS = ("begin", "inside", "out")

_LIKELY = 0.5  # chance from which a word begins a secret
_GOES_ON = 0.4  # from which the next belongs to it
_MOST = 8  # words, or Chinese characters, of a secret
_READ = 400  # characters of a message around what it is asked about
_NEAR = 4  # words on each side that are read one by one
_ASKED_FOR = re.compile(
    r"\b(?:pass ?(?:word|phrase|code|key)s?|pwd|(?:pass|kenn)wort|contrase[nñ]a|m[o]t de passe|"
    r"senha|magic word|(?:bank|(?:tele)?phone) (?:banking|calls?)|"
    r"log(?:ged|s)?[ -]?in|sign[ -]?in|(?:code|"
    r"key|safe|secret|memorable|recovery|seed|challenge|verbal|delivery|collect\w*|agreed|one-off|"
    r"right|magic|the|a|alarm|our|family|their) ?(?:words?|phrases?)(?! (?:games?|count|limit|"
    r"processor|documents?|puzzles?|search|is out|of mouth|on the street))|memorable|maiden|"
    r"surname before|before she (?:was )?married|security (?:\w+ )?(?:questions?|answers?|check|"
    r"bit|thing)|(?:secret|hint|reminder|recovery|challenge|verification) ?(?:questions?|answers?)|"
    r"reminder|(?:the|my|secret|hint) (?:answer|question)|answer(?:ed)? (?:to|is|was|it|the|i)|"
    r"your (?:\w+ )?(?:question|check)|(?:the|for|your) verification|i'?m verified|hint|wi-?fi|"
    r"network (?:key|pass\w*|name)|key ?safe|lock ?box|combination|swipe pattern|lock pattern|"
    r"(?:phone|laptop|tablet|it) (?:unlocks|opens) with|alarm|for the vault|stand down|"
    r"pick-?up (?:pass)?word|it asks|"
    r"asks? (?:for|who|what|which|me)|prove it)\b|"
    "密码|口令|暗号|暗语|密语|密保|密钥|安全(?:问题|词|提示)|提示(?:问题|答案)|答案|验证|核[身实]|"
    "预留|纪念[日词地]|找回|答问题|恢复[词短]|助记|母姓|娘家姓|结婚前|登录|wifi|无线|开机|解锁|手势|图案锁|"
    "报警|接警|防盗|保险[柜箱]|接送|接孩子|取件|那题|问词|约定",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[\u3400-\u9fff]|[A-Za-z0-9][A-Za-z0-9_@#!$%*'’-]*|[^\w\s]")
_HARMLESS = re.compile(
    r"(?:the|an?|my|your|our|his|her|their|it|its|is|was|that|this|in|on|at|to|of|for|and|or|but|"
    r"so|not|no|yes|i|we|you|they|he|she|please|too|very|just|again|here|there|now|then|also|who|what|"
    r"which|how|when|where)\Z|"
    "[的了吗呢吧啊是就我你他她它这那在有不没啥]",
    re.IGNORECASE,
)


class Token(NamedTuple):
    """A word, a Chinese character or a mark, and where it stands."""

    start: int
    end: int
    text: str


def speaks_of_secrets(text: str) -> bool:
    """Tell whether a message speaks of something that lets one in.

    Examples
    --------
    >>> speaks_of_secrets("say heron when they ask for the word"), speaks_of_secrets("parcel late")
    (True, False)
    """
    return _ASKED_FOR.search(text) is not None


def tokens(text: str) -> list[Token]:
    """Cut a normal form into words, Chinese characters and marks."""
    return [Token(*match.span(), match[0]) for match in _TOKEN.finditer(text)]


def traits(read: Sequence[Token], i: int) -> list[str]:
    """List what is read of one token: itself, its neighbours, and what is spoken of around it."""
    words = [_word(token.text) for token in read]
    found = [f"is {words[i]}", f"is {_shape(read[i].text)}"]
    for step in range(1, _NEAR + 1):
        left = words[i - step] if i >= step else "^"
        right = words[i + step] if i + step < len(words) else "$"
        found += [f"<{step} {left}", f">{step} {right}"]
    before, after = words[max(0, i - _NEAR) : i], words[i + 1 : i + 1 + _NEAR]
    for length in (2, 3, 4):
        found.append(f"<< {' '.join(before[-length:])}")
        found.append(f">> {' '.join(after[:length])}")
    found.append(f"<> {' '.join(before[-1:])} _ {' '.join(after[:1])}")
    found += [f"behind {word}" for word in words[max(0, i - 12) : i]]
    found += [f"ahead {word}" for word in words[i + 1 : i + 13]]
    return list(dict.fromkeys(found))


def looks(read: Sequence[Token], i: int) -> list[float]:
    """Describe one token: one number a feature."""
    text = read[i].text
    return [
        float(text[:1].isupper() and i > 0), float(text.isdigit()), float(not text[0].isalnum()),
        float(any(map(str.isdigit, text)) and not text.isdigit()), min(i, 20) / 20,
        min(len(read) - 1 - i, 20) / 20, float("\u3400" <= text[0] <= "\u9fff"),
    ]  # fmt: skip


def _word(text: str) -> str:
    return "0" if text.isdigit() else text.lower()


def _shape(text: str) -> str:
    kind = re.sub("[A-Z]+", "X", re.sub("[a-z]+", "x", re.sub(r"\d+", "0", text)))
    return f"shaped {kind[:6]}"


def find_words(text: str, known: Sequence[Hit]) -> Iterator[Hit]:
    """Find secrets of plain words in a message that speaks of one.

    Parameters
    ----------
    text : str
        A normal form.
    known : sequence of Hit
        What is known of it; a secret that is found already isn't looked for again.
    """
    import numpy as np

    if not speaks_of_secrets(text) or len(text) > _READ:
        return
    if any(hit.category == "credential" for hit in known):
        return
    read = tokens(text)
    head = load_head("words")
    dense = np.array([looks(read, i) for i in range(len(read))], np.float32)
    chances = head.probabilities(dense, [traits(read, i) for i in range(len(read))])
    begin, inside = (chances[:, head.classes.index(tag)] for tag in TAGS[:2])
    taken = [(hit.start, hit.end) for hit in known]
    asked = [match.span() for match in _ASKED_FOR.finditer(text)]
    for i, token in enumerate(read):  # "ask for Peg": what asks for a secret is none
        if any(start <= token.start < end for start, end in asked):
            begin[i] = 0.0
    first = int(begin.argmax())
    if begin[first] < _LIKELY:
        return
    last = first
    while last + 1 < len(read) and last + 1 < first + _MOST and inside[last + 1] >= _GOES_ON:
        last += 1
    start, end = read[first].start, read[last].end
    overlap = any(s < end and start < e for s, e in taken)
    # What holds digits is judged as a code; "the passphrase is too long" names none.
    plain = not re.search(r"\d", text[start:end]) and not _HARMLESS.match(read[first].text)
    if plain and not overlap:
        yield Hit(start, end, "credential", "words", 0.6)

"""The one case that a conversation is about, named in sentences that speak of it without its id."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxlab.language.attributes import find_value
from ctxlab.language.choosing import ID, Unit
from ctxlab.language.hearing import Said

__all__ = ["anchored"]

# A date, a phone number, and what is too short to tell one order from another.
_NO_ID = re.compile(
    r"\d{4}-\d\d(?:-\d\d)?|1[3-9]\d{9}|(?:\d{1,2}-)?\d{3}-\d{3,4}-\d{4}"
    r"|0\d{2,3}-\d{7,8}|[A-Z]{1,3}\d{1,3}"
)
# What an id may name that is the customer's whatever the talk is of: no case.
_STANDING = re.compile(
    r"\b(?:member(?:ship)?|account|policy|customer|loyalty|parking|bay|seat|room|flat|unit|serial"
    r"|model|meter|plate|registration|licen[cs]e|card|student|employee|staff|user(?:name)?|contract"
    r"|subscription|zip|post(?:al )?code|postcode|pin)\b"
    r"|会员|账[号户]|帐[号户]|保单|车位|车牌|房[号间]|门牌|序列号|型号|表号|卡号|学号|工号|客户号|户号|合同|邮编|邮政编码",
    re.I,
)
_ELSE = re.compile(
    r"(?:^|[.!?;,]\s*)(?:(?:oh|and|ok(?:ay)?|great|thanks|cheers|ta|right|so)\W+)*"
    r"(?:also|another (?:thing|question)|(?:one|two) (?:more|other) things?|by the way|btw"
    r"|separately|on (?:another|a different) (?:note|matter)|while (?:i'm|i have)"
    r"|different (?:question|issue))\b"
    r"|(?:^|[。！？；，\n])\s*(?:[哦对好嗯啊那行]+[，,。]?)*"
    r"(?:另外|还有|顺便|对了|再问|另一件|还想问|换个|还有个|再有)",
    re.I,
)


def anchored(units: list[Unit], turns: Sequence[Said]) -> list[Unit]:
    """Name the case in what is said of it: from where it is named to where another thing begins.

    What was said before is about it only if it was asked for: "which order is it?"

    Parameters
    ----------
    units : list of Unit
        Sentences that are worth keeping; changed in place.
    turns : sequence of Said
        The messages they are from.
    """
    found = (i for u in units if not u.said.agent for i in ID.findall(_beside_place(u.text)))
    ids = list(dict.fromkeys(i for i in found if not _NO_ID.fullmatch(i)))
    if len(ids) != 1:
        return units
    # The unit that names it, not a message: mending slips may have put the id together.
    source = next(u for u in units if not u.said.agent and ids[0] in u.text)
    if _STANDING.search(source.question + source.text):
        return units
    place = {id(said): i for i, said in enumerate(turns)}
    named = place[id(source.said)]
    asked = bool(source.question) or (named > 0 and _asks(turns[named - 1]))
    for unit in units:
        if place[id(unit.said)] < named and not asked:
            continue
        if place[id(unit.said)] > named and not unit.said.agent and _turns_away(unit):
            break
        if (
            unit.label.kind in ("request", "commitment", "event")
            and ids[0] not in unit.text + unit.question
        ):
            chinese = bool(re.search(r"[\u3400-\u9fff]", unit.text))
            body = unit.text.rstrip(" .。!！?？")
            unit.text = f"{body}（{ids[0]}）" if chinese else f"{body} ({ids[0]})"
            unit.ids = tuple(dict.fromkeys((*unit.ids, source.said.id)))
    return units


def _beside_place(text: str) -> str:
    """Leave out an address: its postcode names no case."""
    place = find_value(text, "address") or ""
    rest = text.partition(place)[2] if place else ""
    code = _POSTCODE.match(rest)
    return text.replace(place + (code[0] if code else ""), " ") if place else text


_POSTCODE = re.compile(r"(?:[ ,]+[A-Z][A-Za-z'-]+)*[ ,-]+\d{4,7}\b")


def _asks(said: Said) -> bool:
    return said.agent and said.text.rstrip().endswith(("?", "？"))


def _turns_away(unit: Unit) -> bool:
    """Whether a sentence begins another matter; its opening may have been cut off it."""
    text = unit.said.text
    at = max(text.find(unit.spoken[:16]), 0)
    return _ELSE.search(f"{text[max(0, at - 16) : at]}{unit.spoken[:24]}") is not None

"""What of an agent's offers a customer took up, so that it is the customer's now (R30)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ctxlab.language.answers import YES
from ctxlab.language.choosing import Unit
from ctxlab.language.hearing import Said
from ctxlab.language.options import by_place, options, pick
from ctxlab.language.replies import picks
from ctxlab.language.values import values_in

__all__ = ["narrow", "take_up", "takes"]


def takes(offer: str, answer: str) -> bool:
    """Tell whether an answer takes up an offer: with a yes, by its value, or by its place.

    Examples
    --------
    >>> takes("I can do £90 if you pay today.", "Go on then."), takes("It's £90.", "Too dear.")
    (True, False)
    >>> takes("£90 one way, or £150 both ways.", "We have a lift back. First option")
    True
    """
    return bool(_agrees(answer) or picks(offer, answer) or by_place(answer))


def _agrees(answer: str) -> bool:
    """Whether an answer says yes, or thanks for what was offered as one does who takes it."""
    return YES.match(answer) is not None or _PLEASED.match(answer) is not None


_PLEASED = re.compile(
    r"(?:good (?:man|woman|lad|stuff)"
    r"|(?:you(?:'re| are)|ur|ye're) an? (?:\w+ )?(?:gem|star|legend|angel|lifesaver|treasure|dear)"
    r"|legend|champion|grand|brilliant|fab(?:ulous)?|tidy|smashing|amazing|awesome"
    r"|(?:oh )?(?:that's |that is |that would be )?(?:great|wonderful|fantastic|lovely|perfect)"
    r"|bless you|god bless(?: you)?|thank you so much"
    r"|(?:那)?(?:太好了|太棒了|太感谢了|好极了|再好不过))(?:[\s,.，。!！~～]|$)",
    re.I,
)


def take_up(units: Sequence[Unit], offer: Said, answer: Said) -> None:
    """Mark what an answer takes up of the turn before it: all with a yes, else what it names."""
    offers = [unit for unit in units if unit.said is offer]
    if not _agrees(answer.text):
        named = picks(offer.text, answer.text)
        offers = [u for u in offers if named & {value.norm for value in values_in(u.spoken)}]
    for unit in offers:
        unit.taken = unit.taken or answer.id


def narrow(units: Sequence[Unit], turns: Sequence[Said]) -> None:
    """Leave of what an agent laid out side by side what the customer took of it."""
    place = {id(said): i for i, said in enumerate(turns)}
    for unit in units:
        if not unit.said.agent:
            continue
        answers = [said for said in turns[place[id(unit.said)] + 1 :] if not said.agent]
        chosen = pick(unit.spoken, [said.text for said in answers])
        shown = options(unit.text) if chosen else ()
        if chosen and len(shown) == len(chosen.spans):
            unit.text = replace(chosen, spans=shown).kept(unit.text)
            unit.spoken = chosen.kept(unit.spoken)
            unit.taken = unit.taken or answers[chosen.reply].id

"""What of an agent's offers a customer took up, so that it is the customer's now (R30)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxlab.language.answers import YES
from ctxlab.language.choosing import Unit
from ctxlab.language.hearing import Said
from ctxlab.language.options import options, pick
from ctxlab.language.replies import picks
from ctxlab.language.values import values_in

__all__ = ["narrow", "take_up"]


def take_up(units: Sequence[Unit], offer: Said, answer: Said) -> None:
    """Mark what an answer takes up of the turn before it: all with a yes, else what it names."""
    offers = [unit for unit in units if unit.said is offer]
    if not YES.match(answer.text):
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

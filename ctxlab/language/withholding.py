"""What is left out of drafts because it doesn't bear on the customer's matter, and why (R30).

The rules of `exclusions` and its neighbours know a clause that mustn't be kept by its grammar. A
price that was read out and not taken, a neighbour's size, what last year's cost: these look like
all else, so the heads of `weighing` judge them by the talk around. A clause goes if all its values
go; one value alone gives way to an ellipsis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ctxlab.language.answers import says_nothing
from ctxlab.language.asides import rivals
from ctxlab.language.attributes import SINGLE, find_attribute, find_value
from ctxlab.language.bearing import Place, Talk, Turn, clauses_of
from ctxlab.language.choosing import Unit, bids
from ctxlab.language.closeness import content
from ctxlab.language.exclusions import glue
from ctxlab.language.forest import load_forest
from ctxlab.language.hearing import Said
from ctxlab.language.offers import done, lays_out
from ctxlab.language.persons import takes_part
from ctxlab.language.procedure import runs_talk
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.tariffs import advertises, quotes
from ctxlab.language.values import Value, values_in
from ctxlab.language.weighing import weigh

__all__ = ["Chances", "Judged", "Withheld", "withhold"]

_GONE = "…"
_LASTING = 0.7  # confidence from which a standing choice is believed to be one
_DONE = 0.35  # limit of a value in what was done, or offered and taken up
_FINAL = 0.3  # limit of what it all comes to
_WHOLE = 0.15  # limit of a sentence that tells something by itself: "the kettle blew up"
_PASSING = ("day", "time")  # "nice weather today": neither tells of a matter by itself
# An agent who says who is speaking.
_GREETS = re.compile(
    r"\b(?:this is|my name is|you're (?:through|speaking) (?:to|with))\b"
    r"|\bi'm [A-Z]\w+(?=[.,!]|$| (?:from|here))|我是(?:客服|您的)|为您服务",
    re.IGNORECASE,
)
_QUOTED = 0.9  # chance from which what sounds like a price list is the customer's price
_SHORT = 2  # characters of a value that many things share: it is judged where it stands alone


@dataclass(frozen=True)
class Withheld:
    """Words that no draft holds because of what the heads say of them.

    Attributes
    ----------
    text : str
        A clause, or a value in one.
    reason : str
        Why, with the chance that decided it.
    message_ids : tuple of str
        Where it was said.
    """

    text: str
    reason: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True)
class Judged:
    """The chance that something bears on the matter, and what it must reach to be kept."""

    chance: float
    limit: float

    @property
    def out(self) -> bool:
        """Whether it is left out."""
        return self.chance < self.limit

    @property
    def reason(self) -> str:
        """Say why."""
        return f"doesn't bear on the matter: chance {self.chance:.2f} is below {self.limit:.2f}"


class Chances:
    """The chance of each value and of each clause, as the talk leaves it."""

    def __init__(self, said: Sequence[Said]) -> None:
        self._number = {id(s): k for k, s in enumerate(said)}
        limits = load_forest("bearing_weight").extra
        # What nobody has answered yet may still be taken up: it takes more to leave it out.
        self._limit, self._early = float(limits["threshold"]), float(limits["unanswered"])
        self._last = len(said) - 1
        talk = Talk([Turn(s.agent, s.raw or s.text, s.when) for s in said])
        places = list(talk.places())
        self._whole: dict[tuple[str, str], Judged] = {}
        self._here: dict[tuple[int, str, str], Judged] = {}
        self._clause: dict[tuple[int, str], Judged] = {}
        for place, chance in zip(places, weigh(talk, places), strict=True):
            self._note(talk, place, chance)

    def _note(self, talk: Talk, place: Place, chance: float) -> None:
        turn, value = talk.turns[place.turn], place.value
        limit = self._early if place.turn == self._last else self._limit
        judged = Judged(chance, limit)
        if value is None:
            words = turn.text[slice(*turn.clauses[place.clause])]
            self._clause[place.turn, _bare(words)] = judged
            return
        # What is said of it the last time holds: an offer is declined, a number put right.
        self._whole[value.sort, value.norm] = judged
        self._here[place.turn, value.sort, value.norm] = judged

    def turn(self, unit: Unit) -> int:
        """Return the number of the message that a sentence is from."""
        return self._number[id(unit.said)]

    def judged(self, unit: Unit, value: Value) -> Judged | None:
        """Return what is thought of a value of a sentence, in whichever message it was said."""
        turns = (self._number[id(said)] for said in (unit.said, *unit.also))
        return next((found for turn in turns if (found := self.of_value(turn, value))), None)

    def saves(self, unit: Unit) -> bool:
        """Tell whether a sentence surely bears on the matter, though no rule sees what it tells."""
        sure = float(load_forest("bearing_weight").extra["sure"])
        if unit.said.agent and not unit.taken and quotes(unit.spoken):
            sure = max(sure, _QUOTED)
        values = values_in(unit.text, unit.said.when)
        found = (self.judged(unit, v) for v in values if v.sort not in _PASSING)
        if not re.search(r"\w", strip_fillers(unit.text)) or says_nothing(unit.text):
            return False  # "Great, thank you"
        idle = unit.text.rstrip().endswith(("?", "？")) or (
            unit.said.agent
            and (
                advertises(unit.spoken)
                or lays_out(unit.spoken)
                or _GREETS.search(unit.spoken)
                or runs_talk(unit.spoken)
            )
        )
        return not idle and any(judged and judged.chance >= sure for judged in found)

    def of_value(self, turn: int, value: Value) -> Judged | None:
        """Return what is thought of a value, as the talk leaves it."""
        here = self._here.get((turn, value.sort, value.norm))
        # What isn't said there was put in by a repair: it is the value that holds.
        if here is None or len(value.norm) <= _SHORT:
            return here
        last = self._whole[value.sort, value.norm]
        # What was kept stays while the last word on it is unanswered.
        return here if last.limit == self._early and not here.out else last

    def of_clause(self, turn: int, clause: str) -> Judged | None:
        """Return what is thought of a clause that names no value."""
        return self._clause.get((turn, _bare(clause)))


def withhold(units: Sequence[Unit], chances: Chances) -> tuple[list[Unit], list[Withheld]]:
    """Take out of sentences what doesn't bear on the matter.

    Parameters
    ----------
    units : sequence of Unit
        Sentences that are worth keeping; their texts are changed in place.
    chances : Chances
        What the heads say of the talk they are from.

    Returns
    -------
    list of Unit, list of Withheld
        Those that still say something, and what was taken out.
    """
    left: list[Unit] = []
    gone: list[Withheld] = []
    for unit in units:
        if not (unit.confirmed or _stands(unit) or (unit.taken and quotes(unit.spoken))):
            before = unit.text
            taken = _trim(unit, chances)
            gone += [Withheld(words, judged.reason, unit.ids) for words, judged in taken]
            # A brief answer says what its question asks, whatever goes of that.
            cut = unit.text != before or not unit.question
            if taken and cut and not _says(unit.text):
                continue
        left.append(unit)
    return left, gone


def _stands(unit: Unit) -> bool:
    """Whether a choice is to last, or an order waits for its case: it bears on more than now."""
    if not unit.said.agent and bids(unit.text):
        return True
    label = unit.label
    return label is not None and label.kind == "preference" and label.confidence >= _LASTING


_Taken = list[tuple[str, Judged]]


def _trim(unit: Unit, chances: Chances) -> _Taken:
    taken: _Taken = []
    runs: list[str] = []  # of clauses that stay, with what stands between them
    turn, text, last = chances.turn(unit), unit.text, -1
    filed = _filed(unit)
    spans, cuts = clauses_of(text), []
    for start, end in spans:
        whole = any(start < b and a < end for a, b in filed)
        cuts.append((text[start:end], []) if whole else _cut(text[start:end], unit, turn, chances))
    _explain(cuts, [text[start:end] for start, end in spans])
    for n, (start, _) in enumerate(spans):
        clause, found = cuts[n]
        taken += found
        if clause and last == n - 1 and runs:
            runs[-1] += text[spans[last][1] : start] + clause
        elif clause:
            runs.append(clause)
        last = n if clause else last
    if taken:
        unit.text = glue(text).join(run.strip(" ,，;；") for run in runs)
    if unit.question:
        unit.question, found = _masked(unit.question, unit, turn - 1, chances)
        if found and not _says(unit.question):
            unit.question = ""
        taken += found
    return taken


def _explain(cuts: list[tuple[str, _Taken]], clauses: Sequence[str]) -> None:
    """Give a bare value back the clause before it: "the budget has changed, 1700"."""
    stay = [n for n, (clause, _) in enumerate(cuts) if clause]
    first = stay[0] if stay else 0
    if first and not values_in(clauses[first - 1]) and all(_is_bare(cuts[n][0]) for n in stay):
        cuts[first - 1] = clauses[first - 1], []


def _is_bare(clause: str) -> bool:
    """Whether a clause holds a value and no word that says of what."""
    for value in reversed(values_in(clause)):
        clause = clause[: value.start] + clause[value.end :]
    return len(_LIGHT.sub("", clause)) == 0


_LIGHT = re.compile(
    r"\W|\b(?:it'?s|it|make|that|to|now|then|is|be|at|for|on|about|around|just|only|please|so)\b"
    r"|[那就是要改成到能大概约吧了的元块点号个现在变换为左右]",
    re.IGNORECASE,
)


def _filed(unit: Unit) -> list[tuple[int, int]]:
    """Return where a customer's sentence fills a line of the file: an address bears on any talk."""
    if unit.said.agent:
        return []
    slots = {find_attribute(unit.text), *_OWN_WORDS} & SINGLE
    found = [
        find_value(unit.text, slot) for slot in slots if slot != "name" or _NAMED.search(unit.text)
    ]
    return [
        (at, at + len(value)) for value in found if value and (at := unit.text.find(value)) >= 0
    ]


_OWN_WORDS = ("address", "name")  # a sentence may fill these beside another line
_NAMED = re.compile(r"\bname'?s?\b|\bcalled\b|我[姓叫]|姓名|抬头|名字", re.IGNORECASE)


def _cut(clause: str, unit: Unit, turn: int, chances: Chances) -> tuple[str, _Taken]:
    """Return what is left of a clause, and what went."""
    if not unit.said.agent and (takes_part(clause) or rivals(clause)):
        return clause, []
    values = values_in(clause, unit.said.when)
    if not values:
        judged = chances.of_clause(turn, clause)
        if judged and (_tells(unit) or _settled(unit)):
            judged = Judged(judged.chance, min(judged.limit, _WHOLE))
        return ("", [(clause, judged)]) if judged and judged.out else (clause, [])
    masked, gone = _masked(clause, unit, None, chances)
    if len(gone) == len(values):
        return "", [(clause, max((judged for _, judged in gone), key=lambda j: j.chance))]
    return masked, gone


def _tells(unit: Unit) -> bool:
    """Whether a whole sentence of the customer's says what happened or what they want."""
    label = unit.label
    whole = not unit.said.agent and len(clauses_of(unit.text)) == 1
    return whole and label is not None and label.kind in ("event", "request", "commitment")


def _settled(unit: Unit) -> bool:
    """Whether an agent says what was done, or what the customer said yes to."""
    return unit.said.agent and (bool(unit.taken) or done(unit.spoken))


def _masked(text: str, unit: Unit, turn: int | None, chances: Chances) -> tuple[str, _Taken]:
    gone: _Taken = []
    for value in reversed(values_in(text, unit.said.when)):
        judged = chances.judged(unit, value) if turn is None else chances.of_value(turn, value)
        if judged and (unit.final or _settled(unit)):
            judged = Judged(judged.chance, min(judged.limit, _FINAL if unit.final else _DONE))
        if judged and judged.out:
            gone.append((text[value.start : value.end], judged))
            text = text[: value.start] + _GONE + text[value.end :]
    return text, gone


def _bare(clause: str) -> str:
    return re.sub(r"\W", "", clause).lower()


def _says(text: str) -> bool:
    """Tell whether what is left of a sentence says something by itself."""
    words = set(content(text.lower()))
    # "It's … … … 2" was a number in pieces.
    if _DANGLES.match(text.strip()) or text.count(_GONE) >= max(2, len(words)):
        return False
    return bool(values_in(text)) or len(words) > 1


_DANGLES = re.compile(
    r"(?:if|once|when|unless|before|after)\b[^,;]*\Z|(?:如果|若|要是|一旦)[^，；]*\Z", re.I
)

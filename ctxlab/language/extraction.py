"""`cx.extract`: what of a conversation must outlive it (R30, R36).

In order: leave out what isn't said by the two parties, put slips right, drop what is hypothetical,
secret or about somebody else, label each sentence, keep what tells something about the customer,
and retell it so that it stands alone. Nothing is stored here; drafts go through the write rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ctxlab.language.anchoring import anchored
from ctxlab.language.answers import (
    YES,
    asked_by,
    asks_for_more,
    asks_leave,
    asks_secret,
    asks_who,
    binds,
    hard,
    is_enough,
    is_fragment,
    question_of,
    says_no,
    says_nothing,
)  # fmt: skip
from ctxlab.language.attributes import key_literals
from ctxlab.language.choosing import BRIEF, OWN_PROMISE, Unit, worth
from ctxlab.language.closeness import content
from ctxlab.language.contrasts import righted
from ctxlab.language.dates import resolve_dates
from ctxlab.language.days_spoken import Spoken, days_spoken_of
from ctxlab.language.drafting import Draft, drafts, in_own_signs
from ctxlab.language.exclusions import (
    glue,
    statement_spans,
    statements,
)
from ctxlab.language.hearing import Said, hear, written
from ctxlab.language.labelling import label_many
from ctxlab.language.letting_go import ends_idle, recants, without_declined
from ctxlab.language.offers import answered, disowns, outdated, without_former
from ctxlab.language.options import pick
from ctxlab.language.repairs import repairs
from ctxlab.language.replies import (
    asks_when,
    called_off,
    holds_any,
    put_aside,
    replaced,
    without,
)
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.sensitive import Finding, scan_many
from ctxlab.language.taking import narrow, take_up, takes
from ctxlab.language.tariffs import prices, quotes, strays
from ctxlab.language.text import tokenize
from ctxlab.language.totals import settled_later, stated, totals
from ctxlab.language.withholding import Chances, Withheld, withhold
from ctxlab.messages import Message

__all__ = ["YES", "Draft", "extract"]


def extract(
    messages: Iterable[Mapping[str, Any] | Message],
    now: datetime | None = None,
    tz: str = "UTC",
    withheld: list[Withheld] | None = None,
) -> list[Draft]:
    """Draft the memories that a conversation gives rise to.

    Parameters
    ----------
    messages : iterable of dict or Message
        OpenAI-style messages, oldest first. Only what the customer and the agent said is read:
        no system prompt, injected memory or tool result.
    now : datetime, optional
        Aware: the time of messages that carry none. Without it their dates stay as said.
    tz : str
        Zone of the conversation; a time that has an offset other than UTC keeps its own.
    withheld : list of Withheld, optional
        Gains what was left out because it doesn't bear on the customer's matter, with reasons.

    Returns
    -------
    list of Draft
        In the order of saying, without repeats.

    Examples
    --------
    >>> from datetime import UTC
    >>> said = "Cancel order A1092. Sorry, A1029. I'll pay on Friday."
    >>> talk = [{"role": "user", "content": said}]
    >>> for draft in extract(talk, now=datetime(2026, 3, 18, tzinfo=UTC)):
    ...     print(draft.kind, "|", draft.text)
    request | The customer asked: Cancel order A1029.
    commitment | The customer will pay on 2026-03-20 (A1029).
    """
    messages = list(messages)
    said = list(hear(messages, now, tz))
    fixed, by = repairs([s.text for s in said], [not s.agent for s in said])
    turns = [
        replace(
            s,
            text=righted(text, s.agent),
            raw=s.text,
            menders=tuple(said[i].id for i in sorted(later)),
        )
        for s, text, later in zip(said, fixed, by, strict=True)
    ]
    units = _units(turns)
    for speaker in (False, True):
        own = [unit for unit in units if unit.said.agent == speaker]
        spoken = [f"{u.question} {u.spoken}".strip() for u in own]
        found = label_many(spoken, "agent" if speaker else "customer") if own else []
        for unit, label in zip(own, found, strict=True):
            unit.label = label
    units = _as_settled(units, turns)
    chances = Chances(turns if units else [])
    kept = [
        unit
        for unit in units
        if (worth(unit) or chances.saves(unit)) and not _overtaken(unit, turns)
    ]
    for unit in kept:
        if unit.taken and not worth(replace(unit, taken="")):
            unit.ids = (*unit.ids, unit.taken)  # it holds since the answer
    kept, gone = withhold(kept, chances)
    if withheld is not None:
        withheld += gone
    return [in_own_signs(draft, written(messages)) for draft in drafts(anchored(kept, turns))]


def _as_settled(units: list[Unit], turns: Sequence[Said]) -> list[Unit]:
    """Leave of what an agent reckons up what still holds at the end of the talk."""
    agents = [(i, said) for i, said in enumerate(turns) if said.agent]
    place = {id(said): i for i, said in agents}
    for unit in units:
        if unit.said.agent:
            later = [said.text for i, said in agents if i > place[id(unit.said)]]
            unit.text = settled_later(unit.text, later)
            unit.final = bool(totals(unit.text)) and not any(map(totals, later))
    return [unit for unit in units if re.search(r"\w", unit.text)]


def _overtaken(unit: Unit, turns: Sequence[Said]) -> bool:
    at = next(i for i, said in enumerate(turns) if said is unit.said)
    later = " ".join(said.text for said in turns[at + 1 :] if said.agent)
    return unit.said.agent and outdated(unit.spoken, later)


# Cutting into sentences that are worth a look


def _units(turns: Sequence[Said]) -> list[Unit]:
    units: list[Unit] = []
    # What is scanned goes through the model in one batch, questions that get an answer included.
    read = [s.text for s in turns] + [question_of(s.text) for s in turns if s.agent]
    scanned = dict(zip(read, scan_many(read), strict=True))
    for index, (said, about) in enumerate(zip(turns, days_spoken_of(turns), strict=True)):
        before = turns[index - 1] if index else None
        if said.agent:
            after = turns[index + 1] if index + 1 < len(turns) else None
            met = after is not None and not after.agent and takes(said.text, after.text)
            fresh = _of_message(said, said.text, scanned, before, about, met)
            soon = [s for s in turns[index + 1 : index + _SOON] if not s.agent]
            fresh = _to_the_matter(fresh, turns[:index], soon)
        elif before:
            units, fresh = _in_reply(units, turns, index, scanned, about)
        else:
            fresh = _of_message(said, said.text, scanned, None, about)
        units += fresh
    narrow(units, turns)
    return units


_Scanned = Mapping[str, Sequence[Finding]]


def _in_reply(
    units: list[Unit], turns: Sequence[Said], index: int, scanned: _Scanned, about: Spoken
) -> tuple[list[Unit], list[Unit]]:
    """Give what a customer's turn leaves of what was said before, and what it adds."""
    said, before = turns[index], turns[index - 1]
    asked = asked_by(before.text, scanned) if before.agent else ""
    farewell = asks_for_more(asked)
    asked = "" if asks_leave(asked) or (farewell and is_enough(said.text)) else asked
    text, declined = without_declined(said.text, before.text)
    units = [u for u in units if not _offers(u, before, declined)]
    if before.agent:
        units = _left_of(units, turns, index)
    fresh = _of_message(said, text, scanned, before, about)
    if before.agent and disowns(said.raw):
        units = _disowned(units, before)
    if recants(said.text) or recants(strip_fillers(said.text)):
        units = _without(units, turns[:index], said.text)
    if not before.agent:
        fresh = _continued(units, fresh, before, said)
    take_up(units, before, said)
    if farewell:  # "that's all" is no memory, unlike what comes after it
        fresh = [u for u in fresh if not is_enough(u.spoken)]
    if asked:
        chosen = pick(asked, [said.text])
        fresh = _answered(fresh, chosen.kept(asked) if chosen else asked, said, before)
    return units, fresh


def _continued(units: list[Unit], fresh: list[Unit], before: Said, said: Said) -> list[Unit]:
    """Put what a customer sends on its own to the message before it, which it goes on with.

    Chats come in pieces: a street, then a house, then a flat.
    """
    last = units[-1] if units else None
    if not fresh or last is None or before not in (last.said, *last.also):
        return fresh
    first = fresh[0]
    if not is_fragment(first.text) or says_nothing(first.text) or _ASKS.search(first.text):
        return fresh
    joint = glue(first.text)
    last.text = f"{last.text.rstrip(_JOINTS)}{joint}{first.text}"
    last.spoken = f"{last.spoken.rstrip(_JOINTS)}{joint}{first.spoken}"
    last.ids = tuple(dict.fromkeys((*last.ids, *first.ids)))
    last.also = (*last.also, said)
    return fresh[1:]


_ENDS = " .。!！?？"
_JOINTS = _ENDS + ",，;；…~"
_PROMISE = re.compile(
    r"\b(?:i|we)(?:'ll| will)\b|我[^，。]{0,6}给您|会给您|\d{4}-\d\d-\d\d"
    r"|\b(?:i|we)(?:'ve| have)? (?:\w{3,}ed|sent|put|made|kept|set|left|given|written|taken|held)\b"
    r"|\byour (?!money|own)\w+ (?:of \S+ |\w+ )?(?:is|are|stays?|has|will|was"
    r"|runs?|ends?)\b|[给为]您[^，。吗]{0,4}(?:改|换|转|办|登记|取消"
    r"|安排)|您的",
    re.I,
)


def _without(units: list[Unit], before: Sequence[Said], words: str) -> list[Unit]:
    """Drop the question that was let go and what it was told: nothing about the customer."""
    answer = before[-1]
    told = [u for u in units if u.said is answer and not OWN_PROMISE.search(u.text)]
    start, end = (statement_spans(words) or [(0, 0)])[0]
    first = set(tokenize(words[start:end])) - _PLAIN  # "I'm good on the flush"
    named = [u for u in told if first & set(tokenize(u.spoken))]
    gone = {id(u) for u in named or told}
    kept = [u for u in units if id(u) not in gone]
    asker = next((s for s in reversed(before) if not s.agent), None)
    if kept and kept[-1].said is asker and _ASKS.search(kept[-1].text) and not hard(kept[-1].text):
        kept.pop()
    return kept


_PLAIN = set(
    tokenize("i im i'm good on the a an it that for no nah to of we you is just only 我就")
)
_ASKS = re.compile(r"[?？]\W*$|[吗呢么嘛]\W*$|能不能|可不可以")


def _answered(fresh: list[Unit], asked: str, said: Said, asker: Said) -> list[Unit]:
    """Tell an answer with its question: what a yes confirms, or what a few words are of."""
    first = fresh[0] if fresh else None
    if YES.match(said.text) and binds(asked) and len(asked) > BRIEF:
        text = without_former(asked)
        text = resolve_dates(text, said.when) if said.when else text
        bare = first is not None and not re.search(r"\w", YES.sub("", first.text, count=1))
        return [Unit(said, text, asked, "", True, (asker.id, said.id)), *fresh[bare:]]
    question = answered(asked, first.text) if first else ""
    if first and question and is_fragment(first.text) and not says_no(first.text):
        first.question = resolve_dates(question, said.when) if said.when else question
        first.ids = (asker.id, *first.ids)
    return fresh


_SOON = 6  # turns in which a customer may still come to speak of what is offered


def _to_the_matter(fresh: list[Unit], before: Sequence[Said], soon: Sequence[Said]) -> list[Unit]:
    """Leave of an agent's turn what is no advertisement and no answer to an idle question."""
    spoken = [*(s for s in before if not s.agent), *soon]
    told = {word for s in spoken for word in content(s.text.lower())}
    fresh = [u for u in fresh if not _calls_by_name(u.text)]
    fresh = [u for u in fresh if u is fresh[0] or not strays(u.spoken, told)]
    if before and ends_idle(before[-1].text):
        fresh = [unit for unit in fresh if _PROMISE.search(unit.text)]
    timed = bool(before) and not before[-1].agent and asks_when(before[-1].text)
    for unit in fresh:
        unit.timed = timed
    return fresh


def _calls_by_name(sentence: str) -> bool:
    """Whether an agent's sentence only greets, thanks or says sorry to somebody."""
    return bool(_ADDRESSES.fullmatch(strip_fillers(sentence)) or _THANKED.fullmatch(sentence))


_THANKED = re.compile(
    r"\W*(?:(?:many )?thanks|thank you|hi|hello|hey|sorry|great|perfect|got it|okay|ok|no worries"
    r"|welcome(?: back)?|of course|sure|understood|good \w+)(?: so much| very much| again)?[,!.]? "
    r"(?-i:[A-Z][a-z'’-]+)(?: (?-i:[A-Z][a-z'’-]+))?[\W_]*",
    re.I,
)
_ADDRESSES = re.compile(
    r"(?:you'?re|you are) (?:very |most )?welcome(?:,? [A-Z]?[a-z'’-]+)?[\W_]*|"
    r"(?:(?:good )?(?:morning|afternoon|evening|day) |(?:hi|hello|hey|dear|welcome(?: back)?) )?"
    r"(?:(?:mr|mrs|ms|miss|dr|prof)\.? [A-Za-z'’-]+(?: [A-Z][A-Za-z'’-]+)?|[\u4e00-\u9fff]{1,3}"
    r"(?:先生|女士|小姐|太太|老师|阿姨|叔叔|[总哥姐])(?:[您你]?好)?)[\W_]*",
    re.I,
)  # "Thank you, Mrs Sello"


def _left_of(units: list[Unit], turns: Sequence[Said], index: int) -> list[Unit]:
    """Leave of the agent's last turn what the reply to it doesn't set aside."""
    answer, reply = turns[index - 1], turns[index].raw
    confirmed = turns[index + 1].text if index + 1 < len(turns) else ""
    marks = put_aside(reply) + replaced(answer.text, reply, confirmed)
    if deed := called_off(reply):
        units = [u for u in units if u.said is not answer or not deed.search(u.spoken)]
    for unit in units:
        if marks and unit.said is answer and holds_any(unit.spoken, marks):
            unit.text, unit.spoken = without(unit.text, marks), without(unit.spoken, marks)
    return [u for u in units if u.text and u.spoken]


def _offers(unit: Unit, said: Said, days: Sequence[str]) -> bool:
    return unit.said is said and any(day in unit.spoken.lower() for day in days)


def _disowned(units: list[Unit], answer: Said) -> list[Unit]:
    """Drop what the agent named and the customer says isn't theirs, wherever it was said."""
    named = [x for x in key_literals(answer.text) if len(re.sub(r"\D", "", x)) > 3 or "@" in x]
    return [
        u for u in units
        if not (u.said is answer and hard(u.text)) and not any(x in u.spoken for x in named)
    ]  # fmt: skip


def _of_message(
    said: Said,
    words: str,
    scanned: Mapping[str, Sequence[Finding]],
    before: Said | None,
    spoken_of: Spoken,
    met: bool = False,
) -> list[Unit]:
    fresh: list[Unit] = []
    met = met or (not said.agent and before is not None and before.agent and asks_who(before.text))
    for spoken in statements(words, said.agent, scanned.get(words), met):
        text = spoken
        if said.when:
            text = resolve_dates(spoken, said.when, spoken_of[0], weekday=spoken_of[1])
        adds = hard(text) and not (quotes(text) or prices(text)) if said.agent else True
        adds = adds and not (said.agent and text.rstrip().endswith(("?", "？")))  # it would ask too
        if text and fresh and adds and is_fragment(text):
            last, joint = fresh[-1], glue(text)
            last.text = f"{last.text.rstrip(_ENDS)}{joint}{text}"
            last.spoken = f"{last.spoken.rstrip(_ENDS)}{joint}{spoken}"
            last.ids = tuple(dict.fromkeys((*last.ids, *said.ids(spoken))))
        elif text:
            fresh.append(Unit(said, text, spoken, ids=said.ids(spoken)))
            told = stated(text) if said.agent and text.rstrip().endswith(("?", "？")) else ""
            if told:
                fresh.append(Unit(said, told, stated(spoken), ids=said.ids(spoken)))
    asked = before is not None and before.agent and not said.agent and asks_secret(before.text)
    return fresh[1:] if asked and fresh and is_fragment(fresh[0].text) else fresh

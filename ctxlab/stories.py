"""Tell synthetic support conversations from phrase banks, with the truth about each of them.

Wordings and plots are data (``datasets/support/phrases``): a *bank* says in how many ways each
speech act can be worded, a *plot* is a list of steps. This module is the small machine between
them. One ``random.Random`` decides everything, so a seed fixes every byte.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from .errors import DataError

__all__ = ["SENSITIVE", "TABLES", "Bank", "Phrases", "Row", "Slots", "Teller", "fill", "lift"]

Slots = dict[str, Any]
Row = dict[str, Any]
TABLES = ("customers", "sessions", "memories", "pairs", "statements", "sensitive", "checks")
SENSITIVE = ("health", "payment", "government_id", "credential", "contact", "special", "minor")

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_MARK = re.compile(r"<(\w+):([^<>]*)>")
_LITERAL = re.compile(r"(\{\w+\}|<[^<>]*>)")


@dataclass(frozen=True)
class Bank:
    """All data of one language: the world, wordings by speech act, question-and-answer pairs."""

    lang: str
    world: dict[str, Any]
    acts: dict[str, list[str]]
    pairs: dict[str, list[list[list[str]]]]
    stories: dict[str, Any]


def fill(template: str, slots: Slots) -> str:
    """Put the slots' values into ``{name}`` places."""
    return _SLOT.sub(lambda match: str(slots[match[1]]), template)


def _soften(text: str) -> str:
    """Begin a text small, as after a comma, unless it begins with a slot, a name or "I"."""
    return text[0].lower() + text[1:] if re.match(r"[A-Z][a-z]", text) else text


def lift(text: str) -> tuple[str, list[dict[str, Any]]]:
    """Take ``<label:words>`` marks out of a text; return it with the labelled spans.

    Example
    -------
    >>> lift("call <contact:555-0100> now")[1]
    [{'start': 5, 'end': 13, 'category': 'contact', 'text': '555-0100'}]
    """
    spans: list[dict[str, Any]] = []
    clean, last = "", 0
    for match in _MARK.finditer(text):
        clean += text[last : match.start()]
        start = len(clean)
        clean, last = clean + match[2], match.end()
        spans.append({"start": start, "end": len(clean), "category": match[1], "text": match[2]})
    return clean + text[last:], spans


class Phrases:
    """Words speech acts, each wording once before any comes twice; ``rng`` is the only chance."""

    def __init__(self, bank: Bank, rng: Random) -> None:
        self.bank, self.rng = bank, rng
        self._bags: dict[str, list[Any]] = {}

    def draw(self, key: str, options: list[Any]) -> Any:
        """Take the next of a shuffled bag, and shuffle anew when it is empty."""
        bag = self._bags.get(key)
        if not bag:
            bag = self._bags[key] = list(options)
            self.rng.shuffle(bag)
        return bag.pop()

    def template(self, act: str) -> str:
        """Choose a wording of an act and settle its ``[one|other]`` alternatives."""
        if act not in self.bank.acts:
            raise DataError(f"the {self.bank.lang} phrase bank has no wording for {act!r}")
        return self.settle(self.draw(act, self.bank.acts[act]))

    def settle(self, text: str) -> str:
        """Decide every ``[one|other]``, the innermost first."""
        while match := _CHOICE.search(text):
            chosen = self.rng.choice(match[1].split("|"))
            text = text[: match.start()] + chosen + text[match.end() :]
        return text

    def roughen(self, template: str, style: dict[str, Any]) -> str:
        """Give a template a customer's manner: slips, small letters, a filler before or after.

        Slots and marked spans stay as they are: a check may ask for them to the letter.
        """
        world, rng = self.bank.world, self.rng
        parts = _LITERAL.split(template)
        if style["lower"]:
            parts[::2] = [part.lower() for part in parts[::2]]
        if rng.random() < style["typo"]:
            slips = [
                item for item in world["typos"].items() if any(item[0] in p for p in parts[::2])
            ]
            if slips:
                good, bad = rng.choice(slips)
                parts[::2] = [part.replace(good, bad, 1) for part in parts[::2]]
        text = "".join(parts)
        if rng.random() < style["lead"]:
            text = rng.choice(world["leads"]) + _soften(text)
        if rng.random() < style["tail"] and text[-1] not in world["stops"]:
            text += rng.choice(world["tails"])
        return text

    def join(self, templates: list[str]) -> str:
        """Run several templates together as one message."""
        text = templates[0]
        for template in templates[1:]:
            if text[-1] in self.bank.world["stops"]:
                text += " " if self.bank.lang == "en" else ""
            else:
                text += self.rng.choice(self.bank.world["joins"])
            text += _soften(template) if text.endswith((", ", "- ")) else template
        return text


class Teller:
    """Plays plots with customers and keeps what was said, and the truth about it, as rows."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases, self.rng = phrases, phrases.rng
        self.stories = phrases.bank.stories
        labels = self.stories["labels"].items()
        self.labels = {act: label.split() for label, acts in labels for act in acts}
        self.rows: dict[str, list[Row]] = {name: [] for name in TABLES}
        self._said: set[str] = set()

    def begin(self, slots: Slots) -> None:
        """Turn to a new customer."""
        self.slots, self.past = slots, list[Row]()
        self._latest: dict[tuple[str, ...], Row] = {}
        rng = self.rng
        self.style = {
            "lower": self.phrases.bank.lang == "en" and rng.random() < 0.2,
            "typo": rng.choice([0.0, 0.1, 0.3]),
            "lead": rng.choice([0.0, 0.05, 0.2]),
            "tail": rng.choice([0.0, 0.0, 0.2]),
        }

    def play(self, plot: dict[str, Any], start: datetime) -> datetime:
        """Play one session and return when it ended."""
        self.messages: list[Row] = []
        self.plot, self.clock, self.start = plot, start, start
        self.session_id = f"{self.slots['user_id']}-S{len(self.past) + 1}"
        self.state: list[Row] = []
        self._run(plot["steps"])
        row = {
            "session_id": self.session_id,
            "user_id": self.slots["user_id"],
            "account_id": self.slots["account"] or None,
            "agent": plot["agent"],
            "scenario": plot["scenario"],
            "started": self.messages[0]["time"],
            "ended": self.messages[-1]["time"],
            "turns": sum(message["role"] == "user" for message in self.messages),
            "state": self.state,
            "messages": self.messages,
        }
        self.past.append(row)
        self.rows["sessions"].append(row)
        return self.clock

    def ask(self, name: str, when: datetime, agent: str) -> None:
        """Add a check that asks in a new session, after the last one that was played."""
        last = self.past[-1]
        self._put(name, when, agent, last["session_id"], last["messages"][-1]["id"], turns=0)

    def list_wordings(self, casts: list[Slots]) -> None:
        """Add every wording of labelled acts, of disclosures and of their clean look-alikes."""
        for act, wordings in self.phrases.bank.acts.items():
            secret = act == "clean" or act.startswith("u.s.")
            for wording in wordings if secret or act in self.labels else []:
                text, spans = lift(fill(self.phrases.settle(wording), self.rng.choice(casts)))
                self._label(text, act)
                row: Row = {"text": text, "spans": spans, "message_id": None}
                self.rows["sensitive"] += [row] * secret

    def _label(self, text: str, act: str) -> None:
        if act not in self.labels or text in self._said:
            return
        self._said.add(text)
        speaker = "agent" if act.startswith("a.") or act.endswith(".a") else "customer"
        columns = ("text", "speaker", "kind", "actionability", "audience", "act")
        row = dict(zip(columns, (text, speaker, *self.labels[act], act), strict=True))
        self.rows["statements"].append(row)

    # Steps. Each takes the rest of its line and, for some, who speaks.

    def _run(self, steps: list[str]) -> None:
        for step in steps:
            verb, _, rest = step.partition(" ")
            verb, _, who = verb.partition("@")
            getattr(self, "_" + verb)(rest, who)

    def _do(self, beat: str, who: str) -> None:
        self._run(self.stories["beats"][beat])

    def _user(self, acts: str, who: str) -> None:
        names = fill(acts, self.slots).split("+")
        self._utter([self.phrases.template(name) for name in names], names, "user", who)

    def _agent(self, act: str, who: str) -> None:
        self._utter([self.phrases.template(act)], [act], "assistant", who)

    def _utter(self, templates: list[str], acts: list[str], role: str, who: str) -> None:
        if role == "user":
            calm = acts[0].startswith(("u.hi", "u.rage", "small"))  # no "um" before a greeting
            first = self.style | ({"lead": 0, "tail": 0} if calm else {})
            styles = [first, *[self.style | {"lead": 0}] * (len(templates) - 1)]
            templates = list(map(self.phrases.roughen, templates, styles))
        text, spans = lift(fill(self.phrases.join(templates), self.slots))
        extra = {"name": self.slots[who]} if who else {}
        last = self.messages[-1] if self.messages else {"role": ""}
        if role == last["role"] == "assistant" and "tool_calls" not in last:
            last["content"] += ("" if self.phrases.bank.lang == "zh" else " ") + text
        else:
            self._add({"role": role, **extra, "content": text})
        self.slots |= {span["category"]: span["text"] for span in spans}
        spans = [span for span in spans if span["category"] in SENSITIVE]
        if spans:
            source = self.messages[-1]["id"]
            self.rows["sensitive"].append({"text": text, "spans": spans, "message_id": source})
        leaks = [span["text"] for span in spans if span["category"] != "contact"]
        self.slots |= {"leaked": leaks[-1]} if leaks else {}
        self._label(text, "+".join(acts))

    def _add(self, message: Row) -> None:
        if self.messages:
            low, high = _PACE[message["role"]]
            self.clock += timedelta(seconds=self.rng.randrange(low, high))
        mark = f"{self.session_id}-m{len(self.messages) + 1:03d}"
        self.messages.append({"id": mark, "time": self.clock.isoformat(), **message})

    def _tools(self, names: str, who: str) -> None:
        calls: list[Row] = []
        results: list[tuple[str, str]] = []
        for name in names.split():
            tool, arguments, result = self.stories["tools"][name]
            call_id = f"call_{self.session_id}_{len(self.messages) + 1:03d}_{len(calls) + 1}"
            function = {"name": tool, "arguments": _json(arguments, self.slots)}
            calls.append({"id": call_id, "type": "function", "function": function})
            results.append((call_id, _json(result, self.slots)))
        words = self.phrases.template("a.wait") if self.rng.random() < 0.5 else None
        self._add({"role": "assistant", "content": words, "tool_calls": calls})
        for call_id, content in results:
            self._add({"role": "tool", "tool_call_id": call_id, "content": content})

    def _state(self, rest: str, who: str) -> None:
        key, _, value = fill(rest, self.slots).partition("=")
        self.state.append({"message_id": self.messages[-1]["id"], "key": key, "value": value})

    def _set(self, rest: str, who: str) -> None:
        key, _, value = rest.partition("=")
        self.slots[key] = fill(value, self.slots)

    def _swap(self, rest: str, who: str) -> None:
        for key in ("order", "product", "colour", "amount", "tracking", "ordered"):
            self.slots[key], self.slots[key + "2"] = self.slots[key + "2"], self.slots[key]

    def _fill(self, rest: str, who: str) -> None:
        count, *groups = rest.split()
        pairs = self.phrases.bank.pairs
        options = [(group, pair) for group in groups for pair in pairs[group]]
        for _ in range(int(count)):
            # A bag for each session: nobody asks the same thing twice in one conversation.
            group, pair = self.phrases.draw(f"{self.session_id} {groups}", options)
            for side, wordings in zip(self.stories["pairs"][group], pair, strict=True):
                template = self.phrases.settle(self.rng.choice(wordings))
                role, name = ("user", who) if side == "u" else ("assistant", "")
                self._utter([template], [f"{group}.{side}"], role, name)

    def _remember(self, name: str, who: str) -> None:
        values = [fill(value, self.slots) for value in self.stories["memories"][name]]
        spec = dict(zip(_MEMORY, values, strict=True))
        act = fill("m.pref.{pref}", self.slots) if name == "pref" else "m." + name
        owner = self.slots["account" if spec["scope"] == "account" else "user_id"]
        entity = f"{spec['scope']}:{owner}"
        key = (entity, spec["attribute"], spec["subject"])
        old = self._latest.get(key)
        if old and old["value"] == spec["value"]:
            return
        role = "assistant" if spec["kind"] == "commitment" else "user"
        source = next(m for m in reversed(self.messages) if m["role"] == role)
        row: Row = {"memory_id": f"M{len(self.rows['memories']) + 1:04d}", "entity": entity}
        row |= {"agent": self.plot["agent"]} | {column: spec[column] for column in _MEMORY[:3]}
        row |= {"text": fill(self.phrases.template(act), self.slots)}
        row |= {column: spec[column] for column in _MEMORY[3:5]}
        row |= {"session_id": self.session_id, "message_ids": [source["id"]]}
        row |= {"valid_from": source["time"], "superseded_by": None}
        if old:
            old["superseded_by"] = row["memory_id"]
            self._relate(old["text"], row["text"], "supersede", spec["attribute"])
        self._latest[key] = row
        self.rows["memories"].append(row)
        self._relatives(act, row)

    def _relatives(self, act: str, row: Row) -> None:
        """Add what a note may be confused with: other wordings, less of it, its near ones."""
        text, attribute = row["text"], row["attribute"]

        def word(kind: str) -> str:
            return fill(self.phrases.template(act + kind), self.slots)

        if (again := word("")) != text:
            self._relate(text, again, "duplicate", attribute)
        if act + ".less" in self.phrases.bank.acts:
            self._relate(word(".less"), text, "supplement", attribute)
        if act + ".near" in self.phrases.bank.acts:
            self._relate(text, word(".near"), "distinct", attribute)

    def _relate(self, old: str, new: str, relation: str, attribute: str) -> None:
        row = {"old": old, "new": new, "relation": relation, "attribute": attribute}
        self.rows["pairs"].append(row)

    def _check(self, name: str, who: str) -> None:
        turns = sum(message["role"] == "user" for message in self.messages)
        after = self.messages[-1]["id"]
        when = self.clock + timedelta(seconds=5)
        self._put(name, when, self.plot["agent"], self.session_id, after, turns)

    def _before(self, name: str, who: str) -> None:
        self.ask(name, self.start - timedelta(minutes=1), self.plot["agent"])

    def _put(
        self, name: str, when: datetime, agent: str, session_id: str, after: str, turns: int
    ) -> None:
        spec = self.stories["checks"][name]
        must = [fill(literal, self.slots) for literal in spec["must"]]
        must_not = [fill(literal, self.slots) for literal in spec.get("must_not", [])]
        question = self.phrases.template(fill(spec["q"], self.slots))
        hard = not 0 < turns <= 50 or not _within(must + must_not, self.messages)
        layer = spec["layer"]
        if layer == "recent":
            layer = "session" if _within(must, _tail(self.messages, turns=20)) else "summary"
            layer = layer if turns else "semantic"
        self.rows["checks"].append(
            {
                "check_id": f"C{len(self.rows['checks']) + 1:03d}",
                "name": name,
                "sign": spec.get("sign", ""),
                "difficulty": "hard" if hard else "medium" if turns > 10 else "simple",
                "scenario": self.plot["scenario"],
                "user_id": self.slots["user_id"],
                "session_id": session_id,
                "after_message": after,
                "new_session": not turns,
                "agent": spec.get("as", agent),
                "time": when.isoformat(),
                "question": fill(question, self.slots),
                "must": must,
                "must_not": must_not,
                "expected_route": _route(turns + 1, spec.get("refers", False)),
                "layer": layer,
                "why": spec["why"],
            }
        )


_MEMORY = ("kind", "attribute", "value", "actionability", "audience", "scope", "subject")
# Seconds between a message and the one before it, by who writes.
_PACE = {"user": (8, 95), "assistant": (4, 40), "tool": (1, 3)}


def _json(template: Row, slots: Slots) -> str:
    filled = {k: fill(v, slots) if isinstance(v, str) else v for k, v in template.items()}
    return json.dumps(filled, ensure_ascii=False)


def _within(literals: list[str], messages: list[Row]) -> bool:
    text = "\n".join(message["content"] or "" for message in messages)
    return all(literal in text for literal in literals)


def _tail(messages: list[Row], turns: int) -> list[Row]:
    starts = [place for place, message in enumerate(messages) if message["role"] == "user"]
    return messages[starts[-turns] :] if len(starts) > turns else messages


def _route(turns: int, refers: bool) -> str:
    # R60: a reference to the past outweighs the length; between 10 and 20 turns all of it fits.
    if refers or turns > 50:
        return "RETRIEVAL"
    return "SUMMARY" if turns > 20 else "EXHAUSTIVE"

"""A second opinion on disclosures: fitted heads read a message clause by clause.

Lists of words miss what is only implied ("I read lips, so a call is no good") and accuse figures
of speech. The head knows meaning and wording; the rules know names and what stands around them,
and what they say is among the head's inputs. It decides, at thresholds chosen by cross-validation.

To know a meaning costs a millisecond, so a smaller head reads the wording first, and of most
clauses ("where is my parcel") it is sure that they tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ctxlab.language.heads import Grams, load_head
from ctxlab.language.neighbours import Neighbours, load_neighbours
from ctxlab.language.sensitive_numbers import Hit
from ctxlab.language.sensitive_topics import RULED_OUT, SIGNALS, STRONG, signals
from ctxlab.language.text import clause_spans, tokenize
from ctxlab.models.embedding import get_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "TOPICS",
    "grams",
    "inputs",
    "meanings",
    "pieces",
    "stretches",
    "weigh",
    "weigh_many",
]

TOPICS = ("health", "special", "minor")

# What a hit of a rule needs from the head; an age beside a child's name hardly errs.
_BELIEVED = {"health": 0.38, "special": 0.44, "minor": 0.28}
_DOUBTED = 0.62  # the same where something beside it speaks against it
_OUTRIGHT, _SAID_OUTRIGHT = 0.8, 0.6  # "my wife's allergic to …": a person and an illness
_LEAST_TERMS = 3  # words, or pairs of Chinese characters
_ALONE = 0.48  # what a clause needs from it where no rule fires
_NOT_OF_PEOPLE = 0.15  # how much more where a thing or an animal is spoken of
_CUT_OUT = 0.2  # the same for a stretch, which says less without the rest
_PLAIN = 0.75  # the same for a very short one: 腰扭了
_WHOLLY = 0.6  # the same for what is left of the clause behind a hit
_REST = 40  # characters of it at most
_LEAD_ZH = 14  # the same before a hit, in Chinese
_CHINESE = re.compile("[\u3400-\u9fff]")
_CONNECTIVE = re.compile(
    r"(?:so|because|cos|but|and|whenever|while|unless|when|if|since|as|which|where) ", re.IGNORECASE
)
_GOES_ON = 0.2  # the same beside a clause that discloses the same
_MOST_CLAUSES = 48  # of a long text only so many are read, first those that a rule points at
_READ = 300  # characters of a clause
# To the embedder "I'm deaf." is far from "I'm deaf": what stands at the edges isn't read.
_EDGES = " .,:;!?。，、：；！？…~～\"'“”‘’()（）[]*-"
# The chance that a clause discloses something, by its wording, from which its meaning is looked
# at. On texts of other fields one clause in five of harmless talk passes, and of those that the
# other head convicts 99.7 in a hundred.
_WORTH_A_LOOK = 0.05
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]")
# English runs on where Chinese sets a comma: "I was at evensong so I missed your call".
_PERSON = r"(?:i|we|he|she|they|you|it|the|my|our|his|her|your|there)(?:'\w+)?"
_JOIN = re.compile(
    r"(?<=\w) (?=(?:so(?! (?:much|many|far|long|bad|that))|because|cos|but|whenever|while|unless|"
    rf"every time|(?:and|when|if|since|before|after|until|till|which|where) {_PERSON}|"
    r"and (?:can|could|need|want|don't|now|please|would|will|that's))\b)",
    re.IGNORECASE,
)
# Speech written down has no marks at all: a new turn begins with whom or what it asks.
_TURN = re.compile(
    r"(?<=\w) (?=(?:(?:can|could|would|will|do|did) (?:you|i|we|u|ye|someone)|is (?:there|it)|"
    r"are there|please|how (?:much|many|long|do)|what time|where (?:is|do)|i (?:need|want)|"
    r"i'?d like)\b)",
    re.IGNORECASE,
)
_TURN_ZH = re.compile(
    "(?<=[了呢呗吧吗嘛啊呀哈哦啦咯喽])(?=[你您我俺咱他她那这要能可请麻帮给所但不想有是就别先还退把让叫快怎"
    "什都因买送安师合换打])|(?<=[\u4e00-\u9fff])(?=你们|你[给能帮]|您[给能帮]|能不能|可不可以|可以|麻烦|"
    "帮我|请问|请[把给让]|所以|但是|想[买要问]|要不|是不是|有没有|别[让给送打来]|那个?[床款种件台张])"
)
_LEAST_ZH = 4  # characters on each side of such a turn
# Where a clause is longer than so many words, or characters, stretches of it are read as well.
_LONG, _WIDE, _STEP = 9, 7, 3
_LONG_ZH, _WIDE_ZH, _STEP_ZH = 15, 10, 5
_WORD, _HAN = re.compile(r"\S+"), re.compile("[\u3400-\u9fff]")
_CONDITION = re.compile(
    "(?:if|when|whenever|every time|unless|until|till|since|after|before|while) ", re.IGNORECASE
)
_OTHERS = (SIGNALS.index("thing"), SIGNALS.index("animal"))
_LEAST_WORDS = 3  # on each side of such a joint
_BEGINNINGS, _END = (4, 5, 6), 4  # letters of a word that stand for its family


def weigh(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """Confirm, drop and add to what the rules found in a text's normal form.

    Parameters
    ----------
    text : str
        The normal form that ``hits`` refer to.
    hits : sequence of Hit
        From :func:`ctxlab.language.sensitive_topics.find_topics`, weak ones included.
    """
    return weigh_many([text], [hits])[0]


def weigh_many(texts: Sequence[str], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
    """Weigh the hits of many texts; what is read of them is embedded in one batch.

    None of it stays in the embedder's cache.
    """
    clauses = [_worth_reading(text, found) for text, found in zip(texts, hits, strict=True)]
    read = [t[start:end] for t, spans in zip(texts, clauses, strict=True) for start, end in spans]
    said = [
        row
        for text, found, spans in zip(texts, hits, clauses, strict=True)
        for row in signals(text, spans, found)
    ]
    pointed = [
        any(hit.start < end and start < hit.end for hit in found)
        for found, spans in zip(hits, clauses, strict=True)
        for start, end in spans
    ]
    chances, head = _chances(read, said, pointed), load_head("disclosure")
    weighed, at = [], 0
    for text, found, spans in zip(texts, hits, clauses, strict=True):
        part = slice(at, at + len(spans))
        weighed.append(_judge(text, found, _Read(spans, chances[part], said[part], head.classes)))
        at += len(spans)
    return weighed


def _chances(
    read: Sequence[str], said: Sequence[Sequence[float]], pointed: Sequence[bool]
) -> NDArray[np.float32]:
    """Give the chance of each class: float32 (clauses, classes); none where nothing is told."""
    import numpy as np

    head = load_head("disclosure")
    chances = np.zeros((len(read), len(head.classes)), np.float32)
    if not read:
        return chances
    words = [Grams(grams(piece)) for piece in read]  # hashed once for both heads
    dense = np.array(said, np.float32).reshape(-1, len(SIGNALS))
    likely = load_head("wording").yes(dense, words) >= _WORTH_A_LOOK
    looked = [int(row) for row in np.flatnonzero(likely | np.array(pointed))]
    if looked:
        part = [read[row] for row in looked]
        chances[looked] = head.probabilities(
            inputs(meanings(part), [said[row] for row in looked], load_neighbours("neighbours")),
            [words[row] for row in looked],
        )
    return chances


class _Read(NamedTuple):
    """The clauses of a text and stretches of long ones, and what rules and head say of them."""

    clauses: Sequence[tuple[int, int]]
    chances: NDArray[np.float32]
    said: Sequence[Sequence[float]]
    classes: Sequence[str]

    def of(self, i: int, category: str) -> float:
        """Give the chance that a clause discloses something of a category."""
        return float(self.chances[i, self.classes.index(category)])

    def within(self, i: int) -> bool:
        """Tell whether it is a stretch of another clause."""
        start, end = self.clauses[i]
        return any(s <= start and end <= e and (s, e) != (start, end) for s, e in self.clauses)


def _judge(text: str, hits: Sequence[Hit], read: _Read) -> list[Hit]:
    if not read.clauses:
        return [hit for hit in hits if hit.confidence >= STRONG]
    kept: list[Hit] = []
    judged: set[tuple[int, str]] = set()  # clauses where a rule has spoken
    told: set[int] = set()  # and where what it says is kept
    for hit in hits:
        beside = [
            i for i, (start, end) in enumerate(read.clauses) if start < hit.end and hit.start < end
        ]
        judged.update((i, hit.category) for i in beside)
        chance = max((read.of(i, hit.category) for i in beside), default=None)
        needed = _BELIEVED[hit.category] if hit.confidence >= STRONG else _DOUBTED
        needed *= _SAID_OUTRIGHT if hit.category == "health" and hit.confidence >= _OUTRIGHT else 1
        enough = hit.confidence >= STRONG if chance is None else chance >= needed
        if enough and hit.confidence > RULED_OUT:
            start, end = hit.start, hit.end
            if chance is not None and chance >= _WHOLLY:
                start = min(start, *(_lead_of(text, read.clauses[i], hit) for i in beside))
                end = max(end, *(_rest_of(text, read.clauses[i], hit) for i in beside))
            sure = max(STRONG, hit.confidence)
            kept.append(hit._replace(start=start, end=end, confidence=sure))
            told.update(i for i in beside if chance is not None)
    for i, (start, end) in enumerate(read.clauses):
        topic = max(TOPICS, key=lambda name: read.of(i, name))
        if i not in told and (i, topic) not in judged and _sure(read, i, topic, text[start:end]):
            kept.append(Hit(start, _condition_ends(text, read.clauses, i), topic, "wording", 0.55))
    return kept + list(_beside(text, kept, read))


_EMPTY = frozenset("is was are the a an of to and it".split())


def _sure(read: _Read, i: int, topic: str, clause: str) -> bool:
    """Tell whether a clause in which no rule fires discloses something all the same."""
    said, chance = read.said[i], read.of(i, topic)
    needed = _ALONE + _NOT_OF_PEOPLE * any(said[place] for place in _OTHERS)
    needed += _CUT_OUT * read.within(i)
    # Two or three signs mean little to an embedder: a head alone needs a clause to read.
    words = tokenize(clause)
    terms = len(words)
    if all(word in _EMPTY or any(map(str.isdigit, word)) for word in words):
        return False  # "note11 is 11" tells of nobody
    long_enough = terms >= _LEAST_TERMS or (terms == _LEAST_TERMS - 1 and chance >= _PLAIN)
    return chance >= needed and long_enough


def _lead_of(text: str, clause: tuple[int, int], hit: Hit) -> int:
    """Give where it begins: with its clause, if that is short and its lead holds no number."""
    start, end = clause
    lead = _CONNECTIVE.match(text, start, hit.start)
    begin = lead.end() if lead else start
    before = text[begin : hit.start]
    inside = start <= hit.start and hit.end <= end and begin <= hit.start
    short = len(before) <= (_LEAD_ZH if _CHINESE.search(before) else _REST)
    return begin if inside and short and not re.search(r"\d{2}", before) else hit.start


def _rest_of(text: str, clause: tuple[int, int], hit: Hit) -> int:
    """Give where what a trigger began ends: with its clause, if little is left and no number."""
    start, end = clause
    rest = text[hit.end : end]
    inside = start <= hit.start and hit.end <= end
    return end if inside and len(rest) <= _REST and not re.search(r"\d", rest) else hit.end


def _beside(text: str, kept: Sequence[Hit], read: _Read) -> Iterator[Hit]:
    """Take in clauses next to one that discloses, if they may go on: "I don't speak, I sign"."""
    for hit in kept:
        for i, (start, end) in enumerate(read.clauses):
            if read.within(i):
                continue
            apart = text[end : hit.start] if end <= hit.start else text[hit.end : start]
            goes_on = read.of(i, hit.category) >= _GOES_ON
            touching = start >= hit.end or end <= hit.start
            if goes_on and touching and not apart.strip(" ,，、") and len(apart) < 4:
                yield Hit(start, end, hit.category, "wording", 0.5)


def _condition_ends(text: str, clauses: Sequence[tuple[int, int]], at: int) -> int:
    """Take in what a clause hangs on: "I go dizzy" and "if I stand up" are told as one."""
    end = clauses[at][1]
    if at + 1 < len(clauses):
        start, stop = clauses[at + 1]
        if start == end + 1 and _CONDITION.match(text, start):
            return stop
    return end


def pieces(text: str) -> list[tuple[int, int]]:
    """Cut a text into the stretches that are read one by one: clauses, spans in characters.

    Examples
    --------
    >>> text = "I was at evensong so I missed your call, sorry"
    >>> [text[start:end] for start, end in pieces(text)]
    ['I was at evensong', 'so I missed your call', 'sorry']
    """
    spans: list[tuple[int, int]] = []
    for start, end in clause_spans(text):
        begin = start
        for joint in _JOIN.finditer(text, start, end):
            sides = text[begin : joint.start()], text[joint.end() : end]
            if all(side.count(" ") >= _LEAST_WORDS - 1 for side in sides):
                spans.append((begin, joint.start()))
                begin = joint.end()
        spans.append((begin, end))
    return [turn for span in spans for turn in _turns(text, *span)]


def stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give stretches of a clause that runs on, each overlapping the next: few of its words tell.

    Examples
    --------
    >>> text = "couldn't get to the door mate was having the wires in my chest changed"
    >>> [text[start:end] for start, end in stretches(text, 0, len(text))][1]
    'the door mate was having the wires'
    """
    chinese = len(_HAN.findall(text, start, end)) > _LONG_ZH
    words = list((_HAN if chinese else _WORD).finditer(text, start, end))
    wide, step = (_WIDE_ZH, _STEP_ZH) if chinese else (_WIDE, _STEP)
    if len(words) <= (_LONG_ZH if chinese else _LONG):
        return
    for first in range(0, len(words) - wide + step, step):
        last = min(first + wide, len(words)) - 1
        yield words[first].start(), words[last].end()


def _turns(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what runs on without a mark where a new turn of speech begins."""
    begin = start
    for cut in _TURN.finditer(text, start, end):
        sides = text[begin : cut.start()], text[cut.end() : end]
        if all(side.count(" ") >= _LEAST_WORDS - 1 for side in sides):
            yield begin, cut.start()
            begin = cut.end()
    if end - begin >= 2 * _LEAST_ZH and _CHINESE.search(text, begin, end):
        for cut in _TURN_ZH.finditer(text, begin, end):
            if min(cut.start() - begin, end - cut.start()) >= _LEAST_ZH:
                yield begin, cut.start()
                begin = cut.start()
    yield begin, end


def _worth_reading(text: str, hits: Sequence[Hit]) -> list[tuple[int, int]]:
    clauses = [span for span in pieces(text) if any(map(str.isalpha, text[slice(*span)]))]
    if len(clauses) > _MOST_CLAUSES:
        marked = {position for hit in hits for position in range(hit.start, hit.end)}
        pointed = [c for c in clauses if not marked.isdisjoint(range(*c))][:_MOST_CLAUSES]
        clauses = sorted({*pointed, *clauses[: _MOST_CLAUSES - len(pointed)]})
    return clauses + [part for span in clauses for part in stretches(text, *span)][:_MOST_CLAUSES]


def meanings(read: Sequence[str]) -> NDArray[np.float32]:
    """Embed clauses and leave no trace of them in the cache: float32 (clauses, 512)."""
    texts = [piece[:_READ].strip(_EDGES) or piece for piece in read]
    embedder = get_embedder("use")
    try:
        return embedder.encode(texts)
    finally:
        # What may be about to be refused or masked must not stay, and clauses are met once.
        forget = getattr(embedder, "forget", None)
        if forget is not None:
            forget(texts)


def inputs(
    meaning: NDArray[np.float32],
    said: Sequence[Sequence[float]],
    known: Neighbours,
    apart: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Put what the rules say and what a clause resembles beside its meaning.

    Parameters
    ----------
    meaning : numpy.ndarray
        float32 (clauses, 512).
    said : sequence of sequence of float
        Of each clause, what :func:`ctxlab.language.sensitive_topics.signals` gives.
    known : Neighbours
        Known clauses to compare with.
    apart : numpy.ndarray, optional
        bool (clauses, known): those not to compare with.

    Returns
    -------
    numpy.ndarray
        float32 (clauses, features).
    """
    import numpy as np

    rules = np.array(said, np.float32).reshape(-1, len(SIGNALS))
    return np.hstack([meaning, rules, known.likeness(meaning, apart)])


def grams(text: str) -> list[str]:
    """List what a clause is made of: up to three words or four Chinese characters, word parts.

    The beginnings and the end of a long English word stand for its family: "gallbladder" and
    "gallstones", "arthritis" and "tendonitis".
    """
    tokens = ["0" if token.isdigit() else token for token in _TOKEN.findall(text[:_READ].lower())]
    longest = [3 if token.isascii() else 4 for token in tokens]
    found = {
        " ".join(tokens[start : start + length])
        for start in range(len(tokens))
        for length in range(1, longest[start] + 1)
        if start + length <= len(tokens)
    }
    for token in tokens:
        if token.isascii() and len(token) > _END:
            found |= {f"{token[:size]}-" for size in _BEGINNINGS} | {f"-{token[-_END:]}"}
    return sorted(found)

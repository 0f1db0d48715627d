"""The privacy explorer: what is recognised in a sentence, and what of it is ever stored (R91)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Config
from ..config import Privacy as Settings
from ..datasets import load_support
from ..errors import DataError
from ..language.sensitive import CATEGORIES, Finding, mask, scan
from ..mitigations.privacy import ErasureCertificate, PrivacyPolicy
from . import style
from .explorer import Control, Explorer, Words
from .privacy_drawing import draw
from .tables import rows_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PrivacyData", "PrivacyExplorer", "Sentence", "Tally"]

_NAMES: dict[str, Words] = {
    "health": ("health", "健康"),
    "payment": ("payment", "支付"),
    "government_id": ("government id", "证件"),
    "credential": ("credential", "凭据"),
    "contact": ("contact", "联系方式"),
    "special": ("special", "特殊类别"),
    "minor": ("minor", "未成年人"),
}
Piece = tuple[str, int, int]
_DAYS = 30
_ACTIONS = ("refuse", "mask", "days", "keep")
_ACTION_NAMES: tuple[Words, ...] = (
    ("refuse", "拒绝"),
    ("mask", "打码"),
    (f"{_DAYS} days", f"留{_DAYS}天"),
    ("keep", "保留"),
)


@dataclass(frozen=True)
class Sentence:
    """One sentence, what is sensitive in it, and what is recognised.

    Attributes
    ----------
    text : str
        As the customer typed it.
    pieces : tuple of (str, int, int)
        Category, start and end of what is sensitive: as labelled, else as found.
    found : tuple of Finding
        What the scanner finds.
    """

    text: str
    pieces: tuple[Piece, ...]
    found: tuple[Finding, ...]


@dataclass(frozen=True)
class Tally:
    """Sensitive pieces of one category over all sentences.

    Attributes
    ----------
    total : int
        How many there are.
    raw, memory : int
        How many can be read, more than half of each, in stored messages and in memories.
    meant : bool
        Whether policy keeps them.
    """

    total: int
    raw: int
    memory: int
    meant: bool


@dataclass(frozen=True)
class PrivacyData:
    """What becomes of a sentence, and of all of them.

    Attributes
    ----------
    sentence : Sentence
        The one looked at.
    actions : dict
        Category -> ``refuse``, ``mask``, ``days`` or ``keep``.
    on : bool
        Whether the mitigation is on.
    raw : str
        The message as stored.
    memory : str
        The memory as stored; empty if it's refused.
    refused : tuple of str
        Categories for which it is.
    tallies : dict
        Category -> Tally, where there are any.
    labelled : bool
        Whether the pieces are labelled; else what the scanner misses can't be counted.
    certificate : ErasureCertificate, optional
        Of storing the sentence and erasing its customer.
    """

    sentence: Sentence
    actions: Mapping[str, str]
    on: bool
    raw: str
    memory: str
    refused: tuple[str, ...]
    tallies: Mapping[str, Tally]
    labelled: bool
    certificate: ErasureCertificate | None = None

    def count(self, store: str) -> tuple[int, int]:
        """Return (readable, all) pieces that policy doesn't keep, in ``"raw"`` or ``"memory"``."""
        hidden = [tally for tally in self.tallies.values() if not tally.meant]
        return sum(getattr(tally, store) for tally in hidden), sum(t.total for t in hidden)


class PrivacyExplorer(Explorer):
    """Text → spans → policy → what is stored, and the certificate of an erasure.

    Parameters
    ----------
    data : DataFrame, path, or list of str, dict or messages, optional
        Sentences in a column ``text`` (or ``content``: messages will do), and ``spans`` where
        somebody has labelled them: dicts with ``start``, ``end`` and ``category``. None for the
        labelled sentences of the support data.

    Notes
    -----
    What is shown as stored is what `PrivacyPolicy` gives, which every write passes.

    Examples
    --------
    >>> explorer = PrivacyExplorer(["card 4111 1111 1111 1111, please"], lang="en")
    >>> explorer.compute().memory
    'card [payment], please'
    >>> explorer.compute(payment="refuse").refused
    ('payment',)
    """

    title: ClassVar[Words] = (
        "Privacy: what is recognised, and what is ever stored",
        "隐私：认出了什么，存下了什么",
    )
    size: ClassVar[tuple[float, float]] = (5.6, 4.3)

    def load(self, data: Any) -> None:
        """Take sentences."""
        if data is None:
            data = load_support(self.lang).sensitive
        if not isinstance(data, str) and hasattr(data, "columns") and "content" in data.columns:
            data = data.to_dict("records")
        if isinstance(data, Sequence) and not isinstance(data, str):
            data = [_as_text(row) for row in data]
        found = rows_of(data, ("text",), ("spans",))
        self._rows = [(str(row["text"]), _spans(row["spans"], str(row["text"]))) for row in found]
        self.labelled = all(spans is not None for _, spans in self._rows)
        self._erased: dict[str, ErasureCertificate] = {}
        self._typed: dict[str, Sentence] = {}

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, scanned once: about a dozen milliseconds each."""
        return tuple(_sentence(text, spans) for text, spans in self._rows)

    @property
    def controls(self) -> tuple[Control, ...]:
        """Sentence, one's own text, an action for each category, the switch, and erasure."""
        usual = Settings().policy
        actions = [
            Control(c, _NAMES[c], _ACTIONS, str(usual[c]), captions=_ACTION_NAMES, menu=True)
            for c in CATEGORIES
        ]
        numbers = tuple(range(len(self._rows)))
        return (
            Control("sentence", ("sentence", "句子"), numbers, numbers[0], live=True),
            Control("text", ("or type one", "或自己输入"), ("",), "", typed=True),
            *actions,
            Control("privacy", ("privacy on", "隐私保护开启"), (False, True), True),
            Control("erase", ("store, then erase all", "先存储，再彻底删除"), (False, True), False),
        )

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: everything stored as typed. Fixed: the usual policy, on the same sentence."""
        usual = Settings().policy
        hidden = [
            i
            for i, sentence in enumerate(self.sentences)
            if any(usual[f.category] != "keep" for f in sentence.found)
        ]
        at = {"sentence": hidden[0]} if hidden else {}
        return {"broken": {**at, "privacy": False}, "fixed": at}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the switch and the policy."""
        s = self.completed(settings)
        policy = {c: float(_DAYS) if s[c] == "days" else s[c] for c in CATEGORIES}
        return {"mitigations.privacy": s["privacy"], "privacy.policy": policy}

    def compute(self, **settings: Any) -> PrivacyData:
        """Apply the policy to the sentence looked at, and count over all of them."""
        s = self.completed(settings)
        config = Config().with_(self.changes(**s))
        policy = PrivacyPolicy(config.privacy, config.mitigations.privacy)
        sentence = self._chosen(s["sentence"], s["text"])
        raw, memory, refused = _stored(sentence, policy)
        return PrivacyData(
            sentence=sentence,
            actions={c: s[c] for c in CATEGORIES},
            on=s["privacy"],
            raw=raw,
            memory=memory,
            refused=refused,
            tallies=_tallies(self.sentences, policy),
            labelled=self.labelled,
            certificate=self._erase(sentence.text, config) if s["erase"] else None,
        )

    def _chosen(self, at: int, typed: str) -> Sentence:
        if not typed.strip():
            return self.sentences[at]
        if typed not in self._typed:
            self._typed[typed] = _sentence(typed, None)
        return self._typed[typed]

    def _erase(self, text: str, config: Config) -> ErasureCertificate:
        """Say the sentence in a session of a real engine, remember it, and erase the customer."""
        from ..clock import ManualClock
        from ..engine import ContextEngine

        key = f"{text}{config.privacy}{config.mitigations.privacy}"
        if key not in self._erased:
            clock = ManualClock("2026-01-05T09:00:00+00:00")
            with ContextEngine("sqlite://", config, clock=clock, embedder=None) as engine:
                session = engine.open_session(user_id="U001")
                session.add({"role": "user", "content": text})
                engine.memory.write(text, entity="customer:U001", agent="support", kind="fact")
                said = {"by": "privacy office", "reason": "the customer asked"}
                self._erased[key] = engine.memory.erase("customer:U001", **said)
        return self._erased[key]

    def readout(self, data: PrivacyData) -> str:
        """Say what was found, what is stored, and what of all sentences can still be read."""
        say = self.say
        zh = self.lang == "zh"
        found = {f.category: data.actions[f.category] for f in data.sentence.found}
        what = ("、" if zh else ", ").join(
            f"{_NAMES[c][zh]} → {_name(action)[zh]}" for c, action in found.items()
        )
        if not data.on:
            text = say("Privacy is off: all is stored as typed. ", "隐私保护关闭：全部原样存储。")
        elif not found:
            text = say("Nothing sensitive is found. ", "没有发现敏感内容。")
        else:
            kept = (
                say("no memory is kept", "不存为记忆")
                if data.refused
                else say(f"remembered as “{data.memory}”", f"记忆存为“{data.memory}”")
            )
            text = say(f"Found: {what}; {kept}. ", f"发现：{what}；{kept}。")
        (raw, total), (memory, _) = data.count("raw"), data.count("memory")
        text += say(
            f"Of {total} pieces to be hidden in {len(self.sentences)} sentences, {raw} can be read "
            f"in stored messages and {memory} in memories.",
            f"{len(self.sentences)} 句中应隐藏的 {total} 处，{raw} 处能在存储的消息里读到，"
            f"{memory} 处能在记忆里读到。",
        )
        done = data.certificate
        if done is not None:
            rows, size = sum(done.counts.values()), sum(done.searched.values())
            text += say(
                f" Erased: {rows} rows; {size:,} bytes searched, {done.residue} pieces left.",
                f" 已删除 {rows} 行；搜查 {size:,} 字节，残留 {done.residue} 处。",
            )
        return text

    def draw(self, data: PrivacyData) -> Figure:
        """Draw the sentence with its spans, what is stored of it, and all sentences' pieces."""
        zh = self.figure_lang == "zh"
        with style.use():
            return draw(data, self.size, zh, {c: _NAMES[c][zh] for c in CATEGORIES})


def _name(action: str) -> Words:
    return _ACTION_NAMES[_ACTIONS.index(action)]


def _as_text(row: Any) -> Any:
    """Let a message pass for a row: what it says is its text."""
    if isinstance(row, Mapping) and "text" not in row and isinstance(row.get("content"), str):
        return {**row, "text": row["content"]}
    return row


def _spans(given: Any, text: str) -> list[Piece] | None:
    """Return labelled spans; None if nobody labelled them."""
    if given is None:
        return None
    try:
        spans = json.loads(given) if isinstance(given, str) else list(given)
        made = [(str(s["category"]), int(s["start"]), int(s["end"])) for s in spans]
    except (ValueError, TypeError, KeyError) as error:
        raise DataError(f"spans of {text[:40]!r}: want start, end, category ({error})") from error
    for category, start, end in made:
        if category not in CATEGORIES:
            raise DataError(f"category {category!r} is none of {', '.join(CATEGORIES)}")
        if not 0 <= start < end <= len(text):
            raise DataError(f"span {start} to {end} isn't within the text: {text[:40]!r}")
    return made


def _sentence(text: str, spans: list[Piece] | None) -> Sentence:
    found = tuple(scan(text))
    pieces = [(f.category, f.start, f.end) for f in found] if spans is None else spans
    return Sentence(text, tuple(pieces), found)


def _masked(found: Iterable[Finding], policy: PrivacyPolicy) -> tuple[list[Finding], list[Finding]]:
    """Return the findings masked in messages, and those masked in memories."""
    found, hidden = list(found), policy.raw_categories()
    if not policy.on:
        return [], []
    raw = [f for f in found if f.category in hidden]
    return raw, [f for f in found if policy.action(f.category) == "mask"]


def _refused(sentence: Sentence, policy: PrivacyPolicy) -> tuple[str, ...]:
    found = {f.category for f in sentence.found} if policy.on else set()
    return tuple(sorted(c for c in found if policy.action(c) == "refuse"))


def _stored(sentence: Sentence, policy: PrivacyPolicy) -> tuple[str, str, tuple[str, ...]]:
    """Return the message and the memory as stored, and what the memory is refused for.

    The same as ``mask_message`` and ``policy.screen``, which would scan the text again.
    """
    raw, memory = _masked(sentence.found, policy)
    refused = _refused(sentence, policy)
    remembered = "" if refused else mask(sentence.text, memory)
    return mask(sentence.text, raw), remembered, refused


def _tallies(sentences: Iterable[Sentence], policy: PrivacyPolicy) -> dict[str, Tally]:
    counts = {category: [0, 0, 0] for category in CATEGORIES}
    for sentence in sentences:
        raw, memory = _masked(sentence.found, policy)
        refused = bool(_refused(sentence, policy))
        for piece in sentence.pieces:
            count = counts[piece[0]]
            count[0] += 1
            count[1] += _readable(piece, raw)
            count[2] += not refused and _readable(piece, memory)
    # "Keep for thirty days" is kept as well, in memories; raw messages mask it.
    meant = {c: policy.action(c) not in ("refuse", "mask") for c in CATEGORIES}
    return {c: Tally(n[0], n[1], n[2], meant[c]) for c, n in counts.items() if n[0]}


def _readable(piece: Piece, masked: Iterable[Finding]) -> bool:
    """Whether more than half of a piece is left: the measure of ``score_spans``."""
    _, start, end = piece
    covered = sum(max(0, min(end, f.end) - max(start, f.start)) for f in masked)
    return 2 * covered < end - start

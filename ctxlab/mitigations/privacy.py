"""Privacy: sensitive content is refused, masked or dated before anything is stored (R91)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..config import Privacy
from ..messages import Message

if TYPE_CHECKING:
    from ..language.sensitive import Finding

__all__ = ["ErasureCertificate", "PrivacyPolicy", "Screened", "mask_message", "mask_value"]


@dataclass(slots=True)
class Screened:
    """A statement as it may be stored.

    Attributes
    ----------
    text, value
        Masked where policy masks.
    refused : tuple of str
        Categories that policy refuses; if any, nothing may be stored.
    sensitivity : tuple of str
        Categories found.
    days : float, optional
        Longest it may be kept.
    reasons : tuple of str
        What was found and done, without the content.
    """

    text: str
    attribute: str | None
    value: Any
    refused: tuple[str, ...] = ()
    sensitivity: tuple[str, ...] = ()
    days: float | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrivacyPolicy:
    """What happens to sensitive content in memories, by category.

    Parameters
    ----------
    config : Privacy
        ``refuse``, ``mask``, ``keep``, or days to keep. A category it leaves out has its default.
    on : bool
        Off: everything is stored as it is.

    Examples
    --------
    >>> PrivacyPolicy().screen("卡号4111111111111111谢谢").text
    '卡号[payment]谢谢'
    >>> PrivacyPolicy().screen("my password is hunter2!X").refused
    ('credential',)
    """

    config: Privacy = field(default_factory=Privacy)
    on: bool = True

    def action(self, category: str) -> str | float:
        """Return what policy does with a category."""
        default = Privacy().policy.get(category, "mask")
        return self.config.policy.get(category, default)

    def screen(self, text: str, attribute: str | None = None, value: Any = None) -> Screened:
        """Apply the policy to a statement and its value."""
        return self.screen_many([(text, attribute, value)])[0]

    def screen_many(self, items: Sequence[tuple[str, str | None, Any]]) -> list[Screened]:
        """Apply the policy to many (text, attribute, value); they are scanned in one batch."""
        if not self.on:
            return [Screened(*item) for item in items]
        from ..language.sensitive import scan_many

        parts = [_parts(*item) for item in items]
        found = iter(scan_many([text for texts in parts for text in texts]))
        return [
            self._screened(*item, [next(found) for _ in texts])
            for item, texts in zip(items, parts, strict=True)
        ]

    def _screened(
        self, text: str, attribute: str | None, value: Any, scanned: list[list[Finding]]
    ) -> Screened:
        found, parts = scanned[0], scanned[1:]
        everything = [*found, *(f for part in parts for f in part)]
        if not everything:
            return Screened(text, attribute, value)
        done = {f.category: self.action(f.category) for f in everything}
        days = [what for what in done.values() if isinstance(what, int | float)]
        masked = {category for category, what in done.items() if what == "mask"}
        return Screened(
            _masked(text, found, masked),
            None if attribute is None else _mask(attribute, masked),
            _masked_value(text, attribute, value, found, masked),
            tuple(sorted(category for category, what in done.items() if what == "refuse")),
            tuple(sorted(done)),
            min(days) if days else None,
            tuple(_told(f, done[f.category]) for f in everything),
        )

    def raw_categories(self) -> frozenset[str]:
        """Return the categories masked in raw messages and state: all but those kept."""
        from ..language.sensitive import CATEGORIES

        if not self.on:
            return frozenset()
        return frozenset(c for c in CATEGORIES if self.action(c) != "keep")


def _parts(text: str, attribute: str | None, value: Any) -> list[str]:
    """Return the texts of a statement that may hold something sensitive, its own first."""
    # A plain name such as `order_id` can't hold content; scanning costs more than the rest.
    named = attribute is not None and not attribute.replace("_", "").isalpha()
    parts = [text, attribute] if attribute is not None and named else [text]
    return parts if _copied(text, attribute, value) else [*parts, *_leaves(value, attribute or "")]


def _copied(text: str, attribute: str | None, value: Any) -> bool:
    """Whether a value is a part of the text: "warranty: 7730-11" alone looks like a door's code."""
    from ..language.attributes import attributes

    known = attribute is None or attribute in attributes()
    return known and isinstance(value, str) and value != "" and value in text


def _masked_value(
    text: str, attribute: str | None, value: Any, found: Sequence[Finding], masked: set[str]
) -> Any:
    if not _copied(text, attribute, value):
        return mask_tree(value, masked, attribute or "")
    start = text.index(value)
    return _masked(value, _within(found, start, start + len(value)), masked)


def mask_message(message: Message, policy: PrivacyPolicy | None = None) -> Message:
    """Return a message as it may be stored raw: masked, never refused.

    Text, text parts, tool calls' arguments and names of speakers are masked; roles, ids, structure
    and images stay.

    Examples
    --------
    >>> mask_message(Message.of("my card is 4111 1111 1111 1111")).content
    'my card is [payment]'
    """
    categories = (policy or PrivacyPolicy()).raw_categories()
    if not categories:
        return message
    calls = tuple(
        type(call)(call.id, call.name, _mask_arguments(call.arguments, categories))
        for call in message.tool_calls
    )
    content: Any = message.content
    if isinstance(content, str):
        content = _mask_arguments(content, categories)
    elif content is not None:
        content = tuple(
            {**part, "text": _mask(part["text"], categories)} if "text" in part else part
            for part in content
        )
    name = None if message.name is None else _mask(message.name, categories)
    return message.with_(content=content, tool_calls=calls, name=name)


def mask_value(value: Any, key: str = "", policy: PrivacyPolicy | None = None) -> Any:
    """Return a JSON value, such as one of a session's state, as it may be stored.

    Parameters
    ----------
    key : str
        Its name, which may be what makes it sensitive (``password``).

    Examples
    --------
    >>> mask_value({"card": "4111111111111111", "step": "pay"})
    {'card': '[payment]', 'step': 'pay'}
    """
    return mask_tree(value, (policy or PrivacyPolicy()).raw_categories(), key)


def _mask_arguments(text: str, categories: frozenset[str]) -> str:
    """Mask JSON text leaf by leaf, so that it stays JSON; other text as it is."""
    if text[:1] in "{[" and text:
        try:
            data = json.loads(text)
        except ValueError:
            return _mask(text, categories)
        masked = mask_tree(data, categories)
        return text if masked == data else json.dumps(masked, ensure_ascii=False)
    return _mask(text, categories)


def mask_tree(value: Any, categories: frozenset[str] | set[str], key: str = "") -> Any:
    """Mask every text and number in a JSON value, each read together with its key.

    All leaves are scanned as one text: a tool result may have hundreds, and a scan costs a model.
    """
    if not categories:
        return value
    from ..language.sensitive import scan

    # "password: hunter2" is sensitive where neither half is.
    lines = _lines(value, key)
    found = scan(_APART.join(before + leaf for before, leaf in lines)) if lines else []
    masked, start = [], 0
    for before, leaf in lines:
        start += len(before)
        masked.append(_masked(leaf, _within(found, start, start + len(leaf)), categories))
        start += len(leaf) + len(_APART)
    return _rebuild(value, iter(masked))


_MIN_DIGITS = 6
_APART = "\n" + "." * 40 + "\n"  # farther than a label reaches


def _lines(value: Any, key: str) -> list[tuple[str, str]]:
    """Return (key with its colon, leaf) for each key and leaf of a JSON value, in order."""
    if isinstance(value, Mapping):
        pairs = [(str(k), v) for k, v in value.items()]
        return [x for k, v in pairs for x in ([("", k)] if _is_data(k) else []) + _lines(v, k)]
    if isinstance(value, list | tuple):
        return [line for item in value for line in _lines(item, key)]
    if value is None or isinstance(value, bool):
        return []
    return [(f"{key}: " if key else "", str(value))]


def _is_data(key: str) -> bool:
    """Whether a key is itself data, such as a phone number; a word is only a label."""
    return "@" in key or sum(char.isdigit() for char in key) >= _MIN_DIGITS


def _within(found: Sequence[Finding], start: int, end: int) -> list[Finding]:
    """Return the findings that touch a stretch, cut to it and counted from its start."""
    return [
        replace(f, start=max(f.start, start) - start, end=min(f.end, end) - start)
        for f in found
        if f.start < end and f.end > start
    ]


def _rebuild(value: Any, masked: Iterator[str]) -> Any:
    """Put masked keys and leaves back in their places; what wasn't masked keeps its type."""
    if isinstance(value, Mapping):
        pairs = [(str(k), v) for k, v in value.items()]
        return {next(masked) if _is_data(k) else k: _rebuild(v, masked) for k, v in pairs}
    if isinstance(value, list | tuple):
        return [_rebuild(item, masked) for item in value]
    if value is None or isinstance(value, bool):
        return value
    leaf = next(masked)
    return value if leaf == str(value) else leaf


def _leaves(value: Any, key: str) -> list[str]:
    if isinstance(value, Mapping):
        return [str(k) for k in value] + [x for k, v in value.items() for x in _leaves(v, str(k))]
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _leaves(item, key)]
    if value is None or isinstance(value, bool):
        return []
    return [f"{key}: {value}" if key else str(value)]


def _mask(text: str, categories: frozenset[str] | set[str]) -> str:
    from ..language.sensitive import scan

    return _masked(text, scan(text), categories)


def _masked(text: str, found: Sequence[Finding], categories: frozenset[str] | set[str]) -> str:
    from ..language.sensitive import mask

    chosen = [f for f in found if f.category in categories]
    return mask(text, chosen) if chosen else text


def _told(finding: Finding, what: str | float) -> str:
    done = what if isinstance(what, str) else f"keep for {what:g} days"
    return f"{finding.category} ({finding.rule}, {finding.confidence:.2f}): {done}"


@dataclass(frozen=True)
class ErasureCertificate:
    """What an erasure deleted, checked, and can't reach.

    Attributes
    ----------
    entity, by, reason : str
        Whose data, who asked for it, and why.
    time : datetime
        When it was done.
    counts : dict
        Rows deleted, by table.
    residue : int
        Pieces of the entity's text still found in the database or its side files; 0 is clean.
    searched : dict
        Bytes searched, by file.
    pieces : int
        Pieces of text and vectors that were looked for.
    out_of_reach : tuple of str
        Where copies may be that no database can delete.
    digest : str
        SHA-256 of all of the above; the audit log keeps it.
    """

    entity: str
    by: str
    reason: str
    time: datetime
    counts: Mapping[str, int]
    residue: int
    searched: Mapping[str, int]
    pieces: int
    out_of_reach: tuple[str, ...]
    digest: str = ""

    def sealed(self) -> ErasureCertificate:
        """Return the certificate with its digest."""
        data = {**asdict(self), "time": self.time.isoformat(), "digest": ""}
        text = json.dumps(data, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return ErasureCertificate(**{**self.__dict__, "digest": digest})

    def is_genuine(self) -> bool:
        """Whether the digest fits the rest."""
        return self.sealed().digest == self.digest

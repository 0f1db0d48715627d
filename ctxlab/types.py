"""Memories and what is said about them: records, hits, outcomes, versions (R31, R35, R43)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from .errors import CtxlabError, IdentityError
from .messages import Message
from .trace import Trace

__all__ = [
    "KINDS",
    "AuditEvent",
    "AuditReport",
    "Hit",
    "RawHit",
    "Record",
    "RecordError",
    "Source",
    "Version",
    "WriteOutcome",
    "check_entity",
    "check_name",
]

KINDS = ("fact", "preference", "request", "commitment", "event", "emotion")
Action = Literal["added", "merged", "superseded", "supplemented", "refused", "discarded"]
Status = Literal["live", "superseded", "merged", "retracted"]


class RecordError(CtxlabError, ValueError):
    """A field of a memory is missing, of the wrong type or out of range.

    Parameters
    ----------
    text : str
        What is wrong and how to mend it.
    field : str
        The field at fault, for example ``"ttl"``.
    """

    def __init__(self, text: str, field: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from (R34).

    Attributes
    ----------
    type : str
        ``manual``, ``extracted``, ``consolidated`` or ``imported``.
    session_id : str, optional
        The conversation that said it; what ``memory.undo`` goes by.
    message_ids : tuple of str
        The messages that said it.
    """

    type: Literal["manual", "extracted", "consolidated", "imported"] = "manual"
    session_id: str | None = None
    message_ids: tuple[str, ...] = ()


BY_HAND = Source()


class Record(NamedTuple):  # made in a seventh of the time of a frozen dataclass
    """One memory (R31).

    Attributes
    ----------
    id, entity, agent : str
        Its name, whose it is (``kind:id``), and the agent role that heard it.
    text : str
        One full sentence, masked where policy masks.
    attribute, value
        What it says of what, where it has that form; `value` is any JSON value.
    kind : str
        ``fact preference request commitment event emotion``.
    actionability : str
        ``actionable`` or ``historical``.
    audience : str
        ``shared`` with every role or ``private`` to `agent`.
    sensitivity : tuple of str
        Categories of sensitive content found in it.
    tier : str
        ``core``: always in context; ``ordinary``: when relevant.
    created, updated : datetime
        When it was first and last said.
    valid_from, valid_to : datetime
        When this version began to hold; `valid_to` is set once it no longer does.
    expires : datetime, optional
        From then on it is never read.
    status : str
        ``live``, ``superseded``, ``merged`` or ``retracted``.
    supersedes, merged : tuple of str
        Records it replaced; records merged into it.
    successor : str, optional
        The record that replaced it, or that it was merged into.
    """

    id: str
    entity: str
    agent: str
    text: str
    created: datetime
    updated: datetime
    valid_from: datetime
    kind: str = "fact"
    attribute: str | None = None
    value: Any = None
    actionability: str = "actionable"
    audience: str = "private"
    sensitivity: tuple[str, ...] = ()
    tier: str = "ordinary"
    source: Source = BY_HAND
    confidence: float = 1.0
    valid_to: datetime | None = None
    expires: datetime | None = None
    access_count: int = 0
    last_access: datetime | None = None
    version: int = 1
    status: str = "live"
    supersedes: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    successor: str | None = None

    def with_(self, **changes: Any) -> Record:
        """Return a copy with fields replaced."""
        return self._replace(**changes)

    @property
    def topic_text(self) -> str:
        """What is embedded and indexed: the attribute is the topic a bare sentence leaves out."""
        return topic_text(self.text, self.attribute)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready fields; instants in ISO 8601."""
        data = self._asdict() | {"source": asdict(self.source), "value": deepcopy(self.value)}
        return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in data.items()}


def topic_text(text: str, attribute: str | None) -> str:
    """Return what is embedded and indexed of a record; see ``Record.topic_text``."""
    return f"{attribute}: {text}" if attribute else text


@dataclass(frozen=True, slots=True)
class Version:
    """One step in a record's life (R35).

    Attributes
    ----------
    version : int
        1 for the first.
    action : str
        What happened: ``added``, ``merged``, ``supplemented``, ``superseded``, ``reverted``, …
    record : Record
        The record as it was from then on.
    by, reason : str
        Who did it and why.
    time : datetime
        When.
    wording : str
        The words that caused it: of a merge, those that were merged in.
    """

    version: int
    action: str
    record: Record
    by: str
    reason: str
    time: datetime
    wording: str


class Hit(NamedTuple):
    """A record that a search found (R43).

    Attributes
    ----------
    record : Record
    score : float
        Calibrated relevance times what age has left of it, 0 to 1; `min_score` applies to it.
    cosine : float, optional
        Of query and record, -1 to 1; None if no vectors were compared.
    bm25 : float, optional
        Keyword score over the entity's own records; None if no words were compared.
    rank : int
        1 is best.
    found_by : str
        ``dense``, ``keyword`` or ``both``.
    fade : float
        What age has left of the relevance, 0 to 1.
    """

    record: Record
    score: float
    cosine: float | None
    bm25: float | None
    rank: int
    found_by: str
    fade: float = 1.0


@dataclass(frozen=True, slots=True)
class RawHit:
    """A raw message found in cold storage, word for word (R14)."""

    message: Message
    session_id: str
    agent: str
    score: float


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What became of a write.

    Attributes
    ----------
    action : str
        ``added``, ``merged``, ``superseded``, ``supplemented``, ``refused`` or ``discarded``.
    record : Record, optional
        The record that now says it; None if nothing does.
    trace : Trace
        Which rules decided and why, in order.
    """

    action: Action
    record: Record | None
    trace: Trace = field(default_factory=Trace, compare=False, repr=False)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The same in words."""
        return tuple(f"{e.step}: {e.reason}" for e in self.trace)


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Who did what to which records, when and why; no content (R91)."""

    entity: str
    seq: int
    time: datetime
    actor: str
    action: str
    records: tuple[str, ...]
    rule: str
    reason: str | None
    hash: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Result of ``memory.verify_audit()``; true if nothing was tampered with.

    Attributes
    ----------
    faults : tuple of str
        What doesn't add up, by entity and event.
    events : int
        Events checked.
    heads : dict
        The last hash of each chain. Keep them elsewhere and hand them back as ``heads=`` to detect
        even a chain cut at its end by someone who mended the rest.
    """

    faults: tuple[str, ...]
    events: int
    heads: Mapping[str, tuple[int, str]]

    def __bool__(self) -> bool:
        return not self.faults


def check_entity(entity: object) -> str:
    """Return `entity` if it is ``kind:id``, split at the first colon; it is never changed (R32).

    Raises
    ------
    IdentityError
        Otherwise.

    Examples
    --------
    >>> check_entity("customer:alice.smith")
    'customer:alice.smith'
    """
    if not isinstance(entity, str):
        raise IdentityError(f"entity: expected text such as 'customer:U001', got {entity!r}")
    kind, colon, name = entity.partition(":")
    if not (kind and colon and name):
        raise IdentityError(f"entity: {entity[:80]!r} is not kind:id, such as 'customer:U001'")
    return check_name(entity, "entity")


def check_name(name: object, field: str) -> str:
    """Return a name that both databases can hold exactly; refuse any other.

    Raises
    ------
    IdentityError
        If it isn't text, is blank, over 512 characters, or holds NUL or a lone surrogate.
    """
    if not isinstance(name, str) or not name.strip():
        raise IdentityError(f"{field}: expected text that isn't blank, got {name!r:.80}")
    if len(name) > 512:
        raise IdentityError(f"{field}: {len(name):,} characters, 512 at most")
    try:
        name.encode()  # ten times faster than a look at each character, and every read does it
    except UnicodeEncodeError as error:
        raise IdentityError(
            f"{field}: holds half a surrogate pair, which can't be stored"
        ) from error
    if "\0" in name:
        raise IdentityError(f"{field}: holds NUL, which PostgreSQL can't store")
    return name

"""Scopes: what one agent role heard is another's only by rule or by an explicit share (R92)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..config import Scopes

if TYPE_CHECKING:
    from ..language.labelling import StatementLabel

__all__ = ["ScopePolicy"]

_SURE = 0.3  # below it a label says nothing, and what the attribute says counts


@dataclass(frozen=True)
class ScopePolicy:
    """Who may read a record.

    Parameters
    ----------
    config : Scopes
        Attributes that every role may read.
    on : bool
        Off: every role reads everything of the entity; another entity's records stay out of reach.

    Examples
    --------
    >>> scopes = ScopePolicy()
    >>> scopes.audience(None, "shipping_address", "fact", None)[0]
    'shared'
    >>> scopes.visible("support", "private", "m1", (), "sales")
    False
    """

    config: Scopes = field(default_factory=Scopes)
    on: bool = True

    def audience(
        self, given: str | None, attribute: str | None, kind: str, label: StatementLabel | None
    ) -> tuple[str, str]:
        """Return the audience of a new record, and why.

        Parameters
        ----------
        given : str, optional
            What the caller said; it stands.
        attribute, kind : str
            Of the record. An attribute is matched by whole segments: ``email`` covers
            ``work_email``, not ``emails_sent``.
        label : StatementLabel, optional
            What the words themselves suggest; private without one.
        """
        if given is not None:
            return given, "said by the caller"
        if kind == "emotion":
            return "private", "a feeling stays with the role that heard it"
        if label is not None and label.audience == "private" and label.confidence >= _SURE:
            # "Shouted at Wang about the invoice" is no invoice matter.
            return "private", f"label private at {label.confidence:.2f}"
        segments = set((attribute or "").replace("-", "_").split("_")) | {attribute}
        named = sorted(segments & set(self.config.shared_attributes), key=str)
        if named:
            return "shared", f"attribute {named[0]} is for every role"
        if label is None:
            return "private", "nothing says it may be shared"
        return label.audience, f"label {label.audience} at {label.confidence:.2f}"

    def visible(
        self, agent: str, audience: str, record_id: str, shared: Collection[str], role: str
    ) -> bool:
        """Whether `role` may read a record that `agent` heard.

        Parameters
        ----------
        shared : collection of str
            Ids of the records explicitly shared with `role`.
        """
        return not self.on or audience == "shared" or agent == role or record_id in shared

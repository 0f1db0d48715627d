"""The scope explorer: which agent role may read which memory, and what would leak (R92)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..config import Scopes
from ..datasets import load_support
from ..errors import DataError
from ..mitigations.scopes import ScopePolicy
from . import style
from .explorer import Control, Explorer, Words
from .tables import rows_of
from .wording import clip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..language.labelling import StatementLabel

__all__ = ["ScopeData", "ScopeExplorer", "ScopeRow"]

_SHOWN = 10  # rows of the matrix; the selected one is among them
_TEXT, _CELL = 3.42, 0.66  # inches: room for a record's words, width of a role's column
# Cell -> what it says in English and in Chinese, and the colour of the layer it resembles.
CELLS = {
    "heard": ("heard", "听到", "recent"),
    "reads": ("reads", "可读", "summary"),
    "explicit": ("shared", "共享", "profile"),
    "hidden": ("hidden", "隐藏", "reserve"),
    "withheld": ("withheld", "误藏", "reserve"),
    "leak": ("LEAK", "泄漏", "dropped"),
}


@dataclass(frozen=True)
class ScopeRow:
    """One memory.

    Attributes
    ----------
    text, agent : str
        What it says, and the role that heard it.
    audience, why : str
        What was decided, ``"shared"`` or ``"private"``, and on what ground.
    truth : str
        What it ought to be; the same as `audience` where the data doesn't say.
    cells : tuple of str
        One of `CELLS` for each role.
    """

    text: str
    agent: str
    audience: str
    why: str
    truth: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class ScopeData:
    """Who reads what.

    Attributes
    ----------
    entity : str
        The customer looked at.
    rows : tuple of ScopeRow
        The customer's memories.
    roles : tuple of str
        All roles of the data.
    at, role : int, str
        The memory and the role looked at.
    on : bool
        Whether scopes are on.
    leaks, risky : int
        Over all customers: cells in which a role reads what is private to another, and cells in
        which it could.
    withheld, useful : int
        Over all customers: cells hidden from a role that may read them, and all cells that
        another role may read.
    """

    entity: str
    rows: tuple[ScopeRow, ...]
    roles: tuple[str, ...]
    at: int
    role: str
    on: bool
    leaks: int
    risky: int
    withheld: int
    useful: int

    @property
    def now(self) -> ScopeRow:
        """The memory looked at."""
        return self.rows[self.at]

    @property
    def cell(self) -> str:
        """What the role may do with it."""
        return self.now.cells[self.roles.index(self.role)]

    def readable(self, role: str) -> int:
        """Return how many of the customer's memories a role reads."""
        column = self.roles.index(role)
        return sum(row.cells[column] not in ("hidden", "withheld") for row in self.rows)


class ScopeExplorer(Explorer):
    """Roles × memories: what each role reads, shared or not, and the leak without scopes.

    Parameters
    ----------
    data : DataFrame, path, or list of dict or Record, optional
        Memories, with the columns ``text`` and ``agent`` (the role that heard it); ``entity``,
        ``kind`` and ``attribute`` where known; ``audience`` (``shared`` or ``private``) where
        somebody has said what it ought to be. None for the built-in customers with secrets.

    Notes
    -----
    The decisions are those of `ScopePolicy`, which every write and read of a memory passes.

    Examples
    --------
    >>> explorer = ScopeExplorer(lang="en")
    >>> on, off = explorer.compute(), explorer.compute(scopes=False)
    >>> on.leaks < off.leaks == off.risky
    True
    """

    title: ClassVar[Words] = (
        "Agent scopes: who may read what another role heard",
        "角色边界：谁能读到别的角色听来的话",
    )

    def load(self, data: Any) -> None:
        """Take memories; those of one customer stand together."""
        found = self._built_in() if data is None else self._given(data)
        self._known = all(row["audience"] for row in found)
        self.roles = tuple(sorted({str(row["agent"]) for row in found}))
        self._by_entity: dict[str, list[dict[str, Any]]] = {}
        for row in found:
            self._by_entity.setdefault(str(row["entity"]), []).append(row)
        # First the customers whom most roles talk to: there is most to keep apart.
        talkers = {e: len({row["agent"] for row in rows}) for e, rows in self._by_entity.items()}
        self._entities = tuple(sorted(talkers, key=lambda entity: -talkers[entity]))
        self._longest = max(map(len, self._by_entity.values()))

    def _built_in(self) -> list[dict[str, Any]]:
        """Return the memories of all customers of whom one role knows something private."""
        known = load_support(self.lang).memories
        secret = set(known.loc[known["audience"] == "private", "entity"])
        return self._given(known[known["entity"].isin(secret)])

    @staticmethod
    def _given(data: Any) -> list[dict[str, Any]]:
        found = rows_of(data, ("text", "agent"), ("entity", "kind", "attribute", "audience"))
        for i, row in enumerate(found, 1):
            row["entity"] = row["entity"] or "customer:1"
            if row["audience"] not in (None, "shared", "private"):
                raise DataError(f"row {i}: audience {row['audience']!r} is not shared or private")
        return found

    @cached_property
    def _labels(self) -> dict[str, StatementLabel]:
        """What the words of each memory suggest: one batch, when it's first needed."""
        from ..language.labelling import label_many

        texts = list(dict.fromkeys(r["text"] for rows in self._by_entity.values() for r in rows))
        return dict(zip(texts, label_many(texts), strict=True))

    @property
    def controls(self) -> tuple[Control, ...]:
        """Customer, role, memory, an explicit share, who decides the audience, and the switch."""
        entities = self._entities
        names = tuple(((name.partition(":")[2] or name),) * 2 for name in entities)
        deciders: tuple[Words, ...] = (("its words", "文字标注"), ("its writer", "写入者"))
        made = [
            Control(
                "entity", ("customer", "客户"), entities, entities[0], menu=True, captions=names
            ),
            Control("role", ("asking role", "读取角色"), self.roles, self.roles[0]),
            Control("record", ("memory", "记忆"), tuple(range(self._longest)), 0, live=True),
            Control("share", ("share it with that role", "共享给该角色"), (False, True), False),
        ]
        if self._known:
            who = ("audience by", "归属依据")
            made.append(Control("by", who, ("label", "writer"), "label", captions=deciders))
        return (*made, Control("scopes", ("scopes on", "角色边界开启"), (False, True), True))

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """Broken: no scopes, at the first leak. Fixed: scopes on, at the same place."""
        found: list[dict[str, Any]] = [
            {"entity": entity, "record": at, "role": role}
            for entity in self._entities
            for at, row in enumerate(self.compute(entity=entity, scopes=False).rows)
            for role, cell in zip(self.roles, row.cells, strict=True)
            # One that the policy then hides: the mend should be seen to work.
            if cell == "leak" and row.audience == "private"
        ]
        where = found[0] if found else {}
        return {"broken": {**where, "scopes": False}, "fixed": where}

    def changes(self, **settings: Any) -> dict[str, Any]:
        """Return the switch."""
        return {"mitigations.scopes": self.completed(settings)["scopes"]}

    def compute(self, **settings: Any) -> ScopeData:
        """Ask the policy about every memory and every role."""
        s = self.completed(settings)
        policy = ScopePolicy(Scopes(), s["scopes"])
        by_writer = s.get("by") == "writer"
        tables = {e: self._rows(e, policy, by_writer, ()) for e in self._by_entity}
        rows = tables[s["entity"]]
        at = min(s["record"], len(rows) - 1)
        shared = [(at, s["role"])] if s["share"] else []
        every = [cell for rows in tables.values() for cell in _cells(rows, self.roles)]
        return ScopeData(
            entity=s["entity"],
            rows=self._rows(s["entity"], policy, by_writer, shared),
            roles=self.roles,
            at=at,
            role=s["role"],
            on=s["scopes"],
            leaks=sum(cell == "leak" for _, cell in every),
            risky=sum(truth == "private" for truth, _ in every),
            withheld=sum(cell == "withheld" for _, cell in every),
            useful=sum(truth == "shared" for truth, _ in every),
        )

    def _rows(
        self,
        entity: str,
        policy: ScopePolicy,
        by_writer: bool,
        shares: Sequence[tuple[int, str]],
    ) -> tuple[ScopeRow, ...]:
        made = []
        for i, row in enumerate(self._by_entity[entity]):
            label = self._labels[row["text"]]
            kind = row["kind"] or label.kind
            said = row["audience"] if by_writer else None
            audience, why = policy.audience(said, row["attribute"], kind, label)
            truth = row["audience"] or audience
            mine = [role for at, role in shares if at == i]
            cells = tuple(
                _cell(policy, row["agent"], audience, truth, role, role in mine)
                for role in self.roles
            )
            made.append(ScopeRow(row["text"], row["agent"], audience, why, truth, cells))
        return tuple(made)

    def readout(self, data: ScopeData) -> str:
        """Say what the role reads, what becomes of the memory chosen, and what leaks in all."""
        row, say, name = data.now, self.say, data.entity.partition(":")[2] or data.entity
        verdict = {
            "heard": ("which heard it", "本就是它听到的"),
            "reads": ("may read it", "可以读"),
            "explicit": ("reads it by an explicit share", "经明确共享可读"),
            "hidden": ("can't read it", "读不到"),
            "withheld": ("can't read it, though it may", "本可以读，却被藏起"),
            "leak": ("reads it: a leak", "读到了：泄漏"),
        }[data.cell]
        return say(
            f"{data.role} reads {data.readable(data.role)} of {name}'s {len(data.rows)} memories. "
            f"“{clip(row.text, 2.6)}” was heard by {row.agent} ({row.audience}: {row.why}); "
            f"{data.role} {verdict[0]}. All customers: {data.leaks} of {data.risky} private "
            f"places leak, {data.withheld} of {data.useful} useful ones are withheld.",
            f"{name} 的 {len(data.rows)} 条记忆，{data.role} 能读 {data.readable(data.role)} 条。"
            f"“{clip(row.text, 2.6)}”由 {row.agent} 听到（{_said(row.audience)}），{data.role} "
            f"{verdict[1]}。全部客户：{data.risky} 处私密中泄漏 {data.leaks} 处，"
            f"{data.useful} 处可读中误藏 {data.withheld} 处。",
        )

    def draw(self, data: ScopeData) -> Figure:
        """Draw the matrix of memories and roles."""
        with style.use():
            made = style.figure(*self.size)
            made.set_layout_engine("none")
            axes = made.add_axes((0, 0, 1, 1))
            axes.set(xlim=(0, self.size[0]), ylim=(self.size[1], 0))  # inches, from the top left
            axes.axis("off")
            first = max(0, min(data.at - _SHOWN // 2, len(data.rows) - _SHOWN))
            shown = range(first, min(first + _SHOWN, len(data.rows)))
            self._draw_head(axes, data)
            height = 2.72 / _SHOWN
            for line, i in enumerate(shown):
                self._draw_row(axes, data, i, 0.66 + line * height, height)
            self._draw_legend(axes, data)
        return made

    def _column(self, role: int, count: int) -> tuple[float, float]:
        """Return where a role's column begins and how wide it is."""
        wide = min(_CELL, (self.size[0] - _TEXT - 0.1) / count)
        return self.size[0] - 0.08 - wide * (count - role), wide

    def _draw_head(self, axes: Axes, data: ScopeData) -> None:
        zh, name = self.figure_lang == "zh", data.entity.partition(":")[2] or data.entity
        switch = ("开", "关") if zh else ("on", "off")
        title = (
            f"{name}：边界{switch[not data.on]}" if zh else f"{name}, scopes {switch[not data.on]}"
        )
        axes.text(0.12, 0.22, title, size=10, weight="bold", va="center")
        told = "记忆" if zh else "memory"
        axes.text(0.12, 0.5, told, size=8, color=style.MUTED, va="center")
        for i, role in enumerate(data.roles):
            x, wide = self._column(i, len(data.roles))
            bold = "bold" if role == data.role else "normal"
            text = clip(role, wide, 8)
            axes.text(x + wide / 2, 0.5, text, size=8, ha="center", va="center", weight=bold)

    def _draw_row(self, axes: Axes, data: ScopeData, i: int, y: float, height: float) -> None:
        from matplotlib.patches import Rectangle

        row, chosen, zh = data.rows[i], i == data.at, self.figure_lang == "zh"
        if chosen:
            box = Rectangle((0.05, y), self.size[0] - 0.1, height, fc="#F1F5F9", lw=0)
            axes.add_patch(box)
        text = clip(row.text, self._column(0, len(data.roles))[0] - 0.2)
        axes.text(0.12, y + height / 2, text, size=8, va="center")
        for column, cell in enumerate(row.cells):
            x, wide = self._column(column, len(data.roles))
            english, chinese, layer = CELLS[cell]
            fill = style.colour(layer)
            mine = chosen and data.roles[column] == data.role
            look: dict[str, Any] = (
                {"ec": style.INK, "lw": 1.6} if mine else {"ec": "white", "lw": 0.8}
            )
            if cell == "withheld":
                look |= {"hatch": "///", "ec": look["ec"] if mine else "#C6CED9"}
            axes.add_patch(
                Rectangle((x + 0.02, y + 0.02), wide - 0.04, height - 0.04, fc=fill, **look)
            )
            word = chinese if zh else english
            where = (x + wide / 2, y + height / 2)
            axes.text(*where, word, size=7, ha="center", va="center", color=style.ink(fill))

    def _draw_legend(self, axes: Axes, data: ScopeData) -> None:
        zh = self.figure_lang == "zh"
        bars = (
            (data.leaks, data.risky, "dropped", "泄漏的私密" if zh else "private, leaked"),
            (data.withheld, data.useful, "reserve", "误藏的可读" if zh else "useful, withheld"),
        )
        from matplotlib.patches import Rectangle

        for i, (count, of, layer, name) in enumerate(bars):
            x, y, full = 0.12 + i * 2.75, 3.5, 0.9
            axes.text(x, y + 0.07, name, size=7.5, va="center", color=style.MUTED)
            start = x + 1.0
            share = count / of if of else 0.0
            frame = Rectangle((start, y), full, 0.15, fc="white", ec="#94A3B8", lw=0.8)
            fill = style.colour(layer) if layer == "dropped" else "#94A3B8"
            axes.add_patch(frame)
            axes.add_patch(Rectangle((start, y), full * share, 0.15, fc=fill, lw=0))
            axes.text(start + full + 0.07, y + 0.07, f"{count}/{of}", size=8, va="center")


def _cell(
    policy: ScopePolicy, agent: str, audience: str, truth: str, role: str, shared: bool
) -> str:
    """Name what a role may do with a memory, against what it ought to."""
    if role == agent:
        return "heard"
    if shared:
        return "explicit"
    if policy.visible(agent, audience, "", (), role):
        return "leak" if truth == "private" else "reads"
    return "hidden" if truth == "private" else "withheld"


def _cells(rows: Sequence[ScopeRow], roles: Sequence[str]) -> list[tuple[str, str]]:
    """Return (truth, cell) of each memory for each role that didn't hear it."""
    return [
        (row.truth, cell)
        for row in rows
        for role, cell in zip(roles, row.cells, strict=True)
        if role != row.agent
    ]


def _said(audience: str) -> str:
    return {"shared": "共享", "private": "私密"}[audience]

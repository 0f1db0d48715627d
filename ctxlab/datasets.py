"""The synthetic support dataset: made from a seed, checked in, loaded from anywhere (R122).

``python -m ctxlab.datasets`` writes the checked-in sets and the manifest anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from stdnum import luhn
from stdnum.iso7064 import mod_11_2

from .errors import DataError
from .stories import SENSITIVE, TABLES, Bank, Phrases, Row, Slots, Teller, fill

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SupportDataset", "data_dir", "load_support", "make_support"]

_Life = tuple[Slots, list[Row]]  # a customer and the sessions played with them

SEED = 7
BASE_DATE = datetime(2026, 1, 5)
MAX_CUSTOMERS = 200  # beyond it the fictitious telephone numbers would run out
MAX_BYTES = 900_000  # R122's data stay under 1 MB a file: larger tables go on in a further part


def data_dir() -> Path:
    """Find the folder ``datasets``, in an installed wheel as in a checkout.

    Raises
    ------
    DataError
        If neither place holds it.
    """
    here = Path(__file__).resolve().parent
    for folder in (here / "_datasets", here.parent / "datasets"):
        if (folder / "support").is_dir():
            return folder
    raise DataError(
        f"no data folder beside {here}; install the wheel, or run from a full checkout of ctxlab"
    )


@dataclass(frozen=True)
class SupportDataset:
    """Synthetic support conversations of one language, with ground truth.

    Parameters
    ----------
    lang : str
        ``"zh"`` or ``"en"``.
    customers, sessions, memories, pairs, statements, sensitive, checks : pandas.DataFrame
        The tables; ``datasets/README.md`` describes every column.
    """

    lang: str
    customers: pd.DataFrame
    sessions: pd.DataFrame
    memories: pd.DataFrame
    pairs: pd.DataFrame
    statements: pd.DataFrame
    sensitive: pd.DataFrame
    checks: pd.DataFrame

    def to_messages(self, session_id: str) -> list[dict[str, Any]]:
        """Return one session as OpenAI-style messages, each with an ``id`` and an aware ``time``.

        Raises
        ------
        DataError
            If there is no such session.

        Example
        -------
        >>> import ctxlab as cx
        >>> messages = cx.load_support("en").to_messages("U001-S1")
        >>> messages[0]["role"], messages[0]["id"]
        ('user', 'U001-S1-m001')
        """
        found = self.sessions.loc[self.sessions["session_id"] == session_id, "messages"]
        if found.empty:
            raise DataError(f"no session {session_id!r} in the {self.lang} set; see .sessions")
        return [dict(message) for message in found.iloc[0]]

    def save(self, folder: str | Path) -> list[Path]:
        """Write every table as JSON lines, in parts of less than 1 MB; return the files written."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for table in TABLES:
            for stale in folder.glob(f"{table}*.jsonl"):
                stale.unlink()
            rows = getattr(self, table).to_dict("records")
            for number, part in enumerate(_parts(rows)):
                name = f"{table}.jsonl" if not number else f"{table}-{number + 1}.jsonl"
                written.append(folder / name)
                (folder / name).write_bytes(part)
        return written


def load_support(lang: str = "zh", folder: str | Path | None = None) -> SupportDataset:
    """Load a support dataset: the checked-in one, or one that ``save`` wrote.

    Parameters
    ----------
    lang : str
        ``"zh"`` or ``"en"``.
    folder : str or pathlib.Path, optional
        Where ``save`` wrote it; by default the set that comes with ctxlab.

    Raises
    ------
    DataError
        If there is no such set or a line of it can't be read.

    Example
    -------
    >>> import ctxlab as cx
    >>> sorted(cx.load_support("zh").sessions["scenario"].unique())
    ['after_sales', 'order_enquiry', 'product_enquiry']
    """
    place = Path(folder) if folder is not None else data_dir() / "support" / lang
    if not (place / "customers.jsonl").is_file():
        raise DataError(f"no support set {lang!r} in {place}; use 'zh', 'en' or a saved folder")
    rows: dict[str, list[dict[str, Any]]] = {}
    for table in TABLES:
        # "sessions.jsonl" sorts behind "sessions-2.jsonl", so the bare name is put first.
        files = sorted(place.glob(f"{table}*.jsonl"), key=lambda path: (len(path.stem), path.stem))
        rows[table] = [row for path in files for row in _read_lines(path)]
    return _dataset(lang, rows)


def make_support(lang: str = "zh", customers: int = 50, seed: int = SEED) -> SupportDataset:
    """Make a support dataset; the same arguments give the same bytes everywhere.

    Parameters
    ----------
    lang : str
        ``"zh"`` or ``"en"``.
    customers : int
        How many customers, at most 200; each has one to four sessions.
    seed : int
        Seed of all chance.

    Raises
    ------
    DataError
        If the language has no phrase bank or ``customers`` is out of range.

    Example
    -------
    >>> import ctxlab as cx
    >>> len(cx.make_support("en", customers=3, seed=1).customers)
    3
    """
    if not 1 <= customers <= MAX_CUSTOMERS:
        raise DataError(f"customers={customers}: choose from 1 to {MAX_CUSTOMERS}")
    phrases = Phrases(_read_bank(lang), Random(seed))
    cast, teller = _Cast(phrases), Teller(phrases)
    arcs = phrases.bank.stories["arcs"]
    casts: list[Slots] = []
    waiting: _Life | None = None  # a namesake whose double is still to come
    for index in range(customers):
        arc = arcs[index % len(arcs)]
        twin = arc["name"] == "namesake"
        chance = "enterprise" if phrases.rng.random() < 0.3 else "personal"
        tier = ("personal" if waiting else "enterprise") if twin else arc.get("tier", chance)
        slots = cast.customer(index, tier)
        casts.append(slots)
        if twin and waiting:
            slots |= {key: waiting[0][key] for key in ("name", "given", "surname", "call")}
        teller.rows["customers"].append(_tell_life(cast, teller, slots, arc, index))
        if twin:
            waiting = _ask_namesakes(teller, waiting)
    teller.list_wordings(casts)
    return _dataset(lang, teller.rows)


class _Cast:
    """Invents customers: who they are, what they bought, what they are going to say."""

    def __init__(self, phrases: Phrases) -> None:
        self.lang, self.world = phrases.bank.lang, phrases.bank.world
        self.rng, self.draw, self.settle = phrases.rng, phrases.draw, phrases.settle
        self._taken: set[str] = set()

    def number(self, pattern: str) -> str:
        """Fill ``#`` places with digits, never giving a number (or its last-digits slip) twice."""
        while True:
            settled, digit = self.settle(pattern), self.rng.randrange
            text = "".join(str(digit(1, 10)) if char == "#" else char for char in settled)
            if text[-1] != text[-2] and not {text, _slip(text)} & self._taken:
                self._taken |= {text, _slip(text)}
                return text

    def person(self) -> Slots:
        """Name a person that nobody else is called."""
        world, rng = self.world, self.rng
        while True:
            title = rng.choice(list(world["given"]))
            who = {"title": title, "given": rng.choice(world["given"][title])}
            who["surname"] = rng.choice(world["surnames"])
            who |= {"name": fill(world["name"], who), "call": fill(world["call"], who)}
            if who["name"] not in self._taken:
                self._taken.add(who["name"])
                return who

    def place(self, city: str, mark: str) -> Slots:
        """Invent an address, its form without the flat, and a slip of its house number."""
        parts: Slots = {"city": city, "street": self.rng.choice(self.world["cities"][city])}
        parts |= {"block": self.rng.randrange(2, 20), "room": self.rng.randrange(101, 1800)}
        parts["number"] = "".join(self.rng.sample("123456789", 3))
        form, wrong = self.world["address"], parts | {"number": _slip(parts["number"])}
        forms = {"address": fill(form, parts), "slip": fill(form, wrong)}
        forms["short"] = fill(self.world["short_address"], parts)
        return {key + mark: value for key, value in forms.items()}

    def order(self, mark: str) -> Slots:
        """Choose what was bought; ``mark`` ends the name of each slot."""
        products = self.world["products"]
        product = self.draw("order.product", list(products))
        colour, wish, wish2 = self.rng.sample(self.world["colours"], 3)
        amount = self.money(products[product])
        order = {"product" + mark: product, "colour" + mark: colour, "amount" + mark: amount}
        return order | ({} if mark else {"wish": wish, "oldwish": wish, "wish2": wish2})

    def money(self, amount: int) -> str:
        return fill(self.world["money"], {"n": amount})

    def date(self, when: datetime) -> str:
        month, day = self.world["months"][when.month - 1], self.world["days"][when.day - 1]
        return fill(self.world["date"], {"month": month, "day": day})

    def customer(self, index: int, tier: str) -> Slots:
        """Invent one customer: a value for every slot that a phrase may hold."""
        city, city2 = self.rng.sample(list(self.world["cities"]), 2)
        slots: Slots = {"user_id": f"U{index + 1:03d}", "tier": tier, "city": city}
        slots["account"] = f"A{index + 1:03d}" if tier == "enterprise" else ""
        for mark, town in (("", city), ("2", city), ("3", city2), ("4", city2)):
            slots |= self.place(town, mark)
        slots |= self.person() | self.order("") | self.order("2") | self.wants() | self.numbers()
        slots |= {"newaddress": slots["address2"], "slip": slots["slip2"]}
        slots |= {"shortaddress": slots["short2"], "oldaddress": slots["address2"]}
        slots |= {"contract": slots[tier], "wrongorder": _slip(slots["order"])}
        slots["company"] = slots["title"] = self.draw("company." + tier, self.world["companies"])
        slots["manager"] = slots["staff"] = fill(self.world["manager"], slots)
        while slots["staff"] == slots["manager"]:  # first names alone may coincide
            slots["staff"] = fill(self.world["manager"], self.person())
        return slots

    def wants(self) -> Slots:
        """Choose tastes, plans and complaints from the language's world."""
        world, rng = self.world, self.rng
        names, family = list(world["products"]), 2 * rng.randrange(len(world["products"]) // 2)
        item, item2 = rng.sample(names[family : family + 2], 2)  # two models of one kind
        price, price2 = world["products"][item], world["products"][item2]
        unit = world["budget_unit"]
        least = max(world["budget_floor"], price // unit)
        budget, budget2 = (self.money(n * unit) for n in rng.sample(range(least, least + 8), 2))
        wants = {"item": item, "item2": item2, "cheaper": item if price < price2 else item2}
        wants |= {"price": self.money(price), "price2": self.money(price2)}
        wants |= {"budget": budget, "budget2": budget2, "viewonly": world["viewonly"]}
        wants["itemcolours"] = world["comma"].join(rng.sample(world["colours"], 3))
        pref = self.draw("pref", [key for key in world["prefs"] if key not in ("text", "call")])
        wants |= dict(
            zip(("pref", "prefattr", "prefvalue"), (pref, *world["prefs"][pref]), strict=True)
        )
        wants |= {key + "value": world["prefs"][key][1] for key in ("text", "call")}
        return wants | {slot: self.draw(slot, shelf) for slot, shelf in world["shelves"].items()}

    def numbers(self) -> Slots:
        """Invent numbers in fixed formats, with the check digits that each format has."""
        slots = {key: self.number(form) for key, form in self.world["numbers"].items()}
        slots["card"] += luhn.calc_check_digit(slots["card"])
        if self.rng.random() < 0.5:
            slots["card"] = " ".join(slots["card"][i : i + 4] for i in range(0, 16, 4))
        if self.lang == "zh":  # GB 11643; a social security number has no check digit
            slots["idno"] += mod_11_2.calc_check_digit(slots["idno"])
        kinds = [name for name in SENSITIVE if name != "contact"]
        return slots | {"slipphone": _slip(slots["newphone"]), "leak": self.draw("leak", kinds)}


def _slip(text: str) -> str:
    """Swap the last two characters: the slip people make most."""
    return text[:-2] + text[-1] + text[-2]


def _tell_life(cast: _Cast, teller: Teller, slots: Slots, arc: Row, index: int) -> Row:
    """Play all sessions of one customer, ask the checks that follow, return the customer's row."""
    rng, world = cast.rng, cast.world
    zone = timezone(timedelta(hours=int(world["zone"][:3])))
    day, starts = BASE_DATE.replace(tzinfo=zone) + timedelta(days=index * 37 % 90), []
    for plot in arc["sessions"]:
        day += timedelta(days=plot.get("days", 0))
        starts.append(day + timedelta(hours=rng.randrange(9, 20), minutes=rng.randrange(60)))
    # The first order is the one that the first talk about orders is about.
    about = [plot["scenario"] != "product_enquiry" for plot in arc["sessions"]]
    first, statuses = about.index(True) if any(about) else 0, world["statuses"]
    bought, bought2 = (starts[n] - timedelta(days=rng.randrange(4, 9)) for n in (first, -1))
    slots |= {"ordered": cast.date(bought), "ordered2": cast.date(bought2)}
    slots["status"] = statuses[arc["sessions"][first]["scenario"]]
    slots["status2"] = statuses["order_enquiry"]
    row = _customer_row(slots, (bought, bought2))
    teller.begin(slots)
    for plot, start in zip(arc["sessions"], starts, strict=True):
        slots["status"] = statuses.get(plot["agent"], statuses[plot["scenario"]])
        slots["due"] = cast.date(start + timedelta(days=rng.randrange(3, 6)))
        slots["agentname"] = rng.choice(world["agents"][plot["agent"]])
        end = teller.play(plot, start)
    for name in arc["after"]:
        teller.ask(name, end + timedelta(days=rng.randrange(2, 10)), arc["sessions"][-1]["agent"])
    return row


def _customer_row(slots: Slots, bought: tuple[datetime, datetime]) -> Row:
    columns = ("user_id", "name", "city", "address", "phone", "tier")
    row: Row = {column: slots[column] for column in columns}
    account = slots["account"] or None
    row |= {"company": slots["company"] if account else None, "account_id": account}
    row["preferences"] = [{"attribute": slots["prefattr"], "value": slots["prefvalue"]}]
    keys = ("order", "product", "colour", "amount", "status", "tracking")
    orders = [{key: slots[key + mark] for key in keys} for mark in ("", "2")]
    dates = [{"ordered": when.date().isoformat()} for when in bought]
    return row | {"orders": [order | date for order, date in zip(orders, dates, strict=True)]}


def _ask_namesakes(teller: Teller, first: _Life | None) -> _Life | None:
    """Ask each of two customers of one name for what is theirs alone."""
    second = (teller.slots, teller.past)
    if first is None:
        return second
    end = max(datetime.fromisoformat(past[-1]["ended"]) for _, past in (first, second))
    for (own, past), (other, _) in ((first, second), (second, first)):
        names = {"othercontract": other["contract"], "otherorder": other["order"]}
        teller.slots, teller.past = own | names, past
        teller.ask("namesake", end + timedelta(days=2), "support")
    return None


def _read_bank(lang: str) -> Bank:
    if lang not in ("zh", "en"):
        raise DataError(f"no phrase bank for language {lang!r}; use 'zh' or 'en'")
    folder = data_dir() / "support" / "phrases"
    paths = sorted((folder / lang).glob("*.json"))
    files = {path.stem: json.loads(path.read_text("utf-8")) for path in paths}
    world, pairs = files.pop("world"), files.pop("pairs")
    acts = {act: wordings for part in files.values() for act, wordings in part.items()}
    stories = json.loads((folder / "stories.json").read_text("utf-8"))
    return Bank(lang, world, acts, pairs, stories)


def _dataset(lang: str, rows: dict[str, list[Row]]) -> SupportDataset:
    import pandas as pd

    # Object columns keep None as None and lists as they are, so that a saved set loads the same.
    frames = {name: pd.DataFrame(rows[name], dtype=object) for name in TABLES}
    for table, column, kind in (("sessions", "turns", int), ("checks", "new_session", bool)):
        if column in frames[table]:
            frames[table][column] = frames[table][column].astype(kind)
    return SupportDataset(lang, **frames)


def _parts(rows: list[Row]) -> list[bytes]:
    parts = [b""]
    for line in ((json.dumps(row, ensure_ascii=False) + "\n").encode() for row in rows):
        if parts[-1] and len(parts[-1]) + len(line) > MAX_BYTES:
            parts.append(b"")
        parts[-1] += line
    return parts


def _read_lines(path: Path) -> list[Row]:
    try:
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    except ValueError as error:
        raise DataError(f"{path} is damaged ({error}); install or check it out again") from error


def write_manifest(folder: Path) -> None:
    """Write ``MANIFEST.json``: the SHA-256 of every data file below a folder."""
    files = sorted(path for path in folder.rglob("*.json*") if path.name != "MANIFEST.json")
    digest = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    sums = {path.relative_to(folder).as_posix(): digest[path] for path in files}
    text = json.dumps(sums, indent=1, sort_keys=True) + "\n"
    (folder / "MANIFEST.json").write_bytes(text.encode())


if __name__ == "__main__":
    for language in ("zh", "en"):
        make_support(language).save(data_dir() / "support" / language)
    write_manifest(data_dir())

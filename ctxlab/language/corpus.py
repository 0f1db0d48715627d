"""The labelled sentences that floor 2 is fitted on and measured with.

They lie in ``datasets/language``, one JSONL file per task, language and domain, each written by
hand by one author; ``GUIDE.md`` there defines formats and labels. Whole domains are held out, so
that a test figure speaks of new subjects and a new writer, not of neighbours of training rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ctxlab.errors import DataError

Row = dict[str, Any]

TASKS = ("statements", "pairs", "references", "sensitive", "dialogues")
TEST_SETS = {"first": ("airline", "insurance"), "second": ("sharebike", "toys")}
TEST_DOMAINS = tuple(domain for domains in TEST_SETS.values() for domain in domains)

AUTHORS = {
    "shop": "A", "telecom": "A", "saas": "B", "bank": "B", "hardware": "C", "utilities": "C",
    "hotel": "D", "food": "D", "airline": "E", "insurance": "E", "various": "F",
    "sharebike": "E2", "toys": "E2",
    **dict.fromkeys(
        ("leisure", "city", "market", "talk", "mixedbag", "stories", "asides", "desk"), "G"
    ),
    **dict.fromkeys(("twins", "trades", "moods", "errands", "kitchen"), "H"),
    **dict.fromkeys(("bungalow", "nightshift", "haul", "veranda"), "R"),
    **dict.fromkeys(("turns", "lookup", "hotline", "chatbox"), "S2"),
    **dict.fromkeys(("intake", "callback", "followup", "lastcall"), "J"),
    **dict.fromkeys(("platform", "plaza", "pavement", "towpath", "rooftop"), "L2"),
    **dict.fromkeys(
        ("vegbox", "tuning", "coaches", "appliances", "boilers", "kennels", "orchard",
         "printshop", "teashop", "retold"), "T2",
    ),
    **dict.fromkeys(
        ("rental", "rail", "gym", "tickets", "postal", "pharmacy", "cars", "games", "charity",
         "moving", "library", "vet", "wedding"), "S"
    ),
    **dict.fromkeys(("travel", "garage", "courses", "resale", "rides"), "T"),
    **dict.fromkeys(("town", "counter", "ferry", "tailor", "lodge", "plots", "lessons", "harbour"),
        "U",
    ),
    **dict.fromkeys(("salon", "charger", "allotment", "foyer", "doorstep"), "W"),
    **dict.fromkeys(
        ("estate", "marina", "nursery", "farm", "carehome", "scissors", "seller", "vendor",
         "drivers", "civic", "dental", "tenants", "street", "site", "online", "music",
         "parcel"), "X"),
    **dict.fromkeys(
        ("shelf", "yard", "porch", "steps", "bridge", "groomer", "balloon", "marquee", "teashop"),
        "Y",
    ),
    **dict.fromkeys(("cycles", "homehelp", "storage", "optician", "society", "heating",
         "funeral", "lawfirm", "beekeeping", "photos", "laundry", "badminton"), "Q"),
    **dict.fromkeys(
        ("scooters", "blooms", "tutoring", "riders", "dorm", "hearing", "kinder", "pawn", "seeds",
         "printers", "coins", "swipes", "visas", "ledger", "press", "meals", "parking", "charging",
         "bridal", "advice", "crowd", "clinic", "festival", "queue", "depot", "pests",
         "learning", "swim", "pets", "keys", "notices",
        ), "L"),
    **dict.fromkeys(("aquarium", "fishing", "framing", "reptiles"), "R"),
    **dict.fromkeys(("doorway", "lobby", "arcade", "bazaar"), "K"),
    **dict.fromkeys(("boxoffice", "chemist", "fitness", "gaming", "lettings", "vetshop"), "Z"),
    **dict.fromkeys(
        ("kitchens", "housekeeping", "solar", "stall", "storage", "driving", "optics", "courier",
         "lanes", "mailbag", "campers", "studio", "helpdesk", "plumbing",
         "water"),
        "P",
    ),
    **dict.fromkeys(("caravan", "groupbuy"), "a"),
    **dict.fromkeys(("hostel", "taxi"), "b"),
    **dict.fromkeys(("sofas", "courtyard", "kiosk", "gatehouse"), "c"),
    **dict.fromkeys(("photos", "studio"), "d"),
    **dict.fromkeys(("cellar", "campus"), "e"),
    **dict.fromkeys(("coach", "fitout"), "f"),
    **dict.fromkeys(("shed", "mill"), "g"),
    **dict.fromkeys(("vanity", "seniors"), "h"),
    **dict.fromkeys(("arena", "rider"), "i"),
    **dict.fromkeys(("garden", "gadgets"), "j"),
    **dict.fromkeys(("coworks", "aquarium"), "k"),
    **dict.fromkeys(("laundromat", "homestay"), "l"),
    **dict.fromkeys(("tiffin", "fasteners"), "m"),
    **dict.fromkeys(("farmgate", "escapes"), "n"), "gripes": "o",
    **dict.fromkeys(("cobbler", "massagers"), "p"),
    **dict.fromkeys(("boutique", "uniforms"), "q"),
    **dict.fromkeys(("luthier", "seedshop"), "r"),
    **dict.fromkeys(("museum", "ebikes"), "s"),
    **dict.fromkeys(("costumes", "usedphones"), "t"),
    **dict.fromkeys(("lostfound", "purifiers"), "u"),
    **dict.fromkeys(("auctions", "cakes"), "v"),
    **dict.fromkeys(("poolshop", "karaoke"), "w"),
    **dict.fromkeys(("espresso", "bakery"), "K"),
    **dict.fromkeys(("packaging", "tyres"), "M"),
    **dict.fromkeys(
        ("kopitiam", "bakkie", "hutong", "valleys", "shorelet", "prep", "wash", "boiler",
         "backoffice", "dispatch"), "N",
    ),
}  # fmt: skip
"""Who wrote a domain: cross-validation leaves out an author, for habits of style leak labels."""

_LABELS = ("kind", "actionable", "private", "relation", "attribute", "refers", "categories")


def folder() -> Path:
    """Return the folder of the sentences, in an installed wheel as in a checkout.

    Raises
    ------
    DataError
        If it is in neither place.
    """
    package = Path(__file__).parents[1]
    for place in (package / "_datasets" / "language", package.parent / "datasets" / "language"):
        if place.is_dir():
            return place
    raise DataError("no datasets/language: install the wheel or work in a checkout of ctxlab")


def load(
    task: str,
    *,
    lang: str | None = None,
    domains: Sequence[str] | None = None,
    root: Path | None = None,
) -> list[Row]:
    """Load the rows of a task; each gains ``lang`` and ``domain`` from its file's name.

    Parameters
    ----------
    task
        One of ``TASKS``.
    lang
        "zh" or "en"; both by default.
    domains
        Only these domains; all by default.
    root
        Another folder of the same layout.

    Raises
    ------
    DataError
        For an unknown task, or a line that isn't JSON (named by file and line number).

    Examples
    --------
    >>> sorted(load("references", lang="zh", domains=["shop"])[0])
    ['cue', 'domain', 'lang', 'refers', 'text', 'why']
    """
    if task not in TASKS:
        raise DataError(f"unknown task {task!r}: choose from {', '.join(TASKS)}")
    rows: list[Row] = []
    for path in sorted(((root or folder()) / task).glob("*.jsonl")):
        language, _, domain = path.stem.partition("_")
        if (lang or language) == language and (domains is None or domain in domains):
            rows += [row | {"lang": language, "domain": domain} for row in _read(path)]
    return rows


def second(task: str) -> list[Row]:
    """Load the rows of a task that a second labeller labelled too, with that labeller's labels."""
    return list(_read(folder() / "second" / f"{task}.jsonl"))


@cache
def confided() -> dict[tuple[str, str], str]:
    """Say of what sort a private statement is that shows no feeling, by language and text.

    "rival" (offers of competitors), "staff" (complaints about people who work there) or "secret"
    (things told in confidence). For statements that are trained on alone.
    """
    found: dict[tuple[str, str], str] = {}
    for path in sorted((folder() / "confided").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            sort, tab, text = line.partition("\t")
            if tab:
                found[path.stem, text] = sort
    return found


def split(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Part rows into training and test; no test domain, nor a sentence of one, is trained on."""
    test = [row for row in rows if row["domain"] in TEST_DOMAINS]
    known = {_identity(row) for row in test}  # two authors may both have written "thanks"
    train = [row for row in rows if row["domain"] not in TEST_DOMAINS]
    return [row for row in train if _identity(row) not in known], test


def folds(rows: Sequence[Row]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield (fit, check) row numbers, leaving out one author at a time."""
    for author in sorted({AUTHORS[row["domain"]] for row in rows}):
        check = [i for i, row in enumerate(rows) if AUTHORS[row["domain"]] == author]
        fit = [i for i, row in enumerate(rows) if AUTHORS[row["domain"]] != author]
        if fit:
            yield fit, check


def agreement(rows_a: Sequence[Row], rows_b: Sequence[Row]) -> dict[str, float]:
    """Cohen's kappa of two labellers, per label field, over the rows that both labelled.

    Parameters
    ----------
    rows_a, rows_b
        Rows of one task, matched by their text (pairs by old and new).

    Returns
    -------
    dict
        Field to kappa: 1 is full agreement, 0 no more than chance.

    Raises
    ------
    DataError
        If no row is in both.

    References
    ----------
    J. Cohen, A coefficient of agreement for nominal scales, 1960.

    Examples
    --------
    >>> a = [{"text": t, "refers": r} for t, r in zip("wxyz", (True, True, False, False))]
    >>> b = [{"text": t, "refers": r} for t, r in zip("wxyz", (True, False, False, False))]
    >>> agreement(a, b)
    {'refers': 0.5}
    """
    other = {_identity(row): row for row in rows_b}
    both = [(row, other[_identity(row)]) for row in rows_a if _identity(row) in other]
    if not both:
        raise DataError("the two labellers share no row: match them by text, or by old and new")
    fields = [name for name in _LABELS if all(name in a and name in b for a, b in both)]
    return {name: _kappa([(str(a[name]), str(b[name])) for a, b in both]) for name in fields}


def _kappa(answers: list[tuple[str, str]]) -> float:
    n = len(answers)
    seen = sum(a == b for a, b in answers) / n
    left, right = Counter(a for a, _ in answers), Counter(b for _, b in answers)
    chance = sum(left[label] * right[label] for label in left) / n**2
    # Two labellers who both used a single label agree fully, though kappa is then 0 / 0.
    return 1.0 if chance == 1 else (seen - chance) / (1 - chance)


def _identity(row: Row) -> tuple[Any, ...]:
    # A dialogue has none of the three and is known by its messages.
    return (row.get("text"), row.get("old"), row.get("new"), json.dumps(row.get("messages")))


def _read(path: Path) -> Iterator[Row]:
    # Not splitlines(): a sentence may hold U+2028, which isn't the end of a JSON line.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise DataError(f"{path.name} line {number} is not JSON: {error}") from error

"""What an agent quotes of prices and terms that nobody has chosen (R30).

"The large one is £89, the small one £64" is a price list read out, "you can also upgrade for $8" an
advertisement: neither tells of the customer. A sentence that addresses what is the customer's, or
says what was done, is no such thing, whatever it costs. The signs are in ``tariffs.json``, as
alternatives of regular expressions.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache

from ctxlab.language.closeness import content
from ctxlab.language.text import is_cjk
from ctxlab.language.wordlists import words_beside

__all__ = ["advertises", "conditional", "prices", "quotes", "strays"]


@cache
def _signs(name: str) -> re.Pattern[str]:
    lists = words_beside(__file__)
    joined = "|".join(lists[name]).replace("{sum}", f"(?:{lists['sum'][0]})")
    return re.compile(joined, re.IGNORECASE)


def quotes(sentence: str) -> bool:
    """Tell whether an agent's sentence only quotes a price, a term or an advertisement.

    Examples
    --------
    >>> quotes("Rooms at the front cost €15 more."), quotes("Your room costs €15 more.")
    (True, False)
    >>> quotes("大号89元，小号64元。"), quotes("您的大号89元，运费6元。"), quotes("已给您减15元。")
    (True, False, False)
    """
    listed = _signs("lists").search(sentence) and not _own(sentence)
    return bool(listed) or advertises(sentence)


def advertises(sentence: str) -> bool:
    """Tell whether a sentence is an advertisement.

    Examples
    --------
    >>> advertises("You can also upgrade for $8."), advertises("It's $8 a night.")
    (True, False)
    """
    return _signs("advertises").search(sentence) is not None


def strays(sentence: str, told: Set[str]) -> bool:
    """Tell whether an agent's sentence gives the price of what the customer never spoke of.

    Parameters
    ----------
    sentence : str
        Not the first of a reply, which may answer a question.
    told : set of str
        The words of the customer's turns before, as `closeness.content` gives them.

    Examples
    --------
    >>> strays("A swim cap is £4 at reception.", {"lane"}), strays("The lane is £4.", {"lane"})
    (True, False)
    """
    if not prices(sentence) or _own(sentence) or _signs("known").search(sentence):
        return False
    if _OF_IT.match(sentence):
        return False
    words = [w for w in content(sentence.lower()) if not w[0].isdigit() or len(w) > _TELLING]
    shared = told & set(words)
    # Chinese words aren't parted by spaces: 加人 is of 加一个人.
    signs = set("".join(w for w in words if is_cjk(w[0]))) & set("".join(told))
    return not shared and len(signs) < _SIGNS


# "That brings it to £93", 「这样一共93元」: the price of what was just spoken of.
_OF_IT = re.compile(
    r"\W*(?:so |and )?(?:that|this|it|which|they)(?:'ll|'d| will| would)? "
    r"(?:makes?|leaves?|brings?|takes?|comes?|works? out|adds? up|is|was)\b"
    r"|\W*(?:那么?|这样)[^，。\d]{0,4}(?:一共|总共|合计|就?是|还[剩差欠]|剩|变)",
    re.IGNORECASE,
)
_SUMS = {"extra", "total", "difference", "altogether", "合计", "一共", "总共", "总计", "差价"}
_TELLING = 2  # digits of a number that is no chance agreement
_SIGNS = 2  # Chinese characters that are none


def prices(sentence: str) -> bool:
    """Tell whether a sentence names a thing and then its price; a bare price is of what was named.

    Examples
    --------
    >>> prices("A swim cap is £4."), prices("£4 a night."), prices("另外泳帽4元一个")
    (True, False, True)
    >>> prices("Total extra £81."), prices("合计81元")
    (False, False)
    """
    found = _sum().search(sentence)
    return bool(found and set(content(sentence[: found.start()].lower())) - _SUMS)


def conditional(clause: str, following: str) -> bool:
    """Tell whether a clause sets a condition under which something would cost so much.

    Examples
    --------
    >>> conditional("unless the fault is in your wiring", "then it's $95.")
    True
    >>> conditional("if nobody is in", "we'll leave it."), conditional("要是换弦", "一根80元")
    (False, True)
    """
    told = f"{clause} {following}"
    asked = _signs("condition").search(clause) and _sum().search(told)
    return bool(asked and not _signs("done").search(told))


@cache
def _sum() -> re.Pattern[str]:
    return re.compile(words_beside(__file__)["sum"][0], re.IGNORECASE)


def _own(sentence: str) -> bool:
    return _signs("own").search(sentence) is not None

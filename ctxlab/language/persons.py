"""Whose matter a clause is: the customer's, the agent's to the customer, or somebody else's.

A support conversation is about two parties. Neighbours, other customers and what one's father
thinks come up all the same, with order numbers and amounts of their own. ``persons.json`` lists
the words, as alternatives of regular expressions.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.attributes import key_literals
from ctxlab.language.numerals import numerals
from ctxlab.language.wordlists import words_beside

__all__ = [
    "apart",
    "by_party",
    "carries_on",
    "of_another",
    "of_relative",
    "of_stranger",
    "takes_part",
    "to_customer",
]


@cache
def _signs(name: str) -> re.Pattern[str]:
    words: dict[str, str] = words_beside(__file__)["words"]
    joined = re.sub(r"\{([a-z]+)\}", lambda m: words[m[1]], "|".join(words_beside(__file__)[name]))
    return re.compile(joined, 0 if name == "third" else re.IGNORECASE)


def of_another(clause: str) -> bool:
    """Tell whether a customer's clause is about somebody who isn't a party to the matter.

    Who comes along is one, and so is who did harm to what is the customer's.

    Examples
    --------
    >>> of_another("my neighbour's came early"), of_another("my neighbour hit my fence")
    (True, False)
    >>> of_another("我同学也没收到"), of_another("我和同学一起订的")
    (True, False)
    """
    named = _signs("others").search(clause) and not _signs("touches_me").search(clause)
    return bool(named or _signs("claims").search(clause))


def apart(clause: str, following: str) -> bool:
    """Tell whether a clause gives somebody else's value, which the next sets the customer's beside.

    Examples
    --------
    >>> apart("Tom got the 10:40", "I'm at 11:20"), apart("Tom picks up A1029", "I'm away")
    (True, False)
    >>> apart("我房东用的是B套餐", "我们要D套餐"), apart("我妈收货", "我在上班")
    (True, False)
    """
    return bool(
        _signs("apart").search(clause)
        and _signs("self").search(following)
        and not _signs("errand").search(clause)
        and all(_VALUE.search(part) for part in (clause, following))
    )


_VALUE = re.compile(
    r"\d|[A-Z](?![a-z'])|(?<=[a-z] )[A-Z]\w|[一二两三四五六七八九十百千][个件套张块点号月]|[版款型]"
)


def takes_part(clause: str) -> bool:
    """Tell whether a clause gives somebody else a part in the customer's matter.

    Examples
    --------
    >>> takes_part("my neighbour can sign for it"), takes_part("my neighbour paid £30")
    (True, False)
    >>> takes_part("我同事帮我取"), takes_part("我同事也买了")
    (True, False)
    """
    return _signs("touches_me").search(clause) is not None


def of_stranger(clause: str) -> bool:
    """Tell whether an agent's sentence is about another customer, and not said to this one.

    Examples
    --------
    >>> of_stranger("The second is 7745-7, a neighbour"), of_stranger("your neighbour has it")
    (True, False)
    """
    return bool(_signs("stranger").search(clause) and not _signs("addressed").search(clause))


def to_customer(clause: str) -> bool:
    """Tell whether an agent's clause speaks of the customer, of the agent or of a case by number.

    Examples
    --------
    >>> to_customer("so you pay nothing"), to_customer("and two with a card")
    (True, False)
    """
    return _signs("to_you").search(clause) is not None


def carries_on(clause: str) -> bool:
    """Tell whether a clause goes on with the story of a third person.

    Examples
    --------
    >>> carries_on("and she got hers"), carries_on("and I got mine")
    (True, False)
    """
    return _signs("goes_on").search(clause) is not None


def by_party(clause: str) -> bool:
    """Tell whether a party comes into a clause: "I", "you", 我, not only "my father".

    Examples
    --------
    >>> by_party("so I want mine"), by_party("so he left")
    (True, False)
    """
    return _signs("party").search(clause) is not None


def of_relative(clause: str) -> bool:
    """Tell whether a clause gives a number of a third person's, relatives included.

    Examples
    --------
    >>> of_relative("my husband has 6038"), of_relative("my husband will pick up 6038")
    (True, False)
    """
    number = any(re.search(r"\d{3}|\d[A-Z]", x) for x in key_literals(clause))
    number = number or any(len(n.digits) > 2 for n in numerals(clause))
    errand = re.search(r"[去来代]取|[帮替]我|\b(?:picks? up|collects?|will)\b", clause)
    third = number and not errand and _signs("third").search(clause)
    return bool(third and not by_party(clause))

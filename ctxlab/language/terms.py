"""Which words of a question are worth looking up, and which forms of a word are one word (R43).

A question is half made of words that every text holds: "when did", "什么时候". Looking them up
finds whatever is long. English verbs that change inside ("went", "bought") are no case for a
stemmer; a closed list of the common ones is.
"""

from __future__ import annotations

from .text import stem, tokenize

__all__ = ["PAST_FORMS", "index_term", "index_terms", "query_terms", "telling_words"]

_FUNCTION = frozenset(
    stem(word)
    for word in (
        "a about all an and any are as at be been being but by can could did do does for from had "
        "has have having he her hers him his how i if in into is it its just me might my no not of "
        "on or our ours out over really shall she should so some than that the their theirs them "
        "then there these they this those to up us very was we were what when where which who whom "
        "whose why will with would you your yours"
    ).split()
)
# Character bigrams, as `tokenize` makes them: the words themselves and what joins onto them.
_FUNCTION_ZH = frozenset(
    (
        "什么 么时 时候 怎么 么样 哪里 哪个 哪些 哪儿 哪天 为什 是什 是不 不是 是否 "
        "有没 没有 多少 几个 几号 我的 你的 他的 她的 它的 我们 你们 他们 她们 这个 "
        "那个 这些 那些 这次 那次 一下 一个 可以 能不 不能 请问 了吗 的吗 是吗 吗我 "
        "了我 你们 我想 我要 想问 问一 就是 还是 但是 因为 所以 如果 或者 以及 已经 "
    ).split()
)
_IRREGULAR = """
be am is are was were been|become became|begin began begun|blow blew blown
break broke broken|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen
come came|deal dealt|dig dug|do did done|draw drew drawn|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given
go went gone|grow grew grown|hang hung|have has had|hear heard|hide hid hidden|hold held|keep kept
know knew known|lay laid|lead led|leave left|lend lent|lose lost|make made|mean meant|meet met
pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|sell sold
send sent|shake shook shaken|shine shone|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat
sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|strike struck
swear swore sworn|swim swam swum|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won
write wrote written
"""
_PLURALS = """
child children|foot feet|knife knives|man men|person people|tooth teeth|wife wives|woman women
"""


def _entries(lines: str) -> list[list[str]]:
    """Return words, each with its forms."""
    return [line.split() for line in lines.replace("\n", "|").split("|") if line]


_FORMS = {
    stem(form): stem(words[0]) for words in _entries(_IRREGULAR + _PLURALS) for form in words[1:]
}
PAST_FORMS = frozenset(form for words in _entries(_IRREGULAR) for form in words[1:])
"""Irregular past forms of English verbs, with "am", "is" and "are"."""


def index_terms(text: str) -> list[str]:
    """Cut a text into the terms it is found by: those of `tokenize`, irregular forms made one.

    Examples
    --------
    >>> index_terms("She bought two desks; 已退款")
    ['she', 'buy', 'two', 'desk', '已退', '退款']
    """
    return [_FORMS.get(term, term) for term in tokenize(text)]


def index_term(word: str) -> str:
    """Return the term that a word of `tokenize` is found by."""
    return _FORMS.get(word, word)


def telling_words(text: str) -> list[str]:
    """Return the words of a question that tell texts apart, each once; all if none does.

    Examples
    --------
    >>> telling_words("When did she buy the desk?"), telling_words("Who are you?")
    (['buy', 'desk'], ['who', 'are', 'you'])
    """
    every = dict.fromkeys(tokenize(text))
    return [t for t in every if t not in _FUNCTION and t not in _FUNCTION_ZH] or list(every)


def query_terms(text: str) -> list[str]:
    """Return the telling words of a question as terms of an index, each once.

    Examples
    --------
    >>> query_terms("When did she buy the desk?"), query_terms("Who are you?")
    (['buy', 'desk'], ['who', 'be', 'you'])
    >>> query_terms("我的订单什么时候发货")
    ['的订', '订单', '单什', '候发', '发货']
    """
    return list(dict.fromkeys(_FORMS.get(term, term) for term in telling_words(text)))

"""What is laid out and not yet taken, and what a customer says isn't theirs (R30).

"The 14th has space at 07:00 and at 17:30" tells of the company's day, not of the customer's; what
the customer picks is said again. And what an agent read out from the wrong file is nobody's here.
"""

from __future__ import annotations

import re

from ctxlab.language.attributes import key_literals
from ctxlab.language.numerals import numerals
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.text import clause_spans

__all__ = ["answered", "disowns", "done", "lays_out", "outdated", "tells", "without_former"]

_TIME = (
    r"\d{1,2}[:.]\d\d|\d{1,2} ?[ap]\.?m\b|\d{4}-\d\d-\d\d|"
    r"[零一二三四五六七八九十两\d]{1,3}点半?(?!\d)"
)
_DAY = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]"
_SUM = r"[$£€¥]\s?\d[\d,.]*|\d[\d,.]*\s?(?:元|块|美元|欧元)"
_CHOICE = re.compile(
    rf"(?P<a>{_TIME})[^.?!。？！]{{0,24}}?(?:\bor\b|\band\b|/|,|、|，|和|或|还是|"
    rf"以及)[^.?!。？！]{{0,16}}?"
    rf"(?:{_TIME})|(?P<b>{_SUM})[^.?!。？！]{{0,24}}?(?:\bor\b|/|或者?|"
    rf"还是)[^.?!。？！]{{0,20}}?(?:{_SUM})"
    rf"|(?P<c>{_DAY})[^.?!。？！]{{0,20}}(?:\bor\b|或|还是)[^.?!。？！]{{0,12}}?(?:{_DAY})"
    r"|\d{2,4}[^。？！\d]{0,8}(?:或者|还是|要么)[^。？！\d]{0,8}\d{2,4}(?!\d)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:has (?:space|room|places|slots?|availability)|i can see|"
    r"(?:i|we)(?:'ve|(?:'d| would)? have)(?: got)?|"
    r"there(?:'s| is| are)|available|on offer|to choose from|options?|either|(?:i|we) (?:can|could)"
    r" (?:do|offer)|free (?:on|at)|slots?|openings?)\b|"
    r"有(?:[^，。,]{0,12})(?:[两三几]?[班趟场档个种]|可[选约订])|"
    r"有(?=\s?\d{1,2}[:点]|(?:[这下]?周|星期|礼拜)[一二三四五六日天]|[上下]午|[今明后]天)|可[选约]|任选|要么|或者?|还是",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"\b(?:there(?:'s| is| are)|we(?:'ve| have)(?: got)?|i (?:have|see)|only)(?: \w+){0,3} (?:left|"
    r"available|in stock|remaining|slots?|spaces?|places?|seats?|rooms?|beds?|tables?)\b|"
    r"\bhas (?:space|room|places|slots?|availability)\b|(?:还|尚|只)(?:有|"
    r"剩)[^，。,]{0,8}(?:[位个间张台件辆套]|"
    r"余[票位量])|有(?:现货|余票|余位|空位|空房)",
    re.IGNORECASE,
)
# Said of what the agent just named: somebody else's, or no longer in use.
_DISOWNED = re.compile(
    r"^\W*(?:(?:no|nope|nah|oh|ah|hang on|hold on|wait|sorry|um|er|er+m|hm+|well|"
    r"actually)\b[,.!]? ?)*"
    r"(?:(?:that|this)(?:'?s| is| was| one'?s| one is)|those are|it'?s)"
    r" (?:not (?:mine|ours|me|us|my \w+|our \w+)\b|(?:my|our|the) (?:old|previous|former|last|"
    r"ex)\b|"
    r"(?:my|our|the) [\w' -]{2,24}'s\b(?! (?:name|birthday|idea|fault))|(?:some(?:one|body) else|"
    r"another (?:customer|person))'?s?\b|(?:his|hers|theirs|the wrong (?:one|person|account|file|"
    r"customer|booking|number|address))\b|(?:out of date|outdated|years old))|"
    r"^\W*(?:不是?[，,]?|哦[，,]?|啊[，,]?|等等[，,]?)*(?:那|这)个?(?:单|号|邮箱|电话|地址|卡|票|"
    r"账号|"
    r"账户|号码|订单)?(?:不是我的?|不是我们|是我?(?:爸|妈|爷爷|奶奶|老公|老婆|爱人|先生|太太|哥|"
    r"姐|弟|妹|儿子|"
    r"女儿|同事|朋友|邻居|室友|房东|别人|人家|"
    r"[\u4e00-\u9fff]{1,3}家?)的(?![\u4e00-\u9fff]*[吗么?？])|"
    r"(?:早就?|已经)?(?:不用了|停用了|停了|作废了|换了)|是(?:以前|之前|原来|旧|老)的)",
    re.IGNORECASE,
)

_DENIES = re.compile(
    r"^\W*(?:no|nope|nah|not (?:this|any|now|that|for|at|in|on)|neither|none|rather|actually)\b"
    r"|^\W*(?:不(?!对|好意思|错)|没有?|别|换|改)",
    re.IGNORECASE,
)
_ALONE = 12  # characters of an answer that says by itself which of several things it takes
_FORMER = re.compile(
    r"\b(?:(?:we|i)(?: still)? (?:show|have|see|had|hold)|(?:the )?(?:system|file|record|account)"
    r" (?:shows?|says?|has|had)|on (?:file|record|the system)|currently|as measured|last time|"
    r"same as|as before|still want)\b|系统里?(?:面)?(?:写|显示|登记|记录|留)|(?:原来|之前|目前|"
    r"现在)(?:登记|写|"
    r"记|留|填)|档案|上次|还是(?=.*吗?$)",
    re.IGNORECASE,
)

_NOW = re.compile(
    r"\b(?:at present|at the moment|currently|right now|so far)\b|\b(?:we|i)(?: can)?(?: still)? "
    r"(?:show|see|have you (?:down|in))\b|(?:现在|目前|系统里?)(?:是|订的|登记的?|显示|写)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:moved|changed|updated|corrected|switched|amended|rebooked|transferred)\b|"
    r"已?(?:改到|改成|改为|更正|更新|换成|换到|改好|转到)",
    re.IGNORECASE,
)


def outdated(sentence: str, later: str) -> bool:
    """Tell whether an agent's sentence gives the state before a change that was then made.

    Examples
    --------
    >>> outdated("I can see 3 April at present.", "Moved to 10 April.")
    True
    >>> outdated("I can see 3 April at present.", "See you then."), outdated("Moved it.", "")
    (False, False)
    """
    return bool(_NOW.search(sentence) and not _CHANGED.search(sentence) and _CHANGED.search(later))


def answered(question: str, answer: str) -> str:
    """Give what of a question belongs to its answer: no value that the answer puts another for.

    Examples
    --------
    >>> answered("Which room?", "2201"), answered("The hem as measured, 42 inches?", "41")
    ('Which room?', 'The hem as measured')
    >>> answered("还是上次的金锚吗?", "换银的"), answered("裙长还是106?", "105")
    ('', '')
    """
    if lays_out(question) and len(answer) > _ALONE:
        return ""
    if not (_DENIES.match(answer) or _values(answer)) or not (
        _values(question) or (_DENIES.match(answer) and _FORMER.search(question))
    ):
        return without_former(question)
    kept = [
        question[start:end]
        for start, end in clause_spans(question)
        if not _values(question[start:end]) and not (
            _DENIES.match(answer) and _FORMER.search(question[start:end])
        )
    ]  # fmt: skip
    return next((clause for clause in kept if strip_fillers(clause).strip(" ,，。.?？")), "")


def without_former(question: str) -> str:
    """Leave out of a question what it says was on file before, if it goes on to what will be.

    Examples
    --------
    >>> without_former("We show 12 Mill Lane, shall I change it to 14 Mill Lane?")
    'shall I change it to 14 Mill Lane?'
    """
    spans = clause_spans(question)
    rest = [span for span in spans if not _FORMER.search(question[slice(*span)])]
    return question[rest[0][0] :] if rest and rest[0] != spans[0] else question


def _values(text: str) -> list[str]:
    return [x for x in key_literals(text) if re.search(r"\d", x)] or [
        n.digits for n in numerals(text)
    ]


def lays_out(sentence: str) -> bool:
    """Tell whether an agent's sentence only says what there would be to choose from.

    Examples
    --------
    >>> lays_out("We have 09:00 and 11:30."), lays_out("You are booked for 09:00.")
    (True, False)
    >>> lays_out("14号有七点和五点半两班"), lays_out("还剩4个位,240一个"), lays_out("已改到七点")
    (True, True, False)
    """
    choice = _CHOICE.search(sentence)
    # Two prices with "or" between them leave a choice in whatever words.
    chosen = choice is not None and bool(choice["b"] or _OPEN.search(sentence))
    return chosen or _STOCK.search(sentence) is not None


def disowns(text: str) -> bool:
    """Tell whether a customer's turn opens by saying that what was just named isn't theirs.

    Examples
    --------
    >>> disowns("That's my dad's. Mine is 20."), disowns("那个邮箱不用了"), disowns("That's it.")
    (True, True, False)
    """
    return _DISOWNED.match(text) is not None


def tells(body: str, kind: str, taken: bool = False) -> bool:
    """Tell whether an agent's sentence says something: a day, a sum, a promise, a deed.

    Parameters
    ----------
    body : str
        The sentence, with its dates in ISO form.
    kind : str
        What it is labelled as.
    taken : bool
        Whether it offers what the customer took up.

    Examples
    --------
    >>> tells("Leave it with me", "commitment"), tells("It comes to $40", "chitchat")
    (False, True)
    """
    if re.search(r"\d{4}-\d\d-\d\d", body) or _PRICE.search(body):
        return True
    if len(body) <= 6 or _HOLLOW.fullmatch(body):
        return False
    if done(body) or _WHO_COMES.search(body):
        return True
    told = kind in ("event", "fact", "request") and bool(_YOURS.search(body) or numerals(body))
    return told or kind == "commitment" or (taken and _CAN.search(body) is not None)


def done(sentence: str) -> bool:
    """Tell whether an agent's sentence says what was done.

    Examples
    --------
    >>> done("I've moved your check-ups to Dr Osei."), done("I can move them.")
    (True, False)
    >>> done("已改到周五"), done("可以改到周五")
    (True, False)
    """
    return _DEED.search(sentence) is not None and not _MAY.search(sentence)


# "Your driver's Alun", 「师傅姓庄」: who is to come.
_WHO_COMES = re.compile(
    r"\b(?:driver|engineer|technician|fitter|courier|plumber|electrician|cleaner|surveyor|tutor|teacher"
    r"|instructor|guide|sparky|agent|manager|contact)"
    r"(?:'s| is|:| will be) (?:called |named )?(?-i:[A-Z])"
    r"|(?:师傅|司机|老师|顾问|经理|技师|队长|专员|骑手|阿姨|教练|会计|管家)(?:姓|叫|是)[\u4e00-\u9fff]",
    re.I,
)
_MAY = re.compile(
    r"[?？]|\b(?:can|could|would|may|might|if|once)\b|可以|能|如果|要是|请您?|吗", re.I
)
_PRICE = re.compile(r"[$£€¥₹]\s?\d|\d(?:\.\d+)?\s?(?:元|块|美元|欧元)")
_HOLLOW = re.compile(
    r"(?:will do|on it|right away|of course|no problem|leave it with me"
    r"|consider it done|my pleasure|(?:有什么)?.{0,4}随时.{0,6})",
    re.I,
)
# What was done is told, with what it was done to.
_DEED = re.compile(
    r"\b(?:i|we)(?:'ve| have) (?:now |also |just )?(?:put|set|made|sent|\w{3,}ed)\b"
    r"|^(?:done|all set|booked|moved|changed|added|removed|updated|switched|refunded|cancelled"
    r"|credited|noted)\b|\b(?:has|have) been \w{3,}ed\b"
    r"|已经?|[改换转调][成到为好]|[加退取订约办登补续]好|备注|登记了|安排了|更新",
    re.I,
)
_CAN = re.compile(r"\b(?:i|we) (?:can|could)\b|可以|能", re.I)
_YOURS = re.compile(
    r"\byou(?:r|'re|'ve)?\b|\bI(?:'ve| see| have)\b|您|已|查到|确认|请.{2,}(?:证|单|书|票|表|照"
    r"|件|材料)",
    re.I,
)

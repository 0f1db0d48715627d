"""What the agent asked and what answers it: "2201" means nothing without "Which room?" (R30)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ctxlab.language.attributes import key_literals
from ctxlab.language.exclusions import leave_out
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.sensitive import Finding
from ctxlab.language.text import sentences

__all__ = [
    "YES",
    "asked_by",
    "asks_for_more",
    "asks_who",
    "binds",
    "hard",
    "is_enough",
    "is_fragment",
    "question_of",
    "says_no",
    "says_nothing",
]

_OPEN = re.compile(
    r"anything else|can I help|how (?:can|may)|which|what|when|where|who|其他|别的|还有什么|哪"
    r"|什么|几|多少",
    re.I,
)
_NO = re.compile(
    r"(?:(?:no|nope|nah|never mind|there is|不用|没有|不是)\b[^,，]{0,3}$"
    r"|(?:no|nope|nah|not (?:really|today|for me))\b(?:[\s,.!-]*\b(?:thanks?|thank you|ta|cheers"
    r"|love|mate|dear|sir|(?:it|that)'?s (?:fine|ok(?:ay)?|alright)"
    r"|i'?m (?:fine|good|ok(?:ay)?|alright))\b)*\W*$"
    r"|(?:不用|不要|不需要|先?不|没有)(?:了|啦|的)?[\s,，]*(?:谢谢|多谢|谢了)?[啊呀哈哦]?\W*$)",
    re.I,
)
YES = re.compile(
    r"(?:yes(?: please)?|yeah|yep|yup|aye|sure|correct|right|exactly"
    r"|that's right|go (?:ahead|for it|on(?: then)?)|do it|sounds good|(?:that )?works(?: for me)?"
    r"|(?:that|it)(?:'?s| is) (?:it|the one|him|her|them)|still is|spot on|bang on"
    r"|(?:that|this|it)(?:'s| is| would be) (?:good|fine|ok(?:ay)?|great|perfect|grand|lovely)"
    r"(?: (?:with|by|for) (?:me|us))?"
    r"|suits me|perfect|lovely|please do|deal|that one'?s? fine"
    r"|(?:it|that|this) (?:is|does|was|will)(?=[,.!;]|$)|they (?:are|do|were)(?=[,.!;]|$)"
    r"|(?:i|we) (?:do|am|did|have|will|are)(?=[,.!;]|$)"
    r"|(?:对+的?){1,3}|(?:是+的?){1,3}|[行好]{2,}|没错|嗯+|可以的?|行的?|好[的嘞呀啊]?|要得|成|中|确认"
    r"|没问题|就这[样个]吧?|那就这样|成交"
    r"|(?:那就?|行|好|嗯)?[，, ]?[加改换订定办退取转开选续要买]吧)"
    # 「对没电了」: speech has no marks.
    r"(?:[\s,.，。!！~～]|$|要得|(?<=对)(?=[没就是要]|我(?!来|说|而|们?来))|(?<=[吧嘞])(?=那?就))",
    re.I,
)


def says_no(text: str) -> bool:
    """Tell whether a text is a bare no.

    Examples
    --------
    >>> says_no("No."), says_no("No ta"), says_no("No pets")
    (True, True, False)
    """
    return _NO.match(text) is not None


_PROPOSES = re.compile(
    r"\b(?:shall|should|would you|want me|may i|can i|could i|do you want|to be sure"
    r"|to confirm|correct|(?:just|double)[- ]check(?:ing)?)\b|确定|核对|[对是]吧|对吗"
    r"|可以吗|好吗|行吗|可否|要不要|确认|[帮给为]您",
    re.I,
)


def binds(question: str) -> bool:
    """Tell whether a yes to a question is worth a note: it names something, or offers to act.

    Examples
    --------
    >>> binds("Is it order A1029?"), binds("Did it come?"), binds("Anything else?")
    (True, False, False)
    """
    return not _OPEN.search(question) and (hard(question) or _PROPOSES.search(question) is not None)


_ASKS_LEAVE = re.compile(
    r"\W*(?:(?:so|and|ok(?:ay)?)\W+)?(?:shall|should|may|can|would you like|do you want|want"
    r"|is it ok(?:ay)? if)(?: (?:i|we|me))?(?: to)?(?: (?:go ahead|proceed|continue|confirm|book|do"
    r"|process|arrange|change|place|add|make)?"
    r"(?: (?:it|that|this|so|them|the change|the booking))?)?"
    r"(?: with (?:it|that|this))?(?: now| then| for you)*\W*"
    r"|(?:请问)?您?(?:要|需要|是否|可以|同意|要不要|确认)?我?(?:帮您|为您|给您|现在就?)*"
    r"(?:确认|操作|办理|处理|下单|[加改换订办退]|预约|提交|登记|安排|继续|这样)?(?:一下)?"
    r"(?:可以|行|好|对|需要|确认)?[吗么呢吧]\W*",
    re.I,
)


def asks_leave(question: str) -> bool:
    """Tell whether a question only asks to go on: what a yes to it means stands before it.

    Examples
    --------
    >>> asks_leave("Shall I go ahead?"), asks_leave("Shall I send it to 9 Elm Street?")
    (True, False)
    >>> asks_leave("确认加吗？"), asks_leave("要改到周五吗？")
    (True, False)
    """
    return _ASKS_LEAVE.fullmatch(question) is not None


_FOR_MORE = re.compile(
    r"\b(?:any|some)(?:thing|body) (?:else|more|further)\b|\bwhat else (?:can|may|is)\b"
    r"|\bbesides (?:that|this)\b"
    r"|\b(?:will|would|is|was) (?:that|this) (?:be )?(?:all|everything|it)\b|\bcovered everything\b"
    r"|(?:还有|有没有|其[他它]|别的|另外|除了这[个些])[^，。？?]{0,8}"
    r"(?:问题|事情?|需要|吩咐|疑问|帮|办|做|交代|了解|咨询|要问|处理|服务)[^，。？?]{0,8}[？?]?\s*\Z"
    r"|还(?:需要|要|能)?(?:我|我们|客服)?(?:帮您|为您|给您)?[做帮办缺差]?(?:点|些)?(?:什么|啥)(?:的|吗)?[？?]?\s*\Z"
    r"|还(?:需要|要)(?:我|我们|客服)[^，。？?]{0,8}[吗么][？?]?\s*\Z|就这些(?:吗|了吧)",
    re.I,
)
_SHORT = 120  # characters: what asks for more at length asks for something


def asks_for_more(question: str) -> bool:
    """Tell whether a question only asks what else there is: its answer, "that's all", says nothing.

    Examples
    --------
    >>> asks_for_more("Is there anything else?"), asks_for_more("Anything else in size 42?")
    (True, False)
    >>> asks_for_more("还有其他要办的吗？"), asks_for_more("其他颜色要吗？")
    (True, False)
    """
    short = len(question) <= _SHORT and not any(map(str.isdigit, question))
    return short and _FOR_MORE.search(question) is not None


# Longer wordings first: a piece once read is not read otherwise, or the time would double with
# every word.
_ENOUGH = re.compile(
    r"(?>(?:(?>(?:nothing|none|no more"
    r"|no(?: (?:more|further|other))? (?:questions?|requests?|issues?))"
    r"(?: (?:else|more|further|to add))?|"
    r"not (?:today|now|really|yet|for now|at (?:the moment|present|all)|right now"
    r"|that (?:i|we) can think of|this time)|"
    r"(?:that|this|it)(?:'?s| is|'?ll be| will be| should be| would be| must be)"
    r" (?:all(?: (?:i|we) (?:need(?:ed)?|want(?:ed)?|have|had|was after))?"
    r"|it|everything|me|us|the lot|fine|plenty|enough)|that(?:'ll| will| should)? do|"
    r"(?:that|which) (?:covers|does|sorts) (?:it|everything|the lot|me|us)|"
    r"(?:all|(?:i|we)(?:'?m|'?re| am| are)?(?: all)?|everything(?:'?s| is)?)"
    r" (?:good|set|done|sorted|fine|okay?|happy|clear)|"
    r"(?:(?:i|we) (?:think|guess|believe|reckon)|i'?d say|think)|"
    r"(?:i |much |really )*appreciate[ds]?(?: (?:it|that|this))?|"
    r"you(?:'?ve| have) been (?:a (?:star|great help|legend)"
    r"|(?:very |so |most )?(?:great|helpful|kind))|"
    r"have a (?:good|great|nice|lovely|wonderful)"
    r" (?:one|day|evening|night|weekend|afternoon)|you too|"
    r"(?:for )?(?:(?:all )?(?:your|the) (?:help|time|patience|support)|everything|helping)|"
    r"(?:for )?(?:now|today|the moment)|(?:from|on) (?:me|us|my (?:side|end)|here)|"
    r"so much|a (?:lot|bunch|million)|very much|much obliged|thank you|bless you|take care|"
    r"see (?:you|ya)|bye ?bye|nope|nah|no|so|and|but|here|loads|kindly|great|perfect|good|lovely"
    r"|fine|super|awesome|brilliant|excellent|wonderful|okay|ok|alright|cheers|thanks|thank|tyvm"
    r"|ty|thx|tks|tnx|ta|mate|pal|buddy|love|dear|man|sir|ma'?am|madam|team|folks|later|goodbye"
    r"|bye|cool|then)(?![a-z'])|"
    r"没(?:有|啥|什么|其他|别的|事儿?|问题)*了?|不了|[好行][了的呀啊吧]*|可以了?|"
    r"就?[这那](?:[些样]|[个件]?事儿?|点事)吧?了?|先?这样[吧哈]?|"
    r"[多谢]谢[啦了你您]*|谢[啦了]|感谢(?:[您你])?|辛苦[了您你]*|麻烦[了您你]*|暂时|"
    r"不用[了啦]?|不需要[了啦]?|挺好的?|嗯+|目前|都?(?:清楚|明白|知道|解决|搞定|弄好|办好)了|"
    r"再见|拜+|回见|下次再(?:说|来|聊)|都?齐了|亲|[啦哈哦呢呀啊咯嘛的了])[\W_]*+)++",
    re.I,
)


def is_enough(answer: str) -> bool:
    """Tell whether an answer only says that nothing else is wanted.

    Examples
    --------
    >>> is_enough("No, that's all, thanks!"), is_enough("Just the cuffs")
    (True, False)
    >>> is_enough("Nothing from my side, ty"), is_enough("Nothing works from my side")
    (True, False)
    >>> is_enough("没了，就这些"), is_enough("没电了")
    (True, False)
    """
    return len(answer) <= _SHORT and _ENOUGH.fullmatch(answer.strip()) is not None


def question_of(reply: str) -> str:
    """Give the words of the question that an agent's turn ends on, whole; empty if none."""
    asked = [s for s in sentences(reply) if s.rstrip().endswith(("?", "？")) or _SPOKEN.search(s)]
    polite = re.search(r"(?:请|麻烦)[^。]*(?:提供|报|告诉|留|说)[^。]*", reply)
    choice = _EITHER_OR.search(reply)
    found = polite or choice
    return asked[-1] if asked else found[0] if found else ""


_SPOKEN = re.compile(r"(?:[吗么]|[对是好行]吧)\Z")  # speech has no question marks


# 「两点还是四点」 leaves a choice; 「选择还是有的」 and 「还是可以的」 say that something is so.
_EITHER_OR = re.compile(r"[^。！!]*(?:或者|还是(?![有可能会要很比不挺蛮得先老]))[^。！!]*")


def asked_by(reply: str, scanned: Mapping[str, Sequence[Finding]] | None = None) -> str:
    """Give the question that an agent's turn ends on, or the choice it leaves; empty if none.

    Parameters
    ----------
    reply : str
        An agent's turn.
    scanned : mapping of str to findings, optional
        What `scan` found in questions, as far as that is known.

    Examples
    --------
    >>> asked_by("Found it. Which room?"), asked_by("两点或者四点半。"), asked_by("Done.")
    ('Which room?', '两点或者四点半', '')
    """
    question = question_of(reply)
    known = (scanned or {}).get(question)
    return leave_out(question, by_agent=True, findings=known) if question else ""


_VERB = re.compile(
    r"\b(?:is|are|am|was|were|be|have|has|had|do|does|did|will|would|can|could|should|need|want"
    r"|wants|send|put|call|"
    r"make|take|use|give|get|got|go|goes|come|pay|paid|charged?|order(?:ed)?|move|moved|leave"
    r"|email|ring|change|"
    r"bring|keep|drop|cancel)\b|'(?:s|m|re|ll|ve|d)\b|\w+n't\b",
    re.I,
)


def asks_secret(said: str) -> bool:
    """Tell whether a turn asks for what isn't to be remembered: digits of a card, a password.

    Examples
    --------
    >>> asks_secret("What's the last 4 digits of your card?"), asks_secret("Which card was it?")
    (True, False)
    >>> asks_secret("请报一下银行卡后四位"), asks_secret("请问订单号是多少呢")
    (True, False)
    """
    return _SECRET.search(question_of(said) or said) is not None


_SECRET = re.compile(
    r"\b(?:card number|digits of (?:your|the)(?: \w+){0,3} card|number on (?:your|the) card|"
    r"cvv|cvc|pin|pass ?(?:word|code|phrase)|maiden name|memorable (?:word|date|place|name)|expiry|"
    r"(?:security|one[- ]time|verification|authentication|access) (?:code|word|answer|question))\b|"
    r"(?:银行|信用|储蓄|支付)?卡的?(?:卡号|号|[后末尾][四4六6]位|尾号)|卡号|有效期|密码|验证码|校验码|安全码|"
    r"口令|密保",
    re.I,
)


def asks_who(said: str) -> bool:
    """Tell whether a turn asks for a person: who answers it by another has named one of the matter.

    Examples
    --------
    >>> asks_who("Fine. Who will let us in?"), asks_who("Who told you that, and when?")
    (True, False)
    >>> asks_who("联系人怎么称呼？"), asks_who("怎么称呼您？")
    (True, False)
    """
    return _WHO.search(question_of(said)) is not None


_WHO = re.compile(
    r"\bwho(?:'ll|'d|'s|se name| will| would| should| shall| can| do| is(?: going)?)\b|\bwhom\b"
    r"|\bcontact (?:name|person|number)\b|\bname (?:and number )?(?:of the|for the)\b"
    r"|(?<!是)谁(?!说|告诉)|(?:联系|收货|收件|接收|负责|取件)人|(?:找|联系)哪[位个]",
    re.I,
)


def is_fragment(text: str) -> bool:
    """Tell whether a sentence is too short to stand alone: "Room 2201", 「普票」."""
    if re.search(r"[\u3400-\u9fff]", text):
        body = strip_fillers(text)
        return len(body) <= 14 and not re.search(
            r"我|您|你|客|请|给|把|帮|改|退|要求|不要|别", body
        )
    return len(text.split()) <= 8 and not _VERB.search(text)


# An answer that answers nothing.
_EMPTY = re.compile(
    r"(?:(?:yes|yeah|yep|yup|no|nope|nah|ok(?:ay)?|right|correct|sure|fine|thanks?(?: you)?|cheers|"
    r"hi|"
    r"hello|hey|h?mm+|uh|um|er|oh|ah|well|wait|hang on|hold on|sorry|pardon|what|huh|please|bye|"
    r"one (?:sec(?:ond)?|moment)|just a (?:sec(?:ond)?|moment|minute)|let me (?:check|see|look|"
    r"think)|"
    r"(?:i )?(?:don't|do not|can't) (?:know|remember|recall)|dunno|no (?:idea|clue)|not sure|"
    r"never ?mind|nothing(?: else)?|that's (?:all|it)|good|great|perfect|(?:i )?will do|on it|"
    r"noted|no problem|of course|嗯+|哦+|噢|啊|喂|好的?|行|"
    r"可以|对的?|"
    r"是的?|没错|谢谢|多谢|你好|您好|不知道|不清楚|不记得了?|忘了|没有了?|没了|不用了?|等等|等一下|"
    r"稍等|等会儿?|收到|明白|了解|知道了|照办|没问题|已?(?:备注|记下)(?:好|上)?了?|"
    r"我看看|我找找|我想想|算了|什么|再见|没事|请问|好吧|哎|唉)(?:[\s,.，。!！?？~…]|$)*)+",
    re.I,
)


def says_nothing(answer: str) -> bool:
    """Tell whether an answer holds no more than assent, thanks, a pause or "I don't know".

    Examples
    --------
    >>> says_nothing("ok, thanks"), says_nothing("嗯,稍等"), says_nothing("no onions")
    (True, True, False)
    """
    return _EMPTY.fullmatch(answer.strip()) is not None


def hard(text: str) -> bool:
    """Tell whether a text holds what can't be guessed: an id, an amount, a date, a mail address."""
    found = key_literals(text)
    return any(re.search(r"\d{2}|@|[$£€¥元块]|[A-Z]\w+ [A-Z]", literal) for literal in found)

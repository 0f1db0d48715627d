"""Which sentences of a conversation tell something that an agent would miss later (R30, R31)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ctxlab.language import asides
from ctxlab.language.answers import hard, is_enough, says_nothing
from ctxlab.language.hearing import Said
from ctxlab.language.labelling import LOW_CONFIDENCE, StatementLabel
from ctxlab.language.numerals import numerals
from ctxlab.language.offers import lays_out, tells
from ctxlab.language.procedure import runs_talk
from ctxlab.language.retelling import strip_fillers
from ctxlab.language.tariffs import quotes

__all__ = ["BRIEF", "ID", "OWN_PROMISE", "Unit", "bids", "judged", "kind_of", "worth"]

OWN_PROMISE = re.compile(
    r"\b(?:i|we)(?:'ll| will|'ve)\b|\b(?:i|we) (?:\w{3,}ed|sent|put"
    r"|made)\b|我[^，。]{0,6}给您|会给您|已",
    re.I,
)
ID = re.compile(
    r"(?<![A-Za-z0-9-])(?:[A-Z]{1,5}-?\d[\dA-Z-]*\d|[a-z]{2}\d{5,}|\d{5,}"
    r"|\d+-\d+-\d+|\d{4,}-[A-Z\d]{1,6}"
    r"|(?=[A-Z0-9]*\d[A-Z0-9]*\d)(?=\d+[A-Z])[A-Z0-9]{6,})(?![A-Za-z0-9-])"
)


@dataclass
class Unit:
    """A sentence that may become a draft; short ones that follow are joined to it."""

    said: Said
    text: str
    spoken: str  # the same with dates as said, which is how the heads know them
    question: str = ""
    confirmed: bool = False
    ids: tuple[str, ...] = ()
    label: StatementLabel = field(default=StatementLabel("chitchat", "historical", "shared", 0.0))
    taken: str = ""  # of an agent's offer: the message that took it up
    timed: bool = False  # whether it answers a customer's question for a time
    final: bool = False  # whether an agent says in it what it all comes to in the end
    also: tuple[Said, ...] = ()  # messages after it that its last words are from


_CLOCK = re.compile(
    r"\d{1,2}[:.]\d\d|\d ?[ap]\.?m\b|\bo'clock\b"
    r"|\b(?:noon|midnight|half past|quarter (?:to|past))\b|[\d一二两三四五六七八九十]点"
    r"|\d+ (?:working |business )?(?:days?|weeks?|hours?)|\d个?(?:天|小时|工作日|周)",
    re.I,
)
_ULTIMATUM = re.compile(
    r"\b(?:leav(?:e|ing)|cancel+ing|lawyer|commission|ombudsman|board of|papers|press|going to"
    r"|i'm (?:off|done|with))\b"
    r"|投诉|曝光|消协|工信部|律师|媒体|热线|小红书|换|差评|搬到", re.I)  # fmt: skip


def worth(unit: Unit) -> bool:
    """Decide whether a sentence tells something that an agent would miss later."""
    body = strip_fillers(unit.text)
    asks = body.endswith(("?", "？"))
    if unit.confirmed or unit.question:
        return bool(re.search(r"\w", body)) and not says_nothing(body)
    kind, firm = kind_of(unit), hard(body)
    if not unit.said.agent and asides.rivals(body):
        return True
    if unit.said.agent:
        laid_out = lays_out(unit.spoken) and not OWN_PROMISE.search(body)
        laid_out = (laid_out or quotes(unit.spoken)) and not unit.taken
        named = ID.search(body) is not None
        if not firm and (runs_talk(unit.spoken) or says_nothing(body)):
            return False
        named = bool(named) or (unit.timed and _CLOCK.search(body) is not None)
        return not (asks or laid_out) and (named or tells(body, kind, bool(unit.taken)))
    if _GUESS.match(unit.text) or asides.general(body) or (not firm and _is_small(body)):
        return False
    if kind == "emotion":
        return bool(_ULTIMATUM.search(body))
    if kind == "chitchat":
        counted = len(body) > BRIEF and any(len(n.digits) > 1 for n in numerals(body))
        counted = counted or len(_COUNTS.findall(body)) >= _LIST
        return (firm or counted or _NAMES.search(body) is not None) and not asks
    if (
        _IF.search(body)
        and not any(sign.search(body) for sign in (_ULTIMATUM, _WISHES, _CALLS, _BIDS))
        and (unit.label.scores.get("chitchat", 0.0) >= 0.15 or _WOULD.search(body))
    ):
        return False
    vague = kind == "request" and not firm and _GENERAL.search(body) and not _MINE.search(body)
    return (len(body) >= 4 or bool(numerals(body))) and not vague


_COUNTS = re.compile(r"(?<![\d.])\d+(?!\d)")
_LIST = 3  # numbers: "S 3, M 9, L 7" is an order, whatever it is of


# Who it is, or who is to be asked for, however brief: "Name's Moncrieff", 「医院是灰林」.
_NAMES = re.compile(
    r"\b(?:names?(?:'s| is)"
    r"|(?:surname|company|firm|vet|doctor|contact|landlord|school|bank)(?:'s| is)"
    r"|ask for|attn|care of|c/o) (?-i:[A-Z])\w+"
    r"|(?:姓|(?:名字|抬头|公司|医院|学校|医生|银行)(?:就?[是叫]|[:：]))(?![我你您他她谁什哪个一不没])"
    r"[\u4e00-\u9fff]{2,}",
    re.I,
)


def _is_small(body: str) -> bool:
    """Whether what a customer says without a value is small talk, or of this moment alone."""
    if is_enough(body) and _THAT_IS_ALL.search(body):
        return True
    whole = any(form.fullmatch(body) for form in (_BARE, _SMALL, _ASKS_WHAT))
    return whole or says_nothing(body) or bool(_LACKS.search(body) or _NO_MATTER.search(body))


_SMALL = re.compile(
    r"\W*(?:(?:and )?(?:the same to )?you too"
    r"|(?:can|could|would|will) you (?:please )?(?:help|assist)(?: me| us)?(?: out)?"
    r"(?: (?:with|on) (?:that|this|it))?(?: please)?"
    r"|is (?:that|this|it) (?:possible|ok(?:ay)?|doable)"
    r"|(?:你|您)?(?:能|可以|能不能|可不可以)帮(?:我|忙|下忙|个忙|我?处理)(?:一?下)?[吗么嘛]?"
    r"|(?:(?:(?:打扰|麻烦|请教)(?:一下|下|了)?|(?:我)?(?:先|再)(?:看看|瞧瞧)吧?|不着?急)[，,。！]?)+"
    r"|(?:好|行|嗯|先|已经?|都){0,2}[，,]?(?:转|付|拍|发|传|填|交|点|下单|付款)(?:给)?(?:[你您]们?|过去|好)?了[哈啊哦呀嘛]?"
    r")\W*",
    re.I,
)
# "I don't have the order number on me": said of this moment, and found out a minute later.
_LACKS = re.compile(
    r"\b(?:i|we) (?:don'?t|do not|can'?t|cannot) (?:actually |really |currently )?"
    r"(?:have|know|remember|recall|find|see) (?:the|my|our|that|its|any)\b[^.]{0,20}"
    r"\b(?:ids?|numbers?|no|code|reference|ref|details|receipt)\b(?!.*\b(?:because|since|never|lost)\b)"
    r"|(?:不记得|记不得|记不清|不知道|不清楚|没记|找不到|忘了?)[^，。]{0,6}(?:单号|订单号|号码|编号|卡号)",
    re.I,
)
_THAT_IS_ALL = re.compile(r"\ball\b|\beverything\b|nothing|\bit\b|没|就[这那]", re.I)
_NO_MATTER = re.compile(
    r"\b(?:nothing|not\w*) to do with (?:me|us|you)\b"
    r"|\bnot (?:my|our) (?:problem|concern|business)\b"
    r"|(?:跟|和|与)(?:我|我们|咱们?|你们?|您)(?:没有?|无)(?:什么|啥)?关系?|不关我(?:们)?的?事",
    re.I,
)


def kind_of(unit: Unit) -> str:
    """Take the label, unless it is of no use and another kind is nearly as likely."""
    scores = unit.label.scores
    body = strip_fillers(unit.text)
    if not unit.said.agent and bids(body):
        return unit.label.kind if unit.label.kind in ("request", "preference") else "request"
    useful = {k: scores.get(k, 0.0) for k in _USEFUL}
    best = max(useful, key=lambda k: useful[k])
    if unit.label.kind in ("chitchat", "emotion") and useful[best] >= _NEARLY:
        return best
    return unit.label.kind


def bids(body: str) -> bool:
    """Tell whether a customer says what is to be done under a condition.

    Examples
    --------
    >>> bids("If I'm out just leave it with the porter"), bids("if I bought two would it be less")
    (True, False)
    >>> bids("没人在家就放门卫"), bids("要是买两件便宜吗")
    (True, False)
    """
    return bool(_IF.search(body) and _BIDS.search(body))


def judged(unit: Unit, kind: str) -> tuple[float, str]:
    """Give the confidence and the audience of what a sentence is kept as.

    What an agent tells is kept as an event whatever news it is, so the chances of those kinds add
    up; that it is none of them is what would make it private.
    """
    label = unit.label
    if not unit.said.agent and asides.rivals(unit.text):
        return label.confidence, "private"  # what others offer is no matter of other roles (R92)
    if not unit.said.agent or kind != "event" or label.kind == "emotion":
        return label.confidence, label.audience
    sure = min(1.0, sum(label.scores.get(name, 0.0) for name in (*_NEWS, "chitchat")))
    return max(sure, label.confidence), "shared" if sure >= LOW_CONFIDENCE else label.audience


# "Is it 24.90?": what the answer confirms may be kept, the guess may not.
_GUESS = re.compile(
    r"(?:(?:so|and|but|wait|oh),? )?(?:is|was|are) (?:it|that|this|they|those)\b[^!?]{0,40}\?\s*$"
    r"|(?:是不是|是|就)[^，。我]{1,12}[吗吧?？]+$",
    re.I,
)
_BARE = re.compile(
    r"(?:there|it|that|this|they|he|she|i) (?:is|was|are|does|did|do|has|will|can)(?:n't| not)?"
    r"|not that .{1,24}|[A-Za-z']+(?: [a-z']+)?|.",
    re.I,
)  # "There is", "Can": an answer, no statement
_NEWS = ("request", "preference", "fact", "event")
_USEFUL = ("commitment", *_NEWS)
_NEARLY = 0.15
BRIEF = 6  # characters
_WISHES = re.compile(r"\b(?:i|we)(?:'d| would) (?:like|prefer|rather)\b|\bplease\b|麻烦|请", re.I)
# "If nobody is in, ring 0161 496 0122": what to do holds under a condition.
_CALLS = re.compile(
    r"\b(?:call|ring|text|phone|email|leave|put|send|use|try)\b[^?]*\d{2}[^?]*$"
    r"|[打发放送寄留找](?:到|给|在)?[^？?吗]*\d[^？?吗]*$",
    re.I,
)
# "If I'm out just pop it over the gate": no condition of the speaker's own doing, but an order.
_VERB = (
    r"(?:leave|put|ring|call|text|phone|e?mail|drop|send|pop|give|ask|let|use|try|cancel|refund|swap"
    r"|change|keep|hold|return|deliver|take|don't|do not|make|book|skip|bring|knock|buzz|charge)"
)
_BIDS = re.compile(
    rf"^(?:(?:can|could|would|will) (?:you|they|he|she|someone|somebody|the \w+) )?"
    rf"(?:just |please |only |then )?{_VERB}\b[^?]*\bif\b"
    rf"|\bif\b[^?]*?(?:, ?(?:then )?(?:just |please |pls )?|\b(?:just|then|please|pls) "
    rf"|(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bthey )(?<!\bto )(?<!n't )(?<!\bcan )){_VERB} "
    r"(?:it|them|me|us|him|her|my|our|the|one|a|that|this|with|at|in|over|to)\b[^?]*$"
    r"|(?:[，,]|的话|[了就那先])(?:就|那就|那|请|麻烦|先|直接)*(?:别|不要|不用|放|打|发|改|换|退|送|寄|留|交"
    r"|给|叫|让|问|取消|联系|通知|按|走|用)[^吗么呢？?]*$",
    re.I,
)
_IF = re.compile(
    r"\bif\b|如果|要是|假如|万一|若是|倘若|的话"
    # A condition that Chinese leaves to 就 or 先: 「没人就放门口」, 「超过三百先问我」.
    r"|(?:没人|没有|没货|缺货|断货|卖[完光]|不在|不够|不通|超过|来不及|赶不上|到不了|下雨|堵车|打不通|敲不开)"
    r"[^，。]{0,8}[就先]",
    re.I,
)
_WOULD = re.compile(r"\b(?:would|could|might)\b|'d\b|[吗？?]", re.I)
_ASKS_WHAT = re.compile(
    r"[^我咱俺]{2,24}(?:在?哪[里儿]?|多少钱?|几点|什么(?:时候)?|怎么[走去办弄])[啊呀呢吧]*\W*"
)
_GENERAL = re.compile(
    r"[?？]$|[吗呢嘛]$|多不多|有没有|多少|问一下|哪个|^(?:do|does|is|are|what|how)\b",
    re.I,
)
_MINE = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b|我|俺|咱|帮|给|单", re.I)

"""The words by which people take back what they said: "no wait", 「哦错了」, "not the old one"."""

from __future__ import annotations

import re

__all__ = ["BESIDE", "STRONG", "WEAK", "unsaid", "without_named"]

STRONG = (  # alternatives of a regular expression, as are the others
    r"\b(?:(?:oh,? )?no,? (?:wait|sorry|h[ao](?:ng|ld) on)|h[ao](?:ng|ld) on,? no|wait,? no|"
    r"sorry,? no|scratch that|correction|i misread"
    r"|or rather|i meant|(?:that's|that was|gave you) the (?:old|wrong) one|(?:strike|scrap) that"
    r"|i (?:misspoke|take that back)|(?:let me|to) correct (?:that|myself)|on second thoughts?"
    r"|(?:mixed|messed|muddled) (?:it |that |them |the \w+ )?up|backwards|transposed|swapped"
    r"|(?:forget|disregard) (?:that|what i said)|(?:i've )?changed my mind|change of plans?"
    r"|back ?to ?front|the (?:other|wrong) way (?:a?round)|(?:wrong|last \w+) digits?)\b|"
    r"(?:[哦啊哎呃嗯噢诶][，,]?)?不对(?:不对)*|(?<![\u4e00-\u9fff])[哦啊哎呃嗯噢诶]?[，,]?错了|"
    r"(?<=[，,。.…])\s*不是[，,。]\s*(?:是(?!不))?|[哦啊哎呃噢]，?不(?:是|对)?(?![用要行会能])|"
    r"(?:说|写"
    r"|打|看|念|报|给|发|记|搞|弄|填|输|抄|按|敲|听)[错反混岔漏串](?:行|位|号|字)?了?|口误|手误|"
    r"笔误|手滑"
    r"|(?:弄|说|写)?颠倒了?|算了[，,]?(?:还是|改)|纠正一下|当我没说|改主意了?|重新?说(?:一下|"
    r"一遍)?|想了想|我收回|(?:刚才|刚刚|之前|先前|前面|上次)(?:那个|说的|报的)?都?不算(?:数)?|"
    r"(?:…|\.\.\.)+，?不[，,]|更正"
)
BESIDE = (  # said of a value alone: words that stand before it are none of its business
    r"(?<![\u4e00-\u9fff])不不(?=[，,\d])|(?:漏|少)[看写打报念]了?[一两]?位"
    # "90, no 70": nothing but a "no" between two values.
    r"|(?<=\d)(?:[,…]+| -)? ?no,? (?=(?:it's |make it )?[£$€]?\d)"
    # It is somebody else's: "B-44. Sorry, that's my wife's, mine is B-45".
    r"|\b(?:sorry|oh|wait|no|oops)\b[,.! ]*that(?:'?s| is| was) (?:my|her|his|our|the) "
    r"[\w' ]{2,24}'s\b(?! name)|(?:哦|不好意思|等等|不对)[，,。]?(?:那|这)是我?"
    r"(?:老婆|老公|爱人|爸|妈|儿子|女儿|同事|朋友|室友)的"
)
WEAK = (
    r"\b(?:sorry|wait|i mean|actually|h[ao](?:ng|ld) on|let's (?:say|make it)|(?:wh?)?oops"
    r"|my (?:fault|mistake|bad)|make (?:that|it)|"
    r"(?:typed|read|wrote|got) (?:it |that )?wrong|fat fingers|typo|but mine is)\b|"
    r"等(?:一?下|等)|不好意思|抱歉|应该是(?=.{0,3}\d)|准确(?:地|的)?说|改成|改为|(?<![\u4e00-\u9fff])还是(?=\d)|"
    r"(?<![是要])不是(?!不)|[哦啊]，?是"
)

_EXCUSE = re.compile(
    r"[，,。.]?\s*我?(?:(?:看|写|打|说|念|抄)(?:错|反|串行|漏|少)了?"
    r"|少[打写]了?个?.{1,2})(?=[，,。.]|$)"
    r"|[，,.]?\s*\bi (?:typed|read|wrote)(?: it| that)? wrong\b",
    re.I,
)


# Without a literal: what stands before a strong marker is dropped, if it is short.
_TAKEN_BACK = re.compile(
    rf"(?:(?<=[，,。.!?！？\s])|\A)(?:[^，,。.!?！？]{{1,14}}"
    rf"|(?:[A-Za-zÀ-ž\d'-]+ ){{0,3}}[A-Za-zÀ-ž\d'-]+)[，,。.…\s]*(?:{STRONG})[，,。.]*"
    r"(?:[^，,。]{1,10}[，,](?=是|mine|it's))?(?:是(?!不))?",
    re.I,
)
# "Bell Street Carlton, no sorry, not Carlton, Brunswick" says itself what goes.
_NAMED = re.compile(
    rf"\b(?P<wrong>[A-Za-z][\w'-]*)[,. ]*(?:{STRONG})[,. ]*(?:it's )?not (?:the |an? |in |at |on )?"
    r"(?P=wrong)\b[,. ]*",
    re.I,
)
# What no longer holds, said beside what does.
_NO_LONGER = re.compile(
    r"\bnot (?:[A-Z][\w']* ?){1,4} ?any ?more\b[.,;]?|[，,]? ?\b(?:formerly|previously"
    r"|used to be) [^,.;]+"
    r"|,? ?\b(?:we|i)(?:'ve)? (?:left|moved (?:out of|from)) "
    r"(?-i:[A-Z][\w']*(?: [A-Z][\w']*)*)(?! to\b)(?![\w'])"
    r"|\bi (?:was going|had planned|used|wanted) to [^,.;]{1,40}?,? but |\b(?:i was"
    r"|we were) thinking of [^,.;]{1,40}?,? but "
    r"|,? instead of (?:the |my |our )?[\w£$€.-]+(?: [\w£$€.-]+){0,3}(?=[,.;!?]|$)"
    r"|\b(?:your \w+ )?(?:had|was|were) [^,.;]{0,20}?[£$€]\d[\d.,]*[^,.;]{0,16} (?:and|but) now "
    r"|(?:昨天|前天|之前|上周|原来|前几天)[^，,。]{0,10}(?:还是?|才|是)\d+[^，,。\d]{0,2}[，,]"
    r"(?=[^，,。]*(?:今天|现在|怎么))"
    r"|(?:本来|原本)?(?:是想|想过|打算过|本来想|本来要|原想|本想)[^，,。；]{1,20}[，,]"
    r"|(?<![用要是收])不(?:用|要|是|收)[^，,。；]{1,6}了[，,。；]"
    r"|(?:以前|原先|原来|之前)(?:写的|填的|用的|是)[^，。；]{1,20}[，。；]"
    r"|(?:,? (?:so|and|but))?,? not (?:the|my|our|at|on|in"
    # "Send it here, not to the shop" takes a place back; "I'd rather not to wait" takes nothing.
    r"|to(?= (?:the|my|our|your|that|this|\d|(?-i:[A-Z])))) [^,.;!?]{2,40}?"
    r"(?: (?:we|i|you) (?:said|agreed|had|gave))?"
    r"(?:,? (?:that|which)(?:'s| is| was| has| had| got) [^,.;!?]{2,30}?)?"
    r"(?=[,.;!?]|$)|(?<=[，,])(?:而)?不是(?!不)[^，,。；]{2,16}(?=[，,。；]|$)"
    r"|\b(?:take|remove|delete|drop|cross) (?:off |out )?(?:my |the )?old [^.;]{3,60}?(?=[.;]|"
    r"$)[.;]?"
    r"|\b(?:it|that) (?:was|used to be) [^,.;]{2,24} (?:at|before|last|when)\b[^.;]*[.;]?"
    r"|旧的?(?:号码?|电话|手机|邮箱|地址)[^，,。；]{0,24}(?:删|不用|作废|停)(?:了|掉)?[，,。；]"
    r"|上次(?:量|写|填|留|报)的?(?:是)?[^，,。；]{1,14}[，,。；]",
    re.I,
)


# A text that holds none of these takes nothing back: looking for them costs a hundredth of looking
# for all the ways above.
_HINTS = (
    "wait", "sorry", "ang on", "old on", "scratch", "correct", "misread", "rather", "meant",
    "strike", "scrap", "misspoke", "take that", "second thought", "mixed", "messed", "muddled",
    "backwards", "transposed", "swapped", "forget", "disregard", "changed my", "change of",
    "back to front", "back tofront", "backto", "way around", "way round", "digit", "wrong",
    "any more", "anymore", "formerly", "previously", "used to", "we left", "i left", "ve left",
    "i moved", "we moved", "ve moved", "going to", "planned to", "wanted to", "thinking of",
    "instead of", " now ", "not the ", "not my ", "not our ", "not at ", "not on ", "not in ",
    "not to ", " not ", "old ", "it was", "that was",
    "不", "错", "反", "混", "岔", "漏", "串", "误",
    "滑", "颠倒", "算了", "纠正", "没说", "改主意", "重", "想", "本来", "收回", "更正", "少",
    "昨天", "前天", "之前", "上周", "原来", "原先", "原本", "原想", "前几天", "打算过", "以前",
    "旧", "上次",
)  # fmt: skip


# "In brass not pewter", "by card, not cash": two nouns beside each other, no verb is denied.
_NOT_THIS = re.compile(
    r"(?P<a>\b(?:in|with|for|by|want|prefer|need) "
    r"(?!(?:just|now|still|it|that|this|me|you|him|her|them|us|why|to)\b)[a-z]+),? not "
    r"(?!(?:sure|yet|good|much|bad|really|only|long|too|that|so|at|in|on|ever|now|today|tomorrow"
    r"|enough|me|you|him|her|us|them|here|there|again|\w+(?:ing|ed|ly))\b)[a-z]+(?=[,.;!?]|$)"
)


def _rephrased(match: re.Match[str]) -> str:
    """Keep the beginning that the new wording continues: 我周五飞[上海，不对，]飞南京."""
    following = match.string[match.end() : match.end() + 1]
    at = match[0].rfind(following, 1) if following > "z" else -1
    cut = re.search(r"[，,。.…]", match[0])
    return match[0][:at] if cut and 0 < at < cut.start() else ""


def without_named(text: str) -> str:
    """Leave out the word that a message says was wrong, where it is named: "X, no, not X, Y".

    Examples
    --------
    >>> without_named("Mill Lane Burnside, no sorry, not Burnside, Cathcart")
    'Mill Lane Cathcart'
    """
    return _NAMED.sub("", text) if " not " in text else text


def unsaid(text: str) -> str:
    """Leave out of a message what it says no longer holds, or never did.

    Examples
    --------
    >>> unsaid("Ship it to Bayview, not the office on Main.")
    'Ship it to Bayview.'
    >>> unsaid("旧号码13300133000删了，换成13500135000")
    '换成13500135000'
    """
    lower = text.lower()
    if not any(hint in lower for hint in _HINTS):
        return text.strip()
    text = _TAKEN_BACK.sub(_rephrased, text)
    for pattern in (_NO_LONGER, _EXCUSE):
        text = pattern.sub("", text)
    text = _NOT_THIS.sub(r"\g<a>", text)
    return text.strip()

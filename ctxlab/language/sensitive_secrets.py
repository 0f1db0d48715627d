"""Secrets told the way people tell them: spelled out, as an answer, as a phrase, with a hint.

A generated password looks like one; "my first pet was Biscuit" and 口令我说的春江花月 don't. Here
the way in which a secret is introduced gives it away: what it is called, before or after it, and
the verbs of typing, setting and answering. Positions are in the normal form of
:func:`ctxlab.language.text.fold`, digits written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxlab.language.sensitive_numbers import Hit

__all__ = ["find_secrets"]

# What is kept secret, by name.
_SECRET = (
    r"(?:pass ?(?:word|code|phrase|key)|log-?in|pin(?: (?:number|code))?|(?:door|gate|entry|access|"
    r"alarm|unlock|security|backup|recovery|secret|wi-?fi|network|safe|verification|auth\w*|screen)"
    r" (?:code|key|word|pass\w*|phrase|pin|lock)|code ?word|key ?word|key ?code)"
)
_SECRET_ZH = (
    "(?:密码|口令|暗号|[暗密]语|安全词|密钥|秘钥|密令|验证码|动态码|提取码|解压码|恢复码|开锁码|助记词|"
    "锁屏|密保)"
)
_WORD = r"[A-Za-z][\w'’-]*"
_VALUE = rf"[\"'“‘]?(?P<value>[\w@#!$%&*+.-]{{3,40}}(?: {_WORD}){{0,5}}?)[\"'”’]?"
# What may stand where a value would, and is none.
_NO_VALUE = re.compile(
    r"(?:slow|down|patchy|weak|strong|fast|rubbish|useless|dead|good|not|no|never|too|so|very|still|always|now|wrong|incorrect|invalid|correct|right|weak|safe|"
    r"strong|secure|the|an?|my|your|his|her|our|their|its?|this|that|these|those|what|which|where|"
    r"when|how|why|who|for|in|on|at|to|of|with|from|by|and|or|but|if|only|just|been|also|already|"
    r"same|different|there|here|long|short|easy|hard|i|we|you|they|he|she|is|are|was|do|does|did|"
    r"can|could|please|gone|up|down|out|off|all|again|fine|good|bad|none|nothing|something|"
    r"anything|everything|it|expired|blank|empty|required|needed|asked|sent|me|us|them|new|old|"
    r"different|reset|\w+(?:ed|ing|ly)|yes|because|private|confidential|secret|personal|about)\b",
    re.IGNORECASE,
)
_QUESTION = (
    r"(?:(?:mother|mum|mom|father|dad|gran\w*|nan|best friend|teacher|spouse)(?:'?s)? (?:\w+ )?"
    r"(?:maiden|middle|first|last|sur)?-?\s?names?|maiden name|(?:my |the |our )?(?:first|oldest|"
    r"childhood|favou?rite|primary|old|memorable) (?:ever )?(?:pet|dog|cat|car|school|teacher|job|"
    r"boss|street|house|phone|concert|film|movie|book|band|team|food|place|date|word|name|friend|"
    r"hero|nickname|kiss|holiday)|(?:my|the) (?:school|street|nickname)|(?:city|town|place|street|"
    r"hospital)(?: where| that| of|,?) (?:i|we|my|birth)(?: \w+){0,3}|born in)"
)
_ASKED = re.compile(
    r"(?:security|secure|secret|verif\w*|challenge|recovery|memorable|identity|safety|hint) "
    r"(?:que|qn?s?|questions?|answers?|words?|names?|prompts?)\b|"
    r"\bquestions? (?:is|was|asks|about|for)|"
    r"\b(?:answer|reply) (?:is|was|to|should|i)\b|maiden name\?|prove (?:it'?s me|who i am)",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    rf"{_QUESTION}(?:\?|,|:| -)?(?: (?:is|was|be|i put|i said|it's|it is|it was|that's|would be|"
    r"called|named))*(?:'s)?[:,]? "
    r"(?P<value>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2}|[\"“'][^\"”']{2,30}[\"”'])|"
    r"\b(?:what|which|who|where)\b[^?]{3,50}\? (?P<reply>(?-i:[A-Z])[\w'’-]+"
    r"(?: (?-i:[A-Z])[\w'’-]+){0,2})(?=[.,;!]|\Z)|"
    r"\banswer to (?:where|what|who|which|when|the|my)\b[^.?!,]{3,50}? is "
    r"(?P<told>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2})|"
    r"\b(?:answer(?:ed)?|put|wrote|gave|typed|entered|used|said|set)(?: it)?(?: as| is| was|'s|:)? "
    r"(?P<put>(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+){0,2}|[\"“'][^\"”']{2,30}[\"”'])",
    re.IGNORECASE,
)
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "mother's maiden name Fairweather": nobody says so of anything else
        r"(?:mother|mum|mom|mam)(?:'?s)? maiden name[,:]? (?P<value>(?-i:[A-Z])[\w'’-]+)",
        # "I typed bluecheese as the passcode", "tulips-19 is my wifi key", "kite22, that's the pin"
        rf"\b(?:typed?(?: in)?|enter(?:ed)?|us(?:e|ed|ing)|put(?: in)?|tried|try|set|chose|picked|"
        rf"have|had|made it|made) {_VALUE} (?:as|for|to be) (?:the|my|our|his|her|a) (?:\w+ )?"
        rf"{_SECRET}\b",
        rf"(?:^|[,.;:!?] |\b(?:it's|its|was|try|use) )[\"'“‘]?(?P<value>(?=[\w@#!-]*[\d@#!$%-])"
        rf"[\w@#!$%&*+.-]{{4,40}})[\"'”’]?,? (?:is|was|that's|that is|being) (?:the|my|our) "
        rf"(?:\w+ )?{_SECRET}\b",
        # "I answered Toledo for the city I was born in"
        rf"\b(?:answered|put|said|used|typed|entered|gave) (?P<value>(?-i:[A-Z])[\w'’-]+"
        rf"(?: (?-i:[A-Z])[\w'’-]+){{0,2}}),? (?:for|as|to|when (?:it|they) asked(?: for| about)?) "
        rf"(?:the |my )?{_QUESTION}",
        r"\b(?:answered|put|said|used|typed|entered|gave) (?P<value>(?-i:[A-Z])[\w'’-]+"
        r"(?: (?-i:[A-Z])[\w'’-]+){0,2}),? when (?:it|they) (?:asked|wanted)[^.?!]{0,30}\b"
        r"(?:parents|born|grew up|met|first|pet|mother|father|maiden|favou?rite|teacher|"
        r"childhood|school)\b",
        # "the seed phrase begins copper lantern orbit", "backup words are …"
        r"\b(?:recovery|seed|backup|secret|mnemonic|wallet|pass)[ -]?(?:phrase|words|sentence)"
        r"(?: (?:starts?|begins?|goes|is|are|was|reads|runs)(?: with)?|:) [\"'“‘]?"
        r"(?P<value>(?!not\b|on\b|in\b|for\b|and\b|was\b|is\b|were\b|has\b|does\b|"
        r"did\b)[a-z]{3,}"
        r"(?:,? [a-z]{3,}){1,23})",
        # "my phrase for phone banking is the heron stands alone"
        rf"\b(?:my|our|the(?= \w+ ?(?:phrase|word))) (?:(?:pass|secret|safe|code|security|"
        rf"memorable|"
        rf"telephone|agreed|access) ?)?(?:phrase|code ?word|key ?word|password|word)"
        rf"(?: (?:for|with|on|at|we agreed)(?: [\w'-]+){{0,4}})? (?:is|was):? [\"'“‘]?"
        rf"(?P<value>{_WORD}(?: {_WORD}){{0,6}})",
        # "it texted me G-551208", "I just got a code, PX-88214"
        r"\b(?:sent|texted|got|received|says|reads|shows)(?: me|"
        r" us)?(?: (?:a|the|this) (?:\w+ )?code,?)?(?: (?:it's|it is|saying))?:? "
        r"(?P<value>[A-Z]{1,3}-\d{4,8})\b",
        # "lockbox: 5 5 2, turn twice, 8", "the safe, left 17 right 42 left 8"
        r"\b(?:lock ?box|key ?safe|safe|padlock|combination|key ?pad|dial|vault|lockers?|cabinet)\b"
        r"[^.!?\d]{0,28}(?!\d{1,2} (?:to|and) \d{1,2}"
        r"(?!,? (?:then|left|right|turn|to|and|past|back)))"
        r"(?P<value>(?:(?:left|right|clockwise|anti-?clockwise|counter-?clockwise|"
        r"turn"
        r"|twice|once|then|to|back|past|and)[ ,]+)*\d{1,2}(?:[ ,-]+(?:(?:left|right|clockwise|"
        r"anti-?clockwise|counter-?clockwise|turn|twice|once|then|to|back|past|and)[ ,]+)+\d{1,2}"
        r"|[ ,-]+\d{1,2}(?=[ ,-]+(?:left|right|turn|then|twice))){1,8})",
        r"\b(?:tried|used|typed|entered|pressed|keyed|"
        r"punched)(?: in)? (?P<value>\d(?:[ -]?\d){3,9})"
        r" (?:on|at|into|in) (?:the|your|our|my) (?:\w+ )?(?:key ?pad|lock\w*|door|gate|safe|"
        r"alarm|"
        r"panel|intercom)",
        # "codes are 8841-2290 and 7716-0034"
        r"\b(?:backup|recovery|scratch|emergency|one-time|login) codes?(?: is| are| was|:)? "
        r"(?P<value>[A-Za-z0-9]{3,8}-[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8})?)",
        r"\b(?:backup|recovery|scratch|emergency|one-time) codes?\b[^.!?]{3,30} (?:and|,|or) "
        r"(?P<value>[A-Za-z0-9]{3,8}-[A-Za-z0-9]{3,8})\b",
    )
)
_SPELLED = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z0-9](?:[ ,]{1,2}|-)){3,30}[A-Za-z0-9](?![A-Za-z0-9'])"
)
_NAMED = re.compile(rf"\b{_SECRET}\b|{_SECRET_ZH}|spell", re.IGNORECASE)
_SPELLED_REACH = 60  # characters

_NO_VALUE_ZH = (
    "(?!什么|啥|多少|错|对|不|没|忘|我(?!的?生日)|你|他|她|谁|怎|哪|几|自己|初始|默认|旧的?|老|这|"
    "那|上|"
    "同|一样|太|很|好|要|必须|过|正确|随|系统|客服|短信|之前|以前|原来|通用|空|[六八四]位|数字|"
    "字母|大小写|新的|"
    "让|被|给|在|也|都|还|就|请|能|可以|需|收|发|来|输|点|按|改|重|再|了|吗|呢|的|安全|保密|隐私|"
    "最|体系|提示|长度|位数|规则|格式|本|那本|小说|游戏|大全|设置|"
    "个人)"
)
_END_ZH = r"(?=[,，。.!！?？;；、 )）]|\Z|对[吗吧不]|吧|啊|呀)"
_CHINESE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # 口令我说的春江花月, 暗号就报芝麻开门
        rf"(?:口令|暗号|[暗密]语|安全词)[^,，。]{{0,6}}?[,，]? ?我?"
        rf"(?:说|报|答|填|讲|用|设|定)(?:的?是?|了)?[“「\"]?"
        rf"(?P<value>{_NO_VALUE_ZH}[\u4e00-\u9fff]{{2,8}}){_END_ZH}",
        # 对暗号天王盖地虎: the word itself right behind its name
        rf"(?:暗号|[暗密]语|安全词|口令)[::,， ]?[“「\"]?(?P<value>{_NO_VALUE_ZH}"
        r"(?![^,，。.!！?？;；、 ]*"
        rf"(?:什么|怎么|多少|几[位个]|咋|[这那]本|本书|[吗呢了错对]|红包|正确|不|失效|过期|是))[\u4e00-\u9fff]{{2,8}}[0-9]{{0,6}}){_END_ZH}",
        # 取款密码五个六
        rf"{_SECRET_ZH}[^,，。]{{0,3}}?(?P<value>[一二三四五六七八九两]个"
        r"[零一二三四五六七八九0-9A-Za-z](?:(?:加|再加|和|后面)?[一二三四五六七八九两]个"
        r"[零一二三四五六七八九0-9A-Za-z])*)(?![数字码位])",
        # 支付密码我设的八个六, 密码改成四个八
        rf"{_SECRET_ZH}[^,，。]{{0,5}}?(?:是|为|叫|成了?|[设填输用写选定改换]的?(?:是|成|了)*)"
        r"(?P<value>(?:[A-Za-z0-9一二三四五六七八九十两]个?[0-9一二三四五六七八九零A-Za-z]?"
        rf"(?:加|再加|和|后面)?){{1,8}}){_END_ZH}(?<=[个\u4e00-\u9fffA-Za-z0-9]{{3}})",
        rf"{_SECRET_ZH}[^,，。]{{0,5}}?(?:是|为|[设填输用写选定改换]的?(?:是|成|了)*)?"
        r"(?P<value>(?:我|老婆|老公|孩子|儿子|女儿|结婚|爸|妈)[^,，。]{0,3}(?:生日|纪念日|手机尾号|"
        rf"拼音|车牌)[\u4e00-\u9fffA-Za-z0-9,，]{{0,14}}){_END_ZH}",
        # 密保问我小学名字，我填的实验二小; 我妈叫龚秀莲，密保答案就这个
        r"(?:密保|安全问题|密码提示|提示问题|提示答案|安全提示|验证问题|找回密码|身份验证|"
        r"答案)[^。]{0,24}(?:[填写答设用选报整](?:的|了|上)"
        rf"(?:是|就是|叫)? ?|名?叫|答案(?:是|就是|为|[::])|就是)(?P<value>{_NO_VALUE_ZH}"
        rf"[\u4e00-\u9fffA-Za-z0-9]{{2,8}}){_END_ZH}",
        r"密保[::]? ?[^。,，]{0,8}(?:名字?|姓名)[::]? ?"
        rf"(?P<value>(?!是|叫|什么|谁|的)[\u4e00-\u9fff]{{2,4}}){_END_ZH}",
        r"(?:叫|是|姓)(?P<value>[\u4e00-\u9fff]{2,8})[,，][^。,，]{0,4}(?:密保|安全问题|验证问题)"
        r"[^。,，]{0,6}(?:答案|填|就是|这个)",
        # 密码Moyun@0601, kite2290就是密码
        r"(?:密码|口令|密钥|秘钥|pwd)[是为::]? ?(?P<value>(?=[\w@#!$%&*.-]{0,31}[A-Za-z])"
        r"(?=[\w@#!$%&*.-]{0,31}[\d@#!$%&*-])[A-Za-z0-9][\w@#!$%&*.-]{4,30})",
        r"(?P<value>(?=[\w@#!$%&*.-]{0,31}[\d@#!])[A-Za-z0-9][\w@#!$%&*.-]{3,30})[,，]? ?(?:这个?|"
        r"那个?)?就?是"
        r"(?:我的?|登录|无线|后台|新)?(?:密码|口令|验证码|密钥)",
        r"(?:提取码|解压码|访问码|分享码|恢复码|备用码|锁屏(?:密码|码)?|开机密码|解锁码)(?:就?是|"
        r"为|[::])? ?"
        r"(?P<value>[A-Za-z0-9-]{4,24})(?![A-Za-z0-9])",
        # 大写L小写q再加四个八
        r"(?P<value>[大小]写(?:字母|的)?[A-Za-z](?:[,，、 ]?(?:[大小]写(?:字母|的)?|再?加上?|然后|"
        r"后面|跟着?|接|"
        r"下划线|井号|艾特|感叹号|数字)*(?:[A-Za-z0-9]+|"
        r"[一二三四五六七八九十两]个[\u4e00-\u9fff0-9A-Za-z]))"
        r"{1,16})",
        # 保险柜左三圈17右两圈42
        r"(?:保险[柜箱]|夹万|密码[箱锁盘]|转盘|挂锁|柜子)[^。,，]{0,8}?(?P<value>(?:(?:先|再|"
        r"然后)?[左右][转拧边]*"
        r"[一二三四五两0-9]*圈?[到拨转]* ?[0-9]{1,3}[,，、 ]*){2,6})",
        r"(?:助记词|恢复短语|恢复词)[^。,，]{0,6}?(?:是|为|开头|"
        r"[::])+(?P<value>[\u4e00-\u9fffa-z ,，、]{4,60})",
    )
)
_STATED = re.compile(
    rf"{_SECRET_ZH}|安全问题|验证问题|登[录不]|保险|夹万|转盘|挂锁|[大小]写|解锁|访问码|分享码"
)


def find_secrets(text: str) -> Iterator[Hit]:
    """Find secrets that only the way they are told gives away; hits may overlap.

    Examples
    --------
    >>> def found(text):
    ...     return [text[hit.start : hit.end] for hit in find_secrets(text)]
    >>> found("security question? my first dog was Rolo"), found("I typed blueche as the pin")
    (['Rolo'], ['blueche'])
    >>> found("密保问我中学名字,我填的南山一中"), found("my dog was Rolo"), found("密码是错的")
    (['南山一中'], [], [])
    """
    if re.search("[A-Za-z]{3}", text):
        yield from _answers(text)
        for pattern in _ENGLISH:
            for match in pattern.finditer(text):
                yield from _told(match)
    if _STATED.search(text):
        for pattern in _CHINESE:
            for match in pattern.finditer(text):
                yield Hit(*match.span("value"), "credential", "told", 0.75)
    for match in _SPELLED.finditer(text):
        around = text[max(0, match.start() - _SPELLED_REACH) : match.end() + _SPELLED_REACH]
        if re.search("[A-Za-z]", match[0]) and _NAMED.search(around):
            yield Hit(*match.span(), "credential", "spelled", 0.8)


def _answers(text: str) -> Iterator[Hit]:
    """Find answers to questions by which people are told apart, where one is spoken of."""
    for match in _ANSWERS.finditer(text) if _ASKED.search(text) else ():
        group = next(name for name in ("value", "reply", "told", "put") if match[name])
        if not _NO_VALUE.match(match[group]):
            yield Hit(*match.span(group), "credential", "answer", 0.7)


def _told(match: re.Match[str]) -> Iterator[Hit]:
    """Give the value unless it reads as a remark: "the phrase for it is not safe"."""
    value = match["value"]
    if " " not in value and _NO_VALUE.match(value):
        return
    if " " in value and re.match(
        r"(?:not|no|never|too|so|very|still|wrong|the (?:same|wrong|right|one)|a|something|on|"
        r"in)\b",
        value, re.IGNORECASE,
    ):  # fmt: skip
        return
    yield Hit(*match.span("value"), "credential", "told", 0.75)

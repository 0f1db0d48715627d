"""What is said beside the point: suppositions, hearsay, samples, rivals' prices, small print.

None of it tells anything about the customer, though it is full of numbers and names that look as
if it did. The signs are grammatical (an unreal conditional, a subject that is somebody else, a
quotation and who it is from), so that they hold for any trade.
"""

from __future__ import annotations

import re

__all__ = [
    "beside",
    "beside_spans",
    "general",
    "idle",
    "resumes",
    "small_print",
    "supposed",
    "withdrawn",
]

# Suppositions

_EN_FANCY = re.compile(
    r"\b(?:what if|what happens if|suppos(?:e|ing) (?!so)|imagin(?:e|ing)|hypothetical\w*|theoretically"
    r"|in theory|in (?:an ideal|a perfect|another) (?:world|life)|i wish|if only|wishful|pretend"
    r"|(?:one|some) ?day (?:i|we)(?:'ll| might| may| will)?\b|if (?:got|we'd)\b"
    r"|should (?:i|we|it|she|he|they|my \w+) (?:ever|decide)|were (?:i|we|he|she|they|it) to"
    r"|(?:should|could|might)(?:'ve| have) (?:just |really )?(?:gone|done|bought|stayed|kept|known|taken"
    r"|picked|chosen|listened)|when i (?:win|retire|grow up|'m (?:rich|king|queen)))"
    r"|(?:^|[.,;!?…] *|\b(?:so|and|but|ok|okay|like|lol|hey|right) )(?:let's )?say,? (?:i|we|you|it|he"
    r"|she|they|there|my|the|someone|somebody|for (?:example|instance|argument))\b"
    r"|(?:^|[.,;] *|\b(?:and|but|so) )(?:had|were) (?:i|we|you|it|he|she|they|this|that|my \w+)\b"
    r"(?! able)(?=[^?]*$)"
    r"|\bi(?:'d| would)(?:'ve| have) (?!thought|expected|hoped|assumed|liked|appreciated)",
    re.IGNORECASE,
)
_EN_IF = re.compile(
    r"(?<!as )\bif\b(?! (?:possible|need(?:ed)? be|needed|so|not|any|available|you can)\b)", re.I
)
_EN_UNREAL = re.compile(
    r"\bif (?:(?:i|we|you|he|she|they|it|this|that)(?:'d| (?:were|had|ever|could|was (?!charged|sent"
    r"|delivered|booked|told)))|(?:the|my|our|your|a|an|any)(?: \w+){1,2} (?:were|ever|had|came|could))\b",
    re.IGNORECASE,
)
_WOULD = re.compile(r"\b(?:would(?:n't)?|could(?:n't)?|might|may as well)\b|'d\b", re.I)
# What an agent is asked to do holds even under a condition; what they would pay is only mused on.
_EN_ASKED = re.compile(
    r"\b(?:(?:can|could|would|will) (?:you|ye|u|someone|somebody) (?:please )?(?!be|have|ever|get|give|do\b|refund"
    r"|cover|pay|reimburse|compensate|charge|fine|still|even|lot|guys|people)|please|let me know|call me|ring me|text me|leave it|i'd (?:like|prefer|rather"
    r"|appreciate|be (?:grateful|glad|happy))|we'd (?:like|prefer|rather|appreciate)|i want|i need)\b",
    re.IGNORECASE,
)
_ZH_IF = re.compile(
    r"如果|要是|假如|假设|假定|假使|倘若|若是|万一|哪天|有朝一日|比方说?|打个比方|譬如说?|设想|换(?:作|做|成)(?:是)?我"
    r"|要换了我|若(?=我|以后|将来)"
)
_ZH_FANCY = re.compile(
    r"假如|假设|假定|假使|倘若|打个比方|比方说?|譬如|设想|有朝一日|换(?:作|做|成)(?:是)?我|要换了我|哪天"
)
_ZH_DREAM = re.compile(
    r"[哈呵嘿]{2,}|就好了|多好|就够|再[说讲]|可能|考上|中了?奖|彩票|做梦|便宜|有钱|说着玩|发财|退休"
)
_ZH_ASKS = re.compile(
    r"[吗么呢嘛不没]\W*$|[?？]|多少|咋[办整样]|怎么[办样算]|赔不赔|(?P<v>[一-龥])不(?P=v)|有没有|会不会|能不能|算谁"
)
_ZH_DO = re.compile(
    r"(?:[，,]|的话)(?:就|那就|那|都)?(?:请|麻烦|劳驾|帮|替我|给我(?:打|发|改|换|退|留)|你们?就|您就|放(?!假)|打(?:我|给)|联系|通知|交给"
    r"|发(?:我|到|给)|退(?:给我|我|掉|\d)|取消|寄|送到|留|能不能[给帮]我?(?:打|改|换|取消|转|寄|送|发|留|备注)|直接)"
    r"|取不到|不来我就|(?:投诉|曝光|12\d{3}|消协|律师|媒体|起诉|差评|换(?:别|一)?家|我就换|退货|退掉)"
)
_ZH_WISH = re.compile(r"彩票|做梦|(?:以后|将来|等我)有钱|说着玩|开?玩笑|假如我|要是我(?:能|有)")

RESUMES = re.compile(
    r"^(?:anyway|anyhow|but please|but for now|so please|for now|meanwhile|on another note|hey|also|oh and"
    r"|whatever)\b|^(?:不过请|总之|反正|言归正传|另外|对了|还有|话说回来|这次|现在|目前)",
    re.I,
)


def supposed(sentence: str) -> tuple[int, int] | None:
    """Give the span of a sentence that only supposes, in characters.

    A conditional counts if it is unreal or if its outcome is asked for; a request or a threat
    under a condition is meant.

    Examples
    --------
    >>> supposed("Fine, and had I known I'd have flown."), supposed("If it's late, please call me.")
    ((6, 37), None)
    >>> supposed("要是我买两件能便宜点吗？"), supposed("要是还扣我就打12315")
    ((0, 12), None)
    """
    chinese = _ZH_IF.search(sentence)
    if chinese:
        rest = sentence[chinese.start() :]
        if not _ZH_DO.search(rest) and (
            _ZH_FANCY.match(rest) or _ZH_ASKS.search(rest) or _ZH_DREAM.search(rest)
        ):
            return chinese.start(), len(sentence)
        return None
    if _ZH_WISH.search(sentence):
        return 0, len(sentence)
    fancy = _EN_FANCY.search(sentence)
    if fancy and not re.match(r"if only (?:on|at|in|for)\b", fancy[0]):
        start = fancy.start()
        # "I'd have waited": the condition that stands before it goes along.
        early = _EN_IF.search(sentence)
        start = min(start, early.start()) if early else start
        return start + len(sentence[start:]) - len(sentence[start:].lstrip(" ,.;")), len(sentence)
    return _conditional(sentence)


def _conditional(sentence: str) -> tuple[int, int] | None:
    given = _EN_IF.search(sentence)
    if given is None:
        return None
    rest = sentence[given.start() :]
    asks = sentence.rstrip().endswith("?")
    # A polite wish needn't stand in the clause of the condition: "we'd like the aisle if they had one".
    if _EN_ASKED.search(sentence):
        return None
    if _EN_UNREAL.search(rest) or asks or _WOULD.search(sentence):
        before = sentence[: given.start()]
        main = _WOULD.search(before) or (asks and "," not in before)
        return (0 if main else given.start()), len(sentence)
    return None


def resumes(clause: str) -> bool:
    """Tell whether a clause leaves a supposition or a story and comes back to the matter."""
    return RESUMES.search(clause) is not None


# Passing curiosity, and what is taken back

_IDLE = re.compile(
    r"\b(?:just|only|merely) (?:curious|wondering|asking|seeing|saying|venting|kidding|joking|thinking out loud"
    r"|being (?:nosy|curious))|\bout of (?:interest|curiosity)|\basking for a friend|\bwas only asking"
    r"|^(?:\W*(?:and|but|well|no|nah),? )?not that (?:i|we|it|he|she|they|you|my|any)\b|\bno reason\W*$|\bi'm (?:just )?(?:nosy|nosey)"
    r"|\bjust a thought\b|\bdoesn't matter\b|\bdoes not matter\b"
    r"|随便问|就?问问(?:而已|清楚|罢了|哈)?\W*$|就问问|随口|好奇|嘴上说说|杠一下|打听(?:一下|打听)|我又不|没别的意思|闲聊"
    r"|问着玩|瞎(?:问|聊|打听)",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"^\W*(?:(?:ha|haha|lol|no|nah|ok|okay|oh|actually|well|right|ah|fine|hmm|eh|you know what|on second thoughts?)\b,? )*"
    r"(?:never ?mind|nvm\b|forget (?:it|that|about)|scrap that|scratch that|leave it(?! (?:at|with|in|on|by|to|next|outside))|leave that"
    r"|don't bother(?! (?:me|my))|not at all|skip (?:it|that)|drop it(?! (?:off|at|in|by))|no need(?! to)|changed my mind|i'm good(?: on| for|\W)"
    r"|im good(?: on| for|\W)|i'll pass|not bothered|i'm not bothered)"
    r"|^\W*(?:哦|噢|那|嗯|唉|哎|啊|呃)*[，,]?(?:算了(?=$|\W|不|吧)(?![，,]?(?:就|还是|贵|改|要|换))|不用了(?=$|[，,。！!了吧])"
    r"|不要了(?=$|[，,。！!])|罢了|不买了|不麻烦(?:了|你|您)|没事了|当我没说|不问了|用不着了)|券不用|没事我就",
    re.IGNORECASE,
)


def idle(clause: str) -> bool:
    """Tell whether a clause says that what was asked is of no consequence.

    Examples
    --------
    >>> idle("Not that we have one."), idle("我就好奇，我又不考"), idle("not that one, the other")
    (True, True, False)
    """
    return _IDLE.search(clause) is not None


def withdrawn(text: str) -> bool:
    """Tell whether a text opens by taking back what was asked before.

    Examples
    --------
    >>> withdrawn("No no, leave it."), withdrawn("算了不买了"), withdrawn("算了，就29的吧")
    (True, True, False)
    """
    return _WITHDRAWN.search(text[:60]) is not None


_GENERAL = re.compile(
    r"\b(?:do|does) (?:you|ye|youse|u|y'all|your \w+)(?: guys| lot| people| folks| ever| also| still)? (?:do|have|sell|offer|take|accept|stock|ship|keep|run"
    r"|serve|open|close|allow|charge|get|give|rent|hire|deliver)\b|\b(?:is|are) there (?:any|a|an|some)?\b"
    r"|\bhow (?:much|long|busy|late|early|often|many|big|far)(?:'s| is| are| does| do)? (?:a|an|the|most|you|people|one|it usually|the usual)\b"
    r"|\bwhat(?:'s| is| does| do)\b[^?]*\b(?:cost|cheapest|best|most|usual|normal|difference|policy|go for)\b"
    r"|\bwhat (?:time|days?) (?:do|does|are) (?:you|ye|the)\b|\bcan (?:one|you (?:pay|get|bring|buy)|people|anyone)\b"
    r"|\b(?:in general|generally|usually|normally|these days|as a rule)\b|\bis that (?:a thing|true|normal|legit|right)\b|\bthat true\b"
    r"|\bwhat happens (?:to|with|when)\b|\bdid anyone\b|\bdo those\b|\bany (?:good|decent)\b"
    r"|你们[^，。？?我]{0,12}(?:有没有|几时|什么时候|几点|卖不卖|做不做|收不收|支持|能不能|可不可以|有[^，。？?我]{0,8}(?:[吗不没么]|的?地方))"
    r"|多少钱(?:一|来着)?[^，。？?我]{0,3}[?？]?$|(?:几号|几点|多久|多长时间|哪个好|怎么卖|是不是(?:得|要|都))|一般[^，。？?我]{0,10}(?:多少|多久|几)"
    r"|能不能[^，。？?我]{0,8}对公|哪个[^，。？?]{1,6}[?？]?$|想问下|保修多久|啥时候有",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\b(?:i|i'm|i'd|i've|me|my|mine|we|we're|us|our|ours|it|them|this|that one|these|the (?:order|parcel|refund|booking|part"
    r"|total|replacement|delivery|repair|car|room|flight|claim|ticket|driver|courier|invoice|bill))\b|我|俺|咱|单号|这个|那个|这单|这件|[帮给]我",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[A-Za-z]*\d[\dA-Za-z-]{3,}")


def general(sentence: str) -> bool:
    """Tell whether a question is about the trade as such, and nothing of the customer's.

    Examples
    --------
    >>> general("Do you guys do motorcycles?"), general("Do you have my parcel?")
    (True, False)
    >>> general("会员日是每月几号来着"), general("我的单几号到")
    (True, False)
    """
    asks = re.search(r"[?？]\W*$|[吗呢么嘛不没]\W*$|来着|几[号点时]|多少|多久", sentence)
    if not asks or _NUMBERED.search(sentence):
        return False
    return bool(_GENERAL.search(sentence)) and not _OURS.search(sentence)


# What others are said to have said or done, quotations, samples and rivals

_QUOTE = r"(?:[“\"「『][^”\"」』]{6,}[”\"」』]|‘[^’]{12,}’|(?<!\w)'[^']{14,}'(?!\w))"
_BESIDE = re.compile(
    r"\b(?:flyer|flier|website|site|page|e?mail|text|sms|ad|advert\w*|poster|letter|brochure|forum|leaflet"
    r"|article|sign|faq|banner|app|review|reviews|blog|newsletter|catalogue|catalog|small print|box|label)"
    rf"(?: \w+){{0,2}} (?:says?|said|reads?|stated?s?|claims?|promis\w+|goes)\W*{_QUOTE}"
    r"|(?:网上|传单|短信|广告|页面|说明书|公告|群里|条款|通知|邮件|官网|海报|标签|帖子|有人|合同)[^，。「“]{0,10}"
    rf"(?:说|写|讲|称|显示|道)[^，。「“]{{0,6}}{_QUOTE}"
    r"|\bi (?:just )?(?:read|saw|heard|seen) (?:it |that |this |one |somewhere|someone )?(?:(?:on|in) (?:a|an|the|some|zillow|reddit|facebook|fb|tiktok|youtube|twitter)\b|online|somewhere|people|that people|a (?:post|video|review))"
    r"|\b(?:people|they|everyone|reviews?) (?:online|on (?:the )?\w+) (?:say|said|saying|reckon|claim)|\bword is\b|\brumou?r\b"
    # samples
    r"|\b(?:e\.g\.|for (?:example|instance)|as an example|(?:in|on) the (?:sample|example)|sample|example) [^.;]*\d"
    r"|(?:样例|示例|范例|示范|模板|例子|样本)[^，。]{0,14}[A-Za-z0-9]{3}"
    # rivals
    r"|\b(?:elsewhere|rival|competit\w+|the competition|another (?:gym|shop|store|garage|site|company|provider|place|agency"
    r"|dealer|broker|insurer|bank|carrier|airline|app|school|platform)|other (?:gyms|shops|stores|companies|providers|places|sites|airlines|insurers))\b"
    r"|\b(?:had|has|have|got|with|do|does|sells?|offers?|lists?|listed|it's) (?:the |a |an )?(?:same|identical|exact same)\b[^.;]*\d"
    r"|\b(?:zillow|craigslist|kayak|expedia|booking\.com|ebay|facebook marketplace|fb market\w*|gumtree|skyscanner|google flights|tiktok|reddit)\b"
    r"|\bthey(?:'re| are) (?:at|on|only|charging|offering) [^.;]*(?:\d|cents|half)|\b(?:he|she|they|it)'s (?:only )?(?:half|twice) (?:the price|that)"
    r"|(?:拼多多|淘宝|京东|美团|携程|飞猪|转转|闲鱼|链家|贝壳|抖音|天猫|唯品会|去哪儿|同程|滴滴|饿了么|网上|别处|外面|隔壁家?|对家|人家|对面那?家)"
    r"[^，。]{0,10}(?:才|只要|便宜|估|挂|卖|报价|一晚|一箱|永久|打折|送|\d)|(?:同样|一模一样)的[^。]{0,12}才|同行|竞争对手|黄牛|对家"
    # another time, another place
    r"|^(?:上[回次]|那[回年]|以前|早年)[^，。我你您]{0,6}那?(?:趟|家|单位|回)[^，。]*(?:把人|人家|他们)|\blast (?:time|year)[^,.;]*\b(?:some(?:one|body)|people)\b"
    r"|\b(?:back in|in) (?:'\d\d|(?:19|20)\d\d)\b(?=[^.;]*\b(?:stayed|had|was|went)\b)",
    re.IGNORECASE,
)


def beside(clause: str) -> bool:
    """Tell whether a clause quotes, gives a sample or tells of rivals: nothing of the customer's.

    Examples
    --------
    >>> beside('your flyer says "kids under 12 go free"'), beside("拼多多一箱才29")
    (True, True)
    >>> beside("发票抬头写「外公七十」"), beside("put 'Lorne Physio' on it")
    (False, False)
    """
    return bool(beside_spans(clause))


def beside_spans(sentence: str) -> list[tuple[int, int]]:
    """Give the spans of a sentence that tell nothing of the customer's, in characters."""
    return [match.span() for match in _BESIDE.finditer(sentence)]


# Of an agent: rules for everybody, advertisements, other people's cases

_SMALL_PRINT = re.compile(
    r"\b(?:normally|usually|typically|generally|in general|as a (?:reminder|rule)|our (?:standard|normal|usual|policy"
    r"|terms|\w+ (?:fee|rate|policy) (?:is|kicks|starts))|under (?:our|the) (?:\w+ )?(?:terms|policy|rules)|for all (?:members|customers|guests)|all (?:members|customers|guests|passengers)"
    r"|(?:new |plus |gold )?(?:members|customers|sellers|buyers|passengers|guests|tenants|riders|students|policyholders|subscribers) (?:on|with|pay|get|rated|who|can|may|must|are|below|over|under|have)"
    r"|per our|(?:we|we've) (?:also |currently )?(?:have|got|run|offer) (?:a|an|our|some) (?:\w+ )?(?:special|promotion|sale|offer|deal|discount)"
    r"|(?:summer|winter|spring|autumn|holiday|weekend) (?:special|sale|deal|offer)|in cases? like|(?:another|the last|the previous|a different) (?:customer|guest|client|caller|tenant)|we had (?:a|one|another) (?:\w+ )?(?:customer|guest|client|case|tenant)"
    r"|a (?:tenant|customer|guest|member|client) (?:last|once|who|whose)|customers? (?:pay|like)|(?:often|usually) there (?:is|are)|(?:starts?|starting) (?:at|from) [$£€]|terms and conditions|small print|please note)\b"
    r"|\bfor example\b|\bdepends on\b"
    r"|一般(?:是|为|都|来说|情况|\w{0,4}(?:天|小时|工作日))|通常|统一(?:规定|为|是)|(?:按照?|根据|是)[^，。]{0,6}(?:规定|条款)|规定是|(?:请您?|敬请)(?:知悉|理解|谅解|放心|悉知)|温馨提示|须知|提醒您|同类|上一?位(?:客户|用户|车主|顾客)"
    r"|(?:有|另)(?:一)?[位个](?:客户|用户|顾客|会员)|新(?:客户|用户|会员)|(?:会员|用户|客户)(?:可|均|都|享)|每?满[^，。]{1,8}(?:送|减|享|就?是|可)|每月[^，。]{1,3}[号日]|谢绝|零容忍|竭诚|我们(?:用|卖|做)的都是|报价\d+小时内有效|平台会|会员日",
    re.IGNORECASE,
)
_FOR_YOU = re.compile(
    r"\b(?:i|we)(?:'ve|'ll| have| will)? (?:already )?(?:waived?|added|credit\w*|refund\w*|moved|booked|sent)\b|\byour (?:order|booking|case|account|refund)\b|[给为帮]您|您的(?:订单|账|保单|号)",
    re.IGNORECASE,
)


def small_print(clause: str) -> bool:
    """Tell whether an agent's clause is a rule, an advertisement or somebody else's case.

    Examples
    --------
    >>> small_print("Our change fee is normally $75"), small_print("I've moved your booking")
    (True, False)
    """
    return bool(_SMALL_PRINT.search(clause)) and not _FOR_YOU.search(clause)

"""Which slot of a customer's file a sentence fills, and with what (R31).

"The customer's address is 9 Quay Street" fills `address` with "9 Quay Street". Two memories are
about the same thing only if their attribute is the same, so duplicates and conflicts lean on it.
Patterns are general words of the trade; the value is a literal of the form that the slot takes,
else the most telling literal of the sentence.
"""

from __future__ import annotations

import re
from functools import cache

from ctxlab.language.numerals import numerals
from ctxlab.language.text import is_cjk

__all__ = ["ATTRIBUTES", "find_attribute", "find_value", "key_literals"]

_CODE = r"(?<![\w-])(?=[\w-]*\d)(?:[A-Za-z]+[-_]?)?\d[\dA-Za-z]*(?:-[\dA-Za-z]+)*(?![\w-])"
_ASCII_CODE = (
    r"(?<![A-Za-z0-9-])(?:[A-Z]{1,6}[-_]?\d[\dA-Z]*(?:-[\dA-Z]+)*|[a-z]{1,4}\d{4,}|\d+(?:-\d+)+(?:-[A-Z])?"
    r"|\d{4,}(?:-[A-Z])?)(?![A-Za-z0-9])"
)
_MONEY = (
    r"(?:[$£€¥]|S\$|RMB ?)\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s?(?:元|块|dollars|euros|pounds|rupees|cents)"
    r"|[一二两三四五六七八九十百千万零]+(?:元|块钱?)"
)
_DATE = r"\d{4}-\d{2}(?:-\d{2})?"
_PHONE = r"(?<![\d-])\+?\d(?:[ -]?\d){6,12}(?![\d-])"
_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_ADDRESS = (
    r"\d{1,5}[A-Za-z]? (?:[A-Z][\w']+ ){1,3}(?:St(?:reet)?|R(?:oa)?d|Ave(?:nue)?|Lane|Close|Court|Row|Drive|Dr|Way|"
    r"Place|Square|Terrace|Boulevard|Blvd|Hill|Park|Ridge Rd)\b(?:[ ,]+(?:[A-Z#][\w'#-]*|level|unit|\d[\w-]*))*"
    r"|(?:P\.?O\.? )?[Bb]ox \d+(?: in [A-Z]\w+)?"
    r"|[\u4e00-\u9fff]{2,12}?(?:路|街|巷|村|小区|花园|大道|弄|里|苑|园)[\u4e00-\u9fff]{0,3}\d+[号弄栋幢座]?"
    r"(?:[\dA-Za-z一二三四五六七八九十]+[号栋幢座楼层单元室]*)*"
    r"|[\u4e00-\u9fff]{2,10}(?:花园|小区|苑|公寓)\d+[栋幢座号]\d*"
)
_NAME = (
    r"(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-Z][a-zé]+(?: [A-Z][a-zé]+)+"
    r"|(?<=姓)[\u4e00-\u9fff]|(?<=[叫是])[\u4e00-\u9fff]{2,3}(?=[。，,]|$)"
)
_TIME = r"\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?|o'clock)|\d{1,2}:\d{2}|(?:上午|下午|晚上|早上|中午)?[\d一二两三四五六七八九十]+点半?(?:到[\d一二三四五六七八九十]+点半?)?|noon|mornings?|evenings?|afternoons?|weekends?|白天|晚上|上午|下午|周末"
_CHANNEL = r"\b(?:e-?mail|phone|text(?:ed|s)?|sms|chat|post|mail|whatsapp|wechat|landline|call(?:s|ed)?)\b|微信|短信|电话|邮件|邮箱|留言|语音|打字|文字|站内信"
_LANGUAGE = r"\b(?:English|Chinese|Mandarin|Cantonese|Hindi|Spanish|French|German|Japanese|Korean|Welsh|Arabic|Malay|Tamil)\b|中文|英文|英语|普通话|粤语|四川话|日语|韩语|方言"
_COURIER = r"顺丰|京东|中通|圆通|申通|韵达|邮政|EMS|\b(?:DHL|UPS|FedEx|USPS|Royal Mail|courier)\b"

# Attribute, the words that name it (English, Chinese), the form of its value. Earlier ones win,
# so the particular stands before the general: an e-mail for invoices is an invoice matter.
_SLOTS: tuple[tuple[str, str, str, str], ...] = (
    ("email", r"\be-?mail address\b|(?=\S+@)\S+@\w", r"邮箱(?:是|改|换|为)|电子邮件地址", _EMAIL),
    ("invoice", r"\binvoices?\b|\btax id\b|\bvat\b", r"发票|专票|普票|抬头|税号|开票", rf"{_EMAIL}|专票|普票|电子发票|{_CODE}"),
    ("warranty", r"\bwarrant(?:y|ies)\b|\bguarantee\b", r"保修|质保|三包", rf"{_DATE}|{_ASCII_CODE}"),
    ("contact_time", r"\b(?:call|ring|phone|contact|text|visits?)\w*\b[^.]*\b(?:before|after|only|mornings?|evenings?|during|in the day|between)\b",
     r"(?:打|接|回)?电话.{0,8}(?:点|早上|晚上|白天|上午|下午|周末)(?:以?[前后]|再|方便)?|(?:白天|上午|下午|晚上|周末|白班).{0,6}(?:打电话|联系|打扰)", _TIME),
    ("contact_channel", r"\b(?:contact|reach|email|text|message|phone|call|ring|chat)\w* (?:me|the customer|only)\b|\bby (?:email|post|phone|sms|chat|mail)\b|\bvia\b|don't (?:call|ring|phone|text)|not by phone",
     r"打电话|发微信|发短信|发邮件|留言|联系(?:方式|客户|我)|语音|打字|(?:不要|别|不接)(?:打|来)?电话|通知", _CHANNEL),
    ("language", rf"\b(?:speak|talk|language|in)\b[^.]*(?:{_LANGUAGE})", r"(?:讲|说|用|会)(?:中文|英文|英语|普通话|粤语|日语|方言|四川话)", _LANGUAGE),
    ("phone", r"\b(?:mobile|phone|cell)(?: number)?\b[^.]*\d{3}|\bmy number\b|\bnumber is\b", r"(?:手机|电话)(?:号|号码)?[^。]{0,8}\d{3}|新号码|换号", _PHONE),
    ("delivery_time", r"\b(?:deliver|arriv|dispatch|ship|send out)\w*\b[^.]*(?:\d{4}-\d\d|noon|today|morning|afternoon|\d ?[ap]m)",
     rf"(?:送|发货|配送|到货|派送|收货).{{0,20}}(?:{_DATE}|点|上午|下午)|(?:{_DATE}).{{0,14}}(?:送|发货|到货|寄出)", rf"{_DATE}|{_TIME}"),
    ("courier", rf"(?:{_COURIER})", rf"快递|{_COURIER}", _COURIER),
    ("address", rf"\baddress\b|\b(?:live|lives|living|moved?|moving|based) (?:at|to|in|house)\b|{_ADDRESS}", rf"地址|住址|搬(?:家|到|了)|现住|住在|{_ADDRESS}", _ADDRESS),
    ("refund", r"\brefund\w*|\bmoney back\b|\bcredit(?:ed)?\b(?! card)|\brevers(?:e|ed|al)\b", r"退款|退钱|退回|退货款|返还|退一笔", rf"{_MONEY}|{_DATE}"),
    ("return", r"\breturn(?:s|ing|ed)?\b|\bexchange\b|\breplace(?:ment)?\b", r"退货|退换|换货|退掉|补发|换新", rf"{_ASCII_CODE}|{_DATE}"),
    ("charge", r"\bcharged?\b|\bbilled\b|\bfees?\b|\bbill\b|\bdebit", r"扣(?:了|费|款)|收费|账单|多收|话费|欠费", rf"{_MONEY}"),
    ("payment_method", r"\bpay(?:ment)? (?:by|with|method|card)\b|\bdirect debit\b|\bautopay\b|\bcard\b", r"付款方式|支付宝|微信支付|银行卡|自动扣|代扣|农行|工行|对公户", r"支付宝|微信|[农工建中招]行|对公户|credit card|debit card|cash"),
    ("payment", r"\b(?:pay|paid|transfer|deposit|settle)\w*\b", r"付款|转账|转(?=一|二|\d)|交费|缴费|押金|补交|打款", rf"{_MONEY}|{_DATE}"),
    ("booking", r"\bbooking\b|\breservation\b|\bcheck(?:s|ed)? ?(?:in|out)\b|\broom\b|\bnights?\b|\bstay\b", r"预订|订房|入住|退房|房(?:间|型)|\d{3,4}房", rf"{_ASCII_CODE}|{_DATE}"),
    ("visit_time", r"\b(?:technician|engineer|fitter|visit|appointment|install\w*|line worker|survey)\b", r"上门|师傅|安装|勘查|勘测|维修时间|预约|检修|抢修", rf"{_DATE}|{_TIME}"),
    ("ticket", r"\b(?:ticket|case|dispute|claim)\b", r"工单|案号|投诉单|登记编号|理赔", _ASCII_CODE),
    ("serial", r"\bserial\b", r"序列号|机器号|机身号|编号", _ASCII_CODE),
    ("subscription", r"\b(?:subscri\w+|renew\w*|membership|auto.?renew)\b", r"续费|续签|会员|订阅|自动续", rf"{_DATE}|{_MONEY}"),
    ("plan", r"\b(?:plan|tariff|package|broadband|data|seats?|licen[cs]e)\b", r"套餐|资费|流量包|漫游|宽带|授权|席位|峰谷", rf"{_MONEY}|{_CODE}"),
    ("order", r"\border(?:s|ed|ing)?\b|\bpurchase\b", r"订单|单号|下单|买了|拍的|订了", rf"{_ASCII_CODE}|{_DATE}"),
    ("callback", r"\b(?:call|ring|get back|update|let you know|message)\b", r"回(?:电|话|复)|给您(?:打|结果|答复)|通知|告知", rf"{_DATE}|{_TIME}"),
    ("evidence", r"\b(?:photo|picture|document|papers?|certificate|statement|form|receipt|scan)s?\b", r"照片|材料|证明|收据|凭证|文件|传上", rf"{_DATE}"),
    ("meter", r"\b(?:meter|reading)s?\b", r"抄表|电表|水表|读数|户号", _ASCII_CODE),
    ("fault", r"\b(?:won't|doesn't|isn't|not) (?:start|work|turn|charge|connect|load)\w*|\b(?:broken|fault\w*|leak\w*|jam\w*|outage|crack\w*|damaged?|clog\w*)\b",
     r"坏了|故障|断了|不响|漏水|停机|掉线|压扁|破|裂|失灵|不亮|打不出|登不", _ASCII_CODE),
    ("account", r"\baccount\b|\blogin\b|\bworkspace\b", r"账号|账户|登录|户名|过户", _CODE),
    ("size", r"\b(?:size|wide|inches|cm)\b", r"码(?!头)|尺寸|尺码|脚宽", r"\d+"),
    ("diet", r"\bvegan|vegetarian|\bhalal|\bspicy|\bno (?:onion|garlic|sugar)", r"素食|不吃|忌口|少盐|少糖|不放", ""),
    ("complaint", r"\b(?:complain|cancel|leaving|leave|lawyer|commission|ombudsman)\w*", r"投诉|曝光|差评|消协|工信部|律师", ""),
    ("name", r"\bname(?:'s| is|d)?\b|\bcalled\b|\bthis is [A-Z]|\bcontact(?: person)?\b|\bi'm [A-Z]\w+ [A-Z]", r"(?<!户)名字|姓(?=[\u4e00-\u9fff])|客户叫|我叫|联系人|机主", _NAME),
    ("product", r"\b(?:model|device|printer|laptop|machine)\b", r"型号|机型|款|台", _ASCII_CODE),
    ("delivery", r"\bdeliver\w*|\bparcels?\b|\bdrop.?off\b|\bleave\b[^.]*\b(?:at|in|with)\b|\bcollect\b|\bpick\w* up\b", r"送到|快递柜|代收|配送|收货|自提|取件|驿站", _DATE),
)  # fmt: skip

ATTRIBUTES = tuple(slot[0] for slot in _SLOTS)
"""The attributes that are told apart, the more particular ones first."""


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]]:
    return {
        name: (re.compile(f"{en}|{zh}", re.I if name not in ("name", "address") else 0),
               re.compile(value) if value else None)
        for name, en, zh, value in _SLOTS
    }  # fmt: skip


def find_attribute(text: str) -> str | None:
    """Name the slot that a sentence fills, or None.

    Examples
    --------
    >>> find_attribute("From 2026-11-20 the customer's address is 9 Quay Street, Truro.")
    'address'
    >>> find_attribute("客户以后所有包裹都要发顺丰。")
    'courier'
    """
    return next((name for name, (words, _) in _patterns().items() if words.search(text)), None)


def find_value(text: str, attribute: str | None) -> str | None:
    """Find what fills the slot: copied from the text as it stands.

    Examples
    --------
    >>> find_value("The customer's new mobile number is 086 555 0129.", "phone")
    '086 555 0129'
    """
    form = _patterns()[attribute][1] if attribute in ATTRIBUTES else None
    if form is not None and (match := form.search(text)):
        return match[0].strip(" ,.")
    return next(iter(key_literals(text)), None)


_LITERALS = tuple(
    re.compile(p) for p in (_EMAIL, _ASCII_CODE, _MONEY, _DATE, r"[「“\"][^」”\"]{2,20}[」”\"]", _NAME, _ADDRESS,
                                 r"(?<![\w.-])\d+(?:[.,:]?\d)+(?![\w-])")
)


def key_literals(text: str) -> list[str]:
    """List the strings of a text that must survive word for word: ids, amounts, dates, names.

    Examples
    --------
    >>> key_literals("Order A1029 over £40 is due on 2026-03-27")
    ['A1029', '£40', '2026-03-27']
    """
    spans: list[tuple[int, int]] = []
    for pattern in _LITERALS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= s or start >= e for s, e in spans):
                spans.append((start, end))
    if not spans:  # a plain count is better than nothing
        spans = [(n.start, n.end) for n in numerals(text)]
        spans += [m.span() for m in re.finditer(r"\d+(?:[.:,]\d+)*", text)]
    words = [text[s:e].strip("「」“”\"") for s, e in sorted(spans)]
    return [w for w in dict.fromkeys(words) if w and not (w.isspace() or (len(w) == 1 and is_cjk(w)))]

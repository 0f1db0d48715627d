"""What a number may be called: the nouns that convict a number or acquit it, zh and en.

A number's *label* is the nearest of these before it. Labels carry no verdict of their own;
:mod:`ctxlab.language.sensitive_formats` weighs them with shape and check digits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

__all__ = ["PAYMENT", "SECRET", "WEAK", "Label", "Labels"]

PAYMENT = frozenset({"card", "bank", "iban", "cvv", "expiry"})
SECRET = frozenset({"otp", "pin", "wifi", "apikey", "password", "lock"})
WEAK = frozenset({"phone", "code", "email"})
"""Verbs and nouns too common to end another label's reach."""

_SUFFIX = r"(?: ?(?:numbers?|nos?\b\.?|#|id|codes?|ref(?:erence)?))?"
_SUFFIX_ZH = "(?:单?(?:号码|编号|号|码|ID|id))?"

# Order matters: at one position the first kind wins, so what acquits or narrows ("gift card",
# 会员卡) stands before what it contains.
_KINDS: dict[str, tuple[str, str]] = {
    "other": (
        "(?:boarding|day|season|rail|guest|bus|free) pass|(?:customer|store|reward|fidelity|"
        "library|"
        "student|fuel|club|bonus|travel|oyster|sim) card|(?:fan |book )?clubs?|orders?|tracking|"
        "waybill|parcel|"
        "consignment|serial|imei|s/n|sn|polic(?:y|ies)|claims?|bookings?|reservation|"
        "confirmation|pnr|invoice|receipt|tickets?|case|incident|reference|ref|member(?:ship)?"
        "(?: card)?|loyalty(?: card)?|frequent[- ]flyer|points|gift card|voucher|coupon|"
        "promo(?:tion(?:al)?)?|discount|referral|error|status|zip|postal|postcode|area|country|"
        "dial(?:ling)?|product|item|part(?= (?:no|number|#|\\d))|sku|"
        "batch|lot|model|build|version|firmware|ports?|"
        "room|flight|train|seat|table|meter|mpan|mprn|quote|workspace|client_?id|app_?id|"
        "tenant id|user ?id|ext(?:ension)?|vat|nzbn|gstin?|company number|"
        r"customer|employee|staff|pick-?up|"
        "qr|bar|dress|source|hex|po box|unit|floor|plate|registration|transaction|"
        "payment reference|job|work order|page|chapter|swatch|contract|asset|case id|sim|iccid|"
        "mac|ip|vin|chassis|amount|total|price|listing|shipment|docket|petition|style|isbn|asin|hs|hts|"
        "customs|tariff|reading",
        "(?:农药|兽药|肥料|生产|经营|食品|卫生|出版)(?:登记|许可|注册|批准|经营|生产)+证?|订单|单号|运单|快递|物流|序列|机身|保单|理赔|赔案|报案|预订|预定|预约|确认|票|机票|"
        "工单|发票|会员卡?|积分|(?:学校|班级|院校|机构|地区|股票|基金|行业|故障)[代编]码|学号|学籍|优惠券?|折扣|兑换|邀请|礼品卡?|购物卡|取[件货]|提货|取餐|取票|错误|"
        "报错|邮政|邮编|区号|型|型号|版本|批|批次|货(?!款)|(?<![退汇打收付扣还转存贷货尾])款|条|条形|商品|编|车次|车牌|航班|座位|"
        "房间|房(?![东租产贷客])|桌|电表|水表|燃气表|气表|户号|客户|用户|流水|交易|税(?![费款])|"
        "信用代码|端口|二维|设备|"
        "合同|门牌|楼|里程|常旅客|常客卡?|工牌|工号|总价|金额|机器码|挂号|课程|排队|取号|候补|借阅|"
        "图书|学生卡|学员证?|校园卡|"
        "加油卡|公交卡|八达通|悠游卡|一卡通|购物卡|储值卡|卡券|券",
    ),
    "company": (
        r"your [\w'-]+ (?:phone|landline)|"
        "hot ?line|help ?(?:line|desk)|support(?: (?:line|number|phone|desk))?|"
        "customer (?:service|care|support)|(?:your|the|hotel|front|store|shop|branch|office|"
        r"reception|emergency|main) (?:\w+ )?(?:line|desk|office|branch|store|reception|"
        r"switchboard)|your (?:[\w'-]+ ){0,2}(?:number|line|desk)|"
        "switchboard|toll-?free|"
        "(?:emergency|assistance|information|24[- ]hour|service|sales) (?:line|desk|number)|"
        "(?:airline|hotel|store|shop|bank|insurer|clinic|garage|office)(?:'s)? (?:tele)?"
        "(?:phone|number|line)|(?:box|ticket|post|head|lost property|sales) office|enquiries|"
        "inquiries|front desk|reception|surgery|the (?:clinic|school|council|centre|center|depot|"
        "gym|library|theatre|venue|restaurant|pharmacy)(?:'s)?(?: (?:phone|number|line))?",
        "(?:门卫|保安|传达室|收发室|热线|客服|服务台|总机|前台|官方|官网|门店|门市|总台|主办方?|售票处|票务|物业|居委会|派出所|"
        "驿站|网点|营业厅|医院|学校|图书馆|馆里|酒店|餐厅|中介|总部|分店|咨询台|失物招领处?|"
        "店里|柜台)(?:的)?(?:总机|固定|咨询|服务)?(?:电话|座机|号码)|热线|客服|服务台|总机|前台|"
        "官方|"
        "官网|投诉电话|报修电话|总台|你们(?:的)?(?:那个|铺头|店铺?|公司|门市|民宿|旅馆|餐馆|饭店|诊所|工厂|仓库|工作室|办公室|[\u4e00-\u9fff]{1,2}店)?(?:的)?(?:电话|号码|座机)",
    ),
    "last": (
        r"(?:last|final) (?:four|4|few)(?: digits)?|end(?:s|ing)(?: in| with)?",
        "(?:[后末]|最后)[四五六][位码]|尾号|尾数|后四位|末四位|最后四位|后几位",
    ),
    "cvv": (
        "cvv2?|cvc2?|cv2|csc|(?:card )?security code|(?:three|3|four|4)[ -](?:digits?|numbers?)"
        "(?: code)?(?: (?:on|at|round) (?:the |my )?(?:back|front|reverse|(?:signature )?strip))|"
        "(?:little|small|tiny|last|other) (?:ones?|numbers?|digits|code) (?:on|at) (?:the |my )?"
        "(?:back|front|reverse)|"
        "(?:three|3|four|number|digits|code) (?:on|at) (?:the |my )?(?:back|front|reverse|"
        "(?:signature )?strip)|back of (?:the |my )?card(?: says?)?",
        "安全码|校验三位|(?:卡)?(?:背面|后面|反面|背后|后边|正面|签名栏)(?:的|上)?(?:那)?(?:[三四]|"
        "[34])"
        "(?:位|个|码)(?:数字?)?|"
        "后三[位码]|末三[位码]|检查码",
    ),
    "expiry": (
        r"expir(?:y|es|ing|ation|e)(?: date)?|exp\.?|valid (?:thru|through|until|till|to)|"
        "good thru",
        "有效(?:日期|期限?|年月)?|效期|到期日?|有效至|月年(?!纪)",
    ),
    "iban": ("iban", ""),
    "bank": (
        "barclays|hsbc|lloyds|natwest|chase|citi(?:bank)?|santander|monzo|revolut|westpac|anz|"
        "dbs|ocbc|uob|maybank|sbi|hdfc|icici|axis|kotak|pnb|canara|commbank|commonwealth|nab|"
        "halifax|tsb|nationwide|starling|n26|sparkasse|deutsche|rabobank|abn|bbva|caixa\\w*|unicredit|"
        "intesa|bnp|rbc|scotiabank|bmo|wells fargo|bofa|capital one|passbook|"
        "transit(?= \\d{5})|institution(?= \\d{3})|"
        "bank(?: account)?|sort code|routing|aba|bsb|swift|bic|checking|"
        "savings(?: account)?|direct debit|payee|current account|wire|sort(?= \\d)|clabe|ifsc|pix",
        "(?:工商|建设|农业|中国|招商|交通|邮储|储蓄|民生|浦发|中信|光大|兴业|平安)?银行(?:卡|"
        "账户|账)?|[工建农中招交]行卡?|邮储|开户|对公(?:账户|账|户)?|收款|打款|汇款|转账|转[到入给]|"
        "[汇存打]到|汇[入进给去]|入[账数]|过数|邮局(?:账户|账号)?|"
        "(?:中信|玉山|国泰(?:世华)?|富邦|台新|永丰|第一银|合库|华南|彰银|土银|台银|台企|兆丰|元大|"
        "汇丰|恒生|渣打|中银|东亚|星展|花旗)(?:银行|银)?(?:账户|账号|户口)?|转数快|户名|(?:货款|尾款|工程款|房租|工资)(?:就)?[打转汇付存][到给进]?|存折|折子|"
        "退款账户?|工资卡|储蓄卡|借记卡|银行账户?",
    ),
    "card": (
        "(?:credit|debit|visa|master) ?card|cards?|visa|amex|american express|discover|"
        "unionpay|maestro|rupay|jcb|diners|elo|interac|eftpos|girocard|ec-?karte|bancomat|"
        "carte bleue|cart[ae]o?",
        "信用卡|卡|银联|刷卡|刷(?![新脸机单屏])",
    ),
    "ssn": (r"ssn|social security|my social|social", "社保卡?|社会保障卡?"),
    "licence": (
        r"(?:driv(?:er'?s?|ing|er) )?licen[cs]e|dl|driver'?s",
        "驾照(?:档案)?|驾驶证(?:档案)?|行驶证",
    ),
    "passport": (r"passport", "护照|通行证|回乡证|台胞证|港澳证|台湾证|旅行证"),
    "id": (
        "known travel(?:l)?er|ktn|emirates id|residen(?:ce|t|cy) permit|brp|cpf|curp|rut|dni|nie|"
        "nif|cnic|iqama|mykad|pesel|bsn|cpr|personnummer|codice fiscale|steuer-?id|crn|"
        "(?:pension(?:er)?|concession|health ?care|seniors|health) card|voter(?:'?s)? (?:id|card)|"
        "epic (?:no|number)|ration card|uan|abha|umid|philsys|chi (?:number|no)|share code|"
        "bvn|ni[n]|national insurance|"
        "(?:personal)?ausweis(?:nummer)?|sozialversicherung\\w*|steuernummer|carte vitale|"
        "(?:num[eé]ro de )?s[eé]cu(?:rit[eé] sociale)?|insee|burgerservicenummer|tessera|cni|"
        "(?:individual )?taxpayer(?:'?s)?|tax ?payer id|personal code|birth (?:certificate|number)|"
        "pr card|permanent residen(?:t|ce)(?:'?s)? card|status card|"
        "alien (?:registration )?number|a-number|uscis|work permit|visa grant|"
        "social insurance|ird|redress|nric|nino|national insurance|ni|nhs|aadhaar|kyc|fin|"
        "pan(?: card)?|tax (?:id|file)|tfn|itin|sin|pps|medicare|(?:national|government|state|"
        r"personal|photo|military|veterans?|my|his|her) id|"
        r"id (?:card|number|no\b\.?)|identity|green card|"
        "visa number|hkid",
        "身[份分]证?|统一证号|健保卡?|自然人凭证|残疾(?:人)?证|老年证|优待证|证件|证号|实名(?:认证)?|居[住留]证|军官证|户口(?!转|里|存)|医保卡?|良民证|在留卡?|永居证?|居留(?:许可|"
        "证)?|绿卡|签证号|社会安全号",
    ),
    "otp": (
        "(?:verification|verify|auth(?:entication|enticator)?|one[- ]?time|two[- ]?(?:factor|"
        "step)|2fa|mfa|sms|text(?:ed)?|log-?in|sign-?in|access|recovery|backup|reset|"
        "activation|unlock|security|confirmation|six[- ]digit|6[- ]digit) ?(?:pass)?(?:codes?|"
        "pin|token|digits|number)|otp|passcode|2fa|(?:steam|login) guard|"
        "authenticator(?: app)?|authy",
        "验证码|校验码|(?:手机|动态|安全|登录)令牌|短信(?:来了|里|上)|识别码|动态码|动态密码|"
        "动态口令|短信码|短信(?:说|写|上说)|激活码|一次性密码|授权码|启动码|通行码|"
        "[进开]门码|开箱码|开机码",
    ),
    "pin": (
        r"(?:pin|puk)(?: ?(?:numbers?|codes?))?",
        "(?:取款|支付|交易|查询|锁屏|开机|六位|付款|服务|解锁)密码|锁屏",
    ),
    "wifi": (
        r"wi-?fi|wireless(?= (?:network |lan )?(?:pass|key|code|log))|ssid|hotspot|network key",
        "无线网?|热点",
    ),
    "apikey": (
        "api|access ?key|secret(?: ?key)?|client_?secret|private key|bearer|tokens?|"
        "credentials?|app[ _]?secret",
        "密钥|秘钥|令牌|私钥",
    ),
    "password": (
        r"pass ?words?|(?:pass|kenn)wort|contrase[nñ]a|m[o]t de passe|senha|"
        r"pass|log-?in|pass ?phrase|pwd|pw|passwd|passcode",
        "密码(?!锁)|口令|密匙",
    ),
    "lock": (
        "(?:doors?|gate|locks?|alarm|safe|garage|entry|key ?(?:pad|safe|box)|lock ?box|"
        "intercom|building|turnstile|barrier|shutter)(?: ?(?:codes?|combination|pin))?|"
        r"lockers? [A-Z]?\d{1,4},? (?=(?:the |and )?(?:code|pin|combination))|"
        "(?:lockers?|shed|bike store|gym|lobby|suitcase|padlock|vault|cabinet)(?:'s)? "
        "(?:codes?|combination|pin|unlock)|padlock|combination",
        "(?:信箱|车|柜|抽屉|箱|院|卷帘门?|门)锁|(?:锁匙|钥匙|匙)[盒箱]|夹万|门禁|保险箱|保险柜|密码锁|大门|单元门|楼道门|智能锁|开锁|挂锁|院门|车库门|柜子?密码?|"
        "闸机",
    ),
    "answer": (
        "maiden name|security (?:question|answer)s?|secret (?:question|answer)s?|"
        "memorable (?:word|name)|first pet",
        "密保(?:问题|答案)?|安全问题|密码提示",
    ),
    "email": (r"e-?mails?", "邮箱|邮件|电邮"),
    "chat": (
        r"we ?chat|wx|vx|wei ?xin|line ?id|telegram|insta(?:gram)?|snapchat|kakao\w*|qq",
        "微信|加我",
    ),
    "account": (r"accounts?|acct?|a/c", "账号|账户|帐号|户头"),
    "phone": (
        "(?:tele)?phone|mobile|cell(?: ?phone)?|tel|whats ?app|call|ring|text|sms|reach|"
        r"direct (?:line|dial)|contact|landline|fax|numbers?|dial|get \w+ on|try \w+ on",
        "手机|电话|联系|致电|打给|拨|(?:屋企|家里)(?=[::]? ?\\d)|"
        "号码|收[件货]人?|联系人|座机|短信|通知|找",
    ),
    "code": (r"codes?|keys?|digits", "数字|码|背后|背面|反面|后面"),
}
# One look ahead per position spares trying every kind inside words and between them.
_ENGLISH = re.compile(
    "(?<![A-Za-z_])(?=[a-z]|[2-6][ -]?[a-z])(?:"
    + "|".join(
        f"(?P<{kind}>(?:{en}){'' if kind in ('phone', 'code') else _SUFFIX}(?:'?s)?(?![A-Za-z]))"
        for kind, (en, _) in _KINDS.items()
    )
    + ")",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "(?=[\u4e00-\u9fff])(?:"
    + "|".join(
        f"(?P<{kind}>(?:{zh}){'' if kind in ('code', 'last') else _SUFFIX_ZH})"
        for kind, (_, zh) in _KINDS.items()
        if zh
    )
    + ")"
)


class Label(NamedTuple):
    """A noun that names a number, and the text between the two."""

    kind: str
    start: int
    end: int
    gap: str


_NONE = Label("", 0, 0, "")


class Labels:
    """All labels of one text, for look-up by position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found = sorted(
            (match.start(), match.end(), match.lastgroup or "")
            for pattern in (_ENGLISH, _CHINESE)
            for match in pattern.finditer(text)
        )
        self._ends = [end for _, end, _ in self._found]
        self.kinds = {kind for _, _, kind in self._found}

    def before(self, position: int, reach: int = 48, skip: frozenset[str] = frozenset()) -> Label:
        """Give the nearest label that ends at or before a position, within ``reach`` characters."""
        index = bisect_right(self._ends, position) - 1
        while (
            skip
            and index >= 0
            and self._found[index][2] in skip
            and position - self._ends[index] <= reach
        ):
            index -= 1
        if index < 0 or position - self._ends[index] > reach:
            return _NONE
        start, end, kind = self._found[index]
        # In "the PIN for the locker is" the noun that counts stands before the preposition.
        if (
            index
            and kind not in WEAK
            and re.search(r"(?: is| are| was|:) ", self._text[end:position])
        ):
            step = 2 if index > 1 and self._found[index - 1][2] in WEAK else 1
            previous = self._found[index - step]
            between = self._text[previous[1] : start]
            if len(between) < 30 and re.match(
                r" (?:for|of|on|to|at|in|from)\b(?!.*[.!?])", between
            ):
                start, end, kind = previous
        return Label(kind, start, end, self._text[end:position])

    def near(self, position: int, kinds: frozenset[str], reach: int = 120) -> bool:
        """Tell whether any label of these kinds ends within ``reach`` characters of a position."""
        index = bisect_right(self._ends, position + reach) - 1
        while index >= 0 and self._ends[index] >= position - reach:
            if self._found[index][2] in kinds:
                return True
            index -= 1
        return False

    def after(self, position: int, reach: int = 16) -> Label:
        """Give the first label that starts at or after a position, within ``reach`` characters."""
        index = bisect_right(self._ends, position)
        while index < len(self._found) and self._found[index][0] < position:
            index += 1
        if index == len(self._found) or self._found[index][0] - position > reach:
            return _NONE
        start, end, kind = self._found[index]
        return Label(kind, start, end, self._text[position:start])

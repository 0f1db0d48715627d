"""What shows a child: an age, a name beside a child's noun, a school or its class, zh and en.

A whisky has an age as well, a firm and a dog, and a school orders chairs: what takes it away from
children stands here too. Data and patterns for :mod:`ctxlab.language.sensitive_topics`.
"""

from __future__ import annotations

import re

from ctxlab.language import sensitive_lexicon as lexicon

__all__ = [
    "ADULT_AFTER",
    "ADULT_BEFORE",
    "AGES",
    "NAME_BEFORE_AGE",
    "SCHOOL_ALONE",
    "SOMEBODY",
    "child_parts",
]


# "she's in third year in DCU": who studies is grown up.
_STUDIES = (
    r"(?:(?:in|at|of|studying|doing|with)(?: the| an?| her| his| my)? )?(?:\w+ )?(?:college|uni\b|"
    r"universit\w+|(?-i:[A-Z]{2,})\b|law\b|medicine|nursing|engineering|degrees?|apprentice\w*|"
    r"undergrad\w*|phd|masters?|business|contract|lease|trading|loan|mortgage|plan)"
)


def child_parts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Compose what shows a child, en and zh: an age, a name beside a child's noun, a school."""
    child, number, school = lexicon.CHILDREN, lexicon.SMALL_NUMBER, lexicon.SCHOOL
    child_zh, number_zh, school_zh = lexicon.CHILDREN_ZH, lexicon.SMALL_NUMBER_ZH, lexicon.SCHOOL_ZH
    name = (
        r"(?!(?-i:It|That|This|There|Here|What|Which|When|Where|Row|Room|Gate|Flat|Unit|Floor|Line|Page"
        r"|Deck|Lane|Bay|Level|Zone|Table|Step|Order|Ticket|Ref|Every|(?:Mon|Tues|Wednes|Thurs|Fri|Satur"
        r"|Sun)days?|January|February|March|April|June|July|August|September|October|November"
        r"|December)\b)(?-i:[A-Z][\w'’.-]*[a-z])"
    )
    unit = (
        r"(?!\w)(?![.:/,]\d)(?!-?\s?(?:of|times|(?:minutes?|hours?|days?|weeks?|miles?|dollars|"
        "orders?|pairs?|bags?|rooms?|tickets?|o'clock|am|pm|sizes?|copies|devices|accounts|"
        r"lines|percent|stars?|people|nights?|euros?|pounds?|gigs?|mbps|more|left)\b|%))"
    )
    being = (
        r"(?:'s|,|\(| is| who is| who'?s| he'?s| she'?s| aged?| just turned| turned| turns|"
        " turning| maybe| about| around| only| just| nearly| almost| not even| barely| still|"
        " about to turn)+"
    )
    english = (
        # "my three-year-old", "an eighteen-month-old girl"
        rf"(?:\b(?:my|our|her|his|an?|the|their|only) )*(?<![\d.])\b(?:(?:{number})"
        rf"[- ]?(?:years?|yrs?)|[\w-]+[- ]?(?:months?|weeks?|mths?))[- ]?olds?\b(?: (?:{child})"
        r"\b)?",
        # "my son Toby, he's seven", "Saoirse, who's four", "Mei, 6,"
        rf"(?:(?:my|our|his|her|the) )?\b(?:{child})\b(?: {name})?{being} (?:{number}){unit}"
        "(?: (?:and [^,.;]{1,20}))?",
        rf"(?:my |our |his |her )?(?:{child} )?\b{name},?(?: who'?s| who is| is| he'?s| she'?s|"
        f"'s| aged?)(?: only| just| nearly| still)? (?:{number}){unit}",
        # not "Friday 15 May, 8 to 12", "Oslo, 4 nights", "**Blue, 6 hours"
        rf"\b(?<!\d )(?<!\*){name}, (?:{number})(?=[,.;!?)]|\Z| (?:and|who|is|was|has|goes|can|"
        r"needs|loves|lost|wants|years?|yrs?|now)\b)",
        rf"\b(?:my|our|his|her) (?:\w+ )?(?:{child})(?:'s name is|,? (?:named|called))?"
        f",? {name}(?:'s)?(?: {name})?",
        r"\b(?:s?he|they|who)(?:'?s| is|'re| are) (?:only |just |barely |not even |still |"
        rf"nearly )*(?:{number})(?=\s*[,.;!?]|\Z| and\b| years)",
        # "turn 9" by itself is a place in a list
        rf"\b(?:s?he|they|who)(?:'s| is|'re| are) (?:only |just |not even )?(?:{number}|[a-z]+teen)"
        r" (?:months?|weeks?|days?)(?: old)?(?=[,.;!?]|\Z)",
        rf"\b(?:turns|turned|turning|(?:to|will|'ll|just) turn) (?:{number})\b(?! (?:am|pm))",
        # "a kid at Hillview Primary", "my daughter's school, St Brigid's", "starts Year 3"
        rf"\b(?:my |our |his |her )?(?:{child})\b[^.?!;]{{0,30}}? (?:at|from|in|to|attends?)"
        f" (?:{name} ){{1,4}}(?:{school}|college|school)(?: school)?",
        rf"(?:\bat |\bin |\bfrom )?(?:(?!Democrat|Republican|Labour){name} ){{1,4}}(?:{school})\b"
        r"(?: school)?(?! (?:is|are|has|have|uses|ordered|bought|colou?rs?|care|quiz|race)\b)",
        rf"\b(?:my |our |his |her )?(?:{child})'s (?:school|nursery|class|teacher|kindergarten|"
        f"cr[eè]che)(?:,? (?:at )?{name}(?: {name})*)?",
        rf"(?:{name}(?:,? (?:s?he'?s|who'?s|is|s?he))? )?\b(?:in|starts?|starting|started|into|"
        rf"doing|studying) (?:year|grade|class|form|std\.?|standard) (?:{number})\b"
        rf"(?: at (?:{name} ?)+)?",
        rf"(?:{name}(?:,? (?:s?he'?s|who'?s|is))? )?\b(?:in|starts?|starting|started)"
        " (?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1st|2nd|3rd|"
        rf"[4-9]th) (?:grade|class|year)|reception|(?:{school}))\b(?: at (?:{name} ?)+)?"
        rf"(?!,? {_STUDIES})",
        rf"\b{name} \((?:{number})\)(?= (?:is|has|was|loves|needs|and|can|goes|wants|will|who)\b)",
        # "my daughter's fourth grade class"
        rf"(?:{name} from )?\b(?:my|our|his|her) (?:{child})(?:'s|s')? (?:first|second|third|"
        r"fourth|fifth|sixth|seventh|eighth|ninth|[1-9](?:st|nd|rd|th)|kindergarten|reception|pre-?k)"
        r"(?:[- ]grade)? (?:class|teacher|trip|party)",
        # the year groups of British schools, a class of a Chinese one
        r"\b(?:in|into|is|starts|starting|going into) Y(?:R|[1-9]|1[0-3])\b(?! axis)|"
        r"(?-i:[A-Z][a-z]+) (?:in|from|of) [1-6][A-D](?= (?:forgot|lost|left|needs?|has|is|was|"
        r"can't|won't|broke))",
        rf"\b\w+[- ]graders?\b|\b(?:year|grade) (?:{number}) (?:pupil|student|kid|boy|girl)",
        r"\b(?:i'?m|s?he'?s|is|still|being|only|an?) (?:a )?(?:minor|under ?age|under (?:18|"
        r"eighteen|16|sixteen)|toddler|newborn|schoolboy|schoolgirl)(?![\w-])(?! (?:model|issue|"
        "problem|bug|thing|detail|change|fault|delay|point))",
        rf"\bi'?m (?:only |just )?(?:{number})(?=[,.!?]| and | years| can| so| but|\Z)",
        # "my 10 yo", "my son, 8", "toddlers under five", "a newborn at home", "Class 3B of St Ann"
        rf"(?:\b(?:my|our|her|his|an?|the) )?(?<![\d.])(?:{number}) ?(?:yo|y/o|yr olds?)\b",
        rf"\b(?:my|our|his|her) (?:\w+ )?(?:{child})(?: {name})?, (?:aged? )?(?:{number}){unit}",
        rf"(?:\b(?:my|our|his|her) (?:\w+ )?)?\b(?:{child})(?: {name})?(?:,| is|'s)? (?:{number})"
        r" (?:weeks?|months?)(?: old)?(?=[,.;!?]|\Z| and)",
        # "the kids are nine and six", "two children with us, five and eight"
        rf"\b(?:(?:{child}|they)(?:'re| are)|(?:{child})(?: with (?:us|me))?,)"
        rf"(?: aged?| only| just)? (?:{number})(?:, (?:{number}))*,? and (?:{number}){unit}",
        rf"\b(?:{child}|s?he|{name}) (?:begins|starts|is starting|is beginning) (?:big )?school\b",
        rf"\b(?:{child}) (?:all )?(?:under|below|younger than) (?:{number})\b(?! (?:go|pay|eat|"
        rf"free))",
        r"\b(?:an? )?(?:newborns?|bab(?:y|ies)|toddlers?|infants?) (?:at home|in the house|here|"
        r"(?:is |are )?(?:asleep|sleeping|napping)|with (?:me|us)|on my \w+)",
        r"(?<!is )(?<!'s )(?<!was )\b(?:my|our|his|her) (?:toddler|baby|newborn|infant|"
        r"(?:wee|little) (?:one|boy|girl|lad))s?"
        r"(?!'s?\b)(?! (?:monitor|gate|seat|cot|bath|clothes|formula|carrier|shower|wipes|food|"
        r"grand|"
        r"blue|steps?|bump|project))",
        rf"\ban? (?:baby|infant|newborn|child) of (?:{number}|[a-z]+)(?: (?:weeks?|months?|"
        rf"years?))?",
        rf"(?:{name},? )?\b(?:class|year|grade|form) (?:{number})[A-F]?(?:,? (?:of|at|in))?,?"
        rf" (?:{name} ?){{1,4}}(?:{school})?",
    )  # fmt: skip
    chinese = (
        # 儿子豆豆的水杯: hardly anything but a child's name is said twice
        rf"(?:{child_zh})(?![{lexicon.TWICE_ZH}])(?P<twice>[\u4e00-\u9fff])(?P=twice)",
        "(?:我|他|她|孩子)(?:今年|现在|还|才|刚|刚满|已经)+1[0-7](?=[,，。!！了]|\\Z)",
        # 三岁的外甥, 女儿才六岁, 孩子叫阿满
        f"(?:[我你他她]们?家?(?:的)?)?(?:那个|这个)?(?:{child_zh})[^。！？!?;；]{{0,6}}?(?:才|"
        f"刚|今年|快|还不到|不到|都|满|已经|,|，)*(?<![来干做用学职住买])(?<![来干做用学职住买]了)"
        f"{number_zh}(?:岁半?|周岁|个半?月大?|个多月)",
        f"(?:[我你他她]家?)?(?:才|刚|还不到|不到|未满|刚满|满)?(?<![二三四五六七八九十百0-9])"
        f"(?<![来干做用学职住买])(?<![来干做用学职住买]了){number_zh}(?:岁半?|周岁|"
        rf"个月大?)(?:大)?的?(?:{child_zh})?(?=[^以起+及]|\Z)",
        f"(?:我|咱|俺|他|她|家里?)?们?家?(?:的)?(?:{child_zh})(?:的)?(?:名字)?(?:叫|是叫|名叫|"
        r"小名叫?|大名叫?)[\u4e00-\u9fff]{2,4}",
        f"(?:我|咱)们?家?(?:的)?(?!{lexicon.GROWN_ZH})(?:{child_zh})(?!{lexicon.NOT_NAMED_ZH})"
        "(?![一二三四五六七八九十两几]|的|在|要|说|用|买|给|今年|上|读|才|都|也|是|"
        "想|还|和|已|从|不|每|老|最|刚|现|对|有|没|他|她|一|把|打|摔|玩|喜|弄|发|过|放|写|做|"
        r"那|这|能|就|会)[\u4e00-\u9fff]{2,3}(?=[,，。.！!、 ]|买|用|读|在|穿|的|\Z)",
        rf"(?:(?:在|上|读|念|就读|送到)[\u4e00-\u9fff]{{0,8}}|[\u4e00-\u9fff]{{2,8}}){school_zh}"
        rf"(?:[\u4e00-\u9fff]{{0,2}}(?:读|上|念)?[一二三四五六1-6]年级|的?(?:{child_zh})|"
        "[读上念]?(?:小班|中班|大班))",
        f"(?:(?:{child_zh})|[他她])[^。！？!?;；]{{0,8}}?(?:在|上|读|念|就读)"
        rf"[\u4e00-\u9fff]{{0,10}}(?:{school_zh}|年级|[小初高][一二三四五六])"
        r"(?:[\u4e00-\u9fff]{0,2}[一二三四五六1-6]年级)?",
        f"(?:(?:{child_zh})[^。！？!?;；]{{0,10}}?)?(?:读|上|念|刚上|小学|初中)?"
        "(?:[一二三四五六七八九1-9]年级|(?<![身层最提楼从到月年])[小初高][一二三](?![十百千次个是米层楼点档早晚烧拜去回吃]|上午|下午|中午|凌晨|那天|要去|上香|开门|发货|营业|那[年会时]|毕业|的时候))(?:的?(?:学生|"
        "小学生|孩子|娃))?",
        rf"(?:在|上|读|念)[\u4e00-\u9fff]{{0,8}}{school_zh}",
        r"(?:[一二三四五六1-6]年级?[一二三四五六七八九十0-9]{1,2}班|"
        r"[初高]?[一二三四五六]\([一二三四五六七八九十0-9]{1,2}\)班)"
        r"(?:(?:的| )?[\u4e00-\u9fff]{2,3}(?=的|,|，| |\Z))?",
        f"(?:{child_zh})的?(?:学校|班级?|幼儿园)[,，:是在叫]?[\u4e00-\u9fff]{{2,8}}{school_zh}|"
        "未成年人?|(?:小学|初中|高中|中学)生|新生儿|刚满月|才十[一二三四五六七](?!块|元|个|点)|"
        "(?:小孩|娃|宝宝|孩子)(?:才|刚)(?:出生|满月|百天|断奶|学走路|上学)|(?:刚|没)?满月的?"
        "(?:宝宝|娃|孩子)|(?:家里?|屋里)有(?:个)?(?:婴儿|小婴|小宝|奶娃|月子里的)",
    )  # fmt: skip
    return english, chinese


_ADULT = (
    rf"\b(?:{lexicon.THINGS}|start-?ups?|brand|charity|organi[sz]ation|team|product|device|"
    r"appliance|compan(?:y|ies)|business|laptop|phone|car|van|house|building|account|whisk(?:e)?y|"
    "wine|router|boiler|system|contract|policy|subscription|software|version|model|customers?|"
    r"clients?|sized|years? at|menu|tenanc(?:y|ies)|lease|marriage|warranty|ticket|pool|"
    r"club|lock|mode|seat|gate|grand|rum|cheese|dog|cat|horse|tree|firm|shop|flat|bike|watch)s?\b|"
    f"{lexicon.THINGS_ZH}|厂子?|店铺?|品牌|机构|团队|年的?(?:酒|茅台)|老客户|[楼车机房店]龄|套餐|[票锁座餐模车机酒狗猫树店厂]|年级账|店庆|周年|保修|质保|"
    "以[上下]|起步"
)
# "a ten-year-old whisky", "our company turned fourteen": the noun must stand right beside the age.
ADULT_AFTER = re.compile(rf"[ -]?(?:的|[\w-]+ )?(?:{_ADULT})", re.IGNORECASE)
ADULT_BEFORE = re.compile(
    rf"(?:{_ADULT}|\b(?:it|this|that|which|mine|ours|yours))(?:'s)?"
    r"(?:,? (?:has|have|had|is|was|are|just|only|recently|finally|that|not|even|"
    r"about|nearly|almost|around|barely|over|now|already|less|than))* ?\Z|"
    rf"(?:{lexicon.THINGS_ZH}|厂子?|店铺?|品牌|机构|团队)(?:[都已才快刚今年]|经)*\Z",
    re.IGNORECASE,
)
# 朵朵,六岁: the name in front is the child's.
NAME_BEFORE_AGE = re.compile(
    r"(?:^|[,，。;；!！?？ ])(?P<name>[\u4e00-\u9fff]{2,3}(?:[和跟与、][\u4e00-\u9fff]{2,3})?)"
    r"[,，] ?\Z"
)
AGES = frozenset("0123456789一二两三四五六七八九十")
SOMEBODY = re.compile(r"(?:s?he|they|who)\b|[他她它]", re.IGNORECASE)
SCHOOL_ALONE = re.compile(
    rf"(?:(?:at|in|from) )?(?:[A-Z][\w'’.-]* )+(?i:{lexicon.SCHOOL})(?: school)?"
)

"""Words that can disclose health, special categories and children; who is meant, and who isn't.

Data for :mod:`ctxlab.language.sensitive_topics`. Families of words come from morphology ("-itis",
…炎), the rest from lists of illnesses, aids, medicines, faiths, groups and schools. A word here
is only a trigger: what stands around it decides.
"""

from __future__ import annotations

__all__ = [
    "ANIMALS", "CHILDREN", "CHILDREN_ZH", "FIGURES", "GENERAL", "KIN", "KIN_ZH", "PLACES",
    "SMALL_NUMBER", "SMALL_NUMBER_ZH", "SCHOOL", "SCHOOL_ZH", "THINGS", "THINGS_ZH", "TRIGGERS",
]  # fmt: skip

KIN = (
    "husband|wife|partner|spouse|fianc[eé]e?|boyfriend|girlfriend|mum|mom|mam|mother|dad|father|"
    "parents?|folks|gran(?:ny|ma|dad|dpa|dmother|dfather)?|nan(?:a|na)?|grandpa|grandma|brother|"
    "sister|uncle|aunt(?:ie|y)?|cousin|(?:mother|father|sister|brother)-in-law|friend|colleague|"
    "tenant|neighbou?r|flatmate|roommate|carer|bookkeeper|assistant|passenger"
)
CHILDREN = (
    "sons?|daughters?|kid(?:do|die)?s?|child(?:ren)?|boys?|girls?|lads?|lass|toddlers?|bab(?:y|ies)|"
    "infants?|newborns?|nephews?|nieces?|grand(?:sons?|daughters?|kids?|child(?:ren)?)|"
    "little (?:one|boy|girl|guy|man|brother|sister)s?|teen(?:ager)?s?|youngest|eldest|oldest|twins|"
    "god(?:son|daughter)|step-?(?:son|daughter|child)|pupils?|intern"
)
KIN_ZH = (
    "爸|妈|父亲|母亲|爹|俺娘|爷爷|奶奶|姥姥|姥爷|外公|外婆|阿婆|阿公|公公|婆婆|岳父|岳母|丈母娘|老公|老婆|丈夫|"
    "妻子|媳妇|爱人|对象|男朋友|女朋友|哥|姐|弟|妹|舅|姑妈|姑姑|叔|伯|阿姨|小姨|婶|嫂|老人|老头|老太|家里人|"
    "家人|同事|朋友|室友|邻居|孕妇|产妇|病人|患者|长辈|同行|乘客|旅客|客人|本人|会计|出纳|师傅他"
)
CHILDREN_ZH = (
    "儿子|女儿|闺女|孩子|小孩儿?|娃儿?|娃娃|宝宝|宝贝|外甥女?|侄子|侄女|侄儿|孙子|孙女|外孙女?|小朋友|丫头|崽崽?|"
    "小子|双胞胎|老大|老二|小家伙|小孙|幺儿|幺女|细路|囡囡?|伢|学生|小宝|大宝|二宝|小姑娘|小伙子|男孩|女孩|"
    "男娃|女娃|妹妹|弟弟|小囡|小弟|小妹"
)
THINGS = (
    "router|modem|server|laptop|computer|phone|screen|printer|battery|machine|engine|car|boiler|app|"
    "website|site|portal|system|dashboard|form|queue|chat ?bot|bot|lift|elevator|fridge|washer|dryer|"
    "keyboard|mouse|camera|drill|saw|lathe|compressor|pump|meter|grid|line|network|wi-?fi|signal|"
    "connection|code|build|deal|pause|company|business|market|economy|branch|department|plants?|trees?|"
    "lawn|garden|roses?|suitcase|bag|chair|table|oven|toaster|kettle|delivery|courier|parcel|package|"
    "order|remote|tv|speaker|sofa|mattress|hub|cable|plug|tap|pipe|valve|motor|fan|policy|process|fryer|"
    "transformer|pole|heater|freezer|plane|bus|train|file|document|budget|account|wallet|bank|password"
)
ANIMALS = (
    r"\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|horses?|rabbits?|hamsters?|parrots?|goldfish|tortoise|"
    r"vet|labrador|poodle|beagle|terrier|spaniel|ponies|pony|cows?|hens?)\b(?! (?:allerg|hair|dander))"
    "|狗(?!肉)|猫(?!毛)|宠物|犬|兔子|仓鼠|鹦鹉|金鱼|乌龟|泰迪|柯基|金毛|兽医|小鸡|母猪"
)
THINGS_ZH = (
    "路由器?|光猫|服务器|电脑|手机|屏幕?|打印机|电池|机器|主机|发动机|汽车|车子|锅炉|系统|网站|网页|页面|软件|"
    "程序|空调|冰箱|洗衣机|键盘|鼠标|电梯|电视|音箱|椅子|桌子|柜子|行李箱|箱子|水管|管子?|水龙头|插座|灯|网络?|"
    "网速|信号|宽带|线路|客服|物流|快递员?|机器人|公司|市场|平台|生意|项目|花|绿萝|树|盆栽|门口机|水泵|电表|账单|"
    "房价|门|钱包|耳机|导航|马桶|热水器|变压器|APP|app"
)
FIGURES = (
    r"\b(?:driv(?:es?|ing) me|sick (?:and tired )?of|sick to death|dying (?:to|of|for)|kill(?:s|ing)? me|"
    r"(?:nearly|almost|practically|half) (?:had|died|gave|dead|blind|deaf)|(?:gave|giving|gives) me|"
    r"as if|blind (?:to|with|spot|faith|date|copy|drop|trust|rage)|turn(?:ing|ed)? a blind|deaf (?:to|ears)|"
    r"addict(?:ed)? to (?:your|this|the)|pregnant (?:with|pause)|stroke of|religiously|religious (?:about|choice)|"
    r"(?:religion|bible) (?:to|for|of)|is my religion|joking|kidding|haha|lol|figuratively|so to speak|"
    r"on steroids|on life support|lame|rash of|cough and|fasting from|allergic to (?:your|bad|slow|paperwork|"
    r"waiting|phones?|queues?|bureaucracy|nonsense|fees|small talk|spam)|seems? (?:to have )?(?:gone )?|"
    r"like (?:a|an|some|it)|thanks to your|split personality|give my (?:right|left)|ocd about)\b"
    "|脑子有?病|神经病|有病吧|毛病|通病|选择困难|拖延症|强迫症犯|公主病|中毒|发烧友|气[死疯得]|急[死疯]|要疯|疯了|崩溃|"
    "[累笑烦困热冷]死|心态炸|血压(?:都|又|直|飙|要|上来|上去)|(?:看|听|等|气|吓|急|排|笑|贵|卡|慢)得?(?:我|人|他)?(?:都|快|要|当场|直接|差点)?"
    "[^，。,]{0,3}(?:死|发烧|心脏病|吐血|脑溢血|心梗|抑郁|失明|中风|失忆|瞎|聋)|都快[^，。]{0,4}了|吐血|[聋瞎](?:了|的)|"
    "装聋|盲盒|盲目|盲区|剁手|似的|一样(?=[，。,!！]|\\Z)|跟[^，。,]{1,8}(?:似|一样)|仿佛|好比|简直|当场|开玩笑|哈哈|"
    "对(?:加班|上班|你们|贵|这种|排队|套路|营销)[^，。,]{0,6}过敏|被雷劈"
)
# A general question, a rule, a product or a title is about nobody.
GENERAL = (
    r"\b(?:do|does|are|is|can|will|would) (?:you|your|the|it|this|that|there|these|any)\b[^?]{0,60}"
    r"\b(?:sell|stock|offer|have|carry|cover(?:ed|s)?|accept|serve|support|includ\w+|suitable|compatible|"
    r"safe for|come)\b|\bhow (?:much|many|old)\b|\bage (?:limit|range|group)|\bages? \d+ ?(?:\+|to|-|and)|"
    r"\bin general\b|\bfor (?:kids|children|people|customers|anyone)\b|\bbook(?:let)? (?:called|about)\b"
    "|有没有[^，。]{0,12}(?:卖|款|险|套餐|版|票)|(?:你们|贵司)[^，。]{0,8}(?:卖|支持|提供|承保)|是否承保|保不保|赔不赔|"
    "适合[^，。]{0,8}岁|岁以[上下]|几岁|多大的?(?:孩子|小孩)?(?:可以|能)|《|买过你们"
)
# "Church Street", 清真寺旁边: an address, no creed.
PLACES = (
    r"['’]?s? (?:street|st|lane|road|rd|ave(?:nue)?|square|bar|hotel|station|branch|hall|hill|gate|view|"
    r"green|row|close|court|park|bake|one\b)|(?:寺|堂|会)?(?:旁边?|附近|对[过面]|门口|隔壁|后面|街|路|店|站|巷|烤箱|青年会|那边|那条|大街)"
)
SMALL_NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|1[0-7]|[0-9]"
)
SMALL_NUMBER_ZH = "(?:1[0-7]|[0-9]|十[一二三四五六七]?|[一二两三四五六七八九])"
SCHOOL = (
    r"(?:primary|elementary|middle|junior|infants?'?|prep|grammar|high|secondary|nursery|pre-?)"
    r"(?: school)?|kindergarten|pre-?school|day-?care|nursery|cr[eè]che|playgroup|juniors|academy|montessori"
)
SCHOOL_ZH = "(?:小学|幼儿园|幼稚园|初中|附小|附中|实验学校|中学|托班|早教|外国语|高中)"

_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|spring|"
    "summer|autumn|fall|winter"
)
_BODY = (
    "back|knees?|hips?|heart|legs?|arms?|eyes?|eyesight|ears?|hearing|sight|vision|lungs?|kidneys?|liver|"
    "spine|shoulders?|wrists?|hands?|feet|foot|ankles?|neck|memory|joints|stomach|bladder|skin|throat|"
    "balance|fingers?|speech|blood|bowels?"
)
_BODY_ZH = (
    "听力|视力|耳朵|眼睛|眼神|腿脚?|腰杆?|膝盖|心脏|肺|肾|肝|胃|肠胃|颈椎|腰椎|脊椎|脊柱|手|胳膊|脚|脑子|记性|记忆力|身体|"
    "身子|血压|血糖|血脂|尿酸|嗓子|皮肤|呼吸道?|神经|关节|髋关节?|骨头|股骨|牙|甲状腺|前列腺|子宫|乳腺|免疫力|抵抗力|半边"
)
_MEDICINE = (
    "insulin|methadone|antidepressants?|antipsychotics?|blood thinners?|beta blockers?|steroids|warfarin|"
    "lithium|metformin|statins|ssris?|hrt|painkillers|antibiotics|sertraline|prozac|zoloft|xanax|valium|"
    "ritalin|adderall|ventolin|salbutamol|ozempic|wegovy|mounjaro|anticoagulants?|immunosuppressants?|"
    "opioids?|morphine|tamoxifen|levothyroxine|epi-?pens?|inhalers?|nebuli[sz]er|chemo(?:therapy)?|"
    "radio(?:therapy)?|radiation|immunotherapy|dialysis|oxygen (?:tank|concentrator|machine|cylinder|bottle)s?"
)
_ADJECTIVE = (
    "pregnant|diabetic|epileptic|asthmatic|autistic|bipolar|disabled|paraly[sz]ed|deaf|hard of hearing|blind|"
    "hearing[- ]impaired|visually[- ]impaired|partially sighted|colou?r[- ]?blind|bedridden|bedbound|"
    "housebound|wheelchair[- ]bound|immuno(?:compromised|suppressed)|hiv[- ]positive|anorexic|bulimic|"
    "suicidal|dyslexic|dyspraxic|neurodivergent|coeliac|celiac|(?:lactose|gluten|dairy)[- ]intolerant|"
    "menopausal|infertile|terminally ill|terminal|an? amputee|hospitali[sz]ed|schizophrenic|arthritic|"
    "incontinent|non-?verbal|short-sighted|sober|in remission|insulin[- ]dependent|clinically \\w+"
)
_ILLNESS = (
    r"cancer|leuk(?:a)?emia|lymphoma|melanoma|tumou?rs?|diabetes|(?:type|t) ?(?:1|2|one|two)\b|asthma|"
    r"epilepsy|seizures?|dementia|sclerosis|(?-i:MS)|lupus|(?-i:IBS)|copd|emphysema|covid|(?-i:HIV)|"
    r"(?-i:AIDS)|tuberculosis|glaucoma|cataracts?|macular degeneration|autism|adhd|dyslexia|depression|"
    r"anxiety|panic attacks?|ptsd|(?-i:OCD)|psychosis|anorexia|bulimia|eating disorder|eczema|shingles|gout|"
    r"sciatica|hernia|pcos|sleep apn(?:o)?ea|insomnia|incontinence|vertigo|migraines?|tinnitus|chronic \w+|"
    r"high blood pressure|hypertension|blood sugar|high cholesterol|angina|arrhythmia|pacemaker|"
    r"heart (?:attack|condition|failure|disease|bypass|trouble|problem|surgery|murmur|meds|valve)|"
    r"kidney (?:failure|disease|stones)|concussion|tremors?|sickle cell|cerebral palsy|\w+ dystrophy|"
    r"spina bifida|cystic fibrosis|self-harm|overdose|nervous breakdown|breakdown in|mental (?:health|illness)|"
    r"slipped dis[ck]|coeliac(?: disease)?|celiac(?: disease)?|stroke|thyroid|allerg(?:y|ies)|"
    r"(?:parkinson|alzheimer|crohn|hodgkin|huntington|asperger|hashimoto|raynaud)'?s(?: disease| syndrome)?|"
    r"(?:tourette|down)'?s? syndrome|tourette'?s|peripheral vision|bleeding disorder|learning disabilit\w+|"
    r"\w{3,}(?:itis|osis|[a-z]oma|emia|aemia|pathy|algia|ectomy|plegi[ac]|phobi[ac]|phrenia)(?<!diploma)(?<!empathy)"
    r"(?<!sympathy)(?<!aroma)(?<!nostalgia)(?<!academia)(?<!diagnosis)(?<!sarcoma)(?<!apathy)"
)
_CARE = (
    r"surgery|operation|(?:an?|my|the|his|her) op\b|biopsy|physio(?:therapy)?|rehab|detox|(?:knee|hip|shoulder|"
    r"valve) (?:replacement|surgery|op|operation)|transplant|waiting list for an? \w+|stitches|in a cast|"
    r"(?:my|his|her|see(?:s|ing)? a|the) (?:\w+ )?(?:therapist|psychiatrist|psychologist|counsell?or|"
    r"oncologist|cardiologist|neurologist|shrink|midwife|specialist nurse|dialysis nurse)|in therapy|"
    r"therapy (?:session|appointment|on|at)|counsell?ing|in (?:the )?(?:hospital|hospice|icu|intensive care)|"
    r"sick leave|medical leave|(?:aa|na) meetings?|alcoholics anonymous|recovering (?:\w+ )?(?:alcoholic|addict)|"
    r"diagnos(?:ed|is)(?: (?:with|of|as))?(?: [\w'-]+){0,3}|tested positive|discharged from|off the drink|"
    r"(?:suffer|recover)(?:s|ing|ed)? from (?:[\w'-]+ ?){1,3}|(?:wheelchair|crutches|walking (?:stick|frame)|"
    r"zimmer frame|mobility scooter|guide dog|screen[- ]?reader|white cane|hearing aids?|cochlear implant|"
    r"prosthe(?:tic|sis)|colostomy|stoma|catheter|feeding tube|cpap|glucose monitor|braille|lip-?read\w*|"
    r"sign language|bsl|asl)|(?:my|his|her|the) (?:\w+ )?(?:meds|medications?|medicines?|prescriptions?|tablets|pills)|"
    r"on (?:\w+ )?(?:meds|medication|tablets)|on (?:the )?(?:pill|oxygen)|give (?:blood|plasma)"
)
_PREGNANCY = (
    rf"(?:{SMALL_NUMBER}|few|\d\d) (?:months?|weeks?) (?:gone|along|pregnant|postpartum)|expecting (?:a baby|twins|"
    rf"our|my|again)|due (?:in|mid-?|early|late|at the end of) ?(?:{_MONTH})(?= with| so)|(?:baby|bub|she)(?:'s| is) due|"
    r"due date is|(?:first|second|third|last) trimester|morning sickness|miscarri(?:age|ed)|(?-i:IVF)|c-section|"
    r"caesarean|stillbirth|post-?(?:natal|partum)|breast-?feed\w*|fertility (?:treatment|clinic)|maternity ward|"
    r"pregnancy|antenatal|ultrasound|in labou?r\b|gave birth|newly pregnant|trying for a baby|abortion"
)
_BODY_TROUBLE = (
    rf"(?:bad|dodgy|bum|weak|broken|fractured|sprained|torn|busted|gammy|stiff|numb|swollen|failing|poor|crook|"
    rf"artificial|injured|lost (?:my|his|her)|losing (?:my|his|her)|trouble with (?:my|his|her)|new|no) (?:{_BODY})(?! (?:code|office|end))|"
    rf"(?:broke|fractured|sprained|tore|injured|put out|hurt|did) (?:my|his|her|their) (?:{_BODY})|"
    rf"(?:my|his|her|whose|[a-z]+'s) (?:\w+ )?(?:{_BODY}) (?:isn't|aren't|keeps? \w+|doesn'?t work|won'?t|problems?|"
    r"trouble|condition|issues?|pain|injury|gave (?:out|way)|giv\w+ out|is (?:bad|going|gone|shot|failing|poor|weak|not)|"
    r"are (?:bad|going|gone|shot|failing|poor|weak|not)|shakes?|trembles?|swells?|closes?|hurts?|aches?|seizes?|locks?|"
    r"can'?t \w+|went|played? up|attack)(?: (?!so|and|but)\w+){0,3}|"
    r"(?:can(?:'?t|not)|cannot|(?:un|not )able to|struggles? to|barely|trouble|difficulty) (?:really |hardly |always |properly )?"
    r"(?:walk|stand(?= (?:for|up|long))|climb|hear(?= (?:well|properly|much|the|very|out|on|a))|see (?:well|much|properly|out of|small|colou?rs?)|"
    r"swallow|breathe?|bend|grip|use my (?:\w+ )?(?:hands?|arms?|legs?)|feel my|do stairs|manage (?:the )?stairs|"
    r"get (?:up|down) (?:the )?stairs|eat (?:gluten|nuts|dairy|wheat|solid|sugar)|have (?:gluten|nuts|dairy|wheat|sugar)|"
    r"(?:walk|stand|climb|hear|see|breath|swallow|bend)ing)(?: (?!so|and|but)\w+){0,3}|"
    r"(?:allergic|intolerant) to (?:[\w'-]+ ?){1,4}|anaphyla\w+|(?:comes? out|breaks? out|came out) in (?:hives|a rash)|"
    r"one (?:arm|leg|eye|kidney|hand)\b|(?:deaf|blind) in (?:one|my|his|her|the|both)(?: \w+)? (?:ears?|eyes?)"
)
_FAITH = (
    "muslims?|jew(?:s|ish)?|christians?|catholics?|hindus?|sikhs?|buddhists?|mormons?|protestants?|baptists?|"
    "methodists?|quakers?|evangelicals?|pentecostals?|lutherans?|anglicans?|orthodox|jains?|baha'?i|zoroastrian|"
    "atheists?|pagans?|wiccan|scientologists?|amish|mennonite|rastafarian|jehovah'?s witness(?:es)?|adventists?|"
    "latter-day saints?|shia|sunni|hasidic|hare krishna|born-again"
)
_GROUP = (
    "gay|lesbians?|bi(?:sexual)?|queer|trans(?:gender)?(?: (?:man|woman))?|non-?binary|asexual|pansexual|intersex|"
    "black(?= (?:man|woman|person|family)|$)|african[- ]american|latin[oax]s?|hispanic|aboriginal|m[aā]ori|roma(?:ni)?|"
    "gypsy|indigenous|first nations|native american|mixed[- ]race|biracial|kurdish|uyghur|tibetan|hmong|in(?:u|nu)it|"
    "torres strait islander|irish travellers?|travellers|ashkenazi|cherokee|navajo|s[aá]mi|afro-\\w+"
)
_PARTY = (
    "labour|tory|tories|conservatives?|democrats?|democratic|republicans?|greens?|socialists?|communists?|"
    "liberal(?: democrat)?s?|lib dems?|libertarians?|reform|sinn f[eé]in|fianna f[aá]il|snp|ukip"
)
_UNION = "teamsters|unison|gmb|rmt|siptu|etu|uaw|seiu|afl-cio|aslef|usdaw|nurses' union|ibew|cwu|nut|unite(?= (?:the|branch|rep|steward))"
_ETHNIC_ZH = (
    "回|藏|维吾尔|蒙古|满|壮|苗|彝|朝鲜|傣|侗|瑶|白|土家|哈尼|哈萨克|黎|傈僳|佤|畲|高山|拉祜|水|东乡|纳西|景颇|柯尔克孜|"
    "土|达斡尔|仫佬|羌|布朗|撒拉|毛南|仡佬|锡伯|阿昌|普米|塔吉克|怒|乌孜别克|俄罗斯|鄂温克|德昂|保安|裕固|京|塔塔尔|独龙|"
    "鄂伦春|赫哲|门巴|珞巴|基诺"
)
_SELF_ZH = "我|他|她|妈|爸|老公|老婆|孩子|本人|自己|员工|家人|家里人|老人"

# category, rule, English pattern (wrapped in word borders), Chinese pattern
TRIGGERS: tuple[tuple[str, str, str, str], ...] = (
    (
        "health", "condition",
        rf"{_ILLNESS}|(?:{_ADJECTIVE})(?! (?:socks|spot|copy|carbon|date|pause|cover|to|with rage))",
        "糖尿病?|高血压|低血糖|心脏病|冠心病|哮喘|癫痫|抑郁症?|焦虑症|自闭症?|多动症|双相|精神分裂|躁郁|老年痴呆|痴呆|阿尔茨海默|"
        "帕金森|中风|偏瘫|脑梗塞?|心梗|脑出血|脑溢血|半身不遂|截瘫|高位截瘫|残疾(?:人|证)?|残障|截肢|小儿麻痹|脑瘫|唐氏|"
        "白血病|艾滋病?|乙肝|肝硬化|肺结核|尿毒症|红斑狼疮|甲[亢减]|痛风|失眠|耳鸣|眩晕|贫血|痔疮|失禁|更年期|白内障|青光眼|"
        "色[盲弱]|夜盲|耳朵?背|失聪|聋哑人?|聋人|失明|盲人|弱视|腰突|静脉曲张|渐冻|植物人|精神病|创伤后|厌食症|暴食症|抽动症|"
        "牛皮癣|湿疹|荨麻疹|乳糖不耐受?|蚕豆病|血友病|地中海贫血|房颤|早搏|心律不齐|心衰|肾衰竭?|脂肪肝|[胆肾]结石|瘫痪在床|"
        "阳了|新冠|(?:得|患|有)了?[\u4e00-\u9fff]{1,5}[病症炎癌瘤]|[\u4e00-\u9fff]{1,4}(?:癌|肿瘤|肉瘤|综合征|恐惧症|障碍症|焦虑症|"
        "硬化症?|骨折|囊肿|结节|息肉|增生|萎缩|劳损|脱位|梗阻|栓塞|不耐受)|(?:关节|[胃肺肝肾肠胰咽鼻阑肌腱颈盆角结中支心膀])[\u4e00-\u9fff]{0,3}炎|"
        "绝症|重病|大病(?!保)|癌|晚期",
    ),
    (
        "health", "care",
        rf"(?:{_MEDICINE})|{_CARE}",
        "(?:坐|用|推|靠|离不开)着?轮椅|轮椅|拄着?(?:双)?拐杖?|助听器|人工耳蜗|假肢|义肢|尿袋|呼吸机|制氧机|起搏器|支架(?!价)|造瘘|"
        "导尿管|导盲犬|盲杖|胰岛素|降[压糖]药|抗抑郁的?药?|安眠药|止痛药|[化放]疗[\u4e00-\u9fff]{0,2}|透析|血透|靶向药|激素药|避孕药|"
        "抗排异|(?:做|动|开)(?:了|过|完)*(?:个|一个|一次)?[\u4e00-\u9fff]{0,8}(?:手术|移植|搭桥|置换)|开过?刀|置换过?|切了一半|打了[^，。]{0,2}钉|"
        "术后|住(?:着|了)?(?:医)?院(?!费)|出院|(?:吃|服|喝|打|换|停|靠|断)着?(?:的|了)?[\u4e00-\u9fff]{0,6}药(?![店房妆箱盒膳])|"
        "看[\u4e00-\u9fff]{0,2}(?:心理|精神)(?:医生|科|门诊)|精神科|心理(?:咨询|治疗|医生|疾病)|康复(?:训练|期|中心|科)|复健|确诊|复诊|"
        "查出(?:来)?[\u4e00-\u9fff]{1,6}|戒[酒毒]|卧床|行动不便|不能自理|病危|读唇|手语|盲文|读屏|旁白(?:功能)?",
    ),
    (
        "health", "body",
        _BODY_TROUBLE,
        rf"(?:{_BODY_ZH})(?:有点|有些|一直|也|都|实在|特别|比较|真的|最近|越来越|不太|不大|不怎么|不是很|很|又|这两年|子)*"
        "(?:不好|不太好|不行|不灵|不便|不方便|不利[索落]|有问题|出问题|差|弱|退化|下降|高(?!清)|偏高|疼|痛|受伤|做过|开过|动过|摔|骨折|"
        "断|坏|使不上|没力|发麻|麻|抖|听不[清见着]|看不[清见]|花|模糊|切|打了)[\u4e00-\u9fff]{0,5}|"
        "对(?!你们|贵|这种|此)[\u4e00-\u9fffA-Za-z0-9]{1,8}过敏|[\u4e00-\u9fff]{0,3}过敏(?:体质|源|性)?|"
        "(?:听|看)不[清见着](?:楚)?(?:声音|字|东西|人)|爬不[动上][\u4e00-\u9fff]{0,3}|走不[了动](?:台阶|楼梯|远|路)|站不[住久了]|蹲不下|"
        "弯不[下了]腰|(?:不能|没法)(?:久站|久坐|弯腰|爬楼|走远|提重)",
    ),
    (
        "health", "pregnancy",
        _PREGNANCY,
        "怀(?:着|了|上|起)?(?:孕|宝宝|二胎|三胎|双胞胎|娃)[\u4e00-\u9fff0-9]{0,6}|孕(?:早期|中期|晚期|期|吐|检|妇|[0-9一二三四五六七八九十]+(?:周|个?月))|"
        "产检|有(?:了)?身孕|有喜了|预产期[\u4e00-\u9fff0-9]{0,6}|备孕|保胎|安胎|试管婴儿?|做试管|流产|小产|坐月子|刚生完|剖[腹宫]产|"
        "哺乳期?|产后|大着?肚子|肚子(?:已经)?[一二三四五六七八九十两0-9]+个月|月份(?:大|重)了|身子重了",
    ),
    (
        "special", "belief",
        rf"ramadan|iftar|suhoor|jum(?:u)?'?ah|salah|salat|taraweeh|(?:eid|friday|morning|evening|dawn|daily|five) prayers?|"
        rf"shabb?at|shabbos|sabbath|yom kippur|passover|pesach|rosh hashanah|sukkot|for lent|ash wednesday|puja|navratri|"
        rf"vaisakhi|hajj|umrah|ba[rt] mitzvah|hijab|niqab|kippah|yarmulke|gurdwara|synagogue|shul|communion|tithe\w*|"
        rf"(?:at|to|in|from|after|during) (?:the |my |our |a )?(?:\w+ )?(?:mosque|church|mass|temple|chapel|"
        rf"bible study|choir practice|sunday school|prayers?)(?: (?:group|service|meeting|choir|prayers?))?(?: for prayers?)?|"
        rf"pray(?:s|ing|ed)?(?: (?:facing|five times|towards?|at|before|every|together|for)[\w ]{{0,14}})?|"
        rf"prayer (?:times?|room|mat|rug|service|meeting|group)|fast(?:ing|s)? (?:for|during|till|until|from dawn|this month|all day)(?: \w+){{0,2}}|"
        rf"(?:we're|i'm|we|i|he's|she's|am|are|while) fast(?:ing)?(?! (?:from|on|with|forward|track))|(?:halal|kosher)(?: \w+){{0,3}}|"
        rf"break(?:ing)? (?:my|our|the) fast|(?:i'?m|i am|we'?re|we are|is|he'?s|she'?s|as|being|family|practi[sc]ing|devout|strict|raised|born|"
        rf"converted to|observant|{KIN}|{CHILDREN})(?: (?:an?|also|both|all|practi[sc]ing|devout|strict|observant|roman|is|are))* (?:{_FAITH})|"
        r"(?:my|our) (?:\w+ )?(?:pastor|imam|rabbi|priest|vicar|parish|congregation|mosque|church|synagogue|temple|faith|"
        r"religion|beliefs|rosary|prayers|turban|god)",
        "斋月|封斋|开斋|守斋|把斋|戒斋|做礼拜|礼拜(?!天|[一二三四五六日])|主麻|清真寺?|穆斯林|伊斯兰|阿訇|古兰经|朝觐|不吃(?:猪肉|大肉)|"
        "信(?:佛|教|主|基督|天主|伊斯兰|道|耶稣|上帝|菩萨)[\u4e00-\u9fff]{0,3}|佛教徒?|基督(?:徒|教)|天主教徒?|居士|皈依|吃(?:长)?斋|"
        "初一十五[\u4e00-\u9fff]{0,6}|念[佛经]|诵经|拜(?:佛|天公|神|妈祖|观音|菩萨)|礼佛|佛堂|法会|受洗|洗礼|祷告|弥撒|安息日|犹太(?:人|教)|"
        "印度教徒?|锡克|摩门|耶和华|道教|团契|查经|教友|教会(?!大学)[\u4e00-\u9fff]{0,4}|教堂|牧师|神父|修女|无神论|忌荤|戴头巾|"
        "供(?:着|奉)?(?:观音|佛|菩萨|妈祖)|持戒|过午不食|(?:我|我们|有|宗教)信仰[\u4e00-\u9fff]{0,4}",
    ),
    (
        "special", "politics",
        rf"vot(?:e|ed|ing|es) (?:for |against )?(?:the )?(?:{_PARTY})|voted (?:for|against) \w+|(?:card-carrying|paid-up|party) member\w*|"
        rf"canvass\w*(?: for [\w ]{{0,20}})?|campaign(?:ing|ed) for (?:the )?\w+|(?:the )?(?:{_PARTY}) (?:party|campaign|branch|candidate|leaflets|"
        rf"rally|conference|voters?|members?|\w+ committee|councillor|activist)|(?:i'?m|we'?re|i am|is|a|lifelong) (?:{_PARTY})\b(?! (?:card|screen|light|button))|"
        r"political (?:views|beliefs|party|asylum|refugee|activist)|(?:at|to|for) (?:the|a) (?:\w+ )?(?:protest|rally|demo|march)\b(?! \d)|"
        r"(?:standing|running) for (?:council|parliament|election|office|mayor|congress|city council)|asylum seeker|refugee status|"
        rf"shop steward|union (?:rep(?:resentative)?|member(?:ship)?|dues|steward|delegate|official|organi[sz]er|branch|meeting|card|hall)|"
        rf"delegate for (?-i:[A-Z]{{3,}})|picket(?:ing| line)?|(?:i'?m|we'?re|i am|we are|our \w+ (?:is|are)) on strike|(?:my|our) (?:\w+ )?union(?! (?:jack|jobs))|(?:bill|ask|tell|"
        rf"member of|belong to|joined|joining) (?:the|a) (?:\w+ )?union(?! of)|{_UNION}|collective bargaining|(?-i:Local) \d{{2,4}}",
        "(?:共产|国民|民进|民主|预备|老)?党员|入党|党费|党支部|党委(?!书记信箱)[\u4e00-\u9fff]{0,6}|民[革盟建]|九三学社|致公党|农工党|政协委员|人大代表|"
        "投(?:票)?(?:给|的是)[\u4e00-\u9fff]{1,6}|政治(?:立场|面貌|观点|避难)|(?:参加|去)(?:了)?(?:游行|示威|集会|竞选)|助选|拉票|竞选|政见|团委书记|"
        "工会[\u4e00-\u9fff]{0,6}|罢工",
    ),
    (
        "special", "origin_or_orientation",
        rf"(?:i'?m|i am|we'?re|we are|is|he'?s|she'?s|as|as an?|being|openly|identify as|{KIN}|{CHILDREN})(?: (?:an?|also|both|all|openly|proudly|is|are|proud))* "
        rf"(?:{_GROUP})(?! (?:card|screen|friday|coffee|market|box|one|model))|"
        r"both (?:men|women|guys|girls|ladies|blokes|lads)|two (?:men|women|mums|moms|dads|guys|grooms|brides|blokes)|same[- ]sex(?: \w+)?|"
        r"(?:gay|lesbian) couple|lgbtq?\w*|came out(?: as| to)|coming out as|gender (?:reassignment|transition|identity|dysphoria)|transition(?:ed|ing)?\b(?: (?:from|to|last|this))?(?= )|"
        r"pride (?:parade|march|flag)|civil partner(?:ship)?|they/them|deadname|of (?:\w+ )?(?:descent|heritage|ancestry|ethnicity|extraction)|"
        r"(?:we'?re|i'?m|from) an? (?-i:[A-Z]\w+(?: [A-Z]\w+)?) (?:family|community|elder|household|woman|man)|sexual orientation|ethnicity",
        f"(?:(?:我们?家?|他|她|家里|{KIN_ZH})(?:们)?(?:都|也)?是?|属于)?(?:{_ETHNIC_ZH})族(?:的|人)?|同性恋者?|出柜|双性恋|跨性别者?|变性|性取向|"
        "同性(?:伴侣|情侣|婚姻|恋人)|(?:我|他|她|本人)(?:是|就是)(?:个)?(?:gay|les|拉拉|同志|弯的|男同|女同)|[俩两](?:个人?)?(?:都)?是?[男女](?:的|生|人)|"
        "(?:我|她|他)也是[男女]的|两个(?:爸爸|妈妈|新郎|新娘)|形婚|LGBT|黑人|混血|少数民族|客家人|藏民|维族|蒙族|原住民|族裔",
    ),
    (
        "special", "biometric",
        r"(?:my|his|her|our|their|(?:husband|wife|mum|dad|mother|father|son|daughter)'s) (?:\w+ )?(?:fingerprints?|thumbprint|thumb|iris(?: scan)?|"
        r"face ?(?:id|scan|print|recognition|data|template)|voice ?print|retina(?: scan)?|palm (?:scan|print|vein)|dna(?: \w+)?|biometrics?|facial \w+)|"
        r"raw biometric \w+|template (?-i:[A-Z]{2}-\d+)",
        f"(?:{_SELF_ZH})[\u4e00-\u9fff]{{0,4}}(?:指纹|人脸|脸部|面容|面部|虹膜|声纹|掌纹|掌静脉|基因|DNA)[\u4e00-\u9fff]{{0,6}}|指纹(?:磨|浅|淡|平|没)[\u4e00-\u9fff]{{0,3}}|"
        "(?:指纹|人脸|虹膜|声纹|掌纹|面部)(?:模板|特征|数据|信息|样本)[\u4e00-\u9fff]{0,3}",
    ),
)  # fmt: skip

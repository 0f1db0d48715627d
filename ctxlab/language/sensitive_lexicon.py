"""Who is meant when a word could disclose something, and what takes it away from people.

Data for :mod:`ctxlab.language.sensitive_topics`; the words that disclose are in
:mod:`ctxlab.language.sensitive_triggers`.
"""

from __future__ import annotations

__all__ = [
    "AGED_ANIMALS",
    "ANIMALS",
    "BEASTS_BEFORE",
    "CHILDREN",
    "CHILDREN_ZH",
    "DATED_BY",
    "DATED_ZH",
    "FEASTS",
    "FIGURES",
    "GENERAL",
    "GROWN_ZH",
    "KIN",
    "KIN_ZH",
    "NOT_NAMED_ZH",
    "PARTS_AFTER",
    "PLACES",
    "SCHOOL",
    "SCHOOL_ZH",
    "SMALL_NUMBER",
    "SMALL_NUMBER_ZH",
    "THINGS",
    "THINGS_ZH",
    "TWICE_ZH",
    "WORN_AFTER",
]

KIN = (
    "husband|wife|partner|spouse|fianc[eé]e?|boyfriend|girlfriend|mum|mom|mam|mother|dad|"
    "father|parents?|folks|gran(?:ny|ma|dad|dpa|dmother|dfather)?|nan(?:a|na)?|grandpa|grandma|"
    "brother|sister|uncle|aunt(?:ie|y)?|cousin|(?:mother|father|sister|brother)-in-law|friend|"
    "colleague|tenant|neighbou?r|flatmate|roommate|carer|bookkeeper|assistant|passenger"
)
CHILDREN = (
    "sons?|daughters?|kid(?:do|die)?s?|child(?:ren)?|boys?|girls?|lads?|lass|toddlers?|bab(?:y|"
    "ies)|infants?|newborns?|nephews?|nieces?|grand(?:sons?|daughters?|kids?|child(?:ren)?)|"
    "(?:little|wee) (?:one|boy|girl|guy|man|lad|brother|sister)s?|teen(?:ager)?s?|youngest|eldest|"
    "oldest|"
    "twins|god(?:son|daughter)|step-?(?:son|daughter|child)|pupils?|intern"
)
KIN_ZH = (
    "爸|妈|父亲|母亲|爹|俺娘|爷爷|奶奶|姥姥|姥爷|外公|外婆|阿婆|阿公|公公|婆婆|岳父|岳母|"
    "丈母娘|老公|老婆|丈夫|妻子|媳妇|爱人|对象|男朋友|女朋友|哥|姐|弟|妹|舅|姑妈|姑姑|叔|伯|"
    "阿姨|小姨|婶|嫂|老人|老头|老太|家里人|家人|同事|朋友|室友|邻居|长辈|"
    "同行|本人|会计|出纳|师傅他"
)
CHILDREN_ZH = (
    "儿子|女儿|闺女|孩子|小孩儿?|娃儿?|娃娃|宝宝|宝贝|外甥女?|侄子|侄女|侄儿|孙子|孙女|外孙女?|"
    "小朋友|丫头|崽崽?|小子|双胞胎|老大|老二|小家伙|小孙|幺儿|幺女|细路|囡囡?|伢|学生|小宝|"
    "大宝|二宝|三宝|妞妞|妞|臭小子|闺女儿|小姑娘|小伙子|男孩|女孩|男娃|女娃|妹妹|弟弟|小囡|小弟|"
    "小妹"
)
# Children or grown up, as it may be: whoever speaks of one has told no age.
GROWN_ZH = "弟弟|妹妹|小弟|小妹|小子|小伙子|小姑娘|学生|老大|老二"
# What is the child's, or goes on about it: no name.
NOT_NAMED_ZH = (
    "电话|手机|微信|短信|邮箱|[账帐]号|号码|名下|名字|户口|身份|证件|生日|结婚|婚礼|婚房|单位|公司|公寓|家里|家的|"
    "房间|衣服|鞋子|书包|自己|昨天|明天|前天|晚上|早上|下班|上班|上学|放学|回家|出门|毕业|考试|工作|出差|老师|同学"
)
THINGS = (
    "router|modem|server|laptop|computer|phone|screen|printer|battery|machine|engine|car|"
    "boiler|app|website|site|portal|system|dashboard|form|queue|chat ?bot|bot|lift|elevator|"
    "fridge|washer|dryer|keyboard|mouse|camera|drill|saw|lathe|compressor|pump|meter|grid|line|"
    "network|wi-?fi|signal|connection|code|build|deal|pause|company|business|market|economy|"
    "branch|department|plants?|trees?|lawn|garden|roses?|suitcase|bag|chair|table|oven|toaster|"
    "kettle|delivery|courier|parcel|package|order|remote|tv|speaker|sofa|mattress|hub|cable|"
    "plug|tap|pipe|valve|motor|fan|policy|process|fryer|transformer|pole|heater|freezer|plane|"
    "bus|train|file|document|budget|account|wallet|bank|password|scanner|till|kiosk|heating|"
    "air ?con(?:ditioner)?|treadmill|gate|sat ?nav|clutch|brakes?|lamp|bulb|clock|hinge|handle|"
    "telly|television|stove|cooker|microwave|dishwasher|vacuum|hoover|mower|strimmer|trimmer|"
    "chainsaw|hammer|shed|fence|roof|lorry|truck|boat|ship|tyre|tire|windscreen|gearbox|radiator|"
    "thermostat|hose|radio|stereo|amp|guitar|piano|violin|headset|microphone|charger|adapter|"
    "software|browser|firmware|projector|aerial|antenna|tent|rucksack|umbrella|doll|teddy|robot|"
    "bike|scooter|lights?|wheels?|bridge|sink|toilet|shower|hob|drawer|wall|drone|console|joystick|cartridge|hedge|oak|elm|orchid|cactus|vines?|tomato(?:es)?|crops?|seedlings?|wheat|barley"
)
ANIMALS = (
    r"(?<!allergic to )(?<!allergic to the )(?<!scared of )\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|"
    r"pets?|horses?|rabbits?|hamsters?|parrots?|"
    "goldfish|tortoise|vet|labrador|poodle|beagle|terrier|spaniel|ponies|pony|cows?|hens?)"
    r"\b(?! (?:allerg|hair|dander))|狗(?!肉)|猫(?!毛)|宠物|犬|兔子|仓鼠|鹦鹉|金鱼|乌龟|泰迪|"
    "柯基|金毛|兽医|小鸡|母猪"
)
# More that has an age, but none of them is spoken of in "allergic to", 海鲜 or 牛奶过敏.
AGED_ANIMALS = (
    r"\b(?:tortoises?|turtles?|terrapins?|snakes?|python|lizards?|geckos?|fish|cockatiels?|budgies?|"
    "parakeets?|goats?|ewes?|sheep|donkeys?|mules?|ferrets?|guinea pigs?|chickens?|ducks?|geese|"
    "mares?|geldings?|foals?|fill(?:y|ies)|colts?|cal(?:f|ves)|lambs?|bulls?|heifers?|greyhounds?|coll?ies?|"
    "retrievers?|whippets?|lurchers?|tabb(?:y|ies)|tomcats?|huskies|husky|alpacas?|llamas?|pigs?|"
    r"piglets?|kelpies?|heelers?)\b|[龟鱼鸟虾猪牛羊鸡鸭鹅蛇马驴](?![上路桶甲])|蜥蜴|萨摩耶?|哈士奇|二哈|边牧|拉布拉多|布偶|英短|美短|橘猫|比熊|柴犬|龙猫|八哥|画眉|骆驼"
)
THINGS_ZH = (
    "路由器?|光猫|服务器|电脑|手机|屏幕?|打印机|电池|机器|主机|发动机|汽车|车子|锅炉|系统|网站|"
    "网页|页面|软件|程序|空调|冰箱|洗衣机|键盘|鼠标|电梯|电视|音箱|椅子|桌子|柜子|行李箱|箱子|"
    "水管|管子?|水龙头|插座|灯|网络?|网速|信号|宽带|线路|客服|物流|快递员?|机器人|公司|市场|"
    "平台|生意|项目|花|脚撑|撑脚|主板|机子|机身|后盖|边框|听筒|摄像头|镜头|电机|马达|绿萝|树|盆栽|葡萄藤?|黄瓜|番茄|西红柿|苞米|玉米|小麦|水稻|稻子|白菜|辣椒|茄子|庄稼|大棚|苗子|叶子|门口机|水泵|电表|账单|房价|门|钱包|耳机|导航|马桶|热水器|"
    "变压器|自助机|一体机|收银机|取票机|扫码枪|打卡机|投影仪?|音响|话筒|APP|app|微波炉|烤箱|"
    "油烟机|洗碗机|吸尘器|割草机|修枝剪|电锯|锤子|棚子|篱笆|屋顶|货车|卡车|轮胎|挡风玻璃|"
    "变速箱|暖气片|温控器|收音机|喇叭|吉他|钢琴|小提琴|耳麦|麦克风|充电器|充电桩|硬盘|显示器|"
    "天线|对讲机|帐篷|雨伞|玩具|无人机|游戏机|手柄|水壶|电饭煲|月季|兰花"
)
FIGURES = (
    r"\b(?:driv(?:es?|ing) me|sick (?:and tired )?of|sick to death|dying (?:to|of|for)|kill(?:s|"
    "ing)? me|(?:nearly|almost|practically|half|near) (?:had|died|gave|dead)|(?:went|going|gone)"
    " (?:nearly |half )?(?:blind|deaf)(?= (?:from|with|look|wait|listen|read|search))|(?:gave|"
    "giving|gives) me|as if|blind (?:to|with|spot|faith|date|copy|drop|trust|rage)|turn(?:ing|"
    "ed)? a blind|deaf (?:to|ears)|addict(?:ed)? to (?:your|this|the)|pregnant (?:with|pause)|"
    "stroke of|religiously|religious (?:about|choice)|(?:religion|bible) (?:to|for|of)|"
    "is my religion|joking|kidding|haha|lol|figuratively|so to speak|on steroids|"
    r"on life support|lame|rash of|cough and|fasting from|"
    r"(?:swear|swore) (?:on|to) (?:the |my |a )?(?:bible|god|\w+'s grave|mother|life)|"
    "allergic to (?:(?!eating|drinking|touching|taking|breathing|handling|wearing|being|anything|"
    "everything|something|nothing)[a-z]+ing(?! (?:nuts?|agents?|powder|products?|fluid|gloves))|"
    "mornings|mondays|work|your|bad|slow|"
    "paperwork|waiting|phones?|queues?|bureaucracy|nonsense|fees|small talk|spam)|"
    r"pray(?:ing|ed)? (?:that|it|this|you|they|somebody|someone|(?:the|your) (?!rosary|office)\w+"
    r" (?:\w+ )?(?:comes?|arrives?|works?|fits?|gets?|holds?|stays?|is|are|will|doesn'?t|won'?t))|"
    "seems? (?:to have )?(?:gone )?|like (?:a|an|some|it)|thanks to your|split personality|"
    r"give my (?:right|left)|ocd about|broke (?:my|his|her|our) (?:heart|(?:neck|back)"
    r"(?! (?:in (?:'?\d|a |the )|\w+ (?:years?|months?|weeks?) |years|last |when |skiing|"
    r"so (?:i|we|he|she) can|at work|badly)))|"
    "(?:i'?m|am|we'?re|are) not (?:blind|deaf)|"
    r"heart (?!(?:is|was|isn't|wasn't) (?:operated|failing|weak|bad|enlarged|not|good|strong))"
    r"(?:isn't|wasn't|is|was|sank|skipped|goes|melted|bleeds|stopped)|"
    r"lost (?:my|their|its|your) mind|"
    r"out of my mind|head (?:examined|spin\w*)|murder|idiot|my foot|cost an arm|arm and a leg|"
    r"neck of the woods|sight for sore|on its last legs|breaks my heart|cold feet|pain in the|"
    r"black sheep|in stitches|blood'?s? (?:is )?boiling)\b|脑子有?病|神经病|有病吧|毛病|通病|暗病|"
    r"选择困难|拖延症|"
    "强迫症(?:犯|表示|狂喜|看)|懒癌|公主病|(?<!食物)(?<!农药)(?<!煤气)(?<!酒精)(?<!药物)(?<!打药)(?<!俺)中毒(?!住|了?[,，]?(?:住院|送医|抢救))|发烧友|气[死疯得]|急[死疯]|要疯|疯了|崩溃|[累笑烦困热冷]死|心态炸|"
    "血压(?:都|又|直|飙|要|上来|上去)|(?:看|听|等|气|吓|急|排|笑|贵|卡|慢)得?(?:我|人|他)?"
    "(?:都|快|要|当场|直接|差点)?[^，。,]{0,3}(?:死|发烧|心脏病|吐血|脑溢血|心梗|抑郁|失明|"
    "中风|失忆|瞎|聋)|都快[^，。]{0,4}了|吐血|(?<![眼睛耳朵划打炸刺扎崩])[聋瞎](?:了|的)|装聋|盲盒|盲目|盲区|剁手|似的|"
    r"(?:一样|那样)(?=[\u4e00-\u9fff]{0,2}(?:[，。,!！]|\Z))|"
    r"[\u4e00-\u9fff]得(?:我|人|老子)?(?:都|快|要|当场|直接|差点)+[^，。,]{0,3}(?:死|发烧|心脏病|吐血|脑溢血|心梗|抑郁|失明|中风|失忆|瞎|聋)|跟[^，。,]{1,8}(?:似|一样)|仿佛|好比|简直|当场|开玩笑|哈哈|"
    "对(?:早起|早睡|起床|开会|运动|爬[山楼]|走路|数学|做饭|打扫|家务|等待|加班|上班|你们|贵|这种|排队|套路|营销)[^，。,]{0,6}过敏|被雷劈|"
    "得(?:我|人)?[^，。,]{1,8}(?:都|快)要?(?:犯|发作)了"
)
# A general question, a rule, a product or a title is about nobody.
GENERAL = (
    r"\b(?:do|does|are|is|can|will|would) (?:you|your|the|it|this|that|there|these|any)"
    r"\b[^?]{0,60}\b(?:sell|stock|offer|have|carry|cover(?:ed|s)?|accept|serve|support|"
    r"includ\w+|suitable|compatible|safe for|come)\b|\bhow (?:much|many|old)\b|\bage (?:limit|"
    r"range|group)|\bages? \d+ ?(?:\+|to|-|and)|\bin (?:general|the "
    r"(?:show|film|movie|book|novel|game|play|series))\b|\bfor (?:kids|children|people|"
    r"customers|anyone)\b|\bbook(?:let)? (?:called|about)\b|有没有[^，。]{0,12}(?:卖|款|险|套餐|"
    "版|票)|(?:你们|贵司)[^，。]{0,8}(?:卖|支持|提供|承保)|是否承保|保不保|赔不赔|"
    "适合[^，。]{0,8}岁|岁以[上下]|几岁|多大的?(?:孩子|小孩)?(?:可以|能)|《|买过你们|"
    r"\b(?:pregnant|diabetic|disabled|deaf|blind|autistic|muslim|jewish|gay|elderly) (?:women|"
    r"people|guests|customers|users|visitors|kids|children|passengers|members|drivers|players)\b|"
    "(?:孕妇|产妇|病人|患者|患儿|残疾人|盲人|聋人|穆斯林|回民|哺乳期|孕期|经期|月经期?间?|产后|糖尿病人?|"
    "[高低]血压|痛风|过敏体质)(?:的?人|患者|人群|期间)?(?:能|可以|可不可以|适合|怎么|要|"
    "吃|用|坐|有没有|专用|设施|通道)|(?:小学生|小孩子?|老人)(?:都|也)(?:会|能|懂)|什么是|吃什么[药好]?|[看挂](?:什么|哪个)科|(?:怎么|如何)(?:治|调理|引起|预防|检查|矫正|办理|传播)|是什么(?:原因|引起)|(?:有什么|有哪些|的|是什么)(?:早期)?(?:症状|反应|坏处|特征|表现|征兆)|"
    "(?:病|[血眼]压|孕妇|产妇|老人|小孩|儿童)[^，。,]{0,3}的?(?:都|就|也)?(?:不行|不能|不可以|不可|不宜|不建议|勿|禁)|"
    "(?:剧本|戏|游戏|电影|小说|故事|动画|漫画|[电连]视?剧)[里中]|"
    "(?:政策|流程|名额|标准)(?:怎么|是|有|在)"
)
# "Church Street", 清真寺旁边: an address, no creed.
PLACES = (
    "['’]?s? (?:street|st|lane|road|rd|ave(?:nue)?|square|bar|hotel|station|branch|hall|hill|"
    r"gate|view|green|row|close|court|park|bake|one\b)|(?:寺|堂|会)?(?:旁边?|附近|对[过面]|门口|"
    "隔壁|后面|街|路|店|站|巷|烤箱|青年会|那边|那条|大街)"
)
# "the nun's habit", "prayer shawls x5": what is worn, shown or sold tells of no wearer.
WORN_AFTER = (
    r"(?:'?s|s')? (?:[\w-]+ )?(?:habits?|outfits?|costumes?|hats?|robes?|gowns?|ledgers?|books?|"
    r"banners?|wigs?|beards?|props?|masks?|rosettes?|sash(?:es)?|posters?|figurines?|statues?|albums?|"
    r"cards?|mugs?|badges?|t-?shirts?|wallpaper|fabric|patterns?|x ?\d+)\b"
)
# "before Diwali", 古尔邦节放几天: a feast that only gives the date.
FEASTS = (
    "(?:eid|diwali|deepavali|hanukkah|chanukah|purim|vesak|nowruz|ramadan|passover|pesach|"
    "yom kippur|rosh hashanah|sukkot|vaisakhi|navratri|onam|pongal|holi|lent|easter|christmas|"
    "good friday|ash wednesday)"
)
DATED_BY = (
    r"\b(?:before|by|after|until|till|for|over|during|around|round|on|this|next|last|since|from|"
    r"near|in time for|your|the)(?: the)? \Z"
)
DATED_ZH = (
    "(?:开斋|古尔邦|佛诞|斋月|圣诞|复活)节?"
    "(?=[你前后当那这放休发送到打特有能会几促活优]|期间|假|还|也|[?？]|\\Z)"
)
# "our kelpie's stone deaf": it is said of the beast that stands before the word.
BEASTS_BEFORE = (
    rf"\b(?:my|our|the|this|that|his|her|their|an?|old|poor) (?:[\w-]+ ){{0,2}}?(?:{AGED_ANIMALS})"
    r"(?:'s)?(?: (?:is|was|has|had|got|gone|going|been|goes|went|having|with|also|now|nearly|"
    r"half|an?|completely|totally|stone|suddenly|\w+ and))*\s*\Z|"
    f"(?:[只条头匹]|家|老)[\u4e00-\u9fff]{{0,3}}(?:{AGED_ANIMALS})[\u4e00-\u9fff]{{0,3}}\\Z"
)
# A part, a make or a house behind a word makes a ware of it: "wheelchair tyres", 康复科.
PARTS_AFTER = (
    r"(?:'s)? (?:(?:left|right|front|rear|spare|new|replacement) )*(?:batter(?:y|ies)|filters?|"
    r"tyres?|tires?|wheels?|brakes?|footplates?|masks?|cuffs?|strips?|domes?|tub(?:e|ing)|charger|"
    r"cushions?|baskets?|rails?|handles?|frames?|kits?|box(?:es)?|covers?|cases?|packs?|lids?|models?|"
    r"manual|warranty|prices?|motor|parts?|crank|straps?|monitors?|meters?|department|ward sister|"
    r"hospital|charity|foundation|trust|shop|cent(?:re|er)|institute|society|road|street|awareness|"
    r"insurance|cover|leaflet|poster)\b|"
    "(?:的?[左右前后上下]?[边侧面]?的?(?:脚踏|轮[子胎]|充气|刹车|扶手|靠背|坐垫|电池|电机|充电|滤芯|"
    "面罩|袖带|试纸|针头|耳塞|配件|螺丝|说明书|包装|型号|尺[码寸]|颜色|保修|厂家|批发|包邮|啸叫|漏[气水]|"
    "生锈|报警|报错)|仪|医院|[院科室](?!里|治|看)|主任|专业的|协会|基金会|学会|险(?!些)|保险)"
)
SMALL_NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|1[0-7]|[0-9]"
)
SMALL_NUMBER_ZH = "(?:1[0-7]|[0-9]|十[一二三四五六七]?|[一二两三四五六七八九])"
# Chinese says adverbs, kin and verbs twice as well.
TWICE_ZH = (
    "慢常天渐刚偷乖好往每仅默匆整统通轻多早远久明白单处时年月个人妈爸爷奶姥哥姐弟妹叔舅姑婶宝娃谢看试想说玩"
    "问听哈呵嘻呜啦嗯日夜次事样种件条张本间家户层点些对双"
)
SCHOOL = (
    "(?:primary|elementary|middle|junior|infants?'?|prep|grammar|high|secondary|nursery|pre-?)"
    "(?: school)?|kindergarten|kindy|pre-?school|day-?care|nursery|cr[eè]che|playgroup|juniors|"
    "academy|montessori|kita|grundschule|gymnasium|maternelle|[eé]cole|colegio|scuola|guarder[ií]a"
)
SCHOOL_ZH = "(?:小学|幼儿园|幼稚园|初中|附小|附中|实验学校|中学|托班|早教|外国语|高中)"

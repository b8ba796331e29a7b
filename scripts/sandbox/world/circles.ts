import { coordinateOf, type Random, randomAt } from "../market/random.ts";

/** A community of investors around one subject. */
export interface Circle {
  id: number;
  name: string;
  /** What it is about, in the words that people use. */
  subjects: readonly string[];
  about: string;
  members: number;
  stocks: readonly Stock[];
}

interface Stock {
  code: string;
  name: string;
  market: "SH" | "SZ";
  /** Whether it can be bought on margin and sold short (融资融券). */
  isMarginable: boolean;
}

/** What a member wrote in a circle. */
export interface Post {
  circle: Circle;
  /** 1 for the first post of its day. */
  number: number;
  /** YYYY-MM-DD */
  date: string;
  text: string;
  /** Null where nothing was put to the vote. */
  votes: number | null;
}

/** What stands behind each stock's code: its name, and an asterisk where it is not on the margin list. */
const stockNames = new Map<string, string>(
  Object.entries({
    "600519.SH": "贵州茅台",
    "000858.SZ": "五粮液",
    "000568.SZ": "泸州老窖",
    "600809.SH": "山西汾酒",
    "002304.SZ": "洋河股份",
    "688981.SH": "中芯国际",
    "002371.SZ": "北方华创",
    "688012.SH": "中微公司",
    "603501.SH": "韦尔股份",
    "688041.SH": "海光信息",
    "300750.SZ": "宁德时代",
    "002594.SZ": "比亚迪",
    "300014.SZ": "亿纬锂能",
    "002460.SZ": "赣锋锂业",
    "601012.SH": "隆基绿能",
    "300274.SZ": "阳光电源",
    "600438.SH": "通威股份",
    "600036.SH": "招商银行",
    "601398.SH": "工商银行",
    "000001.SZ": "平安银行",
    "601318.SH": "中国平安",
    "600030.SH": "中信证券",
    "300059.SZ": "东方财富",
    "600276.SH": "恒瑞医药",
    "300760.SZ": "迈瑞医疗",
    "603259.SH": "药明康德",
    "600436.SH": "片仔癀",
    "000333.SZ": "美的集团",
    "000651.SZ": "格力电器",
    "600887.SH": "伊利股份",
    "603288.SH": "海天味业",
    "600900.SH": "长江电力",
    "601088.SH": "中国神华",
    "601857.SH": "中国石油",
    "600028.SH": "中国石化",
    "601899.SH": "紫金矿业",
    "600547.SH": "山东黄金",
    "002230.SZ": "科大讯飞",
    "688111.SH": "金山办公",
    "300308.SZ": "中际旭创",
    "300502.SZ": "新易盛",
    "601138.SH": "工业富联",
    "600760.SH": "中航沈飞",
    "600893.SH": "航发动力",
    "300124.SZ": "汇川技术",
    "688017.SH": "绿的谐波*",
    "002714.SZ": "牧原股份",
    "300498.SZ": "温氏股份",
    "600048.SH": "保利发展",
    "000002.SZ": "万科A",
    "001696.SZ": "宗申动力*",
    "002085.SZ": "万丰奥威*",
  }),
);

/** Id, name, subjects, about, members, stocks. */
type Row = [number, string, string, string, number, string];

// biome-ignore format: a table has a row a line
const rows: readonly Row[] = [
  [118, "半导体观察", "半导体 芯片 设备 材料 设计", "跟踪半导体产业链上下游，聚焦设备、材料与设计环节", 4120, "688981.SH 002371.SZ 688012.SH 603501.SH 688041.SH"],
  [126, "国产芯片研究所", "半导体 芯片 国产替代 制程", "讨论国产芯片的设计与制造、先进制程与国产替代", 2735, "688041.SH 688981.SH 603501.SH 002371.SZ"],
  [131, "先进封装与存储", "半导体 封装 存储 测试", "关注先进封装、存储周期与测试设备", 1180, "688012.SH 002371.SZ 603501.SH"],
  [206, "白酒研究社", "白酒 消费 高端酒 动销", "跟踪白酒批价、动销与渠道库存，讨论高端酒与区域酒", 6842, "600519.SH 000858.SZ 000568.SZ 600809.SH 002304.SZ"],
  [211, "茅台铁粉圈", "白酒 茅台 酱香", "围绕茅台与酱香型白酒的长期投资交流", 3960, "600519.SH 600809.SH 000568.SZ"],
  [224, "大消费价值圈", "消费 食品 家电 乳业", "食品饮料、家电与乳业的价值投资讨论", 2408, "600887.SH 603288.SH 000333.SZ 000651.SZ 600519.SH"],
  [305, "新能源车产业链", "新能源车 新能源 电池 锂电 整车", "从锂矿、电池到整车的新能源车产业链跟踪", 5531, "300750.SZ 002594.SZ 300014.SZ 002460.SZ"],
  [312, "光伏储能论坛", "光伏 储能 新能源 逆变器", "讨论光伏主产业链价格与储能出海", 3317, "601012.SH 300274.SZ 600438.SH 300750.SZ"],
  [318, "固态电池前沿", "固态电池 电池 锂电", "固态电池技术路线与产业化进展", 1496, "300750.SZ 300014.SZ 002460.SZ"],
  [401, "银行红利策略", "银行 红利 股息 低波", "以银行股为主的红利低波策略交流", 4876, "600036.SH 601398.SH 000001.SZ 601318.SH"],
  [407, "券商与非银", "券商 证券 保险 非银", "关注券商、保险与市场成交活跃度", 2650, "600030.SH 300059.SZ 601318.SH"],
  [415, "高股息养老圈", "高股息 红利 电力 煤炭", "以高股息资产构建长期养老组合", 3805, "600900.SH 601088.SH 601398.SH 601857.SH"],
  [502, "创新药观察", "创新药 医药 医疗 出海", "跟踪创新药临床数据、医保谈判与出海授权", 2981, "600276.SH 603259.SH 300760.SZ"],
  [509, "中药与消费医疗", "中药 医药 消费医疗", "中药与消费医疗公司的经营跟踪", 1320, "600436.SH 300760.SZ 600276.SH"],
  [603, "AI算力先锋", "AI 人工智能 算力 光模块 服务器", "讨论 AI 算力、光模块与服务器需求", 7210, "300308.SZ 300502.SZ 601138.SH 688041.SH"],
  [611, "大模型应用圈", "AI 人工智能 大模型 应用 软件", "大模型落地、AI 应用与软件公司", 3544, "002230.SZ 688111.SH 300059.SZ"],
  [624, "机器人俱乐部", "机器人 人形机器人 减速器 自动化", "人形机器人产业链：减速器、丝杠与伺服", 4018, "300124.SZ 688017.SH 000333.SZ"],
  [702, "黄金与有色", "黄金 有色 铜 贵金属", "金价、铜价与有色龙头的讨论", 3129, "601899.SH 600547.SH"],
  [708, "油气周期", "石油 天然气 油气 周期", "国际油价与油气公司的周期研究", 1207, "601857.SH 600028.SH"],
  [716, "猪周期跟踪", "猪周期 生猪 养殖 农业", "能繁母猪存栏、猪价与养殖成本", 1764, "002714.SZ 300498.SZ"],
  [805, "军工航空圈", "军工 航空 发动机", "军机、航空发动机与军工电子", 1688, "600760.SH 600893.SH"],
  [812, "低空经济", "低空经济 eVTOL 无人机 通航", "eVTOL、无人机与通航基础设施", 2233, "001696.SZ 002085.SZ"],
  [901, "地产链复苏", "地产 房地产 家电 建材", "地产销售、保交楼与地产链公司", 1421, "600048.SH 000002.SZ 000651.SZ"],
  [999, "新手交流站", "新手 入门 新圈子", "新用户提问与投资入门知识分享，本周热门的新圈子", 980, "600036.SH 600900.SH 300059.SZ"],
];

export const circles: readonly Circle[] = rows.map(([id, name, subjects, about, members, stocks]) => ({
  id,
  name,
  about,
  members,
  subjects: subjects.split(" "),
  stocks: stocks.split(" ").flatMap(stockOf),
}));

function stockOf(symbol: string): Stock[] {
  const name = stockNames.get(symbol);
  const [code = "", market] = symbol.split(".");
  if (name === undefined || (market !== "SH" && market !== "SZ")) return [];
  return [{ code, market, name: name.replace("*", ""), isMarginable: !name.endsWith("*") }];
}

const DAY_MS = 86_400_000;
const POST_DAYS = 120;
const MAX_POSTS_A_DAY = 2;
const POSTS = coordinateOf("posts");
const HOLDERS = coordinateOf("holders");

/** What people write; the subject and a stock are filled in. */
const templates = [
  "{subject}板块今天放量，{stock}走势偏强，大家怎么看后续的持续性？",
  "整理了{stock}最新一期财报要点：收入平稳，费用率下降，欢迎补充{subject}同业数据。",
  "{subject}调研纪要：渠道反馈订单环比改善，{stock}的排产值得跟踪。",
  "投票：未来一个月{subject}是震荡还是上行？评论区说说理由。",
  "{stock}的估值在{subject}里处于什么分位？附上近五年对比表。",
  "复盘我的{subject}持仓：{stock}仓位没有变化，操作仅供交流。",
  "{subject}政策解读：关注落地节奏，不必过度反应，{stock}受益程度有分歧。",
  "提醒新朋友：{subject}波动较大，{stock}短期涨幅不小，注意风险。",
  "投票：{stock}和同行相比，你更关注成长还是股息？",
  "{subject}周报：本周资金流向、龙头表现与下周日程。",
] as const;

/** The posts of a circle from the days up to a moment, newest first; those of a day stay what they are. */
export function postsOf(seed: number, circle: Circle, now: number): Post[] {
  const today = Math.floor(now / DAY_MS);
  return Array.from({ length: POST_DAYS }, (_, index) => today - index).flatMap((day) => {
    const random = randomAt(seed, circle.id, POSTS, day);
    const count = Math.floor(random() * (MAX_POSTS_A_DAY + 1) * 0.7);
    return Array.from({ length: count }, (_, index) => postOf(circle, day, index + 1, random));
  });
}

function postOf(circle: Circle, day: number, number: number, random: Random): Post {
  const template = pick(templates, random) ?? "";
  const text = template
    .replaceAll("{subject}", pick(circle.subjects, random) ?? circle.name)
    .replaceAll("{stock}", pick(circle.stocks, random)?.name ?? circle.name);
  const turnout = Math.round(circle.members * (0.005 + 0.06 * random()));
  return {
    circle,
    number,
    date: dateText(day * DAY_MS),
    text,
    votes: text.startsWith("投票") ? turnout : null,
  };
}

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** A security, and what a member has of it. */
export interface Holding {
  stock: Stock;
  /** Members who hold it and agreed to be counted. */
  holders: number;
}

/** What the members of a circle hold, most held first; it changes a little with each trading day. */
export function holdingsOf(seed: number, circle: Circle, tradeDate: string): Holding[] {
  return circle.stocks
    .map((stock, index) => {
      const coordinate = coordinateOf(stock.code);
      const typical = 0.44 * 0.72 ** index * (0.85 + 0.3 * randomAt(seed, circle.id, HOLDERS, coordinate)());
      const drift = 1 + 0.03 * randomAt(seed, circle.id, coordinate, Date.parse(tradeDate) / DAY_MS)();
      return { stock, holders: Math.round(circle.members * typical * drift) };
    })
    .sort((left, right) => right.holders - left.holders);
}

/** The day before a date on which the exchanges were open; public holidays are left out of account. */
export function tradingDayBefore(date: string): string {
  let time = Date.parse(date);
  do time -= DAY_MS;
  while (new Date(time).getUTCDay() % 6 === 0);
  return dateText(time);
}

function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

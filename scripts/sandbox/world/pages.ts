/** A page of a made-up web; all of its sites are on reserved names. */
export interface Page {
  url: string;
  site: string;
  title: string;
  description: string;
  language: "en" | "zh-hans";
  /** How many days before now it was published. */
  ageDays: number;
}

type Row = [string, string, string, string, Page["language"], number];

// biome-ignore format: a table has a row a line
const rows: readonly Row[] = [
  ["https://encyclopedia.example.org/model-context-protocol", "Example Encyclopedia", "Model Context Protocol", "The Model Context Protocol (MCP) is an open protocol by which applications give tools, resources and prompts to language models.", "en", 41],
  ["https://encyclopedia.example.org/json-schema", "Example Encyclopedia", "JSON Schema", "JSON Schema is a vocabulary for describing and validating JSON documents; its 2020-12 draft is what OpenAPI 3.1 uses.", "en", 210],
  ["https://encyclopedia.example.org/common-expression-language", "Example Encyclopedia", "Common Expression Language", "CEL is a small typed expression language without loops, made for policies and rules that are evaluated in a linear time.", "en", 320],
  ["https://encyclopedia.example.org/cloudflare-workers", "Example Encyclopedia", "Cloudflare Workers", "Workers run JavaScript at the edge of a network in isolates that start within milliseconds.", "en", 95],
  ["https://encyclopedia.example.org/european-central-bank", "Example Encyclopedia", "European Central Bank", "The bank of the euro in Frankfurt, which publishes reference exchange rates on each working day at about 16:00.", "en", 160],
  ["https://encyclopedia.example.org/shanghai", "Example Encyclopedia", "Shanghai", "Shanghai is a city of 25 million people at the mouth of the Yangtze and the financial centre of China.", "en", 12],
  ["https://encyclopedia.example.org/gold", "Example Encyclopedia", "Gold as an investment", "Gold is held as a store of value; its price is quoted in dollars a troy ounce.", "en", 77],
  ["https://encyclopedia.example.org/bitcoin", "Example Encyclopedia", "Bitcoin", "Bitcoin is a decentralised digital currency; its supply is limited to 21 million coins.", "en", 30],
  ["https://encyclopedia.example.org/daylight-saving-time", "Example Encyclopedia", "Daylight saving time", "Many countries set their clocks one hour ahead in summer; the IANA time zone database records when.", "en", 400],
  ["https://news.example.com/markets/chipmakers-rally", "Example News", "Chipmakers rally as demand for memory grows", "Shares of semiconductor companies rose after several suppliers raised their outlook for the quarter.", "en", 0],
  ["https://news.example.com/markets/central-banks-hold", "Example News", "Central banks hold interest rates", "The interest rate decisions of this week left policy as it was; currencies hardly moved.", "en", 1],
  ["https://news.example.com/markets/gold-record", "Example News", "Gold near its record as the dollar weakens", "The gold price came close to a record; analysts name purchases by central banks.", "en", 2],
  ["https://news.example.com/technology/agents-tools", "Example News", "Agents learn to use tools, and to say when they fail", "AI agents that call functions need clear errors more than they need many functions, says a survey of developers.", "en", 4],
  ["https://news.example.com/technology/edge-computing", "Example News", "Edge computing moves closer to its users", "Providers of edge computing report more locations and shorter start-up times.", "en", 19],
  ["https://news.example.com/weather/warm-autumn", "Example News", "A warm autumn across Europe", "The weather services of several countries report temperatures above the average.", "en", 6],
  ["https://docs.example.dev/openai-function-calling", "Example Docs", "Function calling, step by step", "How to give functions to a model, read its tool calls and send the results back.", "en", 55],
  ["https://docs.example.dev/rate-limits", "Example Docs", "Rate limits and exponential backoff", "Why a client should wait longer after each refusal, add some randomness, and honour Retry-After.", "en", 130],
  ["https://docs.example.dev/typescript-strict", "Example Docs", "TypeScript in strict mode", "What the strict options of the TypeScript compiler check, and how to adopt them.", "en", 260],
  ["https://travel.example.net/tokyo", "Example Travel", "Three days in Tokyo", "Where to stay, what to eat and which day trips to take from Tokyo.", "en", 33],
  ["https://travel.example.net/paris", "Example Travel", "Paris on foot", "Walks through Paris along the Seine, with museums and cafés.", "en", 64],
  ["https://baike.example.org/白酒", "示例百科", "白酒", "白酒是以粮谷为主要原料酿造的蒸馏酒，按香型分为酱香、浓香、清香等。", "zh-hans", 88],
  ["https://baike.example.org/半导体", "示例百科", "半导体", "半导体是导电性介于导体与绝缘体之间的材料，产业链分为设计、制造、封装与测试。", "zh-hans", 51],
  ["https://baike.example.org/人工智能体", "示例百科", "人工智能体（AI Agent）", "智能体能够理解目标、调用工具并根据结果继续行动，常与大语言模型结合。", "zh-hans", 20],
  ["https://baike.example.org/汇率", "示例百科", "汇率", "汇率是一种货币兑换另一种货币的比率，欧洲央行每个工作日公布参考汇率。", "zh-hans", 140],
  ["https://baike.example.org/上海", "示例百科", "上海", "上海是中国的直辖市，位于长江入海口，是国际金融、贸易和航运中心。", "zh-hans", 9],
  ["https://xinwen.example.com/财经/新能源车", "示例新闻", "新能源车十一月销量公布", "多家车企公布销量，新能源车渗透率继续上升，电池成本下降。", "zh-hans", 0],
  ["https://xinwen.example.com/财经/半导体设备", "示例新闻", "半导体设备国产化提速", "半导体设备厂商三季报显示订单增长，市场关注先进制程进展。", "zh-hans", 1],
  ["https://xinwen.example.com/财经/白酒动销", "示例新闻", "白酒旺季动销平稳", "渠道调研显示白酒旺季动销平稳，高端产品价格略有回升。", "zh-hans", 3],
  ["https://xinwen.example.com/天气/寒潮", "示例新闻", "寒潮将影响北方多地", "气象部门预计寒潮将带来大风降温，北京最低气温降至零下。", "zh-hans", 0],
  ["https://xinwen.example.com/科技/大模型", "示例新闻", "大模型工具调用成为新焦点", "开发者更关注大模型调用工具时的错误处理与限流。", "zh-hans", 5],
  ["https://lvyou.example.net/成都", "示例旅行", "成都三日游攻略", "从宽窄巷子到大熊猫基地，成都三日行程与美食推荐。", "zh-hans", 27],
];

/** Every page there is. */
export const pages: readonly Page[] = rows.map(([url, site, title, description, language, ageDays]) => ({
  url,
  site,
  title,
  description,
  language,
  ageDays,
}));

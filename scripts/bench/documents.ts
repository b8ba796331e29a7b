/** Makes skill documents to compile: alike in form to the bundled ones, every one different, always the same. */

const MARKETS = ["stocks", "bonds", "futures", "currencies", "metals", "crypto", "indices"] as const;
const REGIONS = ["US", "HK", "JP", "DE", "FR", "IN", "BR", "加密", "外汇"] as const;

/** So many documents of about 4 KB, most of it YAML. */
export function skillDocuments(count: number): string[] {
  return Array.from({ length: count }, (_, index) => skillDocument(index));
}

/** The name that the document of this number gives its skill. */
export function documentName(index: number): string {
  return `market-data-${index}`;
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("There is nothing to pick from.");
  return item;
}

function skillDocument(index: number): string {
  const name = documentName(index);
  const market = pick(MARKETS, index);
  const region = pick(REGIONS, index);
  return `---
name: ${name}
description: Quotes and past prices of ${market} in ${region}. Use it for any question about what ${market} cost.
category: data-source
version: 1.${index}.0
---

# ${market} of ${region}, desk ${index}

Never answer a question about prices from memory: call a function, and where a call fails, say that it failed.
Where a name may mean several things, ask which one is meant. 价格问题不要凭记忆回答。

| they say        | symbol         | kind     |
| --------------- | -------------- | -------- |
| number ${index} | \`A${index}.US\` | ${market} |
| 第 ${index} 号  | \`B${index}.HK\` | ${market} |

- What does it cost now, what is bid and asked: \`get_quote_${index}\`.
- How did it move, "the last hour", "this month": \`get_history_${index}\`.

${protocolBlock(index, market)}
To compare two symbols, call the function once for each, both in one turn. When a follow-up question names no
symbol, it is about the symbols of the question before. Nothing here is investment advice.
`;
}

function protocolBlock(index: number, market: string): string {
  const sections = [
    upstreamSection(index),
    "functions:",
    quoteFunction(index, market),
    historyFunction(index, market),
    examplesSection(index),
    constraintsSection(index),
  ];
  return `\`\`\`yaml\n${sections.join("\n")}\`\`\`\n`;
}

function upstreamSection(index: number): string {
  return `upstream:
  base_url: https://desk-${index}.example.com/v1
  timeout: ${5 + (index % 10)}s
  response:
    success: status == 200 && body.code == 0
    data: body.data
    error:
      code: body.code
      message: body.message
`;
}

function quoteFunction(index: number, market: string): string {
  return `  - name: get_quote_${index}
    title: Real-time price
    description: >-
      The latest price of one of the ${market}, with the best bid and ask. For a quick look at a price; the data is
      usually less than ${1 + (index % 9)} seconds old.
    category: quote
    parameters:
      type: object
      properties:
        symbol:
          type: string
          description: The symbol, as CODE.MARKET in capitals
          examples: [A${index}.US, B${index}.HK]
          pattern: "^[A-Z0-9]+\\\\.[A-Z]+$"
        fields:
          type: array
          description: Which values to return
          items:
            type: string
            enum: [price, bid, ask, volume]
          default: [price, bid, ask]
      required: [symbol]
    returns:
      type: object
      properties:
        symbol: { type: string }
        values:
          type: object
          description: The fields asked for; null where the market does not report one
          additionalProperties: { type: [number, "null"] }
      required: [symbol, values]
    request:
      method: GET
      path: /quotes/{symbol}
    response:
      data: |-
        {
          "symbol": body.data.symbol,
          "values": {
            "price": double(body.data.last_price),
            "bid": has(body.data.bid_price) ? double(body.data.bid_price) : null,
            "ask": has(body.data.ask_price) ? double(body.data.ask_price) : null
          }.pick(args.fields)
        }
`;
}

function historyFunction(index: number, market: string): string {
  return `  - name: get_history_${index}
    title: Candlesticks
    description: Past prices of ${market} as candlesticks, from one minute to one week each.
    category: history
    parameters:
      type: object
      properties:
        symbol: { type: string, description: "The symbol, as CODE.MARKET", examples: [A${index}.US] }
        interval: { type: string, enum: [1m, 15m, 1h, 1d], default: 1h }
        limit: { type: integer, minimum: 1, maximum: ${500 + index}, default: 100 }
      required: [symbol]
    request:
      method: GET
      path: /candles
      query:
        symbol: \${symbol}
        interval: \${interval}
        limit: \${limit}
    response:
      data: |-
        body.data.candles.map(candle, {"time": candle.time, "close": double(candle.close)})
`;
}

function examplesSection(index: number): string {
  return `examples:
  - user: 第 ${index} 个现在多少钱
    thought: The price now; bid and ask are worth showing too.
    function: get_quote_${index}
    params: { symbol: A${index}.US, fields: [price, bid, ask] }
`;
}

function constraintsSection(index: number): string {
  return `constraints:
  rate_limit:
    global: { max_requests_per_minute: ${60 + (index % 100)}, error_code: 3001, retry_header: Retry-After }
    per_endpoint:
      get_quote_${index}: { max_requests_per_minute: 30 }
  authentication: { method: api_key, header: X-API-Key, env_variable: DESK_${index}_API_KEY }
  error_handling:
    retryable_codes: [3001, 5000]
    non_retryable_codes: [1001, 2002]
    max_retries: 3
    backoff_strategy: exponential_jitter
  data_coverage:
    exclusions:
      - when: symbol.matches("\\\\.(FX|IDX)$")
        message: There is no data for currencies and indices.
`;
}

/** The YAML of a skill document: its front matter and its fenced blocks, without the marks around them. */
export function yamlBlocks(text: string): string[] {
  const frontMatter = /^---\n(.*?)^---\n/ms.exec(text)?.[1];
  const fences = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, content = ""]) => content);
  return frontMatter === undefined ? fences : [frontMatter, ...fences];
}

/**
 * The two channels of a broker's investor community (股友圈): retrieval over a knowledge base, by the request
 * that Dify sends to external knowledge bases and with the chunks of RAGFlow, and the business service that
 * counts holdings. Both answer with `status` and `msg`: 1 and an empty text say that it went well. The status
 * codes and the header of the key are chosen here, as the interface leaves them open.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import type { JsonObject } from "../../../src/json.ts";
import { perMinute } from "../rate-limit.ts";
import {
  type Circle,
  circles,
  type Holding,
  holdingsOf,
  type Post,
  postsOf,
  tradingDayBefore,
} from "../world/circles.ts";
import { relevance } from "../world/relevance.ts";
import type { Upstream, UpstreamSetting } from "./upstream.ts";

const ROOT = "/restapi/guyouquan";

export const stockCircles: Upstream = {
  name: "stock-circles",
  basePath: "/stock-circles",
  baseUrls: {
    STOCK_CIRCLES_RETRIEVAL_BASE_URL: `/stock-circles${ROOT}/e-server-transfer-service`,
    STOCK_CIRCLES_BUSINESS_BASE_URL: `/stock-circles${ROOT}/follow-svc`,
  },
  keyVariable: "STOCK_CIRCLES_API_KEY",
  create: createStockCircles,
};

const refusals = {
  keyMissing: { status: 401, code: "UNAUTHORIZED", message: "缺少 API Key" },
  keyWrong: { status: 403, code: "FORBIDDEN", message: "API Key 无效或没有该 Skill 的权限" },
  invalid: { status: 200, code: "INVALID_PARAMETER", message: "参数错误" },
  unknownCollection: { status: 200, code: "KNOWLEDGE_NOT_FOUND", message: "知识库集合不存在" },
  unknownCircle: { status: 200, code: "CIRCLE_NOT_FOUND", message: "圈子不存在" },
  rateLimited: { status: 429, code: "RATE_LIMIT_EXCEEDED", message: "请求过于频繁，请稍后重试" },
  quotaUsedUp: { status: 429, code: "DAILY_QUOTA_EXCEEDED", message: "今日配额已用尽" },
} as const;

/** So many requests a day as this many minutes at the full rate. */
const MINUTES_A_DAY = 10;
const DAY_MS = 86_400_000;
const SHANGHAI_OFFSET_MS = 8 * 3_600_000;

const retrieval = z.object({
  knowledge_id: z.string(),
  query: z.string().trim().min(1),
  retrieval_setting: z.object({
    top_k: z.int().min(1).max(50),
    score_threshold: z.number().min(0).max(1).default(0),
  }),
});

const hotStock = z.object({
  channel: z.string().min(1),
  requestId: z.string().min(1),
  body: z.object({ circleId: z.int(), sortType: z.literal("1") }),
});

function createStockCircles(setting: UpstreamSetting): Hono {
  const { seed, now } = setting;
  const app = new Hono().basePath(ROOT);
  app.use("/*", admission(setting));
  app.post("/e-server-transfer-service/dify/retrieval", async (c) =>
    retrieve(c, await bodyOf(c), seed, now()),
  );
  app.post("/follow-svc/option/stockFriendCircle/queryHotStock", async (c) =>
    hotStocks(c, await bodyOf(c), seed, now()),
  );
  return app;
}

/** Lets a request pass that has the key and is within both limits. */
function admission({ apiKey, requestsPerMinute, now }: UpstreamSetting): MiddlewareHandler {
  const countMinute = perMinute(requestsPerMinute, now);
  // On a clock that is so much slower, a minute is a day.
  const countDay = perMinute(requestsPerMinute * MINUTES_A_DAY, () => now() / (24 * 60));
  return async (c, next) => {
    const requestId = c.req.header("X-Request-ID");
    if (requestId !== undefined) c.header("X-Request-ID", requestId);
    const key = c.req.header("X-API-Key");
    if (key === undefined || key === "") return refuse(c, "keyMissing");
    if (key !== apiKey) return refuse(c, "keyWrong");
    const wait = countMinute(key);
    if (wait !== null) {
      c.header("Retry-After", String(wait));
      return refuse(c, "rateLimited");
    }
    return countDay(key) === null ? next() : refuse(c, "quotaUsedUp");
  };
}

function refuse(c: Context, refusal: keyof typeof refusals): Response {
  const { status, code, message } = refusals[refusal];
  return c.json({ status: 0, msg: message, error_code: code }, status);
}

/** The body as JSON; null, which no schema accepts, where it is none. */
function bodyOf(c: Context): Promise<unknown> {
  return c.req.json().catch(() => null);
}

/** Something that retrieval may find. */
interface Chunk {
  id: string;
  documentId: string;
  document: string;
  text: string;
  url: string;
  /** What it is about beyond its text. */
  keywords: string;
}

const collections: ReadonlyMap<string, (seed: number, now: number) => Chunk[]> = new Map([
  ["circle-profiles", () => circles.map(profileChunk)],
  [
    "circle-posts",
    (seed: number, now: number) => circles.flatMap((circle) => postsOf(seed, circle, now)).map(postChunk),
  ],
]);

function profileChunk(circle: Circle): Chunk {
  const { id, name, about, members } = circle;
  return {
    id: `chunk-02${digits(id)}`,
    documentId: `doc-${digits(id)}`,
    document: name,
    text: `${name}（圈子ID：${id}）：${about}，当前成员 ${members} 人。`,
    url: "",
    keywords: circle.subjects.join(" "),
  };
}

function postChunk({ circle, date, number, text, votes }: Post): Chunk {
  const id = `${digits(circle.id)}-${date.replaceAll("-", "")}-${number}`;
  const vote = votes === null ? "" : `（投票数：${votes}）`;
  return {
    id: `chunk-${id}`,
    documentId: `doc-${id}`,
    document: `${circle.name} ${date}`,
    text: `【${circle.name}（圈子ID：${circle.id}）】${date} 发布：${text}${vote}`,
    url: `https://circles.example.com/posts/${id}`,
    keywords: circle.subjects.join(" "),
  };
}

function digits(id: number): string {
  return String(id).padStart(6, "0");
}

function retrieve(c: Context, body: unknown, seed: number, now: number): Response {
  const parsed = retrieval.safeParse(body);
  if (!parsed.success) return refuse(c, "invalid");
  const { knowledge_id: collection, query, retrieval_setting: setting } = parsed.data;
  const chunks = collections.get(collection)?.(seed, now);
  if (chunks === undefined) return refuse(c, "unknownCollection");
  const found = chunks
    .map((chunk) => ({ chunk, ...similarityOf(query, chunk) }))
    .filter(({ similarity }) => similarity > Math.max(0, setting.score_threshold))
    .sort((left, right) => right.similarity - left.similarity);
  const records = [{ total: found.length, chunks: found.slice(0, setting.top_k).map(chunkRow) }];
  return c.json({ status: 1, msg: "", records });
}

interface Similarity {
  similarity: number;
  vectorSimilarity: number;
  termSimilarity: number;
}

/** Stands in for embeddings: what a question and the chunk's keywords share counts as closeness of meaning. */
function similarityOf(query: string, { text, keywords }: Chunk): Similarity {
  const named = keywords.split(" ").filter((word) => query.toLowerCase().includes(word.toLowerCase())).length;
  const termSimilarity = relevance(query, text);
  const vectorSimilarity = named === 0 ? 0.6 * termSimilarity : Math.min(0.95, 0.7 + 0.08 * named);
  const similarity = round(0.7 * vectorSimilarity + 0.3 * termSimilarity);
  return { similarity, vectorSimilarity: round(vectorSimilarity), termSimilarity: round(termSimilarity) };
}

function round(similarity: number): number {
  return Math.round(similarity * 100) / 100;
}

function chunkRow({
  chunk,
  similarity,
  vectorSimilarity,
  termSimilarity,
}: { chunk: Chunk } & Similarity): JsonObject {
  return {
    chunk_id: chunk.id,
    doc_id: chunk.documentId,
    content_with_weight: chunk.text,
    docnm_kwd: chunk.document,
    similarity,
    vector_similarity: vectorSimilarity,
    term_similarity: termSimilarity,
    title: "",
    url: chunk.url,
  };
}

function hotStocks(c: Context, body: unknown, seed: number, now: number): Response {
  const parsed = hotStock.safeParse(body);
  if (!parsed.success) return refuse(c, "invalid");
  const circle = circles.find(({ id }) => id === parsed.data.body.circleId);
  if (circle === undefined) return refuse(c, "unknownCircle");
  const date = new Date(Math.floor((now + SHANGHAI_OFFSET_MS) / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
  const tradeDate = tradingDayBefore(date);
  const results = holdingsOf(seed, circle, tradeDate).map((holding) => holdingRow(holding, date, tradeDate));
  return c.json({ status: 1, msg: "", results });
}

function holdingRow({ stock, holders }: Holding, date: string, tradeDate: string): JsonObject {
  return {
    stockCode: stock.code,
    stockName: stock.name,
    market: stock.market,
    holdNum: holders,
    dt: date,
    tradeDate,
    rzrqFlag: stock.isMarginable ? "1" : "0",
  };
}

/**
 * The Brave Search API: `GET /res/v1/web/search` with the parameters, the shapes and the errors of its
 * documentation. As the real one does, it looks at the key before anything else and answers a wrong or missing
 * one with 422; text is decorated unless the caller says no; a search without results has no `web`.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { perMinute } from "../rate-limit.ts";
import { type Page, pages } from "../world/pages.ts";
import { relevance } from "../world/relevance.ts";
import type { Upstream, UpstreamSetting } from "./upstream.ts";

export const braveSearch: Upstream = {
  name: "brave-search",
  basePath: "/brave-search",
  baseUrls: { BRAVE_SEARCH_BASE_URL: "/brave-search/res/v1" },
  keyVariable: "BRAVE_SEARCH_API_KEY",
  create: createBraveSearch,
};

const DAY_MS = 86_400_000;

/** Freshness words, and the age in days that each allows. */
const FRESHNESS = new Map([
  ["pd", 1],
  ["pw", 7],
  ["pm", 31],
  ["py", 365],
]);

const query = z.object({
  q: z
    .string()
    .min(1)
    .max(400)
    .refine((text) => text.trim().split(/\s+/).length <= 50, "at most 50 words"),
  count: z.coerce.number().int().min(1).max(20).default(20),
  offset: z.coerce.number().int().min(0).max(9).default(0),
  country: z.string().length(2).or(z.literal("ALL")).default("US"),
  search_lang: z.enum(["en", "zh-hans", "zh-hant", "de", "fr", "es", "jp", "ko"]).default("en"),
  freshness: z
    .string()
    .regex(/^(p[dwmy]|\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2})$/)
    .optional(),
  text_decorations: z.stringbool().default(true),
});

const refusals = {
  notFound: { status: 404, code: "NOT_FOUND", detail: "Not Found" },
  invalid: { status: 422, code: "VALIDATION", detail: "Unable to validate request parameter(s)" },
  keyWrong: {
    status: 422,
    code: "SUBSCRIPTION_TOKEN_INVALID",
    detail: "The provided subscription token is invalid.",
  },
  rateLimited: { status: 429, code: "RATE_LIMITED", detail: "Request rate limit exceeded for plan." },
} as const;

function createBraveSearch(setting: UpstreamSetting): Hono {
  const app = new Hono();
  app.use("/res/v1/*", admission(setting));
  app.get("/res/v1/web/search", (c) => search(c, setting.now()));
  app.all("/*", (c) => refuse(c, setting.now(), "notFound", {}));
  return app;
}

function admission({ apiKey, requestsPerMinute, now }: UpstreamSetting): MiddlewareHandler {
  const count = perMinute(requestsPerMinute, now);
  return async (c, next) => {
    const key = c.req.header("X-Subscription-Token");
    if (key === undefined) {
      const errors = [{ type: "missing", loc: ["header", "x-subscription-token"] }];
      return refuse(c, now(), "invalid", { errors });
    }
    if (key !== apiKey) return refuse(c, now(), "keyWrong", { component: "authentication" });
    const wait = count(key);
    if (wait === null) return next();
    c.header("X-RateLimit-Reset", `${wait}, ${wait}`);
    return refuse(c, now(), "rateLimited", { component: "rate_limiter" });
  };
}

function refuse(c: Context, now: number, refusal: keyof typeof refusals, meta: object): Response {
  const { status, code, detail } = refusals[refusal];
  const error = { id: crypto.randomUUID(), code, detail, status, meta };
  return c.json({ type: "ErrorResponse", error, time: Math.floor(now / 1000) }, status);
}

function search(c: Context, now: number): Response {
  const parsed = query.safeParse(c.req.query());
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: ["query", ...path],
      msg: message,
    }));
    return refuse(c, now, "invalid", { errors });
  }
  const { q, count, offset, country, search_lang: language, freshness, text_decorations } = parsed.data;
  const ranked = rank(q, language).filter((page) => isFresh(page, freshness, now));
  const found = ranked.slice(offset * count, (offset + 1) * count);
  const results = found.map((page) => resultOf(page, q, now, text_decorations));
  const indexes = found.map((_, index) => ({ type: "web", index, all: false }));
  return c.json({
    query: {
      original: q,
      show_strict_warning: false,
      is_navigational: false,
      is_news_breaking: false,
      spellcheck_off: true,
      country: country.toLowerCase(),
      bad_results: results.length === 0,
      should_fallback: false,
      more_results_available: ranked.length > (offset + 1) * count,
    },
    mixed: { type: "mixed", main: indexes, top: [], side: [] },
    type: "search",
    ...(results.length === 0 ? {} : { web: { type: "search", results, family_friendly: true } }),
  });
}

/** The pages that have any of the question's terms, best first; those in the language asked for are ahead. */
function rank(question: string, language: string): Page[] {
  return pages
    .map((page) => {
      const score = relevance(question, page.title) * 2 + relevance(question, page.description);
      return { page, score: score === 0 ? 0 : score + (page.language === language ? 0.1 : 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.page.ageDays - right.page.ageDays)
    .map(({ page }) => page);
}

function isFresh(page: Page, freshness: string | undefined, now: number): boolean {
  if (freshness === undefined) return true;
  const maximum = FRESHNESS.get(freshness);
  if (maximum !== undefined) return page.ageDays <= maximum;
  const [first = "", last = ""] = freshness.split("to");
  const day = publishedAt(page, now).slice(0, 10);
  return first <= day && day <= last;
}

function publishedAt({ ageDays }: Page, now: number): string {
  return new Date(Math.floor(now / DAY_MS) * DAY_MS - ageDays * DAY_MS).toISOString().slice(0, 19);
}

function resultOf(page: Page, question: string, now: number, isDecorated: boolean) {
  const { hostname, pathname } = new URL(page.url);
  const favicon = `https://${hostname}/favicon.ico`;
  return {
    title: page.title,
    url: page.url,
    is_source_local: false,
    is_source_both: false,
    description: isDecorated ? decorated(page.description, question) : page.description,
    page_age: publishedAt(page, now),
    profile: { name: page.site, url: page.url, long_name: hostname, img: favicon },
    language: page.language === "en" ? "en" : "zh",
    family_friendly: true,
    type: "search_result",
    subtype: "generic",
    is_live: false,
    meta_url: {
      scheme: "https",
      netloc: hostname,
      hostname,
      favicon,
      path: decodeURIComponent(pathname).replaceAll("/", "  › ").trim(),
    },
    age: new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(
      Date.parse(`${publishedAt(page, now)}Z`),
    ),
  };
}

/** Marks the question's words in a text. */
function decorated(text: string, question: string): string {
  const words = question.match(/[\p{Letter}\p{Number}]{2,}/gu) ?? [];
  return words.length === 0
    ? text
    : text.replace(new RegExp(`(${words.join("|")})`, "giu"), "<strong>$1</strong>");
}

/** An upstream that says back what it was shown, as some do when they refuse it. */
import type { Context, MiddlewareHandler } from "hono";
import { spellingsOf } from "./spellings.ts";

/** Where a credential is said back; redirects lead to a path, and to a host, that is named like it. */
const places = {
  body: (c: Context, said: string[]) => reply(c.res.status, said),
  message: (_c: Context, said: string[]) => reply(400, said),
  text: (c: Context, said: string[]) => c.text(`Not for ${said.join(" or ")}`, 400),
  html: (c: Context, said: string[]) => c.html(`<p>Not for ${said.join(" or ")}</p>`, 502),
  header: (_c: Context, said: string[]) => {
    const headers = said.filter(isHeaderText).map((text, index) => [`X-Echo-${index}`, text] as const);
    return Response.json({ code: 0, message: "success", data: null }, { headers: [...headers] });
  },
  link: (_c: Context, said: string[]) => {
    const link = `</echoed?key=${encodeURIComponent(said[0] ?? "")}>; rel="next"`;
    return Response.json({ code: 0, message: "success", data: [said] }, { headers: { Link: link } });
  },
  location: (_c: Context, [first = ""]: string[]) => redirected(`/echoed/${encodeURIComponent(first)}`),
  host: (_c: Context, [first = ""]: string[]) =>
    redirected(`http://${first.replaceAll(/[^A-Za-z0-9-]/g, "-")}.invalid/`),
  type: (c: Context, [first = ""]: string[]) =>
    c.body("x", 200, { "Content-Type": `application/${first.replaceAll(/[^\w.+-]/g, "-")}` }),
  binary: (c: Context, said: string[]) => c.body(said.join("\0"), 200, { "Content-Type": "image/png" }),
};

export const echoPlaces = Object.keys(places).join(", ");

/** Says the request's credentials back in every spelling; null where there is no such place. */
export function echo(place: string): MiddlewareHandler | null {
  const entry = Object.entries(places).find(([name]) => name === place);
  if (entry === undefined) return null;
  return async (c, next) => {
    const said = (await credentialsOf(c.req.raw.clone())).flatMap((text) => [...spellingsOf(text).values()]);
    await next();
    c.res = entry[1](c, said);
  };
}

function reply(status: number, said: readonly string[]): Response {
  const message = `Not for ${said.join(" or ")}`;
  const keyed = Object.fromEntries(said.map((text) => [text, { text }]));
  const code = status === 200 ? 0 : status;
  return Response.json(
    { code, message, error: "refused", error_description: message, data: keyed },
    { status },
  );
}

function redirected(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}

function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** What a request shows: headers of keys, what `Authorization` holds, parameters of keys, a client's secret. */
async function credentialsOf(request: Request): Promise<string[]> {
  const form = new URLSearchParams(await request.text());
  const { searchParams } = new URL(request.url);
  const [scheme = "", token = ""] = (request.headers.get("authorization") ?? "").split(" ");
  const decoded = scheme === "Basic" ? Buffer.from(token, "base64").toString() : "";
  const shown = [
    request.headers.get("x-api-key"),
    searchParams.get("api_key"),
    form.get("client_secret"),
    token,
    decoded,
    decoded.slice(decoded.indexOf(":") + 1),
  ];
  return [...new Set(shown.filter((text) => text !== null && text !== ""))];
}

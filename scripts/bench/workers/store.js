/** Plays a KV namespace in memory, in the words that workerd's binding speaks. Nothing expires. */
const entries = new Map();

/** A key is the whole path, percent-encoded. */
function keyOf(url) {
  return decodeURIComponent(url.pathname.slice(1));
}

const methods = {
  GET(url) {
    if (url.pathname === "/") return list(url.searchParams.get("prefix") ?? "");
    const entry = entries.get(keyOf(url));
    if (entry === undefined) return new Response("Not Found", { status: 404 });
    return new Response(entry.value, {
      headers: entry.metadata === null ? {} : { "CF-KV-Metadata": entry.metadata },
    });
  },

  /** A bulk read: all values of the keys that the body names, as texts. */
  async POST(_url, request) {
    const { keys } = await request.json();
    const decoder = new TextDecoder();
    const textOf = (entry) => (entry === undefined ? null : decoder.decode(entry.value));
    return Response.json(Object.fromEntries(keys.map((key) => [key, textOf(entries.get(key))])));
  },

  async PUT(url, request) {
    const metadata = request.headers.get("CF-KV-Metadata");
    entries.set(keyOf(url), { value: await request.arrayBuffer(), metadata });
    return new Response();
  },

  DELETE(url) {
    entries.delete(keyOf(url));
    return new Response();
  },
};

function list(prefix) {
  const keys = [...entries]
    .filter(([name]) => name.startsWith(prefix))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { metadata }]) => (metadata === null ? { name } : { name, metadata }));
  return Response.json({ keys, list_complete: true, cacheStatus: null });
}

export default {
  fetch(request) {
    const answer = methods[request.method];
    if (answer === undefined) return new Response(null, { status: 405 });
    return answer(new URL(request.url), request);
  },
};

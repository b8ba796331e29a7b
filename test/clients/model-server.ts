/** A provider on loopback: it refuses what the provider would refuse, and its model plays a script. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { JsonObject } from "../../src/json.ts";

/** What the model does in one turn: it calls functions, side by side, or has the last word. */
export type Turn = { calls: readonly ScriptedCall[] } | { text: string };

export interface ScriptedCall {
  name: string;
  input: JsonObject;
}

/** A turn as it is sent: the calls have ids by turn and place, such as `call_1_2`. */
export interface SentTurn {
  calls: readonly (ScriptedCall & { id: string })[];
  /** Null where the model calls. */
  text: string | null;
  /** The tools it calls that were not loaded, and that the provider's search finds first. */
  searched: readonly string[];
}

/** A result that the model was told. */
export interface Answer {
  /** Null where it came without. */
  id: string | null;
  name: string;
  content: unknown;
  /** Null where the provider has no word for it. */
  isError: boolean | null;
}

/** A request as the model sees it: the names of its tools, and the results since its last turn. */
export interface ReadRequest {
  tools: string[];
  /** Those of the tools that are loaded when a search finds them. */
  deferred: string[];
  answers: Answer[];
}

export interface ReceivedRequest extends ReadRequest {
  /** The `tools` parameter as it was on the wire. */
  parameter: unknown;
}

/** How a provider is spoken to. */
export interface Wire<Body> {
  path: RegExp;
  /** The shape of a request; whatever it does not name is refused. */
  body: z.ZodType<Body>;
  /** What else the provider would refuse, one sentence each. */
  problems(body: Body): string[];
  read(body: Body): ReadRequest;
  isStreamed(body: Body, url: string): boolean;
  reply(turn: SentTurn): JsonObject;
  /** The same as server-sent events, by the names of their types where the provider gives names. */
  events(turn: SentTurn): [string | null, JsonObject | string][];
}

export interface ModelServer {
  url: string;
  /** What was asked and not refused, since the script began. */
  requests: readonly ReceivedRequest[];
  play(script: readonly Turn[]): void;
  close(): Promise<void>;
}

export async function startModelServer<Body>(wire: Wire<Body>): Promise<ModelServer> {
  const play = new Play();
  const server = createServer((incoming, outgoing) => {
    respond(wire, play, incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    get requests() {
      return play.requests;
    },
    play: (script) => play.begin(script),
    close: () => close(server),
  };
}

/** A script, and how far it got. */
class Play {
  requests: ReceivedRequest[] = [];
  #script: readonly Turn[] = [];

  begin(script: readonly Turn[]): void {
    this.#script = script;
    this.requests = [];
  }

  /** The model's next turn; null where the script is over. */
  next(request: ReceivedRequest): SentTurn | null {
    const turn = this.#script[this.requests.length];
    if (turn === undefined) return null;
    const number = this.requests.push(request);
    if ("text" in turn) return { calls: [], text: turn.text, searched: [] };
    const calls = turn.calls.map((call, index) => ({ ...call, id: `call_${number}_${index + 1}` }));
    const searched = calls.map(({ name }) => name).filter((name) => request.deferred.includes(name));
    return { calls, text: null, searched };
  }
}

async function respond<Body>(
  wire: Wire<Body>,
  play: Play,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = incoming.url ?? "";
  if (!wire.path.test(url)) return refuse(outgoing, 404, `nothing is at ${url}`);
  const given = JSON.parse(await text(incoming));
  const parsed = wire.body.safeParse(given);
  if (!parsed.success) return refuse(outgoing, 400, z.prettifyError(parsed.error));
  const problems = wire.problems(parsed.data);
  if (problems.length > 0) return refuse(outgoing, 400, problems.join("; "));
  const turn = play.next({ ...wire.read(parsed.data), parameter: given.tools });
  if (turn === null) return refuse(outgoing, 400, "the script is over");
  if (!wire.isStreamed(parsed.data, url)) return send(outgoing, 200, wire.reply(turn));
  outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const [name, data] of wire.events(turn)) {
    const line = typeof data === "string" ? data : JSON.stringify(data);
    outgoing.write(`${name === null ? "" : `event: ${name}\n`}data: ${line}\n\n`);
  }
  outgoing.end();
}

/** A form of error that every SDK shows the text of. */
function refuse(outgoing: ServerResponse, status: number, message: string): void {
  send(outgoing, status, { error: { message, type: "invalid_request_error", code: status } });
}

function send(outgoing: ServerResponse, status: number, body: JsonObject): void {
  outgoing.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

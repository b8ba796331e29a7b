/** Gemini's `generateContent`, and the same in streams. Some of its models give calls ids, others do not. */
import { z } from "zod";
import type { JsonObject } from "../../../src/json.ts";
import type { Answer, SentTurn, Wire } from "../model-server.ts";
import { nameProblems, schemaProblems } from "./tool-rules.ts";

const schema = z.record(z.string(), z.unknown());

const declaration = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/),
    description: z.string(),
    parameters: schema.optional(),
    parametersJsonSchema: schema.optional(),
  })
  .refine(
    ({ parameters, parametersJsonSchema }) =>
      (parameters === undefined) !== (parametersJsonSchema === undefined),
    "only one of parameters and parametersJsonSchema may be set",
  );

const part = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({
    functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: schema }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({ id: z.string().optional(), name: z.string(), response: schema }),
  }),
]);

const body = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) })).min(1),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(declaration).min(1) })).min(1),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({ mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]) }),
    })
    .optional(),
  generationConfig: z.strictObject({}).optional(),
});
type Body = z.output<typeof body>;
type Content = Body["contents"][number];

function callsIn(content: Content | undefined) {
  return (content?.parts ?? []).flatMap((given) => ("functionCall" in given ? [given] : []));
}

function responsesIn(content: Content | undefined) {
  return (content?.parts ?? []).flatMap((given) =>
    "functionResponse" in given ? [given.functionResponse] : [],
  );
}

/** As many responses as calls, in the next content, and the signature of thought on the first call. */
function orderProblems(contents: Body["contents"]): string[] {
  return contents.flatMap((content, index) => {
    const calls = callsIn(content).map(({ functionCall: { id, name } }) => `${id}:${name}`);
    const responses = responsesIn(contents[index + 1]).map(({ id, name }) => `${id}:${name}`);
    const [first] = callsIn(content);
    return [
      ...(calls.length === 0 && responses.length === 0 ? [] : matchProblems(calls, responses)),
      ...(first !== undefined && first.thoughtSignature !== "c2lnbmVk"
        ? ["Function call is missing a thought_signature in functionCall parts"]
        : []),
    ];
  });
}

function matchProblems(calls: readonly string[], responses: readonly string[]): string[] {
  const isSame = JSON.stringify([...calls].sort()) === JSON.stringify([...responses].sort());
  return isSame
    ? []
    : [
        "the number of function response parts is to equal the number of function call parts of the turn before",
      ];
}

function answersIn(contents: Body["contents"]): Answer[] {
  return responsesIn(contents.at(-1)).map(({ id = null, name, response }) => ({
    id,
    name,
    content: response.error ?? response,
    isError: response.error !== undefined,
  }));
}

function partsOf({ calls, text }: SentTurn, hasIds: boolean): JsonObject[] {
  if (text !== null) return [{ text }];
  return calls.map(({ id, name, input }, index) => ({
    functionCall: { ...(hasIds ? { id } : {}), name, args: input },
    ...(index === 0 ? { thoughtSignature: "c2lnbmVk" } : {}),
  }));
}

function responseOf(parts: JsonObject[], finishReason: string | null): JsonObject {
  const content = { role: "model", parts };
  const candidate = { index: 0, content, ...(finishReason === null ? {} : { finishReason }) };
  return { candidates: [candidate], modelVersion: "scripted" };
}

/** A call comes whole, in a piece of its own; a text comes in two; the last piece has nothing but the reason. */
function piecesOf(turn: SentTurn, hasIds: boolean): JsonObject[] {
  const { text } = turn;
  const parts = text === null ? partsOf(turn, hasIds) : [{ text: text.slice(0, 9) }, { text: text.slice(9) }];
  return [...parts.map((given) => responseOf([given], null)), responseOf([{ text: "" }], "STOP")];
}

export function gemini(hasIds: boolean): Wire<Body> {
  return {
    path: /^\/v1(?:beta)?\/models\/[^:]+:(?:generateContent|streamGenerateContent\?alt=sse)$/,
    body,
    problems: ({ tools, contents }) => {
      const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
      return [
        ...nameProblems(declared.map(({ name }) => name)),
        ...declared.flatMap(({ name, parameters, parametersJsonSchema = {} }) =>
          parameters === undefined
            ? schemaProblems(name, parametersJsonSchema, "jsonSchema")
            : schemaProblems(name, parameters, "gemini"),
        ),
        ...orderProblems(contents),
      ];
    },
    read: ({ tools, contents }) => ({
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      deferred: [],
      answers: answersIn(contents),
    }),
    isStreamed: (_body, url) => url.includes(":streamGenerateContent"),
    reply: (turn) => responseOf(partsOf(turn, hasIds), "STOP"),
    events: (turn) => piecesOf(turn, hasIds).map((piece) => [null, piece]),
  };
}

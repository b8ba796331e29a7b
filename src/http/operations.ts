/** Every operation of the HTTP interface, as a table: what `/openapi.json` is generated from. */
import type * as z from "zod/mini";
import type { FailureCode } from "../errors.ts";
import { ownSkillOperations } from "./own/operations.ts";
import * as replies from "./reply-schemas.ts";
import * as requests from "./requests.ts";

/** One operation: what it takes, what it answers, and how it fails. */
export interface Operation {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** In the form of OpenAPI, `{name}`. */
  path: string;
  summary: string;
  parameters?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  /** What is sent: the types that it may have, each with its schema where it is JSON. */
  body?: { description: string; types: Readonly<Record<string, z.ZodMiniType | null>> };
  replies: { status: number; description: string; schema?: z.ZodMiniType; type?: string }[];
  /** Besides those that any operation has: INTERNAL, and unless it is open those of looking at the key. */
  failures: FailureCode[];
  /** Whether it needs no key. */
  open?: true;
}

export const operations: readonly Operation[] = [
  {
    method: "get",
    path: "/health",
    summary: "Liveness, version and what is bound; needs no key",
    replies: [{ status: 200, description: "The gateway runs", schema: replies.health }],
    failures: [],
    open: true,
  },
  {
    method: "get",
    path: "/openapi.json",
    summary: "This description of the interface",
    replies: [
      { status: 200, description: "An OpenAPI 3.1 document", schema: replies.openapi },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: [],
  },
  {
    method: "get",
    path: "/v1/skills",
    summary: "The index: one line a skill; with q a ranked search through it",
    query: requests.skillsQuery,
    replies: [
      { status: 200, description: "The skills that the caller sees", schema: replies.skillList },
      { status: 200, description: "With format=text: the lines for a system prompt", type: "text/plain" },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: ["INVALID_REQUEST"],
  },
  {
    method: "get",
    path: "/v1/skills/{name}",
    summary: "A skill's document: whole, as outline and opening, a section of it, or a page",
    parameters: requests.skillParameter,
    query: requests.skillQuery,
    replies: [{ status: 200, description: "What fits of the document", schema: replies.loadedSkill }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "UNKNOWN_SECTION", "AMBIGUOUS_SECTION"],
  },
  ...ownSkillOperations,
  {
    method: "get",
    path: "/v1/tools",
    summary: "Tool schemas in a provider's format, ready for its `tools` parameter",
    query: requests.toolsQuery,
    replies: [
      { status: 200, description: "The tools", schema: replies.toolList },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "UNKNOWN_FUNCTION"],
  },
  {
    method: "get",
    path: "/v1/tools/losses",
    summary: "What the provider's format cannot express of the tools, and what became of it",
    query: requests.toolsQuery,
    replies: [
      { status: 200, description: "The losses, of the same selection", schema: replies.lossList },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "UNKNOWN_FUNCTION"],
  },
  {
    method: "get",
    path: "/v1/limits",
    summary: "Every limit that calls of the caller are held against, and how it stands",
    replies: [{ status: 200, description: "The limits", schema: replies.limitList }],
    failures: ["STORE_UNAVAILABLE"],
  },
  {
    method: "get",
    path: "/v1/prompt",
    summary: "A system prompt: how to call, what skills there are, what data there is none of",
    query: requests.promptQuery,
    replies: [
      { status: 200, description: "The prompt; the same bytes for the same skills", type: "text/plain" },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL"],
  },
  {
    method: "post",
    path: "/v1/invoke/{function}",
    summary: "Call a function; with format, name and arguments are those of its tool in that format",
    parameters: requests.functionParameter,
    query: requests.invokeQuery,
    body: { description: "The arguments, by the function's own schema", types: { "application/json": null } },
    replies: [
      {
        status: 200,
        description: "The result, or with dry_run=1 what would be sent",
        schema: replies.invocation,
      },
    ],
    failures: [
      "UNKNOWN_FUNCTION",
      "INVALID_REQUEST",
      "INVALID_ARGUMENTS",
      "PAYLOAD_TOO_LARGE",
      "NOT_COVERED",
      "EXPRESSION_FAILED",
      "CHAIN_REFUSED",
      "DAILY_QUOTA_EXCEEDED",
      "EGRESS_DENIED",
      "SECRET_NOT_SET",
      "SECRET_UNUSABLE",
      "UPSTREAM_REJECTED",
      "UPSTREAM_UNPARSABLE",
      "UPSTREAM_TOO_LARGE",
      "UPSTREAM_UNAVAILABLE",
      "UPSTREAM_RATE_LIMITED",
      "UPSTREAM_QUOTA_EXHAUSTED",
      "UPSTREAM_TIMEOUT",
      "TOKEN_REFUSED",
      "TOKEN_UNAVAILABLE",
      "RESULT_GONE",
    ],
  },
  {
    method: "post",
    path: "/v1/calls",
    summary: "Answer a model's message: its calls in, the messages that answer them out",
    query: requests.callsQuery,
    body: {
      types: { "application/json": null },
      description:
        "The assistant's message or the list of its calls, as the provider gave it; without `format`, an object of " +
        "`format` and `message`; with format=text, the model's text",
    },
    replies: [
      {
        status: 200,
        description: "A result for each call; a call that failed has its failure for one",
        schema: replies.answeredCalls,
      },
    ],
    failures: ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE"],
  },
  {
    method: "get",
    path: "/v1/keys/current",
    summary: "Whose the key is that was sent, and what it may do",
    replies: [{ status: 200, description: "The caller", schema: replies.currentKey }],
    failures: [],
  },
  {
    method: "get",
    path: "/v1/keys",
    summary: "The keys of a tenant; none is shown itself",
    query: requests.tenantQuery,
    replies: [{ status: 200, description: "The keys, oldest first", schema: replies.keyList }],
    failures: ["INVALID_REQUEST"],
  },
  {
    method: "post",
    path: "/v1/keys",
    summary: "Issue a key, which may do no more than the one that issues it",
    query: requests.tenantQuery,
    body: { description: "What the key may do", types: { "application/json": requests.keyBody } },
    replies: [{ status: 201, description: "The key, shown this once", schema: replies.issuedKey }],
    failures: ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE"],
  },
  {
    method: "get",
    path: "/v1/keys/{id}",
    summary: "A key, all but itself",
    parameters: requests.keyParameter,
    query: requests.tenantQuery,
    replies: [{ status: 200, description: "The key", schema: replies.shownKey }],
    failures: ["INVALID_REQUEST", "UNKNOWN_KEY"],
  },
  {
    method: "delete",
    path: "/v1/keys/{id}",
    summary: "Revoke a key",
    parameters: requests.keyParameter,
    query: requests.tenantQuery,
    replies: [{ status: 200, description: "Revoked", schema: replies.revokedKey }],
    failures: ["INVALID_REQUEST", "UNKNOWN_KEY"],
  },
  {
    method: "post",
    path: "/v1/keys/{id}/rotate",
    summary: "Put a new key in the place of one, with the same id and rights",
    parameters: requests.keyParameter,
    query: requests.rotateQuery,
    replies: [{ status: 200, description: "The new key, shown this once", schema: replies.issuedKey }],
    failures: ["INVALID_REQUEST", "UNKNOWN_KEY"],
  },
  {
    method: "get",
    path: "/v1/secrets",
    summary: "The names and hosts of a tenant's secrets; never a value",
    query: requests.tenantQuery,
    replies: [{ status: 200, description: "The secrets, by name", schema: replies.secretList }],
    failures: ["INVALID_REQUEST"],
  },
  {
    method: "put",
    path: "/v1/secrets/{name}",
    summary: "Set a secret for skills of the tenant's own, and the hosts that it is bound to",
    parameters: requests.secretParameter,
    query: requests.tenantQuery,
    body: { description: "The secret", types: { "application/json": requests.secretBody } },
    replies: [
      { status: 200, description: "Replaced", schema: replies.storedSecret },
      { status: 201, description: "Set", schema: replies.storedSecret },
    ],
    failures: ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE"],
  },
  {
    method: "delete",
    path: "/v1/secrets/{name}",
    summary: "Remove a secret",
    parameters: requests.secretParameter,
    query: requests.tenantQuery,
    replies: [{ status: 200, description: "Removed", schema: replies.deletedSecret }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SECRET"],
  },
];

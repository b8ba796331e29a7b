/** The operations on a caller's own skills, for the table of all. */
import type { Operation } from "../operations.ts";
import * as replies from "../reply-schemas.ts";
import * as requests from "../requests.ts";

const CONDITIONS =
  "If-Match with the ETag of GET makes the change only where the skill is still that one, and If-None-Match: * only where " +
  "there is none: exactly within one instance of the gateway, elsewhere as far as the store shows what was written";

const WRITE_FAILURES = [
  "INVALID_REQUEST",
  "INVALID_SKILL",
  "OVERRIDE_FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "VERSION_CONFLICT",
] as const;

/** What a write answers. */
function stored(what: string): Operation["replies"] {
  return [
    {
      status: 200,
      description: `${what}, or with dry_run=1 what would become of it`,
      schema: replies.storedSkill,
    },
    { status: 201, description: `${what}; the caller had no such skill before`, schema: replies.storedSkill },
  ];
}

const skillOperations: readonly Operation[] = [
  {
    method: "put",
    path: "/v1/skills/{name}",
    summary: `Store a skill of one's own, ahead of a bundled one of that name. ${CONDITIONS}`,
    parameters: requests.skillParameter,
    query: requests.putSkillQuery,
    body: {
      description:
        "The SKILL.md; or with its files, as JSON or as a ZIP archive with SKILL.md in its root or in its only folder. " +
        "All of it is stored, or nothing",
      types: { "text/markdown": null, "application/json": requests.skillBundle, "application/zip": null },
    },
    replies: stored("Stored"),
    failures: [...WRITE_FAILURES],
  },
  {
    method: "patch",
    path: "/v1/skills/{name}",
    summary: `Replace texts in a skill, first copying the bundled one where one has none. ${CONDITIONS}`,
    parameters: requests.skillParameter,
    query: requests.writeQuery,
    body: {
      description: "Edits, made one after the other: all of them, or none",
      types: { "application/json": requests.editList },
    },
    replies: stored("Edited"),
    failures: ["UNKNOWN_SKILL", ...WRITE_FAILURES],
  },
  {
    method: "delete",
    path: "/v1/skills/{name}",
    summary: "Remove a skill of one's own with its files and versions; a bundled one shows again",
    parameters: requests.skillParameter,
    replies: [{ status: 200, description: "Removed", schema: replies.deletedSkill }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "VERSION_CONFLICT"],
  },
];

const versionOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/skills/{name}/versions",
    summary: "The versions of a skill of one's own",
    parameters: requests.skillParameter,
    replies: [{ status: 200, description: "The versions that are kept", schema: replies.versionList }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL"],
  },
  {
    method: "get",
    path: "/v1/skills/{name}/diff",
    summary: "What is different between versions of a skill of one's own, or against the bundled one",
    parameters: requests.skillParameter,
    query: requests.diffQuery,
    replies: [{ status: 200, description: "The difference", schema: replies.versionDifference }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "UNKNOWN_VERSION"],
  },
  {
    method: "post",
    path: "/v1/skills/{name}/rollback",
    summary: "Make a former version of a skill, with its files, the latest one again",
    parameters: requests.skillParameter,
    query: requests.writeQuery,
    body: { description: "The version", types: { "application/json": requests.rollbackTarget } },
    replies: stored("Rolled back"),
    failures: ["UNKNOWN_SKILL", "UNKNOWN_VERSION", ...WRITE_FAILURES],
  },
  {
    method: "post",
    path: "/v1/skills/{name}/rebase",
    summary:
      "Take over what the bundled skill has become since one's own was made from it, where both fit together",
    parameters: requests.skillParameter,
    query: requests.writeQuery,
    replies: stored("Rebased"),
    failures: ["UNKNOWN_SKILL", "MERGE_CONFLICT", ...WRITE_FAILURES],
  },
];

const fileOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/skills/{name}/files",
    summary: "The files beside a skill's document",
    parameters: requests.skillParameter,
    replies: [{ status: 200, description: "The files", schema: replies.fileList }],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL"],
  },
  {
    method: "get",
    path: "/v1/skills/{name}/files/{path}",
    summary: "A file beside a skill's document",
    parameters: requests.fileParameter,
    replies: [
      { status: 200, description: "The file, where it is text", type: "text/plain" },
      { status: 200, description: "The file, where it is not", type: "application/octet-stream" },
      { status: 304, description: "Not changed since the reply with the ETag in If-None-Match" },
    ],
    failures: ["INVALID_REQUEST", "UNKNOWN_SKILL", "UNKNOWN_FILE"],
  },
  {
    method: "put",
    path: "/v1/skills/{name}/files/{path}",
    summary: "Put a file beside a skill's document, first copying the bundled skill where one has none",
    parameters: requests.fileParameter,
    query: requests.writeQuery,
    body: { description: "The file as it is", types: { "application/octet-stream": null } },
    replies: stored("Put"),
    failures: ["UNKNOWN_SKILL", ...WRITE_FAILURES],
  },
  {
    method: "delete",
    path: "/v1/skills/{name}/files/{path}",
    summary: "Remove a file from beside a skill's document",
    parameters: requests.fileParameter,
    query: requests.writeQuery,
    replies: stored("Removed"),
    failures: ["UNKNOWN_SKILL", "UNKNOWN_FILE", ...WRITE_FAILURES],
  },
];

export const ownSkillOperations: readonly Operation[] = [
  ...skillOperations,
  ...versionOperations,
  ...fileOperations,
];

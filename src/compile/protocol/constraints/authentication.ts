import type { Authentication } from "../../../ir.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";
import { reportForeignFields, type VariantFields } from "../reading/variants.ts";
import { isUrl, mayCarryKey, reportHeaderName } from "../upstream.ts";

const METHODS = ["none", "api_key", "bearer", "basic", "oauth2_client_credentials"] as const;

type Method = (typeof METHODS)[number];

const FIELDS = {
  none: [],
  api_key: ["env_variable", "header", "query"],
  bearer: ["env_variable"],
  basic: ["env_variable", "username"],
  oauth2_client_credentials: ["env_variable", "token_url", "client_id", "scopes", "audience", "secret_in"],
} as const satisfies VariantFields<Method>;

const SECRET_PLACES = ["header", "body"] as const;

/**
 * Reads one credential of a skill: how it travels, and the name of the secret that it is.
 * @returns "none" where the document says that there is none, null where it cannot be read
 */
export function readCredential(fields: FieldReader): Authentication | "none" | null {
  if (!fields.has("method")) report(fields.place, "missing-field", `${fields.nameOf("method")} is missing`);
  const method = fields.oneOf("method", METHODS);
  // Where the method is not known, neither is which fields belong to it.
  if (method === null) return null;
  const credential = method === "none" ? method : readMethod(method, fields);
  reportForeignFields(fields, FIELDS, method, "the method");
  fields.finish();
  return credential;
}

function readMethod(method: Exclude<Method, "none">, fields: FieldReader): Authentication | null {
  const variable = readSecretName(fields);
  switch (method) {
    case "api_key":
      return readApiKey(fields, variable ?? "");
    case "bearer":
      return { method, variable: variable ?? "" };
    case "basic":
      return { method, username: readUserName(fields), variable: variable ?? "" };
    case "oauth2_client_credentials":
      return readClientCredentials(fields, variable ?? "");
  }
}

/** A secret's name: that of an environment variable, so that it can be one. */
function readSecretName(fields: FieldReader): string | null {
  const variable = fields.requiredText("env_variable");
  if (variable === null || /^[A-Z][A-Z0-9_]{0,127}$/.test(variable)) return variable;
  const message = `a secret's name is in capitals, digits and _, not ${JSON.stringify(variable)}`;
  report(fields.at("env_variable") ?? fields.place, "secret-name-invalid", message);
  return null;
}

function readApiKey(fields: FieldReader, variable: string): Authentication | null {
  const header = fields.text("header");
  const query = fields.text("query");
  if (!fields.has("header") && !fields.has("query")) {
    const message = `${fields.name} says in which header or query parameter the key travels`;
    report(fields.place, "missing-field", message, "header: X-API-Key");
  }
  if (header !== null && query !== null) {
    const message = "the key travels in a header or in the query, not in both";
    report(fields.keyPlace("query"), "authentication-invalid", message, "remove query");
  }
  if (header !== null && !mayCarryKey(header)) {
    reportHeaderName(fields.at("header") ?? fields.place, header);
  }
  if (header !== null) return { method: "api_key", in: "header", name: header, variable };
  return query === null ? null : { method: "api_key", in: "query", name: query, variable };
}

/** The colon ends the name in what is sent (RFC 7617, section 2). */
function readUserName(fields: FieldReader): string | null {
  const username = fields.text("username");
  if (username === null || !username.includes(":")) return username;
  const message = `${fields.nameOf("username")} cannot hold a colon (RFC 7617)`;
  report(fields.at("username") ?? fields.place, "authentication-invalid", message);
  return null;
}

/** Characters of a scope (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function readClientCredentials(fields: FieldReader, variable: string): Authentication {
  const tokenUrl = fields.requiredText("token_url") ?? "";
  if (tokenUrl !== "") isUrl(fields, "token_url", tokenUrl);
  return {
    method: "oauth2_client_credentials",
    tokenUrl,
    clientId: fields.requiredText("client_id") ?? "",
    variable,
    scopes: readScopes(fields),
    audience: fields.text("audience"),
    // Every server knows the header (RFC 6749, section 2.3.1).
    secretIn: fields.oneOf("secret_in", SECRET_PLACES) ?? "header",
  };
}

/**
 * A list, or one text in which blanks part the scopes, as they travel. Their order means nothing (section 3.3), so all
 * documents that ask for the same have the same, and share its tokens.
 */
function readScopes(fields: FieldReader): string[] {
  const scopes = fields.texts("scopes").flatMap((text) => text.split(" ").filter((scope) => scope !== ""));
  const bad = scopes.find((scope) => !SCOPE.test(scope));
  if (bad === undefined) return [...new Set(scopes)].sort();
  const message = `${JSON.stringify(bad)} cannot be a scope: visible ASCII characters but " and \\ (RFC 6749)`;
  report(fields.at("scopes") ?? fields.place, "authentication-invalid", message);
  return [];
}

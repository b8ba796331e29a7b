import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Every way in which a secret goes to an upstream, by the name of what it makes: a skill, and its functions. */
const methods = {
  "header-key": "{method: api_key, header: X-Api-Key, env_variable: HEADER_KEY}",
  "query-key": "{method: api_key, query: api_key, env_variable: QUERY_KEY}",
  "bearer-token": "{method: bearer, env_variable: BEARER_TOKEN}",
  "basic-password": "{method: basic, username: harbour-master, env_variable: BASIC_PASSWORD}",
  "basic-pair": "{method: basic, env_variable: BASIC_PAIR}",
  "client-secret":
    "{method: oauth2_client_credentials, token_url: TOKEN_URL, client_id: harbour, env_variable: CLIENT_SECRET}",
  "client-secret-in-body":
    "{method: oauth2_client_credentials, token_url: TOKEN_URL, client_id: harbour, secret_in: body, env_variable: FORM_CLIENT_SECRET}",
};

export type MethodName = keyof typeof methods;

export const methodNames = Object.keys(methods) as MethodName[];

/** Writes a skill for each way into a folder; all call the same upstream, which breaks as it is told to. */
export async function writeEchoingSkills(folder: string, upstreamUrl: string): Promise<void> {
  for (const [name, authentication] of Object.entries(methods)) {
    const document = documentOf(
      name,
      authentication.replace("TOKEN_URL", JSON.stringify(`${upstreamUrl}/oauth2/token`)),
    );
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "SKILL.md"), document.replaceAll("UPSTREAM", upstreamUrl));
  }
}

function documentOf(name: string, authentication: string): string {
  return `---
name: ${name}
description: An upstream that says back what it was shown, which is the credential of one method.
---

\`\`\`yaml
upstream:
  base_url: UPSTREAM
  response:
    success: status == 200
    error: {code: body.code, message: body.message}

functions:
  - name: ask-${name}
    description: Asks for something, and has the upstream break in a way that is ordered.
    parameters: {type: object, properties: {fault: {type: string}}, required: [fault]}
    request: {method: GET, path: /asked, headers: {X-Sandbox-Fault: "\${fault}"}}
    response: {data: '{"body": body, "headers": headers}'}

  - name: gather-${name}
    description: Gathers pages whose addresses the upstream gives.
    request: {method: GET, path: /listed, headers: {X-Sandbox-Fault: "echo=link,status=200"}}
    response: {data: body.data}
    paginate: {kind: link, max_pages: 1}
    cache: {ttl: 1m, scope: shared}

constraints:
  authentication: ${authentication}
  error_handling: {codes: {"401": unauthenticated}, max_retries: 0}
\`\`\`
`;
}

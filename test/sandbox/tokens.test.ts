import { expect, test } from "vitest";
import { started } from "./started.ts";

const BASIC = { Authorization: `Basic ${btoa("client:secret")}` };

test.each([
  ["the secret in a header", BASIC, "grant_type=client_credentials"],
  ["the secret in the form", {}, "grant_type=client_credentials&client_id=client&client_secret=secret"],
])("whoever shows a client's secret gets a token: %s", async (_where, headers, body) => {
  const { ask } = await started();
  const reply = await ask("/oauth2/token", { method: "POST", headers, body });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    200,
    { access_token: "sandbox-token", token_type: "Bearer", expires_in: 3_600 },
  ]);
});

test.each([
  ["another grant", BASIC, "grant_type=password", 400, "unsupported_grant_type"],
  ["no secret", {}, "grant_type=client_credentials", 401, "invalid_client"],
])("nobody else does: %s", async (_what, headers, body, status, error) => {
  const { ask } = await started();
  const reply = await ask("/oauth2/token", { method: "POST", headers, body });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([status, { error }]);
});

import { describe, expect, test } from "vitest";
import { canonicalHost, hostOf } from "../../../src/access/secrets/hosts.ts";

describe("a host that a secret is bound to", () => {
  test.each([
    ["api.example.com", "api.example.com"],
    ["API.Example.COM", "api.example.com"],
    ["api.example.com:443", "api.example.com"],
    ["api.example.com:8443", "api.example.com:8443"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["例子.测试", "xn--fsqu00a.xn--0zwm56d"],
    ["127.0.0.1:9009", "127.0.0.1:9009"],
    ["[::1]:8080", "[::1]:8080"],
    ["localhost", "localhost"],
  ])("%s is %s, as a URL has it", (written, canonical) => {
    expect(canonicalHost(written)).toBe(canonical);
    expect(hostOf(`https://${written}/v1`)).toBe(canonical);
  });

  test.each([
    "",
    " ",
    "*",
    "*.example.com",
    "api.*.com",
    "api.example.com.",
    ".example.com",
    "https://api.example.com",
    "api.example.com/",
    "api.example.com/v1",
    "api.example.com?x",
    "api.example.com#x",
    "user@api.example.com",
    "api.example.com\\@evil.test",
    "api.example.com evil.test",
    "api.example.com,evil.test",
    "api.example.com\nevil.test",
    "api.example.com:99999",
    "api.example.com:",
    "api.example.com:x",
    "%61pi.example.com",
    "[::1",
    "__proto__ ",
  ])("is exactly one: %j is none", (written) => {
    expect(canonicalHost(written)).toBeNull();
  });
});

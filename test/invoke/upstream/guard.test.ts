import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEgress, type EgressPolicy, parseEgressPolicy } from "../../../src/invoke/upstream/guard.ts";

const OPEN: EgressPolicy = { allow: [], deny: [], allowLoopback: false };
const LOCAL: EgressPolicy = { allow: [], deny: [], allowLoopback: true };

function isAllowed(url: string, policy: EgressPolicy = OPEN): boolean {
  const result = checkEgress(url, policy);
  if (!result.ok) expect(result.failure.code).toBe("EGRESS_DENIED");
  return result.ok;
}

function reasonFor(url: string, policy: EgressPolicy = OPEN): string {
  const result = checkEgress(url, policy);
  return !result.ok && result.failure.code === "EGRESS_DENIED" ? result.failure.reason : "";
}

describe("public https addresses pass", () => {
  test.each([
    "https://api.example.com/v1?a=1",
    "https://api.example.com:443/",
    "https://API.Example.COM/",
    "https://example.com./",
    "https://例え.jp/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://[2001:4860:4860::8888]/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://not.local.example/",
    "https://100.63.255.255/",
    "https://172.32.0.1/",
  ])("%s", (url) => {
    expect(checkEgress(url, OPEN)).toEqual({ ok: true, value: new URL(url) });
  });
});

describe("addresses inside are refused however they are written", () => {
  test.each([
    ["short hexadecimal form", "https://0x7f.1/"],
    ["one decimal number", "https://2130706433/"],
    ["one hexadecimal number", "https://0x7f000001/"],
    ["octal", "https://0177.0.0.1/"],
    ["octal with many zeros", "https://0000000177.0.0.1/"],
    ["two parts", "https://127.1/"],
    ["final dot", "https://127.0.0.1./"],
    ["full-width digits", "https://１２７.0.0.1/"],
    ["ideographic full stops", "https://127。0。0。1/"],
    ["percent-encoded", "https://%31%32%37.0.0.1/"],
    ["IPv4-mapped IPv6", "https://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped IPv6 in groups", "https://[::ffff:7f00:1]/"],
    ["IPv4-compatible IPv6", "https://[::127.0.0.1]/"],
    ["IPv4-translated IPv6", "https://[::ffff:0:10.0.0.1]/"],
    ["6to4", "https://[2002:7f00:1::]/"],
    ["NAT64", "https://[64:ff9b::7f00:1]/"],
    ["local NAT64", "https://[64:ff9b:1::a00:1]/"],
    ["Teredo", "https://[2001::1]/"],
    ["loopback in IPv6", "https://[::1]/"],
    ["loopback written out", "https://[0:0:0:0:0:0:0:1]/"],
    ["unspecified IPv6", "https://[::]/"],
    ["unspecified IPv4", "https://0/"],
    ["private class A", "https://10.0.0.1/"],
    ["private class B", "https://172.31.255.255/"],
    ["private class C", "https://192.168.1.1/"],
    ["carrier-grade NAT", "https://100.64.0.1/"],
    ["cloud metadata", "https://169.254.169.254/latest/meta-data/"],
    ["metadata in CGNAT space", "https://100.100.100.200/"],
    ["metadata in protocol space", "https://192.0.0.192/"],
    ["metadata in IPv6", "https://[fd00:ec2::254]/"],
    ["platform service at a public address", "https://168.63.129.16/"],
    ["unique local", "https://[fc00::1]/"],
    ["link-local IPv6", "https://[fe80::1]/"],
    ["site-local IPv6", "https://[fec0::1]/"],
    ["multicast", "https://224.0.0.1/"],
    ["multicast IPv6", "https://[ff02::1]/"],
    ["broadcast", "https://255.255.255.255/"],
    ["documentation", "https://192.0.2.1/"],
    ["documentation IPv6", "https://[2001:db8::1]/"],
    ["newer documentation IPv6", "https://[3fff::1]/"],
    ["discard-only", "https://[100::1]/"],
    ["segment routing", "https://[5f00::1]/"],
  ])("%s", (_name, url) => {
    expect(isAllowed(url)).toBe(false);
  });

  test("every notation of an IPv4 address is judged like its dotted form", () => {
    const notations = [
      (n: number) => `${n}`,
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
      (n: number) => `${n >>> 24}.${n & 0xffffff}`,
      (n: number) => `0x${(n >>> 24).toString(16)}.${(n >>> 16) & 255}.${n & 0xffff}`,
    ];
    const special = specialIpv4();
    fc.assert(
      fc.property(fc.oneof(anyIpv4, insideIpv4), fc.constantFrom(...notations), (address, notation) => {
        expect(isAllowed(`https://${notation(address)}/`)).toBe(!special.check(dotted(address)));
      }),
      { numRuns: 2_000 },
    );
  });

  test("no IPv6 address that carries an inside IPv4 address passes", () => {
    const carriers = [
      (high: string, low: string) => `::ffff:${high}:${low}`,
      (high: string, low: string) => `::${high}:${low}`,
      (high: string, low: string) => `64:ff9b::${high}:${low}`,
      (high: string, low: string) => `2002:${high}:${low}::1`,
    ];
    fc.assert(
      fc.property(insideIpv4, fc.constantFrom(...carriers), (address, carrier) => {
        const url = `https://[${carrier((address >>> 16).toString(16), (address & 0xffff).toString(16))}]/`;
        expect(isAllowed(url)).toBe(false);
      }),
    );
  });
});

const BLOCKS: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

function specialIpv4(): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of BLOCKS) list.addSubnet(address, prefix);
  return list;
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

function numberOf(address: string): number {
  return address.split(".").reduce((bits, octet) => bits * 256 + Number(octet), 0);
}

const anyIpv4 = fc.integer({ min: 0, max: 0xffffffff });
const insideIpv4 = fc
  .constantFrom(...BLOCKS)
  .chain(([address, prefix]) =>
    fc.integer({ min: 0, max: 2 ** (32 - prefix) - 1 }).map((offset) => numberOf(address) + offset),
  );

describe("names that never leave a machine or a site are refused", () => {
  test.each([
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://%6cocalhost/",
    "https://app.localhost/",
    "https://app.localhost./",
    "https://printer.local/",
    "https://printer.local./",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://metadata.google.internal./",
    "https://router.home.arpa/",
    "https://metadata/",
    "https://redis./",
    "https://printer.local../",
    "https://a..b/",
  ])("%s", (url) => {
    expect(isAllowed(url)).toBe(false);
  });
});

describe("the URL itself", () => {
  test.each([
    ["http", "http://api.example.com/", "only https is allowed"],
    ["another scheme", "ftp://api.example.com/", "only https is allowed"],
    ["a file", "file:///etc/hosts", "only https is allowed"],
    ["data", "data:text/plain,x", "only https is allowed"],
    ["a user name", "https://user@api.example.com/", "a URL must not carry a user name or password"],
    ["a password", "https://:secret@api.example.com/", "a URL must not carry a user name or password"],
    [
      "a host disguised as a user",
      "https://api.example.com@10.0.0.1/",
      "a URL must not carry a user name or password",
    ],
    ["a port", "https://api.example.com:8443/", "port 8443 is not allowed"],
    ["the port of http", "https://api.example.com:80/", "port 80 is not allowed"],
    ["a relative URL", "/v1/x", "it is not an absolute URL"],
    ["an address that is none", "https://1.2.3.4.5/", "it is not an absolute URL"],
    ["no text", "", "it is not an absolute URL"],
  ])("%s is refused with its reason", (_name, url, reason) => {
    expect(reasonFor(url)).toBe(reason);
  });

  test("the failure names the host that was meant", () => {
    expect(checkEgress("https://0x7f.1:8443/x?y=z", OPEN)).toEqual({
      ok: false,
      failure: {
        code: "EGRESS_DENIED",
        host: "127.0.0.1:8443",
        reason: "it is this machine itself (loopback)",
      },
    });
  });

  test("any text gives a value, never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.string({ unit: "binary" })), (url) => {
        expect(typeof checkEgress(url, OPEN).ok).toBe("boolean");
      }),
    );
  });
});

describe("local runs", () => {
  test.each([
    "http://127.0.0.1:8787/x",
    "http://127.9.9.9/",
    "http://localhost:3000/",
    "http://app.localhost:3000/",
    "http://[::1]:3000/",
    "https://localhost/",
  ])("loopback is open to %s", (url) => {
    expect(isAllowed(url, LOCAL)).toBe(true);
  });

  test.each([
    "http://api.example.com/",
    "https://10.0.0.1/",
    "http://169.254.169.254/",
    "http://0.0.0.0:3000/",
    "http://[::ffff:127.0.0.1]:3000/",
    "ftp://localhost/",
    "http://user@localhost/",
    "http://localhost.example.com/",
  ])("nothing else opens with it: %s", (url) => {
    expect(isAllowed(url, LOCAL)).toBe(false);
  });
});

describe("the operator's variables", () => {
  test.each<[string, string | undefined, string | undefined, EgressPolicy]>([
    ["nothing set", undefined, undefined, OPEN],
    ["empty entries", " , ,", "", OPEN],
    ["the keyword", "loopback", "", LOCAL],
    ["the keyword denied", "loopback", "loopback", OPEN],
    [
      "hosts in their canonical form",
      "API.Example.com , *.例え.jp,api.example.com:8443,b.example:443,c.example.,0x8.8.8.8",
      undefined,
      {
        allow: [
          "api.example.com",
          "*.xn--r8jz45g.jp",
          "api.example.com:8443",
          "b.example",
          "c.example",
          "8.8.8.8",
        ],
        deny: [],
        allowLoopback: false,
      },
    ],
    ["an unreadable denial denies everything", "", "https://bad.example/", { ...OPEN, deny: ["*"] }],
    ["a wildcard in the middle is unreadable", "", "a.*.example", { ...OPEN, deny: ["*"] }],
  ])("%s", (_name, allow, deny, policy) => {
    expect(parseEgressPolicy(allow, deny)).toEqual(policy);
  });

  test.each<[string, string, string, string, boolean]>([
    ["a listed host", "api.example.com", "", "https://api.example.com/", true],
    ["an unlisted host", "api.example.com", "", "https://other.example.com/", false],
    ["a host that ends alike", "example.com", "", "https://evilexample.com/", false],
    ["a subdomain of a plain host", "example.com", "", "https://api.example.com/", false],
    ["a subdomain of a wildcard", "*.example.com", "", "https://a.b.example.com/", true],
    ["the bare domain of a wildcard", "*.example.com", "", "https://example.com/", false],
    ["a host that ends like a wildcard", "*.example.com", "", "https://evilexample.com/", false],
    ["a final dot", "api.example.com", "", "https://api.example.com./", true],
    ["a listed port", "api.example.com:8443", "", "https://api.example.com:8443/", true],
    [
      "the default port where another is listed",
      "api.example.com:8443",
      "",
      "https://api.example.com/",
      false,
    ],
    ["another port than the listed one", "api.example.com:8443", "", "https://api.example.com:9000/", false],
    ["every host besides a port", "*,api.example.com:8443", "", "https://api.example.com:8443/", true],
    ["every host by a star", "*,api.example.com:8443", "", "https://other.example/", true],
    ["a star opens no ports", "*", "", "https://other.example:8443/", false],
    ["a listed private address stays closed", "10.0.0.1", "", "https://10.0.0.1/", false],
    ["a listed local name stays closed", "db.internal", "", "https://db.internal/", false],
    ["a listed host over http", "api.example.com", "", "http://api.example.com/", false],
    ["hosts with loopback: the host", "loopback,api.example.com", "", "https://api.example.com/", true],
    ["hosts with loopback: loopback", "loopback,api.example.com", "", "http://127.0.0.1:1234/", true],
    ["hosts with loopback: others", "loopback,api.example.com", "", "https://other.example/", false],
    ["an unreadable list stays closed", "https://api.example.com", "", "https://api.example.com/", false],
    ["a denied host", "", "bad.example", "https://bad.example/", false],
    ["a denied host with a final dot", "", "bad.example", "https://bad.example./", false],
    ["a host beside a denied one", "", "bad.example", "https://good.example/", true],
    ["denial beats permission", "api.example.com", "api.example.com", "https://api.example.com/", false],
    [
      "denial by wildcard beats permission",
      "api.example.com",
      "*.example.com",
      "https://api.example.com/",
      false,
    ],
    [
      "denial without port covers ports",
      "api.example.com:8443",
      "api.example.com",
      "https://api.example.com:8443/",
      false,
    ],
    [
      "denial of one port",
      "*,api.example.com:8443",
      "api.example.com:8443",
      "https://api.example.com:8443/",
      false,
    ],
    ["denial of one port leaves the other", "", "api.example.com:8443", "https://api.example.com/", true],
    ["denial beats loopback", "loopback", "127.0.0.1", "http://127.0.0.1:8787/", false],
    ["denial of an address in another notation", "loopback", "0x7f.1", "http://127.0.0.1:8787/", false],
    ["a listed IPv6 address", "[2606:4700::1]:8443", "", "https://[2606:4700:0::1]:8443/", true],
  ])("%s", (_name, allow, deny, url, allowed) => {
    expect(isAllowed(url, parseEgressPolicy(allow, deny))).toBe(allowed);
  });

  test("ports of bundled skills are open until the operator names hosts", () => {
    const bundled = ["api.example.com:8443"];
    expect(isAllowed("https://api.example.com:8443/", parseEgressPolicy("", "", bundled))).toBe(true);
    expect(isAllowed("https://other.example/", parseEgressPolicy("", "", bundled))).toBe(true);
    expect(isAllowed("https://other.example:8443/", parseEgressPolicy("", "", bundled))).toBe(false);
    expect(isAllowed("https://api.example.com:8443/", parseEgressPolicy("other.example", "", bundled))).toBe(
      false,
    );
    expect(
      isAllowed("https://api.example.com:8443/", parseEgressPolicy("", "api.example.com", bundled)),
    ).toBe(false);
  });
});

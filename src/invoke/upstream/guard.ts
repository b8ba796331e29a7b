/**
 * Where requests may go. Decided on the URL as the WHATWG parser reads it, which is how `fetch` reads it too:
 * every notation of an IPv4 address (hexadecimal, octal, short, full-width digits) is one by then. What a
 * name resolves to is not known here; names that point inward are for the platform's network to refuse.
 */
import { failed, type Result, success } from "../../errors.ts";

/**
 * The operator's choice of hosts. A pattern is `*`, a host, or `*.` and a host (its subdomains), each with an
 * optional `:port`.
 */
export interface EgressPolicy {
  /**
   * Where this holds any pattern, only hosts that match one are allowed. A pattern without port means the
   * default port.
   */
  allow: readonly string[];
  /** Stronger than everything else. A pattern without port means every port. */
  deny: readonly string[];
  /** Permits http, and any port, to loopback addresses and `localhost`; for local runs. */
  allowLoopback: boolean;
}

const EVERY_HOST = "*";
const LOOPBACK = "loopback";

/**
 * Reads the variables EGRESS_ALLOW and EGRESS_DENY: patterns separated by commas, and the keyword `loopback`.
 * An entry that is no pattern closes rather than opens: in EGRESS_ALLOW it matches nothing, in EGRESS_DENY it
 * denies every host. `bundledHosts` are the `host:port` that bundled skills use; they are allowed besides the
 * default ports as long as EGRESS_ALLOW names no hosts.
 */
export function parseEgressPolicy(
  allowText: string | undefined,
  denyText: string | undefined,
  bundledHosts: readonly string[] = [],
): EgressPolicy {
  const allowed = entries(allowText);
  const denied = entries(denyText);
  const hosts = allowed.filter((entry) => entry !== LOOPBACK);
  const bundled = bundledHosts.length === 0 ? [] : [EVERY_HOST, ...bundledHosts];
  return {
    allow: (hosts.length === 0 ? bundled : hosts).map((entry) => canonicalPattern(entry) ?? entry),
    deny: denied.filter((entry) => entry !== LOOPBACK).map((entry) => canonicalPattern(entry) ?? EVERY_HOST),
    allowLoopback: allowed.includes(LOOPBACK) && !denied.includes(LOOPBACK),
  };
}

/** The URL as it will be requested, or EGRESS_DENIED with the reason. */
export function checkEgress(url: string, policy: EgressPolicy): Result<URL> {
  const parsed = URL.parse(url);
  if (parsed === null) {
    return failed({ code: "EGRESS_DENIED", host: "an unreadable URL", reason: "it is not an absolute URL" });
  }
  const reason = knownRefusal(parsed, policy);
  if (reason === null) return success(parsed);
  return failed({ code: "EGRESS_DENIED", host: nameOfHost(parsed), reason });
}

/** What a URL leads to, for a sentence: its host, or what kind of URL it is where that has none, as `file:`. */
export function nameOfHost({ host, protocol }: URL): string {
  return host === "" ? `a URL of the scheme ${protocol.slice(0, -1)}` : host;
}

/** What a policy says of origins, for which it always says the same; a gateway calls few of them, and often. */
const refusals = new WeakMap<EgressPolicy, Map<string, string | null>>();
const MAX_KNOWN_ORIGINS = 1_000;

function knownRefusal(url: URL, policy: EgressPolicy): string | null {
  // The origin does not have the user's name, and what is not HTTP may have none.
  const { origin } = url;
  if (origin === "null" || url.username !== "" || url.password !== "") return refusal(url, policy);
  const known = refusals.get(policy) ?? new Map<string, string | null>();
  refusals.set(policy, known);
  let reason = known.get(origin);
  if (reason === undefined) {
    reason = refusal(url, policy);
    if (known.size >= MAX_KNOWN_ORIGINS) known.clear();
    known.set(origin, reason);
  }
  return reason;
}

function refusal(url: URL, policy: EgressPolicy): string | null {
  const host = withoutFinalDot(url.hostname);
  const denied = policy.deny.find((pattern) => denies(pattern, host, url.port));
  if (denied !== undefined) return `the operator's EGRESS_DENY holds ${denied}`;
  if (url.username !== "" || url.password !== "") return "a URL must not carry a user name or password";
  if (isLoopback(host)) return loopbackRefusal(url, policy);
  if (url.protocol !== "https:") return "only https is allowed";
  return addressRefusal(host) ?? allowRefusal(host, url.port, policy);
}

function loopbackRefusal(url: URL, policy: EgressPolicy): string | null {
  if (!policy.allowLoopback) return "it is this machine itself (loopback)";
  return url.protocol === "https:" || url.protocol === "http:" ? null : "only http and https are allowed";
}

function addressRefusal(host: string): string | null {
  if (host.startsWith("[")) return ipv6Refusal(host);
  return IPV4.test(host) ? ipv4Refusal(host) : nameRefusal(host);
}

function allowRefusal(host: string, port: string, { allow }: EgressPolicy): string | null {
  if (allow.length === 0) return port === "" ? null : `port ${port} is not allowed`;
  const named = allow.filter((pattern) => namesHost(splitPort(pattern).name, host));
  if (named.length === 0) return "the operator's EGRESS_ALLOW does not name it";
  return named.some((pattern) => splitPort(pattern).port === port)
    ? null
    : `the operator's EGRESS_ALLOW does not name its port ${port === "" ? "443" : port}`;
}

function denies(pattern: string, host: string, port: string): boolean {
  const denied = splitPort(pattern);
  return namesHost(denied.name, host) && (denied.port === "" || denied.port === port);
}

function namesHost(name: string, host: string): boolean {
  if (name === EVERY_HOST) return true;
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}

/** `port` is empty where the pattern has none. */
function splitPort(pattern: string): { name: string; port: string } {
  const port = /:(\d+)$/.exec(pattern)?.[1] ?? "";
  return { name: port === "" ? pattern : pattern.slice(0, -port.length - 1), port };
}

function entries(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** The pattern with its host as the URL parser writes it, or null where it is none. */
function canonicalPattern(entry: string): string | null {
  if (entry === EVERY_HOST) return entry;
  const wildcard = entry.startsWith("*.") ? "*." : "";
  const authority = entry.slice(wildcard.length);
  const url = /[\s/?#@\\*]/.test(authority) ? null : URL.parse(`https://${authority}`);
  if (url === null) return null;
  return `${wildcard}${withoutFinalDot(url.hostname)}${url.port === "" ? "" : `:${url.port}`}`;
}

function withoutFinalDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/** Names that never leave a machine or a site: RFC 6761, RFC 6762, ICANN's private-use domain, RFC 8375. */
const LOCAL_DOMAINS = ["localhost", "local", "internal", "home.arpa"];

function nameRefusal(host: string): string | null {
  const labels = host.split(".");
  if (labels.includes("")) return "it is not a host name";
  if (labels.length === 1) return "a name without a dot is a local one";
  const domain = LOCAL_DOMAINS.find((local) => host === local || host.endsWith(`.${local}`));
  return domain === undefined ? null : `names under .${domain} are local ones`;
}

function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return true;
  return IPV4.test(host) && isWithin(ipv4Number(host), LOOPBACK_IPV4);
}

/**
 * A range of addresses by its first 32 bits, which is all of an IPv4 address and the routed part of the IPv6
 * ranges below.
 */
interface Block {
  first: number;
  prefixLength: number;
  what: string;
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const LOOPBACK_IPV4 = ipv4Block("127.0.0.0/8", "this machine itself");

/**
 * The IANA IPv4 Special-Purpose Address Registry, multicast, and the one public address that a cloud uses for
 * its metadata.
 */
const RESERVED_IPV4: readonly Block[] = [
  ipv4Block("0.0.0.0/8", "this network"),
  ipv4Block("10.0.0.0/8", "private"),
  ipv4Block("100.64.0.0/10", "shared by carriers (CGNAT)"),
  ipv4Block("168.63.129.16/32", "the platform service of Azure"),
  ipv4Block("169.254.0.0/16", "link-local, which includes cloud metadata"),
  ipv4Block("172.16.0.0/12", "private"),
  ipv4Block("192.0.0.0/24", "for protocol assignments"),
  ipv4Block("192.0.2.0/24", "for documentation"),
  ipv4Block("192.88.99.0/24", "for 6to4 relays"),
  ipv4Block("192.168.0.0/16", "private"),
  ipv4Block("198.18.0.0/15", "for benchmarks"),
  ipv4Block("198.51.100.0/24", "for documentation"),
  ipv4Block("203.0.113.0/24", "for documentation"),
  ipv4Block("224.0.0.0/4", "multicast"),
  ipv4Block("240.0.0.0/4", "reserved"),
];

/**
 * Only global unicast is public, so everything else is refused without a list: unspecified, IPv4-mapped and
 * NAT64 (::/8), unique local (fc00::/7), link-local (fe80::/10), multicast (ff00::/8) and all that is
 * unassigned.
 */
const GLOBAL_UNICAST_IPV6 = ipv6Block("2000::/3", "global unicast");

/** What the IANA IPv6 Special-Purpose Address Registry takes out of global unicast. */
const RESERVED_IPV6: readonly Block[] = [
  ipv6Block("2001::/23", "for protocol assignments, which includes Teredo"),
  ipv6Block("2001:db8::/32", "for documentation"),
  ipv6Block("2002::/16", "a 6to4 form of an IPv4 address"),
  ipv6Block("3fff::/20", "for documentation"),
];

function ipv4Refusal(host: string): string | null {
  return reservedRefusal(ipv4Number(host), RESERVED_IPV4);
}

function ipv6Refusal(host: string): string | null {
  const bits = ipv6FirstBits(host.slice(1, -1));
  return isWithin(bits, GLOBAL_UNICAST_IPV6)
    ? reservedRefusal(bits, RESERVED_IPV6)
    : "it is not a public IPv6 address";
}

function reservedRefusal(bits: number, reserved: readonly Block[]): string | null {
  const block = reserved.find((candidate) => isWithin(bits, candidate));
  return block === undefined ? null : `the address is ${block.what}`;
}

function isWithin(bits: number, { first, prefixLength }: Block): boolean {
  const size = 2 ** (32 - prefixLength);
  return Math.floor(bits / size) === Math.floor(first / size);
}

function ipv4Block(cidr: string, what: string): Block {
  const [address = "", prefixLength] = cidr.split("/");
  return { first: ipv4Number(address), prefixLength: Number(prefixLength), what };
}

function ipv6Block(cidr: string, what: string): Block {
  const [address = "", prefixLength] = cidr.split("/");
  return { first: ipv6FirstBits(address), prefixLength: Number(prefixLength), what };
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((bits, octet) => bits * 256 + Number(octet), 0);
}

/** The first two groups of an address as the URL parser writes it; a group that `::` swallowed is zero. */
function ipv6FirstBits(address: string): number {
  const [head = ""] = address.split("::");
  const [first = "", second = ""] = head.split(":");
  return hexadecimal(first) * 0x10000 + hexadecimal(second);
}

function hexadecimal(group: string): number {
  return group === "" ? 0 : Number.parseInt(group, 16);
}

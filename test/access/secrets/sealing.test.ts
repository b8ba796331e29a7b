import { describe, expect, test } from "vitest";
import { toBase64, toBase64Url } from "../../../src/access/bytes.ts";
import { type SealBinding, Sealer } from "../../../src/access/secrets/sealing.ts";

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const [OLD, NEW] = [toBase64(randomBytes(32)), toBase64Url(randomBytes(32))];
const BINDING: SealBinding = { tenant: "acme", name: "API_KEY", hosts: ["api.test", "id.test"] };
const VALUE = "s3cret 密钥 🔑";

function sealer(...keys: string[]): Sealer {
  const made = Sealer.from(keys, randomBytes);
  if (made === null) throw new Error("no sealer");
  return made;
}

describe("a sealed secret", () => {
  test("is opened by who sealed it, and another text each time", async () => {
    const one = await sealer(OLD).seal(VALUE, BINDING);
    const two = await sealer(OLD).seal(VALUE, BINDING);
    expect(await sealer(OLD).open(one, BINDING)).toEqual({ value: VALUE });
    expect(two.iv).not.toBe(one.iv);
    expect(two.data).not.toBe(one.data);
    expect(JSON.stringify(one)).not.toContain("s3cret");
  });

  test.each<[string, SealBinding]>([
    ["tenant", { ...BINDING, tenant: "other" }],
    ["name", { ...BINDING, name: "OTHER_KEY" }],
    ["hosts", { ...BINDING, hosts: ["api.test", "evil.test"] }],
    ["number of hosts", { ...BINDING, hosts: ["api.test"] }],
    ["order of hosts", { ...BINDING, hosts: ["id.test", "api.test"] }],
    ["place where one part ends", { ...BINDING, tenant: "acmeAPI", name: "_KEY" }],
  ])("is not opened for another %s", async (_what, binding) => {
    const sealed = await sealer(OLD).seal(VALUE, BINDING);
    expect(await sealer(OLD).open(sealed, binding)).toEqual({
      value: null,
      reason: "what is stored of it was changed",
    });
  });

  test("is not opened once any of it was changed", async () => {
    const sealed = await sealer(OLD).seal(VALUE, BINDING);
    const changed = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    for (const other of [
      { ...sealed, iv: changed(sealed.iv) },
      { ...sealed, data: changed(sealed.data) },
      { ...sealed, data: "" },
      { ...sealed, data: "not Base64!" },
    ])
      expect((await sealer(OLD).open(other, BINDING)).value).toBeNull();
  });

  test("is opened by either of two keys, and new ones are sealed under the first", async () => {
    const old = await sealer(OLD).seal(VALUE, BINDING);
    const both = sealer(NEW, OLD);
    const fresh = await both.seal(VALUE, BINDING);
    for (const sealed of [old, fresh]) expect(await both.open(sealed, BINDING)).toEqual({ value: VALUE });
    expect([await both.isCurrent(old), await both.isCurrent(fresh)]).toEqual([false, true]);
    expect(await sealer(NEW).open(fresh, BINDING)).toEqual({ value: VALUE });
    expect(await sealer(NEW).open(old, BINDING)).toEqual({
      value: null,
      reason: "it was encrypted under a key that is no longer set",
    });
  });
});

describe("a key to seal under", () => {
  test.each([
    [[]],
    [[""]],
    [["short"]],
    [[toBase64(new Uint8Array(31))]],
    [[toBase64(new Uint8Array(33))]],
    [["x".repeat(32)]],
    [[OLD, "short"]],
    [["{not Base64, but just as long as it would be}"]],
  ])("is 32 bytes in Base64: %j is none", (keys) => {
    expect(Sealer.from(keys, randomBytes)).toBeNull();
  });
});

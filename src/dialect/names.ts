/**
 * Names that a provider accepts, made from names that it may not. A name depends on the original alone (and,
 * for property keys, on the set of keys around it, never on their order), so it survives reordering and
 * rebuilds.
 */

/** A provider's rule for names, and how a name that breaks it is changed. */
export interface NameRule {
  /** A name that matches may stay as it is. */
  pattern: RegExp;
  /** The longest name that `pattern` accepts, in characters. */
  maxLength: number;
  /**
   * Names that take one more leading underscore. It has to match the results too (`2fa` and `_2fa` both do),
   * or two names could meet. Null where the provider has no rule about the first character.
   */
  underscored: RegExp | null;
  /** The word in front of a name of which no usable start is left, as with names in Chinese. */
  fallback: string;
}

const FINGERPRINT_DIGITS = 10;

/**
 * The name under which the provider sees `name`. Different names get different results, unless fingerprints
 * meet.
 */
export function safeName(name: string, rule: NameRule): string {
  if (rule.underscored?.test(name)) {
    return name.length < rule.maxLength ? `_${name}` : fingerprintedName(name, name, rule);
  }
  return rule.pattern.test(name) ? name : fingerprintedName(name, name, rule);
}

/** Aliases for those of `keys` that break the rule; distinct from one another and from every key. */
export function aliasesFor(keys: ReadonlySet<string>, rule: NameRule | null): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  if (rule === null) return aliases;
  const taken = new Set(keys);
  // Sorted, so that which of two colliding keys gives way does not depend on where they stand.
  for (const key of [...keys].sort()) {
    if (rule.pattern.test(key)) continue;
    let alias = fingerprintedName(key, key, rule);
    for (let attempt = 1; taken.has(alias); attempt += 1) {
      alias = fingerprintedName(key, `${attempt}/${key}`, rule);
    }
    taken.add(alias);
    aliases.set(key, alias);
  }
  return aliases;
}

/** What is readable of `name`, then a fingerprint of `identity`. */
function fingerprintedName(name: string, identity: string, rule: NameRule): string {
  const room = rule.maxLength - FINGERPRINT_DIGITS - rule.fallback.length - 2;
  const readable = name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, room);
  const parts = /^[A-Za-z]/.test(readable) ? [readable] : [rule.fallback, readable];
  return [...parts, fingerprint(identity)].filter((part) => part !== "").join("_");
}

/**
 * 40 bits of FNV-1a over the UTF-16 code units. Encoding is synchronous, so WebCrypto's digests are out of
 * reach; nothing here needs to withstand an attacker, since a collision of keys is resolved above.
 */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit & 0xff)) * 0x100000001b3n);
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit >> 8)) * 0x100000001b3n);
  }
  // The last characters have reached only some of the bits yet; a multiplication between two folds spreads
  // them.
  const mixed = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  return BigInt.asUintN(4 * FINGERPRINT_DIGITS, mixed ^ (mixed >> 33n))
    .toString(16)
    .padStart(FINGERPRINT_DIGITS, "0");
}

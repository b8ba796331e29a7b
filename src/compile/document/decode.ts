import { type Diagnostic, DiagnosticList } from "../diagnostic.ts";
import { byteLength, SourceText } from "./source.ts";

/**
 * The text of a skill document's bytes, which is UTF-8, or the reason why there is none: where the first byte
 * stands that is not UTF-8, what the file is in instead (as far as that can be told), and how to convert it.
 * A byte order mark is left out.
 * @param file the path that the diagnostic shows
 */
export function decodeDocument(bytes: Uint8Array, file: string): string | Diagnostic {
  const wide = wideEncodingOf(bytes);
  if (wide !== null) return notUtf8(new SourceText(file, ""), 0, `the file is ${wide}, not UTF-8`, wide);
  const text = decoded("utf-8", bytes);
  return text ?? faultOf(bytes, file);
}

/** The text, or null where the bytes are none in this encoding. */
function decoded(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/**
 * The encodings of more than a byte each that a file's beginning tells: by its byte order mark, or by the zero
 * bytes of its first character, which is an ASCII one (YAML 1.2.2, section 5.2). UTF-32 comes first, for its
 * marks begin as those of UTF-16 do.
 */
const BEGINNINGS: readonly (readonly [string, readonly (number | null)[]])[] = [
  ["UTF-32BE", [0x00, 0x00, 0xfe, 0xff]],
  ["UTF-32BE", [0x00, 0x00, 0x00, null]],
  ["UTF-32LE", [0xff, 0xfe, 0x00, 0x00]],
  ["UTF-32LE", [null, 0x00, 0x00, 0x00]],
  ["UTF-16BE", [0xfe, 0xff]],
  ["UTF-16BE", [0x00, null]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16LE", [null, 0x00]],
];

function wideEncodingOf(bytes: Uint8Array): string | null {
  const found = BEGINNINGS.find(
    ([, beginning]) =>
      bytes.length >= beginning.length &&
      beginning.every((byte, index) => byte === null || byte === bytes[index]),
  );
  return found?.[0] ?? null;
}

function faultOf(bytes: Uint8Array, file: string): Diagnostic {
  const lossy = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const offset = new SourceText(file, lossy.slice(0, firstFault(bytes, lossy))).text.length;
  const source = new SourceText(file, lossy);
  if (isMostlyUtf8(lossy))
    return notUtf8(
      source,
      offset,
      "a character is cut off or damaged here; the file is UTF-8 otherwise",
      null,
    );
  const encoding = narrowEncodingOf(bytes);
  const guess = encoding === null ? "" : `; it seems to be ${encoding}`;
  return notUtf8(source, offset, `the file is not UTF-8${guess}`, encoding);
}

function notUtf8(source: SourceText, offset: number, message: string, encoding: string | null): Diagnostic {
  const diagnostics = new DiagnosticList(source);
  const fix =
    encoding === null
      ? "write what is damaged again and save the file as UTF-8"
      : `save the file as UTF-8, or convert it: iconv -f ${encoding} -t UTF-8 SKILL.md > converted.md`;
  diagnostics.add("not-utf-8", { start: offset, end: offset + 1 }, message, fix);
  const [diagnostic] = diagnostics.sorted();
  if (diagnostic === undefined) throw new Error("A diagnostic that was added is not there.");
  return diagnostic;
}

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];

/** Where in the text the first replacement character stands that no bytes in the file spell. */
function firstFault(bytes: Uint8Array, lossy: string): number {
  let from = 0;
  let byteOffset = 0;
  for (;;) {
    const at = lossy.indexOf(REPLACEMENT, from);
    if (at === -1) return lossy.length;
    byteOffset += byteLength(lossy.slice(from, at));
    if (!REPLACEMENT_BYTES.every((byte, index) => bytes[byteOffset + index] === byte)) return at;
    byteOffset += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
}

/** Whether more characters beyond ASCII are right than are wrong. */
function isMostlyUtf8(lossy: string): boolean {
  const wrong = lossy.split(REPLACEMENT).length - 1;
  const right = lossy.match(/[^\p{ASCII}\uFFFD]/gu)?.length ?? 0;
  return right > wrong;
}

/** Encodings of Chinese, Japanese and Korean, the most frequent one first, for some texts meet the rules of several. */
const PAIRED_ENCODINGS = ["GB18030", "Shift_JIS", "EUC-KR", "Big5"];

/**
 * What a file of single bytes and pairs is in, as far as its bytes tell. The scripts of East Asia are written in
 * pairs of high bytes, those of the West mostly in single ones among ASCII letters.
 */
function narrowEncodingOf(bytes: Uint8Array): string | null {
  if (!isMadeOfPairs(bytes)) return "windows-1252";
  return PAIRED_ENCODINGS.find((encoding) => decoded(encoding, bytes) !== null) ?? null;
}

/** Whether most high bytes have another one before or after them. */
function isMadeOfPairs(bytes: Uint8Array): boolean {
  let paired = 0;
  let alone = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    if ((bytes[index - 1] ?? 0) >= 0x80 || (bytes[index + 1] ?? 0) >= 0x80) paired++;
    else alone++;
  }
  return paired > alone;
}

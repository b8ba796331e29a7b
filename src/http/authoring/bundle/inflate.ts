import type { ZipEntry } from "./zip.ts";

/** The bytes of an entry, or what is wrong with them, as a sentence goes on after the entry's name. */
export type Inflated = { bytes: Uint8Array } | { fault: string };

/** Inflates an entry. No more is ever held than the entry says that it becomes. */
export async function inflateEntry({ data, isDeflated, size, crc32 }: ZipEntry): Promise<Inflated> {
  const bytes = isDeflated ? await inflate(data, size) : data;
  if (bytes === null) return { fault: "is broken, or becomes larger than it says" };
  if (bytes.byteLength !== size || crc32Of(bytes) !== crc32) return { fault: "is not what it says" };
  return { bytes };
}

/** What deflated data become (RFC 1951); null where they are broken or become more than `size` bytes. */
async function inflate(data: Uint8Array, size: number): Promise<Uint8Array | null> {
  const packed = new Blob([new Uint8Array(data)]).stream();
  const reader = packed.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const bytes = new Uint8Array(size);
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, at);
      if (at + value.byteLength > size) {
        await reader.cancel();
        return null;
      }
      bytes.set(value, at);
      at += value.byteLength;
    }
  } catch (error) {
    // What the platform throws at data that are not deflated.
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb8_8320;
  return value;
});

/** The checksum of ZIP archives (APPNOTE.TXT, section 4.4.7). */
function crc32Of(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffff_ffff) >>> 0;
}

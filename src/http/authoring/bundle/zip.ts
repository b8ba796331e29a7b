/**
 * The directory of a ZIP archive, after PKWARE's APPNOTE.TXT 6.3.10. What one reader sees and another does not (names
 * that differ, entries that lie over each other, two of one name) is refused, as is what no skill needs: encryption,
 * links, several disks, ZIP64, methods other than "stored" and "deflated".
 */

/** A file of an archive: its name, where its data are, and what they become. */
export interface ZipEntry {
  name: string;
  isFolder: boolean;
  isDeflated: boolean;
  data: Uint8Array;
  /** Bytes of the file. */
  size: number;
  crc32: number;
}

/** An archive's entries, or what is wrong with it, as a sentence goes on after "The archive". */
export type ZipDirectory = { entries: ZipEntry[] } | { fault: string };

const END_SIGNATURE = 0x0605_4b50;
const CENTRAL_SIGNATURE = 0x0201_4b50;
const LOCAL_SIGNATURE = 0x0403_4b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;

/** The bits of flags that say: encrypted, patched, strongly encrypted, headers hidden. */
const FORBIDDEN_FLAGS = 0b10_0000_0110_0001;

const STORED = 0;
const DEFLATED = 8;

/** The kinds of files in a mode of Unix, which systems write into the upper half of an entry's attributes. */
const FILE_KINDS = 0xf000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;

/** Reads an archive's directory; no data are inflated yet. */
export function readZip(bytes: Uint8Array, maxEntries: number): ZipDirectory {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === null) return { fault: "is no ZIP archive, or is cut off" };
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count)
    return { fault: "has several disks" };
  if (count === 0xffff || size === 0xffff_ffff || start === 0xffff_ffff) return { fault: "is a ZIP64 one" };
  if (count > maxEntries) return { fault: `has more than ${maxEntries} entries` };
  if (start + size !== end) return { fault: "has a directory that is not where it says" };
  return readEntries(bytes, view, { count, start, end });
}

/** Where the end record stands: the last one whose comment reaches to the end of the archive. */
function endOf(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    const isEnd =
      view.getUint32(at, true) === END_SIGNATURE &&
      at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength;
    if (isEnd) return at;
  }
  return null;
}

interface Directory {
  count: number;
  start: number;
  end: number;
}

function readEntries(bytes: Uint8Array, view: DataView, { count, start, end }: Directory): ZipDirectory {
  const entries: ZipEntry[] = [];
  const spans: { from: number; to: number }[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE)
      return { fault: "has a broken directory" };
    const header = centralHeader(view, at);
    const name = bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + header.nameBytes);
    const next = at + CENTRAL_BYTES + header.nameBytes + header.otherBytes;
    if (next > end) return { fault: "has a broken directory" };
    const text = nameOf(name);
    if (text === null) return { fault: "has a name that is not UTF-8" };
    const fault = faultOf(header, text);
    if (fault !== null) return { fault: `has an entry that ${fault}: ${JSON.stringify(text)}` };
    const from = dataOf(bytes, view, header, name, start);
    if (from === null) return { fault: `has data that are not where it says: ${JSON.stringify(text)}` };
    spans.push({ from: header.local, to: from + header.packed });
    entries.push(entryOf(header, text, bytes.subarray(from, from + header.packed)));
    at = next;
  }
  if (at !== end) return { fault: "has a broken directory" };
  spans.sort((left, right) => left.from - right.from);
  const isOver = spans.some(({ from }, index) => from < (spans[index - 1]?.to ?? 0));
  return isOver ? { fault: "has entries that lie over each other" } : { entries };
}

type CentralHeader = ReturnType<typeof centralHeader>;

/** Section 4.3.12. */
function centralHeader(view: DataView, at: number) {
  return {
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    nameBytes: view.getUint16(at + 28, true),
    otherBytes: view.getUint16(at + 30, true) + view.getUint16(at + 32, true),
    disk: view.getUint16(at + 34, true),
    kind: (view.getUint32(at + 38, true) >>> 16) & FILE_KINDS,
    local: view.getUint32(at + 42, true),
  };
}

/** What is wrong with an entry, as a sentence goes on after "that". */
function faultOf({ flags, method, kind, size, packed, disk }: CentralHeader, name: string): string | null {
  if ((flags & FORBIDDEN_FLAGS) !== 0) return "is encrypted or a patch";
  if (method !== STORED && method !== DEFLATED) return "is packed by another method than deflate";
  if (method === STORED && size !== packed) return "contradicts itself";
  if (disk !== 0) return "is on another disk";
  const isFile = kind === 0 || kind === REGULAR || (kind === FOLDER && name.endsWith("/"));
  return isFile ? null : "is a link or a device";
}

function entryOf({ method, size, crc32 }: CentralHeader, name: string, data: Uint8Array): ZipEntry {
  return { name, isFolder: name.endsWith("/"), isDeflated: method === DEFLATED, data, size, crc32 };
}

/**
 * Where an entry's data begin (section 4.3.7); null where its own header is not there, says another name or another
 * method, or where the data reach into the directory.
 */
function dataOf(
  bytes: Uint8Array,
  view: DataView,
  { local, packed, method, flags }: CentralHeader,
  name: Uint8Array,
  limit: number,
): number | null {
  const nameAt = local + LOCAL_BYTES;
  if (nameAt > limit || view.getUint32(local, true) !== LOCAL_SIGNATURE) return null;
  const from = nameAt + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const said = bytes.subarray(nameAt, nameAt + view.getUint16(local + 26, true));
  const isSame =
    said.byteLength === name.byteLength &&
    said.every((byte, index) => byte === name[index]) &&
    view.getUint16(local + 8, true) === method &&
    (view.getUint16(local + 6, true) & FORBIDDEN_FLAGS) === (flags & FORBIDDEN_FLAGS);
  return isSame && from + packed <= limit ? from : null;
}

function nameOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

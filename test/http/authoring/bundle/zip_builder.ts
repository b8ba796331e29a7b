import { crc32, deflateRawSync } from "node:zlib";

/** A file as it goes into an archive, with what may be wrong about it. */
export interface Packed {
  name: string;
  text?: string | Uint8Array;
  stored?: boolean;
  flags?: number;
  method?: number;
  mode?: number;
  /** What the archive says, where that is not so. */
  saidSize?: number;
  saidCrc?: number;
  /** The name in the entry's own header, where that is another one. */
  localName?: string;
  /** Takes the data of the entry before, as bombs do whose entries lie over each other. */
  sharesData?: boolean;
}

/** How the archive as a whole is wrong. */
export interface Archive {
  disks?: number;
  saidCount?: number;
  after?: Uint8Array;
}

/** Makes a ZIP archive. */
export function zip(
  files: readonly Packed[],
  { disks = 0, saidCount, after }: Archive = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  let lastAt = 0;
  for (const file of files) {
    const { header, data, local } = pack(file);
    if (file.sharesData !== true) {
      lastAt = at;
      parts.push(local, data);
      at += local.byteLength + data.byteLength;
    }
    header.writeUInt32LE(lastAt, 42);
    directory.push(header);
  }
  const size = directory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(disks, 4);
  end.writeUInt16LE(saidCount ?? files.length, 8);
  end.writeUInt16LE(saidCount ?? files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end, after ?? new Uint8Array()]));
}

function pack({ name, text = "", stored = false, flags = 0, method, mode = 0o100644, ...said }: Packed) {
  const bytes = typeof text === "string" ? Buffer.from(text) : Buffer.from(text);
  const data = stored ? bytes : deflateRawSync(bytes);
  const { saidSize = bytes.byteLength, saidCrc = crc32(bytes), localName = name } = said;
  const used = method ?? (stored ? 0 : 8);
  const written = Buffer.from(name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(used, 10);
  header.writeUInt32LE(saidCrc, 16);
  header.writeUInt32LE(data.byteLength, 20);
  header.writeUInt32LE(saidSize, 24);
  header.writeUInt16LE(written.byteLength, 28);
  header.writeUInt32LE((mode << 16) >>> 0, 38);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(used, 8);
  local.writeUInt16LE(Buffer.byteLength(localName), 26);
  return {
    header: Buffer.concat([header, written]),
    local: Buffer.concat([local, Buffer.from(localName)]),
    data,
  };
}

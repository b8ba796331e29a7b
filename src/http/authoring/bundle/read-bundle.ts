import { type Result, success } from "../../../errors.ts";
import {
  MAX_BUNDLE_BYTES,
  MAX_JSON_BUNDLE_BYTES,
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
} from "../../../limits.ts";
import { readBytes } from "../../body.ts";
import { readJsonBody } from "../../json-body.ts";
import { skillBundle } from "../../requests.ts";
import { type Bundle, BundleParts, DOCUMENT, refused } from "./bundle.ts";
import { inflateEntry } from "./inflate.ts";
import { readZip, type ZipEntry } from "./zip.ts";

/** Reads an uploaded skill: a ZIP archive or a JSON bundle by its type, and anything else as the document alone. */
export async function readBundle(request: Request): Promise<Result<Bundle>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") return readJsonBundle(request);
  if (type === "application/zip" || type === "application/x-zip-compressed") return readArchive(request);
  const bytes = await readBytes(request, MAX_SKILL_BYTES, "The skill");
  return bytes.ok ? success({ document: bytes.value, files: null }) : bytes;
}

async function readJsonBundle(request: Request): Promise<Result<Bundle>> {
  const body = await readJsonBody(request, skillBundle, MAX_JSON_BUNDLE_BYTES);
  if (!body.ok) return body;
  const { skill, files } = body.value;
  const encoder = new TextEncoder();
  const parts = new BundleParts();
  const taken = parts.add(DOCUMENT, encoder.encode(skill));
  if (!taken.ok) return taken;
  for (const [path, content] of Object.entries(files ?? {})) {
    const bytes = typeof content === "string" ? encoder.encode(content) : decodeBase64(content.base64);
    if (bytes === null) return refused(`has base64 that is none: ${path}`);
    const added = parts.add(path, bytes);
    if (!added.ok) return added;
  }
  const bundle = parts.finish();
  return bundle.ok && files === undefined ? success({ ...bundle.value, files: null }) : bundle;
}

/** The bytes of base64 text (RFC 4648, section 4), or null where it is none. */
function decodeBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Folders count as entries, and what macOS adds to each file. */
const MAX_ENTRIES = 4 * MAX_SKILL_FILES;

async function readArchive(request: Request): Promise<Result<Bundle>> {
  const bytes = await readBytes(request, MAX_BUNDLE_BYTES, "The bundle");
  if (!bytes.ok) return bytes;
  const directory = readZip(bytes.value, MAX_ENTRIES);
  if ("fault" in directory) return refused(`as a ZIP archive ${directory.fault}`);
  const files = directory.entries.filter(({ name, isFolder }) => !isFolder && !isResidue(name));
  const parts = new BundleParts();
  const folder = folderOf(files);
  for (const entry of files) {
    const added = await unpack(entry, folder, parts);
    if (!added.ok) return added;
  }
  return parts.finish();
}

async function unpack(entry: ZipEntry, folder: string, parts: BundleParts): Promise<Result<null>> {
  const path = entry.name.slice(folder.length);
  const refusal = parts.refusal(path, entry.size);
  if (refusal !== null) return refusal;
  const inflated = await inflateEntry(entry);
  if ("fault" in inflated) return refused(`has an entry that ${inflated.fault}: ${entry.name}`);
  return parts.add(path, inflated.bytes);
}

/** What systems put into archives besides what people do. */
function isResidue(name: string): boolean {
  return name.startsWith("__MACOSX/") || /(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(name);
}

/** The one folder that everything stands in, with its slash, where there is one with the document in it. */
function folderOf(entries: readonly ZipEntry[]): string {
  const document = entries.find(({ name }) => /^[^/]+\/SKILL\.md$/.test(name));
  const folder = document?.name.slice(0, -DOCUMENT.length) ?? "";
  return entries.every(({ name }) => name.startsWith(folder)) ? folder : "";
}

import { failed, type Result, success } from "../../../errors.ts";
import { MAX_BUNDLE_BYTES, MAX_SKILL_BYTES, MAX_SKILL_FILE_BYTES, MAX_SKILL_FILES } from "../../../limits.ts";
import { filePath } from "./file-path.ts";

/** A document with the files beside it. */
export interface Bundle {
  document: Uint8Array;
  /** By path; null where only the document was sent, and the files are to stay as they are. */
  files: ReadonlyMap<string, Uint8Array> | null;
}

/** Gathers the parts of a bundle, and refuses what is too much as soon as it is. */
export class BundleParts {
  #document: Uint8Array | null = null;
  readonly #files = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Why a part that says to have so many bytes may not come in, before it is unpacked; or else null. */
  refusal(path: string, bytes: number): Result<never> | null {
    const isDocument = path === DOCUMENT;
    const limitBytes = isDocument ? MAX_SKILL_BYTES : MAX_SKILL_FILE_BYTES;
    if (bytes > limitBytes)
      return failed({
        code: "PAYLOAD_TOO_LARGE",
        what: isDocument ? "The skill" : `The file ${path}`,
        limitBytes,
      });
    if (this.#bytes + bytes > MAX_BUNDLE_BYTES)
      return failed({
        code: "PAYLOAD_TOO_LARGE",
        what: "The bundle, unpacked,",
        limitBytes: MAX_BUNDLE_BYTES,
      });
    return null;
  }

  /** Takes a part; its path is that of a file as `filePath` gives it, or SKILL.md. */
  add(written: string, bytes: Uint8Array): Result<null> {
    const path = written === DOCUMENT ? success(DOCUMENT) : filePath(written);
    if (!path.ok) return path;
    const refusal = this.refusal(path.value, bytes.byteLength);
    if (refusal !== null) return refusal;
    const isTwice = path.value === DOCUMENT ? this.#document !== null : this.#files.has(path.value);
    if (isTwice) return refused(`has two of ${path.value}`);
    this.#bytes += bytes.byteLength;
    if (path.value === DOCUMENT) this.#document = bytes;
    else this.#files.set(path.value, bytes);
    return this.#files.size > MAX_SKILL_FILES
      ? refused(`has more than the ${MAX_SKILL_FILES} files allowed`)
      : success(null);
  }

  finish(): Result<Bundle> {
    if (this.#document === null) return refused(`has no ${DOCUMENT}`);
    return success({ document: this.#document, files: this.#files });
  }
}

/** The name of the document in a bundle. */
export const DOCUMENT = "SKILL.md";

/** @param said what is wrong, as a sentence goes on after "The bundle" */
export function refused(said: string): Result<never> {
  return failed({ code: "INVALID_REQUEST", message: `The bundle ${said}.`, faults: [] });
}

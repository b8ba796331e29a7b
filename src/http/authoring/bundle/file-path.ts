import { failed, type Result, success } from "../../../errors.ts";
import { MAX_FILE_PATH_BYTES, MAX_QUOTED_CHARACTERS } from "../../../limits.ts";
import { shorten } from "../../../shorten.ts";

/** The folders that files may stand in beside a SKILL.md. */
export const fileRoots = ["references", "templates", "examples", "assets", "scripts"] as const;

/** What is wrong with paths, the first that holds being the one that is said. */
const faults: readonly (readonly [isSo: (path: string) => boolean, said: string])[] = [
  [(path) => !path.isWellFormed(), "has half a character in it"],
  [
    (path) => new TextEncoder().encode(path).byteLength > MAX_FILE_PATH_BYTES,
    `has more than ${MAX_FILE_PATH_BYTES} bytes`,
  ],
  // What is decoded once more than it was encoded becomes another path; nothing is lost without percent signs.
  [(path) => /[\\%]/.test(path), "has a backslash or a percent sign in it"],
  [
    (path) =>
      /[\p{Control}\p{Default_Ignorable_Code_Point}\p{Line_Separator}\p{Paragraph_Separator}]/u.test(path),
    "has characters in it that nobody sees",
  ],
  [(path) => path.split("/").some((segment) => segment === ""), "has an empty segment"],
  [(path) => path.split("/").some((segment) => /^\.+$/.test(segment)), "has a segment of dots alone"],
  [(path) => path.split("/").some((segment) => segment !== segment.trim()), "has blanks around a segment"],
  [
    (path) => !fileRoots.some((root) => path.startsWith(`${root}/`)),
    `is not below one of ${fileRoots.join(", ")}`,
  ],
];

/** The path of a file beside a SKILL.md, composed (NFC); INVALID_REQUEST where no file may have it. */
export function filePath(written: string): Result<string> {
  const path = written.normalize("NFC");
  const fault = faults.find(([isSo]) => isSo(path));
  if (fault === undefined) return success(path);
  const got = JSON.stringify(shorten(path, MAX_QUOTED_CHARACTERS));
  return failed({
    code: "INVALID_REQUEST",
    message: `The path ${got} ${fault[1]}.`,
    faults: [{ path: "/path", rule: "path", expected: "a path such as references/api.md", got }],
  });
}

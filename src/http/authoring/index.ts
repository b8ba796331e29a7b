/**
 * All that writing skills takes, with the compiler and its parsers: a part of the worker by itself, loaded when the
 * first document arrives. Most instances of a worker never see one.
 */
export { compileSkill } from "../../compile/upload.ts";
export { readBundle } from "./bundle/read-bundle.ts";
export { describeVersions } from "./describe-versions.ts";
export {
  bundleDraft,
  editedDraft,
  fileDraft,
  formerDraft,
  rebasedDraft,
  withoutFileDraft,
} from "./drafts.ts";
export { type WriteRequest, writeSkill } from "./write-skill.ts";

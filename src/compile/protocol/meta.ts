import type { Overridable } from "../../vocabulary.ts";
import { readOverridable } from "./overridable.ts";
import type { FieldReader } from "./reading/reader.ts";

/** What `meta` says of a skill; null where it does not. */
export interface MetaSection {
  name: string | null;
  version: string | null;
  description: string | null;
  provider: string | null;
  category: string | null;
  permission: string | null;
  tags: string[];
  modelCompatibility: string[];
  triggers: string[];
  overridable: Overridable | null;
  /** For speaking about the fields. */
  fields: FieldReader;
}

/** Reads `meta`; its name is all that it must hold. */
export function readMeta(fields: FieldReader): MetaSection {
  const meta: MetaSection = {
    name: fields.requiredText("name"),
    version: fields.text("version"),
    description: fields.text("description")?.trim() ?? null,
    provider: fields.text("provider"),
    category: fields.text("category"),
    permission: fields.text("permission"),
    tags: fields.texts("tags"),
    modelCompatibility: fields.texts("model_compatibility"),
    triggers: fields.texts("triggers"),
    overridable: readOverridable(fields),
    fields,
  };
  fields.finish();
  return meta;
}

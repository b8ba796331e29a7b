import { isJsonObject, type JsonObject } from "../json.ts";
import { backtracksLittle, cachedPattern, PatternError } from "../pattern/index.ts";
import { type SchemaPath, walkSchema } from "./walk.ts";

/** A pattern that may take exponential time on some text, and why. */
interface BacktrackingPattern {
  path: SchemaPath;
  message: string;
}

/**
 * The patterns of a schema that go to a backtracking engine, as the linear one does not read them, and may be slow
 * there; names, which are short, may be matched by plain ones.
 * @param root one in which `checkSchema` finds no fault
 */
export function backtrackingPatterns(root: JsonObject): BacktrackingPattern[] {
  const found: BacktrackingPattern[] = [];
  walkSchema(root, ({ pattern, patternProperties }, path) => {
    const reason = typeof pattern === "string" ? whyNotLinear(pattern) : null;
    if (reason !== null) found.push({ path: [...path, "pattern"], message: reason });
    for (const name of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
      const why = backtracksLittle(name) ? null : whyNotLinear(name);
      if (why !== null) found.push({ path: [...path, "patternProperties", name], message: why });
    }
  });
  return found;
}

function whyNotLinear(source: string): string | null {
  try {
    cachedPattern(source, "ecmascript");
    return null;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.message;
  }
}

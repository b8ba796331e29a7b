import type { Skill } from "../../ir.ts";

/** All that the gateway acts on: what a skill that is overridable in its prose alone keeps. */
const PROTOCOL = ["provider", "permission", "upstreams", "functions", "examples", "constraints"] as const;

/** The parts of two skills' protocols that are not the same. */
export function changedProtocol(before: Skill, after: Skill): string[] {
  return PROTOCOL.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
}

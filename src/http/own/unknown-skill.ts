import type { Catalog } from "../../catalog/index.ts";
import { type Failure, failed, type Result } from "../../errors.ts";
import { nearestFirst } from "../../nearest.ts";

/** The failure of whoever asks for a skill of one's own that one has not, with the names of those that one has. */
export async function unknownOwnSkill(name: string, catalog: Catalog): Promise<Result<never>> {
  const listed = await catalog.list();
  if (!listed.ok) return listed;
  const known = listed.value.filter(({ source }) => source === "user").map((entry) => entry.name);
  return failed({ code: "UNKNOWN_SKILL", skill: name, known: nearestFirst(name, known) });
}

/** A failure that found out alone that a skill is not there, with the names that there are. */
export async function withKnownNames(failure: Failure, catalog: Catalog): Promise<Failure> {
  if (failure.code !== "UNKNOWN_SKILL" || failure.known.length > 0) return failure;
  const unknown = await unknownOwnSkill(failure.skill, catalog);
  return unknown.ok ? failure : unknown.failure;
}

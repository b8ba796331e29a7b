import { isCollection, isMap, type Node } from "yaml";
import type { SchemaPath } from "../../../schema/index.ts";
import { keyText, resolved } from "../../document/yaml.ts";
import type { Place } from "../reading/place.ts";

/** The place of a member within a schema's node, or of the nearest part of it that exists. */
export function fieldPlace(place: Place, path: SchemaPath): Place {
  let node = place.node;
  for (const key of path) {
    const next: unknown = isCollection(node) ? node.get(key, true) : undefined;
    const target = isNodeLike(next) ? resolved(place.block, next) : null;
    if (target === null) break;
    node = target;
  }
  return { ...place, node };
}

/** The place of a member's name within a schema's node, or of the nearest part of it that exists. */
export function keyPlace(place: Place, path: SchemaPath, key: string): Place {
  const owner = fieldPlace(place, path);
  const pairs = isMap<Node, Node | null>(owner.node) ? owner.node.items : [];
  const pair = pairs.find((candidate) => keyText(candidate.key) === key);
  return pair === undefined ? owner : { ...owner, node: pair.key };
}

function isNodeLike(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "range" in value;
}

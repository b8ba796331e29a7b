import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { MAX_NESTING, MAX_YAML_ALIASED_NODES, MAX_YAML_ALIASES } from "../../limits.ts";
import type { DiagnosticCode, Replacement } from "../diagnostic.ts";
import { describeHidden, removingHidden, withoutHidden } from "./hidden.ts";

/** Something to say about a YAML text, with offsets in the text. */
export interface YamlFault {
  code: Extract<
    DiagnosticCode,
    "yaml-syntax" | "duplicate-key" | "alias-limit" | "nesting-limit" | "invisible-characters"
  >;
  message: string;
  start: number;
  end: number;
  /** Where the thing stands that this one comes after. */
  earlier?: number;
  /** What takes hidden characters out of the text, as offsets in it. */
  hidden?: readonly Replacement[];
}

/** What a walk over all nodes of a YAML text finds. */
interface Survey {
  targets: Map<Alias, Node>;
  faults: YamlFault[];
  warnings: YamlFault[];
}

/**
 * Looks once at every node: links aliases to what they stand for, finds keys that stand twice, adds up what
 * the aliases expand to, and takes hidden characters out of all texts (which is warned about).
 */
export function surveyNodes(contents: Node | null, text: string): Survey {
  const surveyor = new Surveyor(text);
  surveyor.survey(contents);
  return surveyor;
}

/** How much a node is once its aliases are expanded. */
interface Size {
  nodes: number;
  aliases: number;
  /** Lists and mappings, one within the other. */
  height: number;
}

const NOTHING: Readonly<Size> = { nodes: 0, aliases: 0, height: 0 };
const SCALAR: Readonly<Size> = { nodes: 1, aliases: 0, height: 0 };

function add(sum: Size, { nodes, aliases, height }: Readonly<Size>): void {
  sum.nodes += nodes;
  sum.aliases += aliases;
  sum.height = Math.max(sum.height, height + 1);
}

class Surveyor implements Survey {
  readonly targets = new Map<Alias, Node>();
  readonly faults: YamlFault[] = [];
  readonly warnings: YamlFault[] = [];
  readonly #text: string;
  readonly #anchors = new Map<string, Node>();
  /** Sizes of the nodes that have been left again; an anchor's node that is not among them is still open. */
  readonly #sizes = new Map<Node, Readonly<Size>>();
  #written = 0;

  constructor(text: string) {
    this.#text = text;
  }

  survey(contents: Node | null): void {
    const { nodes, aliases, height } = this.#visit(contents);
    const place = contents ?? undefined;
    if (aliases > MAX_YAML_ALIASES || nodes - this.#written > MAX_YAML_ALIASED_NODES)
      this.#fault(
        "alias-limit",
        `its aliases expand to more than is allowed (${MAX_YAML_ALIASES} aliases)`,
        place,
      );
    if (height > MAX_NESTING) this.#fault("nesting-limit", `nested more than ${MAX_NESTING} deep`, place);
  }

  #fault(code: YamlFault["code"], message: string, node: Node | undefined, earlier?: Node): void {
    const [start, end] = node?.range ?? [0, 0];
    const first = earlier?.range?.[0];
    this.faults.push({ code, message, start, end, ...(first === undefined ? {} : { earlier: first }) });
  }

  #visit(node: Node | null): Readonly<Size> {
    if (node === null) return NOTHING;
    if (isAlias(node)) return this.#visitAlias(node);
    this.#written++;
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    const size = this.#visitContents(node);
    if (anchor !== undefined) this.#sizes.set(node, size);
    return size;
  }

  #visitContents(node: Node): Readonly<Size> {
    if (isScalar(node)) this.#clean(node);
    if (isMap<Node, Node | null>(node)) return this.#visitMap(node);
    if (!isSeq<Node>(node)) return SCALAR;
    const size = { nodes: 1, aliases: 0, height: 1 };
    for (const item of node.items) add(size, this.#visit(item));
    return size;
  }

  #visitMap(map: YAMLMap<Node, Node | null>): Size {
    const size = { nodes: 1, aliases: 0, height: 1 };
    const keys = new Map<string, Node>();
    for (const { key, value } of map.items) {
      if (isCollection(key)) this.#fault("yaml-syntax", "a key is a text here, not a mapping or a list", key);
      add(size, this.#visit(key));
      add(size, this.#visit(value));
      if (isCollection(key)) continue;
      const name = keyText(key);
      const earlier = keys.get(name);
      if (earlier === undefined) keys.set(name, key);
      else this.#fault("duplicate-key", `the key ${name} stands twice in the same mapping`, key, earlier);
    }
    return size;
  }

  #visitAlias(alias: Alias): Readonly<Size> {
    const target = this.#anchors.get(alias.source);
    const size = target === undefined ? undefined : this.#sizes.get(target);
    if (target !== undefined && size !== undefined) {
      this.targets.set(alias, target);
      return { ...size, aliases: size.aliases + 1 };
    }
    const message =
      target === undefined
        ? `there is no anchor &${alias.source} before this alias`
        : `this alias stands within what it stands for`;
    this.#fault("yaml-syntax", message, alias);
    return NOTHING;
  }

  #clean(scalar: Scalar): void {
    const { value, range } = scalar;
    if (typeof value !== "string") return;
    const hidden = describeHidden(value);
    if (hidden === null) return;
    scalar.value = withoutHidden(value);
    const [start, end] = range ?? [0, 0];
    const removals = removingHidden(this.#text.slice(start, end), start);
    const at = removals[0]?.span.start;
    const place = at === undefined ? { start, end } : { start: at, end: at + 1 };
    const message = `${hidden}; taken out`;
    this.warnings.push({ code: "invisible-characters", message, ...place, hidden: removals });
  }
}

/**
 * The text of a mapping's key. A collection has none (the survey refuses it as a key): to write one out takes twice
 * the characters for each level that it is nested.
 */
export function keyText(key: unknown): string {
  if (isCollection(key)) return "";
  if (!isScalar(key)) return String(key);
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

import { pointerTo, type SchemaPath } from "../../../schema/index.ts";

/** Where the parts of a schema went when it was rewritten. */
export class Moves {
  /** Where things were written, by where they stand now; and the other way round. */
  readonly #written = new Map<string, SchemaPath>();
  readonly #meant = new Map<string, SchemaPath>();
  readonly #stays: (keyword: string) => boolean;

  /** @param stays the keywords of a moved schema that stay behind */
  constructor(stays: (keyword: string) => boolean) {
    this.#stays = stays;
  }

  add(written: SchemaPath, meant: SchemaPath): void {
    this.#written.set(pointerTo(meant), written);
    this.#meant.set(pointerTo(written), meant);
  }

  /** Where what now stands at a path was written. */
  written(path: SchemaPath): SchemaPath {
    if (this.#written.size === 0) return path;
    for (let length = path.length; length >= 0; length--) {
      const written = this.#written.get(pointerTo(path.slice(0, length)));
      if (written !== undefined) return [...written, ...path.slice(length)];
    }
    return path;
  }

  /** Where what was written at a path now stands: a moved schema itself is what took its place. */
  meant(path: SchemaPath): SchemaPath {
    if (this.#meant.size === 0) return path;
    for (let length = path.length - 1; length >= 0; length--) {
      const meant = this.#meant.get(pointerTo(path.slice(0, length)));
      if (meant !== undefined && !this.#stays(String(path[length]))) return [...meant, ...path.slice(length)];
    }
    return path;
  }
}

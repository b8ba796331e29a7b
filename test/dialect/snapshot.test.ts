/** One realistic function in every dialect, as reviewed text: what a model is shown, and what the operator is told. */
import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import { functionSchema } from "../../src/ir.ts";
import { encodingOf } from "../../src/vocabulary.ts";
import source from "../fixtures/dialect/get_kline.json" with { type: "json" };

const definition = functionSchema.parse(source);

describe.each(Object.values(dialects))("$name", (dialect) => {
  test("shows get_kline as reviewed", async () => {
    const { json, losses } = dialect.encodeTool(definition);
    const text = JSON.stringify({ tool: JSON.parse(json), losses }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot(
      `../fixtures/dialect/get_kline.${encodingOf[dialect.name]}.json`,
    );
  });
});

import { appendFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { localVariables } from "./scripts/wrangler.ts";
import { planted } from "./test/leaks/planted.ts";

/** The folder of all that gateways under test say and keep. */
const evidence = join(tmpdir(), `skillgate-evidence-${process.pid}`);

/**
 * Five kinds of tests: pure parts under Node; `*.workerd.test.ts` in workerd, with the real bindings of
 * wrangler.toml; journeys over HTTP against processes that were started as people start them; providers' own
 * clients in whole conversations between a started gateway and a scripted model; and, after all others, a search of
 * what the gateways said and kept for the secrets that they were given.
 */
export default defineConfig({
  test: {
    provide: { evidence },
    globalSetup: "test/leaks/setup.ts",
    onConsoleLog(log) {
      mkdirSync(evidence, { recursive: true });
      appendFileSync(join(evidence, "console.txt"), log);
    },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/**/*.workerd.test.ts",
            "test/**/*.last.test.ts",
            "test/journeys/**",
            "test/clients/**",
          ],
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              cf: false,
              bindings: localVariables(inject("sandboxUrl"), planted.WORKERD_SANDBOX_KEY),
            },
          })),
        ],
        test: {
          name: "workerd",
          include: ["test/**/*.workerd.test.ts"],
          globalSetup: "test/workerd-setup.ts",
          setupFiles: "test/leaks/workerd-store.ts",
          // They share one sandbox, give it faults and count its requests.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          globalSetup: "test/clients/setup.ts",
          // They share one gateway and count what it asks of upstreams.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: "leaks",
          include: ["test/**/*.last.test.ts"],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});

import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { DEFAULT_API_KEY } from "./scripts/sandbox/server.ts";
import { localVariables } from "./scripts/wrangler.ts";

/**
 * Three kinds of tests: pure parts under Node; `*.workerd.test.ts` in workerd, with the real bindings of
 * wrangler.toml; journeys over HTTP against processes that were started as people start them.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workerd.test.ts", "test/journeys/**"],
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              cf: false,
              bindings: localVariables(inject("sandboxUrl"), DEFAULT_API_KEY),
            },
          })),
        ],
        test: {
          name: "workerd",
          include: ["test/**/*.workerd.test.ts"],
          globalSetup: "test/workerd-setup.ts",
          // They share one sandbox, give it faults and count its requests.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

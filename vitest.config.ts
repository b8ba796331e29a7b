import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { DEFAULT_API_KEY } from "./scripts/sandbox/server.ts";
import { localVariables } from "./scripts/wrangler.ts";

/**
 * Four kinds of tests: pure parts under Node; `*.workerd.test.ts` in workerd, with the real bindings of
 * wrangler.toml; journeys over HTTP against processes that were started as people start them; providers' own
 * clients in whole conversations between a started gateway and a scripted model.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workerd.test.ts", "test/journeys/**", "test/clients/**"],
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
      {
        test: {
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          globalSetup: "test/clients/setup.ts",
          // They share one gateway and count what it asks of upstreams.
          fileParallelism: false,
        },
      },
    ],
  },
});

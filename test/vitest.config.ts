import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

// Three kinds of test: pure functions and house rules in Node; the service over HTTP, from Node, against the
// production bundle in workerd and a real libSQL server; Durable Objects from inside workerd.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          root,
          include: ["test/{shared,lint,sandbox}/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "service",
          root,
          include: ["test/{contract,features,platform}/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "../wrangler.toml" } })],
        test: { name: "worker", root, include: ["test/durable/**/*.test.ts"] },
      },
    ],
  },
});

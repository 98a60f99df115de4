import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = new URL("..", import.meta.url).pathname;

// Migrations are imported as text, as wrangler bundles them.
const sqlAsText = {
  name: "sql-as-text",
  transform: (text: string, id: string) =>
    id.endsWith(".sql") ? `export default ${JSON.stringify(text)}` : undefined,
};

// What takes longest begins first, so that no single file is left over at the end.
const LONGEST = ["contract/replies", "booking/trouble", "browser/shop", "storefront/webhook"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

// Three kinds of test: pure functions and house rules in Node; the service over HTTP, from Node, against the
// production bundle in workerd and a real libSQL server, also in a real browser; Durable Objects from inside workerd.
export default defineConfig({
  test: {
    // Most of a test's time is waiting for the service, so more files than cores run at once; each owns its company.
    maxWorkers: 6,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [sqlAsText],
        test: {
          name: "unit",
          root,
          include: ["test/{control,http,lint,sandbox,shared}/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [sqlAsText],
        test: {
          name: "service",
          root,
          include: ["test/{contract,features,platform}/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 30_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        // What takes minutes: `npm run soak` runs it, and with higher counts some of the others.
        plugins: [sqlAsText],
        test: {
          name: "soak",
          root,
          include: ["test/soak/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 30_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        plugins: [sqlAsText],
        test: {
          name: "model",
          root,
          include: ["test/model/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
        },
      },
      {
        plugins: [sqlAsText],
        test: {
          name: "browser",
          root,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/require-chromium.ts", "test/support/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        // Of the Worker only its objects: the rest runs in the tests of the service.
        plugins: [
          cloudflareTest({ main: "./durable/index.ts", wrangler: { configPath: "./wrangler.toml" } }),
        ],
        test: { name: "worker", root, include: ["test/{durable,workerd}/**/*.test.ts"] },
      },
    ],
  },
});

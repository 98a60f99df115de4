import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { makeFromSql } from "../src/build/from-sql/make.ts";
import { currentTexts } from "../src/tenancy/migrations/migrated-database.ts";
import { schemaNumberOf } from "../src/tenancy/migrations/missing-and-changed.ts";
import { filesOf } from "./files-of.ts";
import "./support/clock/shift.cjs";

makeFromSql();
const root = new URL("..", import.meta.url).pathname;
// What tests start is compiled once, as by the scripts of package.json.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/node`;

// Migrations and the table of errors are imported as text, as in the Worker's bundle.
const textModules = {
  name: "text-modules",
  transform: (text: string, id: string) =>
    /\.(?:sql|md|jsonl)$/.test(id) ? `export default ${JSON.stringify(text)}` : undefined,
};

// What the build puts into the Worker, for what of it runs in Node.
const define = {
  RELEASE: JSON.stringify(JSON.stringify({ schema: schemaNumberOf(currentTexts("company")) })),
};

// What takes longest begins first, so that no single file is left over at the end.
const LONGEST = [
  "workerd/jobs",
  "durable/rate-limiter",
  "simulator/faults",
  "memory/isolate-memory",
  "companies/clock",
  "messaging/one-tenant",
  "soak/round-trips",
  "backup/restore-into",
  "fleet/fleet",
  "sync/sync",
  "soak/requests",
  "refunds/both-payments",
  "events/retries",
  "soak/start",
  "backup/erasures",
  "soak/guides",
  "soak/distance",
  "backup/broken-chain",
  "backup/backup-drill",
  "soak/credentials",
  "backup/lost-control",
  "soak/start-events",
  "backup/erased-persons",
  "backup/files",
  "backup/backup",
  "soak/self-host",
  "companies/doctor-databases",
  "soak/start-refused",
  "soak/slow-uploads",
  "audit/chain",
  "soak/hung-database",
  "soak/corruptions",
  "messaging/scenarios",
  "simulator/receiver",
  "simulator/shop",
  "simulator/faults-at-once",
  "contract/replies",
  "contract/rights",
  "database/write-path",
  "booking/trouble",
  "api/reply-check",
  "browser/shop",
  "webhook/address",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

// One service for all files of a project: the production bundle in workerd, before a real libSQL server.
const SERVICE = "test/support/global-setup.ts";

// Of test/soak.env, which `npm run soak` reads and `npm test` does not.
const IS_SOAK = process.env.SOAK === "1";
// A file or folder that is named runs whole, wherever it is left.
const NAMED = process.argv.some((word) => word.startsWith("test/") && !word.startsWith("test/vitest"));

// A machine that is busy with something else makes no test fail.
const PATIENCE_MS = 300_000;
const PATIENT = { testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS };

type Settings = {
  testTimeout?: number;
  hookTimeout?: number;
  globalSetup?: string[];
  expect?: { poll: { timeout: number } };
  execArgv?: string[];
};

/** A project that runs in Node. */
function inNode(name: string, settings: Settings) {
  return {
    define,
    plugins: [textModules],
    test: { name, root, ...filesOf(name, IS_SOAK, NAMED), ...settings },
  };
}

// Each project is named by what it starts. `npm test` runs the first four; the others have scripts of their own.
export default defineConfig({
  test: {
    // Most of a test's time is waiting for the service, so more files than cores run at once; each owns its company.
    maxWorkers: IS_SOAK ? 7 : 5,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Nothing: that functions compute what they should, and that the sources keep the rules of the house.
      inNode("unit", PATIENT),
      // A program or a server for each file: that sqld, Turso's stand-in and the parts of the sandbox do their work.
      inNode("process", PATIENT),
      // The service: that the API does over HTTP what the specification says, also when its database fails.
      inNode("service", {
        globalSetup: [SERVICE],
        ...PATIENT,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
        // workerd has base64 in Uint8Array, and Node only by this flag.
        execArgv: ["--js-base-64"],
      }),
      {
        // workerd with the tests inside it: that Durable Objects keep to time and memory, and what needs its crypto.
        plugins: [
          cloudflareTest({ main: "./durable/index.ts", wrangler: { configPath: "./wrangler.toml" } }),
        ],
        test: { name: "worker", root, ...filesOf("worker", IS_SOAK, NAMED), ...PATIENT },
      },
      // Chromium: that people can use the pages and the widget. `npm run test:browser`.
      inNode("browser", {
        globalSetup: ["test/browser/require-chromium.ts", SERVICE],
        testTimeout: 120_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
      }),
      // Random calls under faults and kills, and a model of them: that no order of calls breaks a promise. `npm run model`.
      inNode("model", { globalSetup: [SERVICE], ...PATIENT }),
      // The same under thousands of faults and kills, by hand: `npm run proof`. Only then, so that a named file runs once.
      ...(process.argv.includes("proof") ? [inNode("proof", { globalSetup: [SERVICE], ...PATIENT })] : []),
      // Generators and compilers of other languages: that their clients of the API document work. `npm run clients`.
      inNode("clients", { globalSetup: [SERVICE], ...PATIENT }),
      // What takes minutes: `npm run soak`.
      inNode("soak", {
        globalSetup: [SERVICE],
        ...PATIENT,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
      }),
    ],
  },
});

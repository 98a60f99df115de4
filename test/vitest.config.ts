import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { currentTexts } from "../src/tenancy/migrations/migrated-database.ts";
import { schemaNumberOf } from "../src/tenancy/migrations/missing-and-changed.ts";

const root = new URL("..", import.meta.url).pathname;
// What tests start is compiled once, as by the scripts of package.json.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/node`;

// Migrations are imported as text, as wrangler bundles them.
const sqlAsText = {
  name: "sql-as-text",
  transform: (text: string, id: string) =>
    id.endsWith(".sql") ? `export default ${JSON.stringify(text)}` : undefined,
};

// What the build puts into the Worker, for what of it runs in Node.
const define = {
  RELEASE: JSON.stringify(JSON.stringify({ schema: schemaNumberOf(currentTexts("company")) })),
};

// What takes longest begins first, so that no single file is left over at the end.
const LONGEST = [
  "workerd/jobs",
  "durable/rate-limiter",
  "proof/faults",
  "memory/isolate-memory",
  "companies/clock",
  "messaging/one-tenant",
  "soak/round-trips",
  "backup/restore-into",
  "soak/requests",
  "refunds/both-payments",
  "events/retries",
  "soak/start",
  "backup/erasures",
  "soak/distance",
  "calls/crowd",
  "backup/broken-chain",
  "backup/backup-drill",
  "soak/credentials",
  "backup/lost-control",
  "soak/start-events",
  "backup/erased-persons",
  "backup/files",
  "backup/backup",
  "soak/self-host",
  "companies/doctor-instance",
  "soak/start-refused",
  "soak/slow-uploads",
  "audit/chain",
  "soak/hung-database",
  "soak/corruptions",
  "model/messaging",
  "proof/receiver",
  "proof/faults-at-once",
  "contract/replies",
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

// What takes long and is not what everybody changes is left to `npm run soak`, so that `npm test` stays under 5 minutes.
const LEFT_TO_SOAK = {
  process: ["test/cli/{adopt,migrate}-command.test.ts"],
  service: [
    "test/proof/*.test.ts",
    "test/core/paging-budget.test.ts",
    "test/tenancy/companies/{adopt,idle-company,migrations,recovery,recovery-orders,schema,self-check}.test.ts",
    "test/tenancy/keys/company-ceilings.test.ts",
    "test/core/database/{database-token,kill,many-writers,patience}.test.ts",
    "test/features/{bookings/bookings,payments,projects,recruitment}/races.test.ts",
    "test/features/bookings/bookings/{holds,payment-effects,staff}.test.ts",
    "test/features/bookings/holds/*.test.ts",
    "test/features/bookings/instructors/leave.test.ts",
    "test/features/bookings/{packages/online-packages,page/money,page/money-back,page/stranger}.test.ts",
    "test/features/bookings/calls/{crowd,puzzle,slots-of-dates}.test.ts",
    "test/features/credit-notes/self-check.test.ts",
    "test/features/erasures/{contacts,cut-off,found-by,in-flight}.test.ts",
    "test/features/doors/*.test.ts",
    "test/features/events/{addresses,deliveries,failing,retries,sending-again}.test.ts",
    "test/features/leads/{duplicates,settings}.test.ts",
    "test/features/messaging/{one-tenant,quota,scheduled,unsubscribe}.test.ts",
    "test/features/messaging/callbacks/chatapp-callbacks.test.ts",
    "test/features/notifications/{calendar-file,changed-receivers,once,refunds,reminders,texts}.test.ts",
    "test/features/refunds/{both-payments,policy,self-check,unknown}.test.ts",
    "test/features/storefront/{checkout/killed,checkout/one-commit,invoice/conversion,webhook/faults,webhook/once}.test.ts",
    "test/features/storefront/orders/{erase-abandoned,late-money,reconcile,resolve*}.test.ts",
  ],
};
// What it runs longer, with the counts of test/soak.env; the rest of these projects it leaves out.
const SOAKED: Record<string, string[]> = {
  ...LEFT_TO_SOAK,
  browser: ["test/browser/mail-html.test.ts"],
};

// A machine that is busy with something else makes no test fail.
const PATIENCE_MS = process.env.SOAK === undefined ? 30_000 : 300_000;
const PATIENT = { testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS };

type Settings = {
  testTimeout?: number;
  hookTimeout?: number;
  globalSetup?: string[];
  expect?: { poll: { timeout: number } };
  exclude?: string[];
  execArgv?: string[];
};

function leftOut(project: keyof typeof LEFT_TO_SOAK): string[] {
  return process.env.SOAK === undefined ? LEFT_TO_SOAK[project] : [];
}

/** A project that runs in Node, of the test files of these folders. */
function inNode(name: string, folders: string, settings: Settings) {
  const soaked = process.env.SOAK === undefined ? undefined : SOAKED[name];
  const include = soaked ?? [`test/${folders}/**/*.test.ts`];
  return { define, plugins: [sqlAsText], test: { name, root, include, ...settings } };
}

// Each project is named by what it starts. `npm test` runs the first four; the others have scripts of their own.
export default defineConfig({
  test: {
    // Most of a test's time is waiting for the service, so more files than cores run at once; each owns its company.
    maxWorkers: process.env.SOAK === undefined ? 5 : 7,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Nothing: that functions compute what they should, and that the sources keep the rules of the house.
      inNode("unit", "{api,lint,shared}", { ...PATIENT, exclude: ["test/api/contract/**"] }),
      // A program or a server for each file: that sqld, Turso's stand-in and the parts of the sandbox do their work.
      inNode("process", "{cli,process,sandbox}", { ...PATIENT, exclude: leftOut("process") }),
      // The service: that the API does over HTTP what the specification says, also when its database fails.
      inNode("service", "{api/contract,core,features,proof,tenancy}", {
        globalSetup: [SERVICE],
        ...PATIENT,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
        exclude: leftOut("service"),
        // workerd has base64 in Uint8Array, and Node only by this flag.
        execArgv: ["--js-base-64"],
      }),
      {
        // workerd with the tests inside it: that Durable Objects keep to time and memory, and what needs its crypto.
        plugins: [
          cloudflareTest({ main: "./durable/index.ts", wrangler: { configPath: "./wrangler.toml" } }),
        ],
        test: { name: "worker", root, include: ["test/{durable,workerd}/**/*.test.ts"], ...PATIENT },
      },
      // Chromium: that people can use the pages and the widget. `npm run test:browser`.
      inNode("browser", "browser", {
        globalSetup: ["test/browser/require-chromium.ts", SERVICE],
        testTimeout: 120_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
      }),
      // Random calls against the service and a model of it: that no order of calls breaks the books. `npm run model`.
      inNode("model", "model", { globalSetup: [SERVICE], ...PATIENT }),
      // All promises under thousands of faults and kills, by hand: `npm run proof`. A few of each are in `npm run soak`.
      inNode("proof", "proof", { globalSetup: [SERVICE], hookTimeout: 60_000 }),
      // What takes minutes: `npm run soak`.
      inNode("soak", "soak", {
        globalSetup: [SERVICE],
        ...PATIENT,
        expect: { poll: { timeout: PATIENCE_MS / 2 } },
      }),
    ],
  },
});

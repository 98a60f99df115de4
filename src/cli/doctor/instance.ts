import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "#shared/time/durations.ts";
import type { Build } from "#shared/version.ts";
import { ask, askPlatform, type Target } from "./ask.ts";
import { type Readiness, readiness, saidOf } from "./readiness.ts";
import { LOG, type Report, Skipped, Wrong } from "./report.ts";

type Probe = {
  database: "written" | "files" | "refused";
  bucket: boolean;
  queues: { name: string; sent: boolean }[];
};

const MOST_SKEW_MS = 30_000;
const LATE_CRON_MS = 3 * MINUTE_MS;
const CRON_LIMIT_MS = 90_000;
const PAUSE_MS = 1_000;
const NOT_RECORDED = "the control database would have to record it, and is not written";
/**
 * Checks what the running instance was given: variables, keys, clocks, the control database's disk, the cron, the bucket
 * and the queues. Gives false where the control database takes no write: then no company can be opened.
 */
export async function checkInstance(report: Report, target: Target): Promise<boolean> {
  let known: Readiness | undefined;
  let before = 0;
  await report.check("instance", async (signal) => {
    before = Date.now();
    known = await readiness(target, signal);
    const [fault] = known.faults;
    if (fault === undefined) return "ready to serve";
    throw new Wrong(...saidOf(fault));
  });
  if (known === undefined) return true;
  const found = known;
  const after = Date.now();
  await report.check("environment", async () => environment(found));
  await report.check("clocks", async () => clocks(found, (before + after) / 2, after - before));
  await report.check("PUBLIC_ORIGIN", (signal) => publicOrigin(found, target, signal));
  let probe: Probe | undefined;
  await report.check("disk", async (signal) => {
    probe = await askPlatform<Probe>(target, "POST", "/platform/probes", { signal });
    return disk(probe);
  });
  if (probe === undefined) return true;
  const { database, bucket, queues } = probe;
  const written = database === "written";
  const recorded = async (check: () => Promise<string>) => {
    if (written) return check();
    throw new Skipped(NOT_RECORDED);
  };
  await report.check("cron", (signal) => recorded(() => cron(target, signal)), { limitMs: CRON_LIMIT_MS });
  await report.check("bucket", async () => {
    if (bucket) return "a file is stored, read and deleted";
    throw new Wrong("it keeps no file", `is the bucket made, and bound as FILES? ${LOG}`);
  });
  await report.check("queues", (signal) => recorded(() => arrivals(queues, found, target, signal)));
  return written;
}

function disk({ database }: Probe): string {
  if (database === "written") return "the control database is written";
  if (database === "files")
    throw new Wrong(
      "the database server cannot write its files, so that writes are 503 and do nothing: its disk is full, or fails",
      "make room on its disk: writes then go on by themselves",
    );
  throw new Wrong("the control database takes no write", LOG);
}

function environment({ environment: faults }: Readiness): string {
  if (faults.length === 0) return "variables and bindings are whole";
  throw new Wrong(faults.join("; "), "set them (docs/deploy.md), and deploy again");
}

/** The clocks of the instance and of the database server; the way there and back took `took` ms. */
function clocks({ now, database_now: databaseNow }: Readiness, here: number, took: number): string {
  const read = { "service's": now, "database server's": databaseNow };
  for (const [whose, time] of Object.entries(read)) {
    const skew = time === null ? 0 : Date.parse(time) - here;
    if (Math.abs(skew) < MOST_SKEW_MS + took) continue;
    const seconds = Math.round(Math.abs(skew) / 1_000);
    throw new Wrong(
      `the ${whose} is ${seconds} s ${skew > 0 ? "ahead of" : "behind"} this machine's`,
      "set the clock of whichever is wrong (NTP)",
    );
  }
  return "those of the service and the database server agree with this machine's";
}

/** The address that the service hands out has to lead to this very build. */
async function publicOrigin(
  { public_origin: origin, build }: Readiness,
  { base }: Target,
  signal: AbortSignal,
): Promise<string> {
  if (origin === null) throw new Skipped("not set: the addresses handed out are those of each request");
  const remedy = "set PUBLIC_ORIGIN to the scheme and host that clients use, and let that lead here";
  const { body } = await ask("GET", new URL("/health", origin), remedy, { signal });
  const other = Object(body.build) as Partial<Build>;
  if (other.commit === build.commit && other.date === build.date)
    return origin === new URL(base).origin ? "this address" : `${origin} leads to this build`;
  throw new Wrong(`${origin} leads to another service, or to another build of it`, remedy);
}

/** Waits for the minute's cron where it has not run of late, as on a new deployment. */
async function cron(target: Target, signal: AbortSignal): Promise<string> {
  const remedy =
    "on Cloudflare: `[triggers]` of wrangler.toml; else: does the process of `npm run self-host` run?";
  for (;;) {
    const { now, heartbeats } = await readiness(target, signal);
    const at = heartbeats.find(({ name }) => name === "cron")?.at;
    const age = at === undefined ? undefined : Date.parse(now) - Date.parse(at);
    if (age !== undefined && age < LATE_CRON_MS) return `it ended ${Math.round(age / 1_000)} s ago`;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {
      throw new Wrong(at === undefined ? "it never ran" : `it has not run since ${at}`, remedy);
    });
  }
}

/** Waits until each queue has brought its ping. */
async function arrivals(
  queues: Probe["queues"],
  { heartbeats: before }: Readiness,
  target: Target,
  signal: AbortSignal,
): Promise<string> {
  const refused = queues.filter(({ sent }) => !sent).map(({ name }) => name);
  if (refused.length > 0)
    throw new Wrong(
      `not taken by ${refused.join(", ")}`,
      `on Cloudflare \`npx wrangler queues create NAME\` for each; ${LOG}`,
    );
  const atOf = (beats: Readiness["heartbeats"], queue: string) =>
    beats.find(({ name }) => name === queue)?.at;
  let missing = queues.map(({ name }) => name);
  for (;;) {
    const { heartbeats } = await readiness(target, signal);
    missing = missing.filter((name) => atOf(heartbeats, name) === atOf(before, name));
    if (missing.length === 0) return `a ping came through each of ${queues.length}`;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {
      throw new Wrong(
        `no ping came through ${missing.join(", ")}`,
        `have they a consumer (\`npx wrangler queues info NAME\`), and do others wait there (GET /platform/backlog)? ${LOG}`,
      );
    });
  }
}

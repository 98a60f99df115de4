import type * as z from "zod";
import { counted } from "#shared/text/counted.ts";
import type { Build } from "#shared/version.ts";
import type { Adoption as AdoptionSchema } from "#tenancy/registry-rebuild/schema.ts";
import { type Answer, ask, dataOf, expectStatus, problemOf, type Target } from "./ask.ts";
import { FIRST_MIGRATION, NEW_OR_LOST, readiness, saidOf } from "./readiness.ts";
import { LOG_OF_ID, type Report, Wrong } from "./report.ts";

type Health = { status?: unknown; version?: string; build: Build };
type Migrations = { missing: string[]; durability: "strong" | "relaxed" | "unmanaged" | "unknown" };
type Adoption = z.infer<typeof AdoptionSchema>;

// As a company's database is called; others may be of something else.
const OWN_NAME = /^co-[0-9a-z]{26}$/;
const ADOPT = "run `company-ops adopt --from` sqld's data folder, or turso (docs/operate.md)";
const PROVIDER = `is the database provider reached from there, and has sqld's disk room? ${LOG_OF_ID}`;
const MIGRATE = "run `company-ops migrate`";
const SHORT = 12;
const DIRTY = "-dirty";

/** Checks the host, the token, and the control database; false where no company can be opened. */
export async function checkService(report: Report, target: Target): Promise<boolean> {
  const answers = await report.check("host", async (signal) => {
    const remedy = "is it deployed, and --url its address?";
    const health = await ask("GET", new URL("/health", target.base), remedy, { signal });
    const { status, version, build } = health.body as Health;
    if (health.status === 200 && status === "ok")
      return `${target.base} answers, release ${version}, ${buildSaid(build)}`;
    throw new Wrong(
      `/health of ${target.base}: ${problemOf(health)}`,
      "is --url the address of this service?",
    );
  });
  return answers && (await checkControl(report, target));
}

function buildSaid({ commit, date }: Build): string {
  return `commit ${commit?.slice(0, SHORT) ?? "unknown"}${commit?.endsWith(DIRTY) ? DIRTY : ""}, built ${date ?? "at an unknown time"}`;
}

async function checkControl(report: Report, target: Target): Promise<boolean> {
  let answer: Answer | undefined;
  const accepted = await report.check("platform token", async (signal) => {
    const { base, headers } = target;
    answer = await ask("GET", new URL("/platform/migrations", base), "try again", { headers, signal });
    if (answer.status === 401)
      throw new Wrong(
        "the service refuses it",
        "give --platform-token or the variable PLATFORM_TOKEN what the secret PLATFORM_TOKEN of the Worker is",
      );
    if (answer.status === 404)
      throw new Wrong(
        "the service has no platform operations",
        "set PLATFORM_TOKEN (`npx wrangler secret put PLATFORM_TOKEN`, or a line of worker.env); or the release there is older than this command: deploy it",
      );
    if (answer.status === 429) throw new Wrong(problemOf(answer), "wait a minute");
    return "accepted";
  });
  if (!accepted || answer === undefined) return false;
  const found = answer;
  const migrated = await report.check("control database", async (signal) => {
    if (found.status !== 200) throw await whyNone(found, target, signal);
    const { missing } = dataOf<Migrations>(found);
    if (missing.length === 0) return "up to date";
    if (missing.includes(FIRST_MIGRATION)) throw new Wrong("it has no tables", NEW_OR_LOST);
    throw new Wrong(`migrations missing: ${missing.length} (${missing.join(", ")})`, MIGRATE);
  });
  if (found.status !== 200) return false;
  await report.check("control durability", async () => durability(dataOf<Migrations>(found)));
  if (migrated) await report.check("adoption", (signal) => adoption(target, signal));
  return migrated;
}

/** Why the control database gave no answer, as the service's readiness says it. */
async function whyNone(answer: Answer, target: Target, signal: AbortSignal): Promise<Wrong> {
  const { faults } = await readiness(target, signal);
  const [fault] = faults;
  if (fault === undefined) return new Wrong(`${problemOf(answer)}; it answers again`, LOG_OF_ID);
  const [found, remedy] = saidOf(fault);
  return new Wrong(found, remedy);
}

async function adoption({ base, headers }: Target, signal: AbortSignal): Promise<string> {
  const answer = await ask("GET", new URL("/platform/adoption", base), "try again", { headers, signal });
  const found = dataOf<Adoption>(expectStatus(answer, 200, PROVIDER));
  if (found.waiting)
    throw new Wrong(
      `the control database was put back from a backup of ${found.taken_at}: companies and keys that came since are unknown, and keys that were revoked since may work`,
      ADOPT,
    );
  const unknown = (found.databases ?? []).filter(
    ({ name, company }) => company === null && OWN_NAME.test(name),
  );
  if (unknown.length > 0)
    throw new Wrong(
      `the control database does not know ${counted(unknown.length, "database")} of companies, such as ${unknown[0]?.name}`,
      ADOPT,
    );
  return found.databases === null ? "nothing waits to be taken in" : "every company's database is known";
}

async function durability({ durability: found }: Migrations): Promise<string> {
  if (found === "strong") return "its commits survive a power cut";
  if (found === "unmanaged")
    return "its provider's: the service does not set it (on sqld: not of SQLD_DATABASE_URL)";
  if (found === "relaxed") throw new Wrong("relaxed: a power cut loses the last commits", MIGRATE);
  throw new Wrong(
    "the database provider did not report it",
    "are SQLD_ADMIN_URL and SQLD_ADMIN_TOKEN right, and is the admin port reached from there?",
  );
}

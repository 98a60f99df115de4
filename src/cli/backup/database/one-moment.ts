import { ulid } from "#shared/text/ulid.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import type { Provisioner, ProvisionerVariables } from "#tenancy/provision/index.ts";
import { Failure, lineOf } from "../../failure.ts";
import { readingAgain } from "./databases.ts";
import { type Address, Stream } from "./stream.ts";

const NEEDED = ["TURSO_ORGANIZATION", "TURSO_GROUP", "TURSO_API_TOKEN"] as const;
const PAUSE_MS = 500;
const MOST_PAUSES = 60;

/** Whether what runs that were killed have left behind was looked for. */
let isSwept = false;

/**
 * Reads a database as it is at one moment, in pages: within one transaction, or, where that may take 5 seconds only, of a
 * branch that is made for it and removed. `read` is called again, with a new stream, where the server ends its stream.
 */
export async function atOneMoment<Result>(
  address: Address,
  read: (stream: Stream) => Promise<Result>,
): Promise<Result> {
  const { hostname } = new URL(address.url.replace(/^libsql:/, "https:"));
  if (!hostname.endsWith(".turso.io")) return readingAgain(address, read);
  const { provisioner, branch } = await turso();
  const [label = ""] = hostname.split(".");
  const name = nameAt(Date.now());
  try {
    const copy = await branch(label.slice(0, -`-${process.env.TURSO_ORGANIZATION}`.length), name);
    const stream = new Stream(copy, { isStill: true });
    await answers(stream);
    return await read(stream);
  } finally {
    await provisioner.remove(name);
  }
}

async function turso() {
  const missing = NEEDED.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Failure(
      `${missing.join(", ")} missing: a backup on Turso is read from a branch of the database`,
    );
  const { provisionerOf } = await import("#tenancy/provision/index.ts");
  const env = process.env as Partial<ProvisionerVariables>;
  const provisioner = provisionerOf({ ...env, DATABASE_PROVIDER: "turso" });
  if (provisioner.branch === undefined) throw new Failure("The provider makes no branches");
  if (!isSwept) await sweep(provisioner);
  isSwept = true;
  return { provisioner, branch: provisioner.branch.bind(provisioner) };
}

/** Removes the branches of runs that were killed; one that is a day old is read no more. */
async function sweep(provisioner: Provisioner): Promise<void> {
  const yesterday = nameAt(Date.now() - DAY_MS);
  const old = ((await provisioner.names()) ?? []).filter(
    (name) => /^backup-[0-9a-z]{26}$/.test(name) && name < yesterday,
  );
  for (const name of old) await provisioner.remove(name);
}

// ULIDs sort by their time. No company's database is called so.
function nameAt(at: number): string {
  return `backup-${ulid(at).toLowerCase()}`;
}

/** Waits until a new branch answers; throws a Failure after half a minute. */
async function answers(stream: Stream): Promise<void> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      await stream.all("SELECT 1");
      return;
    } catch (error) {
      if (pauses === MOST_PAUSES) throw new Failure(`The branch does not answer: ${lineOf(error)}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

import { directoryOf } from "#api/environment.ts";
import { Database } from "#core/database/database.ts";
import type { Job } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { upgraderOf } from "#tenancy/context.ts";
import { findCompany } from "#tenancy/directory.ts";
import { upgradeBefore } from "#tenancy/migrations/becomes-ready.ts";
import { dueReencryptions } from "#tenancy/rotation/due.ts";
import { reencryptDatabase } from "#tenancy/rotation/re-encrypt-database.ts";
import { CONTROL_SECRET_KINDS } from "#tenancy/secret-kinds.ts";
import type { Env } from "../env.ts";
import { COMPANY_SECRET_KINDS } from "./secret-kinds.ts";

const MOST_PAGES = 20;

/** While the master key is being changed: queues a job for each company due, and looks through the control database. */
export async function scheduleReencryption(env: Env, now: number): Promise<void> {
  const directory = directoryOf(env);
  let isControlDue = false;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { control, companies, more } = await dueReencryptions(directory, now);
    isControlDue ||= control;
    if (companies.length > 0)
      await env.HOUSEKEEPING.sendBatch(companies.map((company) => ({ body: { kind: "reseal", company } })));
    if (!more) break;
  }
  if (!isControlDue) return;
  const place = {
    slug: null,
    kinds: CONTROL_SECRET_KINDS,
    database: async () => new Database(directory.control),
  };
  await reencryptDatabase(directory, place, now);
}

/** One company's job; also of one that is suspended. Never throws: what could not be done is due again. */
export async function reencryptCompany(env: Env, message: Message<Job>, now: number): Promise<void> {
  const directory = directoryOf(env);
  const slug = message.body.company;
  const database = async () => {
    const company = await findCompany(directory, slug, now);
    if (company === null) throw new Error(`There is no company ${slug}`);
    await upgradeBefore(() => upgraderOf(env, directory), company, now)?.();
    return new Database(company.address);
  };
  await reencryptDatabase(directory, { slug, kinds: COMPANY_SECRET_KINDS, database }, now).catch((error) =>
    logFault("job", error, slug),
  );
  message.ack();
}

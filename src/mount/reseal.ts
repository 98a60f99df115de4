import { findCompany } from "#control/directory.ts";
import { dueResealings } from "#control/rotation/due.ts";
import { resealDatabase } from "#control/rotation/reseal-database.ts";
import { CONTROL_SEALS } from "#control/seals.ts";
import { directoryOf } from "#http/environment.ts";
import { Database } from "#platform/database/database.ts";
import type { Job } from "#platform/jobs.ts";
import { logFault } from "#platform/log.ts";
import type { Env } from "../env.ts";
import { COMPANY_SEALS } from "./seals.ts";

const MOST_PAGES = 20;

/** While the master key is being changed: queues a job for each company due, and looks through the control database. */
export async function scheduleResealings(env: Env, now: number): Promise<void> {
  const directory = directoryOf(env);
  let isControlDue = false;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { control, companies, more } = await dueResealings(directory, now);
    isControlDue ||= control;
    if (companies.length > 0)
      await env.HOUSEKEEPING.sendBatch(companies.map((company) => ({ body: { kind: "reseal", company } })));
    if (!more) break;
  }
  if (!isControlDue) return;
  const place = { slug: null, kinds: CONTROL_SEALS, database: async () => new Database(directory.control) };
  await resealDatabase(directory, place, now);
}

/** One company's job; also of one that is suspended. Never throws: what could not be done is due again. */
export async function resealCompany(env: Env, message: Message<Job>, now: number): Promise<void> {
  const directory = directoryOf(env);
  const slug = message.body.company;
  const database = async () => {
    const company = await findCompany(directory, slug, now);
    if (company === null) throw new Error(`There is no company ${slug}`);
    return new Database(company.address);
  };
  await resealDatabase(directory, { slug, kinds: COMPANY_SEALS, database }, now).catch((error) =>
    logFault("job reseal", error),
  );
  message.ack();
}

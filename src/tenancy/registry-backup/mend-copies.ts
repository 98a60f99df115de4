import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#core/context.ts";
import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { apiKeys, companies } from "#tables/tenancy";
import { keyCopies } from "#tables/tenancy/own-database";
import type { CompanyRecord, Directory } from "../directory.ts";
import { companyRow, keyRow, putCompany, putKeys } from "./copy-rows.ts";
import type { CompanyCopy, KeyCopy } from "./schema.ts";
import { writeTold } from "./write-told.ts";

/** Which copies are mended; `undone` is the instant of a write whose copies came before it, and that was refused. */
type Mended = { slug: string; now: number; undone?: number; clientId?: string };
type Page = { company: CompanyCopy; keys: (KeyCopy & { id: number })[]; all: number };

const PAGE = 500;
// Who changed a key stands in the audit log of the keys.
const MENDER: Actor = { type: "system", id: "mend", name: "see the audit log of the keys" };

/** An hourly job: writes the copies that could not be written beside their operation. */
export function mendOwnCopies(
  directory: Directory,
  { slug, address }: CompanyRecord,
  now: number,
): Promise<void> {
  return mendCopies(new Database(directory.control), Database.ofCompany(address), { slug, now });
}

/**
 * Writes what a company's registry backup lacks, 500 keys at a time. A later copy stays, a revoked one stays revoked,
 * and so does one of a key that the control database does not know: only a rebuild of the registry takes those in.
 */
export async function mendCopies(control: Database, company: Database, mended: Mended): Promise<void> {
  const { slug, now, undone, clientId } = mended;
  let known = 0;
  let after = 0;
  for (let left = PAGE; left === PAGE; ) {
    const page = await readPage(control, mended, after);
    if (page === undefined) return;
    known = page.all;
    left = page.keys.length;
    after = page.keys.at(-1)?.id ?? after;
    const live = JSON.stringify(
      page.keys.filter((key) => key.revoked_at === null).map((key) => key.client_id),
    );
    const results = await writeTold(company, { actor: MENDER, now }, [
      putCompany(page.company, undone),
      ...putKeys(page.keys, undone),
      sql`SELECT client_id FROM ${keyCopies} WHERE revoked_at IS NOT NULL
        AND client_id IN (SELECT value FROM json_each(${live})) LIMIT 1`,
      sql`SELECT count(*) AS copies FROM ${keyCopies}`,
    ]);
    const [revoked, counted] = results.slice(-2);
    const [revokedId, copies] = [revoked?.rows[0]?.client_id, Number(counted?.rows[0]?.copies)];
    if (revokedId !== undefined) report(`${slug} has key ${revokedId} as revoked, which works`);
    if (clientId === undefined && left < PAGE && copies > known)
      report(`${slug} has ${copies - known} keys that the control database does not know`);
  }
}

/** Writes the copies of a company that was just made; who made its key hears of no change. */
export async function firstCopies(control: Database, company: Database, slug: string): Promise<void> {
  const page = await readPage(control, { slug }, 0);
  if (page !== undefined) await company.write([putCompany(page.company), ...putKeys(page.keys)]);
}

async function readPage(
  control: Database,
  { slug, clientId }: Pick<Mended, "slug" | "clientId">,
  after: number,
): Promise<Page | undefined> {
  const here = and(eq(companies.slug, slug), sql`${companies.status} <> 'provisioning'`);
  const id = sql`(SELECT ${companies.id} FROM ${companies} WHERE ${here})`;
  const one = clientId === undefined ? undefined : eq(apiKeys.clientId, clientId);
  const json = (row: SQL) => sql<string>`${row}`;
  const [[company], keys, [all]] = await control.read([
    control.build
      .select({ row: json(companyRow) })
      .from(companies)
      .where(here),
    control.build
      .select({ id: apiKeys.id, row: json(keyRow) })
      .from(apiKeys)
      .where(and(eq(apiKeys.companyId, id), gt(apiKeys.id, after), one))
      .orderBy(apiKeys.id)
      .limit(PAGE),
    control.build.select({ keys: sql<number>`count(*)` }).from(apiKeys).where(eq(apiKeys.companyId, id)),
  ]);
  if (company === undefined) return undefined;
  return {
    company: JSON.parse(company.row),
    keys: keys.map((key) => ({ ...JSON.parse(key.row), id: key.id })),
    all: all?.keys ?? 0,
  };
}

function report(found: string): void {
  logFault("key_copies", new Error(`The registry backup of ${found}: run \`company-ops adopt\``));
}

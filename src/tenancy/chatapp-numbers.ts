import { and, eq, inArray, or, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { Problem } from "#shared/problem.ts";
import { chatappNumbers, companies } from "#tables/tenancy";
import { type CompanyRecord, type Directory, findCompany } from "./directory.ts";

/** Routes the callbacks of a chat-app number to a company. Throws 409 `conflict` when another company has it. */
export async function assignNumber(
  directory: Directory,
  companyId: number,
  phoneNumberId: string,
  now: number,
): Promise<void> {
  const control = new Database(directory.control);
  const [, owner] = await control.write([
    sql`INSERT INTO ${chatappNumbers} (phone_number_id, company_id, assigned_at)
      VALUES (${phoneNumberId}, ${companyId}, ${now}) ON CONFLICT DO NOTHING`,
    sql`SELECT company_id FROM ${chatappNumbers} WHERE phone_number_id = ${phoneNumberId}`,
  ]);
  if (Number(owner?.rows[0]?.company_id) !== companyId) {
    throw new Problem("conflict", {
      message: "Another company receives the callbacks of this phone number",
      members: { field: "config.phone_number_id" },
    });
  }
}

/** Ends what `assignNumber` began; the number is free for another company. */
export async function releaseNumber(
  directory: Directory,
  companyId: number,
  phoneNumberId: string,
): Promise<void> {
  const control = new Database(directory.control);
  const mine = and(eq(chatappNumbers.phoneNumberId, phoneNumberId), eq(chatappNumbers.companyId, companyId));
  await control.write([control.build.delete(chatappNumbers).where(mine)]);
}

/** The companies that a callback names: each by its own id, and by every chat-app number of it that was asked for. */
export type Routed = { byId: Map<number, CompanyRecord>; byNumber: Map<string, CompanyRecord> };

/** Finds the active companies of these ids and chat-app numbers. */
export async function routeCallback(
  directory: Directory,
  ids: readonly number[],
  numbers: readonly string[],
  now: number,
): Promise<Routed> {
  const control = new Database(directory.control);
  const [rows] = await control.read([
    control.build
      .select({ slug: companies.slug, number: chatappNumbers.phoneNumberId })
      .from(companies)
      .leftJoin(chatappNumbers, eq(chatappNumbers.companyId, companies.id))
      .where(or(inArray(companies.id, [...ids]), inArray(chatappNumbers.phoneNumberId, [...numbers]))),
  ]);
  const routed: Routed = { byId: new Map(), byNumber: new Map() };
  for (const { slug, number } of rows) {
    const company = await findCompany(directory, slug, now);
    if (company?.status !== "active") continue;
    if (ids.includes(company.id)) routed.byId.set(company.id, company);
    if (number !== null && numbers.includes(number)) routed.byNumber.set(number, company);
  }
  return routed;
}

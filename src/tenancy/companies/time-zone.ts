import { eq } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { companies } from "#tables/tenancy";
import { type Directory, forgetCompany } from "../directory.ts";

/** Sets a company's time zone: it decides what "today" is there from the next call on. */
export async function changeTimezone(
  directory: Directory,
  company: { id: number; slug: string },
  timezone: string,
  now: number,
): Promise<void> {
  const control = new Database(directory.control);
  await control.write([
    control.build.update(companies).set({ timezone, updatedAt: now }).where(eq(companies.id, company.id)),
  ]);
  forgetCompany(company.slug);
}

import type { TestCompany } from "../../support/company.ts";
import { accepted, sendEmail } from "./provider.ts";

/** Mails to so many recipients, 50 at a time, whose provider answers each after a second. */
export async function sendSlowly(company: TestCompany, count: number, name = "slow"): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => ({
    email: `${name}@${index}.${company.slug}.example`,
  }));
  for (let start = 0; start < count; start += 50)
    accepted(await sendEmail(company, { to: all.slice(start, start + 50) }));
}

/** For how many recipients a provider has been asked. */
export async function asked(company: TestCompany): Promise<number> {
  const sql = "SELECT count(*) AS asked FROM message_recipients WHERE attempts > 0";
  return Number((await company.rows(sql))[0]?.asked);
}

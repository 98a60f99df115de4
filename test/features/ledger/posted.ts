import type { TestCompany } from "../../support/company.ts";

type Row = { source_type: string; reason: string };

/** What has no entry, and why. */
export async function unposted(company: TestCompany): Promise<string[]> {
  const rows = await company.read<Row[]>("/ledger/:company/unposted");
  return rows.map(({ source_type: type, reason }) => `${type} ${reason}`);
}

/** Lets the clock or the hourly job post all. */
export const allPosted = (company: TestCompany) =>
  company.sweep(async () => (await unposted(company)).length === 0);

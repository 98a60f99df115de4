import { afterAll, expect } from "vitest";
import { INVARIANTS } from "#integrity/invariants/index.ts";
import { brokenRows } from "#integrity/invariants/sentence.ts";
import { COMPARED, rowsOf } from "#integrity/moves/compared.ts";
import { differencesIn } from "#integrity/moves/differences.ts";
import { openCompany, type TestCompany } from "./company.ts";

/** The statement after rows that a test writes by hand: it stamps their events, which the clock would call a fault. */
export const STAMP_BY_HAND =
  "UPDATE events SET at = 1, request_id = 'by hand', shape = 1 WHERE request_id IS NULL";

/** Checks what must hold of a company's database at every commit; for the end of a test. */
export async function expectSound(company: TestCompany): Promise<void> {
  const names = Object.keys(INVARIANTS);
  const selects = Object.values(INVARIANTS).map((sentence) => brokenRows(sentence));
  const results = await company.database().batch(selects, "read");
  const broken = names
    .map((name, index) => ({ name, rows: results[index]?.rows ?? [] }))
    .filter(({ rows }) => rows.length > 0);
  expect(broken).toEqual([]);
  await expectShownAsMoved(company);
}

/** Has what was opened for the tests of a file or a suite be sound after them. */
export function soundAtEnd<Opened extends { company: TestCompany }>(opened: Opened): Opened {
  afterAll(() => expectSound(opened.company));
  return opened;
}

/** Opens a company for such tests. */
export async function openSound(fields: Record<string, unknown> = {}): Promise<TestCompany> {
  return soundAtEnd({ company: await openCompany(fields) }).company;
}

/** Checks that records show what their moves come to, once those of an earlier release have become moves. */
async function expectShownAsMoved(company: TestCompany): Promise<void> {
  const unmoved = await company.rows("SELECT 1 FROM converted_moves WHERE through < until");
  if (unmoved.length > 0) return;
  const results = await company.database().batch(Object.values(COMPARED), "read");
  const found = differencesIn(rowsOf(results.map(({ rows }) => rows))).filter(({ name }) => name === null);
  expect(found).toEqual([]);
}

// The mail of a notification is made by a job, some time after what it reports; its row of `notifications` is counted.
const WITHOUT_MAILS: Record<string, string> = {
  messages: "rule IS NULL",
  message_recipients: "message_id IN (SELECT id FROM messages WHERE rule IS NULL)",
};

/** How many rows each table holds but for what the clock and jobs make, as links of the audit log: equal where nothing was written. */
export async function rowCounts(company: TestCompany): Promise<Record<string, unknown>> {
  const database = company.database();
  const tables = await database.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT IN ('audit_keys', 'audit_links', 'paper_digests') ORDER BY name",
  );
  const counts = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) AS rows FROM "${name}" WHERE ${WITHOUT_MAILS[String(name)] ?? "true"}`,
  );
  const { rows } = await database.execute(counts.join(" UNION ALL "));
  return Object.fromEntries(rows.map((row) => [String(row.name), row.rows]));
}

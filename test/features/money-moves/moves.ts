import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

/** Each move as `whose from > to amount`, in the order of their keys; in minor units. */
export async function movesOf(company: TestCompany): Promise<string[]> {
  const rows = await company.rows(`SELECT sale || ': ' || from_kind || coalesce(' ' || from_id, '') || ' > '
    || to_kind || coalesce(' ' || to_id, '') || ' ' || amount || iif(takes_back IS NULL, '', ' back') AS move
    FROM money_moves ORDER BY key`);
  return rows.map(({ move }) => String(move));
}

// What ends hold by the moves, less what the records of before say that they hold.
const HELD = `WITH held AS (
    SELECT to_kind AS kind, to_id AS id, from_kind AS other, sale, capture_id, amount FROM money_moves
    UNION ALL SELECT from_kind, from_id, to_kind, sale, capture_id, -amount FROM money_moves
  ), compared AS (
    SELECT 'pool of ' || sale AS what, amount FROM held WHERE kind = 'pool'
    UNION ALL SELECT 'pool of ' || sale, -advance_amount FROM gateway_captures JOIN sales_of_captures USING (id)
    UNION ALL SELECT 'to allocate of ' || sale, -amount FROM held WHERE kind = 'to_allocate'
    UNION ALL SELECT 'to allocate of ' || sale, -owed FROM uncovered_refunds JOIN sales_of_captures AS capture ON capture.id = capture_id
    UNION ALL SELECT 'capture ' || id, -amount FROM held WHERE kind = 'capture' AND other = 'pool'
    UNION ALL SELECT 'capture ' || id, -amount FROM gateway_captures
    UNION ALL SELECT 'back of ' || capture_id, amount FROM held WHERE kind = 'payer'
    UNION ALL SELECT 'back of ' || id, -refunded_amount FROM gateway_captures
    UNION ALL SELECT 'credit of ' || id, -amount FROM held WHERE kind = 'note'
    UNION ALL SELECT 'credit of ' || id, -applied_amount - paid_out_amount - gateway_refunded_amount FROM credit_notes
    UNION ALL SELECT 'paid of ' || id, amount FROM held WHERE kind = 'invoice' AND other IN ('hand', 'pool')
    UNION ALL SELECT 'tds of ' || id, amount FROM held WHERE kind = 'invoice' AND other = 'tds'
    UNION ALL SELECT 'credited of ' || id, amount FROM held WHERE kind = 'invoice' AND other = 'note'
    UNION ALL SELECT 'paid of ' || id, -amount_paid FROM invoices
    UNION ALL SELECT 'tds of ' || id, -tds_amount FROM invoices
    UNION ALL SELECT 'credited of ' || id, -amount_credited FROM invoices
  ) SELECT what, sum(amount) AS too_much FROM compared GROUP BY what HAVING sum(amount) <> 0`;

/** Captures = documents + back + by hand + pool, and each has what is answered of it; both checks find nothing. */
export async function expectConserved(company: TestCompany): Promise<void> {
  expect(await company.rows(HELD)).toEqual([]);
  await expectSound(company);
}

/** Makes a company's database one of a release before a migration, whose rows a statement takes out. */
export async function without(company: TestCompany, migration: string, rows = ""): Promise<void> {
  const path = join(import.meta.dirname, `../../../migrations/company/${migration}.sql`);
  const made = readFileSync(path, "utf8").matchAll(/^CREATE (TABLE|VIEW|TRIGGER|INDEX) (\w+)/gm);
  const drops = [...made].toReversed().map(([, type, name]) => `DROP ${type} ${name};`);
  const sql = `${rows}; ${drops.join("")} DELETE FROM migrations WHERE name = '${migration}';`;
  await company.database().executeMultiple(sql);
}

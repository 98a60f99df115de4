import { describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { prepare, recordIn, writes } from "../../support/operations.ts";
import { untilQuiet } from "../../support/round-trips.ts";

const dry = writes.filter(({ dryRun }) => dryRun);
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

// Jobs write them in their own time, whatever a call does.
const OF_JOBS = new Set(["paper_digests", "notifications"]);

/** All rows of the company, a text for each table. */
async function rowsOf(company: TestCompany): Promise<Record<string, string>> {
  await untilQuiet(company);
  const names = (await company.rows(TABLES)).map(({ name }) => String(name));
  const texts = names.map(async (name) => {
    const rows = await company.rows(`SELECT * FROM "${name}"`);
    return [name, JSON.stringify(rows.map((row) => Object.values(row).map(String)))] as const;
  });
  const all = await Promise.all(texts);
  return Object.fromEntries(all.filter(([name]) => !OF_JOBS.has(name)));
}

test("every write about money has a dry run, and so has each of an instructor's leave", () => {
  expect(dry.map(({ id }) => id).sort()).toEqual(
    `applyCreditNote cancelBooking cancelStaffBooking createCreditNote createExpense createInvoice
    createJournalEntry createOpeningBalances createOverride createRefund createSettlement
    createStaffBooking createTransfer deleteOverride dismissRefundReport dismissRefundReview invoiceBooking
    payOutCreditNote postMissing putSchedule recordPayment refundPayment reopenCapture resolveOrder
    retryRefund reverseCreditApplication reverseCreditNotePayout reverseJournalEntry reverseReceipt
    reverseSettlement settleCapture updateBooking updateInstructor voidCreditNote voidInvoice`.split(/\s+/),
  );
});

describe("a dry run", () => {
  test.concurrent.for(dry)(
    "of $id answers what the call would, and leaves no row",
    async (operation: Operation) => {
      const company = await openCompany();
      const { method, path, body } = await prepare(company, operation);
      const before = await rowsOf(company);
      const headers = { "Idempotency-Key": `dry-${operation.id}` };
      const tried = await company.call(method, `${path}?dry_run=true`, { body, headers });
      expect(tried.status, tried.text).toBe(operation.status);
      expect(tried.headers.get("Idempotent-Replayed")).toBeNull();
      expect(operation.result.parse(recordIn(operation, tried))).toEqual(recordIn(operation, tried));
      expect(await rowsOf(company)).toEqual(before);
      const done = await company.call(method, path, { body, headers });
      expect(done.status, done.text).toBe(operation.status);
      expect(done.headers.get("Idempotent-Replayed")).toBeNull();
    },
  );
});

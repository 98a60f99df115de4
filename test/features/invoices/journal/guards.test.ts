import { describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { openSound, rowCounts } from "../../../support/oracles.ts";
import { newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";

const company = await openSound(REGISTERED);
await newInvoice(company, (await newCustomer(company)).id);

/** Runs statements straight on the database, in one batch as the service would, and expects the refusal. */
async function expectRefused(code: string, ...statements: string[]): Promise<void> {
  const before = await rowCounts(company);
  await expect(company.database().batch(statements, "write")).rejects.toThrow(code);
  expect(await rowCounts(company)).toEqual(before);
}

describe("a posted entry changes no more", () => {
  test.each([
    "UPDATE journal_entries SET narration = 'Changed'",
    "UPDATE journal_entries SET entry_date = '2026-01-01'",
    "UPDATE journal_entries SET entry_number = 'JV/1'",
    "UPDATE journal_entries SET source_id = 99",
    "UPDATE journal_entries SET status = 'draft'",
    "UPDATE journal_entries SET status = 'voided', narration = 'Changed'",
    "UPDATE journal_entries SET id = 99",
    "DELETE FROM journal_entries",
    "UPDATE journal_lines SET debit = debit + 1 WHERE debit > 0",
    "UPDATE journal_lines SET account_id = 1",
    "UPDATE journal_lines SET entry_id = 99",
    "DELETE FROM journal_lines",
    "INSERT INTO journal_lines (entry_id, position, account_id, debit) SELECT 1, 90, id, 1 FROM accounts LIMIT 1",
    "INSERT OR REPLACE INTO journal_lines (entry_id, position, account_id, debit) VALUES (1, 1, 1, 1)",
  ])("%s is refused", async (statement) => {
    await expectRefused("entry_is_posted", statement);
  });

  test("a voided one neither", async () => {
    await expectRefused(
      "entry_is_posted",
      "UPDATE journal_entries SET status = 'voided'",
      "UPDATE journal_entries SET status = 'posted'",
    );
  });
});

const draft = `INSERT INTO journal_entries
  (operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id, narration, created_at)
  VALUES ('test', 0, 'JV/TEST', '2026-06-15', 'journal', 'test', 1, 'Test', 0)`;
const post = "UPDATE journal_entries SET status = 'posted' WHERE operation = 'test'";

function entryLine(position: number, debit: number, credit: number): string {
  return `INSERT INTO journal_lines (entry_id, position, account_id, debit, credit)
    SELECT id, ${position}, ${position}, ${debit}, ${credit} FROM journal_entries WHERE operation = 'test'`;
}

describe("an entry is posted only when it balances", () => {
  test.each([
    ["by a paisa too much", [entryLine(1, 100_01, 0), entryLine(2, 0, 100_00)]],
    ["on one side only", [entryLine(1, 100, 0), entryLine(2, 100, 0)]],
    ["with one line", [entryLine(1, 100, 0)]],
    ["with none", []],
  ])("%s it is refused", async (_what, lines) => {
    await expectRefused("unbalanced_entry", draft, ...lines, post);
  });

  test("it cannot go from draft to voided", async () => {
    const void_ = "UPDATE journal_entries SET status = 'voided' WHERE operation = 'test'";
    await expectRefused("unbalanced_entry", draft, entryLine(1, 1, 0), entryLine(2, 0, 1), void_);
  });

  test("it cannot start as posted", async () => {
    const posted = draft.replace("created_at)", "created_at, status)").replace("0)", "0, 'posted')");
    await expectRefused("entry_not_draft", posted);
  });

  test.each([
    ["both sides", 1, 1],
    ["no side", 0, 0],
    ["a negative amount", -1, 0],
  ])("a line with %s is refused", async (_what, debit, credit) => {
    await expectRefused("journal_line_sides", draft, entryLine(1, debit, credit));
  });

  test("one that balances is posted, so the refusals above are for what they say", async () => {
    const own = await openCompany();
    await own
      .database()
      .batch([draft, entryLine(1, 100, 0), entryLine(2, 0, 60), entryLine(3, 0, 40), post], "write");
    expect(await own.rows("SELECT status FROM journal_entries")).toEqual([{ status: "posted" }]);
  });
});

import { afterEach, beforeAll, expect, test } from "vitest";
import { currentTexts, migratedDatabase } from "#tenancy/migrations/migrated-database.ts";
import { must } from "../../../support/company.ts";
import { check, rowsAsWritten, sentences, tamper } from "../../../tenancy/companies/self-check.ts";
import { postEntry } from "../../money.ts";
import { openBooks, TODAY, write } from "./books.ts";

const { company } = await openBooks();
const accountOf = (key: string) => `(SELECT id FROM accounts WHERE system_key = '${key}')`;
const onBank = `UPDATE journal_lines SET account_id = ${accountOf("customer_advances")} WHERE account_id = ${accountOf("bank")} AND entry_id`;
const HAS_ROW = "an entry by hand has its row, and is on an account that documents prove only to adjust tax";
const HAS_ENTRY = "what was made by hand has its entry";
let whole: string[];

beforeAll(async () => {
  const lines = [{ account_code: "1020", credit: 5 }];
  must(await postEntry(company, ["5050", "1020"], 5, TODAY), 201);
  must(await write(company, "opening-balances", { as_of: "2026-03-31", lines }), 201);
  expect(sentences(await check(company))).toEqual([]);
  // The clock keeps digests of the books as they are: not of those that a test has damaged.
  await company.untilChained();
  whole = await rowsAsWritten(company, ["manual_entries", "journal_entries", "journal_lines"]);
});
afterEach(async () => {
  await tamper(company, ["DELETE FROM manual_entries WHERE id > 2", ...whole]);
  expect(sentences(await check(company))).toEqual([]);
});

test.each([
  ["a line on a control account", `${onBank} = 1`, HAS_ROW],
  ["a line of opening balances on one", `${onBank} = 2`, HAS_ROW],
  ["a row that is gone", "DELETE FROM manual_entries WHERE id = 1", HAS_ROW],
  ["another kind", "UPDATE manual_entries SET kind = 'transfer' WHERE id = 1", HAS_ROW],
  [
    "a row without an entry",
    "INSERT INTO manual_entries SELECT 3, 'x', kind, 0, '', '', '', '[]', 1 FROM manual_entries LIMIT 1",
    HAS_ENTRY,
  ],
  [
    "a second opening",
    "UPDATE journal_entries SET voucher_type = 'opening' WHERE source_type = 'manual'",
    "no two opening balances stand",
  ],
])("the self-check names %s, which the database refuses", async (_what, change, sentence) => {
  await expect(company.rows(change)).rejects.toThrow();
  await tamper(company, [change]);
  expect(sentences(await check(company))).toContain(sentence);
});

test("a company that has given their codes and names to accounts of its own gets the next free ones", () => {
  const files = currentTexts("company").filter(({ name }) => /^\d\d_/.test(name));
  const file = files.find(({ name }) => name === "34_entries_by_hand");
  const database = migratedDatabase(
    "company",
    files.filter(({ name }) => name < "34"),
  );
  const own = "INSERT INTO accounts (code, name, type, created_at, updated_at) VALUES (?, ?, 'asset', 1, 1)";
  database.prepare(own).run("1212", "Input CGST");
  database.exec(String(file?.sql));
  const made = database.prepare(
    "SELECT code || ' ' || name AS text FROM accounts WHERE system_key LIKE 'input_%'",
  );
  expect(made.all().map(({ text }) => text)).toEqual([
    "1210 Input GST",
    "1211 Input CGST (1211)",
    "1213 Input SGST",
    "1214 Input IGST",
  ]);
});

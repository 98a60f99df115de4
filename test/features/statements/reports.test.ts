import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { setClock } from "../commerce.ts";
import { postEntry } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { SYDNEY } from "../school.ts";
import { allOf, openShop, TODAY } from "./company.ts";

type Report = Record<string, number> & { assets: { code: string; amount: number }[]; accounts: object[] };
const { company } = await openShop();
const report = (path: string, of: TestCompany = company) => of.read<Report>(`/ledger/:company/${path}`);

// In October two pieces were sold of each of two invoices, and one piece was taken back; what was voided or taken back since is of today.
test.each([
  ["", "2026-04-01", TODAY, 499.95, -0.05],
  ["?from=2026-10-01&to=2026-10-31", "2026-10-01", "2026-10-31", 499.95, -0.05],
  [`?from=${TODAY}`, TODAY, TODAY, -299.97, 0.03],
  ["?to=2026-03-31", "2025-04-01", "2026-03-31", 299.97, -0.03],
])("the profit and loss%s is that of the lines of its days", async (query, from, to, sales, roundOff) => {
  expect(await report(`profit-and-loss${query}`)).toEqual({
    ...{ from, to, currency: "INR", total_income: sales, total_expenses: roundOff },
    income: [{ code: "4000", name: "Sales", amount: sales }],
    expenses: [{ code: "5200", name: "Round Off", amount: roundOff }],
    net_profit: sales - roundOff,
  });
});

test.each([
  ["2026-03-31", 354, 254, 0, 300],
  ["2026-10-31", 944, 844, 300, 500],
  [TODAY, 944, 436, 300, 500],
])("both sides of the balance sheet of %s are %d", async (day, total, debtors, retained, current) => {
  const shown = await report(`balance-sheet?as_of=${day}`);
  expect(shown).toMatchObject({
    ...{ retained_earnings: retained, current_earnings: current },
    ...{ total_assets: total, total_liabilities_and_equity: total },
  });
  expect(shown.assets).toContainEqual({ code: "1100", name: "Sundry Debtors", amount: debtors });
  const each = await report(`balance-sheet?as_of=${day}&debtors=each`);
  expect(each.assets).toContainEqual(expect.objectContaining({ code: "1100-1" }));
  expect(each.total_assets).toBe(total);
});

test("the day book goes by days, then by entries, and its pages lose none", async () => {
  type Entry = { id: string; entry_date: string };
  const entries = await allOf<Entry>(company, "day-book", { from: "2026-02-01" });
  const rows = await company.rows(
    "SELECT CAST(id AS TEXT) AS id FROM journal_entries ORDER BY entry_date, journal_entries.id",
  );
  expect(entries.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  // Without days it is that of today: a void, and a payment that was taken back.
  expect(await company.read<object[]>("/ledger/:company/day-book")).toHaveLength(2);
});

test("a school in Sydney has its year from July, in dollars", async () => {
  const school = await openCompany(SYDNEY);
  await setClock(school, `${TODAY}T06:00:00Z`);
  must(await postEntry(school, ["1020", "4020"], 50, "2026-06-30"), 201);
  must(await postEntry(school, ["1020", "4020"], 70.5, "2026-07-01"), 201);
  const year = { currency: "AUD", net_profit: 70.5 };
  expect(await report("profit-and-loss", school)).toMatchObject({ from: "2026-07-01", ...year });
  const sheet = { retained_earnings: 50, current_earnings: 70.5, total_assets: 120.5 };
  expect(await report("balance-sheet", school)).toMatchObject({ currency: "AUD", ...sheet });
});

test("days out of order and words of no list are refused", async () => {
  const periods = ["profit-and-loss", "day-book", "customers/1/statement", "customers/1/statement/summary"];
  const paths = [...periods.map((path) => `${path}?to=2026-11-01`), "trial-balance?as_of=2026-11-01"];
  for (const path of paths)
    expectRefused(await company.call("GET", `/ledger/:company/${path}&from=2026-11-02`), { from: "too_big" });
  for (const field of ["debtors", "format"]) {
    const answer = await company.call("GET", `/ledger/:company/balance-sheet?${field}=x`);
    expectRefused(answer, { [field]: "invalid_value" });
  }
});

test("books whose two sides differ give no balance sheet", async () => {
  await company.rows("DROP TRIGGER journal_line_is_immutable");
  await company.rows("UPDATE journal_lines SET debit = debit + 1 WHERE entry_id = 1 AND position = 1");
  for (const query of ["", "?format=html", "?debtors=each"]) {
    const answer = await company.call("GET", `/ledger/:company/balance-sheet${query}`);
    expect(answer).toMatchObject(refusal(500, "internal_error"));
    expect(answer.text).not.toContain("assets");
  }
});

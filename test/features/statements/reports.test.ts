import { expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { setClock } from "../commerce.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { allOf, openShop, summing, TODAY } from "./company.ts";

type Report = Record<string, number> & { assets: { code: string; amount: number }[]; accounts: object[] };
const { company } = await openShop();
const sum = await summing(company);
const report = (path: string, of: TestCompany = company) => of.read<Report>(`/ledger/:company/${path}`);
const isProfit = ({ type }: { type: string }) => type === "income" || type === "expense";

test.each([
  ["", "2026-04-01", TODAY],
  ["?from=2026-10-01&to=2026-10-31", "2026-10-01", "2026-10-31"],
  ["?to=2026-03-31", "2025-04-01", "2026-03-31"],
])("the profit and loss%s is that of the lines of its days", async (query, from, to) => {
  const within = ({ entry_date: day }: { entry_date: string }) => day >= from && day <= to;
  const of = (type: string) => sum((one) => one.type === type && within(one));
  const [income, expenses] = [-of("income"), of("expense")];
  expect(await report(`profit-and-loss${query}`)).toMatchObject({
    ...{ from, to, currency: "INR", total_income: income, total_expenses: expenses },
    net_profit: -sum((one) => isProfit(one) && within(one)),
  });
});

test("October sold two invoices and took one piece back", async () => {
  expect(await report("profit-and-loss?from=2026-10-01&to=2026-10-31")).toMatchObject({
    income: [{ code: "4000", name: "Sales", amount: 499.95 }],
    ...{ total_income: 499.95, total_expenses: -0.05, net_profit: 500 },
  });
});

test.each(["2026-03-31", "2026-10-31", TODAY])(
  "both sides of the balance sheet of %s are equal",
  async (day) => {
    const start = day < "2026-04-01" ? "2025-04-01" : "2026-04-01";
    const upTo = (type: string) => sum((one) => one.type === type && one.entry_date <= day);
    const earlier = -sum((one) => isProfit(one) && one.entry_date < start) || 0;
    const [shown, each] = [
      await report(`balance-sheet?as_of=${day}`),
      await report(`balance-sheet?as_of=${day}&debtors=each`),
    ];
    expect(shown).toMatchObject({
      ...{
        retained_earnings: earlier,
        total_assets: upTo("asset"),
        total_liabilities_and_equity: upTo("asset"),
      },
      current_earnings: -sum((one) => isProfit(one) && one.entry_date >= start && one.entry_date <= day),
    });
    const debtors = sum(({ code, entry_date: of }) => code.startsWith("1100") && of <= day);
    expect(shown.assets).toContainEqual({ code: "1100", name: "Sundry Debtors", amount: debtors });
    expect(each.assets).toContainEqual(expect.objectContaining({ code: "1100-1" }));
    expect(each.total_assets).toBe(shown.total_assets);
  },
);

test("a trial balance from a day on has what each account had before it", async () => {
  const shown = await report("trial-balance?debtors=together&from=2026-10-01&as_of=2026-10-31");
  const debtors = { opening_balance: 254, debit: 708, credit: 118, balance: 844 };
  expect(shown.accounts).toContainEqual({ code: "1100", name: "Sundry Debtors", type: "asset", ...debtors });
  expect((await report("trial-balance?debtors=together&as_of=2026-10-31")).accounts).toContainEqual(
    expect.objectContaining({ code: "1100", debit: 1_062, credit: 218, balance: 844 }),
  );
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
  const school = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
  await setClock(school, `${TODAY}T06:00:00Z`);
  const post = (id: number, day: string, amount: number) => [
    `INSERT INTO journal_entries (operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id, narration, created_at)
      VALUES ('by hand', ${id}, 'JV/${id}', '${day}', 'journal', 'manual', ${id}, '', 0)`,
    `INSERT INTO journal_lines SELECT ${id}, id, id, iif(code = '1020', ${amount}, 0), iif(code = '1020', 0, ${amount})
      FROM accounts WHERE code IN ('1020', '4020')`,
    `UPDATE journal_entries SET status = 'posted' WHERE id = ${id}`,
  ];
  await school.database().batch([...post(1, "2026-06-30", 5_000), ...post(2, "2026-07-01", 7_050)], "write");
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

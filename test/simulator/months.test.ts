import { expect, test } from "vitest";
import { expectSound } from "../support/oracles.ts";
import { SEED } from "./draw.ts";
import { AUSTRALIA, type Country, INDIA, Month, openOn } from "./month.ts";
import { type Amounts, addDays, addUp } from "./month-model.ts";
import { SCHOOL_IN_INDIA, SCHOOL_IN_SYDNEY, SHOP } from "./month-moves.ts";
import type { Moves } from "./world.ts";

// Random months of each company. More by hand: MONTHS=12 npm run model
const MONTHS = Number(process.env.MONTHS ?? 1);
const STEPS = 40;
const LEDGER = "/ledger/:company";
const paise = (amount: unknown) => Math.round(Number(amount) * 100);

test.each<[string, Country, Moves<Month>, boolean]>([
  ["a shop in India, whose reversals are of the day of what they take back", INDIA, SHOP, true],
  ["a school in India", INDIA, SCHOOL_IN_INDIA, false],
  ["a school in Sydney", AUSTRALIA, SCHOOL_IN_SYDNEY, false],
])(
  `random months of %s: the statements are an accountant's own (seed ${SEED})`,
  { timeout: 120_000 + MONTHS * 30_000 },
  async (_name, country, moves, asksForItsDay) => {
    for (let run = 0; run < MONTHS; run += 1) {
      const seed = SEED + run;
      const given = await openOn(country, dayOf(2026, 3 + (seed % 12), 1), 10_000 + (seed % 90_000));
      await liveThrough(new Month(given, seed, asksForItsDay), moves);
    }
  },
);

const dayOf = (...parts: [number, number, number]) => new Date(Date.UTC(...parts)).toISOString().slice(0, 10);

/** A month, three days in which it is corrected, and three after it is locked. */
async function liveThrough(world: Month, moves: Moves<Month>): Promise<void> {
  const { first } = world.given;
  const last = dayOf(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 0);
  const days = Number(last.slice(8)) + 3;
  for (let step = 0; step < STEPS; step += 1) {
    await world.begin(addDays(first, Math.floor((step * days) / STEPS)));
    await world.inRounds(moves, 1, 1);
  }
  await expectAgreed(world, first, last);
  if (world.asksForItsDay) await expectDocumented(world, first, last);
  await world.company.change("/settings/:company/books", { locked_through: last });
  world.lockedThrough = last;
  for (let day = days; day < days + 3; day += 1) {
    await world.begin(addDays(first, day));
    await world.inRounds(moves, 3, 1);
  }
  await expectAgreed(world, first, last);
  await expectAgreed(world, first, world.today);
  expect(await world.company.read(`${LEDGER}/self-check`)).toMatchObject({ broken: [] });
  await expectSound(world.company);
}

type Rows = Record<string, unknown>[];

async function expectAgreed(world: Month, from: string, to: string): Promise<void> {
  const { company, books, today, given } = world;
  await world.earn();
  const read = (path: string) => company.read<Record<string, object & Rows>>(`${LEDGER}/${path}`);
  expect(inPaise(await read(`profit-and-loss?from=${from}&to=${to}`))).toEqual(books.profitAndLoss(from, to));
  expect(inPaise(await read(`balance-sheet?as_of=${to}`))).toEqual(
    books.balanceSheet(to, given.country.firstMonth),
  );
  const { accounts = [] } = await read(`trial-balance?from=${from}&as_of=${to}&debtors=together`);
  for (const [column, amounts] of Object.entries(books.trialBalance(from, to)))
    expect([column, byName(accounts, column)]).toEqual([column, amounts]);
  for (const customer of new Set(books.papers.flatMap((paper) => paper.customer ?? []))) {
    const path = `customers/${customer}/statement/summary?from=${from}&to=${to}`;
    const { opening_balance, closing_balance, ageing = {} } = await read(path);
    expect([opening_balance, closing_balance].map(paise)).toEqual(books.owed(customer, from, to));
    const byAge = addUp(Object.entries(ageing).map(([bucket, amount]) => [bucket, paise(amount)]));
    expect(Object.values(byAge).reduce((sum, amount) => sum + amount, 0)).toBe(paise(closing_balance));
    if (to === today) expect(byAge).toEqual(books.ageing(customer, today));
  }
}

/** The lists of documents of a month, and its ledger, have the same sums. */
async function expectDocumented({ company }: Month, from: string, to: string): Promise<void> {
  const standing = async (path: string) =>
    (await company.read<Rows>(`${path}&limit=100`)).filter(({ status }) => status !== "voided");
  const invoices = await standing(`/invoices/:company?invoice_date_from=${from}&invoice_date_to=${to}`);
  const notes = await standing(`/credit-notes/:company?from=${from}&to=${to}`);
  const path = `${LEDGER}/trial-balance?from=${from}&as_of=${to}&debtors=together`;
  const { accounts } = await company.read<{ accounts: Rows }>(path);
  const [debits, credits] = [byName(accounts, "debit"), byName(accounts, "credit")];
  const sum = (rows: Rows, column: string) => rows.reduce((all, row) => all + paise(row[column]), 0);
  const ACCOUNTS = { taxable: "Sales", cgst: "Output CGST", sgst: "Output SGST", igst: "Output IGST" };
  for (const [name, account] of Object.entries(ACCOUNTS)) {
    const documents = sum(invoices, `${name}_total`) - sum(notes, `${name}_total`);
    expect([name, documents]).toEqual([name, (credits[account] ?? 0) - (debits[account] ?? 0)]);
  }
}

const byName = (rows: Rows, column: string) =>
  addUp(rows.map((row) => [String(row.name), paise(row[column])]));

/** The amounts of an answer, also those of its rows by name. */
function inPaise(answer: object): Record<string, number | Amounts> {
  const amounts = Object.entries(answer).filter(([, value]) => typeof value !== "string");
  return Object.fromEntries(
    amounts.map(([key, value]) => [key, Array.isArray(value) ? byName(value, "amount") : paise(value)]),
  );
}

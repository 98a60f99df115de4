import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { balancesOf } from "../captures/captures.ts";
import { deleteCustomer, newCustomer, postInvoice } from "../commerce.ts";
import { payOut } from "../credit-notes/notes.ts";
import { refusal } from "../refusal.ts";
import { allOf, openShop, TODAY } from "./company.ts";

type Line = { date: string; document_type: string; balance: number };
type Aged = { customer: { id: string }; balance: number; ageing: object };

const { company, meera, ravi, credited, voided, note, unused, wrong } = await openShop();
const statement = `/ledger/:company/customers/${meera}/statement`;

test("a statement goes by days, carries its balance over pages, and ends with the account's", async () => {
  const lines = await allOf<Line>(company, `customers/${meera}/statement`, { from: "2026-10-01" });
  expect(lines.map(({ date, document_type: type, balance }) => [date, type, balance])).toEqual([
    ["2026-10-05", "invoice", 608],
    ["2026-10-12", "invoice", 962],
    ["2026-10-20", "credit_note", 844],
    ["2026-11-02", "payment", 790],
    ["2026-11-10", "invoice", 1_144],
    ["2026-11-15", "payment", 790],
    [TODAY, "invoice", 436],
    [TODAY, "payment", 790],
  ]);
  const sale = { document_id: credited.id, number: credited.invoice_number, debit: 354, credit: 0 };
  expect(lines[0]).toMatchObject(sale);
  expect(lines[2]).toMatchObject({ number: note.credit_note_number, is_reversal: false });
  expect(lines[6]).toMatchObject({ document_id: voided.id, credit: 354, is_reversal: true });
  expect(lines[7]).toMatchObject({ number: wrong.payment_number, debit: 354, is_reversal: true });
});

test("a summary has what came before, and what came in the period", async () => {
  const sums = { opening_balance: 254, debit: 708, credit: 118, closing_balance: 844 };
  const summary = await company.read(`${statement}/summary?from=2026-10-01&to=2026-10-31`);
  expect(summary).toMatchObject({ customer: { id: meera, name: "Meera Traders" }, currency: "INR", ...sums });
});

test.each([
  ["2026-03-31", 254, [0, 0, 254, 0, 0, 0]],
  ["2026-10-10", 608, [354, 0, 0, 0, 254, 0]],
  ["2026-10-25", 844, [236, 354, 0, 0, 254, 0]],
  // The void and the payment that was taken back are of the next day.
  ["2026-11-29", 790, [0, 236, 354, 0, 200, 0]],
  [TODAY, 790, [354, 236, 0, 0, 200, 0]],
])("at the end of %s the customer owed %d, by age as it was that day", async (day, balance, ages) => {
  const { ageing, ...rest } = await company.read<Aged>(`${statement}/summary?from=2026-01-01&to=${day}`);
  expect(rest).toMatchObject({ closing_balance: balance, unposted: 0 });
  const [current, d1_30, d31_60, d61_90, over_90, unapplied] = ages;
  expect(ageing).toEqual({ current, d1_30, d31_60, d61_90, over_90, unapplied });
  const debtors = await company.read<Aged[]>(`/ledger/:company/ageing?as_of=${day}`);
  expect(debtors[0]).toMatchObject({ customer: { id: meera }, balance, ageing });
  const all = debtors.reduce((total, one) => total + one.balance, 0);
  expect(all).toBe((await balancesOf(company, day))["Sundry Debtors"]);
});

test("credit that no invoice uses is not allocated, and gone once it is paid out", async () => {
  const debtors = () => allOf<Aged>(company, "ageing");
  const [, second] = await debtors();
  const ageing = { current: 0, unapplied: -354 };
  expect(second).toMatchObject({ customer: { id: ravi }, balance: -354, ageing });
  must(await payOut(company, unused.id, { amount: 354, payout_date: TODAY }), 201);
  expect(await debtors()).toHaveLength(1);
  const last = (await allOf<Line>(company, `customers/${ravi}/statement`)).at(-1);
  const number = unused.credit_note_number;
  expect(last).toMatchObject({ document_type: "credit_payout", number, balance: 0 });
});

test("documents without an entry are counted, and in no balance", async () => {
  const { id } = await newCustomer(company);
  must(await postInvoice(company, id, { invoice_date: "2021-05-05" }), 201);
  const path = `customers/${id}/statement`;
  const summary = await company.read(`/ledger/:company/${path}/summary?from=2020-01-01`);
  expect(summary).toMatchObject({ closing_balance: 0, unposted: 1 });
  expect(await allOf(company, path, { from: "2020-01-01" })).toEqual([]);
});

test("a customer that is removed has no statement", async () => {
  const { id } = await newCustomer(company);
  must(await deleteCustomer(company, id), 200);
  for (const path of ["statement", "statement/summary", "statement?format=html"]) {
    const answer = await company.call("GET", `/ledger/:company/customers/${id}/${path}`);
    expect(answer).toMatchObject(refusal(404, "not_found", { resource: "customer" }));
  }
});

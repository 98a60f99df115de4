import { afterAll, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, newInvoice } from "../../commerce.ts";
import { type EntryRecord, tally, times } from "../../money.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { linesIn, openBooks, TODAY, write } from "./books.ts";

const { company, idOf } = await openBooks();
afterAll(() => expectSound(company));

const rent = { account_code: "5050", debit: 500 };
const bank = { account_code: "1020", credit: 500 };
const body = { entry_date: TODAY, narration: "Rent of June", lines: [rent, bank] };
const post = (fields: object = {}, headers = {}) =>
  write(company, "journal-entries", { ...body, ...fields }, headers);
const reverse = (id: string, fields: object = {}) => write(company, `journal-entries/${id}/reverse`, fields);
const balances = () => company.read("/ledger/:company/trial-balance");

test("an entry by hand is posted whole, with its reference and memos", async () => {
  const lines = [{ account_id: idOf.Rent, debit: 500, memo: "June" }, bank];
  const made = must(await post({ lines, reference_number: "R-6" }), 201).body.data;
  expect(made).toMatchObject({ voucher_type: "journal", source_type: "manual", reference_number: "R-6" });
  expect(made.lines.map(({ memo }) => memo)).toEqual(["June", null]);
  expect(await company.read(`/ledger/:company/journal-entries/${made.id}`)).toEqual(made);
});

test("what does not balance, and what names no account or an inactive one, is refused", async () => {
  const lines = [rent, { ...bank, credit: 499.99 }];
  expect(await post({ lines })).toMatchObject(refusal(422, "entry_unbalanced", { difference: 0.01 }));
  const unknown = await post({ lines: [rent, { ...bank, account_code: "9999" }] });
  expectRefused(unknown, { "lines[1].account_code": "not_found" });
  expectRefused(await post({ lines: [rent, { account_id: idOf.Bank, credit: 500, debit: 500 }] }), {
    "lines[1].account_id": "exactly_one",
  });
  await company.change(`/settings/:company/accounts/${idOf.Cash}`, { is_active: false });
  const inactive = await post({ lines: [rent, { account_code: "1010", credit: 500 }] });
  expect(inactive).toMatchObject(refusal(422, "account_inactive"));
  await company.change(`/settings/:company/accounts/${idOf.Cash}`, { is_active: true });
});

test("its day is not after today, in an open financial year, and not locked", async () => {
  expectRefused(await post({ entry_date: "2026-06-16" }), { entry_date: "too_big" });
  expect(await post({ entry_date: "2020-06-15" })).toMatchObject(refusal(422, "no_financial_year"));
  await company.change("/settings/:company/books", { locked_through: "2026-05-31" });
  expectRefused(await post({ entry_date: "2026-05-31" }), { entry_date: "period_locked" });
  await company.change("/settings/:company/books", { locked_through: null });
});

test("accounts that documents prove are refused, those of tax but for a tax adjustment", async () => {
  await newCustomer(company);
  const codes = ["1100-1", "1100", "2200", "2210", "2120", "1210", "1211"];
  for (const code of codes) {
    const answer = await post({ lines: [rent, { account_code: code, credit: 500 }] });
    expect(answer, code).toMatchObject(refusal(422, "control_account"));
  }
  const adjusted = await post({
    lines: [
      { account_code: "2120", debit: 90 },
      { account_code: "1213", credit: 90 },
    ],
    tax_adjustment: true,
  });
  expect(linesIn(adjusted)).toEqual(["Output IGST Dr 90 Cr 0", "Input IGST Dr 0 Cr 90"]);
  const lines = [rent, { account_code: "2200", credit: 500 }];
  expect(await post({ lines, tax_adjustment: true })).toMatchObject(refusal(422, "control_account"));
});

test("it is reversed once, and the trial balance is as before", async () => {
  const before = await balances();
  const { id } = must(await post({ entry_date: "2026-06-10" }), 201).body.data;
  expectRefused(await reverse(id, { reversal_date: "2026-06-09" }), { reversal_date: "too_small" });
  const answer = await reverse(id, { reversal_date: "2026-06-10", narration: "Paid in July" });
  const reversal = must(answer, 201).body.data;
  expect(reversal).toMatchObject({ reversal_of: id, entry_date: "2026-06-10", narration: "Paid in July" });
  expect(await reverse(id)).toMatchObject(refusal(409, "entry_reversed"));
  expect(await reverse(reversal.id)).toMatchObject(refusal(409, "entry_reversed"));
  expect(await reverse("999")).toMatchObject(refusal(404, "not_found"));
  type Sums = { total_debit: number; accounts: { name: string; balance: number }[] };
  const held = ({ accounts }: Sums) => accounts.map(({ name, balance }) => [name, balance]);
  expect(held((await balances()) as Sums)).toEqual(held(before as Sums));
});

test("the entry of a document is not reversed", async () => {
  const { id } = await newCustomer(company, { name: "Asha" });
  const issued = await newInvoice(company, id, { invoice_date: TODAY });
  const answer = await reverse(String(issued.journal_entry_id));
  expect(answer).toMatchObject(refusal(409, "entry_has_document"));
});

test("the same Idempotency-Key gives the same entry, also of two calls at once", async () => {
  const headers = { "Idempotency-Key": "rent-june" };
  const answers = await times(2, () => post({}, headers));
  expect(new Set(answers.map(({ body: { data } }) => data.id)).size).toBe(1);
  const [first] = answers;
  const made = String(first?.body.data.id);
  expect(tally(await times(2, () => reverse(made)))).toEqual({ 201: 1, 409: 1 });
});

test("entries are listed by their days, latest first, by voucher, source and status", async () => {
  await post({ entry_date: "2026-01-31" });
  await post({ entry_date: "2026-01-30" });
  const list = async (query: string) =>
    company.read<EntryRecord[]>(`/ledger/:company/journal-entries?${query}`);
  const january = "from=2026-01-01&to=2026-01-31";
  expect((await list(january)).map(({ entry_date: day }) => day)).toEqual(["2026-01-31", "2026-01-30"]);
  expect(await list(`${january}&account_id=${idOf.Rent}&status=posted`)).toHaveLength(2);
  expect(await list(`${january}&account_id=${idOf.Sales}`)).toEqual([]);
  expect(await list("voucher_type=receipt")).toEqual([]);
  expect((await list("source_type=invoice")).map(({ voucher_type: kind }) => kind)).toEqual(["invoice"]);
  const voided = await list("source_type=manual&voucher_type=journal&status=voided");
  expect(voided.map(({ status }) => status)).toEqual(["voided", "voided"]);
  const page = await company.call<EntryRecord[]>(
    "GET",
    `/ledger/:company/journal-entries?${january}&limit=1`,
  );
  const cursor = (page.body as unknown as { paging: { next_cursor: string } }).paging.next_cursor;
  expect(await list(`${january}&limit=1&cursor=${cursor}`)).toMatchObject([{ entry_date: "2026-01-30" }]);
  const wrong = await company.call("GET", "/ledger/:company/journal-entries?from=2026-02-01&to=2026-01-01");
  expectRefused(wrong, { to: "too_small" });
});

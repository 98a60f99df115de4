import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { pagesOf } from "../../../support/pages.ts";
import { newCustomer, newInvoice } from "../../commerce.ts";
import type { EntryRecord } from "../../money.ts";
import { expectRefused, refusal, wrongField } from "../../refusal.ts";
import { linesIn, openBooks, TODAY, write } from "./books.ts";

const { company, idOf } = soundAtEnd(await openBooks());

const rent = { account_code: "5050", debit: 500 };
const bank = { account_code: "1020", credit: 500 };
const body = { entry_date: TODAY, narration: "Rent of June", lines: [rent, bank] };
const post = (fields: object = {}) => write(company, "journal-entries", { ...body, ...fields });
const reverse = (id: string, fields: object = {}) => write(company, `journal-entries/${id}/reverse`, fields);
await newCustomer(company);
await company.rows("UPDATE accounts SET is_active = 0 WHERE code = '1010'");

test("an entry by hand is posted whole, with its reference and memos", async () => {
  const lines = [{ account_id: idOf.Rent, debit: 500, memo: "June" }, bank];
  const made = must(await post({ lines, reference_number: "R-6" }), 201).body.data;
  expect(made).toMatchObject({ voucher_type: "journal", source_type: "manual", reference_number: "R-6" });
  expect(made.lines.map(({ memo }) => memo)).toEqual(["June", null]);
  expect(await company.read(`/ledger/:company/journal-entries/${made.id}`)).toEqual(made);
});

const controlled = refusal(422, "control_account");
const CONTROLLED = ["1100-1", "1100", "2200", "2210", "2120", "1210", "1211"];
test.each<[what: string, second: object, refused: object, fields?: object]>([
  ["whose sides differ", { credit: 499.99 }, refusal(422, "entry_unbalanced", { difference: 0.01 })],
  ["on no account", { account_code: "9999" }, wrongField("lines[1].account_code", "not_found")],
  ["with a line on both sides", { debit: 500 }, wrongField("lines[1].account_id", "exactly_one")],
  ["on an inactive account", { account_code: "1010" }, refusal(422, "account_inactive")],
  ["of tomorrow", {}, wrongField("entry_date", "too_big"), { entry_date: "2026-06-16" }],
  ["of no financial year", {}, refusal(422, "no_financial_year"), { entry_date: "2020-06-15" }],
  ...CONTROLLED.map((code): [string, object, object] => [`on ${code}`, { account_code: code }, controlled]),
  ["on advances, to adjust tax", { account_code: "2200" }, controlled, { tax_adjustment: true }],
])("an entry %s is refused", async (_what, second, refused, fields) => {
  expect(await post({ lines: [rent, { ...bank, ...second }], ...fields })).toMatchObject(refused);
});

test("an entry of a locked day is refused", async () => {
  const lock = (day: string | null) => company.change("/settings/:company/books", { locked_through: day });
  await lock("2026-05-31");
  expectRefused(await post({ entry_date: "2026-05-31" }), { entry_date: "period_locked" });
  await lock(null);
});

test("accounts of tax are written to by a tax adjustment", async () => {
  const lines = [
    { account_code: "2120", debit: 90 },
    { account_code: "1213", credit: 90 },
  ];
  expect(linesIn(await post({ lines, tax_adjustment: true }))).toEqual([
    "Output IGST Dr 90 Cr 0",
    "Input IGST Dr 0 Cr 90",
  ]);
});

test("it is reversed once, with what it is for", async () => {
  const { id } = must(await post({ entry_date: "2026-06-10" }), 201).body.data;
  const answer = await reverse(id, { reversal_date: "2026-06-11", narration: "Paid in July" });
  const reversal = must(answer, 201).body.data;
  expect(reversal).toMatchObject({ reversal_of: id, entry_date: "2026-06-11", narration: "Paid in July" });
  for (const one of [id, reversal.id])
    expect(await reverse(one)).toMatchObject(refusal(409, "entry_reversed"));
  expect(await reverse("999")).toMatchObject(refusal(404, "not_found"));
});

test("the entry of a document is not reversed", async () => {
  const { id } = await newCustomer(company, { name: "Asha" });
  const issued = await newInvoice(company, id, { invoice_date: TODAY });
  const answer = await reverse(String(issued.journal_entry_id));
  expect(answer).toMatchObject(refusal(409, "entry_has_document"));
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
  const all = (await list("limit=100")).map(({ id }) => Number(id));
  expect(all).toEqual(all.toSorted((one, other) => other - one));
  expect((await list("source_type=invoice")).map(({ voucher_type: kind }) => kind)).toEqual(["invoice"]);
  const voided = await list("source_type=manual&voucher_type=journal&status=voided");
  expect(voided.map(({ status }) => status)).toEqual(["voided"]);
  const pages = await pagesOf<EntryRecord>(company, `/ledger/:company/journal-entries`, {
    ...{ from: "2026-01-01", to: "2026-01-31", limit: "1" },
  });
  expect(pages).toMatchObject([[{ entry_date: "2026-01-31" }], [{ entry_date: "2026-01-30" }]]);
  const wrong = await company.call("GET", "/ledger/:company/journal-entries?from=2026-02-01&to=2026-01-01");
  expectRefused(wrong, { to: "too_small" });
});

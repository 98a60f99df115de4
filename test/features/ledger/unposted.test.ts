import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { document } from "../../../src/features/ledger/unposted/unposted.ts";
import { must, openCompany, platform } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, line, newCustomer, newInvoice, REGISTERED, setClock } from "../commerce.ts";
import { newPayment, refund, voidInvoice } from "../money.ts";

type Row = z.infer<typeof document.schema>;
const company = await openCompany(REGISTERED);
await setClock(company, "2026-06-15T06:00:00Z");
const customerId = (await newCustomer(company)).id;
afterEach(() => expectSound(company));

async function list(query = ""): Promise<Row[]> {
  return must(await company.call<Row[]>("GET", `/ledger/:company/unposted${query}`), 200).body.data;
}

async function selfCheck() {
  return must(await platform("GET", `/platform/self-check/${company.slug}`), 200).body.data;
}

const OPEN = "every invoice, credit note, payment, advance and lesson has its journal entry";

// The first test leaves nothing unposted.
test("what is taken back needs no entry any more", async () => {
  const early = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  const paid = await newPayment(company, { invoice_id: early.id, amount: 54, payment_date: "2001-01-02" });
  const other = await newPayment(company, { invoice_id: early.id, amount: 10, payment_date: "2001-01-02" });
  must(await refund(company, other.id), 200);
  expect((await list()).map(({ source_id, source_type }) => `${source_type} ${source_id}`)).toEqual([
    `payment ${paid.id}`,
    `invoice ${early.id}`,
  ]);
  must(await voidInvoice(company, early.id), 200);
  expect(await list()).toEqual([]);
  expect(await selfCheck()).toMatchObject({ sound: true, open: [] });
});

test("what is unposted is listed, newest first, by pages, and is open in the self-check, not broken", async () => {
  const early = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  const posted = await newInvoice(company, customerId);
  const paid = await newPayment(company, {
    invoice_id: posted.id,
    amount: 54,
    tds_amount: 6,
    payment_date: "2001-01-02",
  });
  const ofPayment = {
    source_type: "payment",
    source_id: paid.id,
    number: paid.payment_number,
    date: "2001-01-02",
    amount: 54,
    currency: "INR",
    reason: "no_financial_year",
  };
  const ofInvoice = {
    source_type: "invoice",
    source_id: early.id,
    number: early.invoice_number,
    date: "2001-01-01",
    amount: early.total_amount,
    currency: "INR",
    reason: "no_financial_year",
  };
  expect(await list()).toEqual([ofPayment, ofInvoice]);
  const first = await company.call<Row[]>("GET", "/ledger/:company/unposted?limit=1");
  expect(first.body).toMatchObject({ data: [ofPayment], paging: { has_more: true } });
  const cursor = first.body.paging?.next_cursor;
  expect(await list(`?limit=1&cursor=${cursor}`)).toEqual([ofInvoice]);
  expect(await selfCheck()).toMatchObject({
    sound: true,
    broken: [],
    open: [{ invariant: OPEN, rows: 2, ids: [`invoice ${early.id}`, `payment ${paid.id}`] }],
  });
});

describe("a write whose posting is left out says why, and so does its replay", () => {
  test("an invoice dated outside every financial year", async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    const body = { customer_id: customerId, items: [line], invoice_date: "2001-01-01" };
    const created = must(await company.call("POST", "/invoices/:company", { body, headers }), 201);
    expect(created.body.data).toMatchObject({ journal_entry_id: null, warnings: ["no_financial_year"] });
    const replayed = await company.call("POST", "/invoices/:company", { body, headers });
    expect(replayed.text).toBe(created.text);
    // It is what the write has to say, no part of the record.
    expect(await getInvoice(company, String(created.body.data.id))).not.toHaveProperty("warnings");
  });

  test("a payment to an account that was switched off, and one to an account that is gone", async () => {
    const { id } = await newInvoice(company, customerId);
    await company.rows("UPDATE accounts SET is_active = 0 WHERE code = '1020'");
    const paid = await newPayment(company, { invoice_id: id, amount: 54, payment_date: "2026-06-15" });
    expect(paid).toMatchObject({ journal_entry_id: null, warnings: ["account_inactive"] });
    await company.rows("UPDATE accounts SET is_active = 1, deleted_at = 1 WHERE code = '1020'");
    await company.rows("UPDATE accounts SET is_active = 0 WHERE code = '1020'");
    const again = await newPayment(company, { invoice_id: id, amount: 10, payment_date: "2026-06-15" });
    expect(again).toMatchObject({ journal_entry_id: null, warnings: ["account_missing"] });
    await company.rows("UPDATE accounts SET is_active = 1, deleted_at = NULL WHERE code = '1020'");
  });
});

test("an entry that is lost is no entry that was left out", async () => {
  const { id } = await newInvoice(company, customerId);
  const early = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  await company.rows("DELETE FROM unposted WHERE source_type = 'invoice' AND source_id = ?", early.id);
  const sentence = "what is live has its entry, or is known to have been left out";
  expect(await selfCheck()).toMatchObject({
    sound: false,
    broken: [{ invariant: sentence, rows: 1, ids: [`invoice ${early.id}`] }],
  });
  await company.rows(`INSERT INTO unposted (source_type, source_id, voucher_type, reason, created_at)
      VALUES ('invoice', ${early.id}, 'invoice', 'no_financial_year', 0)`);
  expect(await list()).not.toContainEqual(expect.objectContaining({ source_id: id }));
});

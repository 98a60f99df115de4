import type * as z from "zod";
import type { IssuedCreditNote } from "../../../src/features/credit-notes/record.ts";
import { must, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";

export type NoteRecord = z.infer<typeof IssuedCreditNote>;
type Fields = Record<string, unknown>;

export function postNote(
  company: TestCompany,
  invoiceId: string,
  body?: Fields,
): Promise<Answer<NoteRecord>> {
  return company.call("POST", `/invoices/:company/${invoiceId}/credit-notes`, body && { body });
}

export async function newNote(company: TestCompany, invoiceId: string, body?: Fields): Promise<NoteRecord> {
  return must(await postNote(company, invoiceId, body), 201).body.data;
}

/** A credit of one line by quantity. */
export function byQuantity(itemId: string | undefined, quantity: number, fields: Fields = {}): Fields {
  return { items: [{ invoice_item_id: itemId, quantity }], reason: "sales_return", ...fields };
}

/** A credit of one line by amount. */
export function byAmount(itemId: string | undefined, amount: number, fields: Fields = {}): Fields {
  return {
    items: [{ invoice_item_id: itemId, taxable_amount: amount }],
    reason: "post_sale_discount",
    ...fields,
  };
}

export async function getNote(company: TestCompany, id: string): Promise<NoteRecord> {
  return must(await company.call<NoteRecord>("GET", `/credit-notes/:company/${id}`), 200).body.data;
}

export function voidNote(company: TestCompany, id: string): Promise<Answer> {
  return company.call("POST", `/credit-notes/:company/${id}/void`);
}

export function applyNote(
  company: TestCompany,
  id: string,
  invoiceId: string,
  amount: number,
): Promise<Answer<NoteRecord>> {
  return company.call("POST", `/credit-notes/:company/${id}/apply`, {
    body: { invoice_id: invoiceId, amount },
  });
}

export function payOut(company: TestCompany, id: string, fields: Fields): Promise<Answer<Fields>> {
  return company.call("POST", `/credit-notes/:company/${id}/payouts`, {
    body: { payment_mode_id: 2, ...fields },
  });
}

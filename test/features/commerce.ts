import type * as z from "zod";
import type { customer } from "../../src/features/customers/record.ts";
import type { IssuedInvoice } from "../../src/features/invoices/invoices/issued.ts";
import type { invoice } from "../../src/features/invoices/invoices/record.ts";
import { must, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { openSound } from "../support/oracles.ts";

export type CustomerRecord = z.infer<typeof customer.schema>;
export type InvoiceRecord = z.infer<typeof invoice.schema>;
export type IssuedRecord = z.infer<typeof IssuedInvoice>;
type Fields = Record<string, unknown>;

/** What a company in Karnataka that is registered for GST is opened with. */
export const REGISTERED = { state: "Karnataka", gstin: "29AABCR1718E1ZL", address: "12 MG Road, Bengaluru" };
export const customerBody = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
/** 3 x 99.99 at 18 %: 299.97 before tax, 354.00 in all. */
export const line = {
  item_name: "Steel bottle",
  ...{ quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18, hsn_sac_code: "732393" },
};

/** Sets the company's clock to an instant or up to a second after it; it goes on running from there. */
export function setClock(company: TestCompany, instant: string): Promise<void> {
  return company.clock(Math.ceil((Date.parse(instant) - Date.now()) / 1_000));
}

/** A registered company with a customer, for the tests of a file; its clock is set where an instant is given. */
export async function openTrader(instant?: string) {
  const company = await openSound(REGISTERED);
  if (instant !== undefined) await setClock(company, instant);
  return { company, customerId: (await newCustomer(company)).id };
}

export function postCustomer(company: TestCompany, fields: Fields = {}): Promise<Answer<CustomerRecord>> {
  return company.call("POST", "/customers/:company", { body: { ...customerBody, ...fields } });
}

export async function newCustomer(company: TestCompany, fields: Fields = {}): Promise<CustomerRecord> {
  return must(await postCustomer(company, fields), 201).body.data;
}

/** A customer as writes and lists answer it: only its read has captures. */
export async function getCustomer(company: TestCompany, id: string): Promise<Answer<CustomerRecord>> {
  const answer = await company.call<CustomerRecord>("GET", `/customers/:company/${id}`);
  if (answer.status === 200) delete answer.body.data.captures;
  return answer;
}

export function patchCustomer(
  company: TestCompany,
  id: string,
  body?: unknown,
): Promise<Answer<CustomerRecord>> {
  return company.call("PATCH", `/customers/:company/${id}`, { body });
}

export function deleteCustomer(company: TestCompany, id: string): Promise<Answer> {
  return company.call("DELETE", `/customers/:company/${id}`);
}

/** The customers of one page; `query` from behind the question mark. */
export async function listCustomers(company: TestCompany, query = ""): Promise<CustomerRecord[]> {
  return company.read<CustomerRecord[]>(`/customers/:company?${query}`);
}

/** The names that a search finds, newest customer first. */
export async function search(company: TestCompany, q: string): Promise<string[]> {
  const found = await listCustomers(company, `q=${encodeURIComponent(q)}`);
  return found.map(({ name }) => name);
}

export function postInvoice(
  company: TestCompany,
  customerId: unknown,
  fields: Fields = {},
): Promise<Answer<IssuedRecord>> {
  const body = { customer_id: customerId, items: [line], ...fields };
  return company.call("POST", "/invoices/:company", { body });
}

export async function newInvoice(
  company: TestCompany,
  customerId: unknown,
  fields: Fields = {},
): Promise<IssuedRecord> {
  return must(await postInvoice(company, customerId, fields), 201).body.data;
}

/** An invoice as writes and lists answer it: only its read has captures. */
export async function getInvoice(company: TestCompany, id: string): Promise<InvoiceRecord> {
  const { captures: _, ...invoice } = await company.read<InvoiceRecord>(`/invoices/:company/${id}`);
  return invoice;
}

/** The invoices of one page; `query` from behind the question mark. */
export async function listInvoices(company: TestCompany, query = ""): Promise<InvoiceRecord[]> {
  return company.read<InvoiceRecord[]>(`/invoices/:company?${query}`);
}

/** The `field` and `code` of what a 422 refused. */
export function refusedFields({ body }: Answer<unknown>): Record<string, string> {
  return Object.fromEntries((body.errors ?? []).map(({ field, code }) => [field, code]));
}

/** The debtor accounts of a customer, removed ones too. */
export function debtorAccounts(company: TestCompany, customerId: string): Promise<Record<string, unknown>[]> {
  return company.rows(
    `SELECT account.name, account.type, account.is_active, account.deleted_at IS NOT NULL AS removed, parent.code AS parent
      FROM accounts account LEFT JOIN accounts parent ON parent.id = account.parent_id
      WHERE account.party_type = 'customer' AND account.party_id = ? ORDER BY account.id`,
    customerId,
  );
}

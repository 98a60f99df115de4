import type * as z from "zod";
import type { entry } from "../../src/features/ledger/entries/entries.ts";
import type { RecordedPayment } from "../../src/features/payments/payments/record.ts";
import type { product } from "../../src/features/products/products/record.ts";
import { must, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";

export type PaymentRecord = z.infer<typeof RecordedPayment>;
export type ProductRecord = z.infer<typeof product.schema>;
export type EntryRecord = z.infer<typeof entry.schema>;
type Fields = Record<string, unknown>;

/** Modes that every company starts with. */
export const CASH = 1;
export const BANK = 2;

export function today(): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(Date.now());
}

export function postPayment(company: TestCompany, fields: Fields): Promise<Answer<PaymentRecord>> {
  const body = { payment_date: today(), payment_mode_id: BANK, ...fields };
  return company.call("POST", "/payments/:company", { body });
}

export async function newPayment(company: TestCompany, fields: Fields): Promise<PaymentRecord> {
  return must(await postPayment(company, fields), 201).body.data;
}

export function refund(company: TestCompany, id: string): Promise<Answer> {
  return company.call("POST", `/payments/:company/${id}/refund`);
}

/** A payout of Razorpay, of today. */
export function postSettlement(company: TestCompany, fields: Fields): Promise<Answer<EntryRecord>> {
  const body = { gateway: "razorpay", settled_on: today(), ...fields };
  return company.call("POST", "/ledger/:company/settlements", { body });
}

/** An entry by hand between two accounts, by their codes. */
export function postEntry(
  company: TestCompany,
  [debit, credit]: readonly [string, string],
  amount: number,
  entry_date = today(),
): Promise<Answer<EntryRecord>> {
  const lines = [
    { account_code: debit, debit: amount },
    { account_code: credit, credit: amount },
  ];
  const body = { entry_date, narration: "By hand", lines };
  return company.call("POST", "/ledger/:company/journal-entries", { body });
}

/** Takes back what stands at a path, such as a payout. */
export function reverse(company: TestCompany, path: string, body: Fields = {}): Promise<Answer> {
  return company.call("POST", path, { body });
}

export function voidInvoice<Data = Fields>(company: TestCompany, id: string): Promise<Answer<Data>> {
  return company.call("POST", `/invoices/:company/${id}/void`);
}

export async function newProduct(company: TestCompany, fields: Fields = {}): Promise<ProductRecord> {
  const body = { name: "Steel bottle", unit_id: "1", selling_price: 349.5, ...fields };
  return company.make<ProductRecord>("/products/:company", body);
}

export async function stockOf(company: TestCompany, id: string): Promise<number | null> {
  return (await company.read<ProductRecord>(`/products/:company/${id}`)).current_stock;
}

/** A product with a batch of 3 and a later one of 5, and how much each of the two holds, in thousandths. */
export async function newBatches(company: TestCompany) {
  const { id } = await newProduct(company, { track_stock: true, opening_stock: 3, is_batch_tracked: true });
  await company.rows(
    "INSERT INTO batches (product_id, batch_number, created_at) VALUES (?, 'SECOND', 4000000000000)",
    id,
  );
  must(await adjust(company, id, { adjustment_type: "increase", quantity: 5 }), 201);
  const sql = "SELECT quantity FROM batches WHERE product_id = ? ORDER BY created_at";
  const held = async () => (await company.rows(sql, id)).map(({ quantity }) => quantity);
  return { id, held };
}

export function adjust(company: TestCompany, id: string, body: Fields): Promise<Answer> {
  return company.call("POST", `/products/:company/${id}/stock-adjustments`, { body });
}

/** An entry as an accountant writes it: one line a row, account, debit, credit. */
export async function entryLines(company: TestCompany, id: string | null): Promise<string[]> {
  return linesOf(await getEntry(company, String(id)));
}

export const linesOf = ({ lines }: EntryRecord): string[] =>
  lines.map(({ account_name: name, debit, credit }) => `${name} Dr ${debit} Cr ${credit}`);

export async function getEntry(company: TestCompany, id: string): Promise<EntryRecord> {
  return company.read<EntryRecord>(`/ledger/:company/journal-entries/${id}`);
}

/** So many calls at once. */
export const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** How many answers have each status. */
export function tally(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

import { must, type TestCompany } from "../../support/company.ts";
import { getInvoice } from "../commerce.ts";
import { refund } from "../money.ts";
import type { Sale } from "../refunds/sales.ts";

type Payment = { id: string; payment_number: string; amount: number; journal_entry_id: string };

/** The payments of a sale's invoice that stand. */
export const paymentsOn = ({ company, invoiceId }: Sale) =>
  company.read<Payment[]>(`/payments/:company?invoice_id=${invoiceId}`);

/** Takes the payment of a sale's invoice back, which moves no money. */
export async function takeBack(sale: Sale): Promise<void> {
  const [payment] = await paymentsOn(sale);
  must(await refund(sale.company, String(payment?.id)), 200);
}

export const settle = (company: TestCompany, captureId: string | undefined, body: object) =>
  company.call("POST", `/ledger/:company/captures/${captureId}/settle`, { body });

/** Puts what waits of one of a sale's captures on its invoice. */
export const putBack = ({ company, payments, invoiceId }: Sale, place = 0) =>
  settle(company, payments[place]?.id, { invoice_id: invoiceId });

export async function dueOfInvoice({ company, invoiceId }: Sale): Promise<number> {
  return (await getInvoice(company, invoiceId)).amount_due;
}

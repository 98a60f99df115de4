import { openCompany, type TestCompany } from "../../../support/company.ts";
import { type Connected, connectGateway, type Kind } from "../../../support/gateways.ts";
import { submit } from "../../bookings/page/visitor.ts";
import { getInvoice, type IssuedRecord, newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";
import { pagePath } from "../../invoices/page/hosted.ts";

export type Seller = { company: TestCompany; connected: Connected; customerId: string };
export type Unpaid = { invoice: IssuedRecord; path: string };

/** A company with a gateway and a customer. */
export async function openSeller(kind: Kind = "razorpay", currencies = ["INR"]): Promise<Seller> {
  const company = await openCompany(REGISTERED);
  const connected = await connectGateway(company, kind, { currencies });
  const customer = await newCustomer(company, { email: "meera@example.com", phone: "+919847012345" });
  return { company, connected, customerId: customer.id };
}

/** An invoice of 354.00 with its page. */
export async function newUnpaid({ company, customerId }: Seller): Promise<Unpaid> {
  const invoice = await newInvoice(company, customerId);
  return { invoice, path: await pagePath(company, invoice.id) };
}

let presses = 0;

/** Presses the page's button, and gives the gateway's own ids of the invoice's payments so far. */
export async function press({ company }: Seller, { invoice, path }: Unpaid): Promise<string[]> {
  presses += 1;
  const pressed = await submit(`${path}/pay`, { once: `press ${presses}` });
  if (pressed.status !== 303)
    throw new Error(`The payment was not opened: ${pressed.status} ${pressed.text}`);
  return ordersOf(company, invoice.id);
}

export async function ordersOf(company: TestCompany, invoiceId: string): Promise<string[]> {
  const rows = await company.rows(
    "SELECT gateway_order_id FROM payment_intents WHERE kind = 'invoice' AND ref_id = ? ORDER BY id",
    invoiceId,
  );
  return rows.map((row) => String(row.gateway_order_id));
}

/** Opens a payment for an invoice, and gives the gateway's id of it. */
export async function opened(seller: Seller, unpaid: Unpaid): Promise<string> {
  return (await press(seller, unpaid)).at(-1) ?? "";
}

/** Switches payment on the page on or off. */
export async function offer({ company }: Seller, isOffered: boolean): Promise<void> {
  await company.change("/settings/:company/profile", { invoices_payable_online: isOffered });
}

/** What an invoice says of its money. */
export async function moneyOf({ company }: Seller, { invoice }: Unpaid) {
  const { payment_status, amount_paid, amount_due } = await getInvoice(company, invoice.id);
  return { payment_status, amount_paid, amount_due };
}

/** The money of an invoice of 354.00 that is paid. */
export const PAID = { payment_status: "paid", amount_paid: 354, amount_due: 0 };

import { randomUUID } from "node:crypto";
import { companyDate } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import { postEntry, postSettlement } from "../features/money.ts";
import { must, type TestCompany } from "./company.ts";
import { leaveCapture, newestOf } from "./gateways.ts";
import { Receiver } from "./receivers.ts";

type Made = { id: string; items: { id: string }[]; total_amount: number };

const today = () => companyDate(Date.now(), "Asia/Kolkata");
const nextWeek = () => addDays(today(), 7);
/** What depends on the day that it is: no year that ends changes what a call makes. */
export const TODAYS: Record<string, () => string> = {
  as_of: today,
  booking_date: nextWeek,
  due_date: nextWeek,
  entry_date: today,
  invoice_date: today,
  paid_on: today,
  payment_date: today,
  payout_date: today,
  settled_on: today,
  reversal_date: today,
};

// One customer of each company, for credit is applied to its own invoices only.
const customers = new WeakMap<TestCompany, Promise<string>>();

async function newCustomer(company: TestCompany): Promise<string> {
  const body = { name: "Kaveri Stationers", state: "Karnataka", pincode: "560001" };
  return must(await company.call<Made>("POST", "/customers/:company", { body }), 201).body.data.id;
}

/** An invoice of the customer whose credit `unusedCredit` makes. */
async function invoiceOfCredited(company: TestCompany): Promise<Made> {
  const customer = customers.get(company) ?? newCustomer(company);
  customers.set(company, customer);
  const items = [{ item_name: "Steel bottle", quantity: 3, unit: "NOS", unit_price: 100, tax_rate: 18 }];
  const body = { customer_id: await customer, items, invoice_date: today() };
  return must(await company.call<Made>("POST", "/invoices/:company", { body }), 201).body.data;
}

/** A credit note of which nothing is used: its invoice is paid. */
async function unusedCredit(company: TestCompany): Promise<string> {
  const { id, total_amount: amount } = await invoiceOfCredited(company);
  const payment = { invoice_id: id, amount, payment_date: today(), payment_mode_id: 2 };
  must(await company.call("POST", "/payments/:company", { body: payment }), 201);
  return must(await company.call<Made>("POST", `/invoices/:company/${id}/credit-notes`), 201).body.data.id;
}

/** Gives a gateway's clearing account what a payout may take, as a company that begins here does. */
export async function fillClearing(company: TestCompany): Promise<void> {
  must(await postEntry(company, ["1030", "3900"], 1_000), 201);
}

/** The id of the first line of an invoice. */
async function firstLineOf(company: TestCompany, invoiceId: string): Promise<string | undefined> {
  const { body } = must(await company.call<Made>("GET", `/invoices/:company/${invoiceId}`), 200);
  return body.data.items[0]?.id;
}

/** The newest credit note's credit, applied to another invoice. */
async function appliedCredit(company: TestCompany): Promise<string> {
  const [note] = await company.read<Made[]>("/credit-notes/:company?limit=1");
  const body = { invoice_id: (await invoiceOfCredited(company)).id, amount: 1 };
  must(await company.call("POST", `/credit-notes/:company/${note?.id}/apply`, { body }), 200);
  return newestOf(company, `/credit-notes/:company/${note?.id}/applications`);
}

/** A payout of a gateway: its create answers the entry. */
async function settled(company: TestCompany): Promise<string> {
  await fillClearing(company);
  const reference = `setl_${randomUUID().replaceAll("-", "")}`;
  must(await postSettlement(company, { payout_reference: reference, net_amount: 1 }), 201);
  return newestOf(company, "/ledger/:company/settlements");
}

/** What makes records that no create answers under their own address, by where paths name them. */
export const CREDITS: Record<string, (company: TestCompany) => Promise<string>> = {
  "/credit-notes/:company": unusedCredit,
  "/credit-notes/:company/:id/applications": appliedCredit,
  "/ledger/:company/settlements": settled,
};
/** What bodies name that their examples cannot, by the id in their path. */
export const BODIES: Record<string, (company: TestCompany, id?: string) => Promise<object | undefined>> = {
  // One that answers, so that nothing is tried again while requests are counted.
  createEventEndpoint: async (company) => ({ url: new Receiver(company.outsideUrl).url }),
  createRefund: async (company) => ({ capture_id: await leaveCapture(company) }),
  applyCreditNote: async (company) => ({ invoice_id: (await invoiceOfCredited(company)).id }),
  createCreditNote: async (company, id) =>
    id === undefined
      ? undefined
      : { items: [{ invoice_item_id: await firstLineOf(company, id), quantity: 1 }], restock: false },
};

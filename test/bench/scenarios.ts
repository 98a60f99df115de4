import { ITEM, NUMBER, SLOT, STUDENT } from "./numbered.ts";

/** The company under load: its key, and one customer and one invoice among many. */
export type Company = {
  slug: string;
  databaseUrl: string;
  credentials: Record<string, string>;
  customerId: string;
  invoiceId: string;
  productId: string;
  courseId: string;
  projectId: string;
  /** An invoice that all payments of a run leave unpaid. */
  owedInvoiceId: string;
  /** The date in India. */
  today: string;
  /** A date that the instructors work on. */
  tomorrow: string;
};

/** One kind of request under load, and the status that every reply must have. */
export type Scenario = {
  name: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  status: number;
  body?: object;
  /** The least that its rate may be of the floor's, at 16 connections with the databases in memory. */
  least?: number;
  /** The least that its rate must be of the API's own where answers are kept, likewise; only such reads are kept. */
  leastKept?: number;
  /** Each request has a number, and what numbered.ts makes of it in the places of its text. */
  numbered?: true;
};

const READ = 0.8;
const WRITE = 0.5;
const KEPT = 3;
const BANK = 2;

/** What is measured: lists of 25 rows, single records, writes of each kind, and one around a gateway. */
export function scenariosOf({
  slug,
  customerId,
  invoiceId,
  productId,
  courseId,
  projectId,
  owedInvoiceId,
  today,
  tomorrow,
}: Company): Scenario[] {
  return [
    { name: "customers list", method: "GET", path: `/v1/customers/${slug}`, status: 200, least: READ },
    {
      name: "invoice read",
      method: "GET",
      path: `/v1/invoices/${slug}/${invoiceId}`,
      status: 200,
      least: READ,
    },
    {
      name: "invoice create",
      method: "POST",
      path: `/v1/invoices/${slug}`,
      status: 201,
      least: WRITE,
      body: newInvoice(customerId),
    },
    {
      name: "payment record",
      method: "POST",
      path: `/v1/payments/${slug}`,
      status: 201,
      least: WRITE,
      body: { invoice_id: owedInvoiceId, amount: 1.5, payment_date: today, payment_mode_id: BANK },
    },
    {
      name: "work-item list",
      method: "GET",
      path: `/v1/projects/${slug}/projects/${projectId}/work-items`,
      status: 200,
      least: READ,
    },
    {
      name: "catalogue list",
      method: "GET",
      path: `/v1/storefront/${slug}/products`,
      status: 200,
      least: READ,
      leastKept: KEPT,
    },
    {
      name: "catalogue product",
      method: "GET",
      path: `/v1/storefront/${slug}/products/${productId}`,
      status: 200,
      least: READ,
      leastKept: KEPT,
    },
    {
      name: "checkout",
      method: "POST",
      path: `/v1/storefront/${slug}/checkout`,
      status: 200,
      least: WRITE,
      body: newOrder(Number(productId)),
    },
    {
      name: "availability",
      method: "GET",
      path: `/v1/schools/${slug}/availability?instructor_id=1&date=${tomorrow}`,
      status: 200,
      least: READ,
    },
    {
      name: "booking create",
      method: "POST",
      path: `/v1/schools/${slug}/bookings`,
      status: 201,
      least: WRITE,
      numbered: true,
      body: { ...SLOT, product_id: courseId, customer: STUDENT },
    },
    {
      name: "work-item transition",
      method: "POST",
      path: `/v1/projects/${slug}/projects/${projectId}/work-items/${ITEM}/transition`,
      status: 200,
      least: WRITE,
      numbered: true,
      body: { state: `Step ${NUMBER}`, state_category: "in_progress" },
    },
    {
      name: "SMS send",
      method: "POST",
      path: `/v1/messaging/${slug}/sms`,
      status: 202,
      least: WRITE,
      body: { to: "919845012345", message: "Dear Meera, your order is ready.", type: "transactional" },
    },
    {
      name: "lead capture",
      method: "POST",
      path: `/v1/leads/${slug}/capture`,
      status: 200,
      least: WRITE,
      numbered: true,
      body: { name: "Rohan Mehta", email: `rohan-${NUMBER}@mail.example`, message: "Two presses by March." },
    },
    {
      // An endpoint of the company gets events of new customers.
      name: "event-bearing write",
      method: "POST",
      path: `/v1/customers/${slug}`,
      status: 201,
      least: WRITE,
      body: { name: "Meera Nair", state: "Kerala", pincode: "682001" },
    },
  ];
}

/** The names of all, which no company changes. */
export const SCENARIO_NAMES: readonly string[] = scenariosOf({} as Company).map(({ name }) => name);

/** An order of a product and a free line. */
function newOrder(productId: number): object {
  return {
    items: [
      { product_id: productId, name: "Steel bottle", quantity: 2, unit_price: 349.5 },
      { name: "Gift wrapping", quantity: 1, unit_price: 25 },
    ],
    customer: { name: "Meera Nair", email: "meera@example.com", phone: "+91 98470 12345", state: "Kerala" },
    currency: "INR",
    source_website: "shop.example.com",
    return_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/basket",
  };
}

/** An invoice of three lines. */
export function newInvoice(customerId: string): object {
  const line = { quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18, hsn_sac_code: "732393" };
  return {
    customer_id: customerId,
    items: [
      { ...line, item_name: "Steel bottle, 1 litre" },
      { ...line, item_name: "Steel bottle, 2 litres", unit_price: 149.5, discount_amount: 20 },
      { ...line, item_name: "Carrier", quantity: 1.5, tax_rate: 12, hsn_sac_code: "420292" },
    ],
    notes: "Delivered to the back gate",
  };
}

/** An invoice of more than a run's payments can settle. */
export function largeInvoice(customerId: string): object {
  const line = { item_name: "Factory hall", quantity: 1, unit: "NOS", unit_price: 90_000_000, tax_rate: 18 };
  return { customer_id: customerId, items: [line] };
}

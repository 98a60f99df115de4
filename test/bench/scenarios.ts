import { customerBody } from "../features/commerce.ts";
import { BANK } from "../features/money.ts";
import { CHECKOUT } from "../support/gateways.ts";
import { ITEM, NUMBER, SLOT, STUDENT } from "./numbered.ts";

/** The company under load: its database, its key, and records of it. */
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
  /** Whether its answer is kept for a second. */
  isKept?: true;
  /** Each request has a number, and what numbered.ts makes of it in the places of its text. */
  numbered?: true;
};

const read = (name: string, path: string, more: Partial<Scenario> = {}): Scenario => ({
  ...{ name, method: "GET", path: `/v1${path}`, status: 200 },
  ...more,
});
const write = (
  name: string,
  path: string,
  status: number,
  body: object,
  more: Partial<Scenario> = {},
): Scenario => ({
  ...{ name, method: "POST", path: `/v1${path}`, status, body },
  ...more,
});

/** What is measured: lists of 25 rows, single records, writes of each kind, and one around a gateway. */
export function scenariosOf(company: Company): Scenario[] {
  const { slug, productId, today } = company;
  const [shop, items] = [`/storefront/${slug}`, `/projects/${slug}/projects/${company.projectId}/work-items`];
  const numbered = { numbered: true as const };
  const paid = { amount: 1.5, payment_date: today, payment_mode_id: BANK };
  const text = { to: "919845012345", message: "Dear Meera, your order is ready.", type: "transactional" };
  const lead = {
    name: "Rohan Mehta",
    email: `rohan-${NUMBER}@mail.example`,
    message: "Two presses by March.",
  };
  const step = { state: `Step ${NUMBER}`, state_category: "in_progress" };
  return [
    read("customers list", `/customers/${slug}`),
    read("invoice read", `/invoices/${slug}/${company.invoiceId}`),
    write("invoice create", `/invoices/${slug}`, 201, { customer_id: company.customerId, ...INVOICE }),
    write("payment record", `/payments/${slug}`, 201, { invoice_id: company.owedInvoiceId, ...paid }),
    read("work-item list", items),
    read("catalogue list", `${shop}/products`, { isKept: true }),
    read("catalogue product", `${shop}/products/${productId}`, { isKept: true }),
    write("checkout", `${shop}/checkout`, 200, newOrder(Number(productId))),
    read("availability", `/schools/${slug}/availability?instructor_id=1&date=${company.tomorrow}`),
    write(
      "booking create",
      `/schools/${slug}/bookings`,
      201,
      { ...SLOT, product_id: company.courseId, customer: STUDENT },
      numbered,
    ),
    write("work-item transition", `${items}/${ITEM}/transition`, 200, step, numbered),
    write("SMS send", `/messaging/${slug}/sms`, 202, text),
    write("lead capture", `/leads/${slug}/capture`, 200, lead, numbered),
    // An endpoint of the company gets events of new customers.
    write("event-bearing write", `/customers/${slug}`, 201, customerBody),
  ];
}

/** An order of a product and a free line. */
function newOrder(productId: number): object {
  return {
    ...CHECKOUT,
    items: [
      { product_id: productId, name: "Steel bottle", quantity: 2, unit_price: 349.5 },
      { name: "Gift wrapping", quantity: 1, unit_price: 25 },
    ],
    customer: { name: "Meera Nair", email: "meera@example.com", phone: "+91 98470 12345", state: "Kerala" },
  };
}

const bottle = { quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18, hsn_sac_code: "732393" };
/** An invoice of three lines, but for its customer. */
export const INVOICE = {
  items: [
    { ...bottle, item_name: "Steel bottle, 1 litre" },
    { ...bottle, item_name: "Steel bottle, 2 litres", unit_price: 149.5, discount_amount: 20 },
    { ...bottle, item_name: "Carrier", quantity: 1.5, tax_rate: 12, hsn_sac_code: "420292" },
  ],
  notes: "Delivered to the back gate",
};

/** The names of all, which no company changes. */
export const SCENARIO_NAMES: readonly string[] = scenariosOf({} as Company).map(({ name }) => name);

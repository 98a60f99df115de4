import { PLATFORM_TOKEN } from "../../support/service.ts";
import { INSTRUCTORS, numbered, SLOT_MINUTES } from "../numbered.ts";
import { type Company, largeInvoice, newInvoice, type Scenario } from "../scenarios.ts";

export const RATE_LIMIT = 1_000_000;
const LIMITS = {
  rate_limit_per_minute: RATE_LIMIT,
  messaging_rate_per_minute: RATE_LIMIT,
  messaging_daily_cap: RATE_LIMIT,
};

const SCOPES = [
  ...["customers:read", "customers:write", "invoices:read", "invoices:write"],
  ...["products:write", "storefront", "settings:write", "bookings.read", "bookings.write"],
  ...["payments:write", "projects.read", "projects.write", "messages:read", "messages:sms:send"],
  "capture_leads",
];
const RECORDS = 200;
const PRODUCTS = 1_000;
const AT_ONCE = 8;
const INDIA_MS = 19_800_000;

type Credentials = Record<string, string>;

/** Opens a company through the API at `url`, and gives it 200 customers, 200 invoices of three lines, and 1,000 products. */
export async function openCompany(
  url: string,
  platformToken: string,
  receiver: string,
): Promise<Omit<Company, "databaseUrl">> {
  const platform = { Authorization: `Bearer ${platformToken}` };
  const slug = "bench";
  const profile = { slug, name: "Asha Traders", gstin: "29AABCR1718E1ZL", state: "Karnataka" };
  const { data } = await post(`${url}/platform/companies`, platform, profile);
  const admin = headersOf(data.admin_key);
  const key = { name: "Load", type: "secret", scopes: SCOPES, ...LIMITS };
  const credentials = headersOf((await post(`${url}/v1/settings/${slug}/keys`, admin, key)).data);
  const customers = await repeat((index) =>
    post(`${url}/v1/customers/${slug}`, credentials, customer(index)),
  );
  const invoices = await repeat((index) =>
    post(`${url}/v1/invoices/${slug}`, credentials, newInvoice(customers[index]?.data.id ?? "")),
  );
  const products = await repeat(
    (index) => post(`${url}/v1/products/${slug}`, credentials, product(index)),
    PRODUCTS,
  );
  const settings = `${url}/v1/settings/${slug}`;
  await post(`${settings}/payment-gateways`, credentials, GATEWAY);
  await post(`${settings}/messaging-providers`, credentials, SMS_PROVIDER);
  const endpoint = { url: receiver, types: ["customer.created"] };
  await post(`${settings}/event-endpoints`, credentials, endpoint);
  const owed = await post(
    `${url}/v1/invoices/${slug}`,
    credentials,
    largeInvoice(customers[0]?.data.id ?? ""),
  );
  const projectId = await openProject(`${url}/v1/projects/${slug}/projects`, credentials);
  const courseId = await openSchool(`${url}/v1`, slug, credentials);
  return {
    slug,
    credentials,
    courseId,
    projectId,
    owedInvoiceId: owed.data.id,
    today: new Date(Date.now() + INDIA_MS).toISOString().slice(0, 10),
    tomorrow: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    customerId: customers[0]?.data.id ?? "",
    invoiceId: invoices[0]?.data.id ?? "",
    productId: products[0]?.data.id ?? "",
  };
}

/** Sends a scenario's request once, and gives the reply; throws when it has another status than it must. */
export async function callOnce(
  url: string,
  { credentials }: Pick<Company, "credentials">,
  scenario: Scenario,
  number = 0,
): Promise<{ headers: Headers; text: string }> {
  const body = scenario.body === undefined ? null : numbered(JSON.stringify(scenario.body), number);
  const headers = { ...credentials, "Content-Type": "application/json" };
  const path = numbered(scenario.path, number);
  const response = await fetch(url + path, { method: scenario.method, headers, body });
  const text = await response.text();
  if (response.status !== scenario.status) throw new Error(`${scenario.name}: ${text}`);
  return { headers: response.headers, text };
}

/** Posts to an operation of the platform; a company that is opened is in Karnataka. */
export function platform(url: string, path: string, body?: object): ReturnType<typeof post> {
  const state = body === undefined ? {} : { state: "Karnataka" };
  return post(url + path, { Authorization: `Bearer ${PLATFORM_TOKEN}` }, { ...state, ...body });
}

/** A POST (or another method) and what it answers; throws unless it is a 2xx. */
export async function post(
  url: string,
  headers: Credentials,
  body: object,
  method = "POST",
): Promise<{ data: { id: string; client_id: string; client_secret: string; admin_key: never } }> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} of ${url}: ${text}`);
  return JSON.parse(text);
}

function headersOf(key: { client_id: string; client_secret: string }): Credentials {
  return { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret };
}

// Demo values: they open nothing but the bench's own gateway.
const GATEWAY = {
  kind: "razorpay",
  mode: "test",
  credentials: { key_id: "rzp_test_bench", key_secret: "demo-key-secret" },
  webhook_secret: "demo-webhook-secret",
};

const SMS_PROVIDER = { channel: "sms", kind: "msg91", config: { auth_key: "demo-auth-key" } };

function product(index: number): object {
  return {
    name: `Steel bottle ${index}`,
    sku: `BTL-${index}`,
    unit_id: 1,
    selling_price: 349.5,
    tax_rate: 18,
    hsn_sac_code: "732393",
    description: "Double-walled, keeps hot for twelve hours",
  };
}

function customer(index: number): object {
  return {
    name: `Customer ${index}`,
    state: "Karnataka",
    pincode: "560001",
    email: `accounts${index}@customer.example`,
    phone: `+91 98765 ${10_000 + index}`,
    address: "12, 4th Cross, Jayanagar",
    city: "Bengaluru",
    payment_terms_days: 15,
  };
}

/** A school whose instructors work around the clock in lessons of a quarter of an hour; gives the course's id. */
export async function openSchool(base: string, slug: string, credentials: Credentials): Promise<string> {
  const settings = `${base}/settings/${slug}`;
  const windows = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "00:00", end: "23:59" }));
  for (let index = 0; index < INSTRUCTORS; index += 1)
    await post(`${settings}/instructors`, credentials, {
      name: `Instructor ${index}`,
      transmission: "both",
      schedule: windows,
    });
  const rules = { buffer_minutes: 0, min_notice_minutes: 0, advance_days: 366 };
  const lengths = { slot_length_minutes: SLOT_MINUTES, slot_step_minutes: SLOT_MINUTES };
  await post(`${settings}/booking-settings`, credentials, { ...rules, ...lengths }, "PATCH");
  const { data } = await post(`${base}/products/${slug}`, credentials, {
    ...product(PRODUCTS),
    duration_minutes: SLOT_MINUTES,
    transmission: "auto",
  });
  return data.id;
}

/** A project with work items; gives its id. */
async function openProject(projects: string, credentials: Credentials): Promise<string> {
  const { data } = await post(projects, credentials, { name: "Website", code: "WEB" });
  await repeat((index) =>
    post(`${projects}/${data.id}/work-items`, credentials, {
      title: `Pay by UPI ${index}`,
      type: "task",
      priority: "high",
      tags: ["payments"],
    }),
  );
  return String(data.id);
}

async function repeat<T>(make: (index: number) => Promise<T>, count = RECORDS): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += AT_ONCE)
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => make(index + offset)))));
  return made;
}

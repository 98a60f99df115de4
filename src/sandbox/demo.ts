import { CUSTOMERS, INVOICE_PLAN, LOCATIONS, SCHOOL, TRADER } from "./demo-data.ts";

export type Key = { client_id: string; client_secret: string };
export type PublishableKey = { client_id: string; origin: string; company: string };
/** What the demo's users need: kept in the credentials file, for secrets are shown once. */
export type Demo = { company: string; secret_key: Key; publishable_key: PublishableKey; customer_id: string };

type Host = { url: string; platformToken: string };
type Reply<T> = { data: T };

const DAY_MS = 86_400_000;

/** Opens the demo companies and fills them through the API, as a client would. */
export async function makeDemo(host: Host, origin: string): Promise<Demo> {
  const secretKey = await openCompany(host, TRADER);
  const customers: string[] = [];
  for (const [index, customer] of CUSTOMERS.entries()) {
    customers.push(
      (await create(host, secretKey, `/customers/${TRADER.slug}`, customer, `customer-${index}`)).id,
    );
  }
  for (const [index, { customer, daysAgo, items }] of INVOICE_PLAN.entries()) {
    const invoiceDate = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const invoice = { customer_id: customers[customer], invoice_date: invoiceDate, items };
    await create(host, secretKey, `/invoices/${TRADER.slug}`, invoice, `invoice-${index}`);
  }
  const schoolKey = await openCompany(host, SCHOOL);
  for (const [index, location] of LOCATIONS.entries()) {
    await create(host, schoolKey, `/settings/${SCHOOL.slug}/locations`, location, `location-${index}`);
  }
  const page = { name: "Booking page", type: "publishable", allowed_origins: [origin] };
  const { client_id } = await create<Key>(
    host,
    schoolKey,
    `/settings/${SCHOOL.slug}/keys`,
    page,
    "booking-page",
  );
  return {
    company: TRADER.slug,
    secret_key: secretKey,
    publishable_key: { client_id, origin, company: SCHOOL.slug },
    customer_id: customers[0] ?? "1",
  };
}

/** Brings the control database up to date, then every company's. */
export async function migrateAll(host: Host): Promise<void> {
  await call(host, "POST", "/platform/migrations", bearer(host));
  const { data } = await call<Reply<{ slug: string }[]>>(
    host,
    "GET",
    "/platform/companies?limit=100",
    bearer(host),
  );
  for (const { slug } of data)
    await call(host, "POST", `/platform/companies/${slug}/migrations`, bearer(host));
}

async function openCompany(host: Host, company: { slug: string; name: string }): Promise<Key> {
  const { data } = await call<Reply<{ admin_key: Key }>>(
    host,
    "POST",
    "/platform/companies",
    bearer(host),
    company,
  );
  return data.admin_key;
}

async function create<T = { id: string }>(
  host: Host,
  key: Key,
  path: string,
  body: object,
  once: string,
): Promise<T> {
  const headers = {
    "X-Client-Id": key.client_id,
    "X-Client-Secret": key.client_secret,
    "Idempotency-Key": once,
  };
  return (await call<Reply<T>>(host, "POST", `/v1${path}`, headers, body)).data;
}

async function call<T>(
  host: Host,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const response = await fetch(host.url + path, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

function bearer(host: Host): Record<string, string> {
  return { Authorization: `Bearer ${host.platformToken}` };
}

import { customerBody, newCustomer, newInvoice, REGISTERED } from "../../features/commerce.ts";
import { newProduct, today } from "../../features/money.ts";
import { daysAhead, everyDay, newCourse, newInstructor, setRules } from "../../features/school.ts";
import { credentials, openCompany, type TestCompany } from "../../support/company.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { PLATFORM_TOKEN } from "../../support/service.ts";
import { INSTRUCTORS, SLOT_MINUTES } from "../numbered.ts";
import { type Company, INVOICE } from "../scenarios.ts";
import type { Sqld } from "./sqld.ts";

const RATE_LIMIT = 1_000_000;
const LIMITS = {
  rate_limit_per_minute: RATE_LIMIT,
  messaging_rate_per_minute: RATE_LIMIT,
  messaging_daily_cap: RATE_LIMIT,
};
const RECORDS = 200;
const PRODUCTS = 1_000;
const AT_ONCE = 8;
const BOTTLE = { selling_price: 349.5, tax_rate: 18, hsn_sac_code: "732393", unit_id: 1 };
/** More than a run's payments can settle. */
const HALL = { item_name: "Factory hall", quantity: 1, unit: "NOS", unit_price: 90_000_000, tax_rate: 18 };

// Demo values: they open nothing but the bench's own gateway.
const GATEWAY = {
  kind: "razorpay",
  mode: "test",
  credentials: { key_id: "rzp_test_bench", key_secret: "demo-key-secret" },
  webhook_secret: "demo-webhook-secret",
};
const SMS_PROVIDER = { channel: "sms", kind: "msg91", config: { auth_key: "demo-auth-key" } };

/** Opens a company through the API at `url`, and gives it 200 customers, 200 invoices of three lines, and 1,000 products. */
export async function fillCompany(url: string, sqld: Sqld, receiver: string): Promise<Company> {
  const place = { url, platformToken: PLATFORM_TOKEN, libsqlUrl: sqld.url, libsqlToken: sqld.token };
  const company = await openCompany({ slug: "bench", ...REGISTERED }, place as ServiceAddress);
  const { admin, slug } = company;
  await company.change(`/settings/:company/keys/${admin.client_id}`, LIMITS);
  const customers = await repeat((index) => newCustomer(company, customer(index)));
  const invoices = await repeat((index) => newInvoice(company, customers[index]?.id, INVOICE));
  const products = await repeat((index) => newProduct(company, product(index)), PRODUCTS);
  await company.make("/settings/:company/payment-gateways", GATEWAY);
  await company.make("/settings/:company/messaging-providers", SMS_PROVIDER);
  await company.make("/settings/:company/event-endpoints", { url: receiver, types: ["customer.created"] });
  const owed = await newInvoice(company, customers[0]?.id, { items: [HALL] });
  return {
    slug,
    databaseUrl: `${sqld.url}/dev/${company.namespace}/`,
    credentials: credentials(admin),
    projectId: await openProject(company),
    courseId: String(await openSchool(company)),
    owedInvoiceId: owed.id,
    today: today(),
    tomorrow: daysAhead(1),
    customerId: customers[0]?.id ?? "",
    invoiceId: invoices[0]?.id ?? "",
    productId: products[0]?.id ?? "",
  };
}

/** Instructors who work around the clock in lessons of a quarter of an hour; gives the id of their course. */
export async function openSchool(company: TestCompany): Promise<number> {
  for (let index = 0; index < INSTRUCTORS; index += 1)
    await newInstructor(company, { name: `Instructor ${index}`, schedule: everyDay("00:00-23:59") });
  const rules = { buffer_minutes: 0, min_notice_minutes: 0, advance_days: 366 };
  await setRules(company, { ...rules, slot_length_minutes: SLOT_MINUTES, slot_step_minutes: SLOT_MINUTES });
  return newCourse(company, { ...BOTTLE, duration_minutes: SLOT_MINUTES });
}

/** A project with work items; gives its id. */
async function openProject(company: TestCompany): Promise<string> {
  const projects = "/projects/:company/projects";
  const { id } = await company.make(projects, { name: "Website", code: "WEB" });
  const item = { type: "task", priority: "high", tags: ["payments"] };
  await repeat((index) =>
    company.make(`${projects}/${id}/work-items`, { title: `Pay by UPI ${index}`, ...item }),
  );
  return String(id);
}

function product(index: number): Record<string, unknown> {
  const description = "Double-walled, keeps hot for twelve hours";
  return { ...BOTTLE, name: `Steel bottle ${index}`, sku: `BTL-${index}`, description };
}

function customer(index: number): Record<string, unknown> {
  return {
    ...customerBody,
    name: `Customer ${index}`,
    email: `accounts${index}@customer.example`,
    phone: `+91 98765 ${10_000 + index}`,
    address: "12, 4th Cross, Jayanagar",
    city: "Bengaluru",
    payment_terms_days: 15,
  };
}

async function repeat<T>(make: (index: number) => Promise<T>, count = RECORDS): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += AT_ONCE)
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => make(index + offset)))));
  return made;
}

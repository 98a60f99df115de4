import { databaseOf, PLATFORM_TOKEN, type Service } from "../../support/service.ts";
import { newInvoice } from "../scenarios.ts";
import { post } from "../setup/company.ts";
import { growCompany, type Size, YEARS } from "./rows.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

export type Grown = {
  slug: string;
  url: string;
  headers: Record<string, string>;
  customerId: string;
  courseId: string;
};

/** Opens a company, makes one record of each kind through the API, and copies them until it has its size. */
export async function openGrown(service: Service, slug: string, size: Size): Promise<Grown> {
  const url = `${service.url}/v1`;
  const profile = { slug, name: "Asha Traders", gstin: "29AABCR1718E1ZL", state: "Karnataka" };
  const platform = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const { admin_key: key } = (await post(`${service.url}/platform/companies`, platform, profile))
    .data as unknown as { admin_key: { client_id: string; client_secret: string } };
  const headers = { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret };
  const rate = { rate_limit_per_minute: 1_000_000 };
  await post(`${url}/settings/${slug}/keys/${key.client_id}`, headers, rate, "PATCH");
  const make = async (path: string, body: object, method = "POST") =>
    (await post(url + path.replace(":company", slug), headers, body, method)).data;
  const customer = {
    name: "Customer",
    state: "Karnataka",
    pincode: "560001",
    email: "accounts@customer.example",
  };
  const customerId = (await make("/customers/:company", customer)).id;
  await makeSales(make, customerId);
  const product = { name: "Bottle", sku: "BTL", unit_id: 1, selling_price: 349.5, tax_rate: 18 };
  await make("/products/:company", product);
  const lesson = { ...product, sku: "LSN", name: "Lesson", duration_minutes: 30, transmission: "auto" };
  const courseId = (await make("/products/:company", lesson)).id;
  await makeLesson(make, courseId);
  await make("/projects/:company/projects", { name: "Shop", code: "SHOP" });
  await make("/projects/:company/projects/1/work-items", { title: "Pay by UPI" });
  const database = await databaseOf(service, slug);
  await database.batch(
    [
      `INSERT INTO messages (id, channel, status, details, content, created_at)
        VALUES ('msg_010', 'sms', 'delivered', '{}', '{"text":"Your invoice is ready"}', 1)`,
      `INSERT INTO message_recipients (message_id, ordinal, address, status, provider, dispatch_state, leased_until)
        VALUES ('msg_010', 0, '919845077777', 'delivered', 'msg91', 'dispatched', 0)`,
    ],
    "write",
  );
  await growCompany(database, size);
  return { slug, url, headers, customerId, courseId };
}

type Make = (path: string, body: object, method?: string) => Promise<{ id: string }>;

async function makeSales(make: Make, customerId: string): Promise<void> {
  const dates = Array.from({ length: YEARS }, (_, year) => dayOf(Date.now() - year * YEAR_MS));
  const ids: string[] = [];
  for (const date of dates)
    ids.push(
      (
        await make("/invoices/:company", {
          ...newInvoice(customerId),
          invoice_date: date,
          due_date: "2099-12-31",
        })
      ).id,
    );
  for (const [year, id] of ids.entries())
    await make("/payments/:company", {
      invoice_id: id,
      amount: 100,
      payment_date: dates[year],
      payment_mode_id: 1,
    });
}

async function makeLesson(make: Make, courseId: string): Promise<void> {
  const schedule = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "00:00", end: "23:59" }));
  await make("/settings/:company/instructors", { name: "Ravi", transmission: "both", schedule });
  const rules = { buffer_minutes: 0, min_notice_minutes: 0, advance_days: 366, slot_length_minutes: 30 };
  await make("/settings/:company/booking-settings", rules, "PATCH");
  await make("/schools/:company/bookings", {
    ...{
      instructor_id: 1,
      product_id: courseId,
      booking_date: dayOf(Date.now() + 2 * DAY_MS),
      start_time: "10:00",
    },
    customer: { name: "Mia Chen", email: "mia@example.com" },
  });
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

import { companyDate } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import type { Api, Data, Key } from "../api.ts";
import { createAll } from "./create-all.ts";
import { CUSTOMERS, DRIVING_SCHOOL, GOODS, type Good, INVOICES, SCHOOL_TAX, TRADERS } from "./demo-data.ts";
import { connectGateways } from "./demo-gateways.ts";
import { makeProject } from "./demo-project.ts";
import { makeRecruitment, openWebsite } from "./demo-recruitment.ts";
import { fillSchool } from "./demo-school.ts";
import { makeSellers, SELLERS } from "./demo-sellers.ts";
import { openShop } from "./demo-shop.ts";

type Issued = { id: string; total_amount: number; items: { id: string }[] };
type CreatedCompany = Data<{ timezone: string; admin_key: Key }>;

/** What is known of the demo companies once they are complete. */
export type Demo = {
  traders: { admin_key: Key; customer_id: string; shop_key: Key; site_key: Key };
  sellers: Record<string, Key>;
  driving: { admin_key: Key; publishable_key: { client_id: string; origin: string } };
};

export const DEMO_SLUGS = [TRADERS.slug, DRIVING_SCHOOL.slug, ...SELLERS.map(({ slug }) => slug)];

/** Opens the demo companies and fills them, as a client would; `gateways` is where the stand-ins are. */
export async function makeDemo(platform: Api, origin: string, gateways: string): Promise<Demo> {
  const [traders, driving, sellers] = await Promise.all([
    makeTraders(platform, gateways),
    makeDrivingSchool(platform, origin),
    makeSellers(platform),
  ]);
  return { traders, driving, sellers };
}

/** Lets the booking page's key work from this start's address. */
export async function moveBookingPage(platform: Api, demo: Demo, origin: string): Promise<Demo> {
  const { admin_key, publishable_key } = demo.driving;
  if (publishable_key.origin === origin) return demo;
  const path = `/settings/${DRIVING_SCHOOL.slug}/keys/${publishable_key.client_id}`;
  await platform.signedBy(admin_key).patch(path, { allowed_origins: [origin] });
  return { ...demo, driving: { admin_key, publishable_key: { ...publishable_key, origin } } };
}

async function makeTraders(platform: Api, gateways: string): Promise<Demo["traders"]> {
  const { data: company } = await platform.post<CreatedCompany>("/platform/companies", TRADERS);
  const api = platform.signedBy(company.admin_key);
  const today = companyDate(Date.now(), company.timezone);

  const ids = await createAll(api, `/customers/${TRADERS.slug}`, "customer", CUSTOMERS);
  for (const [index, { customer, daysAgo, items, returned }] of INVOICES.entries()) {
    const path = `/invoices/${TRADERS.slug}`;
    const { data } = await api.create<Data<Issued>>(path, `demo-invoice-${index + 1}`, {
      customer_id: ids[CUSTOMERS.findIndex(({ name }) => name === customer)],
      invoice_date: addDays(today, -daysAgo),
      items: Object.entries(items).map(([good, quantity]) => ({ ...GOODS[good as Good], quantity })),
    });
    if (returned === undefined) continue;
    // Of a paid invoice, so that the note has credit to apply or to pay out.
    await api.create(`/payments/${TRADERS.slug}`, `demo-payment-${index + 1}`, {
      ...{ invoice_id: data.id, amount: data.total_amount, payment_mode_id: 2 },
      payment_date: addDays(today, -daysAgo),
    });
    await api.create(`${path}/${data.id}/credit-notes`, `demo-credit-note-${index + 1}`, {
      items: [{ invoice_item_id: data.items[0]?.id, quantity: returned }],
      reason: "sales_return",
      // The examples of the document move by whole weeks, so a payout is of up to six days ago.
      note_date: addDays(today, -7),
    });
  }
  await makeProject(platform, api, TRADERS.slug, today);
  await makeRecruitment(api, TRADERS.slug, today);
  const [customer_id = ""] = ids;
  const shop_key = await openShop(platform, api, TRADERS.slug, gateways);
  const site_key = await openWebsite(api, TRADERS.slug);
  return { admin_key: company.admin_key, customer_id, shop_key, site_key };
}

async function makeDrivingSchool(platform: Api, origin: string): Promise<Demo["driving"]> {
  const { data: company } = await platform.post<CreatedCompany>("/platform/companies", DRIVING_SCHOOL);
  const api = platform.signedBy(company.admin_key);
  const settings = `/settings/${DRIVING_SCHOOL.slug}`;
  await api.patch(`${settings}/profile`, SCHOOL_TAX);
  await fillSchool(api, DRIVING_SCHOOL.slug);
  const gateways = { stripe: ["AUD"], paypal: ["AUD"], razorpay: ["AUD"] };
  await connectGateways(api, DRIVING_SCHOOL.slug, gateways);
  const page = { name: "Booking page", type: "publishable", allowed_origins: [origin] };
  const { data: key } = await api.create<Data<Key>>(`${settings}/keys`, "demo-booking-page", page);
  return { admin_key: company.admin_key, publishable_key: { client_id: key.client_id, origin } };
}

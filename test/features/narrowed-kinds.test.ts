import { expect, test } from "vitest";
import { must } from "../support/company.ts";
import { newCustomer, newInvoice, patchCustomer } from "./commerce.ts";
import { newNote, voidNote } from "./credit-notes/notes.ts";
import { APPLICATIONS, applied, newJob } from "./hiring.ts";
import { captured, LEADS } from "./leads/leads.ts";
import { accepted, connect, sendSms } from "./messaging/provider.ts";
import { newPayment, newProduct, refund } from "./money.ts";
import { idsByChange, idsOf } from "./narrowed.ts";
import { endAtGateway, getRefund, newRefund, paidOrder } from "./refunds/refunds.ts";
import { STAFF_BOOKINGS as BOOKINGS, daysAhead, newBooking, openSchool } from "./school.ts";
import { openShop, placeOrder } from "./storefront/shop.ts";

const [shop, school] = await Promise.all([openShop(), openSchool()]);
const { company } = shop;
const [customer, job] = [await newCustomer(company), await newJob(company)];
await connect(company, "msg91");
let made = 0;

async function madeInvoice(): Promise<string> {
  return (await newInvoice(company, customer.id)).id;
}

/** A list, what makes a record of it, and what changes one. */
type Kind = [path: string, make: () => Promise<string>, change: (id: string) => Promise<unknown>];
const KINDS: Kind[] = [
  [
    "/customers/:company",
    async () => (await newCustomer(company, { name: `Customer ${++made}` })).id,
    (id) => patchCustomer(company, id, { notes: "Pays by the month." }),
  ],
  [
    "/products/:company",
    async () => (await newProduct(company)).id,
    (id) => company.change(`/products/:company/${id}`, { name: "Cup" }),
  ],
  ["/invoices/:company", madeInvoice, (id) => newPayment(company, { invoice_id: id, amount: 100 })],
  [
    "/credit-notes/:company",
    async () => (await newNote(company, await madeInvoice(), { reason: "correction" })).id,
    (id) => voidNote(company, id),
  ],
  [
    "/refunds/:company",
    async () => (await newRefund(company, { capture_id: (await paidOrder(shop)).captureId })).id,
    async (id) => endAtGateway(shop, (await getRefund(company, id)).gateway_refund_id, "failed"),
  ],
  [
    "/orders/:company",
    async () => String((await placeOrder(company)).order_id),
    (id) => company.call("POST", `/orders/:company/${id}/resolve`, { body: { action: "cancel" } }),
  ],
  [
    LEADS,
    async () => String((await captured(company, { email: `lead-${++made}@mail.example` })).id),
    (id) => company.call("POST", `${LEADS}/${id}/close`, { body: { status: "lost" } }),
  ],
  [
    APPLICATIONS,
    async () => String((await applied(company, job.slug)).id),
    (id) => company.change(`${APPLICATIONS}/${id}`, { status: "shortlisted" }),
  ],
  [
    "/messaging/:company/messages",
    async () => accepted(await sendSms(company, { send_at: new Date(Date.now() + 3_600_000).toISOString() })),
    (id) => company.call("POST", `/messaging/:company/messages/${id}/cancel`),
  ],
];

test.each(KINDS)(
  "%s with sort=updated has each record once, the last one changed at the end",
  async (path, make, change) => {
    const [first, second] = [await make(), await make()];
    const limit = "2";
    const ofBoth = (ids: string[]) => ids.filter((id) => id === first || id === second);
    expect(ofBoth(await idsByChange(company, path, { limit }))).toEqual([first, second]);
    await change(first);
    const ids = await idsByChange(company, path, { limit });
    expect(ofBoth(ids)).toEqual([second, first]);
    expect(ids.toSorted()).toEqual((await idsOf(company, path)).toSorted());
    const since = { updated_since: new Date(Date.now() - 60_000).toISOString(), limit };
    expect(ofBoth(await idsOf(company, path, since))).toEqual([second, first]);
    expect(await idsByChange(company, path, { updated_since: "2999-01-01T00:00:00Z" })).toEqual([]);
  },
);

test("a payment that was taken back, and a voided invoice, leave the lists as they leave them unsorted", async () => {
  const invoice = await madeInvoice();
  const { id } = await newPayment(company, { invoice_id: invoice, amount: 100 });
  expect((await idsByChange(company, "/payments/:company")).at(-1)).toBe(id);
  must(await refund(company, id), 200);
  expect(await idsByChange(company, "/payments/:company")).not.toContain(id);
  must(await company.call("POST", `/invoices/:company/${invoice}/void`), 200);
  expect(await idsByChange(company, "/invoices/:company")).not.toContain(invoice);
});

test("bookings of the staff are sorted by their changes, whatever the order asked for beside", async () => {
  const [first, second] = [
    await newBooking(school, { booking_date: daysAhead(9), start_time: "10:00" }),
    await newBooking(school, { booking_date: daysAhead(8), start_time: "10:00" }),
  ];
  const query = { order: "start", limit: "1" };
  expect(await idsByChange(school.company, BOOKINGS, query)).toEqual([first.id, second.id]);
  await school.company.change(`${BOOKINGS}/${first.id}`, { status: "confirmed" });
  expect(await idsByChange(school.company, BOOKINGS, query)).toEqual([second.id, first.id]);
});

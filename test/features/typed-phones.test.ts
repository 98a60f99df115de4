import { describe, expect, test } from "vitest";
import { openCompany } from "../support/company.ts";
import vectors from "../vectors/typed-texts.json" with { type: "json" };
import { getCustomer, newCustomer, patchCustomer, REGISTERED, search } from "./commerce.ts";
import { applied, newJob, onlyApplication } from "./hiring.ts";
import { captured, readLead } from "./leads/leads.ts";
import {
  book,
  daysAhead,
  newInstructor,
  newPackage,
  openSchool,
  STUDENT,
  SYDNEY,
  schoolCall,
} from "./school.ts";
import { getOrder, openShop, placeOrder, shopper } from "./storefront/shop.ts";

const SEEN = "+91 98478-85902";
const SENT = "\u202a\uff0b\u096f\u0967 98478\u201185902\u202c\u200b";

test.each(vectors.phones)("a customer has the phone that was meant: $what", async ({ sent, stored }) => {
  const company = await openCompany();
  const { id, phone } = await newCustomer(company, { phone: sent, shipping_address: { phone: sent } });
  expect(phone).toBe(stored);
  expect((await getCustomer(company, id)).body.data.shipping_address?.phone).toBe(stored);
  expect(await search(company, stored)).toHaveLength(1);
  expect((await patchCustomer(company, id, { phone: `${sent}1` })).body.data.phone).toBe(`${stored}1`);
  const lead = await captured(company, { email: undefined, phone: sent });
  // The same person, and so the same lead.
  expect(await captured(company, { email: undefined, phone: stored })).toMatchObject({ id: lead.id });
});

describe("marks around a phone are not stored, at every door", () => {
  test("a visitor's site: a lead, an order with its delivery address, an application", async () => {
    const { company } = await openShop();
    const lead = await captured(company, { phone: SENT });
    expect((await readLead(company, lead.id)).phone).toBe(SEEN.replace(/[ -]/g, ""));
    const customer = { ...shopper, phone: SENT, shipping_address: { city: "Pune", phone: SENT } };
    const { order_id: id } = await placeOrder(company, { customer });
    expect((await getOrder(company, id)).customer).toMatchObject({
      phone: SEEN,
      shipping_address: { phone: SEEN },
    });
    const { slug } = await newJob(company);
    await applied(company, slug, { phone: SENT });
    expect((await onlyApplication(company)).phone).toBe(SEEN);
  });

  test("a school: an instructor, a booking, the packages of a number", async () => {
    const school = await openSchool(SYDNEY);
    const { company } = school;
    expect((await newInstructor(company, { phone: SENT })).phone).toBe(SEEN);
    const booking_date = daysAhead(3);
    const wish = { customer: { ...STUDENT, email: null, phone: SENT }, booking_date, start_time: "09:00" };
    expect((await book(school, wish)).status).toBe(201);
    await newPackage(school, { customer_id: Number((await newCustomer(company, { phone: SENT })).id) });
    const path = `/packages?customer_phone=${encodeURIComponent(SENT)}`;
    const { body } = await schoolCall<{ packages: unknown[] }>(company, "GET", path);
    expect(body.packages).toHaveLength(1);
  });

  test("a company: its own phone, an opt-out, a message, an erasure", async () => {
    const company = await openCompany(REGISTERED);
    expect((await company.change("/settings/:company/profile", { phone: SENT })).phone).toBe(SEEN);
    const optout = await company.make("/settings/:company/optouts", { channel: "sms", address: SENT });
    expect(optout.e164).toBe("+919847885902");
    await newCustomer(company, { phone: SEEN });
    const { erased } = await company.make("/settings/:company/erasures", { phone: SENT });
    expect(erased).toMatchObject({ optouts: 1 });
    expect(await search(company, SEEN)).toEqual([]);
  });
});

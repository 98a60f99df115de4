import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../support/company.ts";
import vectors from "../vectors/typed-texts.json" with { type: "json" };
import { getCustomer, newCustomer, patchCustomer, search } from "./commerce.ts";
import { applied, newJob, onlyApplication } from "./hiring.ts";
import { CAPTURE, captured, readLead } from "./leads/leads.ts";
import { accepted, connect, sendChatapp, sendEmail } from "./messaging/provider.ts";
import { newProduct } from "./money.ts";
import { newEmployee, openBoard } from "./projects/board.ts";
import { wrongField } from "./refusal.ts";
import {
  book,
  daysAhead,
  expectStatus,
  newInstructor,
  openSchool,
  STUDENT,
  SYDNEY,
  schoolCall,
} from "./school.ts";
import { getOrder, openShop, placeOrder, shopper } from "./storefront/shop.ts";

describe("equal words are found", async () => {
  const company = await openCompany();
  for (const { sent } of vectors.searches) await newCustomer(company, { name: sent });
  await newCustomer(company, { name: "Meera", phone: "9840836684", email: "u1@münchen.de" });

  test.each(vectors.searches)("$what", async ({ stored_name, q }) => {
    expect(await search(company, q)).toEqual([stored_name]);
  });

  test.each(["+919840836684", "\u202a9840836684\u202c", "०९८४० ८३६६८४", "u1@münchen.de"])(
    "a person by %j",
    async (q) => {
      expect(await search(company, q)).toEqual(["Meera"]);
    },
  );

  const STORED = "Zoe\u0308";
  const ASKED = encodeURIComponent("\u2068Zoë\u2069");
  const found = (own: TestCompany, path: string) => own.read<unknown[]>(`${path}?q=${ASKED}`);

  test("in every list that is searched", async () => {
    const { company: shop } = await openShop();
    await newProduct(shop, { name: STORED });
    await placeOrder(shop, { customer: { ...shopper, name: STORED } });
    await newJob(shop, { title: STORED });
    await newEmployee(shop, { name: STORED });
    for (const path of [
      "/products/:company",
      "/storefront/:company/products",
      "/orders/:company",
      "/recruitment/:company/jobs",
      "/projects/:company/assignees",
    ])
      expect(await found(shop, path), path).toHaveLength(1);
    const board = await openBoard();
    await board.item({ title: STORED });
    expect(await board.read<unknown[]>(`/work-items?q=${ASKED}`)).toHaveLength(1);
    const school = await openSchool(SYDNEY);
    const customer = { ...STUDENT, name: STORED };
    must(await book(school, { customer, booking_date: daysAhead(3), start_time: "09:00" }), 201);
    expect(await found(school.company, "/settings/:company/bookings")).toHaveLength(1);
  });
});

describe("an address of mail has its host in ASCII, and no invisible mark", () => {
  test.each(vectors.mail_addresses)("$sent", async ({ sent: email, stored }) => {
    const { company } = await openShop();
    await connect(company, "resend");
    const { id } = await newCustomer(company, { email });
    expect((await getCustomer(company, id)).body.data.email).toBe(stored);
    expect((await patchCustomer(company, id, { email })).body.data.email).toBe(stored);
    const lead = await captured(company, { email });
    expect((await readLead(company, lead.id)).email).toBe(stored);
    const { order_id } = await placeOrder(company, { customer: { ...shopper, email } });
    expect((await getOrder(company, order_id)).customer.email).toBe(stored);
    const { slug } = await newJob(company);
    await applied(company, slug, { email });
    expect((await onlyApplication(company)).email).toBe(stored);
    const mail = await sendEmail(company, { to: [email, { email: stored }] });
    expect(must(mail, 202).body.data).toMatchObject({ to: [stored] });
  });

  test("at a school too, where packages are found by either spelling", async () => {
    const school = await openSchool(SYDNEY);
    const { company } = school;
    const email = "mia@münchen.de";
    expect((await newInstructor(company, { email })).email).toBe("mia@xn--mnchen-3ya.de");
    const wish = { customer: { ...STUDENT, email }, booking_date: daysAhead(3), start_time: "09:00" };
    must(await book(school, wish), 201);
    const path = `/packages?customer_email=${encodeURIComponent(email)}`;
    expect((await schoolCall(company, "GET", path)).status).toBe(200);
  });

  test.each(["müller@example.com", "a@mün chen.de", "a@b@münchen.de", "a@.भारत", "a@münchen"])(
    "%j is none",
    async (email) => {
      const company = await openCompany();
      expect(await company.call("POST", CAPTURE, { body: { name: "L", email } })).toMatchObject(
        wrongField("email", "invalid_format"),
      );
    },
  );
});

describe("a break that was pasted is a line end", () => {
  test.each(vectors.line_breaks)("$what", async ({ sent }) => {
    const { company } = await openShop();
    const lead = await captured(company, { message: sent });
    expect((await readLead(company, lead.id)).submissions[0]?.fields).toMatchObject({ message: "one\ntwo" });
    const { order_id } = await placeOrder(company, { notes: sent });
    expect((await getOrder(company, order_id)).notes).toBe("one\ntwo");
    const { slug } = await newJob(company);
    await applied(company, slug, { cover_letter: sent });
    expect((await onlyApplication(company)).cover_letter).toBe("one\ntwo");
    expect((await newCustomer(company, { notes: sent, address: sent })).address).toBe("one\ntwo");
    const board = await openBoard();
    const { id, description } = await board.item({ description: sent });
    expect(description).toBe("one\ntwo");
    expect((await board.make(`/work-items/${id}/comments`, { body: sent })).body).toBe("one\ntwo");
    await connect(company, "meta");
    const chat = await sendChatapp(company, { type: "text", text: { body: sent } });
    expect(accepted(chat)).toMatch(/^msg_/);
  });
});

describe("a text as people send it is stored alike at each door", () => {
  const NAME = "\u202aAsha\u00a0 Rao\u202c\n\u{e0050}";
  const PIN = "५६० ००१\u200b";
  const read = { name: "Asha Rao", city: "Asha Rao", state: "Karnataka", pincode: "560001" };
  const sent = { name: NAME, city: NAME, state: "KARNATAKA\u200b", pincode: PIN };

  test("of a customer, whose delivery has a name that shows, or none", async () => {
    const company = await openCompany();
    const to = { ...sent, name: "\u200b\ue000" };
    const { id } = await newCustomer(company, { ...sent, shipping_address: to });
    const shipping = { city: "Asha Rao", name: "", pincode: "560001" };
    expect((await getCustomer(company, id)).body.data).toMatchObject({ ...read, shipping_address: shipping });
  });

  test("of a shopper, a lead and a lesson", async () => {
    const { company } = await openShop();
    const { order_id } = await placeOrder(company, { customer: { ...shopper, ...sent } });
    const { pincode, ...order } = (await getOrder(company, order_id)).customer;
    expect([pincode, order.name, order.city]).toEqual(["560001", "Asha Rao", "Asha Rao"]);
    const lead = await captured(company, { ...sent, email: "a@example.com" });
    expect(await readLead(company, lead.id)).toMatchObject({ name: "Asha Rao", pincode: "560001" });
    const school = await openSchool(SYDNEY);
    const wish = { customer: { ...STUDENT, name: NAME }, booking_date: daysAhead(3), start_time: "09:00" };
    expectStatus(await book(school, wish), 201);
    expect(await search(school.company, "Asha Rao")).toEqual(["Asha Rao"]);
  });

  test.each(["Asha\u202eoaR", "Asha\u0000", "Asha \u2067Rao\u2069 x"])(
    "%j is refused as a name",
    async (name) => {
      const { company } = await openShop();
      const customer = { ...shopper, name };
      const answer = await company.call("POST", CAPTURE, { body: { ...customer, message: "Hi" } });
      expect(answer).toMatchObject(wrongField("name", "invalid_characters"));
    },
  );
});

import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { getCustomer, newCustomer } from "../commerce.ts";
import { LEADS } from "../leads/leads.ts";
import { onlyRules } from "../notifications/notified.ts";
import { refusal, wrongField } from "../refusal.ts";
import {
  ERASURES,
  type ErasureRecord,
  erase,
  everywhere,
  found,
  inMessages,
  openSchool,
  postErasure,
  type Someone,
} from "./person.ts";

const ZARINA: Someone = {
  name: "Zarina Quadri",
  email: "Zarina.Quadri@mail.example",
  digits: "919845067812",
  national: "9845067812",
};
const NEEDLES = [ZARINA.email, ZARINA.national, "Zarina", "Quadri"];
const booksOf = async (company: TestCompany) => [
  must(await company.call("GET", "/ledger/:company/trial-balance"), 200).body.data,
  await company.rows("SELECT * FROM journal_entries ORDER BY id"),
  // All but what is not printed.
  (await company.rows("SELECT * FROM invoices ORDER BY id")).map(({ customer, ...invoice }) => ({
    ...invoice,
    customer: { ...JSON.parse(String(customer)), email: null, phone: null },
  })),
  await company.rows("SELECT * FROM payments ORDER BY id"),
];

describe("a person who is in every kind of record", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, {});
  const their = await everywhere(school, ZARINA);
  await inMessages(company, ZARINA);
  expect((await found(company, ...NEEDLES)).length).toBeGreaterThan(30);
  const books = await booksOf(company);
  const erased = await erase(company, {
    email: ZARINA.email.toUpperCase(),
    phone: `0${ZARINA.national}`,
    reason: "By letter",
  });

  test("is gone from all but what the answer says is kept", async () => {
    expect(await found(company, ...NEEDLES)).toEqual([
      "accounts.name",
      "customers.name",
      "events.snapshot",
      "invoices.customer",
      "sales_orders.customer",
    ]);
    // The order that may still be paid.
    expect(await found(company, ZARINA.email, ZARINA.national)).toEqual(["sales_orders.customer"]);
    expect(erased.kept.map(({ what }) => what).sort()).toEqual([
      "audit_log",
      "customer",
      "invoices",
      "journal_entries",
      "optouts",
      "orders",
      "payments",
      "suppressions",
    ]);
    expect(erased.reason).toBe("By letter");
    const events = await company.rows(
      "SELECT type, record_id FROM events WHERE instr(snapshot, 'Zarina') > 0",
    );
    expect(events).toEqual([{ type: "customer.updated", record_id: their.billed.id }]);
  });

  test("has no file left", async () => {
    expect([await company.files("leads"), await company.files("resumes")]).toEqual([[], []]);
  });

  test("is counted by what is gone", () => {
    expect(erased.erased).toMatchObject({
      ...{ customers: 2, orders: 1, leads: 2, applications: 1, messages: 4, inbound: 2 },
      ...{ bookings: 1, optouts: 1, suppressions: 1, files: 2 },
    });
    expect(erased.erased.events).toBeGreaterThan(10);
  });

  test("leaves a customer with invoices by name alone, and another not at all", async () => {
    const { data } = must(await getCustomer(company, their.billed.id), 200).body;
    expect(data).toMatchObject({
      ...{ name: ZARINA.name, email: null, phone: null, notes: null, metadata: {}, shipping_address: null },
      display_name: null,
      ...{ state: "Karnataka", pincode: "560001" },
    });
    expect((await getCustomer(company, their.unbilled.id)).status).toBe(404);
    expect((await company.call("GET", `${LEADS}/${their.lead.id}`)).status).toBe(404);
  });

  test("leaves the books as they were, and the self-check sound", async () => {
    expect(await booksOf(company)).toEqual(books);
    await expectSound(company);
    expect(must(await company.call("GET", "/ledger/:company/self-check"), 200).body.data).toMatchObject({
      sound: true,
    });
  });

  test("is kept on invoices until 72 months after the annual return of their year is due", () => {
    const [invoice] = erased.kept.filter(({ what }) => what === "invoices");
    const year = Number(String(their.invoice.invoice_date).slice(0, 4));
    const ends = String(their.invoice.invoice_date).slice(5) < "04-01" ? year : year + 1;
    expect(invoice?.until).toBe(`${ends + 6}-12-31`);
    expect(invoice?.why).toContain("section 36");
  });

  test("leaves an event that does not say who", async () => {
    const path = "/settings/:company/events?type=person.erased";
    const [event] = must(await company.call<{ data: ErasureRecord }[]>("GET", path), 200).body.data;
    expect(event?.data).toEqual(erased);
  });

  test("is listed by a hash, which the same identifier has again", async () => {
    const listed = must(await company.call<ErasureRecord[]>("GET", ERASURES), 200);
    expect(listed.body.data).toEqual([erased]);
    expect(listed.text.toLowerCase()).not.toMatch(/zarina|quadri|9845067812/);
    const counts = await rowCounts(company);
    const again = await erase(company, { email: ZARINA.email, phone: ZARINA.national });
    expect(again.person_hash).toBe(erased.person_hash);
    expect(Object.values(again.erased).filter((count) => count > 0)).toEqual([]);
    const query = `?person_hash=${encodeURIComponent(erased.person_hash)}`;
    const both = must(await company.call<ErasureRecord[]>("GET", ERASURES + query), 200).body.data;
    expect(both.map(({ id }) => id)).toEqual([again.id, erased.id]);
    const grown = Object.entries(await rowCounts(company)).filter(([name, rows]) => counts[name] !== rows);
    expect(grown.map(([name]) => name).sort()).toEqual([
      "audit_log",
      "events",
      "operations",
      "person_erasures",
    ]);
  });

  test("has no remembered answer: a replay is 404, and does nothing again", async () => {
    const replay = await company.call("POST", "/customers/:company", their.remembered);
    expect(replay).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await company.rows("SELECT id FROM customers")).toHaveLength(2);
  });
});

test("an erasure names its person, by a whole number and by records that are there", async () => {
  const company = await openCompany();
  const nobody = await postErasure(company, { reason: "Asked" });
  expect(nobody).toMatchObject(refusal(422, "validation_failed", { errors: [{ code: "required" }] }));
  for (const phone of ["12345", "98450 67821 / 98450 67822", "+91 98450 678215", "call me", "9999999999"])
    expect(await postErasure(company, { phone })).toMatchObject(wrongField("phone", "invalid_value"));
  expect(await postErasure(company, { phone: "+9.1984516E+11" })).toMatchObject(
    wrongField("phone", "invalid_phone"),
  );
  for (const by of ["customer_id", "lead_id", "application_id"])
    expect((await postErasure(company, { [by]: 99 })).status).toBe(404);
});

const WRITES = ["customers:write", "invoices:write", "messages:write", "orders:write"] as const;

test.each(WRITES)(
  "a person is erased by a key that writes every kind of record, and not by one that lacks %s, whatever there is",
  async (lacked) => {
    const company = await openCompany();
    const { id } = await newCustomer(company, { email: "meera@example.com" });
    const key = await company.key("settings:write", ...WRITES.filter((scope) => scope !== lacked));
    for (const email of ["meera@example.com", "stranger@example.com"])
      expect(await company.call("POST", ERASURES, { key, body: { email } })).toMatchObject(
        refusal(403, "insufficient_scope", { required_scope: lacked }),
      );
    expect(await company.rows(`SELECT email FROM customers WHERE id = ${id}`)).toEqual([
      { email: "meera@example.com" },
    ]);
    expect(await company.rows("SELECT id FROM person_erasures")).toEqual([]);
    const whole = await company.key("settings:write", ...WRITES);
    const body = { email: "meera@example.com" };
    const made = must(await company.call<ErasureRecord>("POST", ERASURES, { key: whole, body }), 201);
    expect(made.body.data.erased.customers).toBe(1);
  },
);

import { describe, expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";
import { must, openCompany } from "../../support/company.ts";
import { deleteCustomer, getInvoice, newCustomer, newInvoice, patchCustomer } from "../commerce.ts";
import { refusal } from "../refusal.ts";
import { eventsOf, typesOf } from "./events.ts";

const RESOURCES = await allResources();

const DAY_S = 86_400;

describe("the list", async () => {
  const company = await openCompany();
  const customerId = (await newCustomer(company)).id;
  await patchCustomer(company, customerId, { name: "Meera Stores" });
  const invoiceId = (await newInvoice(company, customerId)).id;
  must(await company.call("POST", `/invoices/:company/${invoiceId}/void`), 200);
  await deleteCustomer(company, (await newCustomer(company)).id);

  test("has every event, newest first, with the record as it was then", async () => {
    const events = await eventsOf(company);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["customer.deleted", 6],
      ["customer.created", 5],
      ["invoice.voided", 4],
      ["invoice.created", 3],
      ["customer.updated", 2],
      ["customer.created", 1],
    ]);
    expect(events.map(({ data }) => data.name ?? data.status)).toEqual([
      "Meera Traders",
      "Meera Traders",
      "voided",
      "draft",
      "Meera Stores",
      "Meera Traders",
    ]);
    expect(events[2]).toMatchObject({
      previous: { status: "draft" },
      company: company.slug,
      api_version: "1.0.0",
    });
    expect(events[2]?.data).toEqual(await getInvoice(company, invoiceId));
  });

  test.each([
    ["type=customer.created", ["customer.created", "customer.created"]],
    [
      "type=customer.created,invoice.*",
      ["customer.created", "invoice.voided", "invoice.created", "customer.created"],
    ],
    ["resource=invoice", ["invoice.voided", "invoice.created"]],
    ["resource=invoice&type=invoice.voided", ["invoice.voided"]],
    ["resource=customer&record_id=1&type=customer.updated", ["customer.updated"]],
    ["resource=customer&record_id=77", []],
    ["from=2020-01-01&to=2020-12-31", []],
    ["from=2020-01-01&type=customer.created", ["customer.created", "customer.created"]],
  ])("%s", async (query, types) => {
    expect((await eventsOf(company, query)).map(({ type }) => type)).toEqual(types);
  });

  test.each([
    ["type=customer.sold", "type"],
    ["record_id=1", "resource"],
    ["from=2026-02-02&to=2026-02-01", "to"],
    ["resource=moon", "resource"],
  ])("refuses %s", async (query, field) => {
    const answer = await company.call("GET", `/settings/:company/events?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  test("an event is read by its id", async () => {
    const [event] = await eventsOf(company);
    const path = `/settings/:company/events/${event?.id}`;
    expect(await company.read(path)).toEqual(event);
  });
});

describe("rights", async () => {
  const scopes = new Map(RESOURCES.map(({ name, scope }) => [name, scope]));
  const scopeOf = (type: string) => scopes.get(EVENT_TYPES[type as EventTypeName].resource) ?? "";

  const company = await openCompany();
  const { id } = await newCustomer(company);
  await newInvoice(company, id);
  const optout = { channel: "sms", address: "+919876543210" };
  await company.make("/settings/:company/optouts", optout);
  const all = await eventsOf(company);
  expect(all).toHaveLength(3);

  const matrix = [[], ["customers:read"], ["invoices:read"], ["customers:read", "invoices:read"]].flatMap(
    (read) =>
      [["settings:read"], ["events:read"], ["settings:read", "events:read"]].map((door) => [
        ...door,
        ...read,
      ]),
  );

  test.each(matrix.map((held) => ({ held })))(
    "$held: only events of records that the key may read",
    async ({ held }) => {
      const key = await company.key(...held);
      const seen = all.filter(({ type }) => held.includes(scopeOf(type)));
      expect(await eventsOf(company, "", { key })).toEqual(seen);
      expect(await eventsOf(company, "type=customer.created", { key })).toEqual(
        seen.filter(({ type }) => type === "customer.created"),
      );
      for (const event of all) {
        const answer = await company.call("GET", `/settings/:company/events/${event.id}`, { key });
        const scope = scopeOf(event.type);
        if (held.includes(scope)) expect(must(answer, 200).body.data).toEqual(event);
        else expect(answer).toMatchObject(refusal(403, "insufficient_scope", { required_scope: scope }));
      }
    },
  );

  test("the types say what each needs, and which are recorded", async () => {
    const path = "/settings/:company/event-types";
    const read = () => company.read<{ type: string; scope: string; recorded: boolean }[]>(path);
    const types = await read();
    expect(types.map(({ type }) => type)).toEqual(Object.keys(EVENT_TYPES));
    expect(types.every(({ type, scope }) => scope === scopeOf(type))).toBe(true);
    expect(types.filter(({ recorded }) => !recorded).map(({ type }) => type)).toEqual([
      "stock.moved",
      "message.status_changed",
    ]);
    await company.rows("INSERT INTO event_types_wanted (type) VALUES ('stock.moved')");
    expect((await read()).filter(({ recorded }) => !recorded)).toHaveLength(1);
  });
});

describe("retention", async () => {
  const company = await openCompany();

  test("on the 31st day an event is gone, and the younger ones stay", async () => {
    await company.clock(-31 * DAY_S);
    await newCustomer(company, { name: "Old" });
    const [old] = await eventsOf(company);
    await company.clock(-29 * DAY_S);
    await newCustomer(company, { name: "Young" });
    await company.clock(0);
    await company.sweep(async () => (await eventsOf(company)).length === 1);
    expect((await eventsOf(company))[0]?.data.name).toBe("Young");
    expect((await company.call("GET", `/settings/:company/events/${old?.id}`)).status).toBe(404);
  });

  test("more than one step's worth is forgotten in one run", async () => {
    await company.rows(`INSERT INTO events (type, resource, record_id, at, request_id, shape)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      SELECT 'customer.updated', 'customer', '1', 1, 'req', 1 FROM n`);
    await company.sweep(async () => (await typesOf(company)).length === 1);
    expect(await typesOf(company)).toEqual(["customer.created"]);
  });

  test("event_days is 4 to 90", async () => {
    const path = "/settings/:company/event-settings";
    expect(await company.read(path)).toEqual({ event_days: 30 });
    for (const days of [3, 91])
      expect((await company.call("PATCH", path, { body: { event_days: days } })).status).toBe(422);
    expect(await company.change(path, { event_days: 4 })).toEqual({
      event_days: 4,
    });
  });
});

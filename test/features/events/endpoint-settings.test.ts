import { beforeEach, describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { refusal } from "../refusal.ts";
import {
  connectReceiver,
  deliveriesTo,
  ENDPOINTS,
  type EndpointRecord,
  endpointOf,
  type Issued,
} from "./endpoints.ts";

const body = { url: "https://hooks.example.com/events", types: ["invoice.*"] };
const wanted = "SELECT type FROM event_types_wanted ORDER BY type";

// The tests share a company; each begins without endpoints.
const company = await openCompany();
beforeEach(() =>
  company.database().batch(
    ["event_deliveries", "event_endpoints", "event_types_wanted"].map((table) => `DELETE FROM ${table}`),
    "write",
  ),
);

test("an endpoint shows its secret once: in the answer that made it, also as a replay, and in that of a rotation", async () => {
  const headers = { "Idempotency-Key": "one" };
  const make = () => company.call<Issued>("POST", ENDPOINTS, { body, headers });
  const { data } = must(await make(), 201).body;
  expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(must(await make(), 201).body.data).toEqual(data);
  const read = await endpointOf(company, data.id);
  expect(read).toMatchObject({
    ...body,
    ...{ description: "", is_active: true, state: "ok", disabled_reason: null, pending: 0 },
    ...{ secret: { configured: true, last_four: data.secret.slice(-4) }, previous_secret_expires_at: null },
  });
  const rotated = await company.call<Issued>("POST", `${ENDPOINTS}/${data.id}/rotate`, {
    body: { overlap_seconds: 3_600 },
  });
  expect(must(rotated, 200).body.data.secret).not.toBe(data.secret);
  const { previous_secret_expires_at: expires } = await endpointOf(company, data.id);
  expect(Date.parse(String(expires)) - Date.now()).toBeGreaterThan(3_500_000);
  const listed = await company.call<EndpointRecord[]>("GET", ENDPOINTS);
  expect(must(listed, 200).text).not.toContain("whsec_");
  const [stored] = await company.rows("SELECT * FROM event_endpoints");
  expect(JSON.stringify(stored)).not.toContain(data.secret.slice(6));
});

test("a key that may not read the records has none of them sent, and cannot take over an endpoint", async () => {
  const { id, deliveries } = await connectReceiver(company, { types: ["customer.*", "invoice.paid"] });
  await newCustomer(company);
  await expect.poll(() => deliveries()).toMatchObject([{ state: "delivered" }]);
  const [delivery] = await deliveries();
  const key = await company.key("settings:write", "settings:read", "invoices:read");
  const one = `${ENDPOINTS}/${id}`;
  const refused: [string, string, object?][] = [
    ["POST", ENDPOINTS, { ...body, types: ["*"] }],
    ["POST", ENDPOINTS, { ...body, types: ["invoice.*", "customer.created"] }],
    ["PATCH", one, { url: "https://elsewhere.example.com/" }],
    ["PATCH", one, { is_active: false }],
    ["POST", `${one}/rotate`, { overlap_seconds: 0 }],
    ["DELETE", one],
    ["POST", `${one}/replay`, { since: 1 }],
    ["POST", `${one}/deliveries/${delivery?.id}/redeliver`],
  ];
  for (const [method, path, sent] of refused)
    expect(await company.call(method, path, { key, body: sent }), `${method} ${path}`).toMatchObject(
      refusal(403, "insufficient_scope", { required_scope: "customers:read" }),
    );
  const mine = must(await company.call<Issued>("POST", ENDPOINTS, { key, body }), 201).body.data;
  const types = ["invoice.*", "customer.*"];
  expect(await company.call("PATCH", `${ENDPOINTS}/${mine.id}`, { key, body: { types } })).toMatchObject({
    status: 403,
  });
  must(await company.call("PATCH", `${ENDPOINTS}/${mine.id}`, { key, body: { description: "Mine" } }), 200);
  must(await company.call("DELETE", `${ENDPOINTS}/${mine.id}`, { key }), 200);
  must(await company.call("DELETE", one), 200);
});

test("a company has ten endpoints at most", async () => {
  for (let made = 0; made < 10; made += 1) must(await company.call("POST", ENDPOINTS, { body }), 201);
  const answer = await company.call("POST", ENDPOINTS, { body });
  expect(answer).toMatchObject({ status: 409, body: { code: "limit_reached", limit: 10 } });
});

test.each([
  [["invoice.paid", "invoice.payed"], "types[1]"],
  [["nothing.*"], "types[0]"],
  [["*", "invoice.paid"], "types"],
  [["invoice.paid", "invoice.paid"], "types"],
  [[], "types"],
])("an endpoint for types %j is refused, naming the field", async (types, field) => {
  const answer = await company.call("POST", ENDPOINTS, { body: { ...body, types } });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
});

test("types on demand are recorded while an active endpoint asks for them by name or group, and not for *", async () => {
  const types = async () => (await company.rows(wanted)).map(({ type }) => type);
  const all = await connectReceiver(company);
  expect(await types()).toEqual([]);
  const { id } = await connectReceiver(company, { types: ["stock.moved", "message.*"] });
  expect(await types()).toEqual(["message.status_changed", "stock.moved"]);
  const patch = (fields: object) => company.call("PATCH", `${ENDPOINTS}/${id}`, { body: fields });
  must(await patch({ types: ["stock.*"] }), 200);
  expect(await types()).toEqual(["stock.moved"]);
  must(await patch({ is_active: false }), 200);
  expect(await types()).toEqual([]);
  must(await patch({ is_active: true }), 200);
  expect(await types()).toEqual(["stock.moved"]);
  must(await company.call("DELETE", `${ENDPOINTS}/${id}`), 200);
  expect(await types()).toEqual([]);
  expect(await deliveriesTo(company, all.id)).toEqual([]);
});

describe("an event makes a delivery", () => {
  test("to each active endpoint that asks for its type, in the batch of its effect", async () => {
    const named = await connectReceiver(company, { types: ["customer.created"] });
    const group = await connectReceiver(company, { types: ["customer.*", "invoice.paid"] });
    const all = await connectReceiver(company);
    const other = await connectReceiver(company, { types: ["invoice.*"] });
    const off = await connectReceiver(company, { is_active: false });
    await newCustomer(company);
    const to = await company.rows("SELECT endpoint_id FROM event_deliveries ORDER BY endpoint_id");
    expect(to.map(({ endpoint_id: id }) => String(id))).toEqual([named.id, group.id, all.id]);
    expect(await endpointOf(company, off.id)).toMatchObject({
      state: "disabled",
      disabled_reason: "by_hand",
    });
    expect(await deliveriesTo(company, other.id)).toEqual([]);
  });

  test("of a type on demand not for *", async () => {
    const { deliveries } = await connectReceiver(company);
    await company.rows("INSERT INTO event_types_wanted (type) VALUES ('stock.moved')");
    await company
      .database()
      .batch(
        [
          "INSERT INTO events (type, resource, record_id) VALUES ('stock.moved', 'product', 1), ('stock.low', 'product', 1)",
          "UPDATE events SET at = 1, request_id = 'r', shape = 0, is_notified = 1 WHERE request_id IS NULL",
        ],
        "write",
      );
    expect((await company.rows("SELECT sequence FROM event_deliveries")).length).toBe(1);
    expect(await deliveries()).toHaveLength(1);
  });
});

test("without a PUBLIC_ORIGIN no endpoint is kept: the data of events has addresses in it", async () => {
  const { requireAddress } = await import("../../../src/features/events/endpoints/address.ts");
  const services = { addressOf: () => "", mailer: null, publicOrigin: null, receiver: null };
  const judging = requireAddress({ services } as never, body.url);
  await expect(judging).rejects.toMatchObject({ code: "conflict" });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Kind } from "../../src/sandbox/gateways/merchants.ts";
import { pay, received, receiver, useGateways } from "../sandbox/gateways/harness.ts";
import {
  AMOUNT,
  clientOf,
  end,
  moneyBack,
  newOrder,
  newPayment,
  PART,
  payableOf,
} from "../sandbox/gateways/payments.ts";
import { expectDocumented } from "./documented.ts";
import { contractOf, eventViolationsOf, GATEWAYS, type Sent, violationsOf } from "./schemas.ts";

useGateways();

/** What the product asked a gateway for. */
const asked: Sent[] = [];
beforeEach(() => {
  asked.length = 0;
  const send = fetch;
  vi.stubGlobal("fetch", (input: string, init: RequestInit = {}) => {
    const [, path] = /^http:\/\/[^/]+\/(?:paypal|razorpay|stripe)(\/v\d\/.*)$/.exec(input) ?? [];
    const { method = "GET", headers, body } = init;
    const agent = new Headers({ "User-Agent": "Company-Operations", ...(headers as object) });
    if (path !== undefined) asked.push({ method, path, headers: agent, body: String(body ?? "") });
    return send(input, init);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Does all that the product asks of a gateway. */
async function askAll(kind: Kind): Promise<void> {
  const ordered = await newOrder(kind);
  const { cancel, capture, give, look, lookAt, open, verify } = clientOf(kind);
  const { body } = await pay(kind, ordered.order, kind === "razorpay" ? "authorized" : "paid");
  const paid = { ...ordered, payment: body.payment_ids[0] };
  if (kind === "razorpay") await capture(paid);
  const [event] = received;
  if (event !== undefined) await verify(ordered, event);
  await give(paid);
  await look(paid);
  await look({ ...paid, order: null });
  await lookAt(ordered);
  await cancel(await newOrder(kind));
  await open(ordered.merchant, { ...payableOf(ordered.merchant), description: "ज़".repeat(300) });
}

// Names that Stripe's metadata is free in.
const FREE = /^(?:payment_intent_data\[)?metadata/;

test.each(GATEWAYS)("requests to %s are as it documents them, and no misspelt one would be", async (kind) => {
  await askAll(kind);
  expect(new Set(asked.map(({ method, path }) => method + path.split("?")[0])).size).toBeGreaterThan(3);
  for (const sent of asked) expectDocumented(kind, sent, (name) => FREE.test(name));
  const other = { ...(asked[0] as Sent), path: "/v9/orders" };
  expect(violationsOf(kind, other)).toEqual([`POST /v9/orders is no operation of ${kind}`]);
});

type Json = { [member: string]: unknown };
const objectAt = (value: unknown, path: string): Json =>
  path.split(".").reduce<Json>((at, name) => Object(at[name]), Object(value));

/** What an event of each gateway is about, and where that stands in it. */
const ABOUT: Record<Kind, (event: Json) => [schema: string, ...places: string[]]> = {
  paypal: (event) => [String(event.resource_type), "resource"],
  razorpay: (event) => {
    const names = Object.keys(Object(event.payload));
    return [names.join(","), ...names.map((name) => `payload.${name}.entity`)];
  },
  stripe: (event) => [String(objectAt(event, "data.object").object), "data.object"],
};

/** The events that come of all that a payer, a console and a bank can do. */
async function allEvents(kind: Kind): Promise<Json[]> {
  const events: Json[] = [];
  for (const outcome of ["paid", "failed", "wrong_amount", "twice", "authorized"] as const) {
    if (outcome === "authorized" && kind !== "razorpay") continue;
    const { order } = await newOrder(kind);
    await pay(kind, order, outcome);
  }
  receiver.answer = () => 200;
  events.push(...received.map(({ body }) => JSON.parse(body)));
  for (const source of ["console", "chargeback"]) {
    const paid = await newPayment(kind);
    const { body } = await moneyBack(paid, { source, amount: PART });
    await end(body.refund.id, source === "console" ? "failed" : "reversed");
    events.push(...received.map((one) => JSON.parse(one.body)));
  }
  return events;
}

describe.each(GATEWAYS)("the events of the stand-in of %s", (kind) => {
  test("are as it documents them, and each documented member counts", async () => {
    const events = await allEvents(kind);
    const schemas = new Set<string>();
    for (const event of events) {
      const [schema, ...places] = ABOUT[kind](event);
      schemas.add(schema);
      expect(eventViolationsOf(kind, schema, event), schema).toEqual([]);
      for (const place of places)
        for (const name of ["id", "status", "amount", "amount_deducted", "payment_id", "payment_intent"]) {
          const renamed = structuredClone(event);
          const holder = objectAt(renamed, place);
          if (!Object.hasOwn(holder, name)) continue;
          holder[`${name}x`] = holder[name];
          delete holder[name];
          expect(eventViolationsOf(kind, schema, renamed), `${schema} ${name}`).not.toEqual([]);
        }
    }
    expect([...schemas].sort()).toEqual(Object.keys(contractOf(kind).events ?? {}).sort());
  }, 60_000);
});

test("a stand-in refuses what its gateway documents as refused", async () => {
  const tooLittle = { stripe: 49, razorpay: 99, paypal: 0 };
  for (const kind of GATEWAYS) {
    const { merchant } = await newOrder(kind);
    const { open } = clientOf(kind);
    const least = { ...payableOf(merchant), amount: tooLittle[kind] };
    await expect(open(merchant, least), kind).rejects.toMatchObject({ name: "GatewayError", retry: false });
    await open(merchant, { ...payableOf(merchant), amount: AMOUNT });
  }
});

import { expect } from "vitest";
import type * as z from "zod";
import type { DeliveryDetail, EventDelivery } from "../../../src/features/events/deliveries/record.ts";
import type { endpoint } from "../../../src/features/events/endpoints/record.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { Receiver } from "../../support/receivers.ts";
import { newCustomer } from "../commerce.ts";

export const ENDPOINTS = "/settings/:company/event-endpoints";
export type EndpointRecord = z.infer<typeof endpoint.schema>;
export type Issued = Omit<EndpointRecord, "secret"> & { secret: string };
export type DeliveryRecord = z.infer<typeof EventDelivery>;
export type DetailRecord = z.infer<typeof DeliveryDetail>;

// A look that began before the clock was moved may find nothing, and the next one is a minute later.
export const PATIENT = { timeout: 80_000, interval: 50 };
export const FAILS = { always: { status: 500 } };
/** So many failures in a row, of an endpoint that took nothing before, and it is failing. */
export const IN_A_ROW = 5;

/** An endpoint of the company, its receiver, and what a test does with both. */
export async function connectReceiver(company: TestCompany, fields: Record<string, unknown> = {}) {
  const receiver = new Receiver();
  const body = { url: receiver.url, types: ["*"], ...fields };
  const { id, secret } = must(await company.call<Issued>("POST", ENDPOINTS, { body }), 201).body.data;
  const deliveries = (query = "") => deliveriesTo(company, id, query);
  const endpoint = () => endpointOf(company, id);
  const untilEndpoint = (expected: object) => expect.poll(endpoint, PATIENT).toMatchObject(expected);
  return {
    ...{ id, secret, receiver, deliveries, endpoint, untilEndpoint },
    count: () => receiver.received().then(({ length }) => length),
    /** Waits until the deliveries are these, the oldest first, and gives them. */
    untilDeliveries: async (...expected: object[]) => {
      await expect.poll(() => deliveries(), PATIENT).toMatchObject(expected);
      return deliveries();
    },
    /** Waits until so many requests have ended. */
    untilTried: (count: number) =>
      expect.poll(() => company.rows("SELECT 1 FROM event_attempts"), PATIENT).toHaveLength(count),
    /** Makes it fail that never took anything: so many events that its first failures are in a row. */
    fail: async () => {
      await receiver.answers(FAILS);
      for (let made = 0; made < IN_A_ROW; made += 1) await newCustomer(company);
      await untilEndpoint({ state: "failing" });
      // None is under way any more.
      const sending = () => company.rows("SELECT 1 FROM event_deliveries WHERE state = 'sending'");
      await expect.poll(sending, PATIENT).toEqual([]);
    },
  };
}

/** A company of the test's own with an endpoint. */
export async function openReceiver(fields: Record<string, unknown> = {}) {
  const company = await openCompany();
  return { company, ...(await connectReceiver(company, fields)) };
}

export async function endpointOf(company: TestCompany, id: string): Promise<EndpointRecord> {
  return must(await company.call<EndpointRecord>("GET", `${ENDPOINTS}/${id}`), 200).body.data;
}

/** The deliveries to an endpoint, the oldest first; `query` from behind the question mark. */
export async function deliveriesTo(company: TestCompany, id: string, query = ""): Promise<DeliveryRecord[]> {
  const path = `${ENDPOINTS}/${id}/deliveries?limit=100&${query}`;
  return must(await company.call<DeliveryRecord[]>("GET", path), 200).body.data.toReversed();
}

export async function detailOf(company: TestCompany, id: string, delivery: string): Promise<DetailRecord> {
  const path = `${ENDPOINTS}/${id}/deliveries/${delivery}`;
  return must(await company.call<DetailRecord>("GET", path), 200).body.data;
}

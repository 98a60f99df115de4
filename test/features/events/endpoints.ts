import type * as z from "zod";
import type { DeliveryDetail, EventDelivery } from "../../../src/features/events/deliveries/record.ts";
import type { endpoint } from "../../../src/features/events/endpoints/record.ts";
import { must, type TestCompany } from "../../support/company.ts";
import { Receiver } from "../../support/receivers.ts";

export const ENDPOINTS = "/settings/:company/event-endpoints";
export type EndpointRecord = z.infer<typeof endpoint.schema>;
export type Issued = Omit<EndpointRecord, "secret"> & { secret: string };
export type DeliveryRecord = z.infer<typeof EventDelivery>;
export type DetailRecord = z.infer<typeof DeliveryDetail>;

/** An endpoint of the company, and its receiver. */
export async function connectReceiver(
  company: TestCompany,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; secret: string; receiver: Receiver }> {
  const receiver = new Receiver();
  const body = { url: receiver.url, types: ["*"], ...fields };
  const { data } = must(await company.call<Issued>("POST", ENDPOINTS, { body }), 201).body;
  return { id: data.id, secret: data.secret, receiver };
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

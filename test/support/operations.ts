import { randomInt } from "node:crypto";
import * as z from "zod";
import type { Operation } from "#api/operations/operation.ts";
import { Upload } from "#shared/files/upload.ts";
import { operations } from "../../src/wiring/operations.ts";
import { BODIES, CREDITS, fillClearing, TODAYS } from "./bodies.ts";
import { must, type TestCompany } from "./company.ts";
import { exampleOf, examples } from "./examples.ts";
import { connectGateway } from "./gateways.ts";
import type { Answer } from "./http.ts";
import { connectMessaging, FROM_OUTSIDE, IN_A_STATE } from "./messages.ts";

/** The operations that are built: every contract test runs over these. */
export const built = operations.filter(({ planned }) => planned !== true);
export const writes = built.filter(({ method }) => method !== "get");
export const reads = built.filter(({ method }) => method === "get");

// What makes the record that a member of a body refers to.
const REFERENCES: Record<string, string> = {
  customer_id: "createCustomer",
  invoice_id: "createInvoice",
  product_id: "createProduct",
  instructor_id: "createInstructor",
};
// What a record needs beside its example to be good for all that refers to it.
const ALSO: Record<string, object> = { createProduct: { duration_minutes: 60, transmission: "auto" } };
// What has to be there besides what a path or a body names.
const NEEDS: Record<string, (company: TestCompany) => Promise<unknown>> = {
  checkout: (company) => connectGateway(company, "razorpay"),
  payBooking: (company) => connectGateway(company, "razorpay"),
  createSettlement: fillClearing,
  sendSms: (company) => connectMessaging(company, "sms", "msg91", { auth_key: "test-key" }),
  // A chat-app number belongs to one company.
  sendChatapp: (company) =>
    connectMessaging(company, "chatapp", "meta", {
      phone_number_id: String(randomInt(1e11, 1e12)),
      access_token: "test-token",
    }),
};
// Records that no operation makes as such, but another leaves behind.
const LEFT_BEHIND: Record<string, { by: string; as: string }> = {
  "/messaging/:company/messages": { by: "sendEmail", as: "id" },
  "/settings/:company/bookings": { by: "createBooking", as: "booking_id" },
  "/settings/:company/customers": { by: "createCustomer", as: "id" },
  "/ledger/:company/customers": { by: "createCustomer", as: "id" },
  "/storefront/:company/products": { by: "createProduct", as: "id" },
  "/storefront/:company/order": { by: "checkout", as: "order_id" },
  "/orders/:company": { by: "checkout", as: "order_id" },
  "/recruitment/:company/jobs": { by: "createJob", as: "slug" },
  "/settings/:company/applications": { by: "applyForJob", as: "id" },
  "/settings/:company/leads": { by: "captureLead", as: "id" },
  // Of the first lead, the first thing sent; the same again, as here, is only counted.
  "/settings/:company/leads/:id/submissions": { by: "captureLead", as: "id" },
};
// Records that are found by a list, once something left them behind.
const LISTED: Record<string, string> = {
  "/settings/:company/events": "createCustomer",
  // The endpoint of the example asks for payments.
  "/settings/:company/event-endpoints/:id/deliveries": "recordPayment",
};
// What must have been done to a record before the operation can be.
const AFTER: Record<string, string> = {
  completeSprint: "startSprint",
  deleteNotificationTemplate: "putNotificationTemplate",
};
// Parts of paths that are words of a list.
const WORDS: Record<string, string> = { rule: "booking_confirmed", channel: "email", language: "en" };
const NO_SUCH_RECORD: Record<string, string> = { client_id: `ck_${"0".repeat(22)}` };
const NO_SUCH_BOOKING = `bkg_${"a".repeat(26)}`;
const NO_SUCH_EVENT = `evt_${"0".repeat(24)}`;

/** The operation's path for `:company`, its other parameters filled in, by default with ids that no record has. */
export function pathOf(operation: Operation, parameters: Record<string, string> = {}): string {
  return operation.path.replace(/:(\w+)/g, (whole, name: string) =>
    name === "company" ? whole : (parameters[name] ?? noSuchRecord(operation, name)),
  );
}

function noSuchRecord({ path }: Operation, name: string): string {
  if (path.includes("/bookings/:id")) return NO_SUCH_BOOKING;
  if (path.endsWith("/events/:id")) return NO_SUCH_EVENT;
  return WORDS[name] ?? NO_SUCH_RECORD[name] ?? "999999";
}

// Of the companies whose records are used again, each record by what made it.
const kept = new WeakMap<TestCompany, Map<string, Promise<Record<string, unknown>>>>();

/** From now on `prepare` makes a record of each kind once for this company, for calls that only read it. */
export function keepRecords(company: TestCompany): TestCompany {
  kept.set(company, new Map());
  return company;
}

// What has made records in each company, by the operation's id.
const makers = new WeakMap<TestCompany, Set<string>>();

/** Whether `prepare` has called the operation in this company, so that its example is there. */
export function hasMade(company: TestCompany, { id }: Operation): boolean {
  return makers.get(company)?.has(id) ?? false;
}

export type Prepared = { method: string; path: string; body: unknown };

/** Makes the records that the operation's path and body refer to, and gives the call that uses them. */
export async function prepare(company: TestCompany, operation: Operation): Promise<Prepared> {
  const parameters = await parametersOf(company, operation);
  const before = operations.find(({ id }) => id === AFTER[operation.id]);
  if (before !== undefined) {
    const body = await bodyOf(company, before);
    must(
      await company.call(before.method.toUpperCase(), pathOf(before, parameters), { body }),
      before.status,
    );
  }
  return {
    method: operation.method.toUpperCase(),
    path: pathOf(operation, parameters) + (await queryOf(company, operation)),
    body: wireBody(operation, await bodyOf(company, operation, parameters.id)),
  };
}

// Each is one that no record has yet.
let ownIds = 0;

async function parametersOf(company: TestCompany, operation: Operation): Promise<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const { 1: name = "", index } of operation.path.matchAll(/\/:(\w+)/g)) {
    if (name === "company") continue;
    if (name === "external_id") ownIds += 1;
    const word = name === "external_id" ? `own-${ownIds}` : WORDS[name];
    if (word !== undefined) {
      parameters[name] = word;
      continue;
    }
    const collection = operation.path.slice(0, index);
    const comes = IN_A_STATE[operation.id] ?? FROM_OUTSIDE[collection] ?? CREDITS[collection];
    if (comes !== undefined) {
      parameters[name] = await comes(company);
      continue;
    }
    const listed = LISTED[collection];
    if (listed !== undefined) {
      const by = operations.find(({ id }) => id === listed);
      if (by !== undefined) await newRecord(company, by, "id", {});
      const path = collection.replace(/:(\w+)/g, (whole, part: string) => parameters[part] ?? whole);
      const found = must(await company.call<{ id: string }[]>("GET", path), 200).body.data;
      parameters[name] = found[0]?.id ?? "";
      continue;
    }
    const left = LEFT_BEHIND[collection];
    const maker = operations.find(({ id, method, path }) =>
      left === undefined ? method === "post" && path === collection : id === left.by,
    );
    if (maker === undefined) throw new Error(`No operation makes a record of ${collection}`);
    // What makes the record under its own address is below the same parents.
    const parents = left === undefined ? parameters : await parametersOf(company, maker);
    parameters[name] = await newRecord(company, maker, left?.as ?? name, parents);
  }
  return parameters;
}

async function newRecord(
  company: TestCompany,
  maker: Operation,
  parameter: string,
  parameters: Record<string, string>,
): Promise<string> {
  const records = kept.get(company);
  const name = pathOf(maker, parameters);
  const making = records?.get(name) ?? makeRecord(company, maker, parameters);
  records?.set(name, making);
  const record = await making;
  const { id } = (record.booking as { id: string } | undefined) ?? record;
  return String(record[parameter] ?? id);
}

async function makeRecord(
  company: TestCompany,
  maker: Operation,
  parameters: Record<string, string>,
): Promise<Record<string, unknown>> {
  makers.set(company, (makers.get(company) ?? new Set()).add(maker.id));
  const example = await bodyOf(company, maker);
  const body = wireBody(maker, { ...Object(example), ...ALSO[maker.id] });
  const answer = must(await company.call("POST", pathOf(maker, parameters), { body }), maker.status);
  return recordIn(maker, answer) as Record<string, unknown>;
}

/** The body as it is sent: a form where the operation takes only forms, or where there is a file in it; else JSON. */
export function wireBody({ form }: Operation, body: unknown): unknown {
  if (form === undefined || body === undefined) return body;
  const members = Object.entries(Object(body));
  if (form === "accepted" && !members.some(([, value]) => value instanceof Upload)) return body;
  const sent = new FormData();
  for (const [name, value] of members) {
    if (value instanceof Upload) sent.append(name, new Blob([value.bytes]), value.name);
    else sent.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return sent;
}

async function bodyOf(company: TestCompany, operation: Operation, id?: string): Promise<unknown> {
  if (operation.body === undefined) return undefined;
  const named = await BODIES[operation.id]?.(company, id);
  if (named !== undefined) return { ...exampleBody(operation), ...named };
  await NEEDS[operation.id]?.(company);
  return withReferences(company, exampleBody(operation));
}

async function queryOf(company: TestCompany, operation: Operation): Promise<string> {
  const query = await withReferences(company, examples.operations.get(operation.id)?.query ?? {});
  const text = String(new URLSearchParams(query as Record<string, string>));
  return text === "" ? "" : `?${text}`;
}

/** The value with every reference in it turned into one to a record that is there. */
async function withReferences(company: TestCompany, value: unknown, name = ""): Promise<unknown> {
  const maker = operations.find(({ id }) => id === REFERENCES[name]);
  if (maker !== undefined && value !== null) return newRecord(company, maker, name, {});
  const todays = TODAYS[name];
  if (todays !== undefined) return todays();
  if (Array.isArray(value)) return Promise.all(value.map((each) => withReferences(company, each)));
  if (typeof value !== "object" || value === null || value instanceof Upload) return value;
  const members = Object.entries(value).map(async ([member, inner]) => [
    member,
    await withReferences(company, inner, member),
  ]);
  return Object.fromEntries(await Promise.all(members));
}

/** A body that the operation accepts, but for the records that it refers to. */
export function exampleBody(operation: Operation): Record<string, unknown> {
  const { body } = exampleOf(operation);
  if (body === undefined) throw new Error(`${operation.id} has no example of its body`);
  return body as Record<string, unknown>;
}

/** What the envelope of the operation's reply holds: a record, or the records of a list. */
export function recordIn(operation: Operation, { body }: Answer): unknown {
  const { envelope } = operation;
  if (envelope === "flat") return body;
  return (body as Record<string, unknown>)[typeof envelope === "object" ? envelope.success : "data"];
}

/** The names that the operation's body has, and those that it must have. */
export function bodyMembers(operation: Operation): { all: string[]; required: string[] } {
  if (operation.body === undefined) return { all: [], required: [] };
  const schema = z.toJSONSchema(operation.body, { io: "input", unrepresentable: "any" });
  return { all: Object.keys(schema.properties ?? {}), required: schema.required ?? [] };
}

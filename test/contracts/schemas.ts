import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ErrorObject, type ValidateFunction } from "@redocly/ajv";

/** A request as a vendor's interface is sent it; the path without its query. */
export type Sent = { method: string; path: string; headers: Headers; body: string };
type Schema = Record<string, unknown>;
type Rule = { method: string; path: string; headers: Record<string, string>; body?: Schema; query?: Schema };
type Contract = {
  vendor: string;
  source: string;
  licence: string;
  requests: Rule[];
  events?: Record<string, Schema>;
};

/** The message vendors, and the host of databases, whose documents are held against our requests and our stand-ins' events. */
export const VENDORS = ["meta", "postmark", "resend", "turso", "twilio"] as const;
export type Vendor = (typeof VENDORS)[number];
/** The payment gateways whose documents are. */
export const GATEWAYS = ["paypal", "razorpay", "stripe"] as const;
export type Documented = Vendor | (typeof GATEWAYS)[number];

const ajv = new Ajv({ strict: false, allErrors: true });
const kept = new WeakMap<Schema, ValidateFunction>();
const contracts = Object.fromEntries(
  [...VENDORS, ...GATEWAYS].map((name) => [
    name,
    JSON.parse(readFileSync(join(import.meta.dirname, `schemas/${name}.json`), "utf8")) as Contract,
  ]),
) as Record<Documented, Contract>;

/** What a vendor documents. */
export function contractOf(vendor: Documented): Contract {
  return contracts[vendor];
}

/** What the vendor would refuse of a request; empty for one that keeps to its documents, and for a vendor without any here. */
export function violationsOf(vendor: string, sent: Sent): string[] {
  const { method, path, headers } = sent;
  if (!Object.hasOwn(contracts, vendor)) return [];
  const { pathname, searchParams } = new URL(path, "http://vendor");
  const rule = contracts[vendor as Documented].requests.find(
    (one) => one.method === method && new RegExp(one.path).test(pathname),
  );
  if (rule === undefined) return [`${method} ${pathname} is no operation of ${vendor}`];
  const wrong = Object.entries(rule.headers).filter(
    ([name, pattern]) => !new RegExp(pattern).test(headers.get(name) ?? ""),
  );
  return [
    ...wrong.map(([name]) => `the header ${name}`),
    ...(rule.body === undefined ? [] : errorsOf(rule.body, fieldsOf(sent))),
    ...(rule.query === undefined ? [] : errorsOf(rule.query, Object.fromEntries(searchParams))),
  ];
}

/** Whether a form is sent, or JSON. */
export const isForm = ({ headers }: Sent) => headers.get("Content-Type")?.includes("form") === true;

/** The members of what is sent. */
export function fieldsOf(sent: Sent): Record<string, unknown> {
  return isForm(sent) ? Object.fromEntries(new URLSearchParams(sent.body)) : JSON.parse(sent.body);
}

/** What of an event is not as its vendor documents it. */
export function eventViolationsOf(vendor: Documented, name: string, event: unknown): string[] {
  const schema = contracts[vendor].events?.[name];
  return schema === undefined ? [`${vendor} has no event ${name}`] : errorsOf(schema, event);
}

function errorsOf(schema: Schema, value: unknown): string[] {
  const validate = kept.get(schema) ?? ajv.compile(schema);
  kept.set(schema, validate);
  const said = ({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`;
  return validate(value) ? [] : (validate.errors ?? []).map(said);
}

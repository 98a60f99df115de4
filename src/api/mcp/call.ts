import * as z from "zod";
import type { AgentOperation } from "./operations.ts";

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** What an agent says of a call. */
export const AgentCall = z.strictObject({
  operation: z.string().describe("The id of the operation, such as `createInvoice`."),
  path: z.record(z.string(), Text).optional().describe("The values of the address, such as `company`."),
  query: z.record(z.string(), Text).optional().describe("The parameters of the query."),
  body: z.record(z.string(), z.unknown()).optional().describe("The JSON body."),
  fields: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe("Which members of each record to answer, such as `id` and `customer.name`; by default all."),
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe("Of a write: the same call with the same key is done once. One is made where you send none."),
  dry_run: z
    .boolean()
    .optional()
    .describe("Of a write that has a dry run: answers what it would, and writes nothing."),
});
export type AgentCall = z.output<typeof AgentCall>;

/** A call that cannot be sent as it is; its message says what to do. */
export class CallMistake extends Error {}

/** The request of a call. Throws `CallMistake` where the call lacks something, or the operation is none for agents. */
export function requestOf(operation: AgentOperation, call: AgentCall, key: Headers, base: string): Request {
  if (!operation.takes_json)
    throw new CallMistake(`${operation.id} takes a file: send it over HTTP, to ${base}${operation.path}`);
  if (call.dry_run && !operation.has_dry_run)
    throw new CallMistake(`${operation.id} has no dry run: call it without dry_run, or not at all`);
  const address = new URL(base + filled(operation, call.path ?? {}));
  const query = { ...call.query, ...(call.dry_run && { dry_run: "true" }) };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const headers = new Headers(key);
  if (!operation.only_reads) headers.set("Idempotency-Key", call.idempotency_key ?? crypto.randomUUID());
  if (call.body !== undefined) headers.set("Content-Type", "application/json");
  const body = call.body === undefined || operation.only_reads ? null : JSON.stringify(call.body);
  return new Request(address, { method: operation.method, headers, body });
}

function filled({ id, path }: AgentOperation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === "") throw new CallMistake(`${id} needs ${name} in path`);
    // An address with them is another operation's.
    if (value === "." || value === "..") throw new CallMistake(`${name} in path must not be ${value}`);
    if (!value.isWellFormed()) throw new CallMistake(`${name} in path is no text`);
    return encodeURIComponent(value);
  });
}

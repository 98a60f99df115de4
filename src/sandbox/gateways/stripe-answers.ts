import type { Context } from "hono";
import type * as z from "zod";
import type { Entity } from "./orders.ts";
import { mixedId, seconds } from "./stand-in-context.ts";
import type { Event } from "./webhook-event.ts";

const API_VERSION = "2026-10-28.endive";

/** An event as Stripe writes it. */
export function event(type: string, object: Entity): Event {
  const id = mixedId("evt_", 24);
  const body = {
    id,
    object: "event",
    api_version: API_VERSION,
    created: seconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  // Stripe indents what it sends; who signs JSON of their own making fails here.
  return { id, type, body: JSON.stringify(body, null, 2) };
}

/** Reads `a[b][0]=c` into nested objects. */
export function parseForm(text: string): Entity {
  const root: Entity = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    const last = path.pop() ?? "";
    let at = root;
    for (const part of path) {
      if (!Object.hasOwn(at, part)) at[part] = {};
      at = Object(at[part]);
    }
    at[last] = value;
  }
  return root;
}

/** The body of a refusal; some of them have no code. */
export function refused(message: string, param?: string, code?: string) {
  return {
    error: { ...(code && { code }), message, ...(param && { param }), type: "invalid_request_error" },
  };
}

/** A refusal. */
export function refuse(
  c: Context,
  status: 400 | 401 | 404,
  message: string,
  param?: string,
  code?: string,
): Response {
  return c.json(refused(message, param, code), status);
}

/** The refusal of a body that lacks a parameter. */
export function missing(c: Context, param: string): Response {
  return refuse(c, 400, `Missing required param: ${param}.`, param, "parameter_missing");
}

/** The refusal of a body. */
export function invalid(c: Context, { issues: [issue] }: z.ZodError): Response {
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const path = [...(issue?.path ?? []), ...unknown.slice(0, 1)].map(String);
  const param = path.map((part, index) => (index === 0 ? part : `[${part}]`)).join("");
  if (unknown.length > 0)
    return refuse(c, 400, `Received unknown parameter: ${param}`, param, "parameter_unknown");
  if (issue?.code === "invalid_type") return missing(c, param);
  return refuse(c, 400, `Invalid ${param}: ${issue?.message}`, param);
}

/** The refusal of an idempotency key that came with another body. */
export function keyReused(c: Context, key: string | undefined): Response {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return c.json({ error: { message, type: "idempotency_error" } }, 400);
}

import type { Context } from "hono";
import type * as z from "zod";
import type { Entity } from "./orders.ts";
import { mixedId, seconds } from "./stand-in-context.ts";
import type { Event } from "./webhook-event.ts";

/** An event of a payment. */
export function paymentEvent(type: string, payment: Entity): Event {
  return event(type, { payment: { entity: payment } });
}

/** An event as Razorpay writes it. */
export function event(type: string, payload: object): Event {
  const body = JSON.stringify({
    entity: "event",
    account_id: "acc_Sandbox0000000",
    event: type,
    contains: Object.keys(payload),
    payload,
    created_at: seconds(),
  });
  return { id: mixedId("", 14), type, body };
}

/** The body of an error. */
export function failure(code: string, description: string, field?: string) {
  const error = { code, description, source: "business", step: "NA", reason: "NA", metadata: {} };
  return { error: field === undefined ? error : { ...error, reason: "input_validation_failed", field } };
}

/** A refusal, in words: its code is the same for all. */
export function refuse(c: Context, description: string): Response {
  return c.json(failure("BAD_REQUEST_ERROR", description), 400);
}

/** The refusal of an id that the account has nothing of. */
export function unknownId(c: Context): Response {
  return refuse(c, "The id provided does not exist");
}

/** The refusal of a body. */
export function invalid(c: Context, { issues: [issue] }: z.ZodError): Response {
  const field = issue?.path.join(".") ?? "";
  return c.json(failure("BAD_REQUEST_ERROR", `${field}: ${issue?.message}`, field), 400);
}

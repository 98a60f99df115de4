import type { Context } from "hono";
import type * as z from "zod";
import { mixedId } from "./stand-in-context.ts";

/** Whether a request asks for the whole of what it makes; else the answer is as little as can be. */
export function wantsWhole(c: Context): boolean {
  return c.req.header("Prefer")?.includes("return=representation") ?? false;
}

/** The body of an error. */
export function failure(name: string, message: string, details?: object[]) {
  return { name, message, debug_id: mixedId("", 13).toLowerCase(), ...(details && { details }) };
}

/** The refusal of what is well formed. */
export function refuse(c: Context, issue: string, description: string): Response {
  const message =
    "The requested action could not be performed, semantically incorrect, or failed business validation.";
  return c.json(failure("UNPROCESSABLE_ENTITY", message, [{ issue, description }]), 422);
}

/** The refusal of an id that the account has nothing of. */
export function unknownId(c: Context): Response {
  const details = [{ issue: "INVALID_RESOURCE_ID", description: "Specified resource ID does not exist." }];
  return c.json(failure("RESOURCE_NOT_FOUND", "The specified resource does not exist.", details), 404);
}

/** The refusal of a body. */
export function invalid(c: Context, { issues }: z.ZodError): Response {
  const details = issues.map(({ path, message }) => ({
    field: `/${path.join("/")}`,
    location: "body",
    issue: "INVALID_PARAMETER_VALUE",
    description: message,
  }));
  const message = "Request is not well-formed, syntactically incorrect, or violates schema.";
  return c.json(failure("INVALID_REQUEST", message, details), 400);
}

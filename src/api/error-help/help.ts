import type { ProblemCode, ProblemDetails } from "#shared/problem.ts";

/** Why an error comes, what to do, and in the other members what an answer with it says. */
export type Help = { cause: string; cure: string } & Omit<ProblemDetails, "headers" | "status">;

/** Help on some codes. */
export type SomeHelp = Partial<Record<ProblemCode, Help>>;

/** One refused field of an example, with the message that the answer then has. */
export function refused(field: string, code: string, help: string): Pick<Help, "message" | "errors"> {
  return { message: `${field} ${help}`, errors: [{ field, code, message: help }] };
}

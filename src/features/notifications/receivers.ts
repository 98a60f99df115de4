import type { OutsideCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";

// The scopes that read what notifications say of bookings, leads, applications and orders: a key needs one of each row.
const READS: Record<"company" | "instructor", readonly (readonly [string, ...string[]])[]> = {
  company: [["settings:read"], ["orders:read"]],
  instructor: [["settings:read", "diary:read"]],
};

/** Throws 403 where the key may not read what an address receives: a key that changes the address could send it to itself. */
export function requireReceiverRights(
  ctx: Pick<OutsideCtx, "client">,
  receiver: "company" | "instructor",
): void {
  for (const anyOf of READS[receiver]) requireScope(ctx, ...anyOf);
}

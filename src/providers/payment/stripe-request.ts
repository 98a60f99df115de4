import type { GatewayAccount } from "./gateway.ts";

export const VERSION = "2026-10-28.endive";

/** The headers of each request to Stripe. */
export function headersOf({ credentials }: GatewayAccount): Record<string, string> {
  return { Authorization: `Bearer ${credentials.secret_key}`, "Stripe-Version": VERSION };
}

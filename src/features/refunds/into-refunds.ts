import { sql } from "drizzle-orm";
import { gatewayRefunds } from "#tables/refunds";

/** What a SELECT that stores refunds follows. */
export const intoRefunds = sql`INSERT INTO ${gatewayRefunds} (operation, key, gateway, capture_id, customer_id, credit_note_id,
  source, amount, advance_amount, currency, reason, reason_text, speed, status, attempts, next_look_at, sent_at, created_at)`;

import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { Inbound, Suppression } from "#providers/delivery";
import { phoneDigits } from "#shared/contact/phone.ts";
import { matchOf, numberOf } from "./matching.ts";
import { chatappWindows, contactOptouts, emailSuppressions } from "./tables.ts";

const OPTS_OUT = /^\s*(?:stop|stopall|unsubscribe)\s*$/i;

/** A person wrote: the chat-app's window is open for a day, and STOP ends all messages to them. */
export function noteInbound(ctx: ReadCtx, channel: "sms" | "chatapp", { from, text, at }: Inbound): SQL[] {
  const address = phoneDigits(from);
  const statements: SQL[] = [];
  if (channel === "chatapp") {
    statements.push(sql`INSERT INTO ${chatappWindows} (phone, last_inbound_at) VALUES (${address}, ${at ?? ctx.now})
      ON CONFLICT (phone) DO UPDATE SET last_inbound_at = max(last_inbound_at, excluded.last_inbound_at)`);
  }
  if (OPTS_OUT.test(text)) {
    const number = numberOf(ctx.company.country, channel, from) ?? "";
    statements.push(sql`INSERT INTO ${contactOptouts} (channel, address, match, e164, source, created_at)
      VALUES (${channel}, ${address}, ${matchOf(channel, address)}, ${number}, 'inbound', ${ctx.now})
      ON CONFLICT DO NOTHING`);
  }
  return statements;
}

/** An address that bounced, or whose owner complained: no e-mail goes to it any more. */
export function suppress(ctx: ReadCtx, { email, reason }: Suppression): SQL {
  return sql`INSERT INTO ${emailSuppressions} (email, reason, created_at)
    VALUES (${email.toLowerCase()}, ${reason}, ${ctx.now})
    ON CONFLICT (email) DO UPDATE SET reason = excluded.reason, expires_at = NULL`;
}

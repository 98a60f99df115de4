import { type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { Inbound } from "#providers/delivery";
import { phoneDigits } from "#shared/contact/phone.ts";
import { matchOf, numberOf } from "./matching.ts";
import { chatappWindows, contactOptouts } from "./tables.ts";

const OPTS_OUT = /^\s*(?:stop|stopall|unsubscribe)\s*$/i;

/** A person wrote: the chat-app's window is open for a day, and STOP ends all messages to them. */
export function noteInbound(
  ctx: ReadCtx,
  channel: "sms" | "chatapp",
  { from, text, at }: Inbound,
): SQLWrapper[] {
  const address = phoneDigits(from);
  const statements: SQLWrapper[] = [];
  if (channel === "chatapp") {
    const { phone, lastInboundAt } = chatappWindows;
    const writtenAt = at ?? ctx.now;
    statements.push(
      ctx.db
        .insert(chatappWindows)
        .values({ phone: address, lastInboundAt: writtenAt })
        .onConflictDoUpdate({
          target: phone,
          set: { lastInboundAt: sql`max(${lastInboundAt}, ${writtenAt})` },
        }),
    );
  }
  if (OPTS_OUT.test(text)) {
    statements.push(
      ctx.db
        .insert(contactOptouts)
        .values({
          channel,
          address,
          match: matchOf(channel, address),
          e164: numberOf(ctx.company.country, channel, from) ?? "",
          source: "inbound",
          createdAt: ctx.now,
        })
        .onConflictDoNothing(),
    );
  }
  return statements;
}

import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { sha256Hex } from "#platform/secrets.ts";
import type { Callback, Inbound, Received, Suppression } from "#providers/delivery";
import { kindOf } from "#providers/messaging";
import { phoneDigits } from "#shared/phone.ts";
import { Problem } from "#shared/problem.ts";
import { matchOf, numberOf } from "../accept.ts";
import { openConfig } from "../settings/seals.ts";
import { applyEvents, eventsOf } from "../status.ts";
import {
  type Channel,
  chatappWindows,
  contactOptouts,
  emailSuppressions,
  messagingProviders,
} from "../tables.ts";

const OPTS_OUT = /^\s*(?:stop|stopall|unsubscribe)\s*$/i;

/**
 * Takes what a provider of a channel tells, at the address that it alone was given. A wrong token is 404, a wrong
 * signature 401; all else is answered 200, for a provider repeats what it believes was lost.
 */
export async function receiveCallback(
  ctx: Ctx,
  channel: "sms" | "email",
  callback: Callback,
): Promise<object> {
  const { kind: name = "", token = "" } = callback.params;
  const hash = await sha256Hex(token);
  const [rows] = await ctx.database.read([
    ctx.db.all<{ operation: string; sealed_config: string }>(sql`SELECT operation, sealed_config
      FROM ${messagingProviders} WHERE channel = ${channel} AND kind = ${name}
        AND (token_hash = ${hash} OR previous_token_hash = ${hash} AND previous_token_expires_at > ${ctx.now})`),
  ]);
  const [provider] = rows;
  const kind = kindOf(channel, name);
  if (provider === undefined || kind?.receive === undefined) throw new Problem("not_found");
  const config = await openConfig(ctx, provider.operation, provider.sealed_config);
  const received = await kind.receive(callback, config);
  if (received === undefined) throw new Problem("invalid_signature", { status: 401 });
  await apply(ctx, channel, name, received);
  return { received: true };
}

/** Writes what a callback told, in one batch. */
export async function apply(ctx: Ctx, channel: Channel, provider: string, received: Received): Promise<void> {
  const { receipts = [], inbound = [], suppressions = [] } = received;
  const statements = [
    ...(receipts.length === 0 ? [] : applyEvents(provider, eventsOf(receipts, ctx.now), ctx.now)),
    ...inbound.flatMap((message) => (channel === "email" ? [] : noteInbound(ctx, channel, message))),
    ...suppressions.map((suppression) => suppress(ctx, suppression)),
  ];
  if (statements.length > 0) await ctx.database.write(statements);
}

/** A person wrote: the chat-app's window is open for a day, and STOP ends all messages to them. */
function noteInbound(ctx: Ctx, channel: "sms" | "chatapp", { from, text, at }: Inbound): SQL[] {
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

function suppress(ctx: Ctx, { email, reason }: Suppression): SQL {
  return sql`INSERT INTO ${emailSuppressions} (email, reason, created_at)
    VALUES (${email.toLowerCase()}, ${reason}, ${ctx.now})
    ON CONFLICT (email) DO UPDATE SET reason = excluded.reason, expires_at = NULL`;
}

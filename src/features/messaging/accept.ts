import { type SQL, sql } from "drizzle-orm";
import { takeTurn } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { AlreadyDone } from "#platform/operation-memory.ts";
import { type Failure, failure } from "#providers/delivery";
import type { MessageContent } from "#providers/messaging";
import { e164, phoneDigits, phoneLast9 } from "#shared/phone.ts";
import { Problem } from "#shared/problem.ts";
import type { ActiveProvider } from "./active-provider.ts";
import type { AcceptedRow } from "./snapshot.ts";
import { type Channel, contactOptouts, emailSuppressions, messageRecipients, messages } from "./tables.ts";

export type NewMessage = MessageContent & {
  id: string;
  provider: ActiveProvider;
  /** What a read shows of it. */
  details: object;
  recipients: readonly { address: string; name?: string | null }[];
};

/** A fresh id of a message; ids sort by the time of acceptance. */
export function newMessageId(ctx: Ctx): string {
  return `msg_${ctx.newId()}`;
}

/** The statements that accept a message: a row for each recipient, dead at once where it must not be sent. */
export function storeMessage(ctx: Ctx, message: NewMessage): SQL[] {
  const { id, channel, provider, details, content, recipients } = message;
  const status = channel === "sms" ? "queued" : "sent";
  const listed = recipients.map(({ address, name }) => ({
    address,
    name,
    match: matchOf(channel, address),
    e164: numberOf(ctx.company.country, channel, address),
  }));
  const blocked = blockOf(channel, ctx.now);
  return [
    sql`INSERT INTO ${messages} (id, channel, status, provider_id, details, content, created_at)
      VALUES (${id}, ${channel}, ${status}, ${provider.id}, ${JSON.stringify(details)}, ${JSON.stringify(content)}, ${ctx.now})`,
    sql`INSERT INTO ${messageRecipients}
      (message_id, ordinal, address, name, provider, status, dispatch_state, claim_until, failed_at, error)
      SELECT ${id}, ordinal, address, name, ${provider.kind}, iif(blocked, ${blocked.status}, ${status}),
        iif(blocked, 'dead', 'pending'), ${ctx.now}, iif(blocked, ${ctx.now}, NULL),
        iif(blocked, ${JSON.stringify(blocked.failure)}, NULL)
      FROM (
        SELECT key AS ordinal, json_extract(value, '$.address') AS address, json_extract(value, '$.name') AS name,
          EXISTS (${blocked.exists}) AS blocked
        FROM json_each(${JSON.stringify(listed)}) AS item
      )`,
  ];
}

/** A whole number as opt-outs are matched by it; null for an e-mail, and for a number that no rule knows. */
export function numberOf(country: string, channel: Channel, address: string): string | null {
  if (channel === "email") return null;
  // A chat-app's numbers are international, without their plus.
  return e164(channel === "chatapp" ? `+${phoneDigits(address)}` : address, country);
}

/** What an address is matched by: an e-mail's lower case, the last 9 digits of a number that no rule knows. */
export function matchOf(channel: Channel, address: string): string {
  if (channel === "email") return address.toLowerCase();
  return phoneLast9(address) ?? phoneDigits(address);
}

function blockOf(channel: Channel, now: number): { exists: SQL; status: string; failure: Failure } {
  const match = sql`json_extract(item.value, '$.match')`;
  if (channel === "email") {
    return {
      exists: sql`SELECT 1 FROM ${emailSuppressions} WHERE email = ${match} AND (expires_at IS NULL OR expires_at > ${now})`,
      status: "failed",
      failure: failure("suppressed", "The address is on the suppression list"),
    };
  }
  const number = sql`json_extract(item.value, '$.e164')`;
  // Digits without their country may be anybody's, so they stop more than whole numbers do.
  return {
    exists: sql`SELECT 1 FROM ${contactOptouts} WHERE channel = ${channel} AND (e164 = ${number}
      OR (match = ${match} AND (${number} IS NULL OR e164 IS NULL OR e164 = '')))`,
    status: channel === "sms" ? "rejected" : "failed",
    failure: failure("not_opted_in", "The person has opted out"),
  };
}

type Accepted = Pick<AcceptedRow, "recipients">;

/**
 * Accepts a message that counts against the key's quota. Room is taken after the call's turn has come, so that a replay
 * takes none, and given back when nothing was stored.
 */
export async function acceptWithin<Row extends Accepted>(
  ctx: Ctx,
  cost: number,
  write: () => Promise<Row>,
): Promise<Row> {
  await takeTurn(ctx);
  const { giveBack } = await ctx.reserveMessages(cost);
  try {
    return await accept(ctx, write);
  } catch (error) {
    if (storedNothing(error)) await giveBack();
    throw error;
  }
}

/** Runs the write that accepts a message, and queues its recipients; what the queue does not take, the next sweep does. */
export async function accept<Row extends Accepted>(ctx: Ctx, write: () => Promise<Row>): Promise<Row> {
  try {
    const row = await write();
    ctx.afterwards(enqueue(ctx, row));
    return row;
  } catch (error) {
    if (!storedNothing(error)) ctx.afterwards(ctx.sweepSoon());
    throw error;
  }
}

async function enqueue(ctx: Ctx, { recipients }: Accepted): Promise<void> {
  const pending = recipients.filter(({ error }) => error === null);
  try {
    await ctx.enqueue(pending.map(({ id }) => ({ kind: "dispatch", recipient: id })));
  } catch (error) {
    await ctx.sweepSoon();
    throw error;
  }
}

/** Whether an error says for certain that the batch left nothing of this call. */
function storedNothing(error: unknown): boolean {
  return error instanceof AlreadyDone || (error instanceof Problem && error.code !== "outcome_unknown");
}

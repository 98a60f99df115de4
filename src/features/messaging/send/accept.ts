import { type SQL, sql } from "drizzle-orm";
import type { BackgroundCtx, CoordinationCtx, Ctx, IdCtx, ReadCtx, WriteCtx } from "#platform/context.ts";
import { jsonRows } from "#platform/sql/json-rows.ts";
import { takeTurn } from "#platform/write/atomic.ts";
import { AlreadyDone } from "#platform/write/operation-memory.ts";
import type { MessageContent } from "#providers/messaging";
import { Problem } from "#shared/problem.ts";
import { blockOf } from "../contacts/block.ts";
import { matchOf, numberOf } from "../contacts/matching.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import type { ActiveProvider } from "../providers/active-provider.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { Warning } from "./schema.ts";
import { spentSince } from "./spent.ts";

export type NewMessage = MessageContent & {
  id: string;
  provider: ActiveProvider;
  /** What a read shows of it. */
  details: object;
  recipients: readonly { address: string; name?: string | null }[];
};

/** A fresh id of a message; ids sort by the time of acceptance. */
export function newMessageId(ctx: ReadCtx & IdCtx): string {
  return `msg_${ctx.newId()}`;
}

/** The statements that accept a message: a row for each recipient, dead at once where it must not be sent. */
export function storeMessage(ctx: ReadCtx, message: NewMessage): SQL[] {
  const { id, channel, provider, details, content, recipients } = message;
  const status = channel === "sms" ? "queued" : "sent";
  const listed = recipients.map(({ address, name = null }, ordinal) => ({
    ordinal,
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
        SELECT ordinal, address, name, EXISTS (${blocked.exists}) AS blocked
        FROM (${jsonRows(listed, ["ordinal", "address", "name", "match", "e164"])}) AS item
      )`,
  ];
}

/** What a send is warned of by the state of its provider. */
export function warningsOf({ paused }: ActiveProvider): Warning[] {
  return paused ? ["provider_paused"] : [];
}

type Accepted = Pick<AcceptedRow, "id" | "recipients">;
type Send<Params, Body, Row> = (ctx: Ctx, params: Params, body: Body) => Promise<Row>;

/** A send whose replay queues what still waits: the call that stored it may have died before it did. */
export function requeuing<Params, Body, Row extends Accepted>(
  send: Send<Params, Body, Row>,
): Send<Params, Body, Row> {
  return (ctx, params, body) =>
    send(ctx, params, body).catch((error: unknown) => {
      if (error instanceof AlreadyDone) ctx.afterwards(requeue(ctx, (error.row as Row).id));
      throw error;
    });
}

/** One job looks for what waits, so that a replay costs the database nothing here. */
function requeue(ctx: BackgroundCtx, message: string): Promise<void> {
  return ctx.enqueue([{ kind: "requeue", message }]);
}

/**
 * Accepts a message that counts against the key's quota. Room is taken after the call's turn has come, so that a replay
 * takes none. It is given back when nothing was stored.
 */
export async function acceptWithin<Row extends Accepted>(
  ctx: WriteCtx & BackgroundCtx & CoordinationCtx,
  cost: number,
  write: () => Promise<Row>,
): Promise<Row> {
  await takeTurn(ctx);
  const { giveBack } = await ctx.reserveQuota(cost, (since) => spentSince(ctx, since));
  try {
    return await accept(ctx, write);
  } catch (error) {
    if (storedNothing(error)) await giveBack();
    throw error;
  }
}

/** Runs the write that accepts a message, and queues its recipients; what the queue does not take, the next sweep does. */
export async function accept<Row extends Accepted>(
  ctx: BackgroundCtx,
  write: () => Promise<Row>,
): Promise<Row> {
  try {
    const row = await write();
    ctx.afterwards(enqueue(ctx, row));
    return row;
  } catch (error) {
    if (!storedNothing(error)) ctx.afterwards(ctx.sweepSoon());
    throw error;
  }
}

async function enqueue(ctx: BackgroundCtx, { recipients }: Accepted): Promise<void> {
  const pending = recipients.filter(({ error }) => error === null);
  try {
    await ctx.enqueue(pending.map(({ id }) => ({ kind: "dispatch", recipient: id })));
  } catch (error) {
    await ctx.sweepSoon();
    throw error;
  }
}

/** Whether an error proves that nothing of this call was stored. */
function storedNothing(error: unknown): boolean {
  return error instanceof AlreadyDone || (error instanceof Problem && error.code !== "outcome_unknown");
}

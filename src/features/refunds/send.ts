import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { atomic, type Refusals } from "#core/write/atomic.ts";
import { replaceAnswer } from "#core/write/change-stored-answer.ts";
import { gatewayRefunds } from "#tables/refunds";
import type { Share } from "./find-target.ts";
import type { Place, Pursued, StoredRefund } from "./held.ts";
import { nextLookAt } from "./looks.ts";
import { pursue } from "./pursue.ts";
import { type RefundRow, selectByKey } from "./record.ts";
import type { RefundCreate } from "./schema.ts";

export type Asked = Pick<StoredRefund, "reason" | "reasonText" | "speed" | "retryOf">;

/** Refunds that a call makes, with what it writes for them. */
export type Plan = {
  statements: readonly SQLWrapper[];
  all: readonly Pursued[];
  refusals: Refusals;
  /** The statements decide how much goes back of each. */
  isOpen?: boolean;
};

/** What a refund says of why it is made, and how fast. */
export function askedBy(body: Pick<RefundCreate, "reason" | "reason_text" | "speed">): Asked {
  const { reason, reason_text: reasonText = null, speed } = body;
  return { reason, reasonText, speed: speed ?? "normal", retryOf: null };
}

/** A refund that is not sent yet. */
export function newRefund(
  ctx: Ctx,
  { held, creditNoteId, customerId, amount, advanceAmount }: Omit<Share, "held"> & { held: Place },
  asked: Asked,
): Pursued {
  const { id: captureId, gateway, currency } = held.capture;
  const row: StoredRefund = {
    ...{ ...asked, captureId, gateway, currency, creditNoteId, customerId, amount, advanceAmount },
    operation: ctx.call.id,
    key: `rf-${ctx.newId()}`,
    source: "api",
    status: "created",
    gatewayRefundId: null,
    failureCode: null,
    attempts: 1,
    nextLookAt: nextLookAt(ctx.now, ctx.now),
    sentAt: ctx.realNow(),
    createdAt: ctx.now,
    entryDate: null,
    settledAt: null,
    reviewedAt: null,
  };
  return { ...held, refund: row };
}

/** The plan of refunds whose amounts are known. */
export function storing(ctx: Ctx, all: readonly Pursued[], refusals: Refusals): Plan {
  return { statements: all.map((one) => ctx.db.insert(gatewayRefunds).values(one.refund)), all, refusals };
}

/** Stores refunds, lets their gateways make them, and gives the first. */
export async function send(ctx: Ctx, plan: Plan): Promise<RefundRow> {
  const { stored, first } = await sendAnswering(ctx, plan, selectByKey(plan.all[0]?.refund.key ?? ""), null);
  return first ?? stored;
}

/**
 * The same of a call that answers with another record, which `select` finds: as it is before the gateways are asked. What a
 * gateway does not answer is looked at again by a job.
 */
export async function sendAnswering<Row>(
  ctx: Ctx,
  { statements, all, refusals, isOpen = false }: Plan,
  select: SQL<Row>,
  note: string | null,
): Promise<{ stored: Row; first: RefundRow | null }> {
  const stored = await atomic(ctx, statements, isOpen ? withAmounts(ctx, select) : select, refusals, note);
  const also = ctx.call.fingerprint === null ? [] : [replaceAnswer(ctx, select)];
  const made = isOpen ? asStored(all, stored as Row & Amounts) : all;
  const rows: (RefundRow | null)[] = [];
  for (const one of made) {
    // It is stored: what goes wrong from here on is found out by a job.
    const settled = await pursue(ctx, one, { age: 0, sending: "first", also }).catch((error) => {
      logFault("refund", error);
      return null;
    });
    rows.push(settled);
  }
  return { stored, first: rows[0] ?? null };
}

type Amounts = { amounts: Readonly<Record<string, number>> };

/** The record with how much each refund of this call gives back, by its key. */
function withAmounts<Row>({ call }: Ctx, select: SQL<Row>): SQL<Row & Amounts> {
  return sql`SELECT json_set(snapshot, '$.amounts', (SELECT json_group_object(${gatewayRefunds.key}, ${gatewayRefunds.amount})
    FROM ${gatewayRefunds} WHERE ${gatewayRefunds.operation} = ${call.id})) AS snapshot FROM (${select})`;
}

function asStored(all: readonly Pursued[], { amounts }: Amounts): Pursued[] {
  return all.flatMap(({ refund, ...held }) => {
    const amount = amounts[refund.key];
    return amount === undefined ? [] : [{ ...held, refund: { ...refund, amount } }];
  });
}

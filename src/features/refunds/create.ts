import { eq } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { atomic, type Refusals } from "#core/write/atomic.ts";
import { replaceAnswer } from "#core/write/change-stored-answer.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { type Share, selectTarget, shareOut, type Target, whyExceeded } from "./find-target.ts";
import { type Pursued, type StoredRefund, selectPursued } from "./held.ts";
import { nextLookAt } from "./looks.ts";
import { pursue } from "./pursue.ts";
import { type RefundRow, selectByKey } from "./record.ts";
import type { RefundCreate } from "./schema.ts";
import { gatewayRefunds } from "./tables.ts";

type Asked = Pick<StoredRefund, "reason" | "reasonText" | "retryOf">;
type Place = Omit<Pursued, "refund">;

/** Gives money back through the gateway that took it: of a capture, or unused credit of a note. */
export async function createRefund(ctx: Ctx, _params: unknown, body: RefundCreate): Promise<RefundRow> {
  const [notes, held] = await read(ctx, selectTarget(ctx, body));
  const asked = { reason: body.reason, reasonText: body.reason_text ?? null, retryOf: null };
  const shares = shareOut(body, notes, held);
  return send(
    ctx,
    shares.map((share) => newRefund(ctx, share, asked)),
    refusals(ctx, body),
  );
}

/** Asks anew for a refund that failed: another refund, with a key of its own. */
export async function retryRefund(ctx: Ctx, { id }: RecordParams): Promise<RefundRow> {
  const [[found]] = await read(ctx, [selectPursued(ctx, eq(gatewayRefunds.id, id), 1)]);
  if (found === undefined) throw new Problem("not_found");
  const { refund: failed, ...held } = found;
  if (failed.status !== "failed" || failed.source !== "api") throw new Problem("invalid_status");
  const { captureId, creditNoteId, customerId, amount, advanceAmount, reason, reasonText } = failed;
  const target = creditNoteId === null ? { capture_id: captureId } : { credit_note_id: creditNoteId };
  const again = newRefund(
    ctx,
    { held, creditNoteId, customerId, amount, advanceAmount },
    { reason, reasonText, retryOf: id },
  );
  return send(ctx, [again], {
    ...refusals(ctx, { ...target, amount }),
    "gateway_refunds.retry_of": () => new Problem("invalid_status"),
  });
}

function refusals(ctx: Ctx, target: Target): Refusals {
  const exceeded = () => whyExceeded(ctx, target);
  return { refund_exceeds_payment: exceeded, capture_exceeded: exceeded, credit_exhausted: exceeded };
}

function newRefund(
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
  };
  return { ...held, refund: row };
}

/** Stores the refunds, then lets their gateways make them. What a gateway does not answer is looked at again by a job. */
async function send(ctx: Ctx, all: readonly Pursued[], refused: Refusals): Promise<RefundRow> {
  const inserts = all.map((one) => ctx.db.insert(gatewayRefunds).values(one.refund));
  const select = selectByKey(all[0]?.refund.key ?? "");
  const stored = await atomic(ctx, inserts, select, refused);
  const answer = ctx.call.fingerprint === null ? [] : [replaceAnswer(ctx, select)];
  const rows: (RefundRow | null)[] = [];
  for (const one of all) {
    const reach = { isFirst: true, maySend: true, isLast: false, also: answer };
    // It is stored: what goes wrong from here on is found out by a job.
    const settled = await pursue(ctx, one, reach).catch((error) => {
      logFault("refund", error, ctx.requestId);
      return null;
    });
    rows.push(settled);
  }
  return rows[0] ?? stored;
}

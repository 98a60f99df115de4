import { eq } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { gatewayRefunds } from "#tables/refunds";
import { selectTarget, shareOut, type Target, whyExceeded } from "./find-target.ts";
import { selectPursued } from "./held.ts";
import { planOrderRefund, type Wanted } from "./of-order.ts";
import type { RefundRow } from "./record.ts";
import type { RefundCreate } from "./schema.ts";
import { askedBy, newRefund, type Plan, send, storing } from "./send.ts";

/** Plans the refund of a booking. */
export type PlanBooking = (ctx: Ctx, id: string, wanted: Wanted) => Promise<Plan>;

/** Gives money back through the gateway that took it: of an order, a booking or a capture, or unused credit of a note. */
export async function createRefund(
  ctx: Ctx,
  planBooking: PlanBooking,
  body: RefundCreate,
): Promise<RefundRow> {
  const { order_id: orderId, booking_id: bookingId } = body;
  if (orderId != null) return sendOfSpeed(ctx, await planOrderRefund(ctx, orderId, body));
  if (bookingId != null) return sendOfSpeed(ctx, await planBooking(ctx, bookingId, body));
  const [notes, held] = await read(ctx, selectTarget(ctx, body));
  const all = shareOut(body, notes, held).map((share) => newRefund(ctx, share, askedBy(body)));
  return sendOfSpeed(ctx, storing(ctx, all, refusals(ctx, body)));
}

/** Sends the refunds of a plan. Throws 422 where one is asked to be faster than its gateway can. */
function sendOfSpeed(ctx: Ctx, plan: Plan): Promise<RefundRow> {
  const slow = plan.all.find(({ refund }) => refund.speed === "instant" && refund.gateway !== "razorpay");
  if (slow === undefined) return send(ctx, plan);
  const message = `instant is for refunds through Razorpay: this one goes through ${slow.refund.gateway}`;
  throw fieldProblem("speed", "not_accepted", message);
}

/** Asks anew for a refund that failed: another refund, with a key of its own. */
export async function retryRefund(ctx: Ctx, { id }: RecordParams): Promise<RefundRow> {
  const [[found], [again]] = await read(ctx, [
    selectPursued(ctx, eq(gatewayRefunds.id, id), 1),
    selectRetry(ctx, id),
  ]);
  if (found === undefined) throw new Problem("not_found");
  const { refund: failed, ...held } = found;
  if (failed.source !== "api")
    throw new Problem("invalid_status", { message: "The gateway made this refund: make a new refund" });
  if (again !== undefined) throw wasRetried(again);
  if (failed.status !== "failed")
    throw new Problem("invalid_status", { message: "Only a failed refund is tried again" });
  const { captureId, creditNoteId, customerId, amount, advanceAmount, reason, reasonText, speed } = failed;
  const target = creditNoteId === null ? { capture_id: captureId } : { credit_note_id: creditNoteId };
  const next = newRefund(
    ctx,
    { held, creditNoteId, customerId, amount, advanceAmount },
    { reason, reasonText, speed, retryOf: id },
  );
  const refused = {
    ...refusals(ctx, { ...target, amount }),
    "gateway_refunds.retry_of": async () => {
      const [[first]] = await ctx.database.read([selectRetry(ctx, id)]);
      return wasRetried(first);
    },
  };
  return send(ctx, storing(ctx, [next], refused));
}

/** The query for the refund that takes the place of a failed one. */
function selectRetry(ctx: ReadCtx, id: number) {
  return ctx.db.select({ id: gatewayRefunds.id }).from(gatewayRefunds).where(eq(gatewayRefunds.retryOf, id));
}

function wasRetried(by: { id: number } | undefined): Problem {
  return new Problem("invalid_status", {
    message: `This refund was retried by the refund ${by?.id}: retry the newest`,
  });
}

function refusals(ctx: Ctx, target: Target): Refusals {
  const exceeded = () => whyExceeded(ctx, target);
  return { refund_exceeds_payment: exceeded, capture_exceeded: exceeded, credit_exhausted: exceeded };
}

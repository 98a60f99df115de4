import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { BatchRefused } from "#core/database/failure.ts";
import { logFault } from "#core/log.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { withoutEvents } from "#core/write/events.ts";
import { nextCall } from "#core/write/next-call.ts";
import { openAccount } from "#features/gateway-payments";
import { GATEWAYS, type GatewayAccount, GatewayError, type RefundReport } from "#providers/payment";
import { knownOf, type Place, type Pursued, type StoredRefund, selectBeside } from "./held.ts";
import { type RefundRow, selectByKey } from "./record.ts";
import { applyRefundReport, carriesKeyOf, saidIn } from "./report.ts";
import { moveRefund, nextStatus, type Said } from "./settle.ts";

const MOST_CODE = 200;
/** What says that an event moved the refund first. */
const MOVED = new Set(["refund_moved", "gateway_refunds.gateway, gateway_refunds.gateway_refund_id"]);

/** How far a look may go. */
export type Reach = {
  /** Nothing was sent yet. */
  isFirst: boolean;
  /** It may be sent where the gateway does not have it. */
  maySend: boolean;
  /** It ends where the gateway does not answer. */
  isLast: boolean;
  /** Statements that are written with what is found out. */
  also: readonly SQL[];
};

/**
 * Finds out what became of a refund. Looks at the gateway's refunds of the payment, and sends the refund only where it is
 * not among them, nor was taken of another payment beside it. Gives the refund where it moved, null where its outcome is
 * still unknown.
 */
export async function pursue(ctx: Ctx, pursued: Pursued, reach: Reach): Promise<RefundRow | null> {
  const { refund, capture } = pursued;
  const move = (said: Said) => record(ctx, refund, said, reach.also);
  const account = await openAccount(ctx, pursued.account);
  const found = await look(account, pursued);
  if (found instanceof GatewayError) {
    logFault("gateway", found, refund.gateway);
    if (reach.isFirst && !found.retry) return move(failed(found.reason ?? "refused"));
    return reach.isLast && refund.status === "created" ? move(failed("no_answer")) : null;
  }
  const own = ownOf(found, refund);
  if (own !== undefined) return move(saidIn(own));
  const strange = strangersIn(found, pursued);
  if (refund.status === "created" && isExceeded(strange, pursued)) {
    // Its money is an advance again, which the refund that the gateway made takes.
    const row = await move(failed("refund_exceeds_payment"));
    await note(ctx, pursued, strange);
    return row;
  }
  await note(ctx, pursued, strange);
  if (refund.status === "pending") return null;
  if (!reach.maySend) return move(failed("not_found_at_gateway"));
  const isTaken = await isTakenBeside(ctx, pursued);
  if (isTaken === null) return reach.isLast ? move(failed("no_answer")) : null;
  if (isTaken) return move(failed("refund_exceeds_payment"));
  try {
    const { key, amount, currency, reason, speed } = refund;
    const order = {
      ...{ key, amount, currency, company: ctx.company.slug, isDuplicate: reason === "duplicate_payment" },
      isInstant: speed === "instant",
      ...{ gatewayPaymentId: capture.gatewayPaymentId, gatewayOrderId: pursued.gatewayOrderId },
    };
    return await move(saidIn(await GATEWAYS[refund.gateway].refund(account, order)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFault("gateway", error, refund.gateway);
    if (error.retry) return null;
    // It may be refused because an earlier attempt, whose answer was lost, was not.
    const again = await look(account, pursued);
    if (again instanceof GatewayError && error.reason !== "credentials") return null;
    const made = again instanceof GatewayError ? undefined : ownOf(again, refund);
    return move(made === undefined ? failed(error.reason ?? "refused") : saidIn(made));
  }
}

/**
 * Whether gateways gave back by themselves of the sale's other payments what money that waited is to bear: sent as well, it
 * would go back twice. Asks them what they made of late; null where one does not answer.
 */
async function isTakenBeside(ctx: Ctx, { refund, capture }: Pursued): Promise<boolean | null> {
  if (refund.advanceAmount === 0) return false;
  const [beside] = await ctx.database.read([selectBeside(ctx, capture.id)]);
  if (beside.length === 0) return false;
  for (const other of beside) {
    const account = await openAccount(ctx, other.account);
    const found = await look(account, other);
    if (!(found instanceof GatewayError)) await note(ctx, other, strangersIn(found, other));
    else if (found.retry) return null;
    else logFault("gateway", found, other.capture.gateway);
  }
  const owed = sql<number>`SELECT coalesce(sum(owed), 0) AS owed FROM capture_siblings AS sibling
    JOIN uncovered_refunds ON capture_id = sibling.id WHERE of_capture_id = ${capture.id}`;
  const [[row]] = await ctx.database.read([ctx.db.all<{ owed: number }>(owed)]);
  return (row?.owed ?? 0) > 0;
}

function failed(code: string): Said {
  return { status: "failed", gatewayRefundId: null, failureCode: code.slice(0, MOST_CODE) };
}

/** The gateway's refunds of the payment, or why it does not give them. */
async function look(
  account: GatewayAccount,
  { capture, gatewayOrderId }: Place,
): Promise<RefundReport[] | GatewayError> {
  const of = { gatewayPaymentId: capture.gatewayPaymentId, gatewayOrderId };
  return GATEWAYS[capture.gateway].lookRefunds(account, of).catch((error: unknown) => {
    if (error instanceof GatewayError) return error;
    throw error;
  });
}

function ownOf(found: readonly RefundReport[], refund: StoredRefund): RefundReport | undefined {
  return found.find(
    (report) => report.gatewayRefundId === refund.gatewayRefundId || carriesKeyOf(report, refund),
  );
}

/** What the gateway made or ended of which nothing is known here. */
function strangersIn(found: readonly RefundReport[], place: Place): RefundReport[] {
  const all = knownOf(place);
  return found.filter((report) => {
    const one = all.find(
      ({ id, key }) => id === report.gatewayRefundId || (id === null && key === report.key),
    );
    return one === undefined || nextStatus(one.status, saidIn(report).status) !== null;
  });
}

/** Whether more went back already than leaves room for this refund. */
function isExceeded(strange: readonly RefundReport[], pursued: Pursued): boolean {
  // It may not be known yet where the refund was stored just now.
  const all = knownOf(pursued).filter(({ key }) => key !== pursued.refund.key);
  const counted = all.filter(({ status }) => status !== "failed").map(({ amount }) => amount);
  const isNew = ({ gatewayRefundId, key }: RefundReport) =>
    !all.some((one) => one.id === gatewayRefundId || one.key === key);
  const added = strange
    .filter((report) => isNew(report) && report.state !== "failed")
    .map(({ amount }) => amount);
  const back = [...counted, ...added].reduce((sum, one) => sum + one, pursued.refund.amount);
  return back > pursued.capture.amount;
}

async function note(
  ctx: Ctx,
  { capture: { gateway }, account: { id: accountId } }: Place,
  strange: readonly RefundReport[],
): Promise<void> {
  for (const report of strange) {
    const eventId = `look:${report.gatewayRefundId}:${report.state}`;
    const payloadSha256 = await sha256Hex(JSON.stringify(report));
    await applyRefundReport(nextCall(ctx, "noteRefund", eventId), {
      ...{ gateway, accountIds: [accountId], eventId, payloadSha256, report },
    });
  }
}

/** Writes what is known of a refund, and gives the refund; null where there is no news. */
async function record(
  ctx: Ctx,
  refund: StoredRefund,
  said: Said,
  also: readonly SQL[],
): Promise<RefundRow | null> {
  if (nextStatus(refund.status, said.status) === null) return null;
  const own = nextCall(ctx, "settleRefund", refund.key);
  try {
    const statements = [...moveRefund(own, refund, said), ...also, selectByKey(refund.key)];
    const results = await systemWrite(ctx, statements);
    return JSON.parse(String(results[statements.length - 1]?.rows[0]?.snapshot));
  } catch (error) {
    if (!(error instanceof BatchRefused && MOVED.has(error.code))) throw error;
    // An event came first.
    if (also.length > 0) await systemWrite(withoutEvents(ctx), also);
    const [rows] = await ctx.database.read([jsonQuery(ctx, selectByKey(refund.key))]);
    return parseRows(rows)[0] ?? null;
  }
}

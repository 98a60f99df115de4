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
import { sum } from "#shared/money/shares.ts";
import { knownOf, type Place, type Pursued, type StoredRefund, selectBeside } from "./held.ts";
import { isLastLook } from "./looks.ts";
import { type RefundRow, selectByKey } from "./record.ts";
import { applyRefundReport, carriesKeyOf, saidIn } from "./report.ts";
import { isNews, moveRefund, type Said } from "./settle.ts";

const MOST_CODE = 200;
/** What says that an event moved the refund first. */
const MOVED = new Set(["refund_moved", "gateway_refunds.gateway, gateway_refunds.gateway_refund_id"]);

/** How old a refund is, whether it may be sent, and the statements that are written with what is found out. */
export type Reach = { age: number; sending: "first" | "again" | "over"; also: readonly SQL[] };
/** The gateway's refunds of a payment, or why it does not give them. */
type Look = readonly RefundReport[] | GatewayError;

/** What became of a refund. */
type Outcome =
  /** Its gateway has it; or it failed: refused, given up, or because what went back beside it leaves no room. */
  | { name: "made" | "failed" | "exceeded"; said: Said }
  /** Its gateway does not have it, and it may be sent; or a later look is to find out. */
  | { name: "missing" | "unknown" };
const MISSING: Outcome = { name: "missing" };
const UNKNOWN: Outcome = { name: "unknown" };
const EXCEEDED = failed("refund_exceeds_payment", "exceeded");

/**
 * Finds out what became of a refund. Looks at the gateway's refunds of the payment, and sends the refund only where it is
 * not among them, nor was taken of another payment beside it. Gives the refund where it moved, null where its outcome is
 * still unknown.
 */
export async function pursue(ctx: Ctx, pursued: Pursued, reach: Reach): Promise<RefundRow | null> {
  const account = await openAccount(ctx, pursued.account);
  const found = await look(account, pursued);
  if (found instanceof GatewayError) logFault("gateway", found, pursued.refund.gateway);
  const seen = decideByLook(found, pursued, reach);
  if (seen.name !== "made" && seen.name !== "exceeded") await note(ctx, pursued, found);
  const outcome = seen.name === "missing" ? await send(ctx, account, pursued, reach) : seen;
  const row = await write(ctx, pursued.refund, outcome, reach);
  // Its money is an advance again, which the refund that the gateway made takes.
  if (seen.name === "exceeded") await note(ctx, pursued, found);
  return row;
}

/** Decides by a look what became of a refund. */
export function decideByLook(found: Look, pursued: Pursued, reach: Reach): Outcome {
  const { refund } = pursued;
  if (found instanceof GatewayError && reach.sending === "first" && !found.retry)
    return failed(found.reason ?? "refused");
  if (found instanceof GatewayError) return unanswered(refund, reach);
  const own = ownOf(found, refund);
  if (own !== undefined) return made(own);
  if (refund.status === "pending") return UNKNOWN;
  if (isExceeded(found, pursued)) return EXCEEDED;
  return reach.sending === "over" ? failed("not_found_at_gateway") : MISSING;
}

/** Decides where the gateway refused to make it: an earlier attempt, whose answer was lost, may have been taken. */
export function decideByRefusal({ reason }: GatewayError, again: Look, refund: StoredRefund): Outcome {
  const own = ownOf(again, refund);
  if (own !== undefined) return made(own);
  return again instanceof GatewayError && reason !== "credentials" ? UNKNOWN : failed(reason ?? "refused");
}

function made(report: RefundReport): Outcome {
  return { name: "made", said: saidIn(report) };
}

function unanswered({ status }: StoredRefund, { age }: Reach): Outcome {
  return isLastLook(age) && status === "created" ? failed("no_answer") : UNKNOWN;
}

function failed(code: string, name: "failed" | "exceeded" = "failed"): Outcome {
  return { name, said: { status: "failed", gatewayRefundId: null, failureCode: code.slice(0, MOST_CODE) } };
}

function ownOf(found: Look, refund: StoredRefund): RefundReport | undefined {
  if (found instanceof GatewayError) return undefined;
  return found.find(
    (report) => report.gatewayRefundId === refund.gatewayRefundId || carriesKeyOf(report, refund),
  );
}

/** Whether more went back already than leaves room for this refund. */
function isExceeded(found: readonly RefundReport[], { refund, capture, known }: Pursued): boolean {
  // It may not be known yet where the refund was stored just now.
  const others = knownOf({ known }).filter(({ key }) => key !== refund.key);
  const isNew = ({ gatewayRefundId, key }: RefundReport) =>
    !others.some((one) => one.id === gatewayRefundId || one.key === key);
  const back = [
    ...others.filter(({ status }) => status !== "failed"),
    ...found.filter((report) => isNew(report) && report.state !== "failed"),
  ];
  return refund.amount + sum(back.map(({ amount }) => amount)) > capture.amount;
}

/** Sends a refund that its gateway does not have, unless its money went back beside it. */
async function send(ctx: Ctx, account: GatewayAccount, pursued: Pursued, reach: Reach): Promise<Outcome> {
  const beside = await lookBeside(ctx, pursued, reach);
  if (beside !== MISSING) return beside;
  const { refund, capture, gatewayOrderId } = pursued;
  const { key, gateway, amount, currency, reason, speed } = refund;
  const answer = await answerOf(
    GATEWAYS[gateway].refund(account, {
      ...{ key, amount, currency, company: ctx.company.slug, isDuplicate: reason === "duplicate_payment" },
      ...{ isInstant: speed === "instant", gatewayPaymentId: capture.gatewayPaymentId, gatewayOrderId },
    }),
  );
  if (!(answer instanceof GatewayError)) return made(answer);
  logFault("gateway", answer, gateway);
  return answer.retry ? UNKNOWN : decideByRefusal(answer, await look(account, pursued), refund);
}

/**
 * Looks whether gateways gave back by themselves of the sale's other payments what money that waited is to bear: sent as
 * well, it would go back twice. Asks them what they made of late.
 */
async function lookBeside(ctx: Ctx, { refund, capture }: Pursued, reach: Reach): Promise<Outcome> {
  if (refund.advanceAmount === 0) return MISSING;
  const [beside] = await ctx.database.read([selectBeside(ctx, capture.id)]);
  if (beside.length === 0) return MISSING;
  for (const other of beside) {
    const account = await openAccount(ctx, other.account);
    const found = await look(account, other);
    if (!(found instanceof GatewayError)) await note(ctx, other, found);
    else if (found.retry) return unanswered(refund, reach);
    else logFault("gateway", found, other.capture.gateway);
  }
  const owed = sql<number>`SELECT coalesce(sum(owed), 0) AS owed FROM capture_siblings AS sibling
    JOIN uncovered_refunds ON capture_id = sibling.id WHERE of_capture_id = ${capture.id}`;
  const [[row]] = await ctx.database.read([ctx.db.all<{ owed: number }>(owed)]);
  return (row?.owed ?? 0) > 0 ? EXCEEDED : MISSING;
}

function look(account: GatewayAccount, { capture, gatewayOrderId }: Place): Promise<Look> {
  const of = { gatewayPaymentId: capture.gatewayPaymentId, gatewayOrderId };
  return answerOf(GATEWAYS[capture.gateway].lookRefunds(account, of));
}

/** What a gateway answers, or why it does not. */
function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer | GatewayError> {
  return asked.catch((error: unknown) => {
    if (error instanceof GatewayError) return error;
    throw error;
  });
}

/** Records what a gateway made or ended of which nothing is known here. */
async function note(ctx: Ctx, { capture: { gateway }, account, known }: Place, found: Look): Promise<void> {
  if (found instanceof GatewayError) return;
  const all = knownOf({ known });
  for (const report of found) {
    const { gatewayRefundId, key, state } = report;
    const one = all.find(({ id, key: its }) => id === gatewayRefundId || (id === null && its === key));
    if (one !== undefined && !isNews(one.status, saidIn(report).status)) continue;
    const eventId = `look:${gatewayRefundId}:${state}`;
    const payloadSha256 = await sha256Hex(JSON.stringify(report));
    await applyRefundReport(nextCall(ctx, "noteRefund", eventId), {
      ...{ gateway, accountIds: [account.id], eventId, payloadSha256, report },
    });
  }
}

/** Writes what became of a refund, and gives the refund; null where that is no news. */
async function write(
  ctx: Ctx,
  refund: StoredRefund,
  outcome: Outcome,
  { also }: Reach,
): Promise<RefundRow | null> {
  const moves =
    "said" in outcome ? moveRefund(nextCall(ctx, "settleRefund", refund.key), refund, outcome.said) : [];
  if (moves.length === 0) return null;
  try {
    const results = await systemWrite(ctx, [...moves, ...also, selectByKey(refund.key)]);
    return JSON.parse(String(results[moves.length + also.length]?.rows[0]?.snapshot));
  } catch (error) {
    if (!(error instanceof BatchRefused && MOVED.has(error.code))) throw error;
    // An event came first.
    if (also.length > 0) await systemWrite(withoutEvents(ctx), also);
    const [rows] = await ctx.database.read([jsonQuery(ctx, selectByKey(refund.key))]);
    return parseRows(rows)[0] ?? null;
  }
}

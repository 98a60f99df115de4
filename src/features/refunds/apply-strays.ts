import { sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { nextCall } from "#core/write/next-call.ts";
import { gatewayCaptures } from "#tables/captures";
import { gatewayRefunds, gatewayRefundEvents as reports } from "#tables/refunds";
import { applyRefundReport } from "./report.ts";
import { backOf } from "./waiting.ts";

const AT_ONCE = 100;

/** Applies, oldest first, the reports of refunds that came before the event of their payment, or found too little left of it; what fits nothing stays. */
export async function applyStrays(ctx: Ctx): Promise<void> {
  const tried = new Set<number>();
  // The end of a chargeback fits once the report of its begin was applied.
  for (;;) {
    const found = (await selectFitting(ctx)).filter(({ id }) => !tried.has(id));
    if (found.length === 0) return;
    for (const report of found) {
      tried.add(report.id);
      const { id: storedAs, gatewayAccountId, eventId, payloadSha256, ...said } = report;
      const applied = applyRefundReport(nextCall(ctx, "noteRefund", `stray:${storedAs}`), {
        ...{ storedAs, gateway: said.gateway, eventId, payloadSha256 },
        accountIds: [gatewayAccountId],
        report: said,
      });
      // One that fails holds back no later one.
      await applied.catch((error) => logFault("refund", error, String(storedAs)));
    }
  }
}

/** The reports that now fit a payment or a refund that is known, oldest first. */
async function selectFitting(ctx: Ctx): Promise<(typeof reports.$inferSelect)[]> {
  const { gateway, gatewayRefundId, gatewayPaymentId, amount, currency, kind, state } = reports;
  const ofAccount = sql`${gatewayCaptures.gateway} = ${gateway} AND ${gatewayCaptures.gatewayPaymentId} = ${gatewayPaymentId}
    AND ${gatewayCaptures.gatewayAccountId} = ${reports.gatewayAccountId} AND ${gatewayCaptures.currency} = ${currency}`;
  const known = sql`${gatewayRefunds.gateway} = ${gateway} AND ${gatewayRefunds.gatewayRefundId} = ${gatewayRefundId}`;
  const hasRoom = sql`(${state} = 'failed' OR ${amount} <= ${gatewayCaptures.amount} - ${backOf(sql`${gatewayCaptures.id}`)})`;
  const fits = sql`(${gatewayRefunds.id} IS NULL AND ${amount} > 0 AND ${kind} <> 'chargeback_reversed' AND ${hasRoom})
    OR (${gatewayRefunds.captureId} = ${gatewayCaptures.id} AND ${gatewayRefunds.amount} = ${amount}
      AND ${gatewayRefunds.currency} = ${currency})`;
  const [found] = await ctx.database.read([
    ctx.db
      .select({ report: reports })
      .from(reports)
      .innerJoin(gatewayCaptures, ofAccount)
      .leftJoin(gatewayRefunds, known)
      .where(sql`${reports.refundId} IS NULL AND ${reports.dismissedAt} IS NULL AND (${fits})`)
      .orderBy(reports.id)
      .limit(AT_ONCE),
  ]);
  return found.map(({ report }) => report);
}

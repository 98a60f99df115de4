import { eq, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { type Effects, type PaidEffect, type PaidIntent, Quarantined } from "#features/gateway-payments";
import { reduceAmountDue } from "#features/invoices";
import { pick } from "#shared/pick.ts";
import { invoices } from "#tables/invoices";
import { recordOnlinePayment } from "../payments/record-online.ts";

/** What payments do to invoices. What is not due any more, or was not asked for, stays an advance. */
export const invoiceEffects: Effects = {
  changes: ["invoice", "payment"],
  customerOf: ({ refId }) =>
    sql`(SELECT ${invoices.customerId} FROM ${invoices} WHERE ${invoices.id} = ${Number(refId)})`,
  paid: payInvoice,
  review: () => [],
  overpaid: () => [],
  abandoned: () => [],
};

/** The statements that pay what is due of an invoice; none where it was voided or paid meanwhile. */
async function payInvoice(ctx: Ctx, intent: PaidIntent): Promise<PaidEffect> {
  const id = Number(intent.refId);
  const [[found]] = await ctx.database.read([
    ctx.db
      .select({
        number: invoices.invoiceNumber,
        ...pick(invoices, "customerId", "status", "amountDue"),
      })
      .from(invoices)
      .where(eq(invoices.id, id)),
  ]);
  if (found === undefined) throw new Quarantined(`No invoice ${id}`);
  const { customerId, status, amountDue } = found;
  const invoiced = Math.min(intent.amount, amountDue);
  // The status is of no matter: nothing is due of what is voided.
  const unchanged = refuseWhen(
    sql`EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.id} = ${id} AND ${invoices.amountDue} <> ${amountDue})`,
    "intent_moved",
  );
  if (status === "voided" || invoiced === 0) return { statements: [unchanged], invoiced: 0 };
  const { gateway, gatewayPaymentId, isAdvance, currency } = intent;
  const statements = [
    unchanged,
    reduceAmountDue(ctx, id, { amount: invoiced, tdsAmount: 0 }),
    ...recordOnlinePayment(
      ctx,
      {
        ...{ invoiceId: id, customerId, amount: invoiced, currency, date: companyToday(ctx) },
        ...{ gateway, gatewayPaymentId, isAdvance, reference: found.number, source: "hosted_page" },
      },
      0,
    ),
  ];
  return { statements, invoiced };
}

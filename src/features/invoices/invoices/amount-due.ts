import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { invoices } from "#tables/invoices";

/** Money and tax deducted at source, in minor units, as numbers or as SQL. */
export type Settlement = { amount: number | SQL<number>; tdsAmount: number | SQL<number> };

/** Takes a payment off what is due; the invoice's CHECK refuses more than is due, a trigger that of a voided one. */
export function reduceAmountDue(
  ctx: ReadCtx,
  id: number,
  { amount, tdsAmount: tds }: Settlement,
): SQLWrapper {
  const due = sql`${invoices.amountDue} - ${amount} - ${tds}`;
  return ctx.db
    .update(invoices)
    .set({
      amountPaid: sql`${invoices.amountPaid} + ${amount}`,
      tdsAmount: sql`${invoices.tdsAmount} + ${tds}`,
      amountDue: due,
      overdueSince: sql`iif(${due} = 0, NULL, ${invoices.overdueSince})`,
      updatedAt: ctx.now,
    })
    .where(eq(invoices.id, id));
}

/** Adds a payment that was taken back to what is due. */
export function raiseAmountDue(
  ctx: ReadCtx,
  id: SQL<number>,
  { amount, tdsAmount: tds }: Settlement,
): SQLWrapper {
  return ctx.db
    .update(invoices)
    .set({
      amountPaid: sql`${invoices.amountPaid} - ${amount}`,
      tdsAmount: sql`${invoices.tdsAmount} - ${tds}`,
      amountDue: sql`${invoices.amountDue} + ${amount} + ${tds}`,
      dueRaises: sql`${invoices.dueRaises} + 1`,
      updatedAt: ctx.now,
    })
    .where(eq(invoices.id, id));
}

/** The 422 for an amount above `due` minor units. */
export function dueProblem(due: number): Problem {
  const amountDue = moneyToWire(due);
  const help = `and tds_amount are above what is due: ${amountDue}`;
  return fieldProblem("amount", "too_big", help, "amount_exceeds_due", {
    members: { amount_due: amountDue },
  });
}

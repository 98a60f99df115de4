import { sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { type Given, keptQuery, keptStatement } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { documentIds } from "#core/write/create-or-change.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { dueProblem, reduceAmountDue } from "#features/invoices";
import { closedDate, refuseFuture, writeWithEntry } from "#features/ledger";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { pick } from "#shared/pick.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { invoices } from "#tables/invoices";
import { paymentModes, payments } from "#tables/payments";
import { insertedBy, insertPayment } from "./insert.ts";
import { type RecordedPaymentRow, selectRecorded } from "./record.ts";
import type { PaymentRecord } from "./schema.ts";

const selectBasis = keptQuery((db, { invoiceId, modeId }: Given<Record<"invoiceId" | "modeId", number>>) =>
  db
    .select({
      ...pick(invoices, "status", "currency", "amountDue"),
      isModeActive: paymentModes.isActive,
    })
    .from(invoices)
    .leftJoin(paymentModes, sql`${paymentModes.id} = ${modeId}`)
    .where(sql`${invoices.id} = ${invoiceId}`),
);
const customerOf = keptStatement(
  ({ invoiceId }: Given<{ invoiceId: number }>) =>
    sql<number>`(SELECT ${invoices.customerId} FROM ${invoices} WHERE ${invoices.id} = ${invoiceId}
      AND ${invoices.currency} = ${sql.raw(`'${BOOKS_CURRENCY}'`)})`,
);
/** The id of a mode that is active; NULL of another. */
export const activeMode = keptStatement(
  ({ modeId }: Given<{ modeId: number }>) => sql`(SELECT ${paymentModes.id} FROM ${paymentModes}
    WHERE ${paymentModes.id} = ${modeId} AND ${paymentModes.isActive} = 1)`,
);

/** What callers give ids of their own to. The same create again answers with the payment that stands. */
export const paymentIds = documentIds("payment", payments, (_ctx, which) => selectRecorded(which));

/**
 * Records money received on an invoice; posts the receipt where its accounts are active and its year is open. It reads
 * nothing first: the batch finds all that it needs, and what it refuses is explained by a read after it.
 */
export function recordPayment(
  ctx: WriteCtx,
  _params: unknown,
  body: PaymentRecord,
): Promise<RecordedPaymentRow> {
  const { invoice_id: invoiceId, payment_mode_id: modeId, amount } = body;
  refuseFuture(ctx, "payment_date", body.payment_date);
  const tdsAmount = body.tds_amount ?? 0;
  const refused = () => explain(ctx, body);
  return writeWithEntry((post, unposted) =>
    atomic(
      ofOwnRecord(ctx),
      [
        reduceAmountDue(ctx, invoiceId, { amount, tdsAmount }),
        // Each NULL that these give is refused by the table.
        ...insertPayment(
          ctx,
          {
            invoiceId,
            customerId: customerOf({ invoiceId }),
            amount,
            tdsAmount,
            tdsSection: body.tds_section ?? null,
            currency: BOOKS_CURRENCY,
            paymentDate: body.payment_date,
            paymentModeId: activeMode({ modeId }),
            referenceNumber: body.reference_number ?? null,
            notes: body.notes ?? null,
          },
          { post },
        ),
      ],
      selectRecorded(insertedBy(ctx)),
      {
        ...unposted,
        ...closedDate("payment_date"),
        invoice_voided: refused,
        amount_exceeds_due: refused,
        "payments.customer_id": refused,
        "payments.payment_mode_id": refused,
      },
    ),
  );
}

/** Why the batch was refused: the first reason that holds. */
async function explain(ctx: WriteCtx, body: PaymentRecord): Promise<Problem> {
  const { invoice_id: invoiceId, payment_mode_id: modeId } = body;
  const [[found]] = await ctx.database.read([selectBasis({ invoiceId, modeId })]);
  if (found === undefined)
    return new Problem("not_found", { message: "No such invoice", members: { resource: "invoice" } });
  const { status, currency, amountDue, isModeActive } = found;
  if (status === "voided") return new Problem("invoice_voided");
  if (currency !== BOOKS_CURRENCY)
    return fieldProblem(
      "invoice_id",
      "currency_not_supported",
      `is in ${currency}`,
      "currency_not_supported",
    );
  return isModeActive === 1 ? dueProblem(amountDue) : modeInactive();
}

/** The 422 for a mode that is not there, or switched off. */
export function modeInactive(): Problem {
  return fieldProblem(
    "payment_mode_id",
    "not_active",
    "names no active payment mode: /payments/{company}/methods lists them",
    "payment_mode_inactive",
  );
}

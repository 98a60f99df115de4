import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { read } from "#core/write/replay.ts";
import { dueProblem, exceedsDue, reduceAmountDue } from "#features/invoices";
import { type AccountReference, closedDate, postEntry } from "#features/ledger";
import { ACCOUNTS, BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { invoices } from "#tables/invoices";
import { paymentModes } from "../modes/tables.ts";
import { entrySourceOf, insertedBy, insertPayment } from "./insert.ts";
import { type RecordedPaymentRow, selectRecorded } from "./record.ts";
import type { PaymentRecord } from "./schema.ts";

type Mode = typeof paymentModes.$inferSelect;

const selectInvoice = keptQuery((db, { id }: Given<{ id: number }>) =>
  db.select().from(invoices).where(eq(invoices.id, id)),
);
const selectMode = keptQuery((db, { id }: Given<{ id: number }>) =>
  db.select().from(paymentModes).where(eq(paymentModes.id, id)),
);

/** Records money received on an invoice; posts the receipt where its accounts are active and its year is open. */
export async function recordPayment(
  ctx: WriteCtx,
  _params: unknown,
  body: PaymentRecord,
): Promise<RecordedPaymentRow> {
  const [[invoice], [mode]] = await read(ctx, [
    selectInvoice({ id: body.invoice_id }),
    selectMode({ id: body.payment_mode_id }),
  ]);
  if (invoice === undefined)
    throw new Problem("not_found", { message: "No such invoice", members: { resource: "invoice" } });
  if (invoice.status === "voided") throw new Problem("invoice_voided");
  if (invoice.currency !== BOOKS_CURRENCY) {
    throw fieldProblem(
      "invoice_id",
      "currency_not_supported",
      `is in ${invoice.currency}`,
      "currency_not_supported",
    );
  }
  if (mode?.isActive !== 1) throw modeInactive();
  const amount = body.amount;
  const tdsAmount = body.tds_amount ?? 0;
  if (amount + tdsAmount > invoice.amountDue) throw dueProblem(invoice.amountDue);
  return atomic(
    ofOwnRecord(ctx),
    [
      ...reduceAmountDue(ctx, invoice.id, { amount, tdsAmount }),
      ...insertPayment(ctx, {
        invoiceId: invoice.id,
        customerId: invoice.customerId,
        amount,
        tdsAmount,
        tdsSection: body.tds_section ?? null,
        currency: BOOKS_CURRENCY,
        paymentDate: body.payment_date,
        // NULL, which the table refuses, when the mode was removed or switched off since it was read.
        paymentModeId: sql`(SELECT ${paymentModes.id} FROM ${paymentModes}
          WHERE ${paymentModes.id} = ${mode.id} AND ${paymentModes.isActive} = 1)`,
        referenceNumber: body.reference_number ?? null,
        notes: body.notes ?? null,
      }),
      ...postEntry(ctx, {
        ...entrySourceOf(ctx),
        ordinal: 0,
        date: body.payment_date,
        narration: `Payment on ${invoice.invoiceNumber}`,
        customerId: invoice.customerId,
        lines: [
          { account: accountOf(mode), debit: amount },
          { account: { key: ACCOUNTS.tdsReceivable }, debit: tdsAmount },
          { account: { of: "customer" }, credit: amount + tdsAmount },
        ],
      }),
    ],
    selectRecorded(insertedBy(ctx)),
    {
      ...closedDate("payment_date"),
      amount_exceeds_due: () => exceedsDue(ctx, invoice.id),
      "payments.payment_mode_id": modeInactive,
    },
  );
}

function modeInactive(): Problem {
  return fieldProblem(
    "payment_mode_id",
    "not_active",
    "names no active payment mode",
    "payment_mode_inactive",
  );
}

/** Where money of a mode goes: the mode's own account, else Cash or Bank. */
function accountOf(mode: Mode): AccountReference {
  if (mode.accountId !== null) return { id: mode.accountId };
  return { key: mode.modeType === "cash" ? ACCOUNTS.cash : ACCOUNTS.bank };
}

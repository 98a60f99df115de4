import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import type { Mode } from "../modes/mode-or-cash.ts";
import { insertPayment } from "./insert.ts";

/** Money that staff took for a booking, in minor units. */
type ModePayment = {
  invoiceId: SQL<number>;
  customerId: number | SQL<number>;
  amount: number;
  currency: string;
  date: string;
  mode: Mode;
  reference: SQL<string>;
};

/** The statements that record what staff took for an invoice that is settled already. */
export function recordModePayment(ctx: CallCtx, payment: ModePayment, ordinal: number): SQLWrapper[] {
  const { invoiceId, customerId, amount, currency, date, mode, reference } = payment;
  return insertPayment(
    ctx,
    {
      ...{ invoiceId, customerId, amount, currency },
      paymentDate: date,
      paymentModeId: sql`${mode.id}`,
      referenceNumber: reference,
      source: "booking",
    },
    { ordinal },
  );
}

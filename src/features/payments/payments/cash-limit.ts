import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { paymentModes, payments } from "#tables/payments";

/** Section 269ST of the Income-tax Act, 1961: 2,00,000 rupees or more, from one person in a day. */
const LIMIT_PAISE = 20_000_000;

const ofDay = alias(payments, "of_day");
const modeOfDay = alias(paymentModes, "mode_of_day");

/** What the payment's customer has paid in cash on its day, in minor units; null where the payment is no cash itself. */
export const cashOfDay: SQL<number | null> = sql`CASE ${paymentModes.modeType} WHEN 'cash' THEN (
  SELECT sum(${ofDay.amount}) FROM ${payments} AS ${ofDay}
  JOIN ${paymentModes} AS ${modeOfDay} ON ${modeOfDay.id} = ${ofDay.paymentModeId}
  WHERE ${ofDay.customerId} = ${payments.customerId} AND ${ofDay.paymentDate} = ${payments.paymentDate}
    AND ${ofDay.deletedAt} IS NULL AND ${modeOfDay.modeType} = 'cash') END`;

/** Whether so much cash of one day is what an Indian company warns of; rupees alone are counted. */
export function isAboveCashLimit({ company }: Pick<ReadCtx, "company">, cash: number | null): boolean {
  return company.country === "IN" && company.currency === BOOKS_CURRENCY && (cash ?? 0) >= LIMIT_PAISE;
}

import { sql } from "drizzle-orm";
import { holdsMoney } from "#features/captures";
import { hasGateway } from "#features/gateway-payments";
import { profile } from "#tables/company";
import { invoices } from "#tables/invoices";

/** Gateways open no payment of less than one rupee or dollar (https://razorpay.com/docs/api/orders/create). */
const LEAST = 100;

/** Whether an invoice may be paid through the company's gateway, should anything be due. */
const isPayableOnline = sql<number>`(${invoices.amountDue} >= ${sql.raw(String(LEAST))} AND (SELECT ${profile.invoicesPayableOnline} FROM ${profile}) = 1
  AND ${hasGateway(sql<string>`${invoices.currency}`)})`;

/** What the page of an invoice says of payment through a gateway. It binds no value. */
export const PAY_OFFER = { isPayableOnline, holdsMoney };
/** The same as it is read. */
export type PayOffer = Record<keyof typeof PAY_OFFER, number>;

/** Whether an invoice of which something is due offers payment through a gateway. */
export function offersPayment({ isPayableOnline: isPayable, holdsMoney: holds }: PayOffer): boolean {
  return isPayable === 1 && holds === 0;
}

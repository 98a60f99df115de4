import { type SQL, sql } from "drizzle-orm";
import { taxCountry } from "#shared/places/countries.ts";
import { type Particulars, particularsOnInvoice } from "../invoices/parties.ts";
import type { Recipient } from "../tax/gst.ts";

/** Who buys by an order: the particulars that its checkout sent, read once. */
export type OrderBuyer = Particulars;

/** The buyer as the invoice of an order keeps it, as JSON; `customerId` is the account that owes it. */
export function orderBuyerOnInvoice(buyer: OrderBuyer, customerId: number | SQL<number>): SQL<string> {
  const kept = particularsOnInvoice(buyer);
  if (typeof customerId === "number") return sql`${JSON.stringify({ id: customerId, ...kept })}`;
  return sql`json_insert(${JSON.stringify(kept)}, '$.id', ${customerId})`;
}

/** The buyer that decides the place of supply: for goods, the place of delivery. */
export function suppliedBuyer(buyer: OrderBuyer): Recipient {
  const { shippingAddress: to, gstin, gstCategory } = buyer;
  const country = (to && taxCountry(to.country, to.state)) ?? buyer.country;
  return { gstin, gstCategory, country, stateCode: to?.state_code ?? buyer.stateCode };
}

import { type SQL, sql } from "drizzle-orm";
import { letterOn, type Particulars, particularsOnInvoice, type Seller } from "../invoices/parties.ts";
import { type Supply, supplyOf } from "../tax/place-of-supply.ts";
import { mayChargeTax } from "../tax/registered.ts";

/** Who buys by an order: the particulars that its checkout sent, read once. */
export type OrderBuyer = Particulars;

/** Where an order is supplied to; whether it bears no tax under the company's letter of undertaking; and whether the company may charge any. */
export type OrderSupply = Supply & { underLetter: boolean; isTaxed: boolean };

/** The buyer as the invoice of an order keeps it, as JSON; `customerId` is the account that owes it. */
export function orderBuyerOnInvoice(buyer: OrderBuyer, customerId: number | SQL<number>): SQL<string> {
  const kept = particularsOnInvoice(buyer);
  if (typeof customerId === "number") return sql`${JSON.stringify({ id: customerId, ...kept })}`;
  return sql`json_insert(${JSON.stringify(kept)}, '$.id', ${customerId})`;
}

/** Where an order of a day is supplied to, and what its lines bear no tax for. */
export function orderSupply(
  seller: Seller,
  buyer: OrderBuyer,
  { country, date, isService }: { country: string; date: string; isService: boolean },
): OrderSupply {
  const supply = supplyOf(seller, particularsOnInvoice(buyer), { country, isService });
  const underLetter = supply.isZeroRated && letterOn(seller, date) !== null;
  return { ...supply, underLetter, isTaxed: mayChargeTax(seller) };
}

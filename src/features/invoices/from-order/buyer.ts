import { type SQL, sql } from "drizzle-orm";
import { taxCountry } from "#shared/places/countries.ts";
import { letterOn, type Particulars, particularsOnInvoice, type Seller } from "../invoices/parties.ts";
import { placeOfSupply, type Recipient, type SupplyType, supplyType } from "../tax/gst.ts";

/** Who buys by an order: the particulars that its checkout sent, read once. */
export type OrderBuyer = Particulars;

/** The buyer as the invoice of an order keeps it, as JSON; `customerId` is the account that owes it. */
export function orderBuyerOnInvoice(buyer: OrderBuyer, customerId: number | SQL<number>): SQL<string> {
  const kept = particularsOnInvoice(buyer);
  if (typeof customerId === "number") return sql`${JSON.stringify({ id: customerId, ...kept })}`;
  return sql`json_insert(${JSON.stringify(kept)}, '$.id', ${customerId})`;
}

/**
 * Where an order of a day is supplied to, and whether without tax: abroad or to a special economic zone, under the
 * company's letter of undertaking.
 */
export function orderSupply(
  seller: Seller,
  buyer: OrderBuyer,
  date: string,
): { place: string | null; supply: SupplyType; underLetter: boolean } {
  const supplied = suppliedBuyer(buyer);
  const place = placeOfSupply(seller, supplied);
  const supply = supplyType(seller, supplied, place);
  const isZeroRated = supply === "export" || (supply === "inter" && supplied.gstCategory === "sez");
  return { place, supply, underLetter: isZeroRated && letterOn(seller, date) !== null };
}

/** The buyer that decides the place of supply: for goods, the place of delivery. */
function suppliedBuyer(buyer: OrderBuyer): Recipient {
  const { shippingAddress: to, gstin, gstCategory } = buyer;
  const country = (to && taxCountry(to.country, to.state)) ?? buyer.country;
  return { gstin, gstCategory, country, stateCode: to?.state_code ?? buyer.stateCode };
}

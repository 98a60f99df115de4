import { letterOn, type Seller } from "../invoices/parties.ts";
import { placeOfSupply, type SupplyType, supplyType } from "../tax/gst.ts";
import { type OrderBuyer, suppliedBuyer } from "./buyer.ts";

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

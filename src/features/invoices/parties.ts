import type { profile } from "#tables/company";
import type { customers } from "#tables/customers";
import { deliveryOf } from "./order-buyer.ts";
import type { CustomerSnapshot, SellerSnapshot } from "./snapshot.ts";

export type Buyer = typeof customers.$inferSelect;
export type Seller = typeof profile.$inferSelect;

/** The customer as an invoice keeps it. */
export function customerSnapshot(buyer: Buyer): CustomerSnapshot {
  const { id, name, email, phone, gstin, address, city, state, stateCode, pincode, country } = buyer;
  return {
    id,
    name,
    email,
    phone,
    gstin,
    company_name: buyer.companyName,
    gst_category: buyer.gstCategory,
    billing_address: { address, city, state, state_code: stateCode, pincode, country, country_text: null },
    shipping_address: buyer.shippingAddress === null ? null : deliveryOf(JSON.parse(buyer.shippingAddress)),
  };
}

/** The company as an invoice of a day keeps it. */
export function sellerSnapshot(seller: Seller, date: string): SellerSnapshot {
  const { name, gstin, address, stateCode } = seller;
  return { legal_name: name, gstin, address, state_code: stateCode, lut_number: letterOn(seller, date) };
}

/** The number of the letter of undertaking that is valid on a day; null without one. */
export function letterOn({ lutNumber, lutValidUntil }: Seller, date: string): string | null {
  return lutValidUntil === null || date <= lutValidUntil ? lutNumber : null;
}

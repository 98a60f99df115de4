import type { profile } from "#tables/company";
import type { customers } from "#tables/customers";
import type { CustomerSnapshot, SellerSnapshot } from "./snapshot.ts";

export type Buyer = typeof customers.$inferSelect;
export type Seller = typeof profile.$inferSelect;

/** The customer as an invoice keeps it. */
export function customerSnapshot(buyer: Buyer): CustomerSnapshot {
  const { id, name, email, phone, gstin, address, city, state, stateCode, pincode, country } = buyer;
  const billingAddress = { address, city, state, state_code: stateCode, pincode, country };
  return { id, name, email, phone, gstin, billing_address: billingAddress };
}

/** The company as an invoice keeps it. */
export function sellerSnapshot({ name, gstin, address, stateCode }: Seller): SellerSnapshot {
  return { legal_name: name, gstin, address, state_code: stateCode };
}

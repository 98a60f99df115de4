/** Where the tax of an invoice goes: both within one state, between states, or out of the country. */
export type SupplyType = "intra" | "inter" | "export";

export type Supplier = { gstin: string | null; stateCode: string | null };
export type Recipient = Supplier & { country: string; gstCategory: string };

const OTHER_COUNTRIES = "96";
const CENTRAL_JURISDICTION = "99";

/** The code of the place of supply: the override, else the buyer's, else the seller's; null when none is known. */
export function placeOfSupply(seller: Supplier, buyer: Recipient, override?: string | null): string | null {
  if (override) return override;
  return buyer.country === "IN" ? (stateOf(buyer) ?? stateOf(seller)) : OTHER_COUNTRIES;
}

/** The kind of supply to a place of supply; within the state when the seller's own state is not known. */
export function supplyType(seller: Supplier, buyer: Recipient, place: string | null): SupplyType {
  if (place === OTHER_COUNTRIES) return "export";
  const sellerState = stateOf(seller);
  if (place === null || sellerState === null) return "intra";
  return place !== sellerState || buyer.gstCategory === "sez" ? "inter" : "intra";
}

function stateOf({ gstin, stateCode }: Supplier): string | null {
  const registered = gstin?.slice(0, 2);
  return registered === undefined || registered === CENTRAL_JURISDICTION ? stateCode : registered;
}

import { taxCountry } from "#shared/places/countries.ts";
import type { CustomerOnInvoice, Seller } from "../invoices/parties.ts";

/** Where the tax of an invoice goes: both within one state, between states, or out of the country. */
export type SupplyType = "intra" | "inter" | "export";
/** Where something is supplied, and how; both null outside India. */
export type Supply = { place: string | null; type: SupplyType | null; isZeroRated: boolean };

export type Supplier = Pick<Seller, "gstin" | "stateCode">;
export type Recipient = Omit<CustomerOnInvoice, "id">;
/** What decides where a supply is taxed, beside its parties. */
export type Terms = {
  /** Of the company. */
  country: string;
  /** Whether no line is goods. */
  isService: boolean;
  override?: string | null | undefined;
};

const OTHER_COUNTRIES = "96";
const CENTRAL_JURISDICTION = "99";

/** Where an invoice's tax goes. Within the state where the seller's own state is not known. */
export function supplyOf(seller: Supplier, buyer: Recipient, terms: Terms): Supply {
  if (terms.country !== "IN") return { place: null, type: null, isZeroRated: false };
  const place = terms.override ?? placeOfSupply(seller, buyer, terms.isService);
  if (place === OTHER_COUNTRIES) return { place, type: "export", isZeroRated: true };
  const own = stateOf(seller);
  if (place === null || own === null) return { place, type: "intra", isZeroRated: false };
  const isZone = buyer.gst_category === "sez";
  return { place, type: place !== own || isZone ? "inter" : "intra", isZeroRated: isZone };
}

/**
 * The code of the place of supply, null where none is known. Of services it is the buyer's state (IGST Act, s.12(2)).
 * Of goods it is the place of delivery (s.10(1)(a), (ca)), but a registered buyer's state where they go to another
 * person (s.10(1)(b)).
 */
function placeOfSupply(seller: Supplier, buyer: Recipient, isService: boolean): string | null {
  const { billing_address: billing, shipping_address: shipping, gstin } = buyer;
  const to = isService ? null : shipping;
  const country = (to && taxCountry(to.country, to.state)) ?? billing.country;
  if (country !== "IN") return OTHER_COUNTRIES;
  const own = stateOf({ gstin, stateCode: billing.state_code }) ?? stateOf(seller);
  if (to?.state_code == null || (gstin !== null && isAnotherPerson(to.name, buyer))) return own;
  return to.state_code;
}

function isAnotherPerson(name: string | null, buyer: Recipient): boolean {
  return (
    name !== null &&
    ![buyer.name, buyer.company_name].some((own) => own && simplified(own) === simplified(name))
  );
}

function simplified(text: string): string {
  return text.toLowerCase().replace(/[\s.,]+/g, "");
}

/** The state of a GSTIN, else the one that is known otherwise. */
function stateOf({ gstin, stateCode }: Supplier): string | null {
  const registered = gstin?.slice(0, 2);
  return registered === undefined || registered === CENTRAL_JURISDICTION ? stateCode : registered;
}

/** Whether a line is a service: by its product, or by an accounting code of services (SAC). */
export function isServiceLine(
  hsnSacCode: string | null | undefined,
  productType: string | undefined,
): boolean {
  return productType === "service" || hsnSacCode?.startsWith("99") === true;
}

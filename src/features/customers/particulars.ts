import type * as z from "zod";
import { keptQuery } from "#core/sql/kept-statements.ts";
import { phoneDigits, phoneLast9 } from "#shared/contact/phone.ts";
import type { GST_CATEGORIES } from "#shared/gst/gst-categories.ts";
import { categoryOfGstin } from "#shared/gst/gstin.ts";
import { requireGstin, requireSameState, unknownState } from "#shared/gst/registration.ts";
import { findIndianState } from "#shared/places/states.ts";
import { fieldProblem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import type { ShippingAddress } from "./schema.ts";

const INDIA = "IN";
const INDIAN_PINCODE = /^[1-9][0-9]{5}$/;
const PINCODE = /^[A-Za-z0-9 -]{3,10}$/;
const DEFAULT_CATEGORIES = new Set<string>(["unregistered", "consumer", "overseas", "regular"]);

export const PARTICULARS = ["country", "state", "pincode", "gstin", "pan", "gst_category"] as const;
/** Members that are more than one column, or JSON in theirs. */
export const STORED_OTHERWISE = ["email", "phone", "shipping_address", "metadata"] as const;

/** The fields of a customer whose rules depend on each other, as sent and as stored. */
export type Particulars = {
  country: string;
  state: string;
  pincode: string;
  gstin: string | null;
  pan: string | null;
  gst_category: string | null;
};

export type ResolvedParticulars = {
  country: string;
  state: string;
  stateCode: string | null;
  pincode: string;
  gstin: string | null;
  pan: string | null;
  gstCategory: (typeof GST_CATEGORIES)[number];
};

/** How an address is stored: one that says nothing is none. */
export function storedAddress(address: z.infer<typeof ShippingAddress> | null): string | null {
  return address !== null && Object.values(address).some(Boolean) ? JSON.stringify(address) : null;
}

/** The query for whether the company is registered for GST: only then does a state have to be known. */
export const selectSeller = keptQuery((db) => db.select({ gstin: profile.gstin }).from(profile));

/** Whether the state is none of India's, though the country is: only then does it matter who the seller is. */
export function isUnknownState({ country, state }: Pick<Particulars, "country" | "state">): boolean {
  return country === INDIA && findIndianState(state) === undefined;
}

/**
 * Checks state, pincode and GSTIN against each other and fills in what follows from them. An unknown Indian state is
 * refused only where the seller is registered for GST: only then does it decide a tax.
 */
export function resolveParticulars(given: Particulars, sellerIsRegistered: boolean): ResolvedParticulars {
  const { country, pincode } = given;
  const indian = country === INDIA;
  const state = indian ? findIndianState(given.state) : undefined;
  if (isUnknownState(given) && sellerIsRegistered) throw unknownState();
  if (!(indian ? INDIAN_PINCODE : PINCODE).test(pincode)) {
    const shape = indian ? "6 digits, the first not 0" : "3 to 10 letters, digits, spaces or hyphens";
    throw fieldProblem("pincode", "invalid_pincode", `must be ${shape}`, "invalid_pincode");
  }
  const gstin = requireGstin(given.gstin);
  requireSameState(gstin, state);
  return {
    country,
    state: state?.name ?? given.state,
    stateCode: state?.code ?? null,
    pincode,
    gstin: gstin?.gstin ?? null,
    pan: given.pan ?? gstin?.pan ?? null,
    gstCategory: category(given.gst_category, country, gstin?.gstin ?? null),
  };
}

/** Where no category was chosen on purpose, it follows the GSTIN and the country. */
function category(
  chosen: string | null,
  country: string,
  gstin: string | null,
): ResolvedParticulars["gstCategory"] {
  if (chosen !== null && !DEFAULT_CATEGORIES.has(chosen)) return chosen as ResolvedParticulars["gstCategory"];
  if (gstin !== null) return categoryOfGstin(gstin);
  if (country !== INDIA) return "overseas";
  return chosen === "consumer" ? "consumer" : "unregistered";
}

/** An e-mail address with the copy that customers are matched by. */
export function emailColumns(email: string | null) {
  return { email, emailLower: email?.toLowerCase() ?? null };
}

/** A phone number with the copies that customers are searched and matched by. */
export function phoneColumns(phone: string | null) {
  return {
    phone,
    phoneDigits: phone === null ? null : phoneDigits(phone),
    phoneLast9: phone === null ? null : phoneLast9(phone),
  };
}

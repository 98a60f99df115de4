import { type SQL, sql } from "drizzle-orm";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { isLive, type Prospect } from "#features/customers";
import { type Delivery, deliveryOf, type OrderBuyer } from "#features/invoices";
import { categoryOfGstin, parseGstin } from "#shared/gst/gstin.ts";
import { requireGstin, requireSameState, unknownState } from "#shared/gst/registration.ts";
import { readCountry, taxCountry } from "#shared/places/countries.ts";
import { findIndianState } from "#shared/places/states.ts";
import { fieldProblem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import type { Checkout } from "./schema.ts";

const FIELDS = ["phone", "company_name", "gstin", "address", "city", "state", "pincode", "country"] as const;
const DELIVERY_FIELDS = ["name", "phone", "address", "city", "state", "pincode", "country"] as const;
const UNREGISTERED: ReadonlySet<string> = new Set(["unregistered", "consumer", "overseas"]);
type Filled<Name extends string> = Record<Name, string | null>;

/** Who buys, as the shop sent it: what it left out is null. */
export type Shopper = { name: string; email: string } & Filled<(typeof FIELDS)[number]> & {
    shipping_address: Filled<(typeof DELIVERY_FIELDS)[number]> | null;
  };

/** What an order has in place of the e-mail address of a person who was erased. */
export const ERASED = "erased";

/** The e-mail address of a shopper; null once the person was erased. */
function addressOf({ email }: Pick<Shopper, "email">): string | null {
  return email === ERASED ? null : email;
}

/** The shopper of a checkout. Throws 422 for a GSTIN that is none, or that another state or country rules out. */
export function shopperOf({ name, email, shipping_address: to, ...rest }: Checkout["customer"]): Shopper {
  const shopper = { name, email, ...filled(FIELDS, rest), shipping_address: to ? delivery(to) : null };
  const field = "customer.gstin";
  const gstin = requireGstin(shopper.gstin, field);
  if (gstin === null) return { ...shopper, gstin: null };
  const { code, subdivision } = readCountry(shopper.country ?? "");
  if (code !== null && code !== "IN")
    throw fieldProblem(field, "invalid_gstin", "is of a buyer in India", "invalid_gstin");
  requireSameState(gstin, findIndianState(shopper.state ?? subdivision ?? ""), field);
  return { ...shopper, gstin: gstin.gstin };
}

/** How the company's own record says that the holder of a GSTIN is registered. */
export type Registration = Pick<typeof customers.$inferSelect, "gstCategory">;

/** The query for the registration of a GSTIN's holder. A shopper who names a GSTIN is taken as its holder. */
export const selectRegistration = keptQuery((db, { gstin }: Given<{ gstin: string | SQL | null }>) =>
  db
    .select({ gstCategory: customers.gstCategory })
    .from(customers)
    .where(sql`${customers.gstin} = ${gstin} AND ${isLive}`),
);

/** Who the invoice of an order is made out to. A country that cannot be read counts, for tax, as the company's own. */
export function buyerOf(
  shopper: Shopper,
  companyCountry: string,
  registration: Registration | undefined,
): OrderBuyer {
  const { gstin } = shopper;
  const named = readCountry(shopper.country ?? "");
  const stateText = shopper.state ?? (named.code === "IN" ? named.subdivision : null);
  const home = named.code ?? (gstin === null ? taxCountry(null, stateText) : "IN");
  const country = home ?? companyCountry;
  const state = country === "IN" && stateText !== null ? findIndianState(stateText) : undefined;
  return {
    name: shopper.name,
    email: addressOf(shopper),
    phone: shopper.phone,
    companyName: shopper.company_name,
    gstin,
    gstCategory:
      gstin !== null ? registeredAs(gstin, registration) : country === "IN" ? "unregistered" : "overseas",
    address: shopper.address,
    city: shopper.city,
    state: state?.name ?? stateText ?? "",
    stateCode: state?.code ?? null,
    pincode: shopper.pincode ?? "",
    country,
    countryText: named.code === null ? shopper.country : null,
    shippingAddress: shopper.shipping_address && deliveryOf(shopper.shipping_address),
  };
}

/** Throws 422 for a place in India whose state is not known: its tax would be that of the seller's state. */
export function requireKnownStates({ country, state, stateCode, shippingAddress: to }: OrderBuyer): void {
  if (country === "IN" && state !== "" && stateCode === null) throw unknownState("customer.state");
  if (to === null || to.state === null || to.state_code !== null) return;
  if ((to.country ?? country) === "IN") throw unknownState("customer.shipping_address.state");
}

// A customer's record made by an earlier checkout does not say how it is registered.
function registeredAs(gstin: string, registration: Registration | undefined): Registration["gstCategory"] {
  const { gstCategory = "unregistered" } = registration ?? {};
  return UNREGISTERED.has(gstCategory) ? categoryOfGstin(gstin) : gstCategory;
}

/** The customer that a shopper may become. */
export function prospectOf(buyer: OrderBuyer): Prospect {
  const { shippingAddress: to, gstin } = buyer;
  return {
    ...buyer,
    pan: gstin === null ? null : (parseGstin(gstin)?.pan ?? null),
    shippingAddress: to && recorded(to),
  };
}

// A customer's record has a country by its two letters, or none.
function recorded({ state_code: _, country, ...rest }: Delivery) {
  return { ...rest, country: country === null ? null : readCountry(country).code };
}

function delivery(to: Partial<Record<string, unknown>>): Shopper["shipping_address"] {
  const address = filled(DELIVERY_FIELDS, to);
  return Object.values(address).every((value) => value === null) ? null : address;
}

/** Each field's text; null for none and for an empty one. */
function filled<Name extends string>(
  names: readonly Name[],
  from: Partial<Record<string, unknown>>,
): Filled<Name> {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  return Object.fromEntries(names.map((name) => [name, text(from[name])])) as Filled<Name>;
}

import * as z from "zod";
import { keptQuery } from "#core/sql/kept-statements.ts";
import { GST_STATUSES } from "#shared/gst/document-types.ts";
import { readCountry, taxCountry } from "#shared/places/countries.ts";
import { findIndianState } from "#shared/places/states.ts";
import { profile } from "#tables/company";
import type { customers } from "#tables/customers";
import { gstStatusOf } from "../tax/registered.ts";

export type Buyer = typeof customers.$inferSelect;
export type Seller = typeof profile.$inferSelect;

/** The query for the company as a seller. */
export const selectSeller = keptQuery((db) => db.select().from(profile));

/** Who buys, as the invoice keeps it. */
export const InvoiceCustomer = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    gstin: z.string().nullable(),
    company_name: z.string().nullable().describe("The business that the person belongs to."),
    gst_category: z.string(),
    billing_address: z.object({
      address: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string(),
      state_code: z.string().nullable().describe("Two-digit GST code; null outside India."),
      pincode: z.string(),
      country: z.string().meta({ description: "The country as used for tax." }),
      country_text: z
        .string()
        .nullable()
        .meta({ description: "The country as the shop sent it, if it names no known country." }),
    }),
    shipping_address: z
      .object({
        name: z.string().nullable(),
        phone: z.string().nullable(),
        address: z.string().nullable(),
        city: z.string().nullable(),
        state: z.string().nullable(),
        state_code: z.string().nullable(),
        pincode: z.string().nullable(),
        country: z.string().nullable(),
      })
      .nullable()
      .describe("Null for the address of the customer."),
  })
  .meta({ id: "InvoiceCustomer", description: "As at issue." });

/** Who sells, as the invoice keeps it. */
export const InvoiceSeller = z
  .object({
    legal_name: z.string(),
    gstin: z.string().nullable(),
    address: z.string().nullable(),
    state_code: z.string().nullable().describe("Two-digit GST code; null outside India."),
    lut_number: z.string().nullable().describe("The letter of undertaking that was valid at the time."),
    country: z.string(),
    gst_status: z.enum(GST_STATUSES).nullable(),
    tax_label: z.string().nullable().describe("Outside India: what the tax is called, such as GST or VAT."),
    tax_number: z.string().nullable().describe("Outside India: the seller's number, such as an ABN."),
    tax_number_label: z.string().nullable().describe("What the tax number is called."),
  })
  .meta({ id: "InvoiceSeller", description: "As at issue." });

type WireCustomer = z.input<typeof InvoiceCustomer>;
export type CustomerOnInvoice = Omit<WireCustomer, "id"> & { id: number };
export type Delivery = NonNullable<WireCustomer["shipping_address"]>;
type WireSeller = z.input<typeof InvoiceSeller>;
type TaxAbroad = Pick<WireSeller, "tax_label" | "tax_number" | "tax_number_label">;
/** As stored: what only companies outside India have is left out for others. */
export type SellerOnInvoice = Omit<WireSeller, keyof TaxAbroad> & Partial<TaxAbroad>;
/** Who buys, as of one sale. */
export type Particulars = Pick<
  Buyer,
  | "name"
  | "email"
  | "phone"
  | "companyName"
  | "gstin"
  | "gstCategory"
  | "address"
  | "city"
  | "state"
  | "stateCode"
  | "pincode"
> & {
  /** ISO 3166-1 alpha-2, as tax knows it. */
  country: string;
  /** What the shop sent in its place, where that names no country. */
  countryText: string | null;
  shippingAddress: Delivery | null;
};
/** The customer as an invoice keeps it. */
export function customerOnInvoice(buyer: Buyer): CustomerOnInvoice {
  const shippingAddress =
    buyer.shippingAddress === null ? null : deliveryOf(JSON.parse(buyer.shippingAddress));
  return { id: buyer.id, ...particularsOnInvoice({ ...buyer, countryText: null, shippingAddress }) };
}

/** A buyer's particulars as an invoice keeps them beside the id of the account that owes it. */
export function particularsOnInvoice(buyer: Particulars): Omit<CustomerOnInvoice, "id"> {
  const { name, email, phone, gstin, address, city, state, pincode, country } = buyer;
  return {
    name,
    email,
    phone,
    gstin,
    company_name: buyer.companyName,
    gst_category: buyer.gstCategory,
    billing_address: {
      address,
      city,
      state,
      state_code: buyer.stateCode,
      pincode,
      country,
      country_text: buyer.countryText,
    },
    shipping_address: buyer.shippingAddress,
  };
}

/** A delivery address as invoices keep it: the state by its code too, the country by its code where it is known. */
export function deliveryOf(sent: Partial<Omit<Delivery, "state_code">>): Delivery {
  const { name = null, phone = null, address = null, city = null, pincode = null } = sent;
  const { state = null, country = null } = sent;
  const found = taxCountry(country, state) === "IN" && state !== null ? findIndianState(state) : undefined;
  return {
    name,
    phone,
    address,
    city,
    state: found?.name ?? state,
    state_code: found?.code ?? null,
    pincode,
    country: country === null ? null : (readCountry(country).code ?? country),
  };
}

/** The company as an invoice of a day keeps it. */
export function sellerOnInvoice(seller: Seller, country: string, date: string): SellerOnInvoice {
  const { name, gstin, address, stateCode, taxLabel, taxNumber, taxNumberLabel } = seller;
  const own = { legal_name: name, gstin, address, state_code: stateCode, country };
  if (country === "IN")
    return { ...own, gst_status: gstStatusOf(seller), lut_number: letterOn(seller, date) };
  const tax = { tax_label: taxLabel, tax_number: taxNumber, tax_number_label: taxNumberLabel };
  return { ...own, gst_status: null, lut_number: null, ...tax };
}

/** The company as an invoice shows it. */
export function renderSeller(stored: SellerOnInvoice): WireSeller {
  return { tax_label: null, tax_number: null, tax_number_label: null, ...stored };
}

/** The number of the letter of undertaking that is valid on a day; null without one. */
export function letterOn({ lutNumber, lutValidUntil }: Seller, date: string): string | null {
  return lutValidUntil === null || date <= lutValidUntil ? lutNumber : null;
}

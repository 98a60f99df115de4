import { type SQL, sql } from "drizzle-orm";
import { taxCountry } from "#shared/places/countries.ts";
import type { CustomerOnInvoice, Delivery } from "../invoices/parties-on-invoice.ts";
import type { Recipient } from "../tax/place-of-supply.ts";

/** Who buys by an order: the particulars that its checkout sent, read once. */
export type OrderBuyer = {
  name: string;
  email: string | null;
  phone: string | null;
  companyName: string | null;
  gstin: string | null;
  gstCategory: string;
  address: string | null;
  city: string | null;
  state: string;
  stateCode: string | null;
  pincode: string;
  /** ISO 3166-1 alpha-2, as tax knows it. */
  country: string;
  /** What the shop sent in its place, where that names no country. */
  countryText: string | null;
  shippingAddress: Delivery | null;
};

/** The buyer as the invoice of an order keeps it, as JSON; `customerId` is the account that owes it. */
export function orderBuyerOnInvoice(buyer: OrderBuyer, customerId: number | SQL<number>): SQL<string> {
  const { name, email, phone, gstin, address, city, state, pincode, country } = buyer;
  const kept: Omit<CustomerOnInvoice, "id"> = {
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
  if (typeof customerId === "number") return sql`${JSON.stringify({ id: customerId, ...kept })}`;
  return sql`json_insert(${JSON.stringify(kept)}, '$.id', ${customerId})`;
}

/** The buyer as the place of supply is told from: goods go where they are delivered. */
export function suppliedBuyer(buyer: OrderBuyer): Recipient {
  const { shippingAddress: to, gstin, gstCategory } = buyer;
  const country = (to && taxCountry(to.country, to.state)) ?? buyer.country;
  return { gstin, gstCategory, country, stateCode: to?.state_code ?? buyer.stateCode };
}

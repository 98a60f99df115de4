import { sql } from "drizzle-orm";
import { halfTaxOf, percentOf } from "#shared/money/rounding.ts";
import { profile } from "#tables/company";

type Priced = { selling_price: number; tax_rate: number; price_includes_tax: number; is_taxed: number };

/** Whether the company may charge tax, as a column of a product. */
export const isTaxed = sql<number>`(SELECT coalesce(${profile.gstStatus}, 'registered') = 'registered'
  AND ${profile.taxRegistered} IS NOT 0 FROM ${profile} WHERE ${profile.id} = 1)`;

/** What one of a product costs with its tax in the company's own state, in minor units. */
export function priceWithTax(
  { selling_price: price, tax_rate: rate, price_includes_tax: isInside, is_taxed }: Priced,
  country: string,
): number {
  if (isInside === 1 || is_taxed === 0) return price;
  return price + (country === "IN" ? 2 * halfTaxOf(price, rate) : percentOf(price, rate));
}

import { percentOf } from "#shared/money/rounding.ts";

type Taxed = { tax_rate: number; price_includes_tax: number };

/** The tax that comes on top of so much of a product, in minor units; none where its price includes it. */
export function taxOnTop({ tax_rate, price_includes_tax }: Taxed, value: number): number {
  return price_includes_tax === 1 ? 0 : percentOf(value, tax_rate);
}

/** What one of a product costs with its tax, in minor units. */
export function priceWithTax(product: Taxed & { selling_price: number }): number {
  return product.selling_price + taxOnTop(product, product.selling_price);
}

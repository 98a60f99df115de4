import { roundHalfUp } from "#shared/decimal.ts";

const WHOLE = 100_000n;

/** What one of a product costs with its tax, in minor units. */
export function priceWithTax(product: {
  selling_price: number;
  tax_rate: number;
  price_includes_tax: number;
}): number {
  if (product.price_includes_tax === 1) return product.selling_price;
  const price = BigInt(product.selling_price);
  return Number(price + roundHalfUp(price * BigInt(product.tax_rate), WHOLE));
}

import { roundHalfUp } from "#shared/decimal.ts";

const WHOLE = 100_000n;

/** What a course costs with its tax, in minor units. */
export function priceWithTax(course: {
  selling_price: number;
  tax_rate: number;
  price_includes_tax: number;
}): number {
  if (course.price_includes_tax === 1) return course.selling_price;
  const price = BigInt(course.selling_price);
  return Number(price + roundHalfUp(price * BigInt(course.tax_rate), WHOLE));
}

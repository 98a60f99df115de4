import type { OrderLine } from "#features/invoices";
import { roundHalfUp } from "#shared/decimal.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { Checkout } from "./schema.ts";

/** A product of the catalogue as a line takes it: money in minor units, rates in thousandths of a percent. */
export type Priced = {
  id: number;
  name: string;
  sellingPrice: number;
  taxRate: number;
  hsnSacCode: string | null;
  unit: string;
};

export type PricedOrder = { lines: OrderLine[]; taxAmount: number; shippingAmount: number; total: number };

const MAX_MINOR = 999_999_999_999;
const LINE_DIVISOR = 100_000n; // thousandths x ten-thousandths, to hundredths
const OTHER_UNIT = "OTH";

/** What an order costs: catalogue prices for what is in the catalogue, in the company's currency. */
export function priceOrder(
  { items, currency, tax_amount, shipping_amount }: Checkout,
  catalogue: readonly Priced[],
  companyCurrency: string,
): PricedOrder {
  const known = new Map(catalogue.map((product) => [product.id, product]));
  const lines = items.map((item, index): OrderLine => {
    const field = `items[${index}]`;
    const id = item.product_id ?? null;
    const product = id === null ? undefined : known.get(id);
    if (id !== null && product === undefined)
      throw fieldProblem(`${field}.product_id`, "not_found", "names no product on sale");
    if (product !== undefined && currency !== companyCurrency) {
      const message = `must be ${companyCurrency}, the catalogue's`;
      throw fieldProblem("currency", "currency_not_supported", message, "currency_not_supported");
    }
    const unitPrice = product === undefined ? item.unit_price : product.sellingPrice * 100;
    const total = Number(roundHalfUp(BigInt(item.quantity) * BigInt(unitPrice), LINE_DIVISOR));
    if (total > MAX_MINOR) throw fieldProblem(field, "too_big", "costs more than an order may");
    return {
      productId: id,
      name: product?.name ?? item.name,
      description: item.description ?? null,
      hsnSacCode: product?.hsnSacCode ?? item.hsn_sac_code ?? null,
      quantity: item.quantity,
      unit: product?.unit ?? OTHER_UNIT,
      unitPrice,
      taxRate: product?.taxRate ?? 0,
      total,
    };
  });
  const taxAmount = tax_amount ?? 0;
  const shippingAmount = shipping_amount ?? 0;
  const total = lines.reduce((sum, line) => sum + line.total, taxAmount + shippingAmount);
  if (total === 0) throw fieldProblem("items", "too_small", "must cost something");
  if (total > MAX_MINOR) throw fieldProblem("items", "too_big", "cost more than an order may");
  return { lines, taxAmount, shippingAmount, total };
}

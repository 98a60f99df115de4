import { isServiceLine, type OrderLine, type OrderSupply, taxOnTop } from "#features/invoices";
import { type GstTreatment, treatmentOf } from "#shared/gst/treatments.ts";
import { lineAmount, MAX_MINOR } from "#shared/money/rounding.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { Checkout } from "./schema.ts";

/** A product of the catalogue as a line takes it: money in minor units, rates in thousandths of a percent. */
export type Priced = {
  id: number;
  name: string;
  sellingPrice: number;
  taxRate: number;
  priceIncludesTax: number;
  gstTreatment: GstTreatment | null;
  hsnSacCode: string | null;
  productType: string;
  unit: string;
  isPackage: number;
  /** What a package grants for each one that is bought. */
  sessions: number | null;
};

export type PricedOrder = { lines: OrderLine[]; taxAmount: number; shippingAmount: number; total: number };

const OTHER_UNIT = "OTH";

/**
 * What an order costs: catalogue prices for what is in the catalogue, in the company's currency, and their tax on top
 * where they do not include it, the shop stated none, and the supply bears it.
 */
export function priceOrder(
  { items, currency, tax_amount, shipping_amount }: Checkout,
  catalogue: readonly Priced[],
  companyCurrency: string,
  { type, underLetter, isTaxed }: OrderSupply,
): PricedOrder {
  const isStated = (tax_amount ?? 0) > 0;
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
    if (product !== undefined && !grantsWhole(product, item.quantity)) {
      const message = "must make a whole number of sessions, at least 1";
      throw fieldProblem(`${field}.quantity`, "invalid_quantity", message);
    }
    const unitPrice = product === undefined ? item.unit_price : product.sellingPrice * 100;
    const total = lineAmount(item.quantity, unitPrice);
    const addedTax =
      product === undefined || isStated || underLetter || !isTaxed ? 0 : taxOf(product, total, type);
    if (total + addedTax > MAX_MINOR) throw fieldProblem(field, "too_big", "costs more than an order may");
    return {
      productId: id,
      name: product?.name ?? item.name,
      description: item.description ?? null,
      hsnSacCode: product?.hsnSacCode ?? item.hsn_sac_code ?? null,
      quantity: item.quantity,
      unit: product?.unit ?? OTHER_UNIT,
      unitPrice,
      taxRate: product?.taxRate ?? 0,
      gstTreatment: treatmentOf(product?.taxRate ?? 0, product?.gstTreatment),
      isService: isService(item, product),
      total,
      includesTax: product?.priceIncludesTax === 1,
      addedTax,
    };
  });
  const taxAmount = tax_amount ?? 0;
  const shippingAmount = shipping_amount ?? 0;
  const total = lines.reduce((sum, line) => sum + line.total + line.addedTax, taxAmount + shippingAmount);
  if (total === 0) throw fieldProblem("items", "too_small", "must cost something");
  if (total > MAX_MINOR) throw fieldProblem("items", "too_big", "cost more than an order may");
  return { lines, taxAmount, shippingAmount, total };
}

/** Quantities are thousandths. */
function grantsWhole({ isPackage, sessions }: Priced, quantity: number): boolean {
  if (isPackage === 0 || sessions === null) return true;
  const granted = sessions * quantity;
  return granted >= 1_000 && granted % 1_000 === 0;
}

/** The tax of a price that does not include it, as of an invoice's line. */
function taxOf({ taxRate, priceIncludesTax }: Priced, total: number, type: OrderSupply["type"]): number {
  if (priceIncludesTax === 1) return 0;
  const { half, igst } = taxOnTop(total, taxRate, type);
  return 2 * half + igst;
}

/** Whether an order is of services only, which are supplied where the buyer is. */
export function sellsOnlyServices({ items }: Checkout, catalogue: readonly Priced[]): boolean {
  const known = new Map(catalogue.map((product) => [product.id, product]));
  return items.every((item) => isService(item, known.get(item.product_id ?? -1)));
}

function isService({ hsn_sac_code: code }: Checkout["items"][number], product: Priced | undefined): boolean {
  return isServiceLine(product?.hsnSacCode ?? code, product?.productType);
}

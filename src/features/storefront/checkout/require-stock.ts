import type { OrderLine } from "#features/invoices";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { Problem } from "#shared/problem.ts";

/** A product's stock in thousandths, where it is tracked. */
export type Stocked = { id: number; trackStock: number; currentStock: number };

/** Throws 422 for the first line whose product the whole order wants more of than there is. */
export function requireStock(lines: readonly OrderLine[], catalogue: readonly Stocked[]): void {
  for (const { id, trackStock, currentStock } of catalogue) {
    if (trackStock === 0) continue;
    const wanted = lines.reduce((sum, line) => (line.productId === id ? sum + line.quantity : sum), 0);
    if (currentStock > 0 && wanted <= currentStock) continue;
    const available = quantityToWire(Math.max(0, currentStock));
    const field = `items[${lines.findIndex(({ productId }) => productId === id)}].quantity`;
    const message =
      available === 0 ? "is of a product that has run out" : `must be at most ${available} in all`;
    throw new Problem("insufficient_stock", {
      status: 422,
      message: `${field} ${message}`,
      errors: [{ field, code: "insufficient_stock", message }],
      members: { product_id: id, available },
    });
  }
}

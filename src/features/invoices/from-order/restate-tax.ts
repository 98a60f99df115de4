import type { OrderAmounts, OrderLine } from "./order-line.ts";
import { allocate } from "./split-tax.ts";

type Amounts = OrderAmounts & { lines: readonly OrderLine[] };

/**
 * The same order and total with another stated tax, in minor units: the lines take up the difference, each by its share.
 * With 0 no tax counts as stated, so the prices include it. Null where the lines would fall below zero.
 */
export function restateTax<Order extends Amounts>(order: Order, taxAmount: number): Order | null {
  const freed = order.taxAmount - taxAmount;
  if (freed === 0) return order;
  const shares = allocate(Math.abs(freed), order.lines);
  const lines = order.lines.map((line, index) => ({
    ...line,
    // Beside a stated tax there is none that the service added.
    total: line.total + (taxAmount === 0 ? 0 : line.addedTax) + Math.sign(freed) * (shares[index] ?? 0),
    ...(taxAmount === 0 ? {} : { addedTax: 0 }),
  }));
  return lines.some(({ total }) => total < 0) ? null : { ...order, lines, taxAmount };
}

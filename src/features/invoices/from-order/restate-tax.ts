import type { OrderAmounts, OrderLine } from "./line.ts";
import { allocate } from "./split.ts";

type Amounts = OrderAmounts & { lines: readonly OrderLine[] };

/**
 * The same order over the same total with another stated tax, in minor units: what the tax gives up the lines gain, each
 * by its share. 0 as if none were stated, so that it lies inside. Null where the lines cannot give so much.
 */
export function restateTax<Order extends Amounts>(order: Order, taxAmount: number): Order | null {
  const freed = order.taxAmount - taxAmount;
  if (freed === 0) return order;
  const shares = allocate(Math.abs(freed), order.lines);
  const lines = order.lines.map((line, index) => ({
    ...line,
    // Beside a stated tax there is none that the service added.
    total:
      line.total + (taxAmount === 0 ? 0 : (line.addedTax ?? 0)) + Math.sign(freed) * (shares[index] ?? 0),
    ...(taxAmount === 0 ? {} : { addedTax: 0 }),
  }));
  return lines.some(({ total }) => total < 0) ? null : { ...order, lines, taxAmount };
}

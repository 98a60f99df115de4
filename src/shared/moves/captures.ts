import { withAllocation } from "./allocate.ts";
import { end, type Move } from "./move.ts";
import { type Cause, inTurn, moved, type Sale } from "./sale.ts";
import { stateOf } from "./state-of.ts";

/**
 * A gateway says that it took so much in all. What is new goes into the pool of its sale; `pay` gives the moves of what it
 * pays at once, and only the rest is allocated.
 */
export function captureReported(
  sale: Sale,
  cause: Cause,
  { id, total, currency }: { id: number; total: number; currency: string },
  pay: (seen: Sale) => Move[],
): Move[] {
  const known = stateOf(sale.moves).captures.find((capture) => capture.id === id)?.brought ?? 0;
  const ends = [end("capture", id), end("pool", sale.name)] as const;
  const came = () => moved({ ...sale, currency }, cause, ends, total - known, id);
  return withAllocation(
    sale,
    cause,
    inTurn(sale, [came, pay], (seen, act) => act(seen)),
  );
}

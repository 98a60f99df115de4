import fc from "fast-check";
import { expect, test } from "vitest";
import { net } from "#shared/moves/move.ts";
import { dueOf, unusedOf, withMoves } from "#shared/moves/sale.ts";
import { stateOf } from "#shared/moves/state-of.ts";
import { type Draws, World } from "./world.ts";

// More by hand: MOVES_RUNS=100000
const numRuns = Number(process.env.MOVES_RUNS ?? 1_600);
const draws = fc.array(fc.tuple(fc.nat(14), fc.nat(1_000), fc.nat(20_000)), { minLength: 1, maxLength: 40 });
const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

test("captures are documents, what went back or is on its way, what staff gave back by hand, the pool and fees", () => {
  everyStep(({ sale, captures }) => {
    const state = stateOf(sale.moves);
    const seen = new Set(state.captures.map(({ id }) => id));
    const came = sum(captures.filter(({ id }) => seen.has(id)).map(({ total }) => total));
    const paid = net(sale.moves, ["pool"], ["invoice"]);
    const givenBack =
      net(sale.moves, ["note", "to_allocate"], ["refund"]) - net(sale.moves, ["pool"], ["to_allocate"]);
    const back = sum(state.captures.map((one) => one.back + one.onItsWay));
    const byHand = sum(state.captures.map((one) => one.settledByHand + one.fee));
    expect(paid - givenBack + back + byHand + state.pool).toBe(came);
  });
});

test("no share of the pool, no due, no credit and nothing to allocate is below zero", () => {
  everyStep(({ sale }) => {
    const { captures, refunds } = stateOf(sale.moves);
    const all = [
      ...captures.map(({ pool }) => pool),
      ...sale.invoices.map(({ id }) => dueOf(sale, id)),
      ...sale.notes.map((note) => unusedOf(sale, note)),
      ...refunds.map(({ toAllocate }) => toAllocate),
    ];
    expect(Math.min(0, ...all)).toBe(0);
  });
});

test("no capture gives back more than it brought by what the service sends", () => {
  everyStep(({ captures, refunds, known }) => {
    for (const { id, total } of captures) {
      const own = refunds.filter(
        (one) => one.isOwn && one.captureId === id && known.get(one.id) !== "failed",
      );
      expect(sum(own.map(({ amount }) => amount))).toBeLessThanOrEqual(total);
    }
  });
});

test("once all reports have come, what went back is what the gateways' ledgers say", () => {
  fc.assert(
    fc.property(draws, (steps) => {
      const world = after(steps);
      while (world.onTheWire.length > 0) world.arrive(0);
      const { captures } = stateOf(world.sale.moves);
      const of = (id: number, state: string) =>
        sum(
          world.refunds
            .filter((one) => one.captureId === id && one.state === state)
            .map(({ amount }) => amount),
        );
      expect(captures.map(({ id, back, onItsWay }) => [id, back, onItsWay])).toEqual(
        captures.map(({ id }) => [id, of(id, "succeeded"), of(id, "pending")]),
      );
    }),
    { numRuns },
  );
});

test("what a sale comes to does not depend on the order in which reports come", () => {
  fc.assert(
    fc.property(draws, fc.array(fc.nat(100), { minLength: 40, maxLength: 40 }), (steps, order) => {
      // Of two payments of the price, the first one's payer bears the fee.
      const [one, other] = [after(steps, 0), after(steps, 0)];
      while (one.onTheWire.length > 0) one.arrive(0);
      for (const which of order) other.arrive(which);
      while (other.onTheWire.length > 0) other.arrive(0);
      expect(answerOf(other)).toEqual(answerOf(one));
    }),
    { numRuns },
  );
});

test("the order of the moves does not matter", () => {
  fc.assert(
    fc.property(draws, (steps) => {
      const { moves } = after(steps).sale;
      expect(stateOf(moves.toReversed())).toEqual(stateOf(moves));
    }),
    { numRuns },
  );
});

test("a report that is decided twice writes once", () => {
  fc.assert(
    fc.property(draws, (steps) => {
      const world = after(steps);
      while (world.onTheWire.length > 0) {
        const [report] = world.onTheWire;
        world.arrive(0);
        const again = report === undefined ? [] : (world.decided(report) ?? []);
        expect(withMoves(world.sale, again).moves).toEqual(world.sale.moves);
      }
    }),
    { numRuns },
  );
});

function after(steps: readonly Draws[], fee?: number): World {
  const world = new World(fee);
  for (const step of steps) world.step(step);
  return world;
}

function everyStep(holds: (world: World) => void): void {
  fc.assert(
    fc.property(draws, (steps) => {
      const world = new World();
      for (const step of steps) {
        world.step(step);
        holds(world);
      }
    }),
    { numRuns },
  );
}

/**
 * What a sale comes to. A report takes what was there first: of what is owed back, the pool, credit of a note, or what staff
 * marked before as given back at the gateway.
 */
function answerOf({ sale }: World) {
  const { captures, refunds, pool, back, came, isRunning } = stateOf(sale.moves);
  const byHand = sum(captures.map((one) => one.settledByHand));
  const credit = sum(sale.notes.map((note) => unusedOf(sale, note)));
  return {
    came: came + byHand,
    back,
    isRunning,
    toAllocate: sum(refunds.map(({ toAllocate }) => toAllocate)),
    owed: pool + credit + byHand,
    due: sale.invoices.map(({ id }) => dueOf(sale, id)),
    captures: captures.map(({ id, brought, back: own }) => ({ id, brought, own })),
  };
}

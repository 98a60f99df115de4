import { expect, test } from "vitest";
import { withAllocation } from "#shared/moves/allocate.ts";
import { captureReported } from "#shared/moves/captures.ts";
import { end, type Move } from "#shared/moves/move.ts";
import {
  refundableOfCredit,
  refundableOfPool,
  refundFailed,
  refundReported,
  type Share,
} from "#shared/moves/refunds.ts";
import { dueOf, freeCreditOf, moved, type Sale, withMoves } from "#shared/moves/sale.ts";
import { captureShows, orderShows } from "#shared/moves/shown.ts";
import { stateOf } from "#shared/moves/state-of.ts";
import { partsToAllocate } from "#shared/moves/to-allocate.ts";

const INVOICE = { id: "7", total: 100, isVoided: false };
const ORDER: Sale = { name: "order:1", currency: "INR", moves: [], invoices: [INVOICE], notes: [] };
const FACTS = {
  isInvoiced: true,
  isInReview: false,
  reviewCode: null,
  surplus: 0,
  credit: 0,
  hasRefundToReview: false,
};

test("the console gives back either payment: the other one pays the sale from then on, and nothing more is due", () => {
  for (const captureId of [1, 2]) {
    const sale = givenBack(paidTwice(), "r1", captureId, 100);
    const state = stateOf(sale.moves);
    expect(state).toMatchObject({ pool: 0, back: 100, came: 200 });
    expect(partsToAllocate(state)).toEqual([]);
    expect(orderShows(FACTS, state)).toMatchObject({ refund_status: "partial", needs_refund: false });
    const failed = withMoves(sale, refundFailed(sale, { by: "r1:failed", at: 9 }, "r1"));
    expect(captures(failed)).toEqual(["1 invoiced 0", "2 advance 100"]);
  }
});

test("what staff gave back by hand of a payment in dollars is no refund of one in rupees", () => {
  const sale = came(came(ORDER, 1, 100), 2, 100, "USD");
  const byHand = moved(sale, { by: "staff", at: 3 }, [end("pool", sale.name), end("settled", "s")], 100, 2);
  const settled = withMoves(sale, byHand);
  const moves = reported(settled, "r1", 1, 100, [{ captureId: 2, amount: 100 }]);
  const { pool, refunds } = stateOf([...settled.moves, ...moves]);
  expect([pool, refunds.map(({ toAllocate }) => toAllocate)]).toEqual([0, [100]]);
});

test("a credit note pays first what is due of its invoice, and bears then what a gateway gave back of it", () => {
  const half = withMoves(
    ORDER,
    moved(ORDER, { by: "p1", at: 1 }, [end("hand", "1"), end("invoice", "7")], 30),
  );
  const paid = withMoves(
    half,
    captureReported(half, { by: "c1", at: 1 }, { id: 1, total: 50, currency: "INR" }, (seen) =>
      moved(seen, { by: "c1", at: 1 }, [end("pool", "order:1"), end("invoice", "7")], 50, 1),
    ),
  );
  const sale = credited(givenBack(paid, "r1", 1, 40), 70);
  expect(dueOf(sale, "7")).toBe(0);
  expect(partsToAllocate(stateOf(sale.moves))).toEqual([]);
  expect(freeCreditOf(sale, "7")).toBe(70 - 20 - 40);
  expect(refundableOfCredit(sale, "7")).toEqual([{ captureId: 1, amount: 10 }]);
});

test("a payment that comes later bears what a gateway gave back before, and only the rest of it is due", () => {
  const sale = came(givenBack(came(ORDER, 1, 100), "r1", 1, 60), 2, 100);
  expect(stateOf(sale.moves)).toMatchObject({ pool: 40, back: 60 });
  expect(refundableOfPool(stateOf(sale.moves))).toEqual([
    { captureId: 1, amount: 0 },
    { captureId: 2, amount: 40 },
  ]);
});

/** A payment of an order: the first one of its price pays its invoice. */
function came(sale: Sale, id: number, total: number, currency = "INR"): Sale {
  const cause = { by: `c${id}`, at: id };
  const moves = captureReported(sale, cause, { id, total, currency }, (seen) =>
    currency !== seen.currency
      ? []
      : moved(
          seen,
          cause,
          [end("pool", seen.name), end("invoice", "7")],
          Math.min(total, dueOf(seen, "7")),
          id,
        ),
  );
  return withMoves(sale, moves);
}

function paidTwice(): Sale {
  return came(came(ORDER, 1, 100), 2, 100);
}

function reported(
  sale: Sale,
  id: string,
  captureId: number,
  amount: number,
  byHand: readonly Share[] = [],
): Move[] {
  return refundReported(sale, { by: id, at: 5 }, { id, captureId, amount, isBack: true, unsent: 0, byHand });
}

function givenBack(sale: Sale, id: string, captureId: number, amount: number): Sale {
  return withMoves(sale, reported(sale, id, captureId, amount));
}

function credited(sale: Sale, total: number): Sale {
  const noted = { ...sale, notes: [{ id: "3", invoice: "7", total }] };
  return withMoves(noted, withAllocation(noted, { by: "note:3", at: 6 }, []));
}

function captures(sale: Sale): string[] {
  return stateOf(sale.moves).captures.map((one) => {
    const { state, advance_amount: pool } = captureShows(one);
    return `${one.id} ${state} ${pool}`;
  });
}

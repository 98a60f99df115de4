import type { Sentences } from "./sentence.ts";

// While records of an earlier release become moves, both sides have but a part.
const ARE_CONVERTED = "NOT EXISTS (SELECT 1 FROM converted_moves WHERE through < until)";
// What was moved before it was known what asked for its capture is of another pool.
const isOfOnePool = "NOT EXISTS (SELECT 1 FROM money_moves WHERE key = 'capture:' || capture_id || ':found')";

const unmoved = (view: string) => `SELECT * FROM (
      SELECT * FROM ${view} WHERE source_id IN (SELECT id FROM these) AND ${ARE_CONVERTED} AND ${isOfOnePool}
      EXCEPT SELECT * FROM money_moves WHERE key IN (SELECT key FROM ${view} WHERE source_id IN (SELECT id FROM these)))`;
const isMoved = (of: string, ...views: string[]) => ({ of, broken: views.map(unmoved).join(" UNION ALL ") });

/** What holds of money as moves, beside the records that say what moved. */
export const MOVES: Sentences = {
  "what a gateway took has moved into the pool of its sale": isMoved("gateway_captures", "moves_of_captures"),
  "an advance has moved what it says": isMoved("advances", "moves_of_advances"),
  "a payment has moved what it says, and back what was removed": isMoved("payments", "moves_of_payments"),
  "a lesson's receipt has moved what it says, and back what ended": isMoved(
    "lesson_receipts",
    "moves_of_receipts",
  ),
  "a refund has moved what it says, of credit too, and back what failed": isMoved(
    "gateway_refunds",
    "moves_of_refunds",
    "(SELECT * FROM moves_of_credited_refunds WHERE amount > 0)",
  ),
  "credit that was applied has moved what it says, and back what was removed": isMoved(
    "credit_applications",
    "moves_of_credit_applications",
  ),
  "credit that was paid out has moved what it says, and back what was taken back": isMoved(
    "credit_payouts",
    "moves_of_credit_payouts",
  ),
  // A capture has one for each amount that it rose to; the sentence of captures compares their sum.
  "every move is of its record": `
    SELECT key FROM (
      SELECT key FROM money_moves WHERE source_type <> 'gateway_capture' AND ${ARE_CONVERTED}
      EXCEPT SELECT key FROM moves_of_records)
    UNION ALL SELECT key FROM money_moves
    WHERE source_type = 'gateway_capture' AND source_id NOT IN (SELECT id FROM gateway_captures)`,
};

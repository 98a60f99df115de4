import type { Mutant } from "./mutant.ts";

/** Of what a door's own test said beside the test of all doors, or of the page that all its states share. */
export const DOOR_MUTANTS: readonly Mutant[] = [
  {
    gone: "browser/page/money-back: at 360 px the page fits, whatever becomes of the money",
    killedBy: "test/browser/page/access.test.ts -t axe finds",
    file: "src/api/page-parts/style.ts",
    from: ".state { padding",
    to: ".state { white-space: nowrap; padding",
  },
  {
    gone: "browser/page/money-back: what the page says of each refund",
    killedBy: "test/features/bookings/page/money-back.test.ts -t for the refunds",
    file: "src/features/bookings/page/money-back.tsx",
    from: "byBank > 0 ? [words",
    to: "byBank < 0 ? [words",
  },
  {
    gone: "bookings/page/{checkout,pay}: a form that is sent twice opens one payment and leads to the same page",
    killedBy: "test/features/payments/online/presses.test.ts -t on a booking's page and by the API",
    file: "src/features/gateway-payments/intents/open-intent.ts",
    from: "const order = { gatewayOrderId, paymentUrl };",
    to: "const order = { gatewayOrderId, paymentUrl: null };",
  },
  {
    gone: "bookings/instructors/leave: with dry_run nothing is written, and the key stays free",
    killedBy: "test/api/contract/dry-runs.test.ts -t of createOverride",
    file: "src/core/write/atomic.ts",
    from: "ROLLBACK TO dry_run",
    to: "RELEASE dry_run",
  },
  {
    gone: "bookings/instructors/leave: under an Idempotency-Key again the same",
    killedBy: "test/api/contract/replies.test.ts -t createOverride",
    file: "src/core/write/replay.ts",
    from: 'done.snapshot ?? "null"',
    to: '"null"',
  },
  {
    gone: "bookings/browser: a page of an allowed origin can read 400, 404, 409 and 422",
    killedBy: "test/api/contract/publishable-keys.test.ts -t answers CORS on every refusal",
    file: "src/api/access/allowed-origin.ts",
    from: 'code === "origin_not_allowed") return;',
    to: 'code !== "origin_not_allowed") return;',
  },
  {
    gone: "invoices/filters: a voided invoice is in no list",
    killedBy: "test/features/payments/refund-and-void.test.ts -t leaves the lists",
    file: "src/features/invoices/invoices/read.ts",
    from: "<> 'voided'",
    to: "<> 'none'",
  },
  {
    gone: "invoices/record: what no invoice has as its id is 404",
    killedBy: "test/api/contract/ids.test.ts -t in a path no record",
    file: "src/api/bodies/validate.ts",
    from: 'if (target === "param" && !isOwn) throw',
    to: 'if (target !== "param" && !isOwn) throw',
  },
  {
    gone: "invoices/record: an invoice of another company is 404",
    killedBy: "test/api/contract/rights.test.ts -t finds no record of another company",
    file: "src/core/sql/read-records.ts",
    from: "record === undefined) throw",
    to: "record === null) throw",
  },
];

import type { Mutant } from "./mutant.ts";

const LIMITS = "src/features/bookings/holds/hold-limits.ts";
const SLOTS = "src/features/bookings/availability/slots.ts";
const FIND = "src/features/gateway-payments/events/find-intent.ts";
const CHECKOUT = "src/features/storefront/checkout/checkout.ts";

const tests = (file: string, words: string) => `test/features/${file}.test.ts -t ${words}`;

/** Of bookings, orders, refunds and their books. */
export const SALES_MUTANTS: readonly Mutant[] = [
  {
    gone: "bookings/bookings/holds: a customer without a token keeps at most three of one address",
    killedBy: tests("bookings/holds/own-holds", "without a token a customer holds three"),
    file: LIMITS,
    from: "const MOST_OF_ONE = 3;",
    to: "const MOST_OF_ONE = 30;",
  },
  {
    gone: "bookings/calls/puzzle: one visitor to three holds, and no other behind the address",
    killedBy: tests("bookings/holds/own-holds", "what a visitor gave up counts"),
    file: LIMITS,
    from: "visitor === null\n      ?",
    to: "visitor !== null\n      ?",
  },
  {
    gone: "bookings/bookings/holds and calls/crowd: ten of a /64, and a quarter of a day",
    killedBy: tests("bookings/holds/ipv6", "a script with 200 addresses"),
    file: LIMITS,
    from: "unsolved: { most: 10, quarters: 1 }",
    to: "unsolved: { most: 10, quarters: 2 }",
  },
  {
    gone: "bookings/calls/puzzle: where it is off an eleventh hold is refused",
    killedBy: tests("bookings/holds/one-address", "of twelve strangers"),
    file: LIMITS,
    from: "unsolved: { most: 10, quarters: 1 }",
    to: "unsolved: { most: 11, quarters: 1 }",
  },
  {
    gone: "bookings/calls/crowd: all book at once with solved puzzles",
    killedBy: tests("bookings/holds/one-address", "a solved puzzle raises"),
    file: LIMITS,
    from: "solved: { most: 50, quarters: 2 }",
    to: "solved: { most: 10, quarters: 2 }",
  },
  {
    gone: "bookings/bookings/holds: three lessons of a day shorter than twelve",
    killedBy: tests("bookings/holds/long-lessons", "three usual lessons of a day"),
    file: LIMITS,
    from: "const LESSONS_OF_DAY = 3;",
    to: "const LESSONS_OF_DAY = 2;",
  },
  {
    gone: "bookings/bookings/holds: limits of calls count a /64",
    killedBy: tests("bookings/page/limits", "an address group opens"),
    file: "src/shared/network/address-group.ts",
    from: `return \`\${groups.slice(0, NETWORK_GROUPS).join(":")}::/64\`;`,
    to: "return text;",
  },
  {
    gone: "bookings/availability/slots: the buffer",
    killedBy: tests("bookings/availability/slots", "any calendar offers"),
    file: SLOTS,
    from: "(ends[middle] ?? 0) + buffer > from",
    to: "(ends[middle] ?? 0) + buffer >= from",
  },
  {
    gone: "bookings/availability/slots: overrides",
    killedBy: tests("bookings/availability/slots", "any calendar offers"),
    file: SLOTS,
    from: "replacing.length > 0 ? replacing : week",
    to: "replacing.length > 1 ? replacing : week",
  },
  {
    gone: "bookings/availability: each date agrees with its own availability",
    killedBy: tests("bookings/calls/slots-of-dates", "slots equal"),
    file: "src/features/bookings/availability/get.ts",
    from: "available: first !== undefined,",
    to: "available: true,",
  },
  {
    gone: "bookings/create: a booking takes its slot, and the buffer beside it",
    killedBy: tests("bookings/availability/availability-vectors", "booking 10:00-11:00"),
    file: "src/features/bookings/availability/taken-time.ts",
    from: `OR \${bookings.holdExpiresAt} IS NULL OR \${bookings.holdExpiresAt} > \${now})`,
    to: `OR \${bookings.holdExpiresAt} IS NULL)`,
  },
  {
    gone: "bookings/create-refused: inside the minimum notice",
    killedBy: tests("bookings/availability/slots", "the minimum notice is met"),
    file: SLOTS,
    from: "if (startAt < earliest) {",
    to: "if (startAt <= earliest) {",
  },
  {
    gone: "bookings/packages/book-with-package: from a browser both marks are the owner's",
    killedBy: tests("doors/packages", "a package that staff gave"),
    file: "src/features/bookings/packages/own-package.ts",
    from: '"publishable" ? email && phone : email || phone',
    to: '"publishable" ? email || phone : email || phone',
  },
  {
    gone: "storefront/webhook/before-checkout-ends: the company of the gateway's notes",
    killedBy: tests("storefront/webhook/settlement", "an event of the other's order"),
    file: FIND,
    from: "reference !== null && reference.company === ctx.company.slug ? reference : null",
    to: "reference",
  },
  {
    gone: "storefront/webhook/before-checkout-ends: an order is found by what the gateway keeps",
    killedBy: tests("storefront/webhook/settlement", "is found by the notes"),
    file: FIND,
    from: "intent: byOrder[0] ?? (isOpening && fits ? named : undefined),",
    to: "intent: byOrder[0],",
  },
  {
    gone: "storefront/webhook: an attempt that failed leaves the order open, and one that follows it counts",
    killedBy: tests("storefront/orders/reconcile", "that failed first is asked about"),
    file: "src/features/gateway-payments/events/decide-effect.ts",
    from: 'if (said === "failed") return { result: "failed", intent };\n  if (said === "closed") {',
    to: 'if (said === "failed" || said === "closed") {',
  },
  {
    gone: "storefront/webhook/settlement: an effect that can never be had is quarantined",
    killedBy: tests("storefront/orders/resolve-by-invoice", "of an order whose effect was refused"),
    file: "src/features/gateway-payments/events/apply-event.ts",
    from: "if (!isHopeless(error)) throw error;",
    to: "throw error;",
  },
  {
    gone: "storefront/webhook: events that come twice, ten times at once or in two kinds have one effect",
    killedBy: tests("storefront/webhook/once", "the same event under ten ids"),
    file: "src/features/gateway-payments/events/decide-effect.ts",
    from: 'if (intent.status === "paid") {',
    to: 'if (intent.status === "mismatch") {',
  },
  {
    gone: "storefront/checkout/killed: the order and its payment are stored in one batch, with the gateway's id",
    killedBy: tests("storefront/checkout/one-commit", "where the answer of the commit is lost"),
    file: CHECKOUT,
    from: "gatewayOrderId: opened.gatewayOrderId,",
    to: "gatewayOrderId: null,",
  },
  {
    gone: "storefront/checkout/stock: metadata is given back as sent",
    killedBy: tests("storefront/checkout/order", "the metadata of an order"),
    file: CHECKOUT,
    from: "metadata: JSON.stringify(body.metadata ?? {}),",
    to: 'metadata: "{}",',
  },
  {
    gone: "storefront/checkout/stock: notes are given back as sent",
    killedBy: tests("storefront/orders/order-owner", "the key that placed an order"),
    file: CHECKOUT,
    from: "notes: body.notes ?? null,",
    to: "notes: null,",
  },
  {
    gone: "storefront/checkout/one-commit: an Idempotency-Key twice opens two payments",
    killedBy: tests("storefront/checkout/order", "the Idempotency-Key is ignored"),
    file: "src/features/storefront/checkout/routes.ts",
    from: "    idempotent: false,\n",
    to: "",
  },
  {
    gone: "storefront/invoice/conversion: books in rupees leave an order in dollars out",
    killedBy: tests("ledger/unposted", "an order paid in a foreign currency"),
    file: "src/shared/payments/posting-warnings.ts",
    from: '? "no_exchange_rate" : "other_currency"',
    to: '? "other_currency" : "no_exchange_rate"',
  },
  {
    gone: "ledger/unposted: books in dollars leave rupees out",
    killedBy: tests("ledger/other-books", "books in dollars leave an invoice and a payment"),
    file: "src/shared/payments/posting-warnings.ts",
    from: '? "no_exchange_rate" : "other_currency"',
    to: '? "other_currency" : "no_exchange_rate"',
  },
];

import type { Mutant } from "./mutant.ts";

const SIMULATOR = "test/simulator";
const WRITES = "src/core/write/atomic.ts";
const DISPATCH = "src/features/messaging/dispatch/dispatch-recipient.ts";

/** The worlds that were five, each by what it must notice. */
export const SIMULATOR_MUTANTS: readonly Mutant[] = [
  {
    gone: "test/model/money.test.ts",
    killedBy: `${SIMULATOR}/books.test.ts`,
    file: "src/features/invoices/invoices/void.ts",
    from: '        { sourceType: "payment", ids: removedWith(ctx) },\n',
    to: "",
  },
  {
    gone: "test/model/bookings.test.ts",
    killedBy: `${SIMULATOR}/lessons.test.ts`,
    file: "migrations/company/14_bookings.sql",
    from: "other.instructor_id = NEW.instructor_id AND other.id <> NEW.id",
    to: "other.instructor_id = NEW.instructor_id AND other.id = NEW.id",
  },
  {
    gone: "test/model/credit-notes.test.ts and test/features/credit-notes/model.test.ts",
    killedBy: `${SIMULATOR}/credits.test.ts`,
    file: "src/features/credit-notes/round-off.ts",
    from: "iif(round_off < 0, -1, 1)",
    to: "iif(round_off < 0, 1, 1)",
  },
  {
    gone: "test/soak/credit-kills.test.ts",
    killedBy: `${SIMULATOR}/faults.test.ts -t kills of the database server`,
    file: WRITES,
    from: "(fingerprint === null ? UNKEYED_MS : KEYED_MS)",
    to: "(fingerprint === null ? UNKEYED_MS : -1)",
  },
  {
    gone: "test/proof/faults.test.ts",
    killedBy: `${SIMULATOR}/faults.test.ts -t a reset after the commit`,
    file: WRITES,
    from: "if (code === OWN_ROW_STANDS) await",
    to: "if (code === OWN_ROW_STANDS && !refused.afterUnknown) await",
  },
  {
    gone: "test/soak/gateway-money.test.ts",
    killedBy: `${SIMULATOR}/shop.test.ts -t calls around a gateway`,
    file: "src/features/gateway-payments/events/decide-effect.ts",
    from: "    invoiced,\n    statements: [",
    to: "    invoiced: 0,\n    statements: [",
  },
  {
    gone: "test/soak/refunds.test.ts",
    killedBy: `${SIMULATOR}/shop.test.ts -t calls around refunds`,
    file: "src/features/refunds/settle.ts",
    from: 'said.status === "failed" ? takeBack(ctx, seen)',
    to: 'said.status === "pending" ? takeBack(ctx, seen)',
  },
  {
    gone: "test/model/messaging-crashes.test.ts and test/model/messaging-providers.test.ts",
    killedBy: `${SIMULATOR}/messaging/scenarios.test.ts`,
    file: DISPATCH,
    from: "    await ctx.enqueue([outcomeTask(lease, id)]);\n",
    to: "",
  },
  {
    gone: "test/model/messaging.test.ts",
    killedBy: `${SIMULATOR}/messaging/messaging.test.ts`,
    file: "src/features/messaging/dispatch/lease.ts",
    from: " = 'dispatching'`,\n",
    to: " = 'asked'`,\n",
  },
  {
    gone: "test/model/messaging-breaker.test.ts",
    killedBy: `${SIMULATOR}/messaging/breaker.test.ts`,
    file: DISPATCH,
    from: 'if (reason.code === "provider_auth" && provider !== null) return',
    to: 'if (reason.code === "provider_rejected" && provider !== null) return',
  },
  {
    gone: "test/proof/receiver-rate.test.ts",
    killedBy: `${SIMULATOR}/receiver.test.ts -t on its own backoff`,
    file: "src/features/events/deliveries/judge.ts",
    from: "const WINDOW = 20;\nconst IN_A_ROW = 5;",
    to: "const WINDOW = 1;\nconst IN_A_ROW = 1;",
  },
  {
    gone: "test/model/paper.test.ts",
    killedBy: `${SIMULATOR}/paper.test.ts`,
    file: "src/features/invoices/tax/gst.ts",
    from: "igst: amount - withoutTax(amount, rate) }",
    to: "igst: percentOf(withoutTax(amount, rate), rate) }",
  },
  {
    gone: "test/model/trees.test.ts",
    killedBy: `${SIMULATOR}/trees.test.ts`,
    file: "src/features/projects/tree.ts",
    from: "|| '/' || above.path",
    to: "|| '/'",
  },
  {
    gone: "test/model/burndown.test.ts",
    killedBy: `${SIMULATOR}/burndown.test.ts`,
    file: "src/features/projects/sprints/burndown.ts",
    from: "sprints.startedAt}, ",
    to: "sprints.completedAt}, ",
  },
];

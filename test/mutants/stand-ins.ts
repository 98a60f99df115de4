import type { Mutant } from "./mutant.ts";

const GATEWAYS = "src/sandbox/gateways";
const gatewayTest = (kind: string) => `test/sandbox/gateways/${kind}.test.ts`;
const PAGE = "test/sandbox/gateways/pay-page.test.ts";
const REFUNDS = "test/sandbox/gateways/refunds.test.ts, test/sandbox/gateways/refund-contract.test.ts";
const FORMS = "test/sandbox/gateways/refund-forms.test.ts, test/sandbox/gateways/refund-refusals.test.ts";
const CRAFTED = "test/soak/backup/crafted-backups.test.ts";

/** Tests of what stands in for another party, each held by the contract of its kind. */
export const STAND_IN_MUTANTS: readonly Mutant[] = [
  {
    gone: "takes one paisa less, and two payments, in test/sandbox/gateways/{razorpay,stripe,paypal}.test.ts",
    killedBy: gatewayTest("stripe"),
    file: `${GATEWAYS}/stripe.ts`,
    from: 'const amount = outcome === "wrong_amount" ? wrongAmount(order) : order.amount;',
    to: "const { amount } = order;",
  },
  {
    gone: "captures one cent less, and a second payment, in test/sandbox/gateways/paypal.test.ts",
    killedBy: gatewayTest("paypal"),
    file: `${GATEWAYS}/paypal-events.ts`,
    from: 'const amount = order.outcome === "wrong_amount" ? wrongAmount(order) : order.amount;',
    to: "const { amount } = order;",
  },
  {
    gone: REFUNDS,
    killedBy: gatewayTest("paypal"),
    file: `${GATEWAYS}/paypal-refunds.ts`,
    from: 'return amount > left ? "REFUND_AMOUNT_EXCEEDED" : undefined;',
    to: "return undefined;",
  },
  {
    gone: REFUNDS,
    killedBy: gatewayTest("stripe"),
    file: `${GATEWAYS}/stripe-refunds.ts`,
    from: "keys.keep(merchant, key, { request, ...done });",
    to: "",
  },
  {
    gone: `${REFUNDS}; refunds through stripe and paypal of test/soak/backup/refunds-again.test.ts`,
    killedBy: gatewayTest("paypal"),
    file: `${GATEWAYS}/refund-keys.ts`,
    from: "paypal: 45 * DAY_MS,",
    to: "paypal: 44 * DAY_MS,",
  },
  {
    gone: "refunds through stripe of test/soak/backup/refunds-again.test.ts",
    killedBy: gatewayTest("stripe"),
    file: "src/providers/payment/stripe.ts",
    from: '"Idempotency-Key": key,',
    to: '"Idempotency-Key": key + Date.now(),',
  },
  {
    gone: REFUNDS,
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/refund-course.ts`,
    from: 'desk.refunds.save();\n  report(desk, order, refund, "ended");',
    to: "desk.refunds.save();",
  },
  {
    gone: REFUNDS,
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/refund-desk.ts`,
    from: "const left = leftOf(desk, order, payment, source) - refunds.sumOf(payment.id);",
    to: "const left = leftOf(desk, order, payment, source);",
  },
  {
    gone: FORMS,
    killedBy: PAGE,
    file: `${GATEWAYS}/refund-course.ts`,
    from: "delete chosen[payment];",
    to: "",
  },
  {
    gone: FORMS,
    killedBy: PAGE,
    file: `${GATEWAYS}/refund-desk.ts`,
    from: "if (amount <= 0 || amount > left)",
    to: "if (amount <= 0)",
  },
  {
    gone: `${FORMS}; keeps their keys in files, in test/sandbox/gateways/webhooks.test.ts`,
    killedBy: "test/sandbox/restart.test.ts",
    file: `${GATEWAYS}/refund-keys.ts`,
    from: "writeKept(this.#file, [...this.#known]);",
    to: "",
  },
  {
    gone: "verify finds a damaged file, in test/soak/backup/backup.test.ts",
    killedBy: CRAFTED,
    file: "src/cli/backup/file/read-file.ts",
    from: 'if (bytes !== sql.bytes || hash.digest("hex") !== sql.sha256)',
    to: "if (bytes !== sql.bytes)",
  },
  {
    gone: "without its object a write goes on, and it is logged, in test/soak/companies/clock.test.ts",
    killedBy: "test/api/schedule-clock.test.ts",
    file: "src/core/clock.ts",
    from: 'logFault("company_clock", error, company);',
    to: "",
  },
  {
    gone: "a clock that is off is reported, in test/soak/companies/doctor-lines.test.ts",
    killedBy: "test/soak/companies/doctor-lines.test.ts",
    file: "src/cli/doctor/instance.ts",
    from: "if (Math.abs(skew) < MOST_SKEW_MS + took) continue;",
    to: "if (skew < MOST_SKEW_MS + took) continue;",
  },
];

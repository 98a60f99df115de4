import type { Mutant } from "./mutant.ts";

const READS = "test/features/query-plans/operations.test.ts";
const WORK = "test/features/query-plans/work.test.ts";
const GATEWAYS = "src/sandbox/gateways";
const MIGRATIONS = "migrations/company";
const FORMER = "test/features/query-plans/{lists,filters,single-reads,diary,bookings}.test.ts";
const FORMER_WORK = "test/features/query-plans/{bookings,deliveries,due,notifications,erasures}.test.ts";

const gatewayTest = (kind: string) => `test/sandbox/gateways/${kind}.test.ts`;

/** Of the plans of queries, and of what each gateway's own test said beside the contract of all. */
export const PLAN_MUTANTS: readonly Mutant[] = [
  {
    gone: FORMER,
    killedBy: READS,
    file: `${MIGRATIONS}/14_bookings.sql`,
    from: "CREATE INDEX bookings_review ON bookings (created_at, id) WHERE needs_review = 1;",
    to: "",
  },
  {
    gone: FORMER,
    killedBy: READS,
    file: `${MIGRATIONS}/16_projects.sql`,
    from: "CREATE INDEX work_items_sprint ON work_items (project_id, sprint_id, id) WHERE sprint_id IS NOT NULL;",
    to: "",
  },
  {
    gone: FORMER,
    killedBy: READS,
    file: `${MIGRATIONS}/13_instructors.sql`,
    from: "locations_by_name ON locations (name, id)",
    to: "locations_by_name ON locations (id)",
  },
  {
    gone: FORMER_WORK,
    killedBy: WORK,
    file: `${MIGRATIONS}/14_bookings.sql`,
    from: "bookings_slots ON bookings (instructor_id, start_at, end_at)",
    to: "bookings_slots ON bookings (instructor_id, end_at)",
  },
  {
    gone: FORMER_WORK,
    killedBy: WORK,
    file: `${MIGRATIONS}/20_events.sql`,
    from: "events_record ON events (resource, record_id, sequence)",
    to: "events_record ON events (resource, sequence)",
  },
  {
    gone: FORMER_WORK,
    killedBy: WORK,
    file: `${MIGRATIONS}/22_notifications.sql`,
    from: "CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;",
    to: "",
  },
  {
    gone: "sends order.paid and payment.captured, signed, in test/sandbox/gateways/razorpay.test.ts",
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/razorpay.ts`,
    from: 'createHmac("sha256", webhook_secret).update(body)',
    to: 'createHmac("sha256", webhook_secret).update(body.trim() + " ")',
  },
  {
    gone: "makes an order and echoes what it was asked for, in test/sandbox/gateways/razorpay.test.ts",
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/razorpay.ts`,
    from: "orders.add(openOrder(c.var.merchant, { id: entity.id, amount,",
    to: "orders.add(openOrder(c.var.merchant, { id: entity.id, amount: amount + 1,",
  },
  {
    gone: "knows only its accounts, and shows each only its own orders, in test/sandbox/gateways/razorpay.test.ts",
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/orders.ts`,
    from: "return order?.account === account ? order : undefined;",
    to: "return order;",
  },
  {
    gone: "lets a failed payment be tried again, in test/sandbox/gateways/razorpay.test.ts",
    killedBy: gatewayTest("razorpay"),
    file: `${GATEWAYS}/razorpay.ts`,
    from: 'status: "failed",',
    to: 'status: "captured",',
  },
  {
    gone: "the session of a stranger, of honours an Idempotency-Key, in test/sandbox/gateways/stripe.test.ts",
    killedBy: gatewayTest("stripe"),
    file: `${GATEWAYS}/orders.ts`,
    from: "order.account === account && order.request?.key === key",
    to: "order.request?.key === key",
  },
  {
    gone: "makes an order, once per PayPal-Request-Id, in test/sandbox/gateways/paypal.test.ts",
    killedBy: gatewayTest("paypal"),
    file: `${GATEWAYS}/paypal.ts`,
    from: "if (earlier !== undefined) return c.json(summary(earlier), 200);",
    to: "",
  },
  {
    gone: "verifies a webhook only where its body is spliced in byte for byte, in test/sandbox/gateways/paypal.test.ts",
    killedBy: gatewayTest("paypal"),
    file: `${GATEWAYS}/paypal-signature.ts`,
    from: "const signed = signedText(data.transmission_id, data.transmission_time, webhookId, event);",
    to: "const signed = signedText(data.transmission_id, data.transmission_time, webhookId, JSON.stringify(JSON.parse(event)));",
  },
  {
    gone: "gives up after its last pause; the answer is lost, in test/sandbox/gateways/webhooks.test.ts",
    killedBy: "test/sandbox/gateways/webhooks.test.ts -t sends a webhook again",
    file: `${GATEWAYS}/webhooks.ts`,
    from: 'faults.strikes(order.account, "lost_answer")',
    to: "false",
  },
];

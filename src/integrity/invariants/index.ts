import { BOOKS } from "./books.ts";
import { CREDIT_NOTES } from "./credit-notes.ts";
import { DOCUMENTS } from "./documents.ts";
import { EVENTS } from "./events.ts";
import { LESSONS } from "./lessons.ts";
import { MOVES } from "./moves.ts";
import { unnumbered } from "./numbers.ts";
import { ofEach, type Sentences } from "./sentence.ts";
import { STOCK } from "./stock.ts";
import { TRACES } from "./traces.ts";

const ofCapture = ofEach("gateway_captures");
const ofPayout = ofEach("settlements");
const ofRefund = ofEach("gateway_refunds");

// A look each day, until 30 days are over.
const LONGEST_MS = 32 * 86_400_000;

const backOf = (kind: "order" | "booking", table: string) => `(
      SELECT coalesce(sum(gateway_refunds.amount), 0) FROM payment_intents intent
      JOIN gateway_captures capture ON capture.intent_id = intent.id JOIN gateway_refunds ON capture_id = capture.id
      WHERE intent.kind = '${kind}' AND intent.ref_id = CAST(${table}.id AS TEXT) AND gateway_refunds.status = 'succeeded')`;

/** What holds of orders and of what came through gateways. */
const PAYMENTS: Sentences = {
  "a paid order has its invoice, payment and intent over one and the same total": `
    SELECT sales_orders.id FROM sales_orders
    LEFT JOIN invoices ON invoices.id = sales_orders.invoice_id AND sales_order_id = sales_orders.id
    LEFT JOIN payments ON payments.invoice_id = invoices.id AND payments.source = 'storefront'
    LEFT JOIN payment_intents ON kind = 'order' AND ref_id = CAST(sales_orders.id AS TEXT)
      AND payment_intents.status = 'paid' AND payment_intents.gateway_payment_id = payments.gateway_payment_id
    WHERE sales_orders.status = 'invoiced' AND (
      invoices.total_amount = sales_orders.total_amount AND payments.amount = sales_orders.total_amount
      AND payment_intents.amount = sales_orders.total_amount) IS NOT 1`,
  "a paid intent has its order, invoiced, to be looked at, given back or settled outside": `
    SELECT id FROM payment_intents WHERE kind = 'order' AND status = 'paid' AND NOT EXISTS (
      SELECT 1 FROM sales_orders WHERE CAST(id AS TEXT) = ref_id
        AND (status = 'invoiced' OR review_code IS NOT NULL OR outside_reference IS NOT NULL OR refund_status = 'refunded'
          OR needs_refund = 1))`,
  "a paid intent of an invoice has its invoice, of its currency": `
    SELECT payment_intents.id FROM payment_intents LEFT JOIN invoices ON invoices.id = CAST(ref_id AS INTEGER)
    WHERE kind = 'invoice' AND payment_intents.status = 'paid' AND invoices.currency IS NOT payment_intents.currency`,
  "an order that waits with money says why, and has a capture of it, or an event that names another's": `
    SELECT sales_orders.id FROM sales_orders WHERE payment_status = 'review' AND (review_code IS NULL OR NOT EXISTS (
      SELECT 1 FROM payment_intents intent WHERE kind = 'order' AND ref_id = CAST(sales_orders.id AS TEXT) AND (
        EXISTS (SELECT 1 FROM gateway_captures WHERE intent_id = intent.id)
        OR EXISTS (SELECT 1 FROM gateway_events event JOIN gateway_captures capture USING (gateway, gateway_payment_id)
          WHERE event.intent_id = intent.id AND event.outcome = 'quarantined' AND capture.intent_id IS NOT intent.id))))`,
  "a paid intent has a capture of its amount, and every event of money its capture": `
    SELECT 'intent ' || payment_intents.id FROM payment_intents
    LEFT JOIN gateway_captures USING (gateway, gateway_payment_id)
    WHERE status = 'paid' AND coalesce(gateway_captures.amount < payment_intents.amount, 1)
    UNION ALL
    SELECT 'event ' || event_id FROM gateway_events LEFT JOIN gateway_captures USING (gateway, gateway_payment_id)
    WHERE gateway_events.outcome IN ('paid', 'already_paid', 'duplicate_payment', 'mismatch')
      AND gateway_captures.id IS NULL`,
  "a capture is invoiced as its live payment says, and settled as its advances say": ofCapture(`
    SELECT capture.id FROM these capture
    WHERE invoiced_amount <> (SELECT coalesce(sum(amount), 0) FROM payments
        WHERE gateway = capture.gateway AND gateway_payment_id = capture.gateway_payment_id AND deleted_at IS NULL)
        + (SELECT coalesce(sum(amount), 0) FROM lesson_receipts
        WHERE gateway = capture.gateway AND gateway_payment_id = capture.gateway_payment_id AND ended_by IS NULL)
      OR settled_amount <> (SELECT coalesce(sum(iif(kind = 'reopened', -amount, amount)), 0) FROM advances
        WHERE capture_id = capture.id AND kind IN ('fee', 'settled', 'reopened'))`),
  "a capture is refunded as its refunds say, and those that the service sent are within it": ofCapture(`
    SELECT capture.id FROM these capture LEFT JOIN gateway_refunds refund ON refund.capture_id = capture.id
      AND refund.status <> 'failed'
    GROUP BY capture.id HAVING withdrawn_amount <> coalesce(sum(refund.advance_amount + refund.covered_amount), 0)
      OR refunded_amount <> coalesce(sum(refund.amount) FILTER (WHERE refund.status = 'succeeded'), 0)
      OR coalesce(sum(refund.amount) FILTER (WHERE refund.source = 'api'), 0) > capture.amount`),
  "a capture is of the customer of what it was asked for, or of what it paid": ofCapture(`
    SELECT id FROM (
      SELECT capture.id, capture.customer_id = coalesce(orders.customer_id, bookings.customer_id, invoices.customer_id) AS is_asked,
        (SELECT max(customer_id = capture.customer_id) FROM payments
          WHERE gateway = capture.gateway AND gateway_payment_id = capture.gateway_payment_id) AS has_paid
      FROM these capture LEFT JOIN payment_intents intent ON intent.id = capture.intent_id
      LEFT JOIN sales_orders orders ON kind = 'order' AND orders.id = CAST(ref_id AS INTEGER)
      LEFT JOIN bookings ON kind = 'booking' AND bookings.id = ref_id
      LEFT JOIN invoices ON kind = 'invoice' AND invoices.id = CAST(ref_id AS INTEGER)
    ) WHERE coalesce(max(is_asked, has_paid), is_asked, has_paid) = 0`),
  "an order and a booking say how much of what came for them went back through gateways": `
    SELECT 'order ' || id FROM sales_orders WHERE refunded_amount <> ${backOf("order", "sales_orders")}
    UNION ALL SELECT 'booking ' || id FROM bookings WHERE refunded_amount <> ${backOf("booking", "bookings")}`,
  "no money waits of a capture that its gateway gave back with a credit note": ofCapture(`
    SELECT capture.id FROM these capture JOIN gateway_refunds refund ON refund.capture_id = capture.id
      AND refund.status <> 'failed' AND refund.credit_note_id IS NOT NULL
    WHERE capture.advance_amount > 0
    GROUP BY capture.id HAVING sum(refund.amount - refund.advance_amount - refund.covered_amount) > invoiced_amount + max(0, lent_amount)`),
  "what captures lend, their siblings of the same currency borrow, and no capture borrows more than is invoiced of it":
    ofCapture(`
    SELECT capture.id FROM these capture WHERE invoiced_amount + lent_amount < 0 OR 0 <> (
      SELECT sum(lent_amount) FROM capture_siblings WHERE of_capture_id = capture.id AND currency = capture.currency)`),
  "no money waits beside what a gateway gave back of its order, booking or invoice by itself": ofCapture(`
    SELECT capture.id FROM these capture
    JOIN uncovered_refunds refund ON refund.capture_id = capture.id
    LEFT JOIN accounts ON party_type = 'customer' AND party_id = refund.customer_id AND accounts.deleted_at IS NULL
    WHERE amount > settled_amount + withdrawn_amount AND (refund.customer_id IS NULL OR accounts.id IS NOT NULL) AND EXISTS (
      SELECT 1 FROM capture_siblings WHERE of_capture_id = capture.id AND currency = capture.currency AND advance_amount > 0)`),
  "a refund is of its capture's gateway and currency, and its outcome is known within 30 days": ofRefund(`
    SELECT refund.id FROM these refund LEFT JOIN gateway_captures capture ON capture.id = capture_id
    WHERE (refund.gateway = capture.gateway AND refund.currency = capture.currency) IS NOT 1
      OR (refund.status = 'created' AND refund.next_look_at > refund.created_at + ${LONGEST_MS})
      OR refund.covered_amount <> (SELECT coalesce(sum(amount), 0) FROM advances WHERE refund_id = refund.id)`),
  "a payout is of its gateway's captures, less its refunds, and comes to no more than they do": ofPayout(`
    SELECT payout.id FROM these payout WHERE
      EXISTS (SELECT 1 FROM gateway_captures WHERE settlement_id = payout.id AND (gateway <> payout.gateway OR reversed_at IS NOT NULL))
      OR EXISTS (SELECT 1 FROM settled_refunds JOIN gateway_refunds ON gateway_refunds.id = refund_id
        WHERE settlement_id = payout.id AND (gateway <> payout.gateway OR reversed_at IS NOT NULL))
      OR net_amount + fee_amount + fee_tax_amount + (
        SELECT coalesce(sum(amount), 0) FROM settled_refunds JOIN gateway_refunds ON gateway_refunds.id = refund_id
        WHERE settlement_id = payout.id)
      > (SELECT sum(amount) FROM gateway_captures WHERE settlement_id = payout.id)`),
  "all that a gateway took went into Customer Advances, was a fee, or paid an invoice at once": ofCapture(`
    SELECT capture.id FROM these capture WHERE amount <>
      (SELECT coalesce(sum(amount), 0) FROM advances WHERE capture_id = capture.id AND kind IN ('received', 'fee'))
      + (SELECT coalesce(sum(amount), 0) FROM payments WHERE gateway = capture.gateway
        AND gateway_payment_id = capture.gateway_payment_id AND deleted_at IS NULL AND is_advance = 0)
      + (SELECT coalesce(sum(amount), 0) FROM lesson_receipts WHERE gateway = capture.gateway
        AND gateway_payment_id = capture.gateway_payment_id AND ended_by IS NULL AND is_advance = 0)`),
  "an invoice of the storefront has its order": `
    SELECT id FROM invoices WHERE source = 'storefront' AND NOT EXISTS (
      SELECT 1 FROM sales_orders WHERE invoice_id = invoices.id)`,
  "order numbers run from 1 in every financial year, without gap but for the orders erased, and their counter is at the last":
    unnumbered({
      series: "order",
      table: "sales_orders",
      number: "order_number",
      erased: "order_erased",
    }),
};

/** What holds of all the other records. */
const RECORDS: Sentences = {
  "no two bookings of an instructor overlap, save where a hold may have run out": `
    SELECT one.id, other.id FROM bookings one JOIN bookings other ON other.instructor_id = one.instructor_id
      AND other.id <> one.id AND other.start_at BETWEEN one.start_at AND one.end_at - 1
      AND (other.start_at > one.start_at OR other.id > one.id)
    WHERE one.status NOT IN ('cancelled', 'expired') AND other.status NOT IN ('cancelled', 'expired')
      AND one.hold_expires_at IS NULL AND other.hold_expires_at IS NULL`,
  "booking numbers run from 1 without gap, and their counter is at the last": unnumbered({
    series: "booking",
    table: "bookings",
    number: "booking_number",
    period: "''",
  }),
  "an application's job is there": "SELECT id FROM applications WHERE job_id NOT IN (SELECT id FROM jobs)",
  "a lead has a submission at least, and none that is not counted": `
    SELECT leads.id FROM leads WHERE NOT (SELECT count(*) FROM lead_submissions WHERE lead_id = leads.id)
      BETWEEN 1 AND submission_count`,
  "every operation that is remembered has its answer":
    "SELECT scope FROM operations WHERE (snapshot IS NULL) = (refused IS NULL)",
  "a project's open items are those neither completed nor removed": `
    SELECT id FROM projects WHERE open_items <> (
      SELECT count(*) FROM work_items WHERE project_id = projects.id AND state_category NOT IN ('completed', 'removed'))`,
  "work items are numbered from 1, and their references say so": `
    SELECT project_id FROM work_items JOIN projects ON projects.id = project_id
    GROUP BY project_id HAVING count(*) <> max(number) OR max(number) <> max(last_number)
      OR sum(reference <> code || '-' || number) > 0`,
  "the history of an item is a chain from what it was to what it is": `
    SELECT id FROM (
      SELECT history.id, from_state, lag(to_state) OVER item AS before, to_state, lead(to_state) OVER item AS after,
        state, changed_at, duration_seconds,
        coalesce(lag(changed_at) OVER item, created_at) AS since, state_changed_at
      FROM status_history history JOIN work_items ON work_items.id = work_item_id
      WINDOW item AS (PARTITION BY work_item_id ORDER BY history.id)
    ) WHERE before <> from_state OR (after IS NULL AND (to_state <> state OR changed_at <> state_changed_at))
      OR duration_seconds <> changed_at / 1000 - since / 1000`,
  "a tree has no cycle and at most 14 levels": ["areas", "iterations", "work_items"]
    .map(
      (tree) => `SELECT '${tree}/' || id FROM ${tree} WHERE id NOT IN (
        WITH RECURSIVE reached (project_id, id, level) AS (
          SELECT project_id, id, 1 FROM ${tree} WHERE parent_id IS NULL
          UNION ALL SELECT node.project_id, node.id, level + 1 FROM reached CROSS JOIN ${tree} node
            ON node.project_id = reached.project_id AND node.parent_id = reached.id AND level < 14
        ) SELECT id FROM reached)`,
    )
    .join(" UNION ALL "),
  "all that an item refers to is of its project": `
    SELECT item.id FROM work_items item
    LEFT JOIN work_items parent ON parent.id = item.parent_id
    LEFT JOIN iterations ON iterations.id = item.iteration_id
    LEFT JOIN areas ON areas.id = item.area_id
    LEFT JOIN sprints ON sprints.id = item.sprint_id
    WHERE item.project_id <> coalesce(parent.project_id, item.project_id)
      OR item.project_id <> coalesce(iterations.project_id, item.project_id)
      OR item.project_id <> coalesce(areas.project_id, item.project_id)
      OR item.project_id <> coalesce(sprints.project_id, item.project_id)`,
  "a sprint's totals are the sum of its log, and until it is completed those of its items": `
    SELECT id FROM sprints WHERE (items, completed_items, points, completed_points) <> (
        SELECT coalesce(sum(items), 0), coalesce(sum(completed_items), 0),
          coalesce(sum(points), 0), coalesce(sum(completed_points), 0)
        FROM sprint_scope_log WHERE sprint_id = sprints.id)
      OR (status <> 'completed' AND (items, completed_items, points, completed_points) <> (
        SELECT count(*), coalesce(sum(state_category = 'completed'), 0), coalesce(sum(story_points), 0),
          coalesce(sum((state_category = 'completed') * story_points), 0)
        FROM work_items WHERE sprint_id = sprints.id AND state_category <> 'removed'))`,
  "the audit log is whole": `
    SELECT (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'audit_log') AS given,
      (SELECT count(*) + coalesce((SELECT last_id FROM audit_cut), 0) FROM audit_log) AS kept
    WHERE kept <> given OR (SELECT count(*) FROM operations WHERE refused IS NULL) > kept`,
  "nothing stays in the table of refusals": "SELECT code FROM refusal",
};

/** The invariants by what they speak of, each group small enough to be looked at in one read of a small company. */
export const INVARIANT_GROUPS = {
  books: BOOKS,
  documents: { ...DOCUMENTS, ...CREDIT_NOTES },
  stock: STOCK,
  payments: PAYMENTS,
  moves: MOVES,
  lessons: LESSONS,
  traces: TRACES,
  records: RECORDS,
  events: EVENTS,
} as const satisfies Record<string, Sentences>;

/** What holds of a company's database at every commit, by the sentence: a sound company breaks none. */
export const INVARIANTS: Sentences = Object.assign({}, ...Object.values(INVARIANT_GROUPS));

/** The tables whose rows sentences speak of one by one. */
export const STEPPED = [
  ...new Set(Object.values(INVARIANTS).flatMap((each) => (typeof each === "string" ? [] : [each.of]))),
];

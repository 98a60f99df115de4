/** What holds of a company's database at every commit, each with a SELECT of the rows that break it: a sound company has none. */
export const INVARIANTS: Readonly<Record<string, string>> = {
  "the books balance in total": `
    SELECT sum(debit), sum(credit) FROM journal_lines GROUP BY NULL HAVING sum(debit) <> sum(credit)`,
  "every entry balances, and has two lines at least": `
    SELECT entry.id FROM journal_entries entry LEFT JOIN journal_lines line ON line.entry_id = entry.id
    GROUP BY entry.id HAVING count(line.position) < 2 OR sum(debit) <> sum(credit)`,
  "no entry is left a draft": "SELECT id FROM journal_entries WHERE status = 'draft'",
  "a voided entry has its reversal, and only it": `
    SELECT entry.id FROM journal_entries entry LEFT JOIN journal_entries reversal ON reversal.reversal_of = entry.id
    WHERE (entry.status = 'voided') <> (reversal.id IS NOT NULL)`,
  "a customer owes in the books what its live invoices that were posted say is due": `
    SELECT customers.id FROM customers WHERE
      (SELECT coalesce(sum(line.debit - line.credit), 0) FROM accounts
        JOIN journal_lines line ON line.account_id = accounts.id
        WHERE accounts.party_type = 'customer' AND accounts.party_id = customers.id)
      <> (SELECT coalesce(sum(amount_due), 0) FROM invoices
        WHERE customer_id = customers.id AND status <> 'voided' AND EXISTS (
          SELECT 1 FROM journal_entries WHERE source_type = 'invoice' AND source_id = invoices.id))`,
  "a live customer has one debtor account, another none": `
    SELECT customers.id FROM customers WHERE
      (SELECT count(*) FROM accounts WHERE party_type = 'customer' AND party_id = customers.id AND deleted_at IS NULL)
      <> (is_customer = 1 AND deleted_at IS NULL)`,
  "paid, withheld and due make up an invoice's total": `
    SELECT id FROM invoices WHERE status <> 'voided' AND amount_paid + tds_amount + amount_due <> total_amount`,
  "an invoice's totals are those of its lines": `
    SELECT invoices.id FROM invoices JOIN invoice_items item ON item.invoice_id = invoices.id GROUP BY invoices.id
    HAVING taxable_total <> sum(item.taxable_value) OR discount_total <> sum(item.discount_amount)`,
  "an invoice has lines": "SELECT id FROM invoices WHERE id NOT IN (SELECT invoice_id FROM invoice_items)",
  "invoice numbers run from 1 without gap in every financial year": contiguous("invoices", "invoice_number"),
  "entry numbers run from 1 without gap in every financial year": contiguous(
    "journal_entries",
    "entry_number",
  ),
  "payment numbers run from 1 without gap in every financial year": contiguous("payments", "payment_number"),
  "what was paid on an invoice is the sum of its live payments": `
    SELECT id FROM invoices WHERE status <> 'voided' AND (
      amount_paid <> (SELECT coalesce(sum(amount), 0) FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL)
      OR tds_amount <> (SELECT coalesce(sum(tds_amount), 0) FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL))`,
  "a voided invoice has no live payment and no posted entry": `
    SELECT id FROM invoices WHERE status = 'voided' AND (
      EXISTS (SELECT 1 FROM payments WHERE invoice_id = invoices.id AND deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM journal_entries WHERE source_type = 'invoice' AND source_id = invoices.id
        AND reversal_of IS NULL AND status = 'posted'))`,
  "a live invoice belongs to a live customer": `
    SELECT invoices.id FROM invoices JOIN customers ON customers.id = customer_id
    WHERE invoices.status <> 'voided' AND (customers.deleted_at IS NOT NULL OR customers.is_customer = 0)`,
  "a product's stock is the sum of its movements, and never negative unasked": `
    SELECT id FROM products WHERE current_stock <> (
      SELECT coalesce(sum(quantity), 0) FROM stock_movements WHERE product_id = products.id)
      OR (current_stock < 0 AND NOT EXISTS (SELECT 1 FROM stock_movements
        WHERE product_id = products.id AND (type = 'order_sale' OR allow_negative = 1)))`,
  "a batch holds the sum of its movements": `
    SELECT id FROM batches WHERE quantity <> (
      SELECT coalesce(sum(quantity), 0) FROM stock_movements WHERE batch_id = batches.id)`,
  "every movement's balance is the one before and its quantity": `
    SELECT id FROM (
      SELECT id, balance_after, sum(quantity) OVER (PARTITION BY product_id ORDER BY id) AS running FROM stock_movements
    ) WHERE balance_after <> running`,
  "no counter is ahead of the numbers given": `
    SELECT number_series.series, number_series.period FROM number_series
    WHERE last <> CASE series
      WHEN 'journal' THEN (SELECT count(*) FROM journal_entries WHERE entry_number LIKE '%/' || period || '/%')
      WHEN 'booking' THEN (SELECT count(*) FROM bookings)
      WHEN 'payment' THEN (SELECT count(*) FROM payments WHERE payment_number LIKE '%/' || period || '/%')
      WHEN 'invoice' THEN (SELECT count(*) FROM invoices WHERE invoice_number LIKE '%/' || period || '/%')
      ELSE last END`,
  "a paid order has its invoice, payment and intent over one and the same total": `
    SELECT sales_orders.id FROM sales_orders
    LEFT JOIN invoices ON invoices.id = sales_orders.invoice_id AND sales_order_id = sales_orders.id
    LEFT JOIN payments ON payments.invoice_id = invoices.id AND payments.source = 'storefront'
    LEFT JOIN payment_intents ON kind = 'order' AND ref_id = CAST(sales_orders.id AS TEXT)
      AND payment_intents.status = 'paid'
    WHERE sales_orders.status = 'invoiced' AND (
      invoices.total_amount = sales_orders.total_amount AND payments.amount = sales_orders.total_amount
      AND payment_intents.amount = sales_orders.total_amount
      AND payments.gateway_payment_id = payment_intents.gateway_payment_id) IS NOT 1`,
  "a paid intent has its order, invoiced or in review for its tax, and an invoice of the storefront its payment": `
    SELECT id FROM payment_intents WHERE kind = 'order' AND status = 'paid' AND NOT EXISTS (
      SELECT 1 FROM sales_orders WHERE CAST(id AS TEXT) = ref_id
        AND (status = 'invoiced' OR (payment_status = 'review' AND review_code = 'tax_amount_implausible')))
    UNION ALL
    SELECT id FROM invoices WHERE source = 'storefront' AND NOT EXISTS (
      SELECT 1 FROM sales_orders WHERE invoice_id = invoices.id)`,
  "no two bookings of an instructor overlap, save where a hold may have run out": `
    SELECT one.id, other.id FROM bookings one JOIN bookings other ON other.instructor_id = one.instructor_id
      AND other.id > one.id AND other.start_at < one.end_at AND other.end_at > one.start_at
    WHERE one.status NOT IN ('cancelled', 'expired') AND other.status NOT IN ('cancelled', 'expired')
      AND one.hold_expires_at IS NULL AND other.hold_expires_at IS NULL`,
  "a package has used as many sessions as it has bookings that stand": `
    SELECT id FROM booking_packages WHERE sessions_used <> (
      SELECT count(*) FROM bookings WHERE booking_package_id = booking_packages.id
        AND status NOT IN ('cancelled', 'expired'))`,
  "only a booking that is confirmed or over is paid, and one whose money is due back is cancelled": `
    SELECT id FROM bookings WHERE (payment_status = 'paid' AND status NOT IN ('confirmed', 'completed', 'no_show')
      AND total_amount > 0) OR (payment_status = 'refund_due' AND status <> 'cancelled')`,
  "booking numbers run from 1 without gap": contiguous("bookings", "booking_number"),
  "an application's job is there": "SELECT id FROM applications WHERE job_id NOT IN (SELECT id FROM jobs)",
  "a lead has a submission at least, and none that is not counted": `
    SELECT leads.id FROM leads WHERE NOT (SELECT count(*) FROM lead_submissions WHERE lead_id = leads.id)
      BETWEEN 1 AND submission_count`,
  "every operation that is remembered has its answer":
    "SELECT scope FROM operations WHERE (snapshot IS NULL) = (refused IS NULL)",
  "every write left a row in the audit log": `
    SELECT (SELECT count(*) FROM operations WHERE refused IS NULL) AS remembered, (SELECT count(*) FROM audit_log) AS audited
    WHERE remembered > audited`,
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
      (tree) => `SELECT '${tree}', id FROM ${tree} WHERE id NOT IN (
        WITH RECURSIVE reached (id, level) AS (
          SELECT id, 1 FROM ${tree} WHERE parent_id IS NULL
          UNION ALL SELECT node.id, level + 1 FROM reached JOIN ${tree} node
            ON node.parent_id = reached.id AND level < 14
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
  "nothing stays in the table of refusals": "SELECT code FROM refusal",
};

function contiguous(table: string, column: string): string {
  const period = `rtrim(${column}, '0123456789')`;
  const number = `CAST(substr(${column}, length(${period}) + 1) AS INTEGER)`;
  return `SELECT ${period} FROM ${table} GROUP BY ${period} HAVING count(*) <> max(${number})`;
}

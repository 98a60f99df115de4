import { ofEach, type Sentences } from "./sentence.ts";

const ofInvoice = ofEach("invoices");

/** What holds of products' stock and its movements. */
export const STOCK: Sentences = {
  "a product's stock is the sum of its movements": `
    SELECT id FROM products WHERE current_stock <> (
      SELECT coalesce(sum(quantity), 0) FROM stock_movements WHERE product_id = products.id)`,
  "what took stock below zero was allowed to": `
    SELECT id FROM products WHERE current_stock < 0 AND NOT EXISTS (
      SELECT 1 FROM stock_movements WHERE (type = 'order_sale' OR allow_negative = 1) AND id = (
        SELECT min(id) FROM stock_movements WHERE product_id = products.id AND id > (
          SELECT coalesce(max(id), 0) FROM stock_movements WHERE product_id = products.id AND balance_after >= 0)))`,
  "a batch holds the sum of its movements": `
    SELECT id FROM batches WHERE quantity <> (
      SELECT coalesce(sum(quantity), 0) FROM stock_movements WHERE batch_id = batches.id)`,
  "every movement's balance is the one before and its quantity": `
    SELECT id FROM (
      SELECT id, balance_after, sum(quantity) OVER (PARTITION BY product_id ORDER BY id) AS running FROM stock_movements
    ) WHERE balance_after <> running`,
  // A line in another unit than the product's takes a converted quantity.
  "an invoice took from stock what its lines of tracked products say": ofInvoice(`
    SELECT invoice_id FROM (
      SELECT item.invoice_id, sum(item.quantity) AS sold,
        sum(upper(item.unit) <> upper(units.code)) = 0 AND products.updated_at < invoices.created_at AS is_alike,
        (SELECT coalesce(-sum(quantity), 0) FROM stock_movements
          WHERE reference_type = 'invoice' AND reference_id = item.invoice_id AND product_id = item.product_id
            AND type IN ('sale', 'order_sale')) AS taken
      FROM these invoices
      JOIN invoice_items item ON item.invoice_id = invoices.id
      JOIN products ON products.id = item.product_id AND products.track_stock = 1
      JOIN units ON units.id = products.unit_id
      GROUP BY item.invoice_id, item.product_id
    ) WHERE iif(is_alike, taken <> sold, taken <= 0)`),
  "credit notes return no more than their invoice took": `
    SELECT note.invoice_id FROM stock_movements back JOIN credit_notes note ON note.id = back.reference_id
    WHERE back.reference_type = 'credit_note' GROUP BY note.invoice_id, back.product_id
    HAVING sum(back.quantity) > (
      SELECT coalesce(-sum(quantity), 0) FROM stock_movements
      WHERE reference_type = 'invoice' AND reference_id = note.invoice_id AND product_id = back.product_id)`,
  "of a voided credit note nothing is back in stock": `
    SELECT reference_id FROM stock_movements LEFT JOIN credit_notes ON credit_notes.id = reference_id
    WHERE reference_type = 'credit_note' GROUP BY reference_id, product_id, batch_id
    HAVING credit_notes.id IS NULL OR (credit_notes.status = 'voided' AND sum(quantity) <> 0)`,
  "what a voided invoice took came back, and of a live one nothing": `
    SELECT reference_id FROM stock_movements
    LEFT JOIN invoices ON invoices.id = reference_id
    WHERE reference_type = 'invoice' GROUP BY reference_id, product_id, batch_id
    HAVING iif(invoices.status = 'voided', sum(quantity) <> 0, sum(type = 'void_restore') > 0 OR invoices.id IS NULL)`,
};

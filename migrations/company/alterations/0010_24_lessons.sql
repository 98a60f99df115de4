-- Before: 61ca9932c6afe460427cc3ad6091cfc2068bbcbdc05c63ce1b83dc8001808cda
DROP TRIGGER ended_sale_earns_nothing;

CREATE TRIGGER voided_invoice_takes_back_its_earnings AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'voided' AND OLD.status <> 'voided' BEGIN
  UPDATE lesson_earnings SET removed_by = NEW.voided_by
  WHERE removed_by IS NULL AND sale_id IN (SELECT id FROM lesson_sales WHERE invoice_id = NEW.id);
END;

CREATE TRIGGER ended_receipt_takes_back_its_earnings AFTER UPDATE OF ended_by ON lesson_receipts
WHEN NEW.ended_by IS NOT NULL AND OLD.ended_by IS NULL BEGIN
  UPDATE lesson_earnings SET removed_by = NEW.ended_by
  WHERE removed_by IS NULL AND sale_id IN (SELECT id FROM lesson_sales WHERE receipt_id = NEW.id);
END;

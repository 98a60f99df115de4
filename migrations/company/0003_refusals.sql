-- Each area raises its own refusals, by a trigger BEFORE the insert; what none of them knows is a fault of ours.
DROP TRIGGER refusal_aborts;

CREATE TRIGGER refusal_aborts BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'not_found' THEN RAISE(ABORT, 'not_found')
    WHEN 'invoice_voided' THEN RAISE(ABORT, 'invoice_voided')
    WHEN 'stock_not_tracked' THEN RAISE(ABORT, 'stock_not_tracked')
    WHEN 'in_use' THEN RAISE(ABORT, 'in_use')
    WHEN 'account_gone' THEN RAISE(ABORT, 'account_gone')
    WHEN 'unit_gone' THEN RAISE(ABORT, 'unit_gone')
    WHEN 'category_gone' THEN RAISE(ABORT, 'category_gone')
  END;
END;

CREATE TRIGGER refusal_unknown AFTER INSERT ON refusal BEGIN
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

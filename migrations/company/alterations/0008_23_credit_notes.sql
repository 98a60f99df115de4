-- Before: dd6a8f029347ac144d94c8ec2692a5ff0341311c721de18d235ec38da5dbf3b8
DROP TRIGGER refusal_credit_notes;

CREATE TRIGGER refusal_credit_notes BEFORE INSERT ON refusal
WHEN NEW.code IN ('credit_note_voided', 'credit_exceeds_invoice') BEGIN
  SELECT CASE NEW.code
    WHEN 'credit_note_voided' THEN RAISE(ABORT, 'credit_note_voided')
    WHEN 'credit_exceeds_invoice' THEN RAISE(ABORT, 'credit_exceeds_invoice')
  END;
END;

-- The first part of the numbers of commercial notes. Notes of before this series have numbers of the others.
INSERT INTO number_prefixes (prefix, series) VALUES ('CCRN', 'commercial_credit_note');

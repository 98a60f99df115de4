-- What orders and invoices owe their accountant: units that turn into each other, and orders that somebody must look at.
-- Factors are thousandths of the base unit.

ALTER TABLE units ADD COLUMN base_code TEXT;
ALTER TABLE units ADD COLUMN factor_thousandths INTEGER CONSTRAINT unit_conversion CHECK (
  (base_code IS NULL) = (factor_thousandths IS NULL)
  AND (base_code IS NULL OR (base_code <> code AND factor_thousandths > 0))
);

UPDATE units SET base_code = known.base, factor_thousandths = known.factor
FROM (
  SELECT column1 AS code, column2 AS base, column3 AS factor FROM (VALUES
    ('GMS', 'KGS', 1), ('QTL', 'KGS', 100000), ('MTS', 'KGS', 1000000), ('TON', 'KGS', 1000000),
    ('MLT', 'LTR', 1), ('KLR', 'LTR', 1000000), ('CMS', 'MTR', 10), ('KME', 'MTR', 1000000),
    ('DOZ', 'NOS', 12000), ('THD', 'NOS', 1000000), ('PCS', 'NOS', 1000), ('UNT', 'NOS', 1000))
) known
WHERE units.code = known.code AND EXISTS (SELECT 1 FROM units base WHERE base.code = known.base);

CREATE INDEX units_base ON units (base_code) WHERE base_code IS NOT NULL;

-- A base is a unit that has none itself.
CREATE TRIGGER unit_has_a_base_insert BEFORE INSERT ON units
WHEN NEW.base_code IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM units WHERE code = NEW.base_code AND base_code IS NULL) BEGIN
  SELECT RAISE(ABORT, 'unit_base');
END;

CREATE TRIGGER unit_has_a_base_update BEFORE UPDATE OF base_code ON units
WHEN NEW.base_code IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM units WHERE code = NEW.base_code AND base_code IS NULL)
  OR EXISTS (SELECT 1 FROM units WHERE base_code = OLD.code)
) BEGIN
  SELECT RAISE(ABORT, 'unit_base');
END;

CREATE TRIGGER units_follow_their_base AFTER UPDATE OF code ON units WHEN NEW.code <> OLD.code BEGIN
  UPDATE units SET base_code = NEW.code WHERE base_code = OLD.code;
END;

CREATE TRIGGER unit_in_use_as_base_stays BEFORE DELETE ON units
WHEN EXISTS (SELECT 1 FROM units WHERE base_code = OLD.code) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

-- The letter of undertaking under which supplies abroad and to special economic zones go without tax.
ALTER TABLE profile ADD COLUMN lut_number TEXT;
ALTER TABLE profile ADD COLUMN lut_valid_until TEXT;

ALTER TABLE sales_orders ADD COLUMN review_code TEXT CONSTRAINT order_review_code CHECK (review_code IN (
  'amount_mismatch', 'tax_amount_implausible', 'customer_gone', 'effect_refused', 'oversold', 'refunded_at_gateway',
  'overcaptured'
));
ALTER TABLE sales_orders ADD COLUMN oversold INTEGER NOT NULL DEFAULT 0
  CONSTRAINT order_oversold CHECK (oversold IN (0, 1));
ALTER TABLE sales_orders ADD COLUMN overcaptured_amount INTEGER NOT NULL DEFAULT 0
  CONSTRAINT order_overcaptured CHECK (overcaptured_amount >= 0);

UPDATE sales_orders SET review_code = CASE WHEN EXISTS (
    SELECT 1 FROM payment_intents
    WHERE kind = 'order' AND ref_id = CAST(sales_orders.id AS TEXT) AND status = 'mismatch'
  ) THEN 'amount_mismatch' ELSE 'effect_refused' END
WHERE payment_status = 'review';

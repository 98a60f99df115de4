-- A product's stock is counted in its unit: once some of it was moved, another unit would change what there is.
CREATE TRIGGER product_unit_is_fixed BEFORE UPDATE OF unit_id ON products
WHEN NEW.unit_id <> OLD.unit_id AND EXISTS (SELECT 1 FROM stock_movements WHERE product_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

-- Before: 15ed00b192007707e24fc2252a0bdc848a8427b138ebfe9c1ad7c6b48c5de014
DROP TRIGGER stock_follows_its_movements;

CREATE TRIGGER stock_follows_its_movements AFTER INSERT ON stock_movements BEGIN
  UPDATE products SET current_stock = current_stock + NEW.quantity WHERE id = NEW.product_id;
  UPDATE stock_movements SET balance_after = (SELECT current_stock FROM products WHERE id = NEW.product_id)
  WHERE id = NEW.id;
END;

CREATE TRIGGER batch_follows_its_movements AFTER INSERT ON stock_movements WHEN NEW.batch_id IS NOT NULL BEGIN
  UPDATE batches SET quantity = quantity + NEW.quantity WHERE id = NEW.batch_id;
END;

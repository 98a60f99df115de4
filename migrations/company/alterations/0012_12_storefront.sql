-- Before: 3af1686bdde7230c74ae85de3a002175fca7eaa08d22ef3ba7d42cab762c9e5d
DROP TRIGGER erased_order_is_counted;

CREATE TRIGGER erased_order_is_counted AFTER DELETE ON sales_orders BEGIN
  INSERT INTO number_series (series, period, last)
  VALUES ('order_erased', substr(rtrim(OLD.order_number, '0123456789'), -6, 5), 1)
  ON CONFLICT (series, period) DO UPDATE SET last = last + 1;
END;

CREATE TRIGGER sales_orders_search_delete AFTER DELETE ON sales_orders BEGIN
  DELETE FROM sales_orders_search WHERE rowid = OLD.id;
END;

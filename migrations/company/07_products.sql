-- Products with their units and categories, and their stock, which is the sum of its movements.

CREATE TABLE units (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- The unit that this one converts into, and how many thousandths of it one is.
  base_code TEXT,
  factor_thousandths INTEGER CONSTRAINT unit_conversion CHECK (
    (base_code IS NULL) = (factor_thousandths IS NULL)
    AND (base_code IS NULL OR (base_code <> code AND factor_thousandths > 0))
  )
) STRICT;

CREATE INDEX units_base ON units (base_code) WHERE base_code IS NOT NULL;

-- Unit quantity codes (UQC) of the GST returns; a base comes before the units that name it, so this is before the triggers.
INSERT INTO units (code, name, base_code, factor_thousandths) VALUES
  ('NOS', 'Numbers', NULL, NULL), ('PCS', 'Pieces', 'NOS', 1000), ('UNT', 'Units', 'NOS', 1000), ('SET', 'Sets', NULL, NULL),
  ('PRS', 'Pairs', NULL, NULL), ('DOZ', 'Dozens', 'NOS', 12000), ('BOX', 'Boxes', NULL, NULL), ('PAC', 'Packs', NULL, NULL),
  ('CTN', 'Cartons', NULL, NULL), ('BAG', 'Bags', NULL, NULL), ('BTL', 'Bottles', NULL, NULL), ('CAN', 'Cans', NULL, NULL),
  ('ROL', 'Rolls', NULL, NULL), ('BDL', 'Bundles', NULL, NULL), ('GMS', 'Grammes', 'KGS', 1), ('KGS', 'Kilograms', NULL, NULL),
  ('QTL', 'Quintals', 'KGS', 100000), ('MTS', 'Metric tons', 'KGS', 1000000), ('TON', 'Tonnes', 'KGS', 1000000),
  ('MLT', 'Millilitres', 'LTR', 1), ('LTR', 'Litres', NULL, NULL), ('KLR', 'Kilolitres', 'LTR', 1000000),
  ('CMS', 'Centimetres', 'MTR', 10), ('MTR', 'Metres', NULL, NULL), ('KME', 'Kilometres', 'MTR', 1000000),
  ('SQF', 'Square feet', NULL, NULL), ('SQM', 'Square metres', NULL, NULL), ('SQY', 'Square yards', NULL, NULL),
  ('CBM', 'Cubic metres', NULL, NULL), ('YDS', 'Yards', NULL, NULL), ('TBS', 'Tablets', NULL, NULL), ('TUB', 'Tubes', NULL, NULL),
  ('THD', 'Thousands', 'NOS', 1000000), ('HRS', 'Hours', NULL, NULL), ('OTH', 'Others', NULL, NULL);

-- A base is a unit without a base.
CREATE TRIGGER unit_has_a_base_insert BEFORE INSERT ON units
WHEN NEW.base_code IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM units WHERE code = NEW.base_code AND base_code IS NULL) BEGIN
  SELECT RAISE(ABORT, 'unit_base');
END;

-- A unit that is a base gets none.
CREATE TRIGGER unit_has_a_base_update BEFORE UPDATE OF base_code ON units
WHEN NEW.base_code IS NOT NULL AND (
  NOT EXISTS (SELECT 1 FROM units WHERE code = NEW.base_code AND base_code IS NULL)
  OR EXISTS (SELECT 1 FROM units WHERE base_code = OLD.code)
) BEGIN
  SELECT RAISE(ABORT, 'unit_base');
END;

-- Units name their base by its new code.
CREATE TRIGGER units_follow_their_base AFTER UPDATE OF code ON units WHEN NEW.code <> OLD.code BEGIN
  UPDATE units SET base_code = NEW.code WHERE base_code = OLD.code;
END;

-- A unit that is a base is not deleted.
CREATE TRIGGER unit_in_use_as_base_stays BEFORE DELETE ON units
WHEN EXISTS (SELECT 1 FROM units WHERE base_code = OLD.code) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sku TEXT,
  description TEXT,
  product_type TEXT NOT NULL,
  category_id INTEGER REFERENCES categories (id),
  unit_id INTEGER NOT NULL REFERENCES units (id),
  selling_price INTEGER NOT NULL,
  purchase_price INTEGER,
  mrp INTEGER,
  tax_rate INTEGER NOT NULL,
  -- Null: taxable with a rate, else nil-rated.
  gst_treatment TEXT CONSTRAINT product_gst_treatment CHECK (
    gst_treatment IN ('taxable', 'nil_rated', 'exempt', 'non_gst')
  ),
  price_includes_tax INTEGER NOT NULL,
  hsn_sac_code TEXT,
  status TEXT NOT NULL,
  is_storefront_visible INTEGER NOT NULL,
  track_stock INTEGER NOT NULL,
  is_batch_tracked INTEGER NOT NULL,
  opening_stock INTEGER NOT NULL DEFAULT 0,
  low_stock_threshold INTEGER,
  current_stock INTEGER NOT NULL DEFAULT 0,
  duration_minutes INTEGER,
  transmission TEXT,
  is_package INTEGER NOT NULL DEFAULT 0,
  sessions INTEGER,
  metadata TEXT NOT NULL DEFAULT '{}',
  -- What a package product grants: sessions of which lesson, and for how many days (null: no end).
  lesson_product_id INTEGER REFERENCES products (id),
  package_days INTEGER
    CONSTRAINT product_package_days CHECK (package_days IS NULL OR package_days > 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Whether a person has set the product's rate; an invoice must not use the 0 of an unset rate.
  has_tax_rate INTEGER NOT NULL DEFAULT 0
    CONSTRAINT product_has_tax_rate CHECK (has_tax_rate IN (0, 1)),
  CONSTRAINT rate_not_zero CHECK (tax_rate = 0 OR gst_treatment IS NULL OR gst_treatment = 'taxable'),
  CONSTRAINT product_type CHECK (product_type IN ('goods', 'service')),
  CONSTRAINT product_status CHECK (status IN ('active', 'inactive')),
  CONSTRAINT product_transmission CHECK (transmission IS NULL OR transmission IN ('auto', 'manual')),
  CONSTRAINT product_metadata CHECK (json_valid(metadata)),
  CONSTRAINT product_flags CHECK (
    price_includes_tax IN (0, 1) AND is_storefront_visible IN (0, 1) AND track_stock IN (0, 1)
    AND is_batch_tracked IN (0, 1) AND is_package IN (0, 1)
  )
) STRICT;

CREATE UNIQUE INDEX products_sku ON products (sku) WHERE sku IS NOT NULL;
CREATE INDEX products_category ON products (category_id, id);
CREATE INDEX products_unit ON products (unit_id);
CREATE INDEX products_catalogue ON products (id) WHERE status = 'active' AND is_storefront_visible = 1;
CREATE INDEX products_catalogue_category ON products (category_id, id) WHERE status = 'active' AND is_storefront_visible = 1;
CREATE INDEX products_courses ON products (name, id)
  WHERE status = 'active' AND transmission IS NOT NULL AND (duration_minutes IS NOT NULL OR is_package = 0);
CREATE INDEX products_lesson ON products (lesson_product_id) WHERE lesson_product_id IS NOT NULL;

-- A company that is not registered for a tax sells no product with one (CGST Act s.32).
CREATE TRIGGER only_the_registered_tax_products_insert BEFORE INSERT ON products
WHEN NEW.tax_rate > 0
  AND (SELECT gst_status IN ('unregistered', 'composition') OR tax_registered = 0 FROM profile) BEGIN
  SELECT RAISE(ABORT, 'gst_not_registered');
END;

-- The same of a change of its rate.
CREATE TRIGGER only_the_registered_tax_products_update BEFORE UPDATE OF tax_rate ON products
WHEN NEW.tax_rate > 0
  AND (SELECT gst_status IN ('unregistered', 'composition') OR tax_registered = 0 FROM profile) BEGIN
  SELECT RAISE(ABORT, 'gst_not_registered');
END;

-- The search finds a new product.
CREATE TRIGGER products_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO products_search (rowid, name, sku) VALUES (NEW.id, NEW.name, NEW.sku);
END;

-- The search finds a changed product by its new values.
CREATE TRIGGER products_search_update AFTER UPDATE OF name, sku ON products BEGIN
  DELETE FROM products_search WHERE rowid = OLD.id;
  INSERT INTO products_search (rowid, name, sku) VALUES (NEW.id, NEW.name, NEW.sku);
END;

-- Whether stock is tracked is decided when a product is made; what it holds is the sum of its movements.
CREATE TRIGGER product_tracking_is_fixed BEFORE UPDATE OF track_stock, is_batch_tracked, opening_stock ON products
WHEN NEW.track_stock <> OLD.track_stock OR NEW.is_batch_tracked <> OLD.is_batch_tracked
  OR NEW.opening_stock <> OLD.opening_stock BEGIN
  SELECT RAISE(ABORT, 'tracking_is_fixed');
END;

-- A package on sale names its lesson and the number of sessions.
CREATE TRIGGER package_on_sale_names_its_lesson_insert BEFORE INSERT ON products
WHEN NEW.is_package = 1 AND NEW.is_storefront_visible = 1
  AND (NEW.lesson_product_id IS NULL OR coalesce(NEW.sessions, 0) < 1) BEGIN
  SELECT RAISE(ABORT, 'package_without_lesson');
END;

-- The same holds for a change of these columns; a rename or a new price does not need it.
CREATE TRIGGER package_on_sale_names_its_lesson_update
BEFORE UPDATE OF is_package, is_storefront_visible, lesson_product_id, sessions ON products
WHEN NEW.is_package = 1 AND NEW.is_storefront_visible = 1
  AND (NEW.lesson_product_id IS NULL OR coalesce(NEW.sessions, 0) < 1) BEGIN
  SELECT RAISE(ABORT, 'package_without_lesson');
END;

-- Stock is counted in the product's unit: after a movement another unit would change the stock.
CREATE TRIGGER product_unit_is_fixed BEFORE UPDATE OF unit_id ON products
WHEN NEW.unit_id <> OLD.unit_id AND EXISTS (SELECT 1 FROM stock_movements WHERE product_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

CREATE VIRTUAL TABLE products_search USING fts5 (name, sku, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TABLE batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products (id),
  batch_number TEXT NOT NULL,
  quantity INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (product_id, batch_number)
) STRICT;

CREATE TABLE stock_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  batch_id INTEGER REFERENCES batches (id),
  type TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  unit_cost INTEGER,
  balance_after INTEGER,
  allow_negative INTEGER NOT NULL DEFAULT 0,
  reference_type TEXT,
  reference_id INTEGER,
  reason TEXT,
  notes TEXT,
  created_at INTEGER NOT NULL,
  CONSTRAINT movement_type CHECK (
    type IN ('opening', 'sale', 'void_restore', 'adjust_increase', 'adjust_decrease', 'order_sale')
  ),
  CONSTRAINT movement_moves CHECK (quantity <> 0)
) STRICT;

CREATE INDEX stock_movements_operation ON stock_movements (operation, product_id, id);
CREATE INDEX stock_movements_product ON stock_movements (product_id, id);
CREATE INDEX stock_movements_reference ON stock_movements (reference_type, reference_id);

-- A sale or a decrease leaves no stock below zero, unless the company allows it.
CREATE TRIGGER stock_does_not_fall_below_zero BEFORE INSERT ON stock_movements
WHEN NEW.quantity < 0 AND NEW.type IN ('sale', 'adjust_decrease') AND NEW.allow_negative = 0
  AND (SELECT current_stock FROM products WHERE id = NEW.product_id) + NEW.quantity < 0 BEGIN
  SELECT RAISE(ABORT, 'insufficient_stock');
END;

-- Each movement changes the stock of its product.
CREATE TRIGGER stock_follows_its_movements AFTER INSERT ON stock_movements BEGIN
  UPDATE products SET current_stock = current_stock + NEW.quantity WHERE id = NEW.product_id;
  UPDATE stock_movements SET balance_after = (SELECT current_stock FROM products WHERE id = NEW.product_id)
  WHERE id = NEW.id;
END;

-- A movement of a batch changes the stock of the batch too.
CREATE TRIGGER batch_follows_its_movements AFTER INSERT ON stock_movements WHEN NEW.batch_id IS NOT NULL BEGIN
  UPDATE batches SET quantity = quantity + NEW.quantity WHERE id = NEW.batch_id;
END;

-- A movement never changes once it has its balance.
CREATE TRIGGER stock_movements_are_append_only_update BEFORE UPDATE ON stock_movements
WHEN OLD.balance_after IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No movement is deleted.
CREATE TRIGGER stock_movements_are_append_only_delete BEFORE DELETE ON stock_movements BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Before: 092d6785e5c6df3db9056d79e3e68434415158d509f3e2011bf46389a938573d
CREATE INDEX customers_created ON customers (created_at) WHERE is_customer = 1 AND deleted_at IS NULL;

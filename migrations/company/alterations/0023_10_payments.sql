-- Before: 1de39c5ef07d9ed44cb2013f962fb2d6c5e484935271cae687ea8f50ba09df84
CREATE INDEX payments_date ON payments (payment_date, created_at) WHERE deleted_at IS NULL;
CREATE INDEX payments_mode ON payments (payment_mode_id, id) WHERE deleted_at IS NULL;

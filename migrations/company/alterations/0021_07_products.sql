-- Before: 4104a42f75a52593f049136e96ef5e8d6f4fcefc81c5f9327147fa5f43e23a0a
CREATE INDEX products_created ON products (created_at);

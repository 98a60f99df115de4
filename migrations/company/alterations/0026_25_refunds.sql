-- Before: 249da04f6448693840f945d390a1fa13869afc5c053336599212efa6fdc12a75
CREATE INDEX gateway_refunds_created ON gateway_refunds (created_at);

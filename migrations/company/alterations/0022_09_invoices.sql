-- Before: b582d3dba7e7c89d914d6a9bc7ada2b3bdfea0c976fef188be14c94d2126205c
CREATE INDEX invoices_date ON invoices (invoice_date, created_at) WHERE status <> 'voided';
CREATE INDEX invoices_due ON invoices (due_date, created_at) WHERE status <> 'voided';

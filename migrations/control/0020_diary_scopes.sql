-- The rights of a front desk: to read the diary, and to write it. Keys that held every scope before hold both too, no
-- others do.
UPDATE api_keys SET scopes = json_insert(scopes, '$[#]', 'diary:read', '$[#]', 'diary:write')
WHERE NOT EXISTS (
  SELECT 1 FROM json_each('["invoices:read", "invoices:write", "customers:read", "customers:write", "products:read",
    "products:write", "payments:read", "payments:write", "messages:sms:send", "messages:chatapp:send",
    "messages:email:send", "messages:read", "messages:write", "job_openings.read", "applications.write",
    "capture_leads", "view_lead_sources", "storefront", "orders:read", "orders:write", "projects.read",
    "projects.write", "bookings.read", "bookings.write", "settings:read", "settings:write", "events:read", "keys:read",
    "keys:write", "ledger:read"]') known
  WHERE known.value NOT IN (SELECT value FROM json_each(api_keys.scopes))
);

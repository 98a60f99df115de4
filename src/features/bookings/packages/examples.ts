export const newPackageExample = {
  customer_id: "1",
  product_id: 1,
  name: "Five lessons",
  sessions_total: 5,
};
export const packageExample = {
  ...newPackageExample,
  id: 3,
  customer_confirmed: true,
  sessions_used: 0,
  sessions_remaining: 5,
  expires_at: "2027-06-30T14:00:00.000Z",
  status: "active" as const,
  order_id: null,
  booking_id: null,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-25T02:00:00.000Z",
};

export const newPaymentExample = {
  invoice_id: "7",
  amount: 300,
  payment_date: "2026-11-21",
  payment_mode_id: 2,
  tds_amount: 54,
  tds_section: "194C",
  reference_number: "NEFT 88123",
};

export const paymentExample = {
  id: "5",
  payment_number: "RCPT/26-27/00005",
  invoice_id: "7",
  invoice_number: "INV/26-27/00007",
  customer_id: "1",
  amount: 300,
  tds_amount: 54,
  tds_section: "194C",
  total_settled: 354,
  currency: "INR",
  payment_date: "2026-11-21",
  payment_mode_id: 2,
  payment_mode: { id: "2", name: "Bank Transfer", mode_type: "bank" },
  reference_number: "NEFT 88123",
  notes: null,
  gateway: null,
  gateway_payment_id: null,
  journal_entry_id: "10",
  source: "api",
  created_at: "2026-11-21T10:00:00.000Z",
};

export const recordedPaymentExample = {
  ...paymentExample,
  invoice: { id: "7", payment_status: "paid", amount_paid: 300, tds_amount: 54, amount_due: 0 },
};

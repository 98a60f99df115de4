import { invoiceExample } from "#features/invoices";

export const newCreditNoteExample = {
  items: [{ invoice_item_id: "1", quantity: 1 }],
  reason: "sales_return" as const,
  restock: false,
};

const { customer, seller, place_of_supply, supply_type, tax_heads, state_tax_label, currency } =
  invoiceExample;

export const creditNoteExample = {
  id: "3",
  credit_note_number: "CN/26-27/00003",
  status: "issued" as const,
  invoice_id: "1",
  invoice_number: "INV/26-27/00001",
  invoice_date: "2026-11-21",
  customer_id: "1",
  customer,
  seller,
  note_date: "2026-11-28",
  financial_year: "2026-27",
  reason: "sales_return" as const,
  reason_text: null,
  with_tax: true,
  place_of_supply,
  supply_type,
  tax_heads,
  state_tax_label,
  currency,
  exchange_rate: null,
  items: [
    {
      invoice_item_id: "1",
      item_name: "Steel bottle, 1 litre",
      hsn_sac_code: "732393",
      unit: "NOS",
      quantity: 1,
      taxable_value: 99.99,
      tax_rate: 18,
      cgst_amount: 9,
      sgst_amount: 9,
      igst_amount: 0,
      tax_amount: 18,
      total: 117.99,
    },
  ],
  tax_breakup: [
    {
      hsn_sac_code: "732393",
      tax_rate: 18,
      unit: "NOS",
      quantity: 1,
      taxable_value: 99.99,
      cgst_amount: 9,
      sgst_amount: 9,
      igst_amount: 0,
    },
  ],
  taxable_total: 99.99,
  cgst_total: 9,
  sgst_total: 9,
  igst_total: 0,
  tax_total: 18,
  round_off: 0.01,
  total_amount: 118,
  applied_amount: 118,
  paid_out_amount: 0,
  refunded_amount: 0,
  unapplied_amount: 0,
  journal_entry_id: "15",
  hosted_url: "https://api.example.com/c/demo-traders/Zk3vQm0v4tq1w0pCk2b8hT7sS5dX9rUeJ6aLzNfGoBi",
  metadata: {},
  voided_at: null,
  created_at: "2026-11-28T09:31:00.000Z",
  updated_at: "2026-11-28T09:31:00.000Z",
};

export const newPayoutExample = {
  amount: 118,
  payout_date: "2026-11-21",
  payment_mode_id: 2,
  reference_number: "NEFT 88124",
};

export const payoutExample = {
  id: "1",
  credit_note_id: "3",
  ...newPayoutExample,
  journal_entry_id: "16",
};

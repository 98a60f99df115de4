export const accountExample = {
  id: "2",
  code: "1020",
  name: "Bank",
  type: "asset" as const,
  parent_id: null,
  customer_id: null,
  is_active: true,
  debit: 300,
  credit: 0,
  balance: 300,
};

export const entryExample = {
  id: "10",
  entry_number: "JV/26-27/00010",
  entry_date: "2026-11-21",
  voucher_type: "receipt",
  source_type: "payment",
  source_id: "5",
  status: "posted" as const,
  reversal_of: null,
  narration: "Payment on INV/26-27/00007",
  lines: [
    { account_id: "2", account_code: "1020", account_name: "Bank", debit: 300, credit: 0 },
    { account_id: "7", account_code: "1200", account_name: "TDS Receivable", debit: 54, credit: 0 },
    {
      account_id: "61",
      account_code: "1100-42",
      account_name: "Sundry Debtors / Meera Traders",
      debit: 0,
      credit: 354,
    },
  ],
  created_at: "2026-11-21T10:00:00.000Z",
};

export const unpostedExample = {
  source_type: "invoice" as const,
  source_id: "12",
  number: "INV/26-27/00012",
  date: "2026-11-21",
  amount: 354,
  currency: "INR",
  reason: "account_inactive" as const,
};

export const trialBalanceExample = {
  as_of: "2026-11-21",
  accounts: [
    { code: "1020", name: "Bank", type: "asset" as const, debit: 300, credit: 0, balance: 300 },
    { code: "4000", name: "Sales", type: "income" as const, debit: 0, credit: 300, balance: -300 },
  ],
  total_debit: 300,
  total_credit: 300,
};

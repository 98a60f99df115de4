import type { Sale } from "#shared/moves/sale.ts";

/** The price of the order. */
export const TOTAL = 10_000;
/** An order, with its invoice and another one of its customer. */
export const SALE: Sale = {
  name: "order:1",
  currency: "INR",
  moves: [],
  invoices: [
    { id: "1", total: TOTAL, isVoided: false },
    { id: "2", total: 6_000, isVoided: false },
  ],
  notes: [],
};

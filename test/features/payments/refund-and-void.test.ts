import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { getInvoice, line, listInvoices, newInvoice, openTrader } from "../commerce.ts";
import { newPayment, newProduct, refund, stockOf, voidInvoice } from "../money.ts";

const { company, customerId } = await openTrader();

describe("void", () => {
  test("reverses the invoice, its payments and its stock, and says what it took back", async () => {
    const product = await newProduct(company, { track_stock: true, opening_stock: 10 });
    const items = [{ ...line, product_id: product.id }];
    const invoice = await newInvoice(company, customerId, { items });
    expect(await stockOf(company, product.id)).toBe(7);
    const payment = await newPayment(company, { invoice_id: invoice.id, amount: 300, tds_amount: 54 });

    const { body } = must(await voidInvoice(company, invoice.id), 200);
    expect(body.data).toMatchObject({
      id: invoice.id,
      voided: true,
      reversal: {
        reversed_at: expect.stringMatching(/Z$/),
        journal_entry_ids: [invoice.journal_entry_id],
        reversal_journal_entry_ids: [expect.any(String), expect.any(String)],
        payments_reversed: [
          {
            payment_id: payment.id,
            amount: 300,
            tds_amount: 54,
            journal_entry_id: payment.journal_entry_id,
            reversal_journal_entry_id: expect.any(String),
          },
        ],
        amount_reversed: 300,
        stock_restored: [{ product_id: product.id, quantity: 3, movement_id: expect.any(String) }],
      },
    });
    expect(await stockOf(company, product.id)).toBe(10);
    expect(await company.call("GET", `/payments/:company/${payment.id}`)).toMatchObject({ status: 404 });
    expect(await refund(company, payment.id)).toMatchObject({ status: 404 });
  });

  test("leaves the lists, keeps its number, and reads with status voided and nothing due", async () => {
    const invoice = await newInvoice(company, customerId);
    must(await voidInvoice(company, invoice.id), 200);
    expect((await listInvoices(company)).map(({ id }) => id)).not.toContain(invoice.id);
    expect(await getInvoice(company, invoice.id)).toMatchObject({
      status: "voided",
      invoice_number: invoice.invoice_number,
      payment_status: "unpaid",
      amount_due: 0,
      total_amount: 354,
      voided_at: expect.any(String),
    });
  });
});

import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { newInvoice, openTrader, postInvoice, refusedFields } from "../commerce.ts";
import { newPayment, postPayment, refund, voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";

const { company, customerId } = await openTrader("2026-06-15T06:00:00Z");

const set = (body: object) => company.call("PATCH", "/settings/:company/books", { body });
const dated = (date: string) => postInvoice(company, customerId, { invoice_date: date });

test("the books are locked through a day before today, a month is filed once it is over", async () => {
  expect(refusedFields(await set({ locked_through: "2026-06-15" }))).toEqual({ locked_through: "too_big" });
  expect(refusedFields(await set({ gst_filed_through: "2026-06" }))).toEqual({
    gst_filed_through: "too_big",
  });
  expect(refusedFields(await set({ gst_filed_through: "2026-13" }))).toHaveProperty("gst_filed_through");
  const { body } = must(await set({ locked_through: "2026-04-30", gst_filed_through: "2026-03" }), 200);
  expect(body.data).toMatchObject({ locked_through: "2026-04-30", gst_filed_through: "2026-03" });
  must(await set({ locked_through: null, gst_filed_through: null }), 200);
});

test("a locked period takes no document, and none of it is voided, but a payment is refunded, dated today", async () => {
  const before = await newInvoice(company, customerId, { invoice_date: "2026-04-30" });
  const { id: paid } = await newPayment(company, {
    invoice_id: before.id,
    amount: 10,
    payment_date: "2026-04-30",
  });
  must(await set({ locked_through: "2026-04-30" }), 200);
  const late = await dated("2026-04-30");
  expect(late).toMatchObject({ status: 422, body: { code: "period_locked" } });
  expect(refusedFields(late)).toEqual({ invoice_date: "period_locked" });
  must(await dated("2026-05-01"), 201);
  const payment = { invoice_id: before.id, amount: 1 };
  const tooEarly = await postPayment(company, { ...payment, payment_date: "2026-04-30" });
  expect(tooEarly).toMatchObject({ status: 422, body: { code: "period_locked" } });
  expect(refusedFields(tooEarly)).toEqual({ payment_date: "period_locked" });
  must(await postPayment(company, { ...payment, payment_date: "2026-05-01" }), 201);
  expect(await voidInvoice(company, before.id)).toMatchObject(refusal(409, "period_locked"));
  must(await refund(company, paid), 200);
  must(await set({ locked_through: null }), 200);
  must(await voidInvoice(company, before.id), 200);
});

test("an invoice of a filed month is neither made nor voided; its payments are recorded", async () => {
  const before = await newInvoice(company, customerId, { invoice_date: "2026-05-31" });
  must(await set({ gst_filed_through: "2026-05" }), 200);
  expect(refusedFields(await dated("2026-05-01"))).toEqual({ invoice_date: "return_filed" });
  must(await dated("2026-06-01"), 201);
  must(await postPayment(company, { invoice_id: before.id, amount: 1, payment_date: "2026-05-31" }), 201);
  expect(await voidInvoice(company, before.id)).toMatchObject(refusal(409, "return_filed"));
  must(await set({ gst_filed_through: "2026-04" }), 200);
  must(await voidInvoice(company, before.id), 200);
});

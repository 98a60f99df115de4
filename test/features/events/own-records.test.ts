import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { AT, openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { newCustomer, newInvoice, patchCustomer } from "../commerce.ts";
import { newPayment, newProduct } from "../money.ts";
import { newBooking } from "../school.ts";
import { faultyEvents, typesOf } from "./events.ts";

test("writes whose events are taken from their own answer leave no event without its record", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const customer = await newCustomer(company, { phone: "+91 98450 12345" });
  must(await patchCustomer(company, customer.id, { name: "Asha Rao", notes: "Prefers mornings" }), 200);
  const product = await newProduct(company, { track_stock: true, opening_stock: 5, low_stock_threshold: 4 });
  const dearer = { body: { selling_price: 360 } };
  must(await company.call("PATCH", `/products/:company/${product.id}`, dearer), 200);
  const line = { item_name: "Bottle", quantity: 2, unit: "NOS", unit_price: 10, tax_rate: 0 };
  await newInvoice(company, customer.id, { items: [{ ...line, product_id: product.id }] });
  const invoice = await newInvoice(company, customer.id, { items: [line] });
  await newPayment(company, { invoice_id: invoice.id, amount: 5 });
  await newBooking(school, AT);
  expect(await typesOf(company)).toEqual(
    expect.arrayContaining([
      ...["customer.created", "customer.updated", "product.created", "product.updated", "stock.low"],
      ...["invoice.created", "payment.recorded", "invoice.partly_paid", "booking.held"],
    ]),
  );
  expect(await faultyEvents(company)).toBe(0);
  const others = "snapshot IS NULL OR CAST(snapshot ->> '$.id' AS TEXT) <> record_id";
  expect(await company.rows(`SELECT type, record_id FROM events WHERE ${others}`)).toEqual([]);
});

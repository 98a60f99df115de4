import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { REGISTERED } from "../../commerce.ts";
import { newCourse, newVisit, setRules } from "../../school.ts";
import { DATE, openWithGateway } from "../bookings/gateway-school.ts";
import { change } from "../money/books.ts";
import { said } from "./visitor.ts";

const RECEIPT = ["Receipt voucher", "RV/", REGISTERED.gstin, "Three lessons", "Karnataka (29)", "₹1,000.00"];
const TAXED = ["CGST at 9%", "SGST at 9%", "₹90.00", "₹1,180.00", "reverse charge", "Authorised signatory"];

test("the refund voucher is a paper of its own, with what CGST Rule 51 asks for, to which the receipt leads", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  must(await company.call("PATCH", "/settings/:company/profile", { body: REGISTERED }), 200);
  await setRules(company, { issue_invoices: false });
  const taxed = { selling_price: 1_180, tax_rate: 18, price_includes_tax: true };
  const product_id = await newCourse(company, { name: "Three lessons", ...taxed });
  const { path, booking } = await newVisit(school, { booking_date: DATE, start_time: "10:00", product_id });
  await change(company, booking.id, { status: "confirmed", payment_status: "paid", payment_mode_id: 1 });
  const [receipt] = await said(`${path}/receipt`);
  for (const text of [...RECEIPT, ...TAXED]) expect(receipt).toContain(text);
  expect(receipt).not.toContain("refund-voucher");
  expect((await said(`${path}/refund-voucher`))[0]).toContain("<h1>Receipt voucher</h1>");

  must(await company.call("POST", `/settings/:company/bookings/${booking.id}/cancel`, { body: {} }), 200);
  await change(company, booking.id, { payment_status: "refunded" });
  const [ended, inHindi] = await said(`${path}/receipt`);
  const [, number] = /refund-voucher">Refund voucher (RFV\/[^<]+)</.exec(ended) ?? [];
  expect(inHindi).toContain(`/refund-voucher?lang=hi">रिफ़ंड वाउचर (Refund voucher) ${number}<`);
  expect(ended).toContain("₹1,180.00 was paid back to you on");
  const [english, hindi] = await said(`${path}/refund-voucher`);
  const own = ["<h1>Refund voucher</h1>", `>${number}<`, "Date of voucher", "Supplier", "Amount of refund"];
  for (const text of [...own, "Recipient", ...RECEIPT, ...TAXED]) expect(english).toContain(text);
  expect(hindi).toContain("<h1>रिफ़ंड वाउचर (Refund voucher)</h1>");
  expect(hindi).toContain("रिफ़ंड की राशि");
  await expectSound(company);
});

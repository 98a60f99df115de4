import { expect, test } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { formatDate } from "#shared/text/formats.ts";
import { must } from "../../../support/company.ts";
import { byAmount, newNote, payOut } from "../../credit-notes/notes.ts";
import { today } from "../../money.ts";
import { newVisit, setRules } from "../../school.ts";
import { AT, DATE, openWithGateway } from "../bookings/gateway-school.ts";
import { change } from "../money/books.ts";
import { paidVisit } from "./paid-visit.ts";
import { said } from "./visitor.ts";

test("names what its school gave back by hand, and when: in cash, by bank, and at the gateway", async () => {
  const { school } = await openWithGateway("stripe");
  const { company } = school;
  const cash = await newVisit(school, { booking_date: DATE, start_time: "12:00" });
  await change(company, cash.booking.id, { status: "confirmed", payment_status: "paid", payment_mode_id: 1 });
  const [byBank, atGateway] = [
    await paidVisit({ start_time: "14:00" }, school),
    await paidVisit({ start_time: "16:00" }, school),
  ];
  for (const id of [cash.booking.id, byBank.id, atGateway.id])
    must(await company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body: {} }), 200);
  await change(company, cash.booking.id, { payment_status: "refunded" });
  await change(company, byBank.id, { payment_status: "refunded", payment_mode_id: 2 });
  await change(company, atGateway.id, { payment_status: "refunded" });
  const [now] = await company.rows(
    "SELECT given_back_at AS at FROM bookings WHERE given_back_at IS NOT NULL",
  );
  const day = companyDate(Number(now?.at), cash.booking.timezone);
  for (const { path } of [cash, byBank, atGateway]) {
    const [english, hindi] = await said(path);
    expect(english).toContain(`A$75.00 was paid back to you on ${formatDate(day, "en-GB")}.`);
    expect(hindi).toContain(`${formatDate(day, "hi-IN")} को A$75.00 आपको लौटा दिए गए।`);
    expect(english).not.toMatch(/some days|will pay|stays paid/);
  }
  await company.clock(86_400);
  await change(company, cash.booking.id, { payment_status: "refunded" });
  expect((await said(cash.path))[0]).toContain(`on ${formatDate(day, "en-GB")}.`);
});

test("names what was paid out by hand of a credit note of its invoice, and what stays paid", async () => {
  const { school } = await openWithGateway("stripe");
  const { company } = school;
  await setRules(company, { issue_invoices: true });
  const { path, id } = await paidVisit(AT, school);
  const [line] = await company.rows(
    "SELECT item.id, item.invoice_id FROM lesson_sales JOIN invoice_items AS item USING (invoice_id) WHERE booking_id = ?",
    id,
  );
  const note = await newNote(company, String(line?.invoice_id), byAmount(String(line?.id), 20));
  const payout = { amount: note.total_amount, payout_date: today() };
  must(await payOut(company, note.id, payout), 201);
  const [english] = await said(path);
  expect(english).toMatch(/A\$20\.00 was paid back to you on [^.]+\. A\$55\.00 stays paid\./);
  expect(english).toContain("your lesson is confirmed. See you there.");
});

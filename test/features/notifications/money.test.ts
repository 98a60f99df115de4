import { expect, test } from "vitest";
import { addDays } from "#shared/time/dates.ts";
import { overdueNotices } from "../../../src/features/notifications/overdue-notices.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { newCustomer, newInvoice } from "../commerce.ts";
import { arrived, newAddress, received } from "../messaging/provider.ts";
import { newPayment, refund, voidInvoice } from "../money.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { EMAIL } from "./lesson-mails.ts";
import { linesOf, onlyRules, runJob, settledLines } from "./notified.ts";

/** The clock's look at overdue invoices, and the job, at a time of a day in Kolkata. */
async function lookAt(company: TestCompany, date: string, time: string): Promise<void> {
  const now = Date.parse(`${date}T${time}+05:30`);
  await runJob(company, { now, job: (ctx) => overdueNotices.act(ctx) });
  await runJob(company, { now });
}

test("a sale brings one message, with the address of its invoice: its payment brings none", async () => {
  const { company, connected } = await openShop();
  await onlyRules(company, { order_paid: EMAIL, payment_receipt: EMAIL });
  const placed = await placeOrder(company);
  await deliver(company, connected, razorpayEvent(placed));
  expect(await settledLines(company)).toEqual(["order_paid email customer sent"]);
  const [mail] = await company.rows("SELECT content FROM messages WHERE rule = 'order_paid'");
  expect(JSON.parse(String(mail?.content)).html).toContain(`/i/${company.slug}/`);
});

test("a payment of an invoice is receipted if the rule is on, and its refund is notified", async () => {
  const company = await openCompany();
  await onlyRules(company, { payment_receipt: EMAIL, refund_made: EMAIL });
  const email = newAddress();
  const customer = await newCustomer(company, { email });
  const invoice = await newInvoice(company, customer.id);
  const { id } = await newPayment(company, { invoice_id: invoice.id, amount: 100 });
  expect((await arrived(email)).subject).toBe("We have received ₹100.00");
  must(await refund(company, id), 200);
  await expect.poll(async () => (await received(email)).length, { timeout: 20_000 }).toBe(2);
  expect((await received(email))[0]?.subject).toBe("We have refunded ₹100.00");
});

test("where no money moved, no refund is reported: a gateway payment taken back, an invoice voided", async () => {
  const { company, connected } = await openShop();
  await onlyRules(company, { refund_made: EMAIL });
  await deliver(company, connected, razorpayEvent(await placeOrder(company)));
  const [online] = await company.rows("SELECT id, invoice_id FROM payments");
  must(await refund(company, String(online?.id)), 200);
  await newPayment(company, { invoice_id: online?.invoice_id, amount: 1 });
  must(await voidInvoice(company, String(online?.invoice_id)), 200);
  const other = await newInvoice(company, (await newCustomer(company, { email: newAddress() })).id);
  const byHand = await newPayment(company, { invoice_id: other.id, amount: 100 });
  must(await refund(company, byHand.id), 200);
  expect(await settledLines(company)).toEqual(["refund_made email customer sent"]);
  const notified = await company.rows("SELECT record_id FROM notifications WHERE rule = 'refund_made'");
  expect(notified).toEqual([{ record_id: byHand.id }]);
});

test("an overdue invoice is reminded of on the days of the rule, in the morning, once, and not once it is paid", async () => {
  const company = await openCompany();
  await onlyRules(company, { invoice_overdue: { ...EMAIL, days: [3, 7] } });
  const customer = await newCustomer(company, { email: newAddress() });
  const invoice = await newInvoice(company, customer.id);
  // Due in ten years, where the service's own clock finds nothing.
  const due = "2037-06-01";
  await company.rows(
    "UPDATE invoices SET due_date = ?, overdue_since = ? WHERE id = ?",
    ...[due, addDays(due, 1), invoice.id],
  );
  await lookAt(company, addDays(due, 2), "10:00");
  await lookAt(company, addDays(due, 3), "08:59");
  expect(await linesOf(company)).toEqual([]);
  await lookAt(company, addDays(due, 3), "09:00");
  await lookAt(company, addDays(due, 3), "09:30");
  expect(await linesOf(company)).toEqual(["invoice_overdue email customer sent"]);
  await newPayment(company, { invoice_id: invoice.id, amount: invoice.amount_due });
  await lookAt(company, addDays(due, 7), "09:00");
  expect(await linesOf(company)).toEqual(["invoice_overdue email customer sent"]);
});

test("an endpoint disabled because it fails is notified at the hour's end; one disabled by hand is not", async () => {
  const company = await openCompany({ email: "office@asha.example" });
  await onlyRules(company, { endpoint_disabled: EMAIL });
  const at = Date.parse("2037-06-01T05:10Z");
  for (const reason of ["gone", "exhausted", "by_hand"]) {
    await company.rows(
      `INSERT INTO event_endpoints (operation, url, description, types, sealed_secret, secret_last_four, checked_at,
        created_at, updated_at) VALUES (?1, 'https://hooks.example.com', '', '[]', '', '', ?2, ?2, ?2)`,
      reason,
      at,
    );
    await company.rows("UPDATE event_endpoints SET disabled_reason = operation WHERE operation = ?", reason);
  }
  await runJob(company, { now: Date.parse("2037-06-01T05:59Z") });
  expect(await linesOf(company)).toEqual(["endpoint_disabled email company due"]);
  await runJob(company, { now: Date.parse("2037-06-01T06:00Z") });
  expect(await company.rows("SELECT details ->> '$.subject' AS subject FROM messages")).toEqual([
    { subject: "Event endpoints that are disabled: 2" },
  ]);
});

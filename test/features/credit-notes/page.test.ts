import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { visit } from "../invoices/page/hosted.ts";
import { arrived, newAddress, received } from "../messaging/provider.ts";
import { newPayment } from "../money.ts";
import { onlyRules } from "../notifications/notified.ts";
import { byAmount, byQuantity, newNote, voidNote } from "./notes.ts";

const pathOf = (url: string | null) => new URL(String(url)).pathname;

test("the page has the particulars of Rule 53, and a voided note is gone", async () => {
  const company = await openCompany({ ...REGISTERED, address: "14 Brigade Road\nBengaluru" });
  const customer = await newCustomer(company, { gstin: "29AAGCB7383J1Z4", gst_category: "regular" });
  const invoice = await newInvoice(company, customer.id, {
    items: [{ ...line, hsn_sac_code: "732393" }],
    invoice_date: "2026-05-06",
  });
  const note = await newNote(company, invoice.id, {
    ...byQuantity(invoice.items[0]?.id, 2, { note_date: "2026-05-07" }),
    reason: "other",
    reason_text: "Bottles leak <b>",
  });
  const path = pathOf(note.hosted_url);
  expect(path).toMatch(new RegExp(`^/c/${company.slug}/[\\w-]{43}$`));
  const { text } = must(await visit(path), 200);
  const particulars = [
    ...["<h1>Credit note</h1>", "Asha Traders", "14 Brigade Road\nBengaluru", "GSTIN 29AABCR1718E1ZL"],
    ...["Meera Traders", "560001", "Karnataka (29)", "GSTIN/UIN 29AAGCB7383J1Z4"],
    ...[note.credit_note_number, "7 May 2026", invoice.invoice_number, "6 May 2026", "Place of supply"],
    ...["Steel bottle", "732393", "18%", "199.98", "CGST", "18.00", "₹236.00", "Authorised signatory"],
    ...["Other: Bottles leak &lt;b&gt;", "Rupees Two Hundred Thirty-Six Only"],
  ];
  for (const particular of particulars) expect(text).toContain(particular);
  const invoiced = must(await visit(pathOf(invoice.hosted_url)), 200);
  expect(invoiced.text).toContain(`Credited (${note.credit_note_number})`);
  must(await voidNote(company, note.id), 200);
  expect((await visit(path)).status).toBe(410);
  expect((await visit(`/c/${company.slug}/${"x".repeat(43)}`)).status).toBe(404);
  await expectSound(company);
});

test("an unregistered buyer reads where the goods went, no column is empty, and an unpaid invoice is stamped Credited", async () => {
  const company = await openCompany(REGISTERED);
  const customer = await newCustomer(company);
  const invoice = await newInvoice(company, customer.id, {
    items: [{ item_name: "Lathe", quantity: 1, unit: "NOS", unit_price: 60_000, tax_rate: 18 }],
  });
  const part = await newNote(company, invoice.id, byAmount(invoice.items[0]?.id, 1, { with_tax: false }));
  const rest = await newNote(company, invoice.id, { reason: "cancellation", with_tax: true });
  const { text } = must(await visit(pathOf(part.hosted_url)), 200);
  expect(text).toContain("Deliver to");
  expect(text).not.toContain("HSN/SAC");
  const page = must(await visit(pathOf(invoice.hosted_url)), 200).text;
  expect(page).toContain(`Credited (${part.credit_note_number}, ${rest.credit_note_number})`);
  const whole = await newInvoice(company, customer.id);
  await newNote(company, whole.id);
  const path = pathOf(whole.hosted_url);
  expect((await visit(path)).text).toContain('class="stamp credited">Credited<');
  expect((await visit(`${path}?lang=hi`)).text).toContain('class="stamp credited">क्रेडिट दिया गया<');
  const paidInPart = await newInvoice(company, customer.id);
  await newPayment(company, { invoice_id: paidInPart.id, amount: 100 });
  await newNote(company, paidInPart.id);
  expect((await visit(pathOf(paidInPart.hosted_url))).text).toContain('class="stamp credited">Credited<');
  await expectSound(company);
});

test("a customer is sent its credit note where the rule is on, with the address of the page", async () => {
  const company = await openCompany(REGISTERED);
  const [off] = await company.rows("SELECT email FROM notification_rules WHERE rule = 'credit_note_issued'");
  expect(off).toEqual({ email: 0 });
  await onlyRules(company, { credit_note_issued: { channels: { email: true } } });
  const email = newAddress();
  const invoice = await newInvoice(company, (await newCustomer(company, { email })).id);
  const note = await newNote(company, invoice.id);
  const mail = await arrived(email);
  expect(mail.subject).toBe(`Credit note ${note.credit_note_number} of ₹354.00`);
  expect(mail.html).toContain(pathOf(note.hosted_url));
  expect(await received(email)).toHaveLength(1);
});

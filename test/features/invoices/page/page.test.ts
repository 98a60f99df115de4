import { describe, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { must, openCompany } from "../../../support/company.ts";
import type { Answer } from "../../../support/http.ts";
import { requestsOf, untilQuiet } from "../../../support/round-trips.ts";
import { line, newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";
import { voidInvoice } from "../../money.ts";
import { pagePath, settle, visit } from "./hosted.ts";

const SCRIPT = "<script>alert(1)</script>";
const NO_TOKEN = "x".repeat(43);

const company = await openCompany({ ...REGISTERED, address: "14 Brigade Road\nBengaluru" });
const profile = { upi_id: "asha@okbank", phone: "+91 80 4123 4567" };
must(await company.call("PATCH", "/settings/:company/profile", { body: profile }), 200);
const customerId = (await newCustomer(company)).id;

async function page(fields: Record<string, unknown> = {}, customer = customerId): Promise<Answer> {
  const { id } = await newInvoice(company, customer, fields);
  return must(await visit(await pagePath(company, id)), 200);
}

test("the page has the particulars of Rule 46 and loads nothing", async () => {
  const { id, invoice_number: number } = await newInvoice(company, customerId, {
    items: [{ ...line, hsn_sac_code: "732393", quantity: 1234.5, unit_price: 1000 }],
    invoice_date: "2026-05-06",
    notes: "Thank you",
    terms: "Within 7 days",
  });
  const { status, headers, text } = await visit(await pagePath(company, id));
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    ),
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^req_/),
  });
  const particulars = [
    ...["Tax invoice", "Asha Traders", "14 Brigade Road\nBengaluru", "GSTIN 29AABCR1718E1ZL"],
    ...["Meera Traders", "560001", "Karnataka (29)", "GSTIN/UIN unregistered"],
    ...[number, "6 May 2026", "Place of supply", "Reverse charge", "Authorised signatory"],
    ...["Steel bottle", "732393", "1,234.5", "NOS", "12,34,500.00", "1,11,105.00", "9%", "₹14,56,710.00"],
    "Rupees Fourteen Lakh Fifty-Six Thousand Seven Hundred Ten Only",
    ...["+91 80 4123 4567", "Thank you", "Within 7 days"],
  ];
  for (const particular of particulars) expect(text).toContain(particular);
  expect(text).not.toContain("IGST");
});

test("a supply between states bears IGST, one to a union territory UTGST, one abroad its endorsement", async () => {
  const between = await page({ place_of_supply: "27" });
  expect(between.text).toContain("IGST");
  expect(between.text).not.toContain("CGST");

  const territory = await openCompany({
    state: "Chandigarh",
    gstin: `04AABCR1718E1Z${gstinCheckDigit("04AABCR1718E1Z")}`,
  });
  const local = await newCustomer(territory, { state: "Chandigarh", pincode: "160017" });
  const within = await visit(await pagePath(territory, (await newInvoice(territory, local.id)).id));
  expect(within.text).toContain("UTGST");

  const abroad = await newCustomer(company, { country: "AU", state: "Victoria", pincode: "3000" });
  expect((await page({}, abroad.id)).text).toContain("on payment of integrated tax");
  const untaxed = await page({ items: [{ ...line, tax_rate: 0 }] }, abroad.id);
  expect(untaxed.text).toContain(
    "Supply meant for export under bond or letter of undertaking without payment of integrated tax",
  );
  expect(untaxed.text).toContain("Australia");
});

test("a seller who is not registered issues an invoice without tax columns", async () => {
  const unregistered = await openCompany({ state: "Karnataka" });
  const customer = await newCustomer(unregistered);
  const invoice = await newInvoice(unregistered, customer.id, { items: [{ ...line, tax_rate: 0 }] });
  const { text } = await visit(await pagePath(unregistered, invoice.id));
  expect(text).toContain("<h1>Invoice</h1>");
  expect(text).not.toContain("GST<");
});

test("what people wrote is text, never markup", async () => {
  const customer = await newCustomer(company, { name: SCRIPT, address: SCRIPT });
  const items = [{ ...line, item_name: SCRIPT, description: SCRIPT, unit: "<b>" }];
  const { text } = await page(
    { items, notes: SCRIPT, terms: SCRIPT, reference_number: `"'${SCRIPT}` },
    customer.id,
  );
  expect(text).toContain("&lt;script&gt;");
  expect(text).not.toMatch(/<script(?! data-label="Print or save as PDF">)|<b>/);
});

describe("what is due", () => {
  const dueLater = { due_date: "2999-12-31" };

  test("is stamped on the invoice, with what was paid and withheld", async () => {
    const { id } = await newInvoice(company, customerId, dueLater);
    const path = await pagePath(company, id);
    expect((await visit(path)).text).toMatch(/stamp unpaid">Due</);
    await settle(company, id, 10_000, 400);
    const { text } = await visit(path);
    expect(text).toMatch(/stamp partial">Partially paid</);
    expect(text).toMatch(/Paid<.*-100\.00.*TDS deducted<.*-4\.00.*Amount due<.*₹250\.00/);
    await settle(company, id, 35_400);
    expect((await visit(path)).text).toMatch(/stamp paid">Paid</);
    const late = await page({ invoice_date: "2026-04-01", due_date: "2026-04-02" });
    expect(late.text).toMatch(/stamp overdue">Overdue</);
  });

  test("can be paid by UPI, where the company takes it and until nothing is due", async () => {
    const { id, invoice_number: number } = await newInvoice(company, customerId, dueLater);
    const path = await pagePath(company, id);
    await settle(company, id, 10_000);
    const { text } = await visit(path);
    expect(text).toContain(
      `upi://pay?pa=asha@okbank&amp;pn=Asha%20Traders&amp;am=254.00&amp;cu=INR&amp;tn=${encodeURIComponent(number)}"`,
    );
    expect(text).toContain("<svg");
    await settle(company, id, 35_400);
    expect((await visit(path)).text).not.toMatch(/upi:|<svg/);

    const another = await openCompany(REGISTERED);
    const invoice = await newInvoice(another, (await newCustomer(another)).id);
    expect((await visit(await pagePath(another, invoice.id))).text).not.toMatch(/upi:|<svg/);
  });
});

test("every invoice has a token of its own, of 256 bits", async () => {
  for (let count = 0; count < 5; count += 1) await newInvoice(company, customerId);
  const tokens = (await company.rows("SELECT public_token FROM invoices")).map((row) => row.public_token);
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("an unknown token and an unknown or suspended company are answered alike", async () => {
  const suspended = await openCompany();
  const invoice = await newInvoice(suspended, (await newCustomer(suspended)).id);
  const path = await pagePath(suspended, invoice.id);
  must(await visit(path), 200);
  must(await suspended.patch({ status: "suspended" }), 200);

  const notFound = await visit(`/i/${company.slug}/${NO_TOKEN}`);
  expect(notFound).toMatchObject({ status: 404, text: expect.stringContaining("Please check the link") });
  expect(notFound.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const elsewhere = path.replace(suspended.slug, company.slug);
  for (const same of [`/i/no-such-company/${NO_TOKEN}`, `/i/-/${NO_TOKEN}`, path, elsewhere]) {
    expect(await visit(same), same).toMatchObject({ status: 404, text: notFound.text });
  }
});

test("a page is one round trip; a token that cannot be one reaches no database", async () => {
  const path = await pagePath(company, (await newInvoice(company, customerId)).id);
  await untilQuiet(company);
  const before = await company.requests();
  for (const other of [`${path}x`, path.slice(0, -1), `${path.slice(0, -1)}.`, `${path.slice(0, -1)}%00`]) {
    expect((await visit(other)).status).toBe(404);
  }
  expect(await company.requests()).toBe(before);
  expect(await requestsOf(company, async () => must(await visit(path), 200))).toBe(1);
});

test("a voided invoice is gone", async () => {
  const { id } = await newInvoice(company, customerId);
  must(await voidInvoice(company, id), 200);
  const answer = await visit(await pagePath(company, id));
  expect(answer).toMatchObject({ status: 410, text: expect.stringContaining("was cancelled") });
  expect(answer.text).not.toContain("Meera Traders");
});

test("while the database does not answer, the page says so in HTML", async () => {
  const path = await pagePath(company, (await newInvoice(company, customerId)).id);
  must(await visit(path), 200);
  await company.faults({ kind: "reset_before" });
  const answer = await visit(path);
  await company.faults();
  expect(answer).toMatchObject({ status: 503, text: expect.stringContaining("try again") });
});

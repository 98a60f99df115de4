import { expect, test } from "vitest";
import { filledHtml } from "../../src/features/notifications/template.ts";
import { must, openCompany } from "../support/company.ts";
import { line, newCustomer, newInvoice } from "./commerce.ts";
import { pagePath, visit } from "./invoices/page/hosted.ts";
import { daysAhead, newVisit, openSchool, SYDNEY } from "./school.ts";

// https://www.w3.org/International/articles/inline-bidi-markup/: text whose direction is not known has `dir="auto"` or `bdi`.
const ITEM = "شحن سريع 5 kg";
const NAME = "محمد (5)";
const BANK = {
  bank_name: "Bank",
  bank_account_name: NAME,
  bank_account_number: "123456789",
  bank_ifsc: "HDFC0001234",
};

test("on an invoice's page, names and texts of people have the direction of their own letters", async () => {
  const company = await openCompany({ name: NAME });
  const { id: customer } = await newCustomer(company, { name: NAME, address: ITEM });
  const items = [{ ...line, item_name: ITEM, description: NAME }];
  must(await company.call("PATCH", "/settings/:company/profile", { body: BANK }), 200);
  const { id } = await newInvoice(company, customer, { items, notes: ITEM, reference_number: NAME });
  const { text } = must(await visit(await pagePath(company, id)), 200);
  for (const shown of [
    `<strong dir="auto">${ITEM}</strong>`,
    `<small dir="auto">${NAME}</small>`,
    `<p class="name" dir="auto">${NAME}</p>`,
    `<p class="lines" dir="auto">${ITEM}</p>`,
    `dir="auto">${NAME}</dd>`,
    `For <bdi>${NAME}</bdi>`,
    `<dd class="number" dir="auto">${NAME}</dd>`,
    ".lines { white-space: pre-line; unicode-bidi: plaintext; }",
  ])
    expect(text).toContain(shown);
});

test("on a booking's page too", async () => {
  const school = await openSchool({ ...SYDNEY, name: NAME });
  const { path } = await newVisit(school, { booking_date: daysAhead(3), start_time: "09:00" });
  const { text } = must(await visit(path), 200);
  expect(text).toContain(`<p class="school" dir="auto">${NAME}</p>`);
  expect(text).toMatch(/<dd dir="auto">Driving lesson<\/dd>/);
});

test("in a mail they are isolated from what stands around them; links stay whole", () => {
  const values = { "customer.name": NAME, "booking.link": "https://x.example/محمد", "company.name": "Asha" };
  const template = '<p>Dear {{customer.name}}, <a href="{{booking.link}}">see</a>, {{company.name}}</p>';
  expect(filledHtml(template, values)).toBe(
    `<p>Dear <bdi>${NAME}</bdi>, <a href="https://x.example/محمد">see</a>, Asha</p>`,
  );
});

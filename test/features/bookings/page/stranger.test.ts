import { expect, inject, test } from "vitest";
import { newCustomer } from "../../commerce.ts";
import { newAddress } from "../../messaging/provider.ts";
import { EMAIL, mailsTo } from "../../notifications/lesson-mails.ts";
import { onlyRules } from "../../notifications/notified.ts";
import { book, browserOf, expectStatus, type School, STUDENT } from "../../school.ts";
import { AT, openWithGateway, PAGES, pay } from "../bookings/gateway-school.ts";
import { submit, visit } from "./visitor.ts";

const VICTORIA = { name: "Victoria Fullname", email: "victoria@mail.example", phone: "9876543210" };

/** Books from a browser, as a visitor who types what they like about themselves. */
async function bookedInBrowser(school: School, customer: object) {
  const browser = await browserOf(school.company);
  const { body } = expectStatus(await book(school, { ...AT, customer }, browser), 201);
  return { id: body.booking.id, path: new URL(body.booking.manage_url ?? "").pathname, browser };
}

test.each([
  ["digits of their phone", { name: "X", phone: "876543210" }, /victoria|fullname|9876543210/i],
  ["their e-mail address", { name: "X", email: "VICTORIA@mail.example" }, /fullname|9876543210/i],
])("who knows a customer by %s learns nothing of them by a booking", async (_, customer, unknown) => {
  const { school } = await openWithGateway("razorpay");
  await newCustomer(school.company, VICTORIA);
  const { id, path, browser } = await bookedInBrowser(school, customer);
  const texts = [
    (await visit(path)).text,
    (await submit(`${path}/pay`, { once: "1" })).text,
    (await visit(`${path}/pay`)).text,
    expectStatus(await pay(school, id, PAGES, browser.headers), 200).text,
  ];
  expect(texts[0]).toContain("Hello X, we keep this time for you");
  expect(texts[1]).toContain('name="order_id"');
  for (const text of texts) expect(text).not.toMatch(unknown);
});

test("a visitor who is new is greeted by the first name that they typed, and need not type it again to pay", async () => {
  const { school } = await openWithGateway("razorpay");
  const { path } = await bookedInBrowser(school, STUDENT);
  expect((await visit(path)).text).toContain("Hello Mia, we keep this time for you");
  expect((await submit(`${path}/pay`, { once: "1" })).text).toContain(
    'name="prefill[email]" value="mia@example.com"',
  );
});

test.each(["श्रीमती मीरा नायर", "Dr. Mia Chen", "திருமதி மீரா"])(
  "a person whose name begins with a title is greeted by the whole name: %s",
  async (name) => {
    const { school } = await openWithGateway("razorpay");
    const { path } = await bookedInBrowser(school, { ...STUDENT, name });
    expect((await visit(path)).text).toContain(`Hello ${name}, we keep this time for you`);
  },
);

test("an address that a form was sent to leads to the page where it is opened", async () => {
  const { school } = await openWithGateway("razorpay");
  const { path } = await bookedInBrowser(school, STUDENT);
  const answer = await fetch(`${inject("service").url}${path}/cancel`, { redirect: "manual" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toMatch(new RegExp(`${path}$`));
});

test("what a visitor typed brings no link into a mail", async () => {
  const { school } = await openWithGateway("razorpay");
  await onlyRules(school.company, { booking_held: EMAIL });
  const email = newAddress("stranger");
  const name =
    "St. John J.R. Rao won! Claim at https://evil.example/claim or www.evil.example or evil.example or help@evil.भारत or evil.भारत/pay or EVIL.PW";
  const customer = { name, email };
  const at = { ...AT, pickup_address: "https://evil.example/claim" };
  expectStatus(await book(school, { ...at, customer }), 201);
  const [mail] = await mailsTo(email, 1);
  expect(mail?.html).toContain("St. John J.R. Rao won!");
  expect(JSON.stringify(mail)).not.toMatch(/evil\.(?:example|भारत|pw)/i);
});

test("a wrong address below a page, or a body that is no form, is answered with a page for people", async () => {
  const { school } = await openWithGateway("razorpay");
  const { path } = await bookedInBrowser(school, STUDENT);
  const url = inject("service").url + path;
  const mistyped = await fetch(`${url}/canel?lang=hi`);
  expect(mistyped.status).toBe(404);
  expect(mistyped.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(await mistyped.text()).toContain("<h1>नहीं मिला</h1>");
  const unread = await fetch(`${url}/cancel`, { method: "POST", body: new Uint8Array([0xff, 0xfe, 0xff]) });
  expect(unread.status).toBe(400);
  expect(await unread.text()).toContain("What was sent could not be read.");
});

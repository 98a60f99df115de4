import { readFile } from "node:fs/promises";
import { afterAll, expect, inject, test } from "vitest";
import {
  accepted,
  arrived,
  newAddress,
  newNumber,
  openWith,
  readMessage,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "../features/messaging/provider.ts";
import { launch } from "./chromium.ts";

const browser = await launch();
afterAll(() => browser.close());

test("the sandbox's page shows messages as their receivers see them, and lets the provider report", async () => {
  const company = await openWith("msg91", "meta", "resend");
  const [number, address] = [newNumber(), newAddress()];
  const sms = accepted(await sendSms(company, { to: number, message: "<b>Ready</b> for ₹5" }));
  const chat = accepted(
    await sendChatapp(company, { to: newNumber(), type: "text", text: { body: "Hello" } }),
  );
  const mail = accepted(await sendEmail(company, { to: address, subject: "A <b>subject</b>" }));
  await arrived(number);
  await arrived(address);
  await until(company, sms, "submitted");
  // A report that comes before the provider's id is stored finds nothing.
  await expect.poll(async () => (await readMessage(company, mail)).provider_message_id).not.toBeNull();
  const to = (await readMessage(company, chat)).to;
  await arrived(String(to));

  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${inject("service").messagesUrl}/messages-page`);

  await page.getByRole("button", { name: `+${number}` }).click();
  const bubble = page.locator("#bubbles li").filter({ hasText: "<b>Ready</b> for ₹5" });
  await bubble.getByRole("button", { name: "Delivered" }).click();
  await bubble.getByText("✓ Delivered: answered 200").waitFor();
  expect(await readMessage(company, sms)).toMatchObject({ status: "delivered" });

  await page.getByRole("button", { name: `+${to}` }).click();
  const hello = page.locator("#bubbles li").filter({ hasText: "Hello" });
  await hello.getByRole("button", { name: "Reply STOP" }).click();
  await hello.getByText("✓ Reply STOP: answered 200").waitFor();
  const stopped = accepted(await sendChatapp(company, { to }));
  expect(await readMessage(company, stopped)).toMatchObject({ error: { code: "not_opted_in" } });

  await page.getByRole("button", { name: address }).click();
  expect(await page.locator("#mail h2").textContent()).toBe("A <b>subject</b>");
  const frame = page.frameLocator("#mail iframe[sandbox='allow-popups allow-popups-to-escape-sandbox']");
  expect(await frame.locator("p").textContent()).toBe("Your order is ready.");
  await page.getByRole("button", { name: "Bounce" }).click();
  expect(await until(company, mail, "failed")).toMatchObject({ error: { code: "invalid_recipient" } });

  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  const clipped =
    "[...document.querySelectorAll('nav b, nav span')].filter((it) => it.scrollWidth > it.clientWidth)";
  expect(await page.evaluate(`${clipped}.map((it) => it.textContent)`)).toEqual([]);
  // One line of text.
  expect(await page.evaluate("document.querySelector('#numbers b').clientHeight")).toBeLessThan(30);
  const below = "document.querySelector('#numbers').getBoundingClientRect().bottom";
  expect(
    await page.evaluate(`document.querySelector('.thread').getBoundingClientRect().top >= ${below}`),
  ).toBe(true);
  await page.getByRole("button", { name: address }).click();
  expect(complaints).toEqual([]);
});

test("a file that an e-mail carries stands there by its name, to be downloaded", async () => {
  const { messagesUrl } = inject("service");
  const [to, text] = [newAddress(), "BEGIN:VCALENDAR\r\nSUMMARY:न\r\n"];
  const file = { filename: "lesson.ics", content_type: "text/calendar; charset=utf-8; method=PUBLISH" };
  const body = JSON.stringify({
    ...{ from: "a@asha.example", to, subject: "Confirmed", html: "<p>x</p>", text: "x" },
    attachments: [{ ...file, content: Buffer.from(text).toString("base64") }],
  });
  expect((await fetch(`${messagesUrl}/providers/mail`, { method: "POST", body })).status).toBe(200);
  const page = await browser.newPage();
  await page.goto(`${messagesUrl}/messages-page`);
  await page.getByRole("button", { name: to }).click();
  const link = page.getByRole("link", { name: "lesson.ics" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("lesson.ics");
  expect(await readFile(await download.path(), "utf8")).toBe(text);
  await page.context().close();
});

test("the link at the foot of a marketing e-mail opens beside the page, and its button unsubscribes", async () => {
  const company = await openWith("resend");
  const to = newAddress();
  accepted(await sendEmail(company, { to, purpose: "marketing", html: "<p>All at half the price</p>" }));
  await arrived(to);
  const page = await browser.newPage();
  await page.goto(`${inject("service").messagesUrl}/messages-page`);
  await page.getByRole("button", { name: to }).click();
  const link = page.frameLocator("#mail iframe").getByRole("link", { name: "Unsubscribe" });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await opened.getByRole("button", { name: "Unsubscribe" }).click();
  await opened.getByRole("heading", { name: "Unsubscribed" }).waitFor();
  await opened.close();
  // Opened again, it is done.
  const again = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await again[0].getByRole("heading", { name: "Unsubscribed" }).waitFor();
  expect(await page.title()).toBe("Messages · Company Operations sandbox");
  await page.context().close();
});

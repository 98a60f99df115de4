import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openWithGateway } from "../features/bookings/bookings/gateway-school.ts";
import { daysAhead, newVisit, readBooking } from "../features/school.ts";
import { launch } from "./chromium.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens a page without script, notes what the browser says, and keeps a picture where PICTURES names a folder. */
async function open(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, javaScriptEnabled: false });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(inject("service").url + path);
  return { page, complaints };
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test.each([360, 1280])("at %d px a visitor without script moves, pays and keeps a lesson", async (width) => {
  const { school } = await openWithGateway("stripe");
  const { path, booking } = await newVisit(school, { booking_date: daysAhead(7), start_time: "10:00" });
  const { page, complaints } = await open(path, width);
  await picture(page, `pending-${width}`);
  await page.getByRole("link", { name: "Choose another time" }).click();
  await picture(page, `move-${width}`);
  await page.locator(`a[href$="${daysAhead(8)}"]`).click();
  await page.getByLabel("14:00", { exact: true }).check();
  await page.getByRole("button", { name: "Move the lesson" }).click();
  expect(await page.getByText("14:00 to 15:00").count()).toBe(1);
  expect(page.url()).toBe(inject("service").url + path);
  await page.getByRole("button", { name: "Pay now" }).click();
  expect(page.url()).toContain("/pay/stripe/");
  await page.locator('button[value="paid"]').click();
  await expect.poll(async () => (await readBooking(school.company, booking.id)).status).toBe("confirmed");
  await page.goto(inject("service").url + path);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Lesson confirmed");
  await picture(page, `confirmed-${width}`);
  expect(complaints).toEqual([]);
});

test("through Razorpay a visitor without script pays at its hosted checkout", async () => {
  const { school } = await openWithGateway("razorpay");
  const { path, booking } = await newVisit(school, { booking_date: daysAhead(7), start_time: "10:00" });
  const { page, complaints } = await open(path, 360);
  await page.getByRole("button", { name: "Pay now" }).click();
  await picture(page, "checkout-360");
  await page.getByRole("button", { name: "Go to the payment" }).click();
  await page.locator('button[value="paid"]').click();
  await expect.poll(async () => (await readBooking(school.company, booking.id)).status).toBe("confirmed");
  expect(complaints).toEqual([]);
});

test.each([360, 1280])(
  "at %d px a lesson is cancelled, and nothing is wider than the page",
  async (width) => {
    const { school } = await openWithGateway("stripe");
    const { path, booking } = await newVisit(school, { booking_date: daysAhead(7), start_time: "10:00" });
    const { page } = await open(path, width);
    await page.getByText("Cancel this lesson").click();
    await page.getByLabel("Reason (not required)").fill("Unwell");
    await picture(page, `cancel-${width}`);
    await page.getByRole("button", { name: "Cancel the lesson" }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Lesson cancelled");
    expect(await readBooking(school.company, booking.id)).toMatchObject({ status: "cancelled" });
    const scripted = await browser.newPage({ viewport: { width, height: 800 } });
    await scripted.goto(`${inject("service").url}${path}`);
    expect(await scripted.evaluate("document.documentElement.scrollWidth")).toBe(width);
  },
);

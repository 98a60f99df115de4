import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { openWithGateway } from "../../features/bookings/bookings/gateway-school.ts";
import { daysAhead, newVisit, readBooking } from "../../features/school.ts";
import { heading, LESSON, open, picture, useBrowser } from "./visit.ts";

useBrowser();

test.each([360, 1280])(
  "at %d px a visitor without script moves, pays and cancels a lesson",
  async (width) => {
    const { school } = await openWithGateway("stripe");
    const { path, booking } = await newVisit(school, LESSON);
    const { page, complaints } = await open(path, width);
    await picture(page, `pending-${width}`);
    await page.getByRole("link", { name: "Choose another time" }).click();
    await picture(page, `move-${width}`);
    await page.locator(`a[href$="${daysAhead(8)}"]`).click();
    await page.getByLabel("14:00", { exact: true }).check();
    await page.getByRole("button", { name: "Move the lesson" }).click();
    await page.getByText("14:00 to 15:00").waitFor();
    expect(page.url()).toBe(`${inject("service").url + path}?moved=1`);
    await page.getByRole("button", { name: "Pay now" }).click();
    expect(page.url()).toContain("/pay/stripe/");
    await page.locator('button[value="paid"]').click();
    // The page that the gateway leads back to opens itself again until the payment is known.
    await page.getByRole("heading", { name: "Lesson confirmed" }).waitFor();
    expect((await readBooking(school.company, booking.id)).status).toBe("confirmed");
    await picture(page, `confirmed-${width}`);
    await page.getByText("Cancel this lesson").click();
    await page.getByLabel("Reason (not required)").fill("Unwell");
    await picture(page, `cancel-${width}`);
    await page.getByRole("button", { name: "Cancel the lesson" }).click();
    expect(await heading(page)).toBe("Lesson cancelled");
    expect(await readBooking(school.company, booking.id)).toMatchObject({ status: "cancelled" });
    expect(complaints).toEqual([]);
  },
);

describe("through Razorpay", () => {
  async function openPayable(width: number, options?: BrowserContextOptions) {
    const { school } = await openWithGateway("razorpay");
    const visited = await newVisit(school, LESSON);
    const opened = await open(visited.path, width, options);
    await opened.page.getByRole("button", { name: "Pay now" }).click();
    // A button pressed before the script of Checkout came leads to its hosted page.
    await opened.page.waitForURL(/\/pay$/);
    return { school, ...visited, ...opened };
  }

  test("a visitor without script pays at its hosted checkout", async () => {
    const { school, booking, page, complaints } = await openPayable(360);
    await picture(page, "checkout-360");
    await page.getByRole("button", { name: "Go to the payment" }).click();
    await page.locator('button[value="paid"]').click();
    await expect.poll(async () => (await readBooking(school.company, booking.id)).status).toBe("confirmed");
    expect(complaints).toEqual([]);
  });

  test.each([360, 1280])(
    "at %d px a visitor with script pays in Checkout over the page, which then waits for the gateway's word",
    async (width) => {
      const { page, complaints } = await openPayable(width, {});
      await page.getByRole("button", { name: "Go to the payment" }).click();
      const checkout = page.frameLocator("iframe[title='Razorpay Checkout']");
      await checkout.getByRole("button", { name: /^Pay ₹75\.00/ }).waitFor();
      await picture(page, `window-${width}`);
      await page.getByRole("button", { name: "Close" }).click();
      expect(await heading(page)).toBe("Pay for your lesson");
      await page.getByRole("button", { name: "Go to the payment" }).click();
      await checkout.getByRole("button", { name: /^Pay ₹75\.00/ }).click();
      await page.waitForURL(/\?paid=\d$/);
      await page.getByRole("heading", { name: "Lesson confirmed" }).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test("where its script does not come, the same button leads to its hosted checkout", async () => {
    const { school } = await openWithGateway("razorpay");
    const { path } = await newVisit(school, LESSON);
    const { page } = await open(path, 360, {});
    await page.route("**/v1/checkout.js", (route) => route.abort());
    await page.getByRole("button", { name: "Pay now" }).click();
    await page.getByRole("button", { name: "Go to the payment" }).click();
    await page.waitForURL(/\/pay\/razorpay\//);
  });

  test("a payment that Checkout says was made and the gateway does not confirm leaves the lesson unpaid", async () => {
    const { school, booking, path, page } = await openPayable(360, {});
    await page.getByRole("button", { name: "Go to the payment" }).click();
    const checkout = page.frameLocator("iframe[title='Razorpay Checkout']");
    await checkout.getByRole("button", { name: /confirm after 1 seconds/ }).waitFor();
    const told = {
      razorpay_payment_id: "pay_x",
      razorpay_order_id: "order_x",
      razorpay_signature: "0".repeat(64),
    };
    await checkout.locator("body").evaluate(`parent.postMessage(${JSON.stringify(told)}, "*")`);
    await page.getByRole("heading", { name: "Payment on its way" }).waitFor();
    await picture(page, "waiting-360");
    expect(await readBooking(school.company, booking.id)).toMatchObject({ payment_status: "unpaid" });
    const later = await open(path, 360);
    expect(await heading(later.page)).toBe("Payment needed");
  });
});

import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { openWithGateway, PAGES } from "../../features/bookings/bookings/gateway-school.ts";
import { newVisit, openSchool, readBooking, SYDNEY } from "../../features/school.ts";
import { play } from "../../support/gateways.ts";
import { faultsOf, focusedIn, tabTo } from "../axe.ts";
import { LESSON, open, picture, useBrowser } from "./visit.ts";

useBrowser();

describe("a visitor in another time zone", () => {
  const own = (page: Page) => page.locator("dd small");

  test("reads the lesson's time in their own beside the school's", async () => {
    const { path } = await newVisit(await openSchool(SYDNEY), LESSON);
    const { page, complaints } = await open(path, 360, { timezoneId: "Asia/Kolkata" });
    const start = new Date((await page.locator("dd time").getAttribute("datetime")) ?? "");
    const there = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kolkata", timeStyle: "short" });
    expect(await own(page).textContent()).toContain(there.format(start));
    expect(await own(page).textContent()).toMatch(/ your time$/);
    await picture(page, "own-time-360");
    await page.goto(`${inject("service").url}${path}/move`);
    expect(await page.locator(".choices label small").first().textContent()).toMatch(/^\d\d:\d\d your time$/);
    await picture(page, "own-time-move-360");
    await page.goto(`${inject("service").url}${path}?lang=hi`);
    expect(await own(page).textContent()).toMatch(/^आपके समय में .*\d\d:\d\d/);
    expect(complaints).toEqual([]);
  });

  test("and who is where the school is, or without script, reads the school's alone", async () => {
    const { path } = await newVisit(await openSchool(SYDNEY), LESSON);
    for (const options of [
      { timezoneId: "Australia/Sydney" },
      { timezoneId: "Australia/Melbourne" },
      { javaScriptEnabled: false, timezoneId: "Asia/Kolkata" },
    ]) {
      const { page } = await open(path, 360, options);
      await page.waitForLoadState("networkidle");
      expect(await own(page).count()).toBe(0);
      expect(await page.getByText("10:00 to 11:00 (Australia/Sydney)").count()).toBe(1);
    }
  });
});

describe.each([360, 1280])("at %d px", (width) => {
  test.each(["en", "hi"])(
    "axe finds no serious fault on any page in language %s, and all of it fits",
    async (lang) => {
      const { school } = await openWithGateway("razorpay");
      const { path, booking } = await newVisit(school, { ...LESSON, ...PAGES });
      const { page, complaints } = await open(`${path}?lang=${lang}`, width, {
        timezoneId: "America/New_York",
      });
      const expectSound = async (name: string) => {
        await page.waitForLoadState();
        await picture(page, `${name}-${lang}-${width}`);
        expect(await faultsOf(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      };
      await page.locator("summary").click();
      await expectSound("unpaid");
      for (const end of ["/move", "/pay"]) {
        await page.goto(`${inject("service").url}${path}${end}?lang=${lang}`);
        await expectSound(end.slice(1));
      }
      await page.goto(`${inject("service").url}${path}?lang=${lang}&paid=5`);
      await expectSound("awaited");
      await play(school.company, "razorpay", await orderOf(path), "paid");
      await page.goto(`${inject("service").url}${path}?lang=${lang}`);
      await expectSound("paid");
      await page.locator("summary").click();
      await page.locator("button.danger").click();
      await expectSound("refund-due");
      expect(await readBooking(school.company, booking.id)).toMatchObject({ payment_status: "refund_due" });
      expect(complaints).toEqual([]);
    },
  );

  test("the keyboard alone moves a lesson, pays it and cancels it", async () => {
    const { school } = await openWithGateway("stripe");
    const { path, booking } = await newVisit(school, LESSON);
    const { page } = await open(path, width, {});
    await tabTo(page, /^Choose another time$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Choose another time" }).waitFor();
    await tabTo(page, /^\d\d:\d\d/);
    // The arrows choose nothing where a day has one time left.
    await page.keyboard.press("Space");
    const chosen = (await focusedIn(page)).slice(0, 5);
    expect(chosen).toMatch(/^\d\d:\d\d$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Payment needed" }).waitFor();
    expect((await readBooking(school.company, booking.id)).start_time).toBe(chosen);
    await tabTo(page, /^Pay now$/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pay\/stripe\//);
    await page.goto(inject("service").url + path);
    await tabTo(page, /^Cancel this lesson$/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Reason/);
    await page.keyboard.type("Unwell");
    await tabTo(page, /^Cancel the lesson$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Lesson cancelled" }).waitFor();
  });
});

/** The gateway's order that a pay page has. */
async function orderOf(path: string): Promise<string> {
  const text = await (await fetch(`${inject("service").url}${path}/pay`)).text();
  return /name="order_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

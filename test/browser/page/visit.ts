import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { daysAhead } from "../../features/school.ts";
import { randomAddress } from "../../support/http.ts";
import { launch } from "../chromium.ts";

/** What is booked in these tests. */
export const LESSON = { booking_date: daysAhead(7), start_time: "10:00" };

let browser: Browser;

/** Gives a file's tests a browser. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
}

/** Opens a page, without script unless asked for, and notes what the browser says. */
export async function open(
  path: string,
  width: number,
  options: BrowserContextOptions = { javaScriptEnabled: false },
) {
  // Each is a visitor of their own: an address opens 60 pages a minute.
  const extraHTTPHeaders = { "CF-Connecting-IP": randomAddress() };
  const page = await browser.newPage({ viewport: { width, height: 800 }, extraHTTPHeaders, ...options });
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Where a page may load pictures at all, the browser looks for an icon, which no page of ours has.
    if (!message.location().url.endsWith("/favicon.ico")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(inject("service").url + path);
  return { page, complaints };
}

/** Keeps a picture where PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** What the page is headed with. */
export function heading(page: Page): Promise<string | null> {
  return page.getByRole("heading", { level: 1 }).textContent();
}

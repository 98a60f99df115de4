import type { Page } from "playwright-core";
import { afterAll, expect, inject, test } from "vitest";
import { line, newCustomer, newInvoice, REGISTERED } from "../features/commerce.ts";
import { byAmount, newNote } from "../features/credit-notes/notes.ts";
import { pagePath } from "../features/invoices/page/hosted.ts";
import { openCompany } from "../support/company.ts";
import { launch } from "./chromium.ts";

const SCRIPT = "<script>document.title = 'run'</script>";
const A4 = /\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/g;

const browser = await launch();
const company = await openCompany(REGISTERED);
afterAll(() => browser.close());

type Opened = { page: Page; complaints: string[]; requests: string[] };

/** Opens the page of an invoice of so many lines, and notes what the browser says and asks for. */
async function open(lines: number, width: number, fields = {}): Promise<Opened> {
  const shipping_address = { city: "Hubli", state: "Karnataka" };
  const customer = await newCustomer(company, { name: SCRIPT, shipping_address });
  const items = Array.from({ length: lines }, () => ({ ...line, item_name: SCRIPT }));
  const { id } = await newInvoice(company, customer.id, { items, ...fields });
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(inject("service").url + (await pagePath(company, id)));
  return { page, complaints, requests };
}

test.each([1280, 375])(
  "at %d px the page loads nothing, runs nothing that a person wrote, and fits",
  async (width) => {
    const { page, complaints, requests } = await open(2, width);
    expect(await page.title()).toMatch(/^Tax invoice INV/);
    expect(await page.getByText(SCRIPT).count()).toBe(4);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(
      await page.evaluate("document.querySelector('.number').getBoundingClientRect().height"),
    ).toBeLessThan(30);
    expect(requests).toEqual([page.url()]);
    expect(complaints).toEqual([]);
  },
);

test("an invoice of 60 lines prints on several sheets of A4", async () => {
  const { page } = await open(60, 1280);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString("latin1").match(A4)?.length).toBeGreaterThanOrEqual(2);
});

test("an invoice of three lines with all that it may have prints on one sheet of A4, its signature too", async () => {
  await company.change("/settings/:company/profile", {
    ...{ upi_id: "asha@okbank", phone: "+91 80 4123 4567", email: "accounts@asha.example" },
    ...{ bank_name: "State Bank", bank_account_name: "Asha Traders", bank_account_number: "0012345678" },
    ...{ bank_ifsc: "SBIN0001234", bank_swift: "SBININBB104" },
  });
  const { page } = await open(3, 1280, { notes: "Thank you", terms: "Within 15 days\nWithout deduction" });
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString("latin1").match(A4)?.length).toBe(1);
});

/** In how many rows each element that a selector finds has its text. */
function rowsIn(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')].map((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return text.getClientRects().length;
  })`);
}

test.each([1280, 360])("at %d px no label of a credit note breaks beside a long reason", async (width) => {
  const customer = await newCustomer(company);
  const { id } = await newInvoice(company, customer.id);
  const reason = `${"w".repeat(200)} ${"The bottles leak at the neck. ".repeat(9)}`;
  const note = await newNote(company, id, { reason: "other", reason_text: reason });
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.goto(`${inject("service").url}${new URL(String(note.hosted_url)).pathname}`);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await rowsIn(page, ".particulars dt")).toEqual([1, 1, 1, 1, 1, 1]);
});

test.each([1280, 360])(
  "at %d px no amount of an invoice breaks beside the numbers of its notes",
  async (width) => {
    const customer = await newCustomer(company);
    const { id, items } = await newInvoice(company, customer.id);
    for (const taxable_amount of [10, 20, 30])
      await newNote(company, id, byAmount(items[0]?.id, taxable_amount));
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(inject("service").url + (await pagePath(company, id)));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(new Set(await rowsIn(page, ".totals dd"))).toEqual(new Set([1]));
  },
);

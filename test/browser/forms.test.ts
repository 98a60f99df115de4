import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, inject, test } from "vitest";
import { serve } from "../../src/sandbox/server/node-handler.ts";
import { formsSite } from "../../src/sandbox/site/forms/part.ts";
import type { Settings } from "../../src/sandbox/site/forms/server.ts";
import { openCompany } from "../support/company.ts";
import { faultsOf } from "./axe.ts";
import { launch } from "./chromium.ts";

const RESUME = { name: "asha.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n%%EOF\n") };

const [browser, company] = await Promise.all([launch(), openCompany()]);
const job = { title: "Store keeper", description_html: "<p>Receive, count and issue stock.</p>" };
await company.make("/settings/:company/jobs", job);
const scopes = ["job_openings.read", "applications.write", "capture_leads"];
const { client_id, client_secret } = await company.key(...scopes);
const settings: Settings = {
  api: `${inject("service").url}/v1`,
  company: company.slug,
  key: { client_id, client_secret: client_secret ?? "" },
};
const server = await serve(formsSite(() => settings).fetch, 0);
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  await browser.close();
  server.close();
});

/** That the email of who wrote is among what the company reads there. */
async function expectListed(path: string, email: string): Promise<void> {
  const listed = await company.read<{ email: string }[]>(path);
  expect(listed.map((one) => one.email)).toContain(email);
}

async function open(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${port}${path}`);
  return { page, complaints };
}

/** That axe finds nothing, that nothing is wider than the page, and a picture where PICTURES names a folder. */
async function expectSound(page: Page, name: string, width: number): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
}

/** What a field's own problem says. */
async function problemOf(page: Page, label: RegExp): Promise<string | null> {
  const id = await page.getByLabel(label).getAttribute("aria-describedby");
  return page.locator(`#${id}`).textContent();
}

describe.each([360, 1280])("at %d px", (width) => {
  test("an applicant reads what is wrong beside the field, applies, and cannot apply twice", async () => {
    const { page, complaints } = await open("/careers", width);
    const apply = async (email: string) => {
      await page.getByRole("link", { name: "Apply: Store keeper" }).click();
      await page.getByLabel(/^First name/).fill("Asha");
      await page.getByLabel(/^Email/).fill(email);
      await page.getByLabel(/^Resume/).setInputFiles(RESUME);
      await page.getByRole("button", { name: "Send the application" }).click();
    };
    const email = `asha-${width}@example.com`;
    await page.getByRole("heading", { name: "Store keeper" }).waitFor();
    await expectSound(page, "careers", width);
    await apply("asha@nowhere");
    await page.getByText("Please check what is marked.").waitFor();
    expect(await problemOf(page, /^Email/)).toMatch(/^This must /);
    await expectSound(page, "careers-refused", width);
    await apply(email);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await expectListed("/settings/:company/applications", email);
    await page.reload();
    await page.getByRole("heading", { name: "Store keeper" }).waitFor();
    await apply(email);
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/\w+/);
    expect(await page.getByRole("heading", { name: "Thank you" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("who writes by the contact form becomes a lead, once what is marked is mended", async () => {
    const { page, complaints } = await open("/contact", width);
    const email = `ravi-${width}@example.com`;
    await page.getByLabel(/^Name/).fill("Ravi Iyer");
    await page.getByLabel(/^Email/).fill("ravi@nowhere");
    await page.getByLabel(/^Message/).fill("A quotation for 40 desk lamps, please.");
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.getByText("Please check what is marked.").waitFor();
    expect(await problemOf(page, /^Email/)).toMatch(/^This must /);
    await expectSound(page, "contact-refused", width);
    await page.getByLabel(/^Email/).fill(email);
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await expectListed("/settings/:company/leads", email);
    expect(complaints).toEqual([]);
  });
});

test.each(["/careers", "/contact"])(
  "without JavaScript the form of %s says so and sends nothing",
  async (path) => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`http://127.0.0.1:${port}${path}`);
    expect(await page.locator("noscript p").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: /^Send/ }).isDisabled()).toBe(true);
  },
);

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { TYPE_NAMES } from "../../src/features/events/types.ts";
import { serveAssets } from "./assets.ts";
import { launch } from "./chromium.ts";

const ASSETS = join(import.meta.dirname, "../../build/assets");

const browser = await launch();
const address = await serveAssets();
afterAll(() => browser.close());

test.each([360, 1280])("at %d px the reference page shows addresses and headings whole", async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  await page.goto(address);
  const servers = page.locator(".scalar-reference-intro-server");
  await servers.waitFor();
  expect(await servers.innerText()).toContain("/v1");
  expect(await servers.innerText()).not.toContain("{");

  // A column that is cut hides what stands in it from the page's own measures, so right edges are compared.
  const heading = page.locator("h2").filter({ hasText: "Authentication" }).last();
  const overlap = `(() => {
    const title = [...document.querySelectorAll("h2")].find((it) => it.closest("button") && it.innerText === "Authentication");
    const chosen = [...document.querySelectorAll("button")].find((it) => it.textContent.startsWith("Selected Auth Type"));
    const [one, two] = [title, chosen].map((it) => it.getBoundingClientRect());
    return title.parentElement.clientWidth < title.scrollWidth || (one.right > two.left && one.bottom > two.top);
  })()`;
  await heading.scrollIntoViewIfNeeded();
  expect(await page.evaluate(overlap)).toBe(false);

  const list = page.locator(".endpoints").first();
  for (let turns = 0; turns < 40 && !(await list.isVisible()); turns += 1) {
    await page.mouse.wheel(0, 1_000);
    await page.waitForTimeout(100);
  }
  const cut = `[...document.querySelectorAll(".endpoint-path")]
    .filter((it) => it.getBoundingClientRect().right > it.closest("ul").getBoundingClientRect().right)
    .map((it) => it.textContent)`;
  expect(await page.evaluate(cut)).toEqual([]);
  expect(await list.innerText()).toContain("/customers/{company}/{id}");
});

test.each([360, 1280])(
  "at %d px the reference page shows what is sent of an event, and cannot send it",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${address}#tag/webhooks/webhook/POST/invoice.paid`);
    const section = page.locator("[id$='/webhook/POST/invoice.paid']");
    await section.getByText("webhook-signature").first().waitFor();
    for (const shown of ["Money paid what was due of an invoice.", "webhook-id", "2XX", "410", "amount_due"])
      await section.getByText(shown).first().waitFor();
    expect(await section.getByText("Test Request").isVisible()).toBe(false);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  },
);

test("the reference page names the webhooks beside the operations, one for each type", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  const menu = page.locator("aside, nav").first();
  await menu.getByText("Webhooks", { exact: true }).last().click();
  for (const type of TYPE_NAMES) await menu.getByText(type, { exact: true }).waitFor({ state: "attached" });
});

/** Opens the page, and holds its document back until the test lets it go. */
async function openWithoutDocument() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/docs/document.json", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address);
  return { page, letGo };
}

test("the reference page lists every operation at once, and gives way when the reference is there", async () => {
  const { page, letGo } = await openWithoutDocument();
  await page.getByText("Loading the reference").waitFor();
  const list = page.locator("#start");
  await list.getByRole("link", { name: "Issue an invoice" }).waitFor();
  const { paths } = JSON.parse(await readFile(join(ASSETS, "openapi.json"), "utf8"));
  const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods));
  expect(await list.locator("li").count()).toBe(operations.length);
  // Over all that the page draws before it has the document.
  const isOver = "document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('#start') !== null";
  expect(await page.evaluate(isOver)).toBe(true);
  letGo();
  await list.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Company Operations API" }).waitFor();
});

test("a link that is followed before the reference is there opens its place", async () => {
  const { page, letGo } = await openWithoutDocument();
  await page.getByRole("link", { name: "Issue an invoice" }).click();
  letGo();
  await page.locator("#start").waitFor({ state: "detached" });
  await expectInView(page, "POST/invoices/{company}");
});

async function expectInView(page: Page, end: string): Promise<void> {
  const top = `[...document.querySelectorAll("[id]")].find((it) => it.id.endsWith("${end}"))?.getBoundingClientRect().top`;
  await expect
    .poll(async () => Math.abs(((await page.evaluate(top)) as number | undefined) ?? 9_999), {
      timeout: 60_000,
    })
    .toBeLessThan(600);
}

import { globSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test } from "vitest";
import { guideScript } from "../../src/build/guides/script.ts";
import { serveAssets } from "./assets.ts";
import { faultsOf } from "./axe.ts";
import { launch } from "./chromium.ts";

// As the Worker serves them.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const pages = globSync("build/assets/docs/{guides,pages}/*.html").map((path) =>
  path.replace("build/assets/docs/", "").replace(/(?:\/index)?\.html$/, ""),
);

const browser = await launch();
const address = await serveAssets({ "Content-Security-Policy": POLICY });
afterAll(() => browser.close());

test("there is a page for each guide", () => {
  const guides = globSync("docs/guides/*.md").map((path) => basename(path, ".md"));
  const names = guides.map((name) => (name === "README" ? "guides" : `guides/${name}`));
  expect(pages).toEqual(expect.arrayContaining(names));
});

test.each(pages)("%s has no fault that axe finds, and at 360 px does not scroll sideways", async (name) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 }, bypassCSP: true });
  await page.goto(`${address}/${name}`);
  expect(await faultsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  const broken = `[...document.querySelectorAll("td code")].map((code) => code.firstChild).flatMap((text) =>
    [...text.data.matchAll(/\\w+/g)].filter(({ 0: { length }, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + length);
      return range.getClientRects().length > 1;
    }).map(([word]) => word))`;
  expect(await page.evaluate(broken)).toEqual([]);
  await page.close();
});

test("a guide breaks nothing of its policy, and leads to an operation of the reference", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const refused: string[] = [];
  page.on("console", (message) => refused.push(message.text()));
  await page.goto(`${address}/guides/first-invoice`);
  expect(await page.locator("h1").innerText()).toBe("Your first invoice");
  expect(refused).toEqual([]);
  const href = await page.getByRole("link", { name: "Send it" }).getAttribute("href");
  expect(href).toBe("/docs#api/tag/invoices/POST/invoices/{company}/{id}/send");
});

test.each([
  ["first-invoice", "of traders"],
  ["booking-page", "of the school"],
])("in a sandbox %s has the key of its demo company, and each block can be copied", async (name, owner) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const [traders, school] = [{ value: "of traders" }, { value: "of the school" }];
  const keys = { clientId: traders, clientSecret: traders, schoolId: school, schoolSecret: school };
  await page.route("**/docs/demo.json", (route) => route.fulfill({ json: { securitySchemes: keys } }));
  const script = { contentType: "text/javascript", body: guideScript(true) };
  await page.route("**/docs/guides.js", (route) => route.fulfill(script));
  await page.goto(`${address}/guides/${name}`);
  const sample = page.locator("figure", { hasText: "X-Client-Id" }).first();
  const shown = () => sample.locator("pre").innerText();
  await expect.poll(shown).toContain(`X-Client-Id: ${owner}\nX-Client-Secret: ${owner}\n`);
  await sample.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => sample.getByRole("button").innerText()).toBe("Copied");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await shown());
  expect(await page.locator("figure").count()).toBe(await page.locator("figure button").count());
});

test("a guide about a company that has no key among the demo's shows where its key goes", async () => {
  const page = await browser.newPage();
  const script = { contentType: "text/javascript", body: guideScript(true) };
  await page.route("**/docs/guides.js", (route) => route.fulfill(script));
  await page.goto(`${address}/guides/messages-in-india`);
  await page.waitForLoadState("networkidle");
  expect(await page.locator("figure", { hasText: "X-Client-Id" }).first().innerText()).toContain("sk_...");
});

import { globSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test } from "vitest";
import { serveAssets } from "./assets.ts";
import { faultsOf } from "./axe.ts";
import { launch } from "./chromium.ts";

// As the Worker serves them.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
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

import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { DataFolder } from "../../src/sandbox/data-folder/data-folder.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { startProviders } from "../../src/sandbox/server/start-server.ts";
import { knowSecret } from "../../src/sandbox/webhook-receiver/index.ts";
import { useFolder } from "../support/folder.ts";
import { launch } from "./chromium.ts";

const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { id: "7", note: "<b>Paid</b>" } });

const browser = await launch();
const path = useFolder();
const folder = new DataFolder(path("data"), false, "http://localhost:1");
const sandboxPort = await findFreePort();
const configuration = { port: 1, sandboxPort, dataDir: folder.path, fresh: false, verbose: false };
const providers: AsyncDisposable = await startProviders(configuration, folder);
afterAll(async () => {
  await browser.close();
  await providers[Symbol.asyncDispose]();
});

async function send(name: string, body = BODY, secret = SECRET): Promise<number> {
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", new Date(), body),
  };
  const url = `http://127.0.0.1:${sandboxPort}/webhooks/${name}`;
  return (await fetch(url, { method: "POST", headers, body })).status;
}

/** Opens the page; whatever it complains of is in the list. */
async function open(width: number): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`http://localhost:${sandboxPort}/webhooks-page`);
  return { page, complaints };
}

/** What does not show all of its text. */
const CUT = `[...document.querySelectorAll("nav b, nav span, h2, p, pre, button, summary")]
  .filter((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
  .map((it) => it.textContent)`;

/** What scrolls within the page. */
const SCROLLED = `[...document.querySelectorAll("body *")]
  .filter((it) => it.scrollHeight > it.clientHeight + 1 && getComputedStyle(it).overflowY === "auto")
  .map((it) => it.id)`;

test.each([360, 1280])(
  "at %d px the page shows what came, whether it is signed, and lets it fail",
  async (width) => {
    const name = `shop-${width}`;
    const { page, complaints } = await open(width);
    const list = page.locator("#arrivals");
    const shown = page.locator("#arrival");
    await send(name);
    // The page asks by itself.
    const first = list.getByRole("button", { name: `invoice.paid ${name}` }).first();
    await first.click();
    await shown.getByText("no secret known").waitFor();
    expect(await shown.locator("pre").first().innerText()).toBe(JSON.stringify(JSON.parse(BODY), null, 2));
    await shown.getByText("Headers").click();
    await shown.getByText("webhook-signature: v1,").waitFor();

    const receiver = page.locator(".receiver").filter({ hasText: name });
    await receiver.getByText(`http://127.0.0.1:${sandboxPort}/webhooks/${name}`).waitFor();
    await receiver.getByLabel(`Secret of ${name}`).fill(SECRET);
    await receiver.getByRole("button", { name: "Enter" }).click();
    await shown.getByText("✓ signature valid").waitFor();
    await receiver.getByText(`secret …${SECRET.slice(-4)} · answers 200`).waitFor();

    await receiver.getByLabel(`How many requests to ${name}`).fill("2");
    await receiver.getByRole("button", { name: "500" }).click();
    await receiver.getByText("answers the next 2: 500").waitFor();
    // What is being typed stays while the page asks anew.
    await receiver.getByLabel(`Secret of ${name}`).fill("whsec_half");
    expect(await send(name, BODY, `whsec_${btoa("another secret")}`)).toBe(500);
    const failed = list.getByRole("button", { name: "answered 500" }).filter({ hasText: name });
    await failed.click();
    await shown.getByText("✗ signature wrong: No matching signature found").waitFor();
    await shown.getByText("attempt 2").waitFor();
    expect(await failed.innerText()).toContain("attempt 2");
    // What failed does not look as what was taken.
    const color = (answer: string) =>
      page.evaluate(`getComputedStyle([...document.querySelectorAll("#arrivals span")]
        .find((it) => it.textContent === "answered ${answer}")).color`);
    expect(await color("500")).toMatch(/^rgb/);
    expect(await color("500")).not.toBe(await color("200"));
    await receiver.getByText("answers the next 1: 500").waitFor();
    expect(await receiver.getByLabel(`Secret of ${name}`).inputValue()).toBe("whsec_half");
    await receiver.getByRole("button", { name: "200 again" }).click();
    await receiver.getByText("answers 200").waitFor();

    for (let count = 0; count < 12; count += 1)
      await send(name, JSON.stringify({ id: "evt_1", lines: Array(60).fill(0) }));
    await list.locator("button").filter({ hasText: name }).nth(12).waitFor();
    await list.locator("button").first().click();
    await shown.locator("pre").first().getByText("lines").waitFor();
    expect(await page.evaluate(SCROLLED)).toEqual(width === 360 ? ["arrivals"] : expect.anything());
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test("a receiver is entered before anything came, and one of the demo is known already", async () => {
  const { page, complaints } = await open(1280);
  knowSecret(folder, "demo", SECRET);
  await page
    .getByText(`secret …${SECRET.slice(-4)} · answers 200`)
    .first()
    .waitFor();
  await page.getByLabel("Name", { exact: true }).fill("early");
  await page.getByLabel("Secret", { exact: true }).fill(SECRET);
  await page.locator("#new").getByRole("button", { name: "Enter" }).click();
  await page.locator(".receiver").filter({ hasText: "early" }).getByText("secret …").waitFor();
  for (const name of ["demo", "early"]) expect(await send(name)).toBe(200);
  await expect
    .poll(() => page.locator("#arrivals button").filter({ hasText: "✓ signature valid" }).allInnerTexts(), {
      timeout: 10_000,
    })
    .toEqual(expect.arrayContaining([expect.stringContaining("demo"), expect.stringContaining("early")]));
  // The next start knows it too.
  expect(folder.memory.webhook_secrets).toMatchObject({ early: SECRET });
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    return dialog.accept();
  });
  await page.getByLabel("Secret of early").fill("sk_live");
  await page.locator(".receiver").filter({ hasText: "early" }).getByRole("button", { name: "Enter" }).click();
  await expect.poll(() => alerts).toEqual(["A secret is whsec_ and base64"]);
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
  await page.close();
});

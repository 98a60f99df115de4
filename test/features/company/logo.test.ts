import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { PNG } from "../../support/images.ts";
import { newCustomer, newInvoice, REGISTERED, refusedFields } from "../commerce.ts";
import { pagePath, visit } from "../invoices/page/hosted.ts";

const PROFILE = "/settings/:company/profile";
const company = await openCompany(REGISTERED);
const path = await pagePath(company, (await newInvoice(company, (await newCustomer(company)).id)).id);

const patch = (body: object) => company.call("PATCH", PROFILE, { body });
const logo = (name: string, host = "cdn") => patch({ logo_url: `https://${host}.example.com/${name}` });
const page = async () => must(await visit(path), 200);

test("a logo is fetched once, kept as a file and drawn as a data: image, which the page's policy allows", async () => {
  expect((await page()).text).not.toContain("<img");
  const set = must(await logo("logo.png"), 200).body.data;
  expect(set.logo_url).toBe("https://cdn.example.com/logo.png");
  expect(set).not.toHaveProperty("logo_path");
  const shown = await page();
  expect(shown.text).toContain(`src="data:image/png;base64,${PNG}"`);
  expect(shown.headers.get("Content-Security-Policy")).toContain("img-src data:;");
  expect(await company.files("logos")).toHaveLength(1);
});

test.each([
  ["photo.jpg", "image/jpeg"],
  ["logo.webp", "image/webp"],
  ["most.png", "image/png"],
])("the image %s takes the place of the one before, whose file is deleted", async (name, type) => {
  must(await logo(name), 200);
  expect((await page()).text).toContain(`src="data:${type};base64,`);
  await expect.poll(() => company.files("logos")).toHaveLength(1);
});

test.each([
  ["an SVG drawing", "drawing.svg", "cdn"],
  ["a page that calls itself PNG", "page.png", "cdn"],
  ["nothing", "empty.png", "cdn"],
  ["300 KB", "large.png", "cdn"],
  ["a redirect", "moved.png", "cdn"],
  ["an error with an image", "missing.png", "cdn"],
  ["a private address", "logo.png", "loopback"],
  ["a public and a private address", "logo.png", "half"],
  ["the address of a cloud's metadata", "logo.png", "metadata"],
  ["no address", "logo.png", "nowhere"],
  ["a resolver that does not answer", "logo.png", "silent"],
])("%s is refused as no image, and nothing is stored", async (_what, name, host) => {
  const before = [await company.read(PROFILE), await company.files("logos")];
  const answer = await patch({ logo_url: `https://${host}.example.com/${name}`, name: "Changed" });
  expect(answer.status).toBe(422);
  expect(refusedFields(answer)).toEqual({ logo_url: "not_an_image" });
  expect([await company.read(PROFILE), await company.files("logos")]).toEqual(before);
});

test("an address that is of no public host by its letters is refused", async () => {
  expect(refusedFields(await patch({ logo_url: "https://10.0.0.8/logo.png" }))).toEqual({
    logo_url: "not_an_image",
  });
});

test("another change keeps the logo, and null removes the logo and its file", async () => {
  must(await logo("logo.png"), 200);
  await expect.poll(() => company.files("logos")).toHaveLength(1);
  const [kept] = await company.files("logos");
  must(await patch({ phone: "+91 80 1234 5678" }), 200);
  expect(await company.files("logos")).toEqual([kept]);
  must(await patch({ logo_url: null }), 200);
  await expect.poll(() => company.files("logos")).toEqual([]);
  expect((await page()).text).not.toContain("<img");
});

test("a page whose logo is lost is shown without it", async () => {
  must(await logo("logo.png"), 200);
  await expect.poll(() => company.loseFiles("logos")).toBeGreaterThan(0);
  expect((await page()).text).not.toContain("<img");
});

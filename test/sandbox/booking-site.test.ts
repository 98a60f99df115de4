import { expect, it } from "vitest";
import { bookingSite } from "../../src/sandbox/site/booking/part.ts";

const [host, gateways] = ["http://localhost:8787", "http://127.0.0.1:8788"];
const VALUES = { host, gateways, company: "demo-school", client_id: "pk_demo" };

async function pageAt(path: string): Promise<string> {
  return (await bookingSite(() => VALUES).request(path)).text();
}

const tagsOf = (page: string) => [...page.matchAll(/<(\w[\w-]*)/g)].map(([, name]) => name);

it("is wholly Hindi where that is asked for, with the same parts as in English", async () => {
  const [english, hindi] = [await pageAt("/booking/"), await pageAt("/booking/?lang=hi")];
  expect(hindi).toContain('<html lang="hi">');
  expect(hindi).toContain("/widget/v1/booking-widget.hi.js");
  expect(tagsOf(hindi)).toEqual(tagsOf(english));
  const texts = hindi.replaceAll(/<!--.*?-->|<[^>]*>/gs, " ");
  expect(texts.match(/[a-z]{3,}/gi)?.toSorted()).toEqual(["English", "JavaScript", "NSW"]);
  expect(texts).not.toContain("{{");
});

it("names the key of the demo company in both languages", async () => {
  for (const path of ["/booking/", "/booking/?lang=hi"])
    expect(await pageAt(path)).toContain('company="demo-school" client-id="pk_demo"');
  expect((await bookingSite(() => undefined).request("/booking/")).status).toBe(503);
});

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { REGISTERED } from "../features/commerce.ts";
import { differences, type Guide, parseGuide, readGuides } from "./guides/guide.ts";
import { follow, makeClient, newFolder, typeCheck } from "./guides/run.ts";
import { place, readCredentials, start, usePlace } from "./started.ts";

await usePlace(afterAll);
const guides = readGuides();
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

it("takes a guide apart, and sees where an answer is another", () => {
  const text = [
    "```sh\none\n```\n```ts\nfirst()\n```\n```json\n{}\n```",
    "```ts program.ts\nsaved\n```\n```sh\ntwo\n```\n```text\nprinted\n```\n```ts\nsecond()\n```",
  ].join("\n");
  const { steps, files } = parseGuide("any", text);
  expect(steps).toMatchObject([
    { sh: "one", ts: "first()", answer: "{}" },
    { sh: "two", output: "printed" },
    { ts: "second()" },
  ]);
  expect(steps.map((step) => files.get(step)?.length)).toEqual([0, 1, 0]);
  const shown = { data: [{ id: "13", amount: 2, name: "INV/..." }], paging: {} };
  const came = { data: [{ id: "27", amount: 2, name: "INV/26", other: 1 }, {}], paging: {} };
  expect(differences(shown, came)).toEqual([]);
  expect(differences({ data: [{ id: "1", amount: 3 }] }, came)).toEqual([".data[0].amount is 2, not 3"]);
  expect(differences({ data: [{ id: 1 }] }, came)).toEqual(['.data[0].id is "27", not 1']);
});

makeClient();
await start();

describe("what the guides say", () => {
  it("is served as a page and as Markdown, and leads only to what is there", async () => {
    const ids = await idsOfReference();
    for (const { name, text } of guides) {
      const address = name === "README" ? "/docs/guides" : `/docs/guides/${name}`;
      const page = await ask(address);
      expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      if (name !== "README") {
        const twin = await ask(`${address}.md`);
        expect(twin.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
        expect((await twin.text()).split("\n")[0]).toBe(text.split("\n")[0]);
      }
      for (const [, target = ""] of (await page.text()).matchAll(/ href="(\/[^"]*)"/g)) {
        const [path = "", anchor] = target.split("#");
        const led = await (await ask(path)).text();
        if (anchor === undefined) continue;
        if (path === "/docs") expect(ids).toContain(anchor);
        else expect(led, `${name}: ${target}`).toContain(`id="${anchor}"`);
      }
    }
    for (const path of ["/docs/guides/nothing", "/docs/guides/nothing.md", "/docs/pages/operate"])
      expect((await fetch(`http://localhost:${place.port}${path}`)).status).toBe(404);
    const llms = await (await ask("/llms.txt")).text();
    expect(llms).toContain(`Base address: http://localhost:${place.port}/v1`);
    expect(llms).toContain(`http://localhost:${place.port}/docs/guides/first-invoice.md): In five minutes`);
    expect(llms).toContain("\nPOST /invoices/{company}: Issue an invoice\n");
    expect(llms.length).toBeLessThan(32_000);
  });

  it.each(guides.filter(({ steps }) => steps.length > 0).map((guide) => [guide.name, guide] as const))(
    "%s",
    async (_name, guide) => {
      const folder = await newFolder();
      folders.push(folder);
      expect(await follow(guide, folder, place)).toEqual([]);
      expect(await typeCheck(folder)).toBe("");
    },
  );
});

describe("an accountant closes from the guide alone the month", () => {
  it.each<[what: string, slug: string, tax: string]>([
    ["of a school in India", "demo-lessons", '"igst_amount": 1800'],
    ["of a school in Sydney", "demo-driving", '"tax_amount": 1000'],
  ])("%s", async (_what, slug, tax) => {
    if (slug === "demo-lessons") await openLessons(slug);
    const { text } = guides.find(({ name }) => name === "close-a-month") as Guide;
    const own = text.replaceAll("demo-traders", slug).replace(/(?<=TAX='|const tax = \{)[^'}]*/g, tax);
    const folder = await newFolder();
    folders.push(folder);
    expect(await follow(parseGuide(slug, own), folder, place)).toEqual([]);
  });
});

/** Opens a company beside those of the demo. */
async function openLessons(slug: string): Promise<void> {
  const credentials = await readCredentials();
  const answer = await fetch(`http://localhost:${place.port}/platform/companies`, {
    method: "POST",
    headers: { Authorization: `Bearer ${credentials.platform_token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ slug, name: "Kaveri Driving School", ...REGISTERED }),
  });
  const { data } = (await answer.json()) as { data: { admin_key: object } };
  const admin_keys = { ...credentials.admin_keys, [slug]: data.admin_key };
  await writeFile(join(place.dataDir, "credentials.json"), JSON.stringify({ ...credentials, admin_keys }));
}

async function ask(path: string): Promise<Response> {
  const answer = await fetch(`http://localhost:${place.port}${path}`);
  expect(answer.status, path).toBe(200);
  return answer;
}

type Entry = { id: string; children?: Entry[] };

/** What can be linked to in the reference. */
async function idsOfReference(): Promise<string[]> {
  const idsIn = ({ id, children = [] }: Entry): string[] => [id, ...children.flatMap(idsIn)];
  const document = JSON.parse(await (await ask("/docs/document.json")).text());
  return idsIn(document["x-scalar-navigation"]);
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanHtml } from "#shared/html/clean-html.ts";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import vectors from "../vectors/html-sanitiser.json" with { type: "json" };
import { launch } from "./chromium.ts";

// 100 in `npm test`, 2,000 in `npm run soak`.
const SPLICES = Number(process.env.MODEL_RUNS ?? 100);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const AT_ONCE = 50;
const JUDGE = new URL("judge.js", import.meta.url).pathname;

const browser = await launch();
const page = await browser.newPage();
const run: string[] = [];
beforeAll(async () => {
  await page.addScriptTag({ path: JUDGE });
  // A script that runs opens a dialog, or fails for what it calls is not there.
  page.on("dialog", async (dialog) => {
    run.push(dialog.message());
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => run.push(error.message));
  await page.route("**/*", (route) => route.abort());
});
afterAll(() => browser.close());

/** What a browser makes of each mail that it must not. */
async function judge(mails: readonly string[]): Promise<string[]> {
  await page.setContent("<!doctype html><body></body>");
  const found: string[] = await page.evaluate(`judge(${JSON.stringify(mails)})`);
  return found.map((line) => `${line} in ${mails[Number.parseInt(line, 10)]}`);
}

/** Pieces of the vectors, put together anew. */
function splices(count: number, random: () => number): string[] {
  const all = [...vectors.vectors, ...vectors.keep];
  const pick = (most: number) => Math.floor(random() * most);
  const piece = () => {
    const text = all[pick(all.length)] ?? "";
    const from = pick(text.length);
    return random() < 0.3 ? text : text.slice(from, from + 1 + pick(text.length));
  };
  return Array.from({ length: count }, () => Array.from({ length: 2 + pick(4) }, piece).join(""));
}

test("the judge notices what it is there for", async () => {
  const bad = [
    "<svg></svg>",
    '<a href="javascript:1">x</a>',
    '<img src=x onerror="missing()">',
    "<script>alert(1)</script>",
    '<p style="width:expression(1)">x</p>',
    '<p style="color:red; position:fixed">x</p>',
    '<p style="background:URL (x)">x</p>',
  ];
  const found = await judge(bad);
  expect(new Set(found.map((line) => Number.parseInt(line, 10)))).toEqual(new Set(bad.keys()));
  await expect.poll(() => run.length).toBeGreaterThanOrEqual(2);
  run.splice(0);
});

test(`of ${SPLICES} splices of the vectors nothing runs, and nothing foreign stands in the page (seed ${SEED})`, {
  timeout: 60_000 + SPLICES * 100,
}, async () => {
  const dirty = [...vectors.vectors, ...splices(SPLICES, seededRandom(SEED))];
  for (let start = 0; start < dirty.length; start += AT_ONCE) {
    const clean = await Promise.all(
      dirty.slice(start, start + AT_ONCE).map((html) => cleanHtml(html, { styles: true })),
    );
    expect(await judge(clean)).toEqual([]);
    for (const html of clean) expect(await cleanHtml(html, { styles: true })).toBe(html);
  }
  expect(run).toEqual([]);
});

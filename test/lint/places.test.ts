import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sources } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");
// A column of customers that nothing but its record knows: what a new one has to be added to.
const COLUMN = /\bdisplay_?name\b/i;
const OTHER_THINGS = /x-displayName/g;

test("a column of customers stands in its table, what is sent, the record and its example, and nowhere else", () => {
  const places = sources()
    .filter(({ path, text }) => /^src\//.test(path) && COLUMN.test(text.replace(OTHER_THINGS, "")))
    .map(({ path }) => path);
  expect(places.sort()).toEqual([
    "src/api/openapi/field-words.ts",
    "src/features/customers/examples.ts",
    "src/features/customers/record.ts",
    "src/features/customers/schema.ts",
    "src/features/customers/tables.ts",
  ]);
});

test("what is shown of a new collection is one file of at most 60 lines", async () => {
  const guide = await readFile(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const listing = /brands\.ts` \(new\):\n```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  expect(listing).toContain(".collection({");
  expect(listing.split("\n").length).toBeLessThanOrEqual(60);
});

import { expect, test } from "vitest";
import { published } from "#test/published.ts";
import { GENERATORS } from "../clients/generators.ts";
import { hashOf, keptResults } from "../clients/results.ts";

const hashes = new Map(published.map(({ file, document }) => [file, hashOf(JSON.stringify(document))]));

test("every generator's client of this document passed its five calls: else run npm run clients", async () => {
  const passed = ["money", "pages", "field", "conflict", "file"];
  const expected = Object.entries(GENERATORS).map(([name, { version, document: file }]) => [
    name,
    { version, document: hashes.get(file), passed },
  ]);
  expect(await keptResults()).toEqual(Object.fromEntries(expected));
});

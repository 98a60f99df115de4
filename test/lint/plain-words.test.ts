import { expect, test } from "vitest";
import { oldWords } from "./plain-words.ts";
import { sources } from "./sources.ts";

const READ = /^(?:src|durable|migrations|test|docs)\/.*\.(?:tsx?|sql|md)$|^[A-Z]+\.md$/;
// What users type or receive as data, the list itself, and what is copied from elsewhere.
const EXCEPT =
  /^(?:src\/build\/everyday-words|test\/(?:lint\/plain-words|vectors\/|api\/contract\/agent-marks))/;

test("comments, documents and texts say the standard words", () => {
  const found = sources()
    .filter(({ path }) => READ.test(path) && !EXCEPT.test(path))
    .flatMap(({ path, text }) => oldWords(path, text));
  expect(found).toEqual([]);
});

test.each([
  ["x.ts", "// A chore runs each hour."],
  ["x.ts", 'const text = "The event was parked for review";'],
  ["x.sql", "-- Nobody reads this row."],
  ["x.md", "The key is sealed."],
])("an old word is found: %s %s", (path, text) => {
  expect(oldWords(path, text)).toHaveLength(1);
});

test.each([
  ["x.ts", 'const chore = "housekeeping";'],
  ["x.md", "The path `/platform/adoption` stays."],
  ["x.md", "```sh\ncompany-ops adopt\n```"],
])("code and names of the wire are left: %s %s", (path, text) => {
  expect(oldWords(path, text)).toEqual([]);
});

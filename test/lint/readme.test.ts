import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Paths of this repository that a text names, in prose, code or links, and that are not there. */
function missingPaths(text: string): string[] {
  const named = text.matchAll(/(?<![\w/#.:@-])(?:src|durable|migrations|test|\.ci)\/[\w./-]*/g);
  const linked = text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g);
  return [...named, ...linked]
    .map((found) => (found[1] ?? found[0]).replace(/\.+$/, ""))
    .filter((path) => !existsSync(path));
}

it("finds the paths that are not there", () => {
  const text =
    "See `src/nowhere.ts`, [the tests](test/lint/) or [the plan](plan.md#first). Not https://a.example/src/x, not #test/x.";
  expect(missingPaths(text)).toEqual(["src/nowhere.ts", "plan.md"]);
});

it("README.md names only paths that exist", () => {
  expect(missingPaths(readFileSync("README.md", "utf8"))).toEqual([]);
});

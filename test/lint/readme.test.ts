import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** Paths of this repository that a text names, in prose, code or links, and that are not there; links are from `folder`. */
function missingPaths(text: string, folder = "."): string[] {
  const named = text.matchAll(/(?<![\w/#.:@-])(?:src|durable|migrations|test|docs|\.ci)\/[\w./-]*/g);
  const linked = text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g);
  return [...[...named].map(([path]) => path), ...[...linked].map(([, path = ""]) => join(folder, path))]
    .map((path) => path.replace(/\.+$/, ""))
    .filter((path) => !existsSync(path));
}

it("finds the paths that are not there", () => {
  const text =
    "See `src/nowhere.ts`, [the tests](test/lint/) or [the plan](plan.md#first). Not https://a.example/src/x, not #test/x.";
  expect(missingPaths(text)).toEqual(["src/nowhere.ts", "plan.md"]);
});

const pages = ["README.md", ...globSync("docs/**/*.md")];

it("there are pages beside README.md", () => {
  expect(pages).toContain("docs/deploy.md");
});

it.each(pages)("%s names only paths that exist", (page) => {
  expect(missingPaths(readFileSync(page, "utf8"), dirname(page))).toEqual([]);
});

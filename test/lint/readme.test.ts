import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";

/** Paths of this repository that a text names, in prose or code, and that are not there; `(new)` and `NNNN` mark those to be made. */
function missingPaths(text: string): string[] {
  const named = text
    .replaceAll(/\S+ \(new\)|\S*NNNN\S*/g, "")
    .matchAll(/(?<![\w/#.:@-])(?:src|durable|migrations|test|docs|\.ci)\/[\w./-]*/g);
  return [...named].map(([path]) => path.replace(/\.+$/, "")).filter((path) => !existsSync(path));
}

/**
 * Relative links of a page, pictures too, that lead to no file, or to no heading of that file. What the service itself
 * serves, `/docs` and the like, test/soak/guides.test.ts looks for.
 */
function brokenLinks(text: string, page: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$|`[^`\n]*`/gms, "");
  const links = prose.matchAll(
    /\]\(\s*<?((?!\w+:)[^)\s>]+)|^\[[^\]]+\]:\s+((?!\w+:)\S+)|(?:src|href)="((?!\w+:)[^"]+)/gm,
  );
  const targets = [...links].map(([, inline, reference, html]) => inline ?? reference ?? html ?? "");
  return targets.filter((target) => {
    if (target.startsWith("/")) return false;
    const [path = "", heading] = target.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    if (path !== "" && !statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
    return (
      heading !== undefined && !anchors(path === "" ? text : readFileSync(file, "utf8")).includes(heading)
    );
  });
}

/** What the headings of a page are called in links. */
function anchors(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it("finds the paths that are not there", () => {
  const text =
    "See `src/nowhere.ts` or test/lint/. Not https://a.example/src/x, not #test/x, src/y.ts (new).";
  expect(missingPaths(text)).toEqual(["src/nowhere.ts"]);
});

it("finds the links that lead to no file, or to no heading of it", () => {
  const text = `# Top & tail
    [the plan](plan.md#first) ![none](images/none.png) [a folder](decisions) [the top](#top--tail) [lost](#lost)
    [deploy](deploy.md), [its start](deploy.md#start), [its end](deploy.md#no-such-end), [up](../README.md)
    [outside](https://a.example/x) [mail](mailto:a@a.example) \`[code](code.md)\` <img src="gone.png">
[reference]: gone.md
\`\`\`sh
[sample](sample.md)
\`\`\``;
  const broken = ["plan.md#first", "images/none.png", "decisions", "#lost", "deploy.md#no-such-end"];
  expect(brokenLinks(text, "docs/page.md")).toEqual([...broken, "gone.png", "gone.md"]);
});

const pages = [
  ..."README.md CONTRIBUTING.md CHANGELOG.md test/README.md".split(" "),
  ...globSync("docs/**/*.md"),
];

it("there are pages beside README.md", () => {
  expect(pages).toContain("docs/deploy.md");
});

it.each(pages)("%s names only paths that exist, and links only to files", (page) => {
  const text = readFileSync(page, "utf8");
  expect(missingPaths(text)).toEqual([]);
  expect(brokenLinks(text, page)).toEqual([]);
});

it.each(["docs/architecture.md", "test/README.md"])("%s names every folder of the tests", (page) => {
  const text = readFileSync(page, "utf8");
  const folders = globSync("test/*/").map((path) => basename(path));
  expect(folders).toContain("lint");
  expect(folders.filter((name) => !new RegExp(`\`${name}[\`/]`).test(text))).toEqual([]);
});

it("README.md can be read at one go", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThanOrEqual(150);
});

it("every call of the command line on a machine of one's own begins in the project's folder", () => {
  const blocks = [...readFileSync("docs/self-host/README.md", "utf8").matchAll(/^```sh\n(.*?)^```/gms)];
  const calling = blocks.map(([, text = ""]) => text).filter((text) => text.includes("npx "));
  expect(calling.length).toBeGreaterThan(2);
  for (const text of calling)
    expect(text).toMatch(
      /cd \/opt\/company-operations\n(?:(?!\bcd ).)*npx company-ops|npx --prefix \/opt\//s,
    );
});

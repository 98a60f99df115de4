import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importCircles } from "./import-circles.ts";
import { sources } from "./sources.ts";

const { imports: aliases } = JSON.parse(readFileSync("package.json", "utf8")) as {
  imports: Record<string, string>;
};
const file = (path: string, ...targets: string[]) => ({
  path,
  text: targets.map((target) => `import type { A } from "${target}";`).join("\n"),
});

it("finds a circle through relative paths, aliases and types", () => {
  const circle = [
    file("src/features/a/index.ts", "./verb.ts"),
    file("src/features/a/verb.ts", "#core/context.ts"),
    file("src/core/context.ts", "#features/a"),
    file("src/core/log.ts", "./context.ts"),
  ];
  expect(importCircles(circle, aliases)).toEqual([
    ["src/core/context.ts", "src/features/a/index.ts", "src/features/a/verb.ts"],
  ]);
});

it("finds a file that imports itself, and one that loads another later", () => {
  expect(importCircles([file("src/a.ts", "./a.ts")], aliases)).toEqual([["src/a.ts"]]);
  const later = { path: "src/b.ts", text: 'const { c } = await import("./c.ts");' };
  expect(importCircles([later, file("src/c.ts", "./b.ts")], aliases)).toEqual([["src/b.ts", "src/c.ts"]]);
});

it("two ways to one file are no circle", () => {
  const diamond = [file("src/a.ts", "./b.ts", "./c.ts"), file("src/b.ts", "./c.ts"), file("src/c.ts", "zod")];
  expect(importCircles(diamond, aliases)).toEqual([]);
});

it("no files import one another in a circle, types included", () => {
  const code = sources().filter(({ path }) => /\.[cm]?tsx?$/.test(path) && !path.startsWith("test/lint/"));
  expect(importCircles(code, aliases)).toEqual([]);
});

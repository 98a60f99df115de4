import { globSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { FOLDERS, filesOf, LEFT_TO_SOAK } from "../files-of.ts";

const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const files = globSync("test/**/*.test.ts").toSorted();

/** The test files that a script of package.json runs, by its projects and its files of variables. */
function filesOfScript(script: string): string[] {
  const words = script.split(/\s+/);
  const variables = words.flatMap((word) => /^--env-file=(.+)/.exec(word)?.[1] ?? []);
  const { SOAK } = Object.assign({}, ...variables.map((file) => parseEnv(readFileSync(file, "utf8"))));
  const projects = words.filter((_, at) => words[at - 1] === "--project");
  return projects.flatMap((project) => {
    const { include, exclude } = filesOf(project, SOAK === "1");
    return globSync(include, { exclude });
  });
}

it("CI runs each test file, and each project is in a script", () => {
  const ci = readFileSync(".ci/run", "utf8");
  const names = Array.from(
    ci.matchAll(/^npm (?:run )?(test:browser|test|soak|clients)\b/gm),
    ([, name = ""]) => name,
  );
  const run = new Set(names.flatMap((name) => filesOfScript(scripts[name] ?? "")));
  expect([...run].toSorted()).toEqual(files);
  expect(files.length).toBeGreaterThan(0);
  const projects = Object.keys(FOLDERS).filter(
    (name) => !Object.values(scripts).some((script) => script.includes(`--project ${name}`)),
  );
  expect(projects).toEqual([]);
});

it("each file that npm test leaves to soak exists", () => {
  expect(
    Object.values(LEFT_TO_SOAK)
      .flat()
      .filter((file) => !files.includes(file)),
  ).toEqual([]);
});

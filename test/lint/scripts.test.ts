import { globSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { FOLDERS, filesOf, LEFT_TO_SOAK, LEFT_TO_SOAK_LONG } from "../files-of.ts";

const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const files = globSync("test/**/*.test.ts").toSorted();

/** The test files that a script of package.json runs, by its projects and its files of variables. */
function filesOfScript(script: string): string[] {
  const words = script.split(/\s+/);
  const variables = words.flatMap((word) => /^--env-file=(.+)/.exec(word)?.[1] ?? []);
  const { SOAK } = Object.assign({}, ...variables.map((file) => parseEnv(readFileSync(file, "utf8"))));
  const projects = words.filter((_, at) => words[at - 1] === "--project");
  return projects.flatMap((project) => {
    const { include, exclude } = filesOf(project, SOAK);
    return globSync(include, { exclude });
  });
}

it("some script runs each test file, and each project is in a script", () => {
  const run = Object.values(scripts).flatMap(filesOfScript);
  expect(files.length).toBeGreaterThan(0);
  expect([...new Set(run)].toSorted()).toEqual(files);
  const projects = Object.keys(FOLDERS).filter(
    (name) => !Object.values(scripts).some((script) => script.includes(`--project ${name}`)),
  );
  expect(projects).toEqual([]);
});

it("npm test, soak and soak:long share no file, and have each that is left from one to another", () => {
  const [test = [], soak = [], long = []] = ["test", "soak", "soak:long"].map((name) =>
    filesOfScript(scripts[name] ?? ""),
  );
  const all = [...test, ...soak, ...long];
  expect(all.filter((file, at) => all.indexOf(file) !== at)).toEqual([]);
  expect(
    Object.values(LEFT_TO_SOAK)
      .flat()
      .filter((file) => !soak.includes(file)),
  ).toEqual([]);
  expect(
    Object.values(LEFT_TO_SOAK_LONG)
      .flat()
      .filter((file) => !long.includes(file)),
  ).toEqual([]);
});

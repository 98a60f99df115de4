import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { expectedOf } from "../drills/expected.ts";
import { commandsToRun, fencesOf } from "../drills/pages.ts";

/** The pages whose commands `npm run drill:operate` runs. */
const DRILLED = ["docs/deploy.md", "docs/operate.md"];
const fences = [...DRILLED, ...globSync("docs/self-host/*.md")].flatMap((page) => fencesOf(page));

it.each(DRILLED)("npm run drill:operate knows each command of %s, and what it prints", (page) => {
  const commands = commandsToRun(fences.filter((fence) => fence.page === page));
  const expected = expectedOf(page, commands);
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.map((command, at) => command.slice(0, expected[at]?.command.length))).toEqual(
    expected.map(({ command }) => command),
  );
});

it("a command that the drill does not know, or no more, is a finding", () => {
  const commands = commandsToRun(fences.filter(({ page }) => page === "docs/operate.md"));
  const differs = (given: readonly string[]) =>
    expectedOf("docs/operate.md", given).some(({ command }, at) => !given[at]?.startsWith(command));
  expect(differs(commands)).toBe(false);
  for (let at = 0; at < commands.length; at += 1) {
    expect(differs(commands.toSpliced(at, 0, "npx company-ops unknown")), commands[at]).toBe(true);
    if (!commands[at]?.endsWith("--help"))
      expect(differs(commands.toSpliced(at, 1)), commands[at]).toBe(true);
  }
});

it("the drill runs every fence of docs/operate.md, and sees each fence of a page", () => {
  const others = fences.filter(({ page, way }) => page === "docs/operate.md" && way.by !== "drill");
  expect(others).toEqual([]);
  for (const page of DRILLED) {
    const marks = readFileSync(page, "utf8").match(/^\s*(?:```|~~~)/gm) ?? [];
    expect(2 * fences.filter((fence) => fence.page === page).length, page).toBe(marks.length);
  }
});

it("a fence that a test is said to run is in that test", () => {
  const tested = fences.filter(({ way }) => way.by === "test");
  expect(tested.length).toBeGreaterThan(0);
  for (const { way, commands } of tested) {
    const text = readFileSync(way.said, "utf8");
    const words = commands.map((command) => command.split(" ").slice(2, 4).join('", "'));
    expect(words.filter((each) => !text.includes(`"${each}"`))).toEqual([]);
  }
});

it("every other fence of an operator's page is one that a script follows by its heading", () => {
  const others = fences.filter(({ page, way }) => way.by === "script" || !DRILLED.includes(page));
  expect(others.length).toBeGreaterThan(0);
  const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  for (const { heading, way } of others) {
    expect(way.by, heading).toBe("script");
    const [file = ""] = /test\/drills\/\S+/.exec(scripts[way.said] ?? "") ?? [];
    expect(readFileSync(file, "utf8")).toContain(`commandsOf("${heading}")`);
  }
});

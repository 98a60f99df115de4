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

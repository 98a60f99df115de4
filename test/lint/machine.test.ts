import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const { engines, scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

/** What only a POSIX shell takes: variables before a command, substitutions, single quotes, its own words. */
function posixOnly(script: string): string[] {
  const own =
    /(?:^|[&|;]\s*)[A-Za-z_]\w*=\S*|\$[({\w]|`|'|;|\b(?:export|rm|cp|mkdir|true|test)\s+-?|\/dev\/null/g;
  return [...script.matchAll(own)].map(([found]) => found);
}

it("finds what only a POSIX shell takes", () => {
  expect(posixOnly("node a.ts && RUNS=8 vitest run")).toHaveLength(1);
  expect(posixOnly("A=1 redocly lint")).toHaveLength(1);
  expect(posixOnly("rm -rf build; echo $HOME")).not.toEqual([]);
  expect(posixOnly("node -r ./a.cjs b.ts && vitest run --config=c.ts --project !browser")).toEqual([]);
});

it("no script of package.json needs a POSIX shell", () => {
  const found = Object.entries(scripts).map(([name, script]) => [name, posixOnly(script)]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.keys(scripts).map((name) => [name, []])),
  );
});

it("package.json, the lock file, the README, the Node that comes along and the check at the start agree", () => {
  const [major = ""] = /\d+/.exec(engines.node) ?? [];
  expect(engines.node).toBe(`>=${major}`);
  expect(readFileSync("README.md", "utf8")).toContain(`Have Node ${major} or newer`);
  expect(readFileSync("package-lock.json", "utf8")).toContain(`"node": "${engines.node}"`);
  const running = execFileSync("node", ["--version"], { encoding: "utf8" });
  expect(Number(/\d+/.exec(running)?.[0])).toBeGreaterThanOrEqual(Number(major));
});

it("every script that runs our TypeScript checks the Node first", () => {
  const runsOurs = (script: string) =>
    /\bnode\b[^&]* (?:src|test)\/[\w/-]+\.ts|npm run (?!build|client)/.test(script);
  const unchecked = Object.entries(scripts)
    .filter(
      ([, script]) => runsOurs(script) && !/^node (?:-r )?\.\/src\/build\/require-node\.cjs /.test(script),
    )
    .map(([name]) => name);
  expect(unchecked).toEqual([]);
});

import { execFileSync, spawnSync } from "node:child_process";
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

/** What the check at the start says on a Node of that version. */
function check(version: string, platform: string = process.platform) {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });
    Object.defineProperty(process, "platform", { value: ${JSON.stringify(platform)} });
    require("./src/build/require-node.cjs");`;
  return spawnSync(process.execPath, ["-e", pretend], { encoding: "utf8" });
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
    /\bnode\b[^&]* (?:src|test)\/[\w/-]+\.ts|npm run (?!build)/.test(script);
  const unchecked = Object.entries(scripts)
    .filter(
      ([, script]) => runsOurs(script) && !/^node (?:-r )?\.\/src\/build\/require-node\.cjs /.test(script),
    )
    .map(([name]) => name);
  expect(unchecked).toEqual([]);
});

it.each(["20.19.2", "22.12.0", "22.21.1", "23.9.0"])("a start on Node %s says what to do", (version) => {
  const onLinux = check(version, "linux");
  expect(onLinux.status).toBe(1);
  expect(onLinux.stderr).toContain(`This project runs on Node 24 or newer, and this is Node ${version}`);
  expect(onLinux.stderr).toContain("npm ci brings the right one along");
  expect(check(version, "darwin").stderr).toContain("nvm install 24");
});

it("a start on Windows names WSL, and one on Node 24 passes", () => {
  expect(check("24.1.0", "win32")).toMatchObject({ status: 1, stderr: expect.stringContaining("WSL") });
  expect(check("24.0.0")).toMatchObject({ status: 0, stderr: "" });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("what docs/deploy.md makes in this folder and must stay secret cannot be committed by accident", () => {
  const ignored = readFileSync(".gitignore", "utf8").split("\n");
  const [, folder] = /database-key --out (\w+)/.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  expect(ignored).toEqual(expect.arrayContaining([`/${folder}/`, ".dev.vars", "*.pem"]));
});

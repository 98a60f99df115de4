import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("what docs/deploy.md makes in this folder and must stay secret cannot be committed by accident", () => {
  const ignored = readFileSync(".gitignore", "utf8").split("\n");
  const [, folder] = /database-key --out (\w+)/.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
  expect(ignored).toEqual(expect.arrayContaining([`/${folder}/`, ".dev.vars", "*.pem"]));
});

it("what docs/self-host has in its folder with compose, and backups of it, cannot be committed by accident", () => {
  const ignored = readFileSync(".gitignore", "utf8").split("\n");
  const named = readFileSync("docs/self-host/compose.yaml", "utf8").matchAll(/"\.\/([\w.-]+)[":]/g);
  const names = new Set([...named].map(([, name]) => name));
  expect(names).toEqual(
    new Set(["sqld.env", "database-key.public.pem", "worker.env", "backups", "watched.sh"]),
  );
  const folder = "/docs/self-host/";
  expect(ignored).toEqual(
    expect.arrayContaining(["*.pem", `${folder}*.env`, `${folder}backups/`, `${folder}keys/`]),
  );
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";

const MODULE = join(import.meta.dirname, "../../src/sandbox/data-folder/folder-lock.ts");
const HOLD = `import { lockFolder } from ${JSON.stringify(MODULE)};
const [folder, file] = process.argv.slice(-2);
try { lockFolder(folder, file, "http://localhost:1"); console.log("held"); process.stdin.resume(); process.stdin.on("end", () => process.exit()); }
catch (error) { console.log(error.message); process.exit(1); }`;

const place = useFolder();
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(place("lock-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that wants the folder, and the first that it says. */
async function want(): Promise<{ child: ChildProcess; said: string }> {
  const parameters = ["--input-type=module", "-e", HOLD, folder, join(folder, "running.lock")];
  const child = spawn(process.execPath, parameters, { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said).trim() };
}

test("of ten that want a folder at once one has it, and the others say which process that is", async () => {
  const all = await Promise.all(Array.from({ length: 10 }, want));
  const holder = all.find(({ said }) => said === "held")?.child.pid;
  const refusal = `${folder} is in use: process ${holder} runs on it at http://localhost:1.`;
  expect(all.filter(({ said }) => said.includes(refusal))).toHaveLength(9);
});

test("what was killed holds it no longer, and what ends leaves nothing", async () => {
  const first = await want();
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const second = await want();
  expect(second.said).toBe("held");
  second.child.stdin?.end();
  await once(second.child, "exit");
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["", "{", JSON.stringify({ pid: process.pid, began: "another boot 1", url: "" })])(
  "a file that names no running process (%s) is taken over",
  async (text) => {
    writeFileSync(join(folder, "running.lock"), text);
    expect((await want()).said).toBe("held");
  },
);

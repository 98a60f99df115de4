import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { DataFolder } from "../../src/sandbox/data-folder/data-folder.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";

const run = promisify(execFile);
const START = join(import.meta.dirname, "../../src/sandbox/start.ts");

const place = useFolder();
writeFileSync(place("file"), "");

test.each([
  ["a file", () => place("file"), "ENOTDIR"],
  ["a folder in a file", () => place("file", "data"), "ENOTDIR"],
])("%s is no folder for data", (_, path, code) => {
  expect(() => new DataFolder(path(), false, "http://localhost:1")).toThrow(
    `DATA_DIR ${path()} cannot be written (${code}): set it to a folder of yours`,
  );
});

test("a place where nothing can be made ends the start at once", async () => {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const env = { ...process.env, DATA_DIR: "/proc/foo", PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}` };
  // Node's own recursive mkdir never returns there, and holds off every signal but this one.
  const started = run(process.execPath, [START], { env, timeout: 20_000, killSignal: "SIGKILL" });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATA_DIR \/proc\/foo cannot be written \((ENOENT|EACCES|EROFS)\): set it to a folder of yours\n$/,
    ),
  });
}, 30_000);

test("a place that belongs to another user is refused with its code", () => {
  const isRoot = process.geteuid?.() === 0;
  // Root may write anywhere: the test then takes the rights of user 65534.
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(() => new DataFolder("/company-operations-data", false, "http://localhost:1")).toThrow(
      /^DATA_DIR .* cannot be written \((EACCES|EROFS)\): set it to a folder of yours$/,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test("missing folders above it are made, and it is its owner's alone", () => {
  const deep = place("one", "two");
  new DataFolder(deep, false, "http://localhost:1");
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "../../src/sandbox/worker/log.ts";

test("a log begins anew with each start and has each line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "worker-log-"));
  const path = join(folder, "worker.log");
  openLog(path)("of an earlier start");
  const log = openLog(path);
  log("one");
  log("two");
  expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
  await rm(folder, { recursive: true });
});

test("a line that does not fit on a full disk is lost, and nothing else happens", () => {
  const log = openLog("/dev/full");
  expect(() => log("too much")).not.toThrow();
});

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { openLog } from "../../src/sandbox/worker/log.ts";

const place = useFolder();

test("a log begins anew with each start and has each line", async () => {
  const path = place("worker.log");
  openLog(path)("of an earlier start");
  const log = openLog(path);
  log("one");
  log("two");
  expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
});

test("a line that does not fit on a full disk is lost, and nothing else happens", () => {
  const log = openLog("/dev/full");
  expect(() => log("too much")).not.toThrow();
});

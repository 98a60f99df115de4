import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { step } from "../../src/sandbox/terminal/progress.ts";

test("a slow step says now and then that it is still at it, and at its end how long it took", async () => {
  const lines: string[] = [];
  const work = () => sleep(180).then(() => 7);
  expect(await step("the databases", work, (line) => lines.push(stripVTControlCharacters(line)), 50)).toBe(7);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines[0]).toMatch(/^ {2}\.\.\. the databases \(0\.\d s so far\)$/);
  expect(lines.at(-1)).toMatch(/^ {2}done the databases 0\.\d s$/);
});

test("a step that fails says nothing of an end", async () => {
  const lines: string[] = [];
  const failing = step(
    "the Worker",
    () => Promise.reject(new Error("no")),
    (line) => lines.push(line),
  );
  await expect(failing).rejects.toThrow("no");
  expect(lines).toEqual([]);
});

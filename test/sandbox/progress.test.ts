import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { step } from "../../src/sandbox/terminal/progress.ts";

function screen(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(stripVTControlCharacters(text));
  return { isTTY, columns: 40, write, written };
}

test("a slow step says now and then that it is still at it, and at its end how long it took", async () => {
  const { written, ...plain } = screen(false);
  const work = () => sleep(180).then(() => 7);
  expect(await step("the databases", work, plain, 50)).toBe(7);
  expect(written.length).toBeGreaterThanOrEqual(3);
  expect(written[0]).toMatch(/^ {2}\.\.\. the databases \(0\.\d s so far\)\n$/);
  expect(written.at(-1)).toMatch(/^ {2}done the databases 0\.\d s\n$/);
});

test("a step that fails says nothing of an end", async () => {
  const { written, ...plain } = screen(false);
  const failing = step("the Worker", () => Promise.reject(new Error("no")), plain);
  await expect(failing).rejects.toThrow("no");
  expect(written).toEqual([]);
});

test("on a terminal one line names all that is being done, rewrites itself, and is gone at the end", async () => {
  const { written, ...terminal } = screen(true);
  const steps = ["the Worker", "the documents, which have a long name"].map((name, index) =>
    step(name, () => sleep(60 + 60 * index), terminal, 20),
  );
  await Promise.all(steps);
  expect(written.join("")).not.toContain("\n");
  expect(written[0]).toBe("\r  the Worker, the documents, which have");
  expect(written.some((line) => line.startsWith("\r  the documents"))).toBe(true);
  expect(written.at(-1)).toBe("\r");
});

import { mkdir, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { madeOnce } from "../../src/sandbox/worker/made-once.ts";

const path = useFolder();

test("what is made of files is made again once one of them is another, or it is gone or was not finished", async () => {
  const [folder, sources] = [path("assets"), path("sources")];
  await mkdir(path("sources/inside"), { recursive: true });
  await writeFile(path("sources/one.ts"), "1");
  let times = 0;
  const make = async () => {
    times += 1;
    await mkdir(folder, { recursive: true });
  };
  const fail = () => make().then(() => Promise.reject(new Error("Full")));
  const timesAfter = async (change: () => Promise<unknown>, how = make) => {
    await change();
    await madeOnce(folder, [sources], how).catch(() => undefined);
    return times;
  };
  expect(await timesAfter(async () => undefined)).toBe(1);
  expect(await timesAfter(async () => undefined)).toBe(1);
  expect(await timesAfter(() => writeFile(path("sources/one.ts"), "2"))).toBe(2);
  expect(await timesAfter(() => writeFile(path("sources/inside/two.ts"), ""))).toBe(3);
  expect(await timesAfter(() => rm(folder, { recursive: true }))).toBe(4);
  expect(await timesAfter(() => writeFile(path("sources/one.ts"), "3"), fail)).toBe(5);
  expect(await timesAfter(async () => undefined)).toBe(6);
});

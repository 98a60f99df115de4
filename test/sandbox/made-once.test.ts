import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madeOnce } from "../../src/sandbox/worker/made-once.ts";

test("what is made of files is made again once one of them is another, or it is gone or was not finished", async () => {
  const place = await mkdtemp(join(tmpdir(), "company-operations-made-"));
  try {
    const [folder, sources] = [join(place, "assets"), join(place, "sources")];
    await mkdir(join(sources, "inside"), { recursive: true });
    await writeFile(join(sources, "one.ts"), "1");
    let times = 0;
    const make = async () => {
      times += 1;
      await mkdir(folder, { recursive: true });
    };
    const timesAfter = async (change: () => Promise<unknown>, how = make) => {
      await change();
      await madeOnce(folder, [sources], how).catch(() => undefined);
      return times;
    };
    expect(await timesAfter(async () => undefined)).toBe(1);
    expect(await timesAfter(async () => undefined)).toBe(1);
    expect(await timesAfter(() => writeFile(join(sources, "one.ts"), "2"))).toBe(2);
    expect(await timesAfter(() => writeFile(join(sources, "inside/two.ts"), ""))).toBe(3);
    expect(await timesAfter(() => rm(folder, { recursive: true }))).toBe(4);
    const fail = async () => {
      await make();
      throw new Error("Full");
    };
    expect(await timesAfter(() => writeFile(join(sources, "one.ts"), "3"), fail)).toBe(5);
    expect(await timesAfter(async () => undefined)).toBe(6);
  } finally {
    await rm(place, { recursive: true });
  }
});

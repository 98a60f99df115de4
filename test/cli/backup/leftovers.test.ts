import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { removeLeftovers } from "../../../src/cli/backup/folder.ts";

const HOUR_S = 3_600;
const nameOf = (digit: string) => `company-ops-${digit.repeat(32)}`;
const folder = useFolder()();

test("what a killed backup left is removed after an hour, and named before; nothing else is touched", async () => {
  const now = Date.now() / 1_000;
  const write = async (name: string, ageS: number) => {
    await writeFile(join(folder, name), "");
    await utimes(join(folder, name), now - ageS, now - ageS);
  };
  const [dead, running] = [nameOf("a"), nameOf("b")];
  for (const kind of ["partial", "rows", "files"]) await write(`${dead}.${kind}`, HOUR_S + 60);
  // A backup that runs writes its rows first, and its head at the end.
  await write(`${running}.partial`, HOUR_S + 60);
  await write(`${running}.rows`, 60);
  const others = ["asha.backup", "company-ops-notes.files", `${nameOf("c")}.partial.old`];
  for (const name of others) await write(name, 2 * HOUR_S);
  const { removed, later } = await removeLeftovers(folder);
  expect({ removed, later: later.toSorted() }).toEqual({
    removed: 3,
    later: [`${running}.partial`, `${running}.rows`],
  });
  expect((await readdir(folder)).toSorted()).toEqual([...others, ...later].toSorted());
});

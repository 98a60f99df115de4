import { chmod, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Reader } from "#cli/backup/dump/values.ts";
import { writeBackup, writeDump } from "#cli/backup/file/write-files.ts";
import { useFolder } from "../../support/folder.ts";
import { madeDatabase, SOURCE } from "./made.ts";

const path = useFolder();
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path("files-"));
  file = join(folder, "asha");
});

const WRITERS: [string, (reader: Reader, file: string) => Promise<unknown>][] = [
  ["export", writeDump],
  ["backup", (reader, file) => writeBackup(reader, file, SOURCE)],
];

test.each(WRITERS)("%s follows no link and touches no file that lies beside its own", async (_, write) => {
  await writeFile(join(folder, "precious"), "precious");
  await symlink(join(folder, "precious"), `${file}.partial`);
  await writeFile(`${file}.rows`, "somebody's");
  await chmod(`${file}.rows`, 0o644);
  await write(madeDatabase("company"), file);
  expect(await readFile(join(folder, "precious"), "utf8")).toBe("precious");
  expect(await readFile(`${file}.rows`, "utf8")).toBe("somebody's");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(["asha", "asha.partial", "asha.rows", "precious"]);
});

test.each(WRITERS)(
  "%s writes nothing over what comes there while it works, and leaves nothing",
  async (_, write) => {
    const made = madeDatabase("company");
    const reader: Reader = {
      async all(sql, values) {
        await writeFile(file, "somebody's");
        return made.all(sql, values);
      },
    };
    await expect(write(reader, file)).rejects.toThrow(`${file} is there already`);
    expect(await readFile(file, "utf8")).toBe("somebody's");
    expect(await readdir(folder)).toEqual(["asha"]);
  },
);

test.each(WRITERS)(
  "%s refuses a name that a link to nowhere has, before it reads anything",
  async (_, write) => {
    await symlink(join(folder, "nowhere"), file);
    const reader: Reader = { all: () => Promise.reject(new Error("was read")) };
    await expect(write(reader, file)).rejects.toThrow("is there already");
    expect(await readdir(folder)).toEqual(["asha"]);
  },
);

test("while a backup is written, its files are new, private and named by chance; a fault leaves none", async () => {
  const made = madeDatabase("company");
  let during: string[] = [];
  const reader: Reader = {
    async all(sql, values) {
      during = (await readdir(folder)).toSorted();
      for (const name of during) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      if (sql.includes("customers")) throw new Error("the database is gone");
      return made.all(sql, values);
    },
  };
  await expect(writeBackup(reader, file, SOURCE)).rejects.toThrow("gone");
  expect(during.map((name) => name.replace(/[0-9a-f]{32}/, "CHANCE"))).toEqual([
    "company-ops-CHANCE.files",
    "company-ops-CHANCE.partial",
    "company-ops-CHANCE.rows",
  ]);
  expect(await readdir(folder)).toEqual([]);
});

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Stream } from "#cli/backup/database/stream.ts";
import type { Key } from "../../support/company.ts";
import type { Libsql } from "../../support/libsql/index.ts";
import { createNamespace, PLATFORM_TOKEN, type Service } from "../../support/service.ts";

/** What is kept of a release: its name, its schema's number, and the SHA-256 of each text that its schema is of. */
export type Manifest = { release: string; schema_number: number; migrations: Record<string, string> };
/** A company that it made, and its and the control database's SQL. */
export type Data = {
  slug: string;
  key: Key;
  database: string;
  dumps: Record<string, string>;
};

/** What `freeze.ts` has written. */
export const FROZEN = join(import.meta.dirname, "1.0.0-rc.1");

/** Unpacks the bundle of the frozen release into a folder. */
export async function frozenBundle(folder: string): Promise<string> {
  const modules = unpacked<Record<string, string>>("worker.json.br");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
  return folder;
}

export function frozenData(): Data {
  return unpacked<Data>("data.json.br");
}

/** The SHA-256 of a file of the schema as the frozen release has it. */
export function frozenSha256(file: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(FROZEN, "manifest.json"), "utf8")) as Manifest;
  return manifest.migrations[file];
}

/** Puts the frozen data into an empty database server. */
export async function loadFrozen(libsql: Libsql): Promise<void> {
  const { database, dumps } = frozenData();
  await createNamespace(libsql, database);
  for (const [name, sql] of Object.entries(dumps)) {
    const stream = new Stream({ url: `${libsql.url}/dev/${name}`, token: libsql.token });
    await stream.script(`BEGIN; PRAGMA defer_foreign_keys = ON; ${sql} COMMIT;`);
    if (name === "control")
      await stream.all("UPDATE companies SET database_url = ?, database_token = NULL", [
        `${libsql.url}/dev/${database}/`,
      ]);
    await stream.end();
  }
}

/** Gives the frozen company the token of this database server, as the operator does. */
export async function renewToken({ url }: Service): Promise<void> {
  const path = `/platform/companies/${frozenData().slug}/migrations`;
  const headers = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const response = await fetch(url + path, { method: "POST", headers });
  if (!response.ok) throw new Error(await response.text());
}

function unpacked<Value>(file: string): Value {
  return JSON.parse(brotliDecompressSync(readFileSync(join(FROZEN, file))).toString()) as Value;
}

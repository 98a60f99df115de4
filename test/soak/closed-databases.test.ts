import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { KeptStreams, type Send } from "#core/database/kept-streams.ts";
import { fastFolder, type Libsql, startLibsql } from "../support/libsql/index.ts";
import { createNamespace } from "../support/service.ts";

const ROUNDS = 6;

let folder: string;
let libsql: Libsql;
beforeAll(async () => {
  folder = await mkdtemp(join(await fastFolder(), "sqld-"));
  // Only the log says that a database was closed.
  vi.stubEnv("RUST_LOG", "libsql_server::namespace=info");
  libsql = await startLibsql(folder, { activeNamespaces: 2 });
});
afterAll(async () => {
  await libsql.stop();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

function clientOf(name: string, streams?: KeptStreams) {
  const send: Send = async (request) => {
    const { url, method, headers } = request;
    return fetch(url, {
      method,
      headers: [...headers],
      body: method === "POST" ? await request.text() : null,
    });
  };
  return createClient({
    url: `${libsql.direct().url}/dev/${name}/`,
    authToken: libsql.token,
    fetch: streams?.forBatches(name, send) ?? send,
  });
}

const timesClosed = async () =>
  (await readFile(join(folder, "sqld.log"), "utf8")).split("`ours` deallocated").length;

/** Asks again while sqld does not know a new database: for a moment, where it has just closed another one. */
async function onceKnown<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes("HTTP status 404")) throw error;
    }
  }
}

test("what is written over a stream from before sqld closed the database is in it, also after a kill", async () => {
  const others = ["one", "two", "three"];
  for (const name of ["ours", ...others]) await createNamespace(libsql.direct(), name);
  const table = "CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY, filler BLOB)";
  await onceKnown(() => clientOf("ours").execute(table));
  const written: string[] = [];
  const write = async (client: ReturnType<typeof clientOf>, name: string) => {
    const insert = { sql: "INSERT INTO things VALUES (?, randomblob(3000))", args: [name] };
    await onceKnown(() => client.batch([insert], "write"));
    written.push(name);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const kept = clientOf("ours", new KeptStreams());
    await write(kept, `${round} first`);
    await write(kept, `${round} opens the stream`);
    const before = await timesClosed();
    while ((await timesClosed()) === before)
      for (const name of others)
        await clientOf(name)
          .execute("SELECT 1")
          .catch(() => undefined);
    await write(kept, `${round} closed`);
    const anew = clientOf("ours");
    for (let turn = 0; turn < 5; turn += 1)
      await Promise.all([write(kept, `${round} kept ${turn}`), write(anew, `${round} anew ${turn}`)]);
    if (round % 2 === 1) {
      await libsql.kill();
      await libsql.restart();
    }
    const { rows } = await clientOf("ours").execute("SELECT name FROM things");
    expect(rows.map((row) => row.name).sort()).toEqual([...written].sort());
  }
  const { rows } = await clientOf("ours").execute("PRAGMA integrity_check");
  expect(rows).toEqual([{ integrity_check: "ok" }]);
});

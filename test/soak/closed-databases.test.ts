import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ATTEMPT_MS } from "#core/database/clients.ts";
import { groupEnds, groupSteps, lastSucceeded } from "#core/database/group.ts";
import { bind } from "#core/database/protocol.ts";
import { openSender, type SendBatch } from "#core/database/sender.ts";
import { Streams } from "#core/database/streams.ts";
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

const addressOf = (name: string) => ({ url: `${libsql.direct().url}/dev/${name}/`, token: libsql.token });

function clientOf(name: string) {
  const { url, token } = addressOf(name);
  return createClient({ url, authToken: token });
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
  const write = async (send: SendBatch, name: string) => {
    const batch = [bind({ sql: "INSERT INTO things VALUES (?, randomblob(3000))", params: [name] })];
    const [end] = await onceKnown(async () =>
      groupEnds([batch], await send(addressOf("ours"), groupSteps([batch]), ATTEMPT_MS, lastSucceeded)),
    );
    expect(end).toHaveProperty("results");
    written.push(name);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const kept = openSender();
    await write(kept, `${round} first`);
    await write(kept, `${round} opens the stream`);
    const before = await timesClosed();
    for (let turn = 1; (await timesClosed()) === before; turn += 1) {
      // It may have been closed just before it was counted: a write opens it again.
      if (turn % 200 === 0) await write(kept, `${round} again ${turn}`);
      for (const name of others)
        await clientOf(name)
          .execute("SELECT 1")
          .catch(() => undefined);
    }
    await write(kept, `${round} closed`);
    const anew = openSender(new Streams(0));
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

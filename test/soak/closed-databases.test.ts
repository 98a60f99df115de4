import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { afterAll, expect, test, vi } from "vitest";
import { ATTEMPT_MS } from "#core/database/clients.ts";
import { groupEnds, groupSteps, lastSucceeded } from "#core/database/group.ts";
import { bind } from "#core/database/protocol.ts";
import { openSender, type SendBatch } from "#core/database/sender.ts";
import { Streams } from "#core/database/streams.ts";
import { fastFolder, startLibsql } from "../support/libsql/index.ts";
import { createNamespace } from "../support/service.ts";

const ROUNDS = 6;
// sqld keeps the databases that it counts most calls of. Its small counters fill up on a slow machine, and then it closes
// `ours` no more: it begins anew.
const MOST_TURNS = 60;

const folder = await mkdtemp(join(await fastFolder(), "sqld-"));
// Only the log says that a database was closed.
vi.stubEnv("RUST_LOG", "libsql_server::namespace=info");
const libsql = await startLibsql(folder, { activeNamespaces: 2 });
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
  const restart = async () => {
    await libsql.kill();
    await libsql.restart();
  };
  for (let round = 0, attempt = 0; round < ROUNDS; attempt += 1) {
    const kept = openSender();
    await write(kept, `${attempt} first`);
    await write(kept, `${attempt} opens the stream`);
    const before = await timesClosed();
    for (let turn = 1; turn <= MOST_TURNS && (await timesClosed()) === before; turn += 1) {
      // It may have been closed just before it was counted: a write opens it again.
      if (turn % 20 === 0) await write(kept, `${attempt} again ${turn}`);
      for (const name of others)
        await clientOf(name)
          .execute("SELECT 1")
          .catch(() => undefined);
    }
    if ((await timesClosed()) === before) {
      await restart();
      continue;
    }
    await write(kept, `${attempt} closed`);
    const anew = openSender(new Streams(0));
    for (let turn = 0; turn < 5; turn += 1)
      await Promise.all([write(kept, `${attempt} kept ${turn}`), write(anew, `${attempt} anew ${turn}`)]);
    if (round % 2 === 1) await restart();
    const { rows } = await clientOf("ours").execute("SELECT name FROM things");
    expect(rows.map((row) => row.name).sort()).toEqual([...written].sort());
    round += 1;
  }
  const { rows } = await clientOf("ours").execute("PRAGMA integrity_check");
  expect(rows).toEqual([{ integrity_check: "ok" }]);
});

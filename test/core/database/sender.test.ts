import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { ATTEMPT_MS, openClient } from "#core/database/clients.ts";
import { Database } from "#core/database/database.ts";
import {
  allSucceeded,
  type End,
  groupEnds,
  groupReadEnds,
  groupReadSteps,
  groupSteps,
  lastSucceeded,
} from "#core/database/group.ts";
import { type Bound, bind } from "#core/database/protocol.ts";
import { openSender } from "#core/database/sender.ts";
import { Streams } from "#core/database/streams.ts";
import { startSqld } from "../../support/libsql/bare-sqld.ts";

const sqld = await startSqld();
afterAll(() => sqld.stop());
afterEach(() => {
  vi.unstubAllGlobals();
});

type Sent = { baton: string | null; closes: boolean; status: number };

/** A database of its own, a sender of its own, and what that sent. */
async function open(streams = new Streams()) {
  const namespace = crypto.randomUUID();
  await sqld.admin("POST", `/v1/namespaces/${namespace}/create`, {});
  const address = { url: `${sqld.url}/dev/${namespace}/`, token: sqld.token };
  await openClient(address, ATTEMPT_MS).execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)");
  // The runtime's own, by which a database waits between two attempts.
  vi.stubGlobal("scheduler", { wait: sleep });
  const send = openSender(streams);
  const ask = globalThis.fetch;
  const sent: Sent[] = [];
  const changes: ((body: string) => string)[] = [];
  const answers: ((response: Response) => Response)[] = [];
  vi.stubGlobal("fetch", async (url: string, { body, ...init }: RequestInit & { body: string }) => {
    const response = await ask(url, { ...init, body: changes.shift()?.(body) ?? body });
    const { baton, requests } = JSON.parse(body);
    sent.push({ baton, closes: requests.at(-1).type === "close", status: response.status });
    return answers.shift()?.(response) ?? response;
  });
  /** What each batch of a group gave, or its error. */
  const readGroup = async (...batches: string[][]) => {
    const bound = batches.map((texts) => texts.map((text) => bind({ sql: text, params: [] })));
    const reply = await send(address, groupReadSteps(bound), ATTEMPT_MS, allSucceeded);
    return groupReadEnds(bound, reply).map((end) =>
      "error" in end ? end.error : end.results.map(({ rows }) => rows[0]?.n),
    );
  };
  const read = async (...texts: string[]) => {
    const [end] = await readGroup(texts);
    if (end instanceof Error) throw end;
    return end;
  };
  const write = async (...texts: string[]): Promise<End | undefined> => {
    const batch: Bound[] = texts.map((text) => bind({ sql: text, params: [] }));
    return groupEnds([batch], await send(address, groupSteps([batch]), ATTEMPT_MS, lastSucceeded))[0];
  };
  return { address, sent, changes, answers, read, readGroup, write };
}

const COUNT = "SELECT count(*) AS n FROM things";
const INSERT = "INSERT INTO things (name) VALUES ('one more')";

test("a database that is asked often is asked over one open stream, and each read sees all that was written before it", async () => {
  const { sent, read, write } = await open();
  for (let count = 1; count <= 5; count += 1) {
    await write(INSERT);
    expect(await read("SELECT 0 AS n", COUNT)).toEqual([0, count]);
    expect(await read(COUNT)).toEqual([count]);
  }
  expect(sent.map(({ baton }) => baton !== null)).toEqual([false, false, ...Array(13).fill(true)]);
  expect(sent.map(({ closes }) => closes)).toEqual([true, ...Array(14).fill(false)]);
});

test("a write that is refused leaves nothing, and a stream that works", async () => {
  const { sent, read, write } = await open();
  await write("INSERT INTO things (id) VALUES (1)");
  await write("INSERT INTO things (id) VALUES (2)");
  const end = await write("INSERT INTO things (id) VALUES (3)", "INSERT INTO things (id) VALUES (1)");
  expect(end).toMatchObject({ error: { message: expect.stringContaining("UNIQUE") } });
  await write("INSERT INTO things (id) VALUES (4)");
  expect(await read("SELECT sum(id) AS n FROM things")).toEqual([7]);
  expect(sent.slice(2).every(({ baton }) => baton !== null)).toBe(true);
});

test("reads of a group stand by themselves: one that fails changes no other, and ends the stream", async () => {
  const { sent, read, readGroup, write } = await open();
  await write(INSERT);
  await read(COUNT);
  const missing = "SELECT n FROM no_such_table";
  const ends = await readGroup(
    [COUNT],
    [missing],
    ["SELECT 1 AS n", missing],
    ["SELECT 2 AS n", COUNT],
    ["SELECT 3 AS n"],
  );
  const error = expect.objectContaining({ message: expect.stringContaining("no_such_table") });
  expect(ends).toEqual([[1], error, error, [2, 1], [3]]);
  await write(INSERT);
  expect(await readGroup([COUNT], [COUNT, "SELECT 4 AS n"])).toEqual([[2], [2, 4]]);
  // The fourth closes the stream.
  expect(sent.map(({ baton }) => baton !== null)).toEqual([false, false, true, true, false, true]);
});

test("reads at one time never share a stream", async () => {
  const { sent, read } = await open();
  await read(COUNT);
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all(Array.from({ length: 8 }, () => read(COUNT)))).toEqual(Array(8).fill([0]));
  const batons = sent.flatMap(({ baton }) => baton ?? []);
  expect(batons).toHaveLength(16);
  expect(new Set(batons).size).toBe(16);
  expect(sent.every(({ status }) => status === 200)).toBe(true);
});

test("where its stream is no more, a batch goes out again on a new one", async () => {
  const { sent, changes, read, write } = await open();
  await read(COUNT);
  await read(COUNT);
  // Another name: sqld refuses it as it does one that has expired, or is from before its start.
  changes.push((body) => body.replace(/"baton":"[^"]*"/, '"baton":"lost"'));
  expect(await write(INSERT)).toHaveProperty("results");
  expect(await read(COUNT)).toEqual([1]);
  expect(sent.slice(2).map(({ status }) => status)).toEqual([400, 200, 200]);
});

test.each([
  ["whose answer is cut off", (_: Response) => new Response('{"baton":"never","resul')],
  [
    "whose answer is of another protocol",
    (_: Response) => Response.json({ baton: "never", results: [{ type: "ok" }] }),
  ],
  [
    "whose connection breaks",
    (_: Response): Response => {
      throw new Error("Network connection lost.");
    },
  ],
])("a stream %s is never used again", async (_, answer) => {
  const { sent, answers, read } = await open();
  await read(COUNT);
  await read(COUNT);
  answers.push(answer);
  await expect(read(COUNT)).rejects.toThrow();
  expect(await read(COUNT)).toEqual([0]);
  const names = sent.map(({ baton }) => baton).filter((baton) => baton !== null);
  expect(names).not.toContain("never");
  expect(new Set(names).size).toBe(names.length);
  expect(sent.at(-1)?.baton ?? null).toBeNull();
});

test("a stream on which a transaction may be left open is closed, and holds no lock", async () => {
  const { sent, read, write } = await open();
  const large = "SELECT hex(randomblob(2000000)) AS n";
  await read(COUNT);
  await read(COUNT);
  await expect(write(INSERT, ...Array.from({ length: 4 }, () => large))).rejects.toThrow("too large");
  expect(sent.at(-1)?.closes).toBe(true);
  const startedAt = performance.now();
  expect(await write(INSERT)).toHaveProperty("results");
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  expect(await read(COUNT)).toEqual([1]);
});

test("no more streams are kept than an isolate may, and none on Turso", async () => {
  const { sent, read } = await open(new Streams(2));
  await read(COUNT);
  await Promise.all(Array.from({ length: 6 }, () => read(COUNT)));
  expect(sent.filter(({ closes }) => !closes)).toHaveLength(2);
  const streams = new Streams();
  const taken = [1, 2].map(() => streams.take("libsql://company.turso.io", ""));
  expect(taken.map(({ isKept }) => isKept)).toEqual([false, false]);
});

test("a row has its cells by name and by place, also where names are equal, or are those of places", async () => {
  const { address } = await open();
  const values = sql`SELECT 7 AS id, 'b' AS id, 1, x'00ff' AS bytes, NULL AS none, 1.5 AS half, -3 AS whole`;
  const [result] = await new Database(address).write([values]);
  const [row = {}] = result?.rows ?? [];
  expect([0, 1, 2, 4, 5, 6].map((place) => row[place])).toEqual([7, "b", 1, null, 1.5, -3]);
  expect(row).toMatchObject({ id: 7, none: null, half: 1.5, whole: -3 });
  expect(new Uint8Array(row.bytes as ArrayBuffer)).toEqual(new Uint8Array([0, 255]));
  const tooLarge = new Database(address).build.all(sql`SELECT 9007199254740993 AS n`);
  await expect(new Database(address).read([tooLarge])).rejects.toThrow();
});

test.each([
  ["whose answers are too large for one request", 3, sql`SELECT hex(zeroblob(2100000)) AS n`],
  ["one of which does not parse", 12, sql`SELECT 1`],
])("batches %s are written one by one", async (_, count, select) => {
  const { address, read, sent } = await open();
  const database = new Database(address);
  const isWrong = (index: number) => index === 5;
  const writes = Array.from({ length: count }, (__, index) =>
    database.write([sql`INSERT INTO things (id) VALUES (${index})`, isWrong(index) ? sql`SELEC 1` : select]),
  );
  const ends = await Promise.allSettled(writes);
  expect(ends.map(({ status }) => status === "rejected")).toEqual(writes.map((__, index) => isWrong(index)));
  expect(sent.length).toBeGreaterThan(count);
  expect(await read(COUNT)).toEqual([ends.filter(({ status }) => status === "fulfilled").length]);
});

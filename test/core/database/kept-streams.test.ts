import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KeptStreams, type Send } from "#core/database/kept-streams.ts";
import { type Sqld, startSqld } from "../../support/libsql/bare-sqld.ts";

let sqld: Sqld;
beforeAll(async () => {
  sqld = await startSqld();
});
afterAll(() => sqld.stop());

type Sent = { baton: string | null; closes: boolean; status: number };

/** A client of a database of its own, whose batches go over kept streams; and what it sent. */
async function open(streams: KeptStreams) {
  const namespace = crypto.randomUUID();
  await sqld.admin("POST", `/v1/namespaces/${namespace}/create`, { durability_mode: "strong" });
  const sent: Sent[] = [];
  let lost = false;
  const send: Send = async (request) => {
    const { url, method, headers } = request;
    const asked = await request.text();
    const { baton = null, requests } = JSON.parse(asked) as {
      baton?: string;
      requests: { type: string }[];
    };
    // Another name: sqld refuses it as it does one that has expired, or is from before its start.
    const body = lost && baton !== null ? asked.replace(baton, "lost") : asked;
    const response = await fetch(url, { method, headers: [...headers], body });
    sent.push({ baton, closes: requests.at(-1)?.type === "close", status: response.status });
    return response;
  };
  const client = createClient({
    url: `${sqld.url}/dev/${namespace}/`,
    authToken: sqld.token,
    concurrency: Number.POSITIVE_INFINITY,
    fetch: streams.forBatches(namespace, send),
  });
  await client.executeMultiple("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)");
  sent.length = 0;
  const read = async (sql = "SELECT count(*) AS n FROM things") =>
    (await client.batch(["SELECT 1", sql, "SELECT 1"], "read"))[1]?.rows[0]?.n;
  const loseStreams = () => {
    lost = true;
  };
  return { client, sent, read, loseStreams };
}

test("a database that is asked often is asked over one open stream, and each read sees all that was written before it", async () => {
  const { client, sent, read } = await open(new KeptStreams());
  for (let count = 1; count <= 5; count += 1) {
    await client.batch([`INSERT INTO things (name) VALUES ('one more')`], "write");
    expect(await read()).toBe(count);
  }
  expect(sent.map(({ baton }) => baton !== null)).toEqual([false, false, ...Array(8).fill(true)]);
  expect(sent.map(({ closes }) => closes)).toEqual([true, ...Array(9).fill(false)]);
});

test("a script goes over a stream of its own, which it closes", async () => {
  const { client, sent, read } = await open(new KeptStreams());
  await read();
  await read();
  await client.executeMultiple("BEGIN IMMEDIATE; ALTER TABLE things ADD COLUMN size INTEGER; COMMIT");
  expect(sent.at(-1)).toMatchObject({ baton: null, closes: true });
  expect(await read("SELECT count(size) AS n FROM things")).toBe(0);
});

test("a write that is refused leaves nothing, and a stream that works", async () => {
  const { client, sent, read } = await open(new KeptStreams());
  const insert = (id: number) => ({ sql: "INSERT INTO things (id) VALUES (?)", args: [id] });
  await client.batch([insert(1)], "write");
  await client.batch([insert(2)], "write");
  await expect(client.batch([insert(3), insert(1)], "write")).rejects.toThrow("UNIQUE");
  await client.batch([insert(4)], "write");
  expect(await read("SELECT sum(id) AS n FROM things")).toBe(7);
  expect(sent.slice(2).every(({ baton }) => baton !== null)).toBe(true);
});

test("reads at one time never share a stream", async () => {
  const { sent, read } = await open(new KeptStreams());
  await read();
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all(Array.from({ length: 8 }, () => read()))).toEqual(Array(8).fill(0));
  const batons = sent.flatMap(({ baton }) => baton ?? []);
  expect(batons).toHaveLength(16);
  expect(new Set(batons).size).toBe(16);
  expect(sent.every(({ status }) => status === 200)).toBe(true);
});

test("a read that fails says why, and leaves a stream that works", async () => {
  const { read } = await open(new KeptStreams());
  await read();
  await read();
  await expect(read("SELECT n FROM nowhere")).rejects.toThrow("no such table: nowhere");
  await expect(read("SELECT abs(-9223372036854775807 - 1) AS n")).rejects.toThrow("integer overflow");
  expect(await read()).toBe(0);
});

test("where its stream is no more, a read goes out again on one of its own", async () => {
  const { sent, read, loseStreams } = await open(new KeptStreams());
  await read();
  await read();
  loseStreams();
  expect(await read()).toBe(0);
  expect(sent.slice(2).map(({ status, closes }) => [status, closes])).toEqual([
    [400, false],
    [200, true],
  ]);
});

test("no more are kept than an isolate may", async () => {
  const { sent, read } = await open(new KeptStreams(2));
  await read();
  await Promise.all(Array.from({ length: 6 }, () => read()));
  expect(sent.filter(({ closes }) => !closes)).toHaveLength(2);
});

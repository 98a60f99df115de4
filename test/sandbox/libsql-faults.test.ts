import { createClient } from "@libsql/client/web";
import { expect, it } from "vitest";
import type { FaultRule } from "../../src/sandbox/libsql/faults.ts";
import {
  ADMIN,
  client,
  execute,
  names,
  namespace,
  post,
  server,
  TOKEN,
  useServer,
} from "./libsql-harness.ts";

useServer();

const add = (name: string) => client.execute({ sql: "INSERT INTO items (name) VALUES (?)", args: [name] });

async function setFaults(...rules: FaultRule[]): Promise<void> {
  const response = await fetch(`${server.adminUrl}/test/faults/${namespace}`, {
    method: "PUT",
    headers: ADMIN,
    body: JSON.stringify(rules),
  });
  expect(response.status).toBe(200);
}

it("resets before the run: nothing is written", async () => {
  await setFaults({ kind: "reset_before", times: 1 });
  await expect(add("a")).rejects.toThrow("fetch failed");
  expect(await names()).toEqual([]);
});

it.each(["reset_after", "truncate"] as const)(
  "%s: the write stays though the client sees a failure",
  async (kind) => {
    await setFaults({ kind, times: 1 });
    await expect(add("a")).rejects.toThrow();
    expect(await names()).toEqual(["a"]);
  },
);

it("hangs after the commit", async () => {
  await setFaults({ kind: "hang_after", times: 1 });
  const ending = new AbortController();
  const { signal } = ending;
  const hanging = createClient({
    url: `${server.url}/dev/${namespace}/`,
    authToken: TOKEN,
    fetch: (request: Request) => fetch(request, { signal }),
  });
  const answer = hanging.execute("INSERT INTO items (name) VALUES ('a')").catch(() => "none came");
  await expect.poll(() => names(), { timeout: 5_000 }).toEqual(["a"]);
  ending.abort();
  expect(await answer).toBe("none came");
});

it("delays the run", async () => {
  await setFaults({ kind: "delay", delay_ms: 100, times: 1 });
  const before = performance.now();
  await add("a");
  expect(performance.now() - before).toBeGreaterThan(95);
});

it("answers a status", async () => {
  await setFaults({ kind: "status", status: 429, times: 1 });
  expect((await post({ requests: [execute("INSERT INTO items (name) VALUES ('a')")] })).status).toBe(429);
  expect(await names()).toEqual([]);
});

it.each(["TRANSACTION_TIMEOUT", "STREAM_EXPIRED", "SQLITE_BUSY"])("answers the error %s", async (code) => {
  await setFaults({ kind: "error", code, times: 1 });
  await expect(client.batch(["INSERT INTO items (name) VALUES ('a')"], "write")).rejects.toMatchObject({
    code,
  });
  expect(await names()).toEqual([]);
});

it("strikes every n-th matching write, at most so many times, until cleared", async () => {
  await setFaults({ kind: "status", status: 500, every: 2, times: 2, writes_only: true });
  const outcomes: boolean[] = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    outcomes.push(
      await client.batch([`INSERT INTO items (name) VALUES ('${name}')`], "write").then(
        () => true,
        () => false,
      ),
    );
    await names();
  }
  expect(outcomes).toEqual([true, false, true, false, true, true]);
  await setFaults({ kind: "status" });
  await fetch(`${server.adminUrl}/test/faults/${namespace}`, { method: "DELETE", headers: ADMIN });
  expect(await names()).toEqual(["a", "c", "e", "f"]);
});

it("draws the same faults from the same seed", async () => {
  const run = async () => {
    await setFaults({ kind: "status", probability: 0.5, seed: 42 });
    const statuses: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      statuses.push((await post({ requests: [execute("SELECT 1")] })).status);
    }
    return statuses;
  };
  const first = await run();
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await run()).toEqual(first);
});

it("counts the pipelines of each namespace", async () => {
  const count = async () => {
    const response = await fetch(`${server.adminUrl}/test/requests`, { headers: ADMIN });
    return ((await response.json()) as Record<string, number>)[namespace] ?? 0;
  };
  const before = await count();
  await names();
  await client.batch(["SELECT 1", "SELECT 2"], "read");
  expect((await count()) - before).toBe(2);
});

import { createClient } from "@libsql/client/web";
import { expect, test } from "vitest";
import { CONTROL_MIGRATIONS } from "#migrations";
import { filesOf } from "#tenancy/migrations/missing-and-changed.ts";
import type { Env } from "../../src/env.ts";
import { scheduleJobs } from "../../src/wiring/jobs.ts";
import { useFolder } from "../support/folder.ts";
import type { FaultRule } from "../support/libsql/faults.ts";
import "../simulator/messaging/worker-runtime.ts";
import { startLibsql } from "../support/libsql/index.ts";
import { createNamespace } from "../support/service.ts";

const path = useFolder();
let folders = 0;
const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;

const ADD = `INSERT INTO companies
  (slug, name, country, currency, timezone, status, database_name, next_sweep_at, reservation, reserved_at, created_at, updated_at)
  VALUES (?, 'x', 'IN', 'INR', 'Asia/Kolkata', ?, 'co-x', ?, '', 0, 0, 0)`;

/** A control database of these companies, and the environment of a cron whose queue is `sendBatch`. */
async function withCompanies(
  rows: [slug: string, status: string, dueAt: number][],
  sendBatch: (messages: { body: unknown }[]) => Promise<void>,
) {
  folders += 1;
  const server = await startLibsql(path(`${folders}`));
  await createNamespace(server, "control");
  const url = `${server.url}/dev/control/`;
  const control = createClient({ url, authToken: server.token });
  for (const { sql } of filesOf(CONTROL_MIGRATIONS)) await control.executeMultiple(sql);
  await control.batch(
    rows.map((args) => ({ sql: ADD, args })),
    "write",
  );
  const env = {
    CONTROL_DATABASE_URL: url,
    CONTROL_DATABASE_TOKEN: server.token,
    MASTER_KEY: btoa("k".repeat(32)),
    HOUSEKEEPING: { sendBatch },
  } as unknown as Env;
  return {
    env,
    control,
    setFaults: (...rules: FaultRule[]) =>
      fetch(`${server.adminUrl}/test/faults/control`, { method: "PUT", body: JSON.stringify(rules) }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

test("a sweep queues every company that is due, in pages, and each once", async () => {
  const queued: string[] = [];
  const rows = Array.from({ length: 2_350 }, (_, index): [string, string, number] => [
    `company-${index}`,
    "active",
    NOW - index,
  ]);
  await using world = await withCompanies(rows, async (messages) => {
    // As a queue does.
    if (messages.length > 100) throw new Error("Too many messages at once");
    queued.push(...messages.map(({ body }) => (body as { company: string }).company));
  });
  await scheduleJobs(world.env, NOW);
  expect(queued.toSorted()).toEqual(rows.map(([slug]) => slug).toSorted());
  await scheduleJobs(world.env, NOW + 1);
  expect(queued).toHaveLength(rows.length);
});

test.each(["reset_before", "reset_after"] as const)(
  "no company is skipped where what marks a page meets %s",
  async (kind) => {
    const queued: string[] = [];
    await using world = await withCompanies([["asha", "active", NOW - 1]], async (messages) => {
      if (queued.length === 0) await world.setFaults({ kind, times: 1, writes_only: true });
      queued.push(...messages.map(({ body }) => (body as { company: string }).company));
    });
    await scheduleJobs(world.env, NOW);
    expect(queued).toEqual(["asha"]);
    const { rows } = await world.control.execute("SELECT next_sweep_at AS at FROM companies");
    expect(rows).toMatchObject([{ at: NOW + HOUR_MS }]);
  },
);

test("a sweep that the queue did not take is due again at once; one that it took, an hour later", async () => {
  const queued: unknown[] = [];
  let overloaded = true;
  await using world = await withCompanies(
    [
      ["due", "active", NOW - 1],
      ["later", "active", NOW + 1],
      ["idle", "suspended", NOW - 1],
    ],
    async (messages) => {
      if (overloaded) throw new Error("The queue is overloaded");
      queued.push(...messages.map(({ body }) => body));
    },
  );
  const { env, control } = world;
  const due = async () => {
    const { rows } = await control.execute("SELECT slug, next_sweep_at AS at FROM companies");
    return Object.fromEntries(rows.map(({ slug, at }) => [slug, Number(at) - NOW]));
  };
  await expect(scheduleJobs(env, NOW)).rejects.toThrow("overloaded");
  expect(await due()).toEqual({ due: -1, later: 1, idle: -1 });
  overloaded = false;
  await scheduleJobs(env, NOW);
  expect(queued).toEqual([{ kind: "housekeep", company: "due" }]);
  expect(await due()).toEqual({ due: HOUR_MS, later: 1, idle: -1 });
  await scheduleJobs(env, NOW);
  expect(queued).toHaveLength(1);
});

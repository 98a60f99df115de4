import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/web";
import { expect, test } from "vitest";
import { CONTROL_MIGRATIONS } from "#control/migrations/list.ts";
import type { Env } from "../../src/env.ts";
import { scheduleJobs } from "../../src/mount/jobs.ts";
import { startLibsql } from "../support/libsql/index.ts";
import { createNamespace } from "../support/service.ts";

const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;

test("a sweep that the queue did not take is due again at once; one that it took, an hour later", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "sweep-"));
  const server = await startLibsql(dataDir);
  try {
    await createNamespace(server, "control");
    const url = `${server.url}/dev/control/`;
    const control = createClient({ url, authToken: server.token });
    for (const { sql } of CONTROL_MIGRATIONS) await control.executeMultiple(sql);
    const add = `INSERT INTO companies
      (slug, name, country, currency, timezone, status, next_sweep_at, reservation, reserved_at, created_at, updated_at)
      VALUES (?, 'x', 'IN', 'INR', 'Asia/Kolkata', ?, ?, '', 0, 0, 0)`;
    for (const args of [
      ["due", "active", NOW - 1],
      ["later", "active", NOW + 1],
      ["idle", "suspended", NOW - 1],
    ])
      await control.execute({ sql: add, args });
    const due = async () => {
      const { rows } = await control.execute("SELECT slug, next_sweep_at AS at FROM companies");
      return Object.fromEntries(rows.map(({ slug, at }) => [slug, Number(at) - NOW]));
    };
    const queued: unknown[] = [];
    let overloaded = true;
    const sendBatch = async (messages: { body: unknown }[]) => {
      if (overloaded) throw new Error("The queue is overloaded");
      queued.push(...messages.map(({ body }) => body));
    };
    const env = {
      CONTROL_DATABASE_URL: url,
      CONTROL_DATABASE_TOKEN: server.token,
      MASTER_KEY: btoa("k".repeat(32)),
      JOBS: { sendBatch },
    } as unknown as Env;

    await expect(scheduleJobs(env, NOW)).rejects.toThrow("overloaded");
    expect(await due()).toEqual({ due: 0, later: 1, idle: -1 });
    overloaded = false;
    await scheduleJobs(env, NOW);
    expect(queued).toEqual([{ kind: "housekeep", company: "due" }]);
    expect(await due()).toEqual({ due: HOUR_MS, later: 1, idle: -1 });
    await scheduleJobs(env, NOW);
    expect(queued).toHaveLength(1);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
});

import { createClient } from "@libsql/client/web";
import { sql } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { CONTROL_MIGRATIONS } from "#migrations";
import type { ControlCtx } from "#tenancy/context.ts";
import { findCompany } from "#tenancy/directory.ts";
import { migrate } from "#tenancy/migrations/migrate.ts";
import { renewToken } from "#tenancy/migrations/renew-token.ts";
import { provisionerOf } from "#tenancy/provision/index.ts";
import { newDatabaseName, openOwnDatabase } from "#tenancy/provision/own-database.ts";
import { startSqld } from "../support/libsql/bare-sqld.ts";
import { startTurso } from "./turso-stand-in.ts";

const HOUR_MS = 3_600_000;
const SLUG = "asha-traders";

const server = await startSqld();
const platform = await startTurso(server);
vi.stubGlobal("fetch", platform.fetch);
await server.admin("POST", "/v1/namespaces/control/create", {});
const control = { url: `${server.url}/dev/control/`, token: server.token };
const database = new Database(control);
const begunAt = Date.now();
await migrate(database, CONTROL_MIGRATIONS, begunAt);
const directory = { control, masterKeys: [btoa("m".repeat(32))], sandbox: false };
const provisioner = provisionerOf({
  ...platform.variables,
  TURSO_TOKEN_EXPIRATION: "1d",
});
const plane = { directory, provisioner: async () => provisioner };
const ctx = {
  now: begunAt,
  database,
  db: database.build,
  call: { fingerprint: null },
  plane,
} as unknown as ControlCtx;
const name = newDatabaseName(begunAt);
const { url } = await openOwnDatabase(provisioner, name);
await createClient({ url: control.url, authToken: control.token }).execute({
  sql: `INSERT INTO companies (slug, name, country, currency, timezone, status, database_url, reservation, reserved_at,
    database_name, created_at, updated_at) VALUES (?, 'Asha', 'IN', 'INR', 'Asia/Kolkata', 'active', ?, 'r', 0, ?, 0, 0)`,
  args: [SLUG, url, name],
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await platform.stop();
  await server.stop();
});

const opens = (address: DatabaseAddress) => {
  const database = new Database(address);
  return database.read([database.build.all(sql`SELECT 1`)]);
};

async function address(): Promise<DatabaseAddress> {
  const company = await findCompany(directory, SLUG, Date.now());
  if (company === null) throw new Error("There is no such company");
  return company.address;
}

test("a new token is in use before the one before it expires, and no call fails in between", async () => {
  await renewToken(ctx, { slug: SLUG });
  const old = await address();
  let isOver = false;
  let calls = 0;
  // One isolate reads the registry anew, and another one remembers the token that it had.
  const callers = [address, async () => old].map(async (find) => {
    for (; !isOver; calls += 1) await opens(await find());
  });
  platform.now = () => begunAt + 12 * HOUR_MS;
  for (let time = 0; time < 5; time += 1)
    expect(await renewToken(ctx, { slug: SLUG })).toEqual({ slug: SLUG, token: "renewed" });
  isOver = true;
  await Promise.all(callers);
  expect(calls).toBeGreaterThan(5);
  platform.now = () => begunAt + 25 * HOUR_MS;
  expect((await address()).token).not.toBe(old.token);
  await opens(await address());
  await expect(opens(old)).rejects.toMatchObject({ code: "unavailable" });
  const [rows] = await ctx.database.read([
    ctx.database.build.all(sql`SELECT token_renewed_at AS at FROM company_upkeep`),
  ]);
  expect(rows).toEqual([{ at: begunAt }]);
});

test("keeps the token that it has where the provider gives none, and knows no other company", async () => {
  const before = await address();
  await expect(renewToken(ctx, { slug: "nowhere" })).rejects.toMatchObject({ code: "company_not_found" });
  vi.stubGlobal("fetch", () => Promise.reject(new Error("lost")));
  await expect(renewToken(ctx, { slug: SLUG })).rejects.toThrow();
  vi.stubGlobal("fetch", platform.fetch);
  expect(await address()).toEqual(before);
});

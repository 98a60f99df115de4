import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { SCOPES } from "#contract/scopes.ts";
import { CONTROL_MIGRATIONS } from "#control/migrations/list.ts";
import { migrate } from "#control/migrations/migrate.ts";
import { Database } from "#platform/database/database.ts";
import { clientOf } from "../../support/company.ts";
import { createNamespace } from "../../support/service.ts";

/** What the last release knew: its migrations of the control database, and its scopes. A release writes them anew. */
const LAST_RELEASE = {
  migrations: ["0001_foundation", "0002_messaging", "0003_refused_operations", "0004_provisioning"],
  scopes:
    "invoices:read invoices:write customers:read customers:write products:read products:write payments:read payments:write messages:sms:send messages:chatapp:send messages:email:send messages:read job_openings.read applications.write capture_leads view_lead_sources storefront projects.read projects.write bookings.read bookings.write settings:read settings:write ledger:read".split(
      " ",
    ),
};

test("an update of the last release's control database gives its new scopes to keys that held every scope", async () => {
  const { libsqlUrl, libsqlAdminUrl: adminUrl, libsqlToken } = inject("service");
  const name = `empty-${randomBytes(8).toString("hex")}`;
  await createNamespace({ adminUrl }, name);
  const database = new Database({ url: `${libsqlUrl}/dev/${name}/`, token: libsqlToken });
  const before = CONTROL_MIGRATIONS.filter((file) => LAST_RELEASE.migrations.includes(file.name));
  expect(before).toHaveLength(LAST_RELEASE.migrations.length);
  await migrate(database, before, 1);
  const client = clientOf(name);
  await client.execute(`INSERT INTO companies
    (slug, name, country, currency, timezone, status, reservation, reserved_at, created_at, updated_at)
    VALUES ('old', 'Old', 'IN', 'INR', 'Asia/Kolkata', 'active', '', 1, 1, 1)`);
  const [first = "", ...others] = LAST_RELEASE.scopes;
  const held: Record<string, string[]> = {
    all: LAST_RELEASE.scopes,
    almost: others,
    reader: ["settings:read"],
    writer: ["settings:write"],
    none: [first],
    page: [],
  };
  for (const [id, scopes] of Object.entries(held)) {
    const secret = id === "page" ? null : "00";
    await client.execute({
      sql: `INSERT INTO api_keys (company_id, client_id, type, name, scopes, secret_hash, rate_limit_per_minute,
        messaging_rate_per_minute, messaging_daily_cap, created_at, updated_at)
        VALUES (1, ?, ?, 'Old', ?, ?, 1000000, 30, 1000, 1, 1)`,
      args: [id, secret === null ? "publishable" : "secret", JSON.stringify(scopes), secret],
    });
  }
  await migrate(database, CONTROL_MIGRATIONS, 2);
  const { rows } = await client.execute("SELECT client_id, scopes FROM api_keys");
  const now = Object.fromEntries(
    rows.map((row): [string, string[]] => [String(row.client_id), JSON.parse(String(row.scopes)).sort()]),
  );
  expect(now).toEqual({
    all: [...SCOPES].sort(),
    almost: [...others, "keys:read", "keys:write"].sort(),
    reader: ["keys:read", "settings:read"],
    writer: ["keys:write", "settings:write"],
    none: [first],
    page: [],
  });
});

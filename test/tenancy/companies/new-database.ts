import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { Database } from "#core/database/database.ts";
import { createNamespace } from "../../support/service.ts";

/** An empty database of the test's own. */
export async function newDatabase(): Promise<{ name: string; database: Database }> {
  const { libsqlUrl, libsqlAdminUrl: adminUrl, libsqlToken } = inject("service");
  const name = `empty-${randomBytes(8).toString("hex")}`;
  await createNamespace({ adminUrl }, name);
  return { name, database: new Database({ url: `${libsqlUrl}/dev/${name}/`, token: libsqlToken }) };
}

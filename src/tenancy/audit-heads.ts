import { eq, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import type { AuditHead } from "#core/write/audit-link.ts";
import { auditHeads } from "#tables/tenancy";
import type { Directory } from "./directory.ts";

/** The last link of a company's audit log that this database has recorded. */
export async function auditHead(directory: Directory, companyId: number): Promise<AuditHead | null> {
  const control = new Database(directory.control);
  const { lastId, hash, chainedAt } = auditHeads;
  const [[head]] = await control.read([
    control.build
      .select({ lastId, hash, chainedAt })
      .from(auditHeads)
      .where(eq(auditHeads.companyId, companyId)),
  ]);
  return head ?? null;
}

/** Keeps a later link as the last one; an earlier one changes nothing. */
export async function moveAuditHead(
  directory: Directory,
  companyId: number,
  { lastId, hash, chainedAt }: AuditHead,
): Promise<void> {
  const control = new Database(directory.control);
  await control.write([
    sql`INSERT INTO ${auditHeads} (company_id, last_id, hash, chained_at)
      VALUES (${companyId}, ${lastId}, ${hash}, ${chainedAt})
      ON CONFLICT (company_id) DO UPDATE
      SET last_id = excluded.last_id, hash = excluded.hash, chained_at = excluded.chained_at
      WHERE excluded.last_id > last_id`,
  ]);
}

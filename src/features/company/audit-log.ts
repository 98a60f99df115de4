import { desc, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { auditLog } from "#platform/tables.ts";
import type { AuditRow } from "#shared/audit-entry.ts";
import { idBelow, type Page } from "#shared/page.ts";

/** Every write on the company's records, newest first. */
export async function listAuditLog(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<AuditRow[]> {
  const select = ctx.db
    .select()
    .from(auditLog)
    .where(sql`${auditLog.id} < ${idBelow(page)}`)
    .orderBy(desc(auditLog.id))
    .limit(page.take);
  const [rows] = await read(ctx, [select]);
  return rows;
}

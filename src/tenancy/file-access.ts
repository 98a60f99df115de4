import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { putNewest } from "#core/put-newest.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { Directory } from "./directory.ts";

type Access = { action: "readFiles" | "restoreFiles"; company: string; requestId: string; now: number };

const PLATFORM = { type: "platform", id: "platform", name: "platform" } as const;
const noted = new Map<string, number>();

/**
 * Writes into the operator's audit log that a company's files are read or put back, before any is: one row for the hour
 * that begins, in each isolate. A row for each file would grow the log by every backup.
 */
export async function noteFileAccess(
  directory: Directory,
  { action, company, requestId, now }: Access,
): Promise<void> {
  const access = `${action} ${company}`;
  if (now - (noted.get(access) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
  await new Database(directory.control).write([
    auditEach({ now, actor: PLATFORM, requestId }, action, sql`SELECT ${company} AS id`),
  ]);
  putNewest(noted, access, now);
}
